import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { orderRoutes } from '../../../shared/api/orders.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import { sum } from '../../../shared/money.ts'
import { type OrderDetail, toldDetail } from '../../../shared/order-states.ts'
import { usePolling } from '../../area/live-stream.ts'
import { Band } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { paths } from '../../paths.ts'
import { clockFace, useCountdown } from '../../ui/clock.ts'
import { DateTime, Money, TokenAmount } from '../../ui/numbers.tsx'
import { OrderStateBadge } from '../OrderStateBadge.tsx'
import { untilOrdersChange, useRefunds } from '../queries.ts'

type OwnOrder = ReplyOf<typeof orderRoutes.open>['items'][number]

const owing = new Set<OrderDetail>(['refund_due', 'overpaid', 'reversed'])

export function OpenOrders() {
  const polling = usePolling()
  const open =
    useQuery({
      ...readItems(orderRoutes.open),
      refetchInterval: ({ state: { data } }) => untilOrdersChange(data?.items, polling),
    }).data ?? []
  if (open.length === 0) return null
  return (
    <Band title={<Trans>Your open orders</Trans>} className="border-t-0! pt-0!">
      <ul className="divide-y divide-line border-y border-line xl:grid xl:grid-cols-[auto_auto_auto_1fr] xl:gap-x-6">
        {open.map((order) => (
          <OpenOrder key={order.token} order={order} />
        ))}
      </ul>
    </Band>
  )
}

function OpenOrder({ order }: { order: OwnOrder }) {
  const n = order.number
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 py-3 xl:col-span-4 xl:grid xl:grid-cols-subgrid">
      <Link to={paths.order(order.token)} className="font-semibold underline underline-offset-4">
        <Trans>Order #{n}</Trans>
      </Link>
      <span>
        <TokenAmount value={order.cryptoAmount} unit={order.currency} decimalsMax={18} />
        <span className="text-soft">
          {' · '}
          <Money value={order.usd} />
        </span>
      </span>
      <span>
        <OrderStateBadge order={order} />
      </span>
      <span className="min-w-0 flex-1 basis-full text-sm text-soft sm:basis-60">
        {owing.has(order.detail) ? <Owed order={order} /> : <WhatToDo order={order} />}
      </span>
    </li>
  )
}

function WhatToDo({ order }: { order: OwnOrder }): ReactNode {
  const { t } = useLingui()
  switch (toldDetail(order)) {
    case 'named':
      return t`An operator checks the payment.`
    case 'awaiting_payment':
      if (!order.sentAt) return <PayWithin until={order.expiresAt} />
      if (order.watched) return t`This page looks for your payment.`
      return t`Enter the transaction id on the order’s page.`
    case 'underpaid':
      return <PartBought order={order} />
    case 'expired':
      if (order.transactionId) return t`An operator checks the payment.`
      return t`No payment was seen in time. If you have paid, open the order; if not, make a new one.`
    case 'under_review':
      return t`Something is left to settle: open the order.`
    default:
      return t`You need not do anything.`
  }
}

function PayWithin({ until }: { until: string }) {
  const left = useCountdown(until)
  if (left.over) return <Trans>The time to pay is over.</Trans>
  const days = left.days > 0 ? `${left.days}d ` : ''
  const clock = `${days}${clockFace(left)}`
  return (
    <Trans>
      Send the payment: <span className="figures text-ink">{clock}</span> left
    </Trans>
  )
}

function PartBought({ order }: { order: OwnOrder }) {
  const left = useCountdown(order.expiresAt)
  const bought = <TokenAmount value={order.baseTokens} />
  const asked = <TokenAmount value={order.askedTokens} />
  if (left.over)
    return (
      <Trans>
        {bought} of {asked} tokens bought.
      </Trans>
    )
  const clock = <span className="figures text-ink">{clockFace(left)}</span>
  return (
    <Trans>
      {bought} of {asked} tokens bought. The order’s page says how much is missing. You can pay the rest for
      another {clock}.
    </Trans>
  )
}

function Owed({ order }: { order: OwnOrder }) {
  const { t } = useLingui()
  const refunds = useRefunds(order.token).data?.filter(({ state }) => state !== 'paid') ?? []
  const [first] = refunds
  if (!first) return t`See its result on the order's page.`
  return (
    <>
      <Trans>
        <Money value={sum(refunds.map(({ usd }) => usd))} /> owed back to you, since{' '}
        <DateTime value={first.owedAt} />.
      </Trans>{' '}
      {refunds.every(({ state }) => state === 'sent')
        ? t`It was sent, and is being confirmed.`
        : refunds.every(({ address }) => address)
          ? t`You have said where to send it.`
          : t`Say where to send it.`}
    </>
  )
}
