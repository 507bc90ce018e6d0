import type { DeliveryEscrow, EscrowOrder } from './api/delivery-escrows.ts'
import { compare, subtract } from './money.ts'

type Look = Pick<NonNullable<DeliveryEscrow['look']>, 'state' | 'owed' | 'promised' | 'claimed'>

/**
 * Tokens that an escrow still has to give out: what the ledger says until the delivery, then what the contract says less what was claimed. An escrow
 * that gives money back owes no tokens.
 */
export function tokensStillOwed({ state, owed, promised, claimed }: Look): string {
  if (state === 'refunding') return '0'
  return state === 'delivered' ? subtract(owed, claimed) : promised
}

/** Whether all tokens of an order have left its escrow, by the newest block. */
export const isAllClaimed = ({ tokens, chain }: Pick<EscrowOrder, 'tokens' | 'chain'>): boolean =>
  chain !== null && compare(chain.claimedNow, tokens) >= 0
