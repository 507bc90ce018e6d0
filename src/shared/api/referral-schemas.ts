import { z } from 'zod'
import { countryCode } from '../campaign-settings-inputs.ts'
import { referralRefusals } from '../referral.ts'
import { decimal } from './amount-inputs.ts'
import { referralRoutes } from './referral.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, pageOf, pageQuery } from './route-schemas.ts'

/** Counts and sums of a link, never the friends' identity. */
export const ownReferral = z.object({
  /** Null before the buyer joined. */
  code: z.string().nullable(),
  /** Accounts created through the link. */
  friends: z.number().int(),
  /** Friends' orders that are approved but not final yet. */
  waitingOrders: z.number().int(),
  creditedOrders: z.number().int(),
  /** Rewards reversed with their order. */
  takenBackOrders: z.number().int(),
  /** Credited and not reversed. */
  creditedTokens: decimal,
  /** Orders without a reward, by reason. */
  refused: z.array(z.object({ refusal: z.enum(referralRefusals), orders: z.number().int() })),
})

const decision = z.object({
  orderId: z.number().int(),
  referrerId: z.number().int(),
  referrer: z.string(),
  friendId: z.number().int(),
  friend: z.string(),
  /** Null if it was refused. */
  tokens: decimal.nullable(),
  /** Why there was no reward, or why it was reversed. */
  refusal: z.enum(referralRefusals).nullable(),
  at: instant,
  /** Reversed with its order or because of its two accounts (`refusal`). */
  reversedAt: instant.nullable(),
  /** True if the order was reversed but the delivered tokens were not. */
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
