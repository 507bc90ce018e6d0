import type { DeliveryEscrow, EscrowOrder } from './api/delivery-escrows.ts'
import { compare, subtract } from './money.ts'

type Look = Pick<NonNullable<DeliveryEscrow['look']>, 'state' | 'owed' | 'promised' | 'claimed'>

/**
 * Returns the tokens that an escrow still owes: by the ledger until delivery, then by the contract minus
 * claims; 0 if it refunds.
 */
export function tokensStillOwed({ state, owed, promised, claimed }: Look): string {
  if (state === 'refunding') return '0'
  return state === 'delivered' ? subtract(owed, claimed) : promised
}

/** True if all tokens of an order were claimed in the newest block. */
export const isAllClaimed = ({ tokens, chain }: Pick<EscrowOrder, 'tokens' | 'chain'>): boolean =>
  chain !== null && compare(chain.claimedNow, tokens) >= 0
