import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import type { Refund } from '../../../shared/api/payments.ts'
import { refundStates } from '../../../shared/payment-states.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Fact, Facts } from '../../area/Page.tsx'
import { Button } from '../../ui/Button.tsx'
import { payersNetworkName } from '../../ui/network-names.ts'
import { DateTime, Money, TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { useRefunds } from '../queries.ts'
import { RefundAddressForm } from './RefundAddressForm.tsx'
import { TransactionLink } from './TransactionLink.tsx'

export function Refunds({ order, refunds }: { order: BuyerOrder; refunds: ReturnType<typeof useRefunds> }) {
  const isPaid = refunds.data?.every(({ state }) => state === 'paid')
  return (
    <Band title={isPaid ? <Trans>Money that was owed back to you</Trans> : <Trans>Owed back to you</Trans>}>
      <Loaded
        query={refunds}
        skeleton={<Skeleton className="h-28" />}
        failed={<Trans>Failed to load the refunds</Trans>}
      >
        {(shown) => (
          <>
            <ul className="divide-y divide-line">
              {shown.map((refund) => (
                <RefundItem key={refund.id} refund={refund} />
              ))}
            </ul>
            <WhereTo order={order} refunds={shown} />
          </>
        )}
      </Loaded>
    </Band>
  )
}

function WhereTo({ order, refunds }: { order: BuyerOrder; refunds: readonly Refund[] }) {
  const open = refunds.filter(({ state }) => state === 'owed' || state === 'claimed')
  return [...new Set(open.map(({ network }) => network))].map((network) => (
    <Claim key={network} order={order} refunds={open.filter((refund) => refund.network === network)} />
  ))
}

function Claim({ order, refunds }: { order: BuyerOrder; refunds: readonly Refund[] }) {
  const [changing, setChanging] = useState(false)
  const [first] = refunds
  if (!first) return null
  const unclaimed = refunds.some((refund) => refund.state === 'owed')
  const until = refunds.map((refund) => refund.changeableUntil).find((at) => at !== null)
  const mayChange = until !== undefined
  if (unclaimed || (changing && mayChange))
    return (
      <div className="mt-4">
        <RefundAddressForm
          order={order}
          network={first.network}
          current={first.address}
          onDone={() => setChanging(false)}
        />
      </div>
    )
  if (!mayChange) return null
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <Button variant="secondary" size="sm" onClick={() => setChanging(true)}>
        <Trans>Change the address</Trans>
      </Button>
      <span className="text-sm text-soft">
        <Trans>
          until <DateTime value={until} />
        </Trans>
      </span>
    </div>
  )
}

function RefundItem({ refund }: { refund: Refund }) {
  const { t } = useLingui()
  const reasons: Record<string, string> = {
    overpaid: t`More arrived than this order may take.`,
    late: t`It came too late to buy.`,
    paid_after_approval: t`It arrived after the order had been approved.`,
    order_rejected: t`The order was rejected or taken back.`,
    taken_back: t`You took the order back.`,
    soft_cap_missed: t`The sale ended below its soft cap.`,
    cap_reached: t`There was not enough left of the stage or of the hard cap.`,
    supply_reached: t`There was not enough left of the tokens for sale.`,
    wrong_asset: t`Another coin or token than the order's arrived.`,
    unmatched: t`It could not be counted for an order.`,
  }
  return (
    <li className="py-4 first:pt-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="text-xl font-semibold">
          <TokenAmount value={refund.amount} unit={refund.currency} decimalsMax={18} />{' '}
          <span className="inline-flex flex-wrap gap-x-3 text-sm font-normal text-soft">
            <Money value={refund.usd} />
            <span>{payersNetworkName(refund.network)}</span>
          </span>
        </p>
        {refund.paidAt ? null : (
          <p className="text-sm text-soft">
            <Trans>
              owed since <DateTime value={refund.owedAt} />
            </Trans>
            {refund.payBy ? (
              <>
                {'; '}
                <Trans>
                  to be paid by <DateTime value={refund.payBy} part="date" />
                </Trans>
              </>
            ) : null}
          </p>
        )}
      </div>
      <p className="mt-1 text-sm text-soft">
        {reasons[refund.reason] ?? t`It could not become tokens of this order.`}
      </p>
      <RefundSteps refund={refund} />
      <div className="mt-3">
        <Facts>
          {refund.address ? (
            <Fact label={<Trans>Goes to</Trans>}>
              <span className="figures break-all">{refund.address}</span>
            </Fact>
          ) : null}
          {refund.transactionId ? (
            <Fact label={<Trans>Transaction</Trans>}>
              <TransactionLink id={refund.transactionId} url={refund.explorerUrl} />
            </Fact>
          ) : null}
          {refund.paidAt ? (
            <Fact label={<Trans>Paid</Trans>}>
              <DateTime value={refund.paidAt} />
            </Fact>
          ) : null}
        </Facts>
      </div>
    </li>
  )
}

function RefundSteps({ refund }: { refund: Refund }) {
  const { t } = useLingui()
  const n = refund.confirmations
  const names = {
    owed: t`Owed`,
    claimed: t`Address named`,
    prepared: t`Prepared to be signed`,
    sent: refund.state === 'sent' ? t`Sent, ${n} confirmations` : t`Sent`,
    paid: refund.paidVia === 'operator' ? t`Paid, the seller says` : t`Confirmed on chain`,
  }
  // An operator may send without preparing, so show that step only while a refund is prepared.
  const steps = (['owed', 'claimed', 'prepared', 'sent', 'paid'] as const).filter(
    (step) => step !== 'prepared' || refund.state === 'prepared',
  )
  const at = refundStates.indexOf(refund.state)
  return (
    <ol className="mt-3 flex flex-wrap gap-x-5 gap-y-2 text-sm">
      {steps.map((step) => {
        const done = refundStates.indexOf(step) <= at
        return (
          <li
            key={step}
            aria-current={step === refund.state ? 'step' : undefined}
            className={cx('flex items-center gap-1.5', done ? 'font-medium' : 'text-faint')}
          >
            <span
              aria-hidden="true"
              className={cx(
                'grid size-4 shrink-0 place-items-center rounded-full border',
                done ? 'border-ink bg-ink text-paper' : 'border-line-strong',
              )}
            >
              {done ? <Check className="size-2.5" strokeWidth={3} /> : null}
            </span>
            {names[step]}
          </li>
        )
      })}
    </ol>
  )
}

/** After an approval was reversed. Operators may have found that nothing was paid. */
export function WhatIsOwed({ token, watched }: { token: string; watched: boolean }) {
  const refunds = useRefunds(token).data
  if (refunds?.some(({ state }) => state === 'owed'))
    return <Trans>Your payment for it is owed back to you: say below where to send it.</Trans>
  if (refunds?.length) return <Trans>Below is the address that your refund goes to.</Trans>
  if (watched) return <Trans>The amount that the chain confirmed is owed back to you.</Trans>
  if (!refunds) return null
  return <Trans>No money is owed back for it. If you have paid, write to the seller.</Trans>
}
