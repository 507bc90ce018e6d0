import { z } from 'zod'
import type { Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { type Holder, holderKey } from './holder.ts'
import { type Origin, placeOf } from './known-client.ts'

/** Who tries a code, and from where. */
export interface CodeAttempt extends Origin {
  readonly holder: Holder
  /** What this person's known networks and browsers are remembered by. */
  readonly account: string
}

/** An attempt that was counted: where, and whether among strangers'. */
export const countedAttempt = z.object({ network: z.string(), place: z.string(), isKnown: z.boolean() })
export type CountedAttempt = z.output<typeof countedAttempt>

const pairOf = (holder: Holder, place: string) => `${holderKey(holder)}@${place}`

// Rules: RIGHT-5
/**
 * Counts an attempt at a code before its outcome is known: by account and place, and over all places from which the account never
 * logged in. Whoever knows the password therefore can't keep its owner out. Refuses `too_many_requests`.
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

/** The code was right: forgets what this place tried; what strangers tried elsewhere stays counted. */
export async function forgiveCode(
  limits: Limits,
  holder: Holder,
  { place, isKnown }: CountedAttempt,
  db?: Queryable,
): Promise<void> {
  await limits.forgive('second_factor_pair', pairOf(holder, place), 'all', db)
  if (!isKnown) await limits.forgive('second_factor', holderKey(holder), 'one', db)
}
