import { z } from 'zod'
import { leavesNothingOut } from '../left-out-inputs.ts'
import { giveawayRoutes, operatorGiveawayRoutes } from './giveaways.ts'
import { giveawayEntryInput, giveawayInput, handOverInput } from './giveaways-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, manyQuery, numberInPath, pageOf } from './route-schemas.ts'

/** The published part never changes. */
export const publishedRules = giveawayInput.extend({
  beacon: z.object({
    chain: z.string(),
    publicKey: z.string(),
    genesis: z.number().int(),
    period: z.number().int(),
  }),
  /** The round that decides. */
  round: z.number().int(),
})

const winner = z.object({
  place: z.number().int(),
  /** The prize's number from 1; a prize given several times has several numbers. */
  prize: z.number().int(),
  commitment: z.string(),
  /** Masked e-mail address. */
  shownAs: z.string(),
  state: z.enum(['told', 'confirmed', 'lapsed', 'handed_over']),
  confirmBy: instant,
  /** Null before the winner confirmed. */
  handOverBy: instant.nullable(),
  handedOverAt: instant.nullable(),
  evidence: z.string().nullable(),
})

/** `failed`: the list was not fixed in time, so there will be no draw. */
export const giveawayStates = ['announced', 'open', 'closed', 'fixed', 'drawn', 'failed'] as const

export const publicGiveaway = z.object({
  id: z.number().int(),
  state: z.enum(giveawayStates),
  rules: publishedRules,
  rulesSha256: z.string(),
  publishedAt: instant,
  drawAt: instant,
  /** Entries, and those with an order approved since the opening. */
  entries: z.number().int(),
  entriesOfBuyers: z.number().int(),
  list: z.object({ fixedAt: instant, root: z.string() }).nullable(),
  drawnAt: instant.nullable(),
  winners: z.array(winner),
  /** Prizes without a remaining winner. */
  prizesWithoutWinner: z.array(z.number().int()),
  overdue: z.array(z.enum(['draw', 'hand_over'])),
})

const receipt = z.object({
  giveaway: z.number().int(),
  enteredAt: instant,
  /** Reference and nonce of the commitment: docs/giveaway.md. */
  reference: z.string(),
  nonce: z.string(),
  commitment: z.string(),
})

const ownGiveaway = z.object({
  giveaway: publicGiveaway,
  receipt: receipt.nullable(),
  /** The person's win. */
  win: winner.nullable(),
})

const byId = z.object({ id: numberInPath })

export const giveawaySchemas = {
  list: {
    summary: 'Every published giveaway, the newest first.',
    reply: z.object({ items: z.array(publicGiveaway) }),
  },
  own: {
    summary: 'Every published giveaway with the own entry and prize.',
    reply: z.object({ items: z.array(ownGiveaway) }),
  },
  enter: {
    summary: 'Enters, once a person; nothing has to be bought.',
    params: byId,
    body: giveawayEntryInput,
    reply: receipt,
    errors: [
      'giveaway_unknown',
      'giveaway_rules_other',
      'giveaway_not_open',
      'giveaway_unconfirmed',
      'giveaway_country',
      'giveaway_entered',
    ],
  },
  confirm: {
    summary: 'Confirms a prize in the days that the rules give.',
    params: byId,
    reply: ownGiveaway,
    errors: ['giveaway_not_won'],
  },
} as const satisfies Record<string, RouteSchemas>
export const giveawayEndpoints = endpoints(giveawayRoutes, giveawaySchemas)

export const operatorGiveaway = z.object({
  id: z.number().int(),
  revision: z.number().int(),
  draft: giveawayInput,
  /** Picture addresses by name. */
  pictures: z.record(z.string(), z.string()),
  published: publicGiveaway.nullable(),
  /** Winners by place. */
  winners: z.array(z.object({ place: z.number().int(), userId: z.string() })),
})

export const operatorGiveawaySchemas = {
  list: {
    summary: 'Every giveaway, drafts included, the newest first.',
    query: manyQuery,
    reply: pageOf(operatorGiveaway),
  },
  add: { summary: 'Begins a giveaway as a draft.', body: giveawayInput, reply: operatorGiveaway },
  update: {
    summary: 'Changes a draft if nobody changed it since `revision`.',
    params: byId,
    body: leavesNothingOut(giveawayInput.extend({ revision: z.number().int() })),
    reply: operatorGiveaway,
    errors: ['giveaway_unknown', 'giveaway_published', 'conflict'],
  },
  remove: {
    summary: 'Deletes a draft.',
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['giveaway_unknown', 'giveaway_published'],
  },
  publish: {
    summary: 'Publishes a giveaway, whose rules nobody can change from then on.',
    params: byId,
    body: z.object({ revision: z.number().int() }),
    reply: operatorGiveaway,
    errors: [
      'giveaway_unknown',
      'giveaway_published',
      'conflict',
      'giveaway_incomplete',
      'upload_unknown',
      'giveaway_times',
      'giveaway_running',
    ],
  },
  handOver: {
    summary: 'Says that a winner has the prize, with what shows it.',
    params: byId.extend({ place: numberInPath }),
    body: handOverInput,
    reply: operatorGiveaway,
    errors: ['giveaway_unknown', 'giveaway_not_confirmed'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorGiveawayEndpoints = endpoints(operatorGiveawayRoutes, operatorGiveawaySchemas)
