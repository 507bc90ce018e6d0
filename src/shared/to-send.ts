import type { BuyerOrder } from './api/orders.ts'
import { compare, multiply, subtract, sum } from './money.ts'
import { type Network, networkFacts } from './networks.ts'
import { toldDetail } from './order-states.ts'
import { type PaymentState, paymentStateFacts } from './payment-states.ts'

type Paid = Pick<BuyerOrder, 'payments' | 'others'>

/** True if the money is pending or received. */
export function isAlive(payment: Pick<BuyerOrder['payments'][number], 'state'>): boolean {
  return paymentStateFacts[payment.state as PaymentState]?.isAlive ?? false
}

export const isTooLittle = ({ state }: Pick<BuyerOrder['payments'][number], 'state'>) =>
  state === 'too_little'

/** True for the rest of a bought part or of a payment that was too little. */
export const isForRest = ({ detail, payments }: Pick<BuyerOrder, 'detail' | 'payments'>) =>
  detail === 'underpaid' || payments.some(isTooLittle)

const tooLittleOf = ({ payments, others }: Paid) =>
  sum([...payments.filter(isTooLittle).map(({ amount }) => amount), others?.tooLittle ?? '0'])

/** The amount in the order's currency, pending included. */
export function paidSoFar({ payments, others }: Paid): string {
  return sum([...payments.filter(isAlive).map((payment) => payment.amount), others?.amount ?? '0'])
}

/** True if nodes relay no output of the amount. */
export function isDust(network: Network, amount: string): boolean {
  const facts = networkFacts[network]
  return facts.family === 'bitcoin' && compare(amount, facts.dust) < 0
}

type Rest = Pick<
  BuyerOrder,
  'status' | 'detail' | 'askedAmount' | 'payments' | 'others' | 'network' | 'expiresAt'
>
type Asked = Rest & Pick<BuyerOrder, 'transactionId' | 'withdrawnByOperator'>

/** While a payment is being confirmed, the tolerance of SETTLE-7 is not asked for. */
const mayLack = ({ askedAmount, payments }: Rest) =>
  payments.some(({ state }) => state === 'seen' || state === 'confirming')
    ? multiply(askedAmount, '0.005')
    : '0'

/**
 * The rest is missing until it expires, `dust` that nodes do not relay, on its `way`, or `over`. Null if the
 * order has none.
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

/**
 * The amount to send, all or the rest; null if nothing can be sent or the buyer submitted the transaction.
 */
export function toSendOf(order: Asked, now: number): string | null {
  const rest = restOf(order, now)
  if (rest) return rest.state === 'missing' ? rest.amount : null
  if (order.status !== 'pending' || order.withdrawnByOperator) return null
  if (toldDetail(order) !== 'awaiting_payment') return null
  // A payment that was too little counts with the rest.
  return subtract(order.askedAmount, tooLittleOf(order))
}
