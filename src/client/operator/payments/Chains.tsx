import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OperatorChain, operatorPaymentRoutes } from '../../../shared/api/payments.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { FormDialog } from '../../area/FormDialog.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { networkNames } from '../../area/network-names.ts'
import { readItems, refreshMs } from '../../area/reading.ts'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { Field } from '../../ui/Field.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Money, RelativeTime } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

type Doing = { what: 'confirmations' | 'resume'; chain: OperatorChain }

/** The chains that are followed: how far, how late, what went wrong. Their nodes come from the environment. */
export function Chains() {
  const { t } = useLingui()
  const [doing, setDoing] = useState<Doing>()
  const query = useQuery({ ...readItems(operatorPaymentRoutes.chains), refetchInterval: refreshMs })
  const columns = useColumns(setDoing)
  const onClose = () => setDoing(undefined)
  return (
    <>
      <Loaded query={query}>
        {(chains) => (
          <DataTable
            caption={t`Chains`}
            rows={chains}
            keyOf={({ network }) => network}
            empty={t`No chain is followed: no node is named in the environment.`}
            columns={columns}
          />
        )}
      </Loaded>
      {doing?.what === 'confirmations' ? <Confirmations chain={doing.chain} onClose={onClose} /> : null}
      {doing?.what === 'resume' ? <Resume chain={doing.chain} onClose={onClose} /> : null}
    </>
  )
}

function useColumns(onDo: (doing: Doing) => void): Column<OperatorChain>[] {
  const { t } = useLingui()
  const refusal = useRefusal()('currencies:write')
  return [
    { label: t`Network`, cell: ({ network }) => networkNames[network] },
    { label: t`State`, cell: (chain) => <ChainState chain={chain} /> },
    { label: t`Block`, numeric: true, cell: ({ height }) => height ?? '—' },
    { label: t`Behind`, numeric: true, cell: ({ lagBlocks }) => lagBlocks ?? '—' },
    { label: t`Open addresses`, numeric: true, cell: ({ openAddresses }) => openAddresses },
    { label: t`Confirmations`, cell: (chain) => <Rules chain={chain} /> },
    {
      label: t`Actions`,
      actions: true,
      cell: (chain) => (
        <span className="flex justify-end gap-1">
          <Button
            variant="secondary"
            size="sm"
            disabledReason={refusal}
            onClick={() => onDo({ what: 'confirmations', chain })}
          >
            <Trans>Confirmations…</Trans>
          </Button>
          {chain.stopped ? (
            <Button size="sm" disabledReason={refusal} onClick={() => onDo({ what: 'resume', chain })}>
              <Trans>Go on…</Trans>
            </Button>
          ) : null}
        </span>
      ),
    },
  ]
}

function ChainState({ chain }: { chain: OperatorChain }) {
  const { t } = useLingui()
  if (!chain.configured) return <Status>{t`no node`}</Status>
  const error = chain.lastError ? (
    <span className="block text-xs text-soft wrap-anywhere">{chain.lastError}</span>
  ) : null
  if (chain.stopped)
    return (
      <>
        <Status tone="danger">{t`stopped`}</Status>
        {error}
      </>
    )
  if (chain.failingSince)
    return (
      <>
        <Status tone="danger">{t`failing`}</Status>{' '}
        <RelativeTime value={chain.failingSince} className="text-xs" />
        {error}
      </>
    )
  return (
    <>
      <Status tone="success">{t`followed`}</Status>
      {chain.polledAt ? <RelativeTime value={chain.polledAt} className="block text-xs text-soft" /> : null}
    </>
  )
}

function Rules({ chain }: { chain: OperatorChain }) {
  return (
    <ul className="text-xs">
      {chain.confirmationRules.map((rule) => (
        <li key={rule.belowUsd ?? 'rest'}>
          {rule.belowUsd ? (
            <Trans>
              below <Money value={rule.belowUsd} whole />: {rule.confirmations}
            </Trans>
          ) : (
            <Trans>else: {rule.confirmations}</Trans>
          )}
          {rule.finalized ? (
            <>
              {' '}
              <Trans>and final</Trans>
            </>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

function Resume({ chain, onClose }: { chain: OperatorChain; onClose: () => void }) {
  const { t } = useLingui()
  const name = networkNames[chain.network]
  return (
    <ConfirmChange
      title={t`Follow ${name} again?`}
      confirm={t`Go on`}
      run={() => call(operatorPaymentRoutes.resumeChain, { params: { network: chain.network } })}
      touches={touched.chains}
      done={() => toast.success(t`${name} is followed again.`)}
      onClose={onClose}
    >
      <Trans>
        It stopped because something that must hold did not: {chain.lastError}. Look at it first. Going on
        takes the chain as its node shows it now: payments that it no longer shows lose their credit, also
        final ones.
      </Trans>
    </ConfirmChange>
  )
}

type Rule = OperatorChain['confirmationRules'][number]

function Confirmations({ chain, onClose }: { chain: OperatorChain; onClose: () => void }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { rules: chain.confirmationRules },
    send: (body: { rules: Rule[] }) =>
      call(operatorPaymentRoutes.setConfirmations, { params: { network: chain.network }, body }),
    touches: touched.chains,
    done: () => {
      toast.success(t`The confirmations were saved.`)
      onClose()
    },
  })
  const { rules } = form.values
  const change = (at: number, next: Partial<Rule>) =>
    form.set({ rules: rules.map((rule, index) => (index === at ? { ...rule, ...next } : rule)) })
  return (
    <FormDialog
      form={form}
      title={networkNames[chain.network]}
      description={t`How many confirmations an order of which size waits for. Payments seen from then on follow it.`}
      submit={<Trans>Save</Trans>}
      onClose={onClose}
    >
      <Button
        variant="ghost"
        className="self-start"
        disabledReason={rules.length >= 6 ? t`At most 6.` : undefined}
        onClick={() => form.set({ rules: [{ belowUsd: '', confirmations: 1, finalized: false }, ...rules] })}
      >
        <Trans>Add a rule</Trans>
      </Button>
      <ul className="flex flex-col gap-4">
        {rules.map((rule, index) => (
          // Rules have no key of their own; their order is what they are.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex flex-wrap items-end gap-3 border-b border-line pb-4">
            <RuleFields
              rule={rule}
              error={(name) => form.error(`rules.${index}.${name}`)}
              onChange={(next) => change(index, next)}
              onRemove={() => form.set({ rules: rules.filter((_, other) => other !== index) })}
            />
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}

function RuleFields({
  rule,
  error,
  onChange,
  onRemove,
}: {
  rule: Rule
  error: (name: keyof Rule) => string | undefined
  onChange: (next: Partial<Rule>) => void
  onRemove: () => void
}) {
  const { t } = useLingui()
  return (
    <>
      {rule.belowUsd === null ? (
        <p className="flex h-11 w-36 items-center text-sm">
          <Trans>Everything else</Trans>
        </p>
      ) : (
        <Field label={t`Below, dollars`} error={error('belowUsd')} className="w-36">
          <DecimalInput
            className="figures"
            value={rule.belowUsd}
            onValueChange={(belowUsd) => onChange({ belowUsd })}
          />
        </Field>
      )}
      <Field label={t`Confirmations`} error={error('confirmations')}>
        <NumberField
          value={rule.confirmations}
          min={1}
          max={1000}
          onValueChange={(confirmations) => onChange({ confirmations: confirmations ?? 1 })}
        />
      </Field>
      <div className="flex h-11 items-center">
        <Checkbox checked={rule.finalized} onCheckedChange={(finalized) => onChange({ finalized })}>
          <Trans>and final</Trans>
        </Checkbox>
      </div>
      {rule.belowUsd === null ? null : (
        <Button variant="ghost" size="sm" onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      )}
    </>
  )
}
