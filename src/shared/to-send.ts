import type { BuyerOrder } from './api/orders.ts'
import { compare, subtract, sum } from './money.ts'
import { networkFacts } from './networks.ts'
import { toldDetail } from './order-states.ts'
import { type PaymentState, paymentStateFacts } from './payment-states.ts'

/** Whether the payment's money is on its way or here. */
export function isAlive(payment: Pick<BuyerOrder['payments'][number], 'state'>): boolean {
  return paymentStateFacts[payment.state as PaymentState]?.isAlive ?? false
}

/** What has arrived or is on its way, in the order's currency. */
export function paidSoFar({ payments }: Pick<BuyerOrder, 'payments'>): string {
  return sum(payments.filter(isAlive).map((payment) => payment.amount))
}

type Asked = Pick<
  BuyerOrder,
  'status' | 'detail' | 'transactionId' | 'withdrawnByOperator' | 'cryptoAmount' | 'payments' | 'network'
>

/** What is missing of an underpaid order, or of one that is not paid at all. */
const missingOf = (order: Asked) => subtract(order.cryptoAmount, paidSoFar(order))

/** Whether something is missing that nobody can send, because nodes relay no output as small. */
export function isRestDust(order: Asked): boolean {
  const missing = missingOf(order)
  const facts = networkFacts[order.network]
  return compare(missing, '0') > 0 && facts.family === 'bitcoin' && compare(missing, facts.dust) < 0
}

/** What has to be sent now: the whole amount, or what is missing of it; null where nothing has or can be, as where the buyer has named the payment. */
export function toSendOf(order: Asked): string | null {
  if (order.status !== 'pending' || order.withdrawnByOperator) return null
  if (toldDetail(order) === 'awaiting_payment') return order.cryptoAmount
  if (order.detail !== 'underpaid') return null
  const missing = missingOf(order)
  return compare(missing, '0') > 0 && !isRestDust(order) ? missing : null
}
