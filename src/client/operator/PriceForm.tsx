import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { operatorCampaignRoutes } from '../../shared/api/campaign.ts'
import { priceInput } from '../../shared/api/campaign-inputs.ts'
import { compare, showPrice } from '../../shared/money.ts'
import { ApiError } from '../api.ts'
import { ConfirmForm } from '../area/ConfirmForm.tsx'
import { call } from '../area/call.ts'
import { DecimalField } from '../area/DecimalField.tsx'
import { Loaded } from '../area/Loaded.tsx'
import { Figure, Figures } from '../area/Page.tsx'
import { rulesOf } from '../area/rules.ts'
import { useForm } from '../area/use-form.ts'
import { refusalCode } from '../errors.ts'
import { Button } from '../ui/Button.tsx'
import { formatAmount, Money } from '../ui/numbers.tsx'
import { toast } from '../ui/Toast.tsx'
import { campaignQuery, useSymbol } from './queries.ts'
import { useRefusal } from './session.ts'
import { touched } from './touched.ts'

const rules = rulesOf(priceInput.pick({ priceUsd: true }))

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
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  const refusal = useRefusal()('currencies:write')
  const failed = t`Failed to update currency.`
  const form = useForm({
    rules,
    initial: { priceUsd: '' },
    asks: true,
    send: (body) => call(operatorCampaignRoutes.setPrice, { body: { ...body, previousUsd: priceUsd } }),
    touches: touched.currencies,
    done: () => toast.success(t`Currency updated successfully!`),
    empties: true,
    failed,
    onFail: (error) => {
      if (refusalCode(error) === 'conflict')
        toast.error(
          failed,
          t`A stage that began, or somebody else, changed it meanwhile. The value above is the one that stands.`,
        )
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
      <form {...form.formProps} className="mt-4 flex flex-wrap items-start gap-3">
        <DecimalField
          form={form}
          name="priceUsd"
          label={t`New value in dollars`}
          fieldClassName="w-56"
          placeholder={formatAmount(showPrice(priceUsd ?? '4.5'), i18n.locale, 18, 2)}
        />
        <Button
          type="submit"
          className="sm:mt-6.5"
          loading={form.isPending}
          disabledReason={refusal ?? (same ? t`This is the value that stands.` : undefined)}
        >
          <Trans>Change value</Trans>
        </Button>
      </form>
      <ConfirmForm
        form={form}
        title={t`Change the value?`}
        confirm={({ priceUsd: asked }) => t`Change to $${asked}`}
      >
        {(body) => <WhatChanges priceUsd={priceUsd} asked={body.priceUsd} />}
      </ConfirmForm>
    </>
  )
}

function WhatChanges({ priceUsd, asked }: { priceUsd: string | null; asked: string }) {
  const symbol = useSymbol()
  return (
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
        <Trans>The change is dated in the public price history. Orders made before keep theirs.</Trans>
      </li>
    </ul>
  )
}
