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

/** A stage as anyone may see it, with the figures that the ledger gives for it. */
export const publicStage = z.object({
  id: z.number().int(),
  name: keptName,
  goalUsd: decimal,
  priceUsd: decimal,
  startsAt: instant,
  endsAt: instant,
  /** The end that stood here before it was moved, once; stays beside the countdown. */
  firstEndsAt: instant.nullable(),
  state: z.enum(stageStates),
  raisedUsd: decimal,
  raisedOnChainUsd: decimal,
  raisedByOperatorUsd: decimal,
  /** Per cent of the goal, rounded down, so that 100 means full; below 1 with two decimals. */
  progressPercent: decimal,
  purchasedTokens: decimal,
  bonusTokens: decimal,
})

/** Raised net of reversals on one day (UTC). */
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
  /** Dollars for one token; null while no price is set. */
  priceUsd: decimal.nullable(),
  pausedAt: instant.nullable(),
  pauseReason: wholeTextsOf(z.string()).nullable(),
  /** Whether a sale that pays back below its soft cap reached it, and what was raised by then; null before that is decided, once. */
  softCapVerdict: z
    .object({
      verdict: z.enum(softCapVerdicts),
      at: instant,
      raisedUsd: decimal,
      raisedOnChainUsd: decimal,
      raisedByOperatorUsd: decimal,
    })
    .nullable(),
  /** What the verdict waits for once the last stage is over; null before that, and once there is a verdict. */
  softCapWaitsFor: z
    .object({
      /** Operators approve what was paid to fixed addresses until then. */
      approvalsUntil: instant,
      /** Chains that are not read up to 3 hours after the end. */
      chains: z.array(z.enum(networks)),
      /** Payments in blocks up to then that are neither counted nor gone. */
      payments: z.number().int(),
      /** The verdict comes then at the latest. */
      latestAt: instant,
    })
    .nullable(),
  /** The stage that is open, else the next one, else the last one; null where there is none. */
  stage: publicStage.nullable(),
  stages: z.array(publicStage),
  raised: z.object({
    usd: decimal,
    onChainUsd: decimal,
    byOperatorUsd: decimal,
    /** Of all that is raised, what buyers may still take back. */
    takeableUsd: decimal,
  }),
  purchasedTokens: decimal,
  bonusTokens: decimal,
  grantedTokens: decimal,
  refundsOwedUsd: decimal,
  approvedOrders: z.object({ onChain: z.number().int(), byOperator: z.number().int() }),
  /** What new orders may still take of the current stage: the least that its goal, the hard cap and the tokens for sale leave. */
  leftTokens: decimal,
  /** How many minutes operators took from a payment to its approval: the median of the last 20; null where there are fewer than 3. */
  approvalMinutes: z.number().int().nullable(),
  days: z.array(raisedDay),
  /** What hands out tokens or has a date for it, the earliest first: delivery rounds that are not cancelled, escrows that do not refund. */
  deliveries: z.array(
    z.object({
      /** Null for an escrow, which has the name of its stage. */
      round: z.number().int().nullable(),
      stage: keptName.nullable(),
      /** Whether its contract holds the tokens and lets them be claimed as they unlock. */
      isLive: z.boolean(),
      /** When the first tokens unlock; of an escrow that is not delivered yet, the last moment for that. */
      at: instant,
      /** When all of its tokens are unlocked; null while that is not fixed. */
      unlockedBy: instant.nullable(),
    }),
  ),
  legalVersions: z.object({ terms: z.number().int(), risks: z.number().int(), privacy: z.number().int() }),
  /** Verifier key of the public journal (docs/journal.md); null before its beginning. */
  journalKey: z.string().nullable(),
  /** By the database's clock, so that a countdown does not trust the visitor's. */
  serverTime: instant,
  computedAt: instant,
})

export const priceChange = z.object({
  priceUsd: decimal,
  previousUsd: decimal.nullable(),
  at: instant,
  reason: z.string(),
})

/** One changed setting: `hardCapUsd`, `levels`, `stages.1.endsAt`, `paused`, … with what stood there before and after. */
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
  /** The sale waits for its first opening. */
  unopened: z.boolean(),
  /** What a new stage is called until its operator names it. */
  nextStageName: keptName,
  /** From the first approved order on only some changes are allowed. */
  locked: z.boolean(),
  /** What is missing before the sale can open, as setting paths. */
  missing: z.array(z.string()),
  /** What a sale can open without although its visitors would miss it, as setting paths. */
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
      /** `pausedAt` as the operator saw it. A pause needs no revision, so that other changes of the campaign never stop it. */
      previousPausedAt: instant.nullable(),
      reason: wholeTextsOf(z.string().max(500)).optional(),
    }),
    reply: operatorCampaign,
    errors: ['reason_required', 'conflict'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorCampaignEndpoints = endpoints(operatorCampaignRoutes, operatorCampaignSchemas)
