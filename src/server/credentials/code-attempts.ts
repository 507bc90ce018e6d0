import { z } from 'zod'
import type { Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { type Holder, holderKey } from './holder.ts'
import { type Origin, placeOf } from './known-client.ts'

export interface CodeAttempt extends Origin {
  readonly holder: Holder
  /** The key under which the account's known networks and browsers are stored. */
  readonly account: string
}

export const countedAttempt = z.object({ network: z.string(), place: z.string(), isKnown: z.boolean() })
export type CountedAttempt = z.output<typeof countedAttempt>

const pairOf = (holder: Holder, place: string) => `${holderKey(holder)}@${place}`

// Rules: RIGHT-5
/**
 * Counts an attempt before its outcome is known: per account and place, and over all unknown places. Someone
 * who knows the password cannot lock out the owner. Throws `too_many_requests`.
 */
export async function countCode(
  limits: Limits,
  { holder, account, ...origin }: CodeAttempt,
): Promise<CountedAttempt> {
  const at = await placeOf(limits, account, origin)
  await limits.strike('second_factor_pair', pairOf(holder, at.place))
  if (!at.isKnown) await limits.strike('second_factor', holderKey(holder))
  return { network: origin.network, ...at }
}

/**
 * Resets the count of this place after a correct code. For an unknown place, also takes this attempt off the
 * shared count.
 */
export async function forgiveCode(
  limits: Limits,
  holder: Holder,
  { place, isKnown }: CountedAttempt,
  db?: Queryable,
): Promise<void> {
  await limits.forgive('second_factor_pair', pairOf(holder, place), 'all', db)
  if (!isKnown) await limits.forgive('second_factor', holderKey(holder), 'one', db)
}
