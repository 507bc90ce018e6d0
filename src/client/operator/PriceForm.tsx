import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { operatorCampaignRoutes } from '../../shared/api/campaign.ts'
import { priceInput } from '../../shared/api/campaign-inputs.ts'
import { compare, showPrice } from '../../shared/money.ts'
import { ApiError } from '../api.ts'
import { call } from '../area/call.ts'
import { Loaded } from '../area/Loaded.tsx'
import { Figure, Figures } from '../area/Page.tsx'
import { useChange } from '../area/use-change.ts'
import { errorText, refusalCode } from '../errors.ts'
import { Button } from '../ui/Button.tsx'
import { DecimalInput } from '../ui/DecimalInput.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { Money } from '../ui/numbers.tsx'
import { toast } from '../ui/Toast.tsx'
import { useSchemaForm } from './form.ts'
import { campaignQuery, useSymbol } from './queries.ts'
import { useRefusal } from './session.ts'
import { touched } from './touched.ts'

/** The main currency's value, and the form that changes it. */
export function PriceForm() {
  const { t } = useLingui()
  const query = useQuery(campaignQuery)
  const status = query.error instanceof ApiError ? query.error.message : ''
  return (
    <Loaded query={query} failed={status ? t`Error: ${status}` : t`Failed to load data`}>
      {(campaign) => <Change priceUsd={campaign.priceUsd} />}
    </Loaded>
  )
}

function Change({ priceUsd }: { priceUsd: string | null }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const refusal = useRefusal()('currencies:write')
  const element = useRef<HTMLFormElement>(null)
  const form = useSchemaForm(priceInput.pick({ priceUsd: true }), { priceUsd: '' })
  const [asked, setAsked] = useState<string>()
  const change = useChange({
    run: (next: string) =>
      call(operatorCampaignRoutes.setPrice, { body: { priceUsd: next, previousUsd: priceUsd } }),
    touches: touched.currencies,
    done: () => {
      toast.success(t`Currency updated successfully!`)
      form.reset()
      setAsked(undefined)
    },
    failed: false,
    onFail: (error) => {
      setAsked(undefined)
      form.refuse(error)
      const why =
        refusalCode(error) === 'conflict'
          ? t`Somebody else changed it meanwhile. The value above is the one that stands.`
          : errorText(error)
      toast.error(t`Failed to update currency.`, why)
    },
  })
  const next = form.values.priceUsd
  const same = priceUsd !== null && /^\d+(\.\d+)?$/.test(next) && compare(next, priceUsd) === 0
  return (
    <>
      <Figures>
        <Figure label={t`Main currency value`}>
          <Money value={priceUsd === null ? null : showPrice(priceUsd)} price />
        </Figure>
        <Figure label={t`For`}>1 {symbol}</Figure>
      </Figures>
      <form
        ref={element}
        noValidate
        className="mt-4 flex flex-wrap items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          const body = form.check(element.current)
          if (body && !refusal && !same) setAsked(body.priceUsd)
        }}
      >
        <Field label={t`New value in dollars`} className="w-56" error={form.error('priceUsd')}>
          <DecimalInput
            className="figures"
            value={next}
            placeholder={priceUsd ? showPrice(priceUsd) : '4.50'}
            onValueChange={(typed) => form.set({ priceUsd: typed })}
          />
        </Field>
        <Button
          type="submit"
          className="sm:mt-6.5"
          loading={change.isPending}
          disabledReason={refusal ?? (same ? t`This is the value that stands.` : undefined)}
        >
          <Trans>Change value</Trans>
        </Button>
      </form>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={t`Change the value?`}
        confirm={t`Change to $${asked}`}
        loading={change.isPending}
        onConfirm={() => asked && change.mutate(asked)}
      >
        <ul className="list-disc pl-5">
          <li>
            {priceUsd ? (
              <Trans>
                1 {symbol} costs ${asked} instead of ${showPrice(priceUsd)}.
              </Trans>
            ) : (
              <Trans>
                1 {symbol} costs ${asked}.
              </Trans>
            )}
          </li>
          <li>
            <Trans>Every currency's rate is rescaled by the same step.</Trans>
          </li>
          <li>
            <Trans>
              The change is dated in the public price history. Orders and quotes made before keep theirs.
            </Trans>
          </li>
        </ul>
      </ConfirmDialog>
    </>
  )
}
