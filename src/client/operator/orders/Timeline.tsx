import { useLingui } from '@lingui/react/macro'
import type { OperatorOrderPage } from '../../../shared/api/orders.ts'
import { DateTime, formatAmount } from '../../ui/numbers.tsx'
import { EventName, useActorName } from '../order-events.tsx'
import { useRefundReason } from '../payment-names.ts'

type Event = OperatorOrderPage['events'][number]

/** Everything that happened to the order, oldest first, each with who did it. */
export function Timeline({ order }: { order: OperatorOrderPage }) {
  const actorName = useActorName()
  const events: Event[] = order.events.some(({ kind }) => kind === 'created')
    ? order.events
    : [{ at: order.createdAt, kind: 'created', actor: 'buyer', details: {} }, ...order.events]
  return (
    <ol className="relative flex flex-col gap-4 border-l-2 border-line pl-5">
      {events.map((event, index) => (
        // Events are only ever added at the end.
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
          <Details details={event.details} />
        </li>
      ))}
    </ol>
  )
}

function Details({ details }: { details: Event['details'] }) {
  const { t, i18n } = useLingui()
  const refundReason = useRefundReason()
  const names: Record<string, string> = {
    reason: t`Note`,
    refusal: t`Why not`,
    amount: t`Amount`,
    currency: t`Currency`,
    transactionId: t`Transaction`,
    paid: t`Paid`,
    confirmed: t`Confirmed`,
    credited: t`Credited`,
    asked: t`Asked for`,
    baseTokens: t`Tokens`,
    rate: t`Rate`,
    choice: t`Choice`,
    payment: t`Payment`,
    address: t`Address`,
  }
  const shown = (value: unknown) => {
    if (typeof value !== 'string') return JSON.stringify(value)
    return /^\d+\.?\d*$/.test(value) ? formatAmount(value, i18n.locale, 18) : refundReason(value)
  }
  const entries = Object.entries(details)
  if (entries.length === 0) return null
  return (
    <dl className="mt-0.5 text-sm wrap-anywhere">
      {entries.map(([key, value]) => (
        <div key={key} className="flex flex-wrap gap-x-2">
          <dt className="text-faint">{names[key] ?? key}</dt>
          <dd className="min-w-0">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
