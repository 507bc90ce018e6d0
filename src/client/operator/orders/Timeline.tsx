import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OperatorOrderPage } from '../../../shared/api/orders.ts'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { EventName, useActorName } from '../order-events.tsx'
import { useRefundReason, useWhyNot } from '../payment-names.ts'
import { useSymbol } from '../queries.ts'

type Event = OperatorOrderPage['events'][number]

export function Timeline({ order }: { order: OperatorOrderPage }) {
  const actorName = useActorName()
  const events: Event[] = order.events.some(({ kind }) => kind === 'created')
    ? order.events
    : [{ at: order.createdAt, kind: 'created', actor: 'buyer', details: {} }, ...order.events]
  return (
    <ol className="relative flex flex-col gap-4 border-l-2 border-line pl-5">
      {events.map((event, index) => (
        // Events are only appended, so indexes are safe keys.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="relative">
          <span
            aria-hidden="true"
            className="absolute top-1.5 -left-[1.65rem] size-3 rounded-full border-2 border-paper bg-ink"
          />
          <p className="font-medium">
            <EventName kind={event.kind} />
          </p>
          <p className="text-sm text-soft">
            <DateTime value={event.at} /> · {actorName(event.actor)}
          </p>
          <Details details={event.details} order={order} />
        </li>
      ))}
    </ol>
  )
}

interface Detail {
  name: string
  shown: (value: string) => ReactNode
}

function useDetails(order: OperatorOrderPage, currency: string): Record<string, Detail> {
  const { t } = useLingui()
  const symbol = useSymbol()
  const amount = (value: string) => <TokenAmount value={value} unit={currency} decimalsMax={18} />
  const code = (value: string) => <span className="figures wrap-anywhere">{value}</span>
  return {
    reason: { name: t`Note`, shown: useRefundReason() },
    refusal: { name: t`Why not`, shown: useWhyNot() },
    amount: { name: t`Amount`, shown: amount },
    asked: { name: t`Asked for`, shown: amount },
    credited: { name: t`Credited`, shown: amount },
    baseTokens: { name: t`Tokens`, shown: (value) => <TokenAmount value={value} unit={symbol} /> },
    rate: {
      name: t`Rate`,
      shown: (value) => (
        <>
          1 {order.currency} = <TokenAmount value={value} unit={symbol} />
        </>
      ),
    },
    payment: { name: t`Payment`, shown: code },
    address: { name: t`Address`, shown: code },
    transactionId: { name: t`Transaction`, shown: code },
  }
}

function Details({ details, order }: { details: Event['details']; order: OperatorOrderPage }) {
  // A payment can be in another coin than its order.
  const { currency = order.currency, ...facts } = details
  const known = useDetails(order, String(currency))
  const entries = Object.entries(known).flatMap(([key, { name, shown }]) =>
    facts[key] === undefined ? [] : [{ key, name, value: shown(String(facts[key])) }],
  )
  if (entries.length === 0) return null
  return (
    <dl className="mt-0.5 text-sm wrap-anywhere">
      {entries.map(({ key, name, value }) => (
        <div key={key} className="flex flex-wrap gap-x-2">
          <dt className="text-faint">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
