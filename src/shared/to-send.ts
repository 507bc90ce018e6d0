import type { BuyerOrder } from './api/orders.ts'
import { compare, multiply, subtract, sum } from './money.ts'
import { type Network, networkFacts } from './networks.ts'
import { toldDetail } from './order-states.ts'
import { type PaymentState, paymentStateFacts } from './payment-states.ts'

/** Whether the payment's money is on its way or here. */
export function isAlive(payment: Pick<BuyerOrder['payments'][number], 'state'>): boolean {
  return paymentStateFacts[payment.state as PaymentState]?.isAlive ?? false
}

export const isTooLittle = ({ state }: Pick<BuyerOrder['payments'][number], 'state'>) =>
  state === 'too_little'

/** Whether what is to be sent is the rest of something: of what is bought, or of what is too little by itself. */
export const isForRest = ({ detail, payments }: Pick<BuyerOrder, 'detail' | 'payments'>) =>
  detail === 'underpaid' || payments.some(isTooLittle)

/** What has arrived or is on its way, in the order's currency. */
export function paidSoFar({ payments }: Pick<BuyerOrder, 'payments'>): string {
  return sum(payments.filter(isAlive).map((payment) => payment.amount))
}

/** Whether nobody can send so little, because nodes relay no output of it. */
export function isDust(network: Network, amount: string): boolean {
  const facts = networkFacts[network]
  return facts.family === 'bitcoin' && compare(amount, facts.dust) < 0
}

type Rest = Pick<BuyerOrder, 'status' | 'detail' | 'askedAmount' | 'payments' | 'network' | 'expiresAt'>
type Asked = Rest & Pick<BuyerOrder, 'transactionId' | 'withdrawnByOperator'>

/** While a payment is confirmed nobody is asked for as little as it may lack and count as full (SETTLE-7). */
const mayLack = ({ askedAmount, payments }: Rest) =>
  payments.some(({ state }) => state === 'seen' || state === 'confirming')
    ? multiply(askedAmount, '0.005')
    : '0'

/**
 * The rest of an order of which a part is bought: to be sent until the order expires, `dust` that nodes relay no output of, on its `way`, or
 * `over`. Null where an order has no rest: it is not paid, or it is bought for good.
 */
export function restOf(
  order: Rest,
  now: number,
): { state: 'missing' | 'dust' | 'way' | 'over'; amount: string } | null {
  if (order.status !== 'approved' || order.detail !== 'underpaid') return null
  const amount = subtract(order.askedAmount, paidSoFar(order))
  if (compare(amount, mayLack(order)) <= 0) return { state: 'way', amount }
  if (Date.parse(order.expiresAt) <= now) return { state: 'over', amount }
  return { state: isDust(order.network, amount) ? 'dust' : 'missing', amount }
}

/** What has to be sent now: the whole amount, or the rest of it; null where nothing has or can be, as where the buyer has named the payment. */
export function toSendOf(order: Asked, now: number): string | null {
  const rest = restOf(order, now)
  if (rest) return rest.state === 'missing' ? rest.amount : null
  if (order.status !== 'pending' || order.withdrawnByOperator) return null
  if (toldDetail(order) !== 'awaiting_payment') return null
  // What was too little by itself counts with the rest.
  return subtract(order.askedAmount, sum(order.payments.filter(isTooLittle).map(({ amount }) => amount)))
}
