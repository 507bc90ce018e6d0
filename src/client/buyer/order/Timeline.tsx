import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { TransactionLink } from './TransactionLink.tsx'

interface Step {
  key: string
  label: ReactNode
  at: string | null
  note?: ReactNode
  state: 'done' | 'now' | 'later' | 'bad'
}

/** The road of an order: created, seen, confirmed n of m, approved, and everything else, as it happened. */
export function Timeline({ order }: { order: BuyerOrder }) {
  const steps = useSteps(order)
  return (
    <ol className="relative">
      {steps.map((step, index) => (
        <li
          key={step.key}
          aria-current={step.state === 'now' ? 'step' : undefined}
          className="relative flex gap-4 pb-6 last:pb-0"
        >
          {index < steps.length - 1 ? (
            <span
              aria-hidden="true"
              className={cx(
                'absolute top-6 bottom-0 left-[11px] w-0.5',
                step.state === 'done' ? 'bg-ink' : 'bg-line',
              )}
            />
          ) : null}
          <span
            aria-hidden="true"
            className={cx(
              'mt-0.5 grid size-6 shrink-0 place-items-center rounded-full border-2',
              step.state === 'done' && 'border-ink bg-ink text-paper',
              step.state === 'now' && 'border-ink bg-now',
              step.state === 'later' && 'border-line-strong',
              step.state === 'bad' && 'border-danger bg-danger-soft text-danger',
            )}
          >
            {step.state === 'done' ? (
              <Check className="size-3.5" strokeWidth={3} />
            ) : step.state === 'bad' ? (
              '!'
            ) : null}
          </span>
          <div className="min-w-0">
            <p className={step.state === 'later' ? 'text-faint' : 'font-medium'}>{step.label}</p>
            {step.at ? (
              <p className="text-sm text-soft">
                <DateTime value={step.at} />
              </p>
            ) : null}
            {step.note ? <div className="text-sm text-soft wrap-anywhere">{step.note}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  )
}

function useSteps(order: BuyerOrder): Step[] {
  const { t } = useLingui()
  const steps: Step[] = [{ key: 'created', label: t`Order created`, at: order.createdAt, state: 'done' }]
  const decided = order.status !== 'pending'
  const happened: { at: string; steps: Step[] }[] = []

  for (const payment of order.payments) {
    const { confirmations, confirmationsNeeded } = payment
    const confirmed = Math.min(confirmations, confirmationsNeeded)
    const link = <TransactionLink id={payment.transactionId} url={payment.explorerUrl} />
    const unlisted = t`of an unlisted token`
    const lost = ['replaced', 'orphaned', 'failed'].includes(payment.state)
    const own: Step[] = []
    happened.push({ at: payment.seenAt, steps: own })
    own.push({
      key: `seen-${payment.id}`,
      label: lost ? (
        <Trans>The payment did not stay on the chain</Trans>
      ) : (
        <Trans>
          Payment of{' '}
          <TokenAmount value={payment.amount} unit={payment.currency ?? unlisted} decimalsMax={18} /> seen
        </Trans>
      ),
      at: payment.seenAt,
      note: link,
      state: lost ? 'bad' : 'done',
    })
    if (!lost)
      own.push({
        key: `confirmed-${payment.id}`,
        label: t`Confirmed ${confirmed} of ${confirmationsNeeded}`,
        at: null,
        state: confirmations >= confirmationsNeeded ? 'done' : 'now',
      })
  }
  for (const [index, event] of order.events.entries()) {
    const name = eventNames[event.kind]
    if (!name) continue
    const reason = typeof event.details['reason'] === 'string' ? event.details['reason'] : null
    const step: Step = {
      key: `event-${event.kind}-${index}`,
      label: t(name.label),
      at: event.at,
      note: reason && !isCode(reason) ? <bdi>{reason}</bdi> : null,
      // What an order has come past is no longer going on.
      state: name.state === 'now' && goingOn[order.detail] !== event.kind ? 'done' : name.state,
    }
    happened.push({ at: event.at, steps: [step] })
  }
  happened.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  steps.push(...happened.flatMap((group) => group.steps))

  // What is still awaited stands after everything that has happened.
  if (order.payments.length === 0 && order.watched && !decided && order.detail === 'awaiting_payment')
    steps.push(
      {
        key: 'seen',
        label: t`Payment seen`,
        at: null,
        state: 'now',
        note: t`Waiting for your payment to appear on its network.`,
      },
      { key: 'confirmed', label: t`Confirmed`, at: null, state: 'later' },
    )
  else if (!order.watched && !decided && order.detail === 'awaiting_payment')
    steps.push({
      key: 'operator',
      label: order.transactionId ? t`An operator checks the payment` : t`Payment and its transaction id`,
      at: null,
      state: 'now',
      note: t`This currency is checked by hand.`,
    })

  if (!decided && ['awaiting_payment', 'seen', 'confirming'].includes(order.detail))
    steps.push({ key: 'approved', label: t`Approved`, at: null, state: 'later' })
  return steps
}

/** The system's own words for a reason; a person's are sentences. */
const isCode = (reason: string) => /^[a-z]+(_[a-z]+)*$/.test(reason)

/** The event that each of these states is about. */
const goingOn: Partial<Record<BuyerOrder['detail'], string>> = {
  overpaid: 'refund_owed',
  refund_due: 'refund_owed',
  late: 'late',
  under_review: 'under_review',
}

const eventNames: Record<string, { label: MessageDescriptor; state: Step['state'] }> = {
  approved: { label: msg`Approved`, state: 'done' },
  rejected: { label: msg`Rejected`, state: 'bad' },
  reversed: { label: msg`Taken back by the operator`, state: 'bad' },
  expired: { label: msg`Expired: nothing had been paid in time`, state: 'bad' },
  cancelled: { label: msg`Cancelled by you`, state: 'bad' },
  hidden: { label: msg`Withdrawn by the operator`, state: 'bad' },
  unhidden: { label: msg`Put back by the operator`, state: 'done' },
  transaction_id_entered: { label: msg`You entered the transaction id`, state: 'done' },
  made_by_payment: { label: msg`The payment made this order`, state: 'done' },
  payment_attached: { label: msg`An operator counted a payment for this order`, state: 'done' },
  late_choice: { label: msg`You chose what becomes of the late payment`, state: 'done' },
  refund_claimed: { label: msg`You named the address for the refund`, state: 'done' },
  payment_lost: { label: msg`The payment left the chain again`, state: 'bad' },
  payment_gone: { label: msg`The payment left the chain again`, state: 'bad' },
  settled: { label: msg`Settled with what has arrived`, state: 'done' },
  refund_owed: { label: msg`Money is owed back to you`, state: 'now' },
  refund_paid: { label: msg`The refund was sent`, state: 'done' },
  underpaid: { label: msg`Less than the amount has arrived`, state: 'bad' },
  overpaid: { label: msg`More than the amount has arrived`, state: 'done' },
  late: { label: msg`The payment came late`, state: 'now' },
  under_review: { label: msg`An operator looks at it`, state: 'now' },
  refunded: { label: msg`Refunded`, state: 'done' },
}
