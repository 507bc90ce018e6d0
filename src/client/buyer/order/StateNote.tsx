import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { isValidElement, lazy, Suspense } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import type { OrderDetail } from '../../../shared/order-states.ts'
import { isTooLittle } from '../../../shared/to-send.ts'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'
import type { Note } from '../EscrowNote.tsx'
import { AfterPurchase } from './AfterPurchase.tsx'

// What is said of an escrow has a script of its own because few sales have one.
const EscrowNote = lazy(() => import('../EscrowNote.tsx').then((part) => ({ default: part.EscrowNote })))

// What else these say comes with the parts that orders in those states show anyway.
const RestUntil = lazy(() => import('./RestUntil.tsx').then((part) => ({ default: part.RestUntil })))
const WhatIsOwed = lazy(() => import('./Refunds.tsx').then((part) => ({ default: part.WhatIsOwed })))

/** What the finer state means, and what the buyer can do about it. */
export function StateNote({ order }: { order: BuyerOrder }) {
  const note = noteOf(order)
  return (
    <div className="mt-6">
      {order.escrow && !order.withdrawnByOperator ? (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <EscrowNote detail={order.detail}>{(inEscrow) => <Said {...(inEscrow ?? note)} />}</EscrowNote>
        </Suspense>
      ) : (
        <Said {...note} />
      )}
    </div>
  )
}

function Said({ tone, means, todo }: Note) {
  const { t } = useLingui()
  return (
    <Notice tone={tone}>
      <p className="font-semibold">{t(means)}</p>
      <p className="mt-0.5 text-soft">
        <Suspense>{isValidElement(todo) ? todo : t(todo as MessageDescriptor)}</Suspense>
      </p>
    </Notice>
  )
}

function noteOf(order: BuyerOrder): Note {
  if (order.withdrawnByOperator) return withdrawn(order.watched)
  const means = order.transactionId ? named[order.detail] : undefined
  if (means)
    return {
      tone: 'now',
      means,
      todo: msg`Do not pay a second time. If the transaction id is wrong, correct it below.`,
    }
  const found = notes[order.detail]
  return typeof found === 'function' ? found(circumstancesOf(order)) : found
}

type Circumstances = ReturnType<typeof circumstancesOf>

/** What else than the state decides about the words. */
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
    /** Whether it is looked at because it stands though the sale was missed: its tokens were claimed before. */
    isKept:
      order.events.findLast(({ kind }) => /^(soft_cap_missed|payment_lost)$/.test(kind))?.kind ===
      'soft_cap_missed',
    /** What is said once the buyer has named the address for a refund. */
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

/** What is another thing once the buyer has named the payment to a fixed address: whoever has paid is not told to pay. */
const named: Partial<Record<OrderDetail, MessageDescriptor>> = {
  awaiting_payment: msg`You have named your payment: an operator looks at it.`,
  expired: msg`No operator has confirmed the payment that you named yet.`,
}

const awaitsPayment = (watched: boolean): Note => ({
  tone: 'now',
  means: watched
    ? msg`Nothing has been seen yet. The network itself confirms this order: nobody has to click.`
    : msg`An operator confirms by hand: nobody sees the payment by itself.`,
  todo: watched
    ? msg`Send the payment. It shows here within seconds of reaching the network.`
    : msg`Send the payment, then enter its transaction id below.`,
})

/** Once the buyer has said so. */
const isLookedFor = (watched: boolean): Note => ({
  tone: 'now',
  means: watched
    ? msg`You have sent the payment, and nothing has been seen yet.`
    : msg`An operator confirms by hand: nobody sees the payment by itself.`,
  todo: watched
    ? msg`You need not do anything. It shows here within seconds of reaching the network.`
    : msg`Enter the transaction id of your payment below.`,
})

const wantsTheRest: Note = {
  tone: 'danger',
  means: msg`What has come is too little to buy anything by itself.`,
  todo: msg`Send the rest to the same address in time: then all of it counts.`,
}

const notes: Record<OrderDetail, Note | ((circumstances: Circumstances) => Note)> = {
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
      ? msg`What came is too little to buy anything, or to be sent back.`
      : watched
        ? msg`Nothing was seen in time.`
        : msg`The time to pay is over.`,
    todo: watched
      ? msg`If you have paid, wait: the address stays watched and the payment is not lost. If not, make a new order and send nothing to this one.`
      : msg`If you have paid, enter the transaction id below: an operator looks at it. If not, make a new order and send nothing to this one.`,
  }),
  underpaid: ({ order }) => ({
    tone: 'now',
    means: msg`A part of your order is paid, and what it buys is yours already.`,
    todo: <RestUntil order={order} />,
  }),
  overpaid: ({ addressNamed }) => ({
    tone: 'now',
    means: msg`The tokens are yours. More arrived than this order may take, and the rest is owed back to you.`,
    todo: addressNamed ?? msg`See below what is owed, and say where to send it.`,
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
  refund_due: ({ addressNamed }) => ({
    tone: 'danger',
    means: msg`What you paid does not become tokens: it is owed back to you.`,
    todo: addressNamed ?? msg`See below how much it is, and say where to send it.`,
  }),
  refunded: {
    tone: 'neutral',
    means: msg`What you paid has been sent back to you.`,
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
      ? msg`What arrives at its address is owed back to you. Send nothing more.`
      : msg`Send nothing more to its address. If you have paid, write to the seller with the transaction id.`,
  }),
  reversed: ({ token, watched }) => ({
    tone: 'danger',
    means: msg`This order had been approved; it was taken back, and its tokens with it.`,
    todo: <WhatIsOwed token={token} watched={watched} />,
  }),
}
