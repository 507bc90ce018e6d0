import type { Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { type Holder, holderKey } from './holder.ts'

/** Who tries a code, and from where. */
export interface CodeAttempt {
  readonly holder: Holder
  /** What this person's known networks are remembered by. */
  readonly account: string
  readonly network: string
}

/** An attempt that was counted; `isKnown` says whether the account has logged in from its network before. */
export interface CountedAttempt {
  readonly network: string
  readonly isKnown: boolean
}

const pairOf = (holder: Holder, network: string) => `${holderKey(holder)}@${network}`

// Rules: RIGHT-5
/**
 * Counts an attempt at a code before its outcome is known: by account and network, and over all networks from which the account
 * never logged in. Whoever knows the password therefore can't keep its owner out. Refuses `too_many_requests`.
 */
export async function countCode(
  limits: Limits,
  { holder, account, network }: CodeAttempt,
): Promise<CountedAttempt> {
  await limits.strike('second_factor_pair', pairOf(holder, network))
  const isKnown = await limits.isNetworkKnown(account, network)
  if (!isKnown) await limits.strike('second_factor', holderKey(holder))
  return { network, isKnown }
}

/** The code was right: forgets what this network tried; what strangers tried elsewhere stays counted. */
export async function forgiveCode(
  limits: Limits,
  holder: Holder,
  { network, isKnown }: CountedAttempt,
  db?: Queryable,
): Promise<void> {
  await limits.forgive('second_factor_pair', pairOf(holder, network), 'all', db)
  if (!isKnown) await limits.forgive('second_factor', holderKey(holder), 'one', db)
}
