import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import type { SettlementRules } from '../../shared/api/payments.ts'
import { compare, multiply } from '../../shared/money.ts'
import { Loaded } from '../area/Loaded.tsx'
import { payersNetworkName } from '../ui/network-names.ts'
import { Money, Percent } from '../ui/numbers.tsx'
import { Skeleton } from '../ui/Spinner.tsx'
import { settlementRulesQuery } from './queries.ts'

export type Purchase = Pick<BuyerOrder, 'watched' | 'network' | 'currency' | 'usd'>

export function PaymentRuleList({ purchase }: { purchase: Purchase }) {
  return purchase.watched ? <WatchedRules purchase={purchase} /> : <ManualRules />
}

function ManualRules() {
  return (
    <p className="text-sm text-soft">
      <Trans>
        An operator confirms by hand. The operator decides about an amount that is too small, too large or too
        late. Send exactly the amount, in time.
      </Trans>
    </p>
  )
}

function WatchedRules({ purchase }: { purchase: Purchase }) {
  return (
    <Loaded query={useQuery(settlementRulesQuery)} skeleton={<Skeleton className="h-40" />}>
      {(rules) => <RuleList rules={rules} purchase={purchase} />}
    </Loaded>
  )
}

function RuleList({ rules, purchase }: { rules: SettlementRules; purchase: Purchase }) {
  const { toleranceShare, toleranceUsd, leastUsd, confirmWithinHours } = rules
  const share = multiply(toleranceShare, '100')
  return (
    <dl className="grid gap-x-6 text-sm sm:grid-cols-[8rem_1fr]">
      <Rule label={<Trans>Your place</Trans>}>
        <Trans>
          An order reserves nothing: the tokens are taken when your payment is in a block. Without room by
          then, what you paid is owed back to you.
        </Trans>
      </Rule>
      <Rule label={<Trans>A little short</Trans>}>
        <Trans>
          Up to <Percent value={share} /> or <Money value={toleranceUsd} />, whichever is less, counts as
          full.
        </Trans>
      </Rule>
      <Rule label={<Trans>Too little</Trans>}>
        <Trans>
          A payment in time buys its part at your rate as soon as it is confirmed. The rest may follow until
          your time to pay is over. Payments of less than <Money value={leastUsd} /> that complete no order
          buy nothing and are not sent back.
        </Trans>
      </Rule>
      <Rule label={<Trans>Too much</Trans>}>
        <Trans>
          Payments in time add up, and more than the amount buys more at the same rate as far as the limits
          allow. The rest is owed back to you.
        </Trans>
      </Rule>
      <Rule label={<Trans>Too late</Trans>}>
        <Trans>
          While the order’s stage and price are in force and the sale is not paused, it buys at the rate of
          when it was first seen. Otherwise it is owed back to you.
        </Trans>
      </Rule>
      <Rule label={<Trans>The bonus</Trans>}>
        <Trans>
          It follows what your payment buys: the better of the level that you held when you made the order,
          and the level that the tokens reach.
        </Trans>
      </Rule>
      <Rule label={<Trans>Your rate</Trans>}>
        <Trans>
          It is kept by when the payment is first seen, if a block holds the payment within{' '}
          <Plural value={confirmWithinHours} one="# hour" other="# hours" />. A payment that replaces another
          one counts from when it is seen itself.
        </Trans>
      </Rule>
      <Confirmations rules={rules} purchase={purchase} />
    </dl>
  )
}

/** Empty if the chain is not watched. */
function Confirmations({ rules, purchase }: { rules: SettlementRules; purchase: Purchase }) {
  const needed = confirmationsFor(rules, purchase)
  if (!needed) return null
  const network = payersNetworkName(purchase.network) || purchase.currency
  return (
    <Rule label={<Trans>Confirmations</Trans>}>
      {needed.finalized ? (
        <Trans>
          <Plural value={needed.confirmations} one="# block" other="# blocks" /> on {network}, and the block
          must be final.
        </Trans>
      ) : (
        <Trans>
          <Plural value={needed.confirmations} one="# block" other="# blocks" /> on {network}.
        </Trans>
      )}
    </Rule>
  )
}

/** Undefined if the chain is not watched. */
function confirmationsFor({ chains }: SettlementRules, { network, usd }: Purchase) {
  return chains
    .find((chain) => chain.network === network)
    ?.confirmations.find(({ belowUsd }) => belowUsd === null || compare(usd, belowUsd) < 0)
}

function Rule({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="font-medium sm:border-t sm:border-line sm:py-2">{label}</dt>
      <dd className="pb-2 text-soft sm:border-t sm:border-line sm:py-2">{children}</dd>
    </>
  )
}
