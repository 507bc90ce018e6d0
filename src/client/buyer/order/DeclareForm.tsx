import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { type BuyerOrder, orderRoutes } from '../../../shared/api/orders.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { FormError } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { asksCountry } from '../asks-country.ts'
import { CountryChoice } from '../CountryChoice.tsx'
import { orderQuery } from '../queries.ts'
import { touched } from '../touched.ts'

/** An order that a payment made before Confirm: its buyer declares what Confirm would have asked for. */
export function DeclareForm({ order, campaign }: { order: BuyerOrder; campaign: PublicCampaign }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const { minimumAge: age, countriesRefused } = campaign.settings.buyers
  const [accepted, setAccepted] = useState<PublicCampaign['legalVersions'] | null>(null)
  const [country, setCountry] = useState<string | null>(null)
  const isAsked = asksCountry(campaign)
  const declare = useChange({
    run: () =>
      call(orderRoutes.declare, {
        params: { token: order.token },
        body: {
          acceptTerms: true,
          termsVersion: accepted?.terms,
          risksVersion: accepted?.risks,
          ...(country ? { country } : {}),
          ...(age > 0 ? { ageConfirmed: true } : {}),
        },
      }),
    touches: touched.orders,
    failed: false,
    done: (changed) => client.setQueryData(orderQuery(order.token).queryKey, changed),
    onFail: () => setAccepted(null),
  })
  return (
    <Band title={<Trans>Confirm this order</Trans>}>
      <div className="flex flex-col items-start gap-4">
        {isAsked ? (
          <CountryChoice
            value={country}
            onValueChange={setCountry}
            refused={countriesRefused}
            error={undefined}
          />
        ) : null}
        <Checkbox
          checked={accepted !== null}
          onCheckedChange={(next) => setAccepted(next ? campaign.legalVersions : null)}
        >
          {age > 0 ? (
            <Trans>I am {age} or older, and I accept the terms and the risk notice.</Trans>
          ) : (
            <Trans>I accept the terms and the risk notice.</Trans>
          )}
        </Checkbox>
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm [&_a]:underline [&_a]:underline-offset-4">
          <a href={paths.terms} target="_blank" rel="noreferrer">
            {t`Terms`}
          </a>
          <a href={paths.risks} target="_blank" rel="noreferrer">
            {t`Risk notice`}
          </a>
        </p>
        <FormError>{declare.error ? errorText(declare.error) : null}</FormError>
        <Button
          onClick={() => declare.mutate()}
          loading={declare.isPending}
          disabled={accepted === null || (isAsked && country === null)}
        >
          <Trans>Confirm</Trans>
        </Button>
      </div>
    </Band>
  )
}

/** Until when, and what it costs to wait. */
export function ConfirmBelow({ until, rateUntil }: { until: string; rateUntil: string }) {
  return (
    <Trans>
      Confirm below until <DateTime value={until} />; otherwise what you paid is owed back to you. The rate of
      this order holds until <DateTime value={rateUntil} />: later, the payment counts from when you confirm.
    </Trans>
  )
}
