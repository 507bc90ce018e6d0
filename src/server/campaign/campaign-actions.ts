import { z } from 'zod'
import { priceInput } from '../../shared/api/campaign-inputs.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import {
  campaignSettings,
  settingsAfter,
  settingsChange,
  settingsOf,
} from '../../shared/campaign-settings-inputs.ts'
import { isBlank } from '../../shared/languages.ts'
import { type RetentionDays, shortenedPeriods } from '../../shared/retention.ts'
import { wholeTextsOf } from '../../shared/texts-inputs.ts'
import {
  type Alone,
  type ApprovalDraft,
  declareIndependent,
  defineAction,
  type Published,
} from '../actions/actions.ts'
import { changePrice, isFar, refuseOtherPrice, standingPrices } from '../currencies/currencies.ts'
import { type Queryable, sql } from '../database/database.ts'
import { parseQuery } from '../invalid-input.ts'
import { refuse } from '../refusal.ts'
import { countOlder } from '../retention/retention.ts'
import type { Actor, UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import {
  lockCampaign,
  lockCampaignAt,
  noteCampaignChange,
  type OperatorCampaign,
  type SettingChange,
  setCapacity,
  showCampaign,
} from './campaign-lock.ts'
import {
  isBonusRaised,
  isDeliveryMoved,
  isReferralMoreGenerous,
  longerRates,
  refuseSettingsChange,
} from './change-rules.ts'
import { withPerkDates } from './perk-dates.ts'
import { stageActions } from './stage-actions.ts'

const pauseInput = z.object({
  paused: z.boolean(),
  /** As the operator saw it; other changes of the campaign don't block a pause. */
  previousPausedAt: z.string().nullable(),
  reason: wholeTextsOf(z.string()).optional(),
})
const settingsInput = z.object({ revision: z.number().int(), settings: settingsChange })
const draftInput = z.object({ settings: settingsChange })
const wholeSettings = z.object({ settings: campaignSettings })

const changedTo = (standing: CampaignSettings, change: object): CampaignSettings =>
  parseQuery(wholeSettings, { settings: settingsAfter(standing, change) }).settings

/**
 * Each change runs under the campaign's lock, is checked (`change-rules.ts`), applied to caps and goals, and
 * published.
 */
export const campaignActions = {
  ...stageActions,
  /**
   * Needs approval for a larger bonus, better referral terms, longer validity of rates, and shorter
   * retention. So does another delivery network or token contract once a buyer has named an address.
   */
  'campaign.update': defineAction({
    name: 'campaign.update',
    input: settingsInput,
    needsApproval: approvalForSettings,
    publishes: changedTexts,
    execute: updateSettings,
  }),
  /** Stores and locks nothing. */
  'campaign.preview': defineAction({ name: 'campaign.preview', input: draftInput, execute: checkDraft }),
  'campaign.one-operator': defineAction({
    name: 'campaign.one-operator',
    input: z.object({}),
    needsApproval: async (tx, input, actor) => (await approvalByOtherOwner(tx, actor)) ?? { alone: input },
    execute: letOneOperatorDecide,
  }),
  /** A value far from the current one needs approval. */
  'price.change': defineAction({
    name: 'price.change',
    input: priceInput,
    needsApproval: approvalForFarPrice,
    execute: (unit, { priceUsd, previousUsd }) =>
      changePrice(unit, { priceUsd, previousUsd, reason: 'operator' }),
  }),
  /** A pause needs a public reason. `conflict` after a concurrent pause or resume. */
  'campaign.pause': defineAction({
    name: 'campaign.pause',
    input: pauseInput,
    publishes: async (_tx, { reason }) => ({
      subject: { type: 'campaign', id: 'pause' },
      pieces: [{ now: reason, name: 'reason' }],
    }),
    execute: setPaused,
  }),
}

/** Each setting, and each item of a list, is a text; so is the delivery target (TWO-16). */
async function changedTexts(
  tx: Queryable,
  { settings: given }: z.output<typeof settingsInput>,
): Promise<Published> {
  const stored = await tx.one<{ settings: CampaignSettings }>(sql`select settings from campaign`)
  const before = piecesOf(settingsOf(stored.settings))
  const changed = changedTo(settingsOf(stored.settings), given)
  const now = piecesOf(changed)
  return {
    subject: { type: 'campaign', id: 'settings' },
    pieces: [...now].map(([key, piece]) => ({ ...piece, before: before.get(key)?.now })),
    languages: changed.languages,
  }
}

function piecesOf(settings: CampaignSettings): Map<string, { name: string; now: unknown }> {
  const all = { ...settings, delivery: { ...settings.delivery, tokenContract: null } }
  return new Map(
    Object.entries(all).flatMap(([key, value]): [string, { name: string; now: unknown }][] =>
      Array.isArray(value)
        ? value.map((item: unknown, at) => [
            `${key} ${keyOf(item) ?? at}`,
            { name: `${key}.${at}`, now: item },
          ])
        : [[key, { name: key, now: value }]],
    ),
  )
}

const keyOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'key' in item ? item.key : undefined

async function updateSettings(
  unit: UnitOfWork,
  { revision, settings: given }: z.output<typeof settingsInput>,
): Promise<OperatorCampaign> {
  const state = await lockCampaignAt(unit, revision)
  const settings = withPerkDates(state.settings, changedTo(state.settings, given), state.now)
  const changed = changedSettings(state.settings, settings)
  if (changed.length === 0) return showCampaign(unit)
  refuseSettingsChange(state.settings, settings, state)
  if (settings.secondOperator && !state.settings.secondOperator) await beginDualControl(unit)
  await refuseUnknownLogo(unit, state.settings, settings)
  await unit.query(sql`update campaign set settings = ${JSON.stringify(settings)}, revision = revision + 1`)
  await setCapacity(unit, settings)
  await noteCampaignChange(unit, 'campaign.update', 'settings', changed)
  return showCampaign(unit)
}

async function checkDraft(
  unit: UnitOfWork,
  { settings: given }: z.output<typeof draftInput>,
): Promise<{ settings: CampaignSettings }> {
  const standing = await showCampaign(unit)
  const changed = changedTo(standing.settings, given)
  const settings = withPerkDates(standing.settings, changed, new Date().toISOString())
  const { logoUploadId } = settings.brand
  if (logoUploadId !== null && logoUploadId !== standing.settings.brand.logoUploadId) {
    const known = await unit.maybeOne(
      sql`select 1 from uploads where name = ${logoUploadId} and media_type like 'image/%'`,
    )
    if (!known) refuse('upload_unknown')
  }
  return { settings }
}

// Rules: TWO-12
/** Only owners may confirm for an owner, so dual control begins with two independent ones. */
async function beginDualControl(unit: UnitOfWork): Promise<void> {
  if ((await declareIndependent(unit)) < 2) refuse('two_owners_needed')
}

/** A value other than the one compared is a `conflict` at execution. */
async function approvalForFarPrice(
  tx: Queryable,
  { priceUsd, previousUsd }: z.output<typeof priceInput>,
): Promise<ApprovalDraft | Alone<z.output<typeof priceInput>>> {
  const standing = await standingPrices(tx)
  const stands = standing.at(-1) ?? null
  refuseOtherPrice(previousUsd, stands)
  const asItStands = { priceUsd, previousUsd: stands }
  if (!isFar(priceUsd, standing)) return { alone: asItStands }
  return {
    subject: { type: 'campaign', id: 'price' },
    summary: { before: stands ?? '', usd: priceUsd },
    keep: { input: asItStands },
  }
}

async function letOneOperatorDecide(unit: UnitOfWork): Promise<OperatorCampaign> {
  const { revision, settings } = await lockCampaign(unit)
  return updateSettings(unit, { revision, settings: { ...settings, secondOperator: false } })
}

// Rules: TWO-14, TWO-15, TWO-16
/**
 * Turning dual control off waits alone; the rest of the form is dropped. If anything else needs approval, the
 * whole form waits, at its revision.
 */
async function approvalForSettings(
  tx: Queryable,
  input: z.output<typeof settingsInput>,
  actor: Actor,
): Promise<ApprovalDraft | Alone<z.output<typeof settingsInput>>> {
  const { revision, settings: given } = input
  const stored =
    (await tx.maybeOne<{ revision: number; settings: CampaignSettings }>(
      sql`select revision, settings from campaign`,
    )) ?? refuse('not_found')
  const before = settingsOf(stored.settings)
  if (stored.revision !== revision) refuse('conflict', { current: await showCampaign(tx) })
  const settings = changedTo(before, given)
  if (!settings.secondOperator) {
    const waiting = await approvalByOtherOwner(tx, actor)
    return waiting ? { ...waiting, keep: { action: 'campaign.one-operator', input: {} } } : { alone: input }
  }
  const summary = {
    ...(isBonusRaised(before, settings) ? { before: bonusText(before), bonus: bonusText(settings) } : {}),
    ...(isReferralMoreGenerous(before.referral, settings.referral)
      ? rewardOf(before.referral, settings.referral)
      : {}),
    ...(isDeliveryMoved(before, settings) && (await hasAddresses(tx)) ? targetOf(settings) : {}),
    ...longerRates(before, settings),
    ...(await shortenedOf(tx, before.retention, settings.retention)),
  }
  if (Object.keys(summary).length === 0) return { alone: input }
  return { subject: { type: 'campaign', id: 'settings' }, summary }
}

// Rules: TWO-17
/** By period, `30 → 7 (120)`: days before and after, and the rows deleted at once. Deletion is final. */
async function shortenedOf(
  tx: Queryable,
  before: RetentionDays,
  after: RetentionDays,
): Promise<Record<string, string>> {
  const shortened = shortenedPeriods(before, after)
  const older = await countOlder(tx, after, shortened)
  return Object.fromEntries(
    shortened.map((period) => [period, `${before[period]} → ${after[period]} (${older[period]})`]),
  )
}

const rewardOf = (before: CampaignSettings['referral'], after: CampaignSettings['referral']) => ({
  referral: [before, after].flatMap((terms) => (terms ? [rewardText(terms)] : [])).join(' → '),
})
const rewardText = (terms: NonNullable<CampaignSettings['referral']>) =>
  [
    `${terms.percent} %, ≤ ${terms.mostTokensEach}, ≤ ${terms.mostTokens}`,
    ...(terms.countriesExcluded.length > 0 ? [`✕ ${terms.countriesExcluded.join(' ')}`] : []),
  ].join(', ')

const targetOf = ({ delivery }: CampaignSettings) => ({
  network: delivery.chain ?? '',
  contract: delivery.tokenContract ?? '',
})

async function hasAddresses(tx: Queryable): Promise<boolean> {
  const { any } = await tx.one<{ any: boolean }>(
    sql`select exists (select 1 from delivery_addresses where withdrawn_at is null) as any`,
  )
  return any
}

/** `40: 5 %, 200: 7 %`: from this many tokens on. */
const bonusText = ({ levels }: CampaignSettings) =>
  levels.map(({ threshold, bonusPercent }) => `${threshold}: ${bonusPercent} %`).join(', ')

// Rules: TWO-9
/** Null without another owner: nobody could confirm. */
async function approvalByOtherOwner(tx: Queryable, actor: Actor): Promise<ApprovalDraft | null> {
  const others = await tx.one<{ any: boolean }>(
    sql`select exists (select 1 from operators where role = 'owner' and id <> ${actor.operatorId}
                          and disabled_at is null and password_hash is not null) as any`,
  )
  return others.any ? { subject: { type: 'campaign', id: 'secondOperator' }, summary: {} } : null
}

// Rules: STAGE-6
async function setPaused(
  unit: UnitOfWork,
  { paused, previousPausedAt, reason }: z.output<typeof pauseInput>,
): Promise<OperatorCampaign> {
  if (paused && (!reason || isBlank(reason))) refuse('reason_required')
  const state = await lockCampaign(unit)
  if (state.pausedAt !== previousPausedAt) refuse('conflict', { current: await showCampaign(unit) })
  if (!paused && state.pausedAt === null) return showCampaign(unit)
  await unit.query(
    sql`update campaign set paused_at = case when ${paused} then coalesce(paused_at, clock_timestamp()) end,
               pause_reason = case when ${paused} then ${JSON.stringify(reason ?? null)}::jsonb end`,
  )
  await noteCampaignChange(unit, paused ? 'campaign.pause' : 'campaign.resume', 'pause', [
    ['paused', state.pausedAt ? { reason: state.pauseReason } : null, paused ? { reason } : null],
  ])
  return showCampaign(unit)
}

/** Locks the file until commit, so that the cleanup job leaves it. */
async function refuseUnknownLogo(
  tx: Queryable,
  before: CampaignSettings,
  after: CampaignSettings,
): Promise<void> {
  const { logoUploadId } = after.brand
  if (logoUploadId === null || logoUploadId === before.brand.logoUploadId) return
  const known = await tx.maybeOne(
    sql`select 1 from uploads where name = ${logoUploadId} and media_type like 'image/%' for key share`,
  )
  if (!known) refuse('upload_unknown')
}

function changedSettings(before: CampaignSettings, after: CampaignSettings): SettingChange[] {
  return (Object.keys(after) as (keyof CampaignSettings)[])
    .filter((key) => canonical(before[key]) !== canonical(after[key]))
    .map((key) => [key, before[key], after[key]])
}

/** Sorts keys, which jsonb reorders. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
