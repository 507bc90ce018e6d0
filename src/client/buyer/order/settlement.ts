import type { BuyerOrder } from '../../../shared/api/orders.ts'

export type OrderPayment = BuyerOrder['payments'][number]

/** How far a payment's confirmations are, as far as they are waited for. */
export function progressOf({ confirmations, confirmationsNeeded }: OrderPayment) {
  return {
    confirmed: Math.min(confirmations, confirmationsNeeded),
    confirmationsNeeded,
    isConfirmed: confirmations >= confirmationsNeeded,
  }
}
