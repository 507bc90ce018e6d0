import type { DeliveryEscrow, EscrowOrder } from './api/delivery-escrows.ts'
import { compare, subtract } from './money.ts'

type Look = Pick<NonNullable<DeliveryEscrow['look']>, 'state' | 'owed' | 'promised' | 'claimed'>

/** Tokens owed by the ledger until delivery, then by the contract minus claims; 0 if it refunds. */
export function tokensStillOwed({ state, owed, promised, claimed }: Look): string {
  if (state === 'refunding') return '0'
  return state === 'delivered' ? subtract(owed, claimed) : promised
}

/** True by the newest block. */
export const isAllClaimed = ({ tokens, chain }: Pick<EscrowOrder, 'tokens' | 'chain'>): boolean =>
  chain !== null && compare(chain.claimedNow, tokens) >= 0
