import { expect, test } from 'vitest'
import { tokensStillOwed } from './escrow-tokens.ts'

test.each([
  ['open', '63', '63', '0', '63'],
  ['closed', '63', '40', '0', '40'],
  ['delivered', '63', '63', '0', '63'],
  ['delivered', '63', '63', '20.5', '42.5'],
  ['delivered', '63', '63', '63', '0'],
  ['refunding', '63', '63', '0', '0'],
] as const)(
  'an escrow in state %s that owed %s, by the ledger %s, with %s claimed still owes %s',
  (state, owed, promised, claimed, left) => {
    expect(tokensStillOwed({ state, owed, promised, claimed })).toBe(left)
  },
)
