import { z } from 'zod'
import type { Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { type Holder, holderKey } from './holder.ts'
import { type Origin, placeOf } from './known-client.ts'
import { isAppCode } from './second-factors.ts'

export interface CodeAttempt extends Origin {
  readonly holder: Holder
  /** For the account's known networks and browsers. */
  readonly account: string
}

/** `isAlone`: by its place alone. */
export const countedAttempt = z.object({ network: z.string(), place: z.string(), isAlone: z.boolean() })
export type CountedAttempt = z.output<typeof countedAttempt>

const pairOf = (holder: Holder, place: string) => `${holderKey(holder)}@${place}`

// Rules: RIGHT-5
/**
 * Counts an attempt before its outcome is known: per account and place, and for an app's codes over all
 * unknown places. A recovery code is too long to be guessed, so attempts elsewhere never delay it.
 */
export async function countCode(
  limits: Limits,
  { holder, account, ...origin }: CodeAttempt,
  code: string,
): Promise<CountedAttempt> {
  const { place, isKnown } = await placeOf(limits, account, origin)
  const isAlone = isKnown || !isAppCode(code)
  await limits.strike('second_factor_pair', pairOf(holder, place))
  if (!isAlone) await limits.strike('second_factor', holderKey(holder))
  return { network: origin.network, place, isAlone }
}

/** Also on the shared count, unless the attempt was counted alone. */
export async function forgiveCode(
  limits: Limits,
  holder: Holder,
  { place, isAlone }: CountedAttempt,
  db?: Queryable,
): Promise<void> {
  await limits.forgive('second_factor_pair', pairOf(holder, place), 'all', db)
  if (!isAlone) await limits.forgive('second_factor', holderKey(holder), 'one', db)
}
