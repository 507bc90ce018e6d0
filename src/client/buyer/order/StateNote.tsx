import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import type { OrderDetail } from '../../../shared/order-states.ts'
import { useNow } from '../../ui/clock.ts'
import { DateTime } from '../../ui/numbers.tsx'
import { Notice } from '../../ui/states.tsx'
import { settlementRulesQuery } from '../queries.ts'
import { topUpUntil } from './settlement.ts'

interface Note {
  tone: 'now' | 'danger' | 'neutral'
  /** What the state means. */
  means: ReactNode
  /** What the buyer can do. */
  todo: ReactNode
}

/** What the finer state means, and what the buyer can do about it. */
export function StateNote({ order }: { order: BuyerOrder }) {
  const note = useNote(order)
  return (
    <div className="mt-6">
      <Notice tone={note.tone}>
        <p className="font-semibold">{note.means}</p>
        <p className="mt-0.5 text-soft">{note.todo}</p>
      </Notice>
    </div>
  )
}

function useNote(order: BuyerOrder): Note {
  const { t } = useLingui()
  const rules = useQuery(settlementRulesQuery).data
  const now = useNow(1_000)
  const lastOfRefund = order.events.findLast(
    ({ kind }) => kind === 'refund_owed' || kind === 'refund_claimed',
  )
  const whereTo =
    lastOfRefund?.kind === 'refund_claimed'
      ? t`You have said where to send it. This page shows when it is on its way.`
      : null
  const nothing = t`You need not do anything. This page follows by itself.`
  const { watched } = order
  if (order.withdrawnByOperator)
    return {
      tone: 'neutral',
      means: t`The operator has withdrawn this order.`,
      todo: t`Do not send anything to its address.`,
    }
  const hasTimeLeft = now < Date.parse(order.expiresAt)
  const until = rules ? topUpUntil(order, rules) : null
  const notes: Record<OrderDetail, () => Note> = {
    awaiting_payment: () =>
      watched
        ? {
            tone: 'now',
            means: t`Nothing has been seen yet. The network itself confirms this order: nobody has to click.`,
            todo: t`Send the payment. It shows here within seconds of reaching the network.`,
          }
        : {
            tone: 'now',
            means: t`An operator confirms by hand: nobody sees the payment by itself.`,
            todo: t`Send the payment, then enter its transaction id below.`,
          },
    seen: () => ({
      tone: 'now',
      means: t`The network knows your payment, but no block holds it yet.`,
      todo: t`You need not do anything. A payment that you replace counts from when the replacement was seen.`,
    }),
    confirming: () => ({
      tone: 'now',
      means: t`Your payment is in a block. The tokens are credited as soon as enough blocks stand above it.`,
      todo: nothing,
    }),
    credited: () => ({
      tone: 'neutral',
      means: t`The chain has confirmed the payment, and the tokens are yours.`,
      todo: t`Nothing is left to do. The receipt is below.`,
    }),
    expired: () =>
      watched
        ? {
            tone: 'neutral',
            means: t`Nothing was seen in time, and the tokens are no longer held.`,
            todo: t`If you have paid, wait: the address stays watched and the payment is not lost. If not, make a new order and send nothing to this one.`,
          }
        : {
            tone: 'neutral',
            means: t`The time to pay is over, and the tokens are no longer held.`,
            todo: t`If you have paid, enter the transaction id below: an operator looks at it. If not, make a new order and send nothing to this one.`,
          },
    cancelled: () => ({
      tone: 'neutral',
      means: t`You cancelled this order.`,
      todo: watched
        ? t`Do not send anything to its address. What arrives there still is owed back to you.`
        : t`Do not send anything to its address.`,
    }),
    underpaid: () =>
      hasTimeLeft
        ? {
            tone: 'danger',
            means: t`Less than the amount has been seen.`,
            todo: t`Send the rest to the same address while there is time. After that, what has arrived buys tokens in proportion if it reaches the smallest order.`,
          }
        : {
            tone: 'danger',
            means: t`Less has arrived than the smallest order costs.`,
            todo: until ? (
              <Trans>
                Send the rest to the same address until <DateTime value={until} />. After that, what has
                arrived is owed back to you.
              </Trans>
            ) : (
              t`Send the rest to the same address, or wait: what has arrived is owed back to you after that.`
            ),
          },
    overpaid: () => ({
      tone: 'now',
      means: t`The tokens are yours. More arrived than this order may take, and the rest is owed back to you.`,
      todo: whereTo ?? t`See below what is owed, and say where to send it.`,
    }),
    late: () => ({
      tone: 'now',
      means: t`The payment came too late for the rate of this order.`,
      todo: t`Choose below: tokens at today's rate, or your money back.`,
    }),
    under_review: () => ({
      tone: 'danger',
      means:
        order.status === 'approved'
          ? t`The chain took back a payment behind this order. An operator looks at it.`
          : t`The chain took back a payment that had been seen. An operator looks at it.`,
      todo: t`Do not pay a second time. If your wallet sends the payment again, it is seen here.`,
    }),
    refund_due: () => ({
      tone: 'danger',
      means: t`What you paid does not become tokens: it is owed back to you.`,
      todo: whereTo ?? t`See below how much it is, and say where to send it.`,
    }),
    refunded: () => ({
      tone: 'neutral',
      means: t`What you paid has been sent back to you, and the chain has confirmed it.`,
      todo: t`This order is closed. Send nothing more to its address.`,
    }),
    approved_by_operator: () => ({
      tone: 'neutral',
      means: t`An operator confirmed the payment by hand, and the tokens are yours.`,
      todo: t`Nothing is left to do. The receipt is below.`,
    }),
    rejected_by_operator: () => ({
      tone: 'danger',
      means: t`An operator rejected this order.`,
      todo: watched
        ? t`What arrives at its address is owed back to you. Send nothing more.`
        : t`Send nothing more to its address. If you have paid, write to the seller with the transaction id.`,
    }),
    reversed: () => ({
      tone: 'danger',
      means: t`This order had been approved; it was taken back, and its tokens with it.`,
      todo: t`The reason stands below. What the chain confirmed as paid is owed back to you.`,
    }),
  }
  const note = notes[order.detail]()
  if (order.detail === 'reversed' && !watched)
    return { ...note, todo: t`The reason stands below. Write to the seller about what you have paid.` }
  return note
}
