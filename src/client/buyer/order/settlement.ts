import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { compare, subtract, sum } from '../../../shared/money.ts'
import { type PaymentState, paymentStateFacts } from '../../../shared/payment-states.ts'

export type OrderPayment = BuyerOrder['payments'][number]

/** Whether the payment's money is on its way or here. */
export function isAlive(payment: OrderPayment): boolean {
  return paymentStateFacts[payment.state as PaymentState]?.isAlive ?? false
}

/** How far a payment's confirmations are, as far as they are waited for. */
export function progressOf({ confirmations, confirmationsNeeded }: OrderPayment) {
  return {
    confirmed: Math.min(confirmations, confirmationsNeeded),
    confirmationsNeeded,
    isConfirmed: confirmations >= confirmationsNeeded,
  }
}

/** What has arrived or is on its way, in the order's currency. */
export function paidSoFar(order: BuyerOrder): string {
  return sum(order.payments.filter(isAlive).map((payment) => payment.amount))
}

/** What is still missing of the amount; null where nothing is. */
export function missingOf(order: BuyerOrder): string | null {
  const missing = subtract(order.cryptoAmount, paidSoFar(order))
  return compare(missing, '0') > 0 ? missing : null
}

/** What has to be sent now: the whole amount, or what is missing of it; null where nothing has, as where the buyer has named the payment. */
export function toSendOf(order: BuyerOrder): string | null {
  if (order.status !== 'pending') return null
  if (order.detail === 'awaiting_payment') return order.transactionId ? null : order.cryptoAmount
  return order.detail === 'underpaid' ? missingOf(order) : null
}
