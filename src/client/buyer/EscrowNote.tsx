import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReactElement, ReactNode } from 'react'
import type { OrderDetail } from '../../shared/order-states.ts'

export interface Note {
  tone: 'now' | 'danger' | 'neutral'
  means: MessageDescriptor
  todo: MessageDescriptor | ReactElement
}

export function EscrowNote({
  detail,
  children,
}: {
  detail: OrderDetail
  children: (note: Note | undefined) => ReactNode
}) {
  return children(escrowed[detail])
}

/** In an escrow the buyer names no address, and only the contract returns the money. */
const escrowed: Partial<Record<OrderDetail, Note>> = {
  awaiting_payment: {
    tone: 'now',
    means: msg`No payment has arrived yet. Your payment is confirmed automatically.`,
    todo: msg`Pay with your wallet. The payment shows here within seconds of reaching a block.`,
  },
  expired: {
    tone: 'neutral',
    means: msg`No payment came in time.`,
    todo: msg`The escrow takes no payment for it any more. A payment that it took before is seen here. If you have paid nothing, make a new order.`,
  },
  credited: {
    tone: 'neutral',
    means: msg`The chain has confirmed the payment: it went into the escrow against your tokens.`,
    todo: msg`Once the round is delivered, claim them; if it is not delivered in time, the money is yours again. Below stands what the escrow says.`,
  },
  refund_due: {
    tone: 'danger',
    means: msg`Your payment does not become tokens: the escrow holds it for you.`,
    todo: msg`The seller has to cancel the order in the escrow; then, or once its deadline has passed, anybody can have the money sent to the account that paid. Below stands what the escrow says.`,
  },
  refunded: {
    tone: 'neutral',
    means: msg`The escrow has taken this order out: the whole payment is yours again.`,
    todo: msg`It goes to the account that paid, as soon as anybody has it sent. Below stands what the escrow says.`,
  },
  rejected_by_operator: {
    tone: 'danger',
    means: msg`An operator rejected this order.`,
    todo: msg`Do not pay it. Money in the escrow goes back to the account that paid. The escrow’s answer is below.`,
  },
}
