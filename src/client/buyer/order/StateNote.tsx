import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { isValidElement, lazy, Suspense } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import type { OrderDetail } from '../../../shared/order-states.ts'
import { isTooLittle } from '../../../shared/to-send.ts'
import { formatDuration } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'
import type { Note } from '../EscrowNote.tsx'
import { useCampaign } from '../queries.ts'
import { AfterPurchase } from './AfterPurchase.tsx'

const EscrowNote = lazy(() => import('../EscrowNote.tsx').then((part) => ({ default: part.EscrowNote })))

// These texts share a script with parts that such orders show anyway.
const RestUntil = lazy(() => import('./RestUntil.tsx').then((part) => ({ default: part.RestUntil })))
const WhatIsOwed = lazy(() => import('./Refunds.tsx').then((part) => ({ default: part.WhatIsOwed })))

export function StateNote({ order }: { order: BuyerOrder }) {
  const note = noteOf(order)
  const reason = reasonOf(order)
  return (
    <div className="mt-6">
      {order.escrow && !order.withdrawnByOperator ? (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <EscrowNote detail={order.detail}>
            {(inEscrow) => <Said {...(inEscrow ?? note)} reason={reason} />}
          </EscrowNote>
        </Suspense>
      ) : (
        <Said {...note} reason={reason} />
      )}
    </div>
  )
}

/** True if the buyer took the order back. */
export const isTakenBack = ({ status, events }: BuyerOrder) =>
  status === 'rejected' && events.findLast(({ kind }) => kind === 'reversed')?.actor === 'buyer'

const reasonOf = ({ status, withdrawnByOperator, events }: BuyerOrder): string | undefined => {
  if (status !== 'rejected' && !withdrawnByOperator) return undefined
  const last = events.findLast(({ kind }) => /^(rejected|reversed|hidden)$/.test(kind))
  const reason = last?.actor === 'operator' ? last.details.reason : undefined
  return typeof reason === 'string' ? reason : undefined
}

function Said({ tone, means, todo, byHand, reason }: OrderNote & { reason: string | undefined }) {
  const { t } = useLingui()
  return (
    <Notice tone={tone}>
      <p className="font-semibold">{t(means)}</p>
      {reason ? (
        <p className="mt-0.5 wrap-anywhere">
          <Trans>
            Reason: <bdi>{reason}</bdi>
          </Trans>
        </p>
      ) : null}
      <p className="mt-0.5 text-soft">
        <Suspense>{isValidElement(todo) ? todo : t(todo as MessageDescriptor)}</Suspense>
        {byHand ? <OnceFound /> : null}
      </p>
    </Notice>
  )
}

function OnceFound() {
  const { i18n } = useLingui()
  const minutes = useCampaign().data?.approvalMinutes
  return (
    <>
      {' '}
      <Trans>Once the payment is found, this page says “approved”, and you get a mail.</Trans>{' '}
      {minutes == null ? null : (
        <Trans>That usually takes up to {formatDuration(minutes, i18n.locale)}.</Trans>
      )}
    </>
  )
}

/** `byHand`: an operator has to find the payment. */
type OrderNote = Note & { byHand?: boolean }

function noteOf(order: BuyerOrder): OrderNote {
  if (order.withdrawnByOperator) return withdrawn(order.watched)
  const means = order.transactionId ? named[order.detail] : undefined
  if (means)
    return {
      tone: 'now',
      means,
      todo: msg`Do not pay a second time. If the transaction id is wrong, correct it below.`,
      byHand: order.detail === 'awaiting_payment',
    }
  const found = notes[order.detail]
  return typeof found === 'function' ? found(circumstancesOf(order)) : found
}

type Circumstances = ReturnType<typeof circumstancesOf>

/** Facts other than the state that change the texts. */
function circumstancesOf(order: BuyerOrder) {
  const lastOfRefund = order.events.findLast(
    ({ kind }) => kind === 'refund_owed' || kind === 'refund_claimed',
  )
  return {
    order,
    token: order.token,
    watched: order.watched,
    isSent: order.sentAt !== null,
    hasTooLittle: order.payments.some(isTooLittle),
    status: order.status,
    /** True if the order is under review because its tokens had been claimed before the missed soft cap. */
    isKept:
      order.events.findLast(({ kind }) => /^(soft_cap_missed|payment_lost)$/.test(kind))?.kind ===
      'soft_cap_missed',
    addressNamed:
      lastOfRefund?.kind === 'refund_claimed'
        ? msg`You have said where to send it. How far it has got is shown below.`
        : null,
  }
}

const withdrawn = (watched: boolean): Note => ({
  tone: 'neutral',
  means: msg`The operator has withdrawn this order.`,
  todo: watched
    ? msg`Do not send anything to its address.`
    : msg`Send nothing more to its address. If you have paid, write to the seller with the transaction id.`,
})

/**
 * Other texts after the buyer submitted the transaction to a fixed address, so that nobody is asked to pay
 * twice.
 */
const named: Partial<Record<OrderDetail, MessageDescriptor>> = {
  awaiting_payment: msg`An operator checks your payment by hand.`,
  expired: msg`No operator has confirmed the payment that you named yet.`,
}

const awaitsPayment = (watched: boolean): Note => ({
  tone: 'now',
  means: watched
    ? msg`No payment has arrived yet. Your payment is confirmed automatically.`
    : msg`A person checks this payment: the site does not see it.`,
  todo: watched
    ? msg`Send the payment. It appears here seconds after it reaches the network.`
    : msg`Send the payment, then enter its transaction id below.`,
})

/** The text once the buyer reported the payment as sent. */
const isLookedFor = (watched: boolean): OrderNote => ({
  tone: 'now',
  byHand: !watched,
  means: watched
    ? msg`You have sent the payment, and nothing has been seen yet.`
    : msg`A person checks this payment, and finds it by its transaction id.`,
  todo: watched
    ? msg`You need not do anything. This page says “payment seen” seconds after it reaches the network, and “approved” once it is confirmed.`
    : msg`Copy the id from your wallet and save it below.`,
})

const wantsTheRest: Note = {
  tone: 'danger',
  means: msg`Your payment is too small to buy anything by itself.`,
  todo: msg`Send the rest to the same address in time: then all of it counts.`,
}

const notes: Record<OrderDetail, OrderNote | ((circumstances: Circumstances) => OrderNote)> = {
  awaiting_payment: ({ watched, isSent, hasTooLittle }) =>
    hasTooLittle ? wantsTheRest : (isSent ? isLookedFor : awaitsPayment)(watched),
  seen: {
    tone: 'now',
    means: msg`The network knows your payment, but no block holds it yet.`,
    todo: msg`You need not do anything. A payment that you replace counts from when the replacement was seen.`,
  },
  confirming: {
    tone: 'now',
    means: msg`Your payment is in a block. The tokens are credited as soon as enough blocks stand above it.`,
    todo: msg`You need not do anything. This page follows by itself.`,
  },
  credited: {
    tone: 'neutral',
    means: msg`The chain has confirmed the payment, and the tokens are yours.`,
    todo: <AfterPurchase />,
  },
  expired: ({ watched, hasTooLittle }) => ({
    tone: 'neutral',
    means: hasTooLittle
      ? msg`Your payment is too small to buy anything, or to be sent back.`
      : watched
        ? msg`No payment was seen in time.`
        : msg`The time to pay is over.`,
    todo: watched
      ? msg`If you have paid, wait: the address stays watched and the payment is not lost. If not, make a new order and send nothing to this one.`
      : msg`If you have paid, enter the transaction id below: an operator looks at it. If not, make a new order and send nothing to this one.`,
  }),
  underpaid: ({ order }) => ({
    tone: 'now',
    means: msg`A part of your order is paid, and its tokens are yours already.`,
    todo: <RestUntil order={order} />,
  }),
  overpaid: ({ addressNamed }) => ({
    tone: 'now',
    means: msg`The tokens are yours. More arrived than this order may take, and the rest is owed back to you.`,
    todo: addressNamed ?? msg`See the debt below, and say where to send it.`,
  }),
  under_review: ({ status, isKept }) =>
    isKept
      ? {
          tone: 'neutral',
          means: msg`The sale ended below its soft cap, and the tokens of this order were claimed before: they are yours.`,
          todo: msg`You need not do anything. An operator looks at it.`,
        }
      : {
          tone: 'danger',
          means:
            status === 'approved'
              ? msg`The chain took back a payment behind this order. An operator looks at it.`
              : msg`The chain took back a payment that had been seen. An operator looks at it.`,
          todo: msg`Do not pay a second time. If your wallet sends the payment again, it is seen here.`,
        },
  refund_due: ({ order, addressNamed }) => ({
    tone: 'danger',
    means: isTakenBack(order)
      ? msg`You took this order back, and what you paid is owed to you.`
      : msg`Your payment does not become tokens: it is owed back to you.`,
    todo: addressNamed ?? msg`See below how much it is, and say where to send it.`,
  }),
  refunded: {
    tone: 'neutral',
    means: msg`Your payment has been sent back to you.`,
    todo: msg`This order is closed. Send nothing more to its address.`,
  },
  approved_by_operator: {
    tone: 'neutral',
    means: msg`An operator confirmed the payment by hand, and the tokens are yours.`,
    todo: <AfterPurchase />,
  },
  rejected_by_operator: ({ watched }) => ({
    tone: 'danger',
    means: msg`An operator rejected this order.`,
    todo: watched
      ? msg`Any payment that still arrives at its address is owed back to you. Send no more.`
      : msg`Send nothing more to its address. If you have paid, write to the seller with the transaction id.`,
  }),
  reversed: ({ token, watched }) => ({
    tone: 'danger',
    means: msg`This order had been approved; it was taken back, and its tokens with it.`,
    todo: <WhatIsOwed token={token} watched={watched} />,
  }),
}
