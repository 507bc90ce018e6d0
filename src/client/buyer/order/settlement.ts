import type { BuyerOrder } from '../../../shared/api/orders.ts'

export type OrderPayment = BuyerOrder['payments'][number]

/** At most the needed number. */
export function progressOf({ confirmations, confirmationsNeeded }: OrderPayment) {
  return {
    confirmed: Math.min(confirmations, confirmationsNeeded),
    confirmationsNeeded,
    isConfirmed: confirmations >= confirmationsNeeded,
  }
}
