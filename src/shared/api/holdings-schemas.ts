import { z } from 'zod'
import { decimal } from './amount-inputs.ts'
import { holdingRoutes, operatorUserRoutes } from './holdings.ts'
import { grantInput } from './holdings-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath, pageOf, pageQuery } from './route-schemas.ts'

export const holdings = z.object({
  balanceTokens: decimal,
  purchasedTokens: decimal,
  bonusTokens: decimal,
  grantedTokens: decimal,
  depositsUsd: decimal,
  /** The buyer may still take them back: they count for no level. */
  takeableTokens: decimal,
  /** The balance by USDT's rate with 2 decimals; null if USDT is not listed. */
  usdtEquivalent: decimal.nullable(),
  /** The balance at the sale's price with 2 decimals; null without a price. */
  valueAtSalePriceUsd: decimal.nullable(),
  levelKey: z.string(),
  bonusPercent: decimal,
  nextLevelKey: z.string().nullable(),
  nextThreshold: decimal.nullable(),
  progressPercent: decimal,
})

export const leaderboardRow = z.object({
  rank: z.number().int(),
  player: z.string(),
  depositsUsd: decimal,
  levelKey: z.string(),
  own: z.boolean(),
})

/** The file's format is in docs/journal.md. */
export const holdingProof = z.object({
  /** The newest day (UTC) with a total in the journal. */
  day: z.string().nullable(),
  /** The buyer's leaf with its path to the root. */
  file: z.string().nullable(),
  /** Null before the journal begins. */
  vkey: z.string().nullable(),
  /** Verifier keys of the journal's witnesses. */
  witnesses: z.array(z.string()),
})

export const holdingSchemas = {
  show: {
    summary: 'The buyer’s balance, bonus, deposits and level.',
    reply: holdings,
  },
  proof: {
    summary: 'What proves that the buyer’s tokens are in the sum of all that the journal says once a day.',
    reply: holdingProof,
  },
  leaderboard: {
    summary:
      'Top 100 buyers by approved deposits among those who chose to appear; own row when not among them.',
    reply: z.object({ items: z.array(leaderboardRow), own: leaderboardRow.nullable(), computedAt: instant }),
  },
} as const satisfies Record<string, RouteSchemas>
export const holdingEndpoints = endpoints(holdingRoutes, holdingSchemas)

export const grant = z.object({
  id: z.string(),
  userId: z.number().int(),
  email: z.string(),
  amount: decimal,
  reason: z.string(),
  at: instant,
  operator: z.string().nullable(),
  reversedAt: instant.nullable(),
})

export const operatorUser = z.object({
  id: z.number().int(),
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  balanceTokens: decimal,
  bonusTokens: decimal,
  grantedTokens: decimal,
  purchasedTokens: decimal,
  depositsUsd: decimal,
  levelKey: z.string(),
  registeredAt: instant,
})

export const ledgerEntry = z.object({
  id: z.string(),
  posting: z.string(),
  kind: z.string(),
  orderId: z.number().int().nullable(),
  account: z.string(),
  asset: z.string(),
  amount: decimal,
  at: instant,
})

const byId = z.object({ id: numberInPath })

/** Filters of the list and its export. */
export const operatorUserFilter = z.object({
  search: z.string().trim().max(200).optional(),
  /** Registered from (inclusive) and to (exclusive). */
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
})

export const operatorUserSchemas = {
  list: {
    summary: 'Users, newest first, of any days; search by id, reference or prefix of e-mail.',
    query: pageQuery.extend(operatorUserFilter.shape),
    reply: pageOf(operatorUser),
  },
  show: {
    summary: 'One user.',
    params: byId,
    reply: operatorUser,
    errors: ['user_unknown'],
  },
  entries: {
    summary: 'Every ledger entry of one user, newest first.',
    params: byId,
    query: pageQuery,
    reply: pageOf(ledgerEntry),
    errors: ['user_unknown'],
  },
  grants: {
    summary: 'What operators granted to one user, newest first, also what was taken back.',
    params: byId,
    query: pageQuery,
    reply: pageOf(grant),
    errors: ['user_unknown'],
  },
  addBalance: {
    summary: 'Grants tokens from the bonus share; 0 writes nothing.',
    body: grantInput,
    reply: z.object({ grant: grant.nullable(), balanceTokens: decimal }),
    errors: ['amount_invalid', 'user_unknown', 'supply_reached'],
  },
  reverseGrant: {
    summary: 'Takes a grant back by entries of its own; never below 0.',
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    reply: grant,
    errors: ['grant_unknown', 'already_reversed', 'tokens_allocated'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorUserEndpoints = endpoints(operatorUserRoutes, operatorUserSchemas)
