import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import {
  type RateSource,
  rateSourceRoutes,
  type SourceAnswer,
  type SourceKind,
} from '../../../shared/api/rate-sources.ts'
import { ApiError } from '../../api.ts'
import { call, currentOf } from '../../area/call.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { FormDialog } from '../../area/FormDialog.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Percent, RelativeTime } from '../../ui/numbers.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'
import { SourcePrice, useSourceProblem } from './source-words.tsx'

interface Typed {
  kind: SourceKind
  url: string
}

/** Adds a source or changes the address of one added here. */
export function NameSource({ present, onClose }: { present?: RateSource; onClose: () => void }) {
  const { t } = useLingui()
  const words = useSourceWords()
  const form = useForm({
    initial: { kind: kindOf(present), url: '' },
    send: ({ kind, url }: Typed) =>
      call(rateSourceRoutes.set, { body: { kind, url: url.trim(), replaces: present?.id ?? null } }),
    touches: touched.rateSources,
    words,
    atField: {
      rate_source_address_refused: 'url',
      rate_source_twice: 'url',
      rate_source_silent: 'url',
    },
    done: () => {
      toast.success(t`The rate source was named. It is asked from the next reading on.`)
      onClose()
    },
    onWaits: onClose,
    onFail: (error) => {
      if (currentOf(error) === undefined) return
      toast.error(t`Somebody else changed this rate source.`, t`Nothing was changed. Look at it again.`)
      onClose()
    },
  })
  const missing = form.values.url.trim() ? undefined : t`Enter its address.`
  return (
    <FormDialog
      form={form}
      size="lg"
      title={present ? t`Replace ${present.name}` : t`Add a rate source`}
      description={t`It says with others what coins cost, so name one that you trust. It is asked first; the address is kept encrypted and only its host is shown.`}
      submit={<Trans>Name this source</Trans>}
      disabledReason={missing}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="kind"
        label={t`How it answers`}
        options={[
          { value: 'coingecko', label: t`As CoinGecko: /simple/price` },
          { value: 'kraken', label: t`As Kraken: /0/public/Ticker` },
          { value: 'coinbase', label: t`As Coinbase: /v2/prices` },
        ]}
      />
      <TextField
        form={form}
        name="url"
        label={t`Base address`}
        hint={t`https://…, before that path, with its key as a parameter where it needs one.`}
        className="figures"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <AskTyped typed={form.values} missing={missing} />
    </FormDialog>
  )
}

function kindOf(present: RateSource | undefined): SourceKind {
  return present && present.kind !== 'chainlink' ? present.kind : 'coingecko'
}

function useSourceWords(): (error: unknown) => string {
  const problemText = useSourceProblem()
  return (error) => {
    const why = error instanceof ApiError ? (error.details['why'] ?? error.details['host']) : undefined
    return typeof why === 'string' ? `${errorText(error)} (${problemText(why)})` : errorText(error)
  }
}

function AskTyped({ typed: { kind, url }, missing }: { typed: Typed; missing: string | undefined }) {
  const words = useSourceWords()
  const asking = useChange<void, SourceAnswer>({
    run: () => call(rateSourceRoutes.ask, { body: { name: null, source: { kind, url: url.trim() } } }),
    touches: [],
    failed: false,
  })
  return (
    <div className="flex flex-col items-start gap-3">
      <Button
        variant="secondary"
        loading={asking.isPending}
        disabledReason={missing}
        onClick={() => asking.mutate()}
      >
        <Trans>Ask this source</Trans>
      </Button>
      <div role="status" className="w-full">
        {asking.data ? <Answer answer={asking.data} /> : null}
        {asking.error ? <Notice tone="danger">{words(asking.error)}</Notice> : null}
      </div>
    </div>
  )
}

export function AskedSource({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useLingui()
  const words = useSourceWords()
  const { mutate, data, error } = useChange<void, SourceAnswer>({
    run: () => call(rateSourceRoutes.ask, { body: { name, source: null } }),
    touches: touched.rateSources,
    failed: false,
  })
  useEffect(() => mutate(), [mutate])
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={t`What ${name} answers`}
      footer={
        <Button variant="secondary" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <div role="status">
        {data ? <Answer answer={data} /> : null}
        {error ? <Notice tone="danger">{words(error)}</Notice> : null}
        {data || error ? null : <p className="text-sm text-soft">{t`It is being asked.`}</p>}
      </div>
    </Dialog>
  )
}

function Answer({ answer: { items } }: { answer: SourceAnswer }) {
  const { t } = useLingui()
  const problemText = useSourceProblem()
  return (
    <DataTable
      caption={t`What it answers`}
      rows={items}
      keyOf={({ code }) => code}
      columns={[
        {
          label: t`Currency`,
          unlabelled: true,
          className: 'max-sm:justify-start!',
          cell: ({ code }) => <strong>{code}</strong>,
        },
        {
          label: t`Its price`,
          numeric: true,
          cell: ({ priceUsd, problem }) => (
            <>
              {priceUsd === null ? null : <SourcePrice value={priceUsd} />}
              {problem ? (
                <span className="block font-text text-xs text-soft">{problemText(problem)}</span>
              ) : null}
            </>
          ),
        },
        { label: t`Of when`, cell: ({ at }) => (at ? <RelativeTime value={at} mayLieAhead /> : '—') },
        {
          label: t`By the present rate`,
          numeric: true,
          cell: ({ presentUsd }) => (presentUsd === null ? '—' : <SourcePrice value={presentUsd} />),
        },
        {
          label: t`Off by`,
          numeric: true,
          cell: ({ deviationPercent }) => <Percent value={deviationPercent} />,
        },
      ]}
    />
  )
}
