import { z } from 'zod'
import { campaignSettings, settingsChange, stageSettings } from '../campaign-settings-inputs.ts'
import { networks } from '../networks.ts'
import { type Period, periods, retentionBounds } from '../retention.ts'
import { keptName, wholeTextsOf } from '../texts-inputs.ts'
import { decimal } from './amount-inputs.ts'
import { campaignRoutes, operatorCampaignRoutes, softCapVerdicts, stageStates } from './campaign.ts'
import { priceInput } from './campaign-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, manyQuery, numberInPath, pageOf, READ_FOR_ALL } from './route-schemas.ts'

export const publicStage = z.object({
  id: z.number().int(),
  name: keptName,
  goalUsd: decimal,
  priceUsd: decimal,
  startsAt: instant,
  endsAt: instant,
  /** The end before it was first moved. */
  firstEndsAt: instant.nullable(),
  state: z.enum(stageStates),
  raisedUsd: decimal,
  raisedOnChainUsd: decimal,
  raisedByOperatorUsd: decimal,
  /** Percent of the goal, rounded down; two decimals below 1. */
  progressPercent: decimal,
  purchasedTokens: decimal,
  bonusTokens: decimal,
})

/** Sums of one day (UTC), minus reversals. */
export const raisedDay = z.object({
  day: z.string(),
  raisedUsd: decimal,
  raisedOnChainUsd: decimal,
  raisedByOperatorUsd: decimal,
  purchasedTokens: decimal,
})

export const publicCampaign = z.object({
  settings: campaignSettings,
  demo: z.boolean(),
  /** Null without a price. */
  priceUsd: decimal.nullable(),
  pausedAt: instant.nullable(),
  pauseReason: wholeTextsOf(z.string()).nullable(),
  /** Null before the verdict. */
  softCapVerdict: z
    .object({
      verdict: z.enum(softCapVerdicts),
      at: instant,
      raisedUsd: decimal,
      raisedOnChainUsd: decimal,
      raisedByOperatorUsd: decimal,
    })
    .nullable(),
  /** Null before the last stage's end and after the verdict. */
  softCapWaitsFor: z
    .object({
      /** When approvals of payments to fixed addresses end. */
      approvalsUntil: instant,
      /** Chains not yet read up to 3 hours after the end. */
      chains: z.array(z.enum(networks)),
      /** Payments in blocks until then that are neither counted nor gone. */
      payments: z.number().int(),
      latestAt: instant,
    })
    .nullable(),
  /** The open stage, else the next, else the last. */
  stage: publicStage.nullable(),
  stages: z.array(publicStage),
  raised: z.object({
    usd: decimal,
    onChainUsd: decimal,
    byOperatorUsd: decimal,
    /** The part that buyers may still take back. */
    takeableUsd: decimal,
  }),
  purchasedTokens: decimal,
  bonusTokens: decimal,
  grantedTokens: decimal,
  refundsOwedUsd: decimal,
  approvedOrders: z.object({ onChain: z.number().int(), byOperator: z.number().int() }),
  /**
   * Tokens that new orders of the stage may buy: the minimum of what its goal, the hard cap and the tokens
   * for sale leave.
   */
  leftTokens: decimal,
  /** Minutes from payment to approval by operators: median of the last 20; null with fewer than 3. */
  approvalMinutes: z.number().int().nullable(),
  days: z.array(raisedDay),
  /** Delivery rounds that are not cancelled and escrows that do not refund, earliest first. */
  deliveries: z.array(
    z.object({
      /** Null for an escrow, which is named by its stage. */
      round: z.number().int().nullable(),
      stage: keptName.nullable(),
      /** The contract holds the tokens and lets them be claimed as they unlock. */
      isLive: z.boolean(),
      /** When the first tokens unlock; the delivery deadline of an undelivered escrow. */
      at: instant,
      /** Null while undecided. */
      unlockedBy: instant.nullable(),
    }),
  ),
  legalVersions: z.object({ terms: z.number().int(), risks: z.number().int(), privacy: z.number().int() }),
  /** Null before the journal begins (docs/journal.md). */
  journalKey: z.string().nullable(),
  /** The database's time: a countdown need not trust the visitor's clock. */
  serverTime: instant,
  computedAt: instant,
})

export const priceChange = z.object({
  priceUsd: decimal,
  previousUsd: decimal.nullable(),
  at: instant,
  reason: z.string(),
})

/** Settings such as `hardCapUsd`, `stages.1.endsAt` or `paused`. */
export const campaignChange = z.object({
  setting: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  at: instant,
})

export const campaignSchemas = {
  show: {
    summary: 'The campaign: its settings and every public figure, from one reading of the ledger.',
    cost: READ_FOR_ALL,
    reply: publicCampaign,
  },
  priceHistory: {
    summary: 'Every value that the main currency has had, newest first.',
    query: manyQuery,
    reply: pageOf(priceChange),
  },
  changes: {
    summary: 'Every change of a setting that buyers rely on, dated, newest first.',
    query: manyQuery,
    reply: pageOf(campaignChange),
  },
} as const satisfies Record<string, RouteSchemas>
export const campaignEndpoints = endpoints(campaignRoutes, campaignSchemas)

export const operatorStage = publicStage.extend({ endMoved: z.boolean() })
export const operatorCampaign = z.object({
  settings: campaignSettings,
  revision: z.number().int(),
  priceUsd: decimal.nullable(),
  stages: z.array(operatorStage),
  pausedAt: instant.nullable(),
  pauseReason: wholeTextsOf(z.string()).nullable(),
  /** True before the sale's first opening. */
  unopened: z.boolean(),
  nextStageName: keptName,
  /** True from the first approved order on; then only some changes are allowed. */
  locked: z.boolean(),
  /** Paths of settings without which the sale can't open. */
  missing: z.array(z.string()),
  /** Paths of recommended settings that are missing. */
  advised: z.array(z.string()),
})

export const operatorCampaignSchemas = {
  show: {
    summary: 'Settings, stages and what is still missing before the sale can open.',
    reply: operatorCampaign,
  },
  update: {
    summary:
      'Replaces the settings if nobody changed them since `revision`; a field that may be left out stays as it is.',
    body: z.object({ revision: z.number().int(), settings: settingsChange }),
    reply: operatorCampaign,
    errors: [
      'conflict',
      'setting_locked',
      'escrow_money_back',
      'upload_unknown',
      'supply_reached',
      'cap_reached',
    ],
  },
  preview: {
    summary:
      'Checks a draft of the settings by their schema and answers what they would be; a field that may be left out stays as it is. Nothing changes.',
    body: z.object({ settings: settingsChange }),
    reply: z.object({ settings: campaignSettings }),
    errors: ['upload_unknown'],
  },
  older: {
    summary:
      'How many rows some periods of keeping would make too old now; each of those that are named, in days.',
    query: z.object(
      Object.fromEntries(
        periods.map((period) => {
          const { min, max } = retentionBounds[period]
          return [period, z.coerce.number().int().min(min).max(max).optional()]
        }),
      ) as Record<Period, z.ZodOptional<z.ZodCoercedNumber>>,
    ),
    reply: z.object({
      items: z.array(z.object({ period: z.enum(periods as [Period, ...Period[]]), rows: z.number().int() })),
    }),
  },
  addStage: {
    summary: 'Adds a stage, if nobody changed the campaign since `revision`. Stages may not overlap.',
    body: stageSettings.and(z.object({ revision: z.number().int().optional() })),
    reply: operatorCampaign,
    errors: ['conflict', 'stages_overlap', 'setting_locked', 'supply_reached', 'cap_reached'],
  },
  updateStage: {
    summary: 'Changes a stage; after the first approved order its goal stands and its end moves once.',
    params: z.object({ id: numberInPath }),
    body: stageSettings.and(z.object({ revision: z.number().int() })),
    reply: operatorCampaign,
    errors: ['not_found', 'conflict', 'setting_locked', 'stages_overlap', 'supply_reached', 'cap_reached'],
  },
  removeStage: {
    summary: 'Removes a stage that no order names, if nobody changed the campaign since `revision`.',
    params: z.object({ id: numberInPath }),
    query: z.object({ revision: z.coerce.number().int() }),
    reply: operatorCampaign,
    errors: ['not_found', 'conflict', 'setting_locked', 'stage_in_use'],
  },
  setPrice: {
    summary: 'Changes the main currency value; every rate is rescaled by old / new in the same transaction.',
    body: priceInput,
    reply: z.object({ priceUsd: decimal }),
    errors: ['conflict', 'amount_invalid'],
  },
  pause: {
    summary: 'Pauses the sale with a public reason, or resumes it, if nobody did either meanwhile.',
    body: z.object({
      paused: z.boolean(),
      /** The pause as the operator saw it. It needs no revision, so that other changes never block it. */
      previousPausedAt: instant.nullable(),
      reason: wholeTextsOf(z.string().max(500)).optional(),
    }),
    reply: operatorCampaign,
    errors: ['reason_required', 'conflict'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorCampaignEndpoints = endpoints(operatorCampaignRoutes, operatorCampaignSchemas)
