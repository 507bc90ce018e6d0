import { z } from 'zod'
import { amountInput } from './orders.ts'
import { decimal, instant, numberInPath, pageOf, pageQuery, route } from './route.ts'

/** What a buyer holds, folded from the ledger's entries. */
export const holdings = z.object({
  balanceTokens: decimal,
  purchasedTokens: decimal,
  bonusTokens: decimal,
  grantedTokens: decimal,
  depositsUsd: decimal,
  /** Balance / USDT's rate with 2 decimals; null where no USDT is listed. */
  usdtEquivalent: decimal.nullable(),
  /** Balance × price, in dollars with 2 decimals; null while no price is set. */
  valueAtSalePriceUsd: decimal.nullable(),
  levelKey: z.string(),
  bonusPercent: decimal,
  nextLevelKey: z.string().nullable(),
  nextThreshold: decimal.nullable(),
  progressPercent: decimal,
})
export type Holdings = z.infer<typeof holdings>

export const leaderboardRow = z.object({
  rank: z.number().int(),
  player: z.string(),
  depositsUsd: decimal,
  levelKey: z.string(),
  own: z.boolean(),
})

export const holdingRoutes = {
  show: route({
    method: 'GET',
    path: '/holdings',
    summary: 'The buyer’s balance, bonus, deposits and level.',
    audience: 'buyer',
    reply: holdings,
  }),
  leaderboard: route({
    method: 'GET',
    path: '/leaderboard',
    summary:
      'Top 100 buyers by approved deposits among those who chose to appear; own row when not among them.',
    audience: 'visitor',
    reply: z.object({ items: z.array(leaderboardRow), own: leaderboardRow.nullable(), computedAt: instant }),
  }),
} as const

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
export type OperatorUser = z.infer<typeof operatorUser>

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

/** What `Add Balance` takes. */
export const grantInput = z.object({
  email: z.string().trim().min(1).max(254),
  amount: amountInput,
  reason: z.string().trim().max(500).default(''),
})
export type GrantInput = z.output<typeof grantInput>

export const operatorUserRoutes = {
  list: route({
    method: 'GET',
    path: '/operator/users',
    summary: 'Users, newest first; search by id, reference or prefix of e-mail.',
    audience: { operator: 'users:read' },
    query: pageQuery.extend({ search: z.string().trim().max(200).optional() }),
    reply: pageOf(operatorUser),
  }),
  show: route({
    method: 'GET',
    path: '/operator/users/:id',
    summary: 'One user with grants and ledger entries.',
    audience: { operator: 'users:read' },
    params: byId,
    reply: operatorUser.extend({ grants: z.array(grant), entries: z.array(ledgerEntry) }),
    errors: ['user_unknown'],
  }),
  addBalance: route({
    method: 'POST',
    path: '/operator/grants',
    summary: 'Grants tokens from the bonus share; 0 writes nothing.',
    audience: { operator: 'grants:write' },
    stepUp: true,
    body: grantInput,
    reply: z.object({ grant: grant.nullable(), balanceTokens: decimal }),
    errors: ['user_unknown', 'second_operator_required', 'supply_reached'],
    idempotent: true,
  }),
  reverseGrant: route({
    method: 'POST',
    path: '/operator/grants/:id/reverse',
    summary: 'Takes a grant back by entries of its own; never below 0.',
    audience: { operator: 'grants:write' },
    stepUp: true,
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    reply: grant,
    errors: ['grant_unknown', 'already_reversed', 'tokens_claimed'],
  }),
} as const
