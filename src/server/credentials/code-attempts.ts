import { z } from 'zod'
import type { Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { type Holder, holderKey } from './holder.ts'
import { countedBesides, type Origin } from './known-client.ts'

/** Who tries a code, and from where. */
export interface CodeAttempt extends Origin {
  readonly holder: Holder
  /** What this person's known networks and browsers are remembered by. */
  readonly account: string
}

/** An attempt that was counted, and by what besides its network. */
export const countedAttempt = z.object({
  network: z.string(),
  besides: z.tuple([z.enum(['second_factor', 'second_factor_pair']), z.string()]).nullable(),
})
export type CountedAttempt = z.output<typeof countedAttempt>

const pairOf = (holder: Holder, network: string) => `${holderKey(holder)}@${network}`

// Rules: RIGHT-5
/**
 * Counts an attempt at a code before its outcome is known: by account and network, and over all places from which the account never
 * logged in. Whoever knows the password therefore can't keep its owner out. Refuses `too_many_requests`.
 */
export async function countCode(
  limits: Limits,
  { holder, account, ...origin }: CodeAttempt,
): Promise<CountedAttempt> {
  const { network } = origin
  await limits.strike('second_factor_pair', pairOf(holder, network))
  const besides = await countedBesides<CountedAttempt['besides'], CountedAttempt['besides']>(
    limits,
    account,
    origin,
    {
      all: ['second_factor', holderKey(holder)],
      pair: (place) => ['second_factor_pair', pairOf(holder, place)],
    },
  )
  if (besides) await limits.strike(...besides)
  return { network, besides }
}

/** The code was right: forgets what this network tried; what strangers tried elsewhere stays counted. */
export async function forgiveCode(
  limits: Limits,
  holder: Holder,
  { network, besides }: CountedAttempt,
  db?: Queryable,
): Promise<void> {
  await limits.forgive('second_factor_pair', pairOf(holder, network), 'all', db)
  if (besides) await limits.forgive(...besides, 'one', db)
}
