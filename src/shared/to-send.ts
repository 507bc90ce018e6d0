import type { BuyerOrder } from './api/orders.ts'
import { compare, subtract, sum } from './money.ts'
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
  'status' | 'detail' | 'transactionId' | 'withdrawnByOperator' | 'cryptoAmount' | 'payments'
>

/** What has to be sent now: the whole amount, or what is missing of it; null where nothing has, as where the buyer has named the payment. */
export function toSendOf(order: Asked): string | null {
  if (order.status !== 'pending' || order.withdrawnByOperator) return null
  if (toldDetail(order) === 'awaiting_payment') return order.cryptoAmount
  if (order.detail !== 'underpaid') return null
  const missing = subtract(order.cryptoAmount, paidSoFar(order))
  return compare(missing, '0') > 0 ? missing : null
}
