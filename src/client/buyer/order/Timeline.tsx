import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { compare } from '../../../shared/money.ts'
import { isForRest, toSendOf } from '../../../shared/to-send.ts'
import { serverNow } from '../../ui/clock.ts'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { useCampaign } from '../queries.ts'
import { type OrderPayment, progressOf } from './settlement.ts'
import { TransactionLink } from './TransactionLink.tsx'

interface Step {
  key: string
  label: ReactNode
  at: string | null
  note?: ReactNode
  state: 'done' | 'now' | 'later' | 'bad'
}

/** Oldest first, with the expected next steps. */
export function Timeline({ order }: { order: BuyerOrder }) {
  const steps = useSteps(order)
  return (
    <ol className="relative">
      {steps.map(({ key, label, at, note, state }, index) => (
        <li
          key={key}
          aria-current={state === 'now' ? 'step' : undefined}
          className="relative flex gap-4 pb-6 last:pb-0"
        >
          {index < steps.length - 1 ? (
            <span
              aria-hidden="true"
              className={cx(
                'absolute top-6 bottom-0 left-[11px] w-0.5',
                state === 'done' ? 'bg-ink' : 'bg-line',
              )}
            />
          ) : null}
          <Mark state={state} />
          <div className="min-w-0">
            <p className={state === 'later' ? 'text-faint' : 'font-medium'}>{label}</p>
            {at ? (
              <p className="text-sm text-soft">
                <DateTime value={at} />
              </p>
            ) : null}
            {note ? <div className="text-sm text-soft wrap-anywhere">{note}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  )
}

const marks: Record<Step['state'], { look: string; sign: ReactNode }> = {
  done: { look: 'border-ink bg-ink text-paper', sign: <Check className="size-3.5" strokeWidth={3} /> },
  now: { look: 'border-ink bg-now', sign: null },
  later: { look: 'border-line-strong', sign: null },
  bad: { look: 'border-danger bg-danger-soft text-danger', sign: '!' },
}

function Mark({ state }: Pick<Step, 'state'>) {
  const { look, sign } = marks[state]
  return (
    <span
      aria-hidden="true"
      className={cx('mt-0.5 grid size-6 shrink-0 place-items-center rounded-full border-2', look)}
    >
      {sign}
    </span>
  )
}

function useSteps(order: BuyerOrder): Step[] {
  const { t } = useLingui()
  const stepsOfPayment = usePaymentSteps()
  const stepOfEvent = useEventStep(order)
  const awaited = useAwaitedSteps(order)
  const happened = [
    ...order.payments.map((payment) => ({ at: payment.seenAt, steps: stepsOfPayment(payment) })),
    ...order.events.map((event, index) => ({ at: event.at, steps: stepOfEvent(event, index) })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return [
    { key: 'created', label: t`Order created`, at: order.createdAt, state: 'done' },
    ...happened.flatMap(({ steps }) => steps),
    ...awaited,
  ]
}

function usePaymentSteps(): (payment: OrderPayment) => Step[] {
  const { t } = useLingui()
  return (payment) => {
    const { id, amount, currency, seenAt } = payment
    const { confirmed, confirmationsNeeded, isConfirmed } = progressOf(payment)
    const isLost = ['replaced', 'orphaned', 'failed'].includes(payment.state)
    const unit = currency ?? t`of an unlisted token`
    const seen: Step = {
      key: `seen-${id}`,
      label: isLost ? (
        <Trans>The payment did not stay on the chain</Trans>
      ) : (
        <Trans>
          Payment of{' '}
          <TokenAmount value={amount} unit={unit} decimalsMax={18} className="whitespace-normal!" /> seen
        </Trans>
      ),
      at: seenAt,
      note: <TransactionLink id={payment.transactionId} url={payment.explorerUrl} />,
      state: isLost ? 'bad' : 'done',
    }
    if (isLost) return [seen]
    const label = t`Confirmed ${confirmed} of ${confirmationsNeeded}`
    return [seen, { key: `confirmed-${id}`, label, at: null, state: isConfirmed ? 'done' : 'now' }]
  }
}

/** No step for an event that buyers don't see. */
function useEventStep(order: BuyerOrder): (event: BuyerOrder['events'][number], index: number) => Step[] {
  const { t } = useLingui()
  const symbol = useCampaign().data?.settings.symbol
  return ({ kind, at, actor, details }, index) => {
    const name = eventNames[kind]
    if (!name) return []
    const { reason, baseTokens } = details
    const step: Step = {
      key: `event-${kind}-${index}`,
      label: kind === 'reversed' && actor === 'buyer' ? t`You took it back` : t(name.label),
      at,
      // The system's reasons are codes, which the page translates.
      note:
        kind === 'settled' && typeof baseTokens === 'string' ? (
          <BoughtThen tokens={baseTokens} asked={order.askedTokens} symbol={symbol} />
        ) : typeof reason === 'string' && actor === 'operator' ? (
          <bdi>{reason}</bdi>
        ) : null,
      // A debt that is settled is no longer in progress.
      state: name.state === 'now' && !owing.includes(order.detail) ? 'done' : name.state,
    }
    return [step]
  }
}

function BoughtThen({
  tokens,
  asked,
  symbol,
}: {
  tokens: string
  asked: string
  symbol: string | undefined
}) {
  const isAll = compare(tokens, asked) >= 0
  const bought = <TokenAmount value={tokens} unit={isAll ? symbol : undefined} />
  const whole = <TokenAmount value={asked} unit={symbol} />
  return isAll ? (
    bought
  ) : (
    <Trans>
      {bought} of {whole}
    </Trans>
  )
}

function useAwaitedSteps(order: BuyerOrder): Step[] {
  const { t } = useLingui()
  const rest = isForRest(order) ? toSendOf(order, serverNow()) : null
  if (rest)
    return [
      {
        key: 'rest',
        label: (
          <Trans>
            Waiting for the rest: <TokenAmount value={rest} unit={order.currency} decimalsMax={18} />
          </Trans>
        ),
        at: null,
        state: 'now',
        note: (
          <Trans>
            until <DateTime value={order.expiresAt} />
          </Trans>
        ),
      },
    ]
  if (order.status !== 'pending' || order.withdrawnByOperator) return []
  const steps: Step[] = []
  if (order.detail === 'expired')
    steps.push({
      key: 'expired',
      label: t`Expired: no payment had been seen or confirmed in time`,
      at: order.expiresAt,
      state: 'bad',
    })
  if (order.detail === 'awaiting_payment' && !order.watched)
    steps.push({
      key: 'operator',
      label: order.transactionId ? t`An operator checks the payment` : t`Payment and its transaction id`,
      at: null,
      state: 'now',
      note: t`This currency is checked by hand.`,
    })
  else if (order.detail === 'awaiting_payment' && order.payments.length === 0)
    steps.push(
      {
        key: 'seen',
        label: t`Waiting for the payment`,
        at: null,
        state: 'now',
        note: order.escrow
          ? t`No block holds it yet, as far as this page knows.`
          : t`It has not appeared on its network yet.`,
      },
      { key: 'confirmed', label: t`Confirmation`, at: null, state: 'later' },
    )
  if (['awaiting_payment', 'seen', 'confirming'].includes(order.detail))
    steps.push({ key: 'approved', label: t`Approval`, at: null, state: 'later' })
  return steps
}

const owing: readonly BuyerOrder['detail'][] = ['overpaid', 'refund_due']

const eventNames: Record<string, { label: MessageDescriptor; state: Step['state'] }> = {
  approved: { label: msg`Approved`, state: 'done' },
  rejected: { label: msg`Rejected`, state: 'bad' },
  reversed: { label: msg`The approval was taken back`, state: 'bad' },
  hidden: { label: msg`Withdrawn by the operator`, state: 'bad' },
  unhidden: { label: msg`Put back by the operator`, state: 'done' },
  transaction_id_entered: { label: msg`You entered the transaction id`, state: 'done' },
  payment_attached: { label: msg`An operator counted a payment for this order`, state: 'done' },
  refund_claimed: { label: msg`You named the address for the refund`, state: 'done' },
  payment_lost: { label: msg`The payment left the chain again`, state: 'bad' },
  settled: { label: msg`Bought with the payments so far`, state: 'done' },
  refund_owed: { label: msg`Money is owed back to you`, state: 'now' },
  refund_paid: { label: msg`The refund was sent`, state: 'done' },
}
