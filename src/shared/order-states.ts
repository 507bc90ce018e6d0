/**
 * The states of an order, and what each allows. `status` is what a reader of the contract sees; `detail` is the finer state
 * beside it.
 */
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

/** The finer state as people are told it: once the buyer has named the payment, it is not awaited any more but to be checked. */
export const toldDetail = (order: {
  readonly detail: OrderDetail
  readonly transactionId: string | null
}): ToldDetail => (order.detail === 'awaiting_payment' && order.transactionId ? 'named' : order.detail)

type ToldFacts = Parameters<typeof toldDetail>[0] & Pick<OrderFacts, 'status'>

const saysMoreThanPending: readonly OrderDetail[] = ['expired', 'refund_due', 'refunded']

/**
 * Whether the finer state is told alone: `pending` beside it would say that somebody still has to decide, as is so of an expired order
 * whose payment the buyer has named.
 */
export const isToldAlone = ({ status, detail, transactionId }: ToldFacts) =>
  status === 'pending' && saysMoreThanPending.includes(detail) && !(detail === 'expired' && transactionId)

/** The tabs of the operators' queue besides a status: open ones, with a transaction id to compare, seen on a chain or odd. */
export const orderViews = ['waiting', 'with_transaction_id', 'seen', 'odd'] as const
export type OrderView = (typeof orderViews)[number]

/** Everything that can be asked of an order, and by whom. */
export const orderActions = ['approve', 'reject', 'hide', 'enter_transaction_id', 'claim_refund'] as const
export type OrderAction = (typeof orderActions)[number]

/** Below nobody has to do anything any more. */
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

/** Over, and nothing of it is owed. */
const ended: readonly OrderDetail[] = ['rejected_by_operator', 'reversed']

/**
 * Action → whether the order's state allows it. Buttons and the server read this table; the guards in SQL read the same one in
 * functions/orders/order_allows.sql, and src/server/orders/order-states.test.ts compares the two in every state.
 */
const allowed: Record<OrderAction, (order: OrderFacts) => boolean> = {
  approve: (order) => order.status === 'pending' && !order.watched,
  // What came for one at a fixed address after all can be said, once, and is owed back.
  reject: (order) => order.status !== 'rejected' || (!order.watched && ended.includes(order.detail)),
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
