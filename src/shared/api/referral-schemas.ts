import { z } from 'zod'
import { countryCode } from '../campaign-settings-inputs.ts'
import { referralRefusals } from '../referral.ts'
import { decimal } from './amount-inputs.ts'
import { referralRoutes } from './referral.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, pageOf, pageQuery } from './route-schemas.ts'

/** A buyer's own link and what came of it: counts and sums, never who the friends are. */
export const ownReferral = z.object({
  /** Null before the buyer joined. */
  code: z.string().nullable(),
  /** Accounts that came by the link. */
  friends: z.number().int(),
  /** Approved orders of friends that are not final yet. */
  waitingOrders: z.number().int(),
  creditedOrders: z.number().int(),
  /** Those whose credit was taken back with the order. */
  takenBackOrders: z.number().int(),
  /** Credited and not taken back. */
  creditedTokens: decimal,
  /** Orders that brought nothing, by why. */
  refused: z.array(z.object({ refusal: z.enum(referralRefusals), orders: z.number().int() })),
})

const decision = z.object({
  orderId: z.number().int(),
  referrerId: z.number().int(),
  referrer: z.string(),
  friendId: z.number().int(),
  friend: z.string(),
  /** What was credited; null where it was refused. */
  tokens: decimal.nullable(),
  /** Why nothing was credited or, where something was, why it was taken back. */
  refusal: z.enum(referralRefusals).nullable(),
  at: instant,
  /** When the reward was taken back, with its order or for what was found of its two accounts (`refusal`). */
  reversedAt: instant.nullable(),
  /** Whether the order was taken back and the tokens, delivered already, were not. */
  isKept: z.boolean(),
})

export const referralSchemas = {
  show: {
    summary: 'The buyer’s own link for friends and what came of it.',
    reply: ownReferral,
  },
  join: {
    summary:
      'Gives the buyer a link for friends, under the terms of the settings; the same one again where there is one.',
    body: z.object({ country: countryCode }),
    reply: ownReferral,
    errors: ['referral_closed', 'country_refused'],
  },
  decisions: {
    summary: 'What became of friends’ orders, newest first.',
    query: pageQuery,
    reply: pageOf(decision),
  },
} as const satisfies Record<string, RouteSchemas>
export const referralEndpoints = endpoints(referralRoutes, referralSchemas)
