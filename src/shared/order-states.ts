/** `status` is the API contract's state, `detail` the detailed one. */
export const orderStatuses = ['pending', 'approved', 'rejected'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const orderDetails = [
  'awaiting_payment',
  'seen',
  'confirming',
  'credited',
  'expired',
  'underpaid',
  'overpaid',
  'under_review',
  'refund_due',
  'refunded',
  'approved_by_operator',
  'rejected_by_operator',
  'reversed',
] as const
export type OrderDetail = (typeof orderDetails)[number]

export type ToldDetail = OrderDetail | 'named'

/** A submitted transaction is no longer awaited but must be checked. */
export const toldDetail = (order: {
  readonly detail: OrderDetail
  readonly transactionId: string | null
}): ToldDetail => (order.detail === 'awaiting_payment' && order.transactionId ? 'named' : order.detail)

type ToldFacts = Parameters<typeof toldDetail>[0] & Pick<OrderFacts, 'status'>

const saysMoreThanPending: readonly OrderDetail[] = ['expired', 'refund_due', 'refunded']

/** `pending` would suggest an open decision. An expired order with a submitted transaction has one. */
export const isToldAlone = ({ status, detail, transactionId }: ToldFacts) =>
  status === 'pending' && saysMoreThanPending.includes(detail) && !(detail === 'expired' && transactionId)

/** Tabs of the queue besides statuses. */
export const orderViews = ['waiting', 'with_transaction_id', 'seen', 'odd'] as const
export type OrderView = (typeof orderViews)[number]

export const orderActions = ['approve', 'reject', 'hide', 'enter_transaction_id', 'claim_refund'] as const
export type OrderAction = (typeof orderActions)[number]

/** States in which nobody has anything left to do. */
export const overDetails: readonly OrderDetail[] = [
  'refunded',
  'rejected_by_operator',
  'credited',
  'approved_by_operator',
]

interface OrderFacts {
  readonly status: OrderStatus
  readonly detail: OrderDetail
  readonly hidden: boolean
  readonly watched: boolean
}

const unpaid: readonly OrderDetail[] = ['awaiting_payment', 'expired']

/**
 * Buttons and server use this table; SQL has the same in functions/orders/order_allows.sql, and
 * src/server/orders/order-states.test.ts compares them in every state.
 */
const allowed: Record<OrderAction, (order: OrderFacts) => boolean> = {
  approve: (order) => order.status === 'pending' && !order.watched,
  // Money that came late to a fixed address can be reported once (`is_reported`).
  reject: (order) => order.status !== 'rejected' || !order.watched,
  hide: (order) =>
    !order.hidden &&
    ((order.status === 'rejected' && order.detail !== 'refund_due') ||
      (order.status === 'pending' && (unpaid.includes(order.detail) || order.detail === 'refunded'))),
  enter_transaction_id: (order) =>
    order.status === 'pending' && !order.hidden && !order.watched && unpaid.includes(order.detail),
  claim_refund: (order) => order.detail === 'refund_due' || order.detail === 'overpaid',
}

// Rules: ORDER-17
export function canOrder(action: OrderAction, order: OrderFacts): boolean {
  return allowed[action](order)
}
