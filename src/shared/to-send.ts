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
  'status' | 'detail' | 'transactionId' | 'withdrawnByOperator' | 'cryptoAmount' | 'payments' | 'network'
>

/** What nodes relay at least: the dust limit of an output to a public key's hash, at each Core's own dust fee. */
export const DUST = { bitcoin: '0.00000546', litecoin: '0.0000546', dogecoin: '0.01' } as const

/** What is missing of an underpaid order, or of one that is not paid at all. */
const missingOf = (order: Asked) => subtract(order.cryptoAmount, paidSoFar(order))

/** Whether something is missing that nobody can send, because nodes relay no output as small. */
export function isRestDust(order: Asked): boolean {
  const missing = missingOf(order)
  return compare(missing, '0') > 0 && compare(missing, DUST[order.network as keyof typeof DUST] ?? '0') < 0
}

/** What has to be sent now: the whole amount, or what is missing of it; null where nothing has or can be, as where the buyer has named the payment. */
export function toSendOf(order: Asked): string | null {
  if (order.status !== 'pending' || order.withdrawnByOperator) return null
  if (toldDetail(order) === 'awaiting_payment') return order.cryptoAmount
  if (order.detail !== 'underpaid') return null
  const missing = missingOf(order)
  return compare(missing, '0') > 0 && !isRestDust(order) ? missing : null
}
