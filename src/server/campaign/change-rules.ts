import {
  type CampaignSettings,
  givesMoneyBack,
  type StageSettings,
  shareOf,
} from '../../shared/campaign-settings.ts'
import { levelIndexHeld } from '../../shared/levels.ts'
import { compare, divide, larger, percentOf, smaller, subtract, sum } from '../../shared/money.ts'
import { settingRow, settingsLocked } from '../../shared/settings.ts'
import { refuseField } from '../invalid-input.ts'
import { refuse } from '../refusal.ts'

// Rules: OPEN-6
/** Read under the campaign's lock. */
export interface SaleState {
  /** Buyers rely on the terms (docs/rules.md, “After the first order”). */
  readonly hasOrders: boolean
  /** A delivery round was frozen: its published list fixes the token's network and contract. */
  readonly hasRounds: boolean
  /** Announced or active. */
  readonly hasEscrows: boolean
  readonly grantedTokens: string
  readonly priceUsd: string | null
  readonly stages: readonly StageFacts[]
  /** The database's time, ISO 8601 in UTC, comparable as text with a stage's times. */
  readonly now: string
}

export interface StageFacts extends StageSettings {
  readonly id: number
  readonly firstEndsAt: string | null
}

const deliveryTarget = ['chain', 'tokenContract'] as const

// Rules: TWO-16
export function isDeliveryMoved(before: CampaignSettings, after: CampaignSettings): boolean {
  return deliveryTarget.some((field) => before.delivery[field] !== after.delivery[field])
}

const locked = (path: string, rule: string): never => refuse('setting_locked', { path, rule })

// Rules: DELIVER-16, DELIVER-36
/** docs/rules.md, “After the first order” and “Before a sale opens”. */
export function refuseSettingsChange(
  before: CampaignSettings,
  after: CampaignSettings,
  state: SaleState,
): void {
  if (state.hasRounds)
    for (const field of deliveryTarget)
      if (before.delivery[field] !== after.delivery[field])
        locked(`delivery.${field}`, 'fixed once a delivery round is frozen')
  if (state.hasOrders) refuseLockedChange(before, after)
  if (state.hasEscrows && !givesMoneyBack(before) && givesMoneyBack(after))
    refuse('escrow_money_back', { path: after.moneyBackDays > 0 ? 'moneyBackDays' : 'softCapPolicy' })
  if (
    after.delivery.date !== before.delivery.date &&
    (after.delivery.date ?? state.now) < state.now.slice(0, 10)
  )
    refuseField('settings.delivery.date', 'moment_past')
  refuseImpossibleCaps(before, after, state)
  refuseGoalsAboveCap(after, state.stages)
}

// Rules: BACK-5, FIXED-1, FIXED-2, FIXED-3, FIXED-4, FIXED-5, FIXED-6
function refuseLockedChange(before: CampaignSettings, after: CampaignSettings): void {
  for (const name of settingsLocked) {
    const isAmount = settingRow(name)?.unit !== undefined
    if (isAmount ? compare(before[name], after[name]) !== 0 : before[name] !== after[name])
      locked(name, 'fixed')
  }
  const percents = (settings: CampaignSettings) =>
    JSON.stringify(settings.shares.map((share) => [share.key, divide(share.percent, '1')]).toSorted())
  if (percents(before) !== percents(after)) locked('shares', 'fixed')
  refuseWorseLevels(before, after)
  if (after.moneyBackDays < before.moneyBackDays) locked('moneyBackDays', 'only rises')
  for (const field of ['name', 'contact'] as const)
    if (after.seller[field].trim() === '') locked(`seller.${field}`, 'never empty')
  if (after.delivery.network.trim() === '') locked('delivery.network', 'never empty')
}

/** Level bonuses only rise, thresholds only fall; no balance earns less than before. */
function refuseWorseLevels(before: CampaignSettings, after: CampaignSettings): void {
  before.levels.forEach((level, index) => {
    const now = after.levels.find((candidate) => candidate.key === level.key)
    if (!now) return locked(`levels.${index}`, 'never removed')
    if (compare(now.threshold, level.threshold) > 0) locked(`levels.${index}.threshold`, 'only falls')
    if (compare(now.bonusPercent, level.bonusPercent) < 0)
      locked(`levels.${index}.bonusPercent`, 'only rises')
  })
  for (const tokens of balancesOf(before, after))
    if (compare(bonusAt(after, tokens), bonusAt(before, tokens)) < 0)
      locked('levels', `${tokens} tokens would earn a smaller bonus`)
}

// Rules: TWO-14
export function isBonusRaised(before: CampaignSettings, after: CampaignSettings): boolean {
  return balancesOf(before, after).some(
    (tokens) => compare(bonusAt(after, tokens), bonusAt(before, tokens)) > 0,
  )
}

// Rules: TWO-15
export function longerRates(before: CampaignSettings, after: CampaignSettings): Record<string, string> {
  return {
    ...(after.expiryMinutes > before.expiryMinutes && {
      expiryMinutes: `${before.expiryMinutes} → ${after.expiryMinutes}`,
    }),
    ...(after.feedRateMaxMinutes > before.feedRateMaxMinutes && {
      feedRateMaxMinutes: `${before.feedRateMaxMinutes} → ${after.feedRateMaxMinutes}`,
    }),
  }
}

export function isReferralMoreGenerous(
  before: CampaignSettings['referral'],
  after: CampaignSettings['referral'],
): boolean {
  if (after === null) return false
  return (
    before === null ||
    (['percent', 'mostTokensEach', 'mostTokens'] as const).some(
      (field) => compare(after[field], before[field]) > 0,
    ) ||
    before.countriesExcluded.some((country) => !after.countriesExcluded.includes(country))
  )
}

const bonusAt = ({ levels }: CampaignSettings, tokens: string) =>
  levels[levelIndexHeld(levels, tokens)]?.bonusPercent ?? '0'

const balancesOf = (before: CampaignSettings, after: CampaignSettings) => [
  '0',
  ...[...before.levels, ...after.levels].map(({ threshold }) => threshold),
]

/** Only for changed settings. A later price drop is checked order by order. */
function refuseImpossibleCaps(before: CampaignSettings, after: CampaignSettings, state: SaleState): void {
  const decisive = (settings: CampaignSettings) =>
    JSON.stringify([
      settings.hardCapUsd,
      shareOf(settings, settings.soldShare),
      shareOf(settings, settings.bonusShare),
      settings.levels.map((level) => level.bonusPercent),
    ])
  if (decisive(before) === decisive(after)) return
  const price = lowestPrice(state)
  // A draft may be filled in any order.
  if (price === null) {
    const share = shareOf(after, after.bonusShare)
    if (compare(share, state.grantedTokens) < 0)
      refuse('supply_reached', { path: 'bonusShare', needsTokens: state.grantedTokens, shareTokens: share })
    return
  }
  refuseCapsAbovePrice(after, price)
  refuseBonusAboveShare(after, state)
}

// Rules: OPEN-5
/** Errors: `supply_reached` if the hard cap at `priceUsd` needs more tokens than the sold share. */
export function refuseCapsAbovePrice(settings: CampaignSettings, priceUsd: string): void {
  const tokens = divide(settings.hardCapUsd, priceUsd)
  const sold = shareOf(settings, settings.soldShare)
  if (compare(tokens, sold) > 0)
    refuse('supply_reached', { path: 'hardCapUsd', needsTokens: tokens, shareTokens: sold })
}

// Rules: OPEN-5
/** Errors: `supply_reached` if the bonus share minus grants is below the highest bonus on the whole sold share. */
function refuseBonusAboveShare(settings: CampaignSettings, { grantedTokens }: SaleState): void {
  const best = settings.levels.reduce((percent, level) => larger(percent, level.bonusPercent), '0')
  const bonus = percentOf(shareOf(settings, settings.soldShare), best)
  const share = subtract(shareOf(settings, settings.bonusShare), grantedTokens)
  if (compare(bonus, share) > 0)
    refuse('supply_reached', { path: 'bonusShare', needsTokens: bonus, shareTokens: share })
}

function lowestPrice(state: SaleState): string | null {
  const prices = state.stages.filter((stage) => stage.endsAt > state.now).map((stage) => stage.priceUsd)
  if (state.priceUsd !== null) prices.push(state.priceUsd)
  return prices.length > 0 ? prices.reduce(smaller) : null
}

export function refuseGoalsAboveCap(
  settings: CampaignSettings,
  stages: readonly Pick<StageSettings, 'goalUsd'>[],
): void {
  const goals = sum(stages.map((stage) => stage.goalUsd))
  if (compare(goals, settings.hardCapUsd) > 0)
    refuse('cap_reached', { path: 'goalUsd', goalsUsd: goals, hardCapUsd: settings.hardCapUsd })
}

// Rules: OPEN-7
/**
 * Once the sale is over, no stage is added. A sale that pays back below its soft cap gets no later end, which
 * would delay the refund.
 */
export function refuseStageAdded(
  stage: StageSettings,
  state: SaleState,
  { softCapPolicy }: CampaignSettings,
): void {
  if (!state.hasOrders) return
  if (state.stages.length > 0 && state.stages.every((known) => known.endsAt <= state.now))
    locked('stages', 'the sale is over')
  if (stage.startsAt <= state.now) locked('startsAt', 'a new stage starts later than now')
  if (softCapPolicy === 'refund' && state.stages.every((known) => known.endsAt < stage.endsAt))
    locked('endsAt', 'a sale that pays back ends no later than it said')
}

// Rules: FIXED-1, FIXED-4, FIXED-5
/**
 * After the first order its goal is fixed, and its end moves once, never after it has passed. If the sale
 * gives money back, the stage never gets shorter: that would end the soft cap or the right to take back
 * early.
 */
export function refuseStageChange(
  before: StageFacts,
  after: StageSettings,
  state: SaleState,
  settings: CampaignSettings,
): void {
  const hasStarted = before.startsAt <= state.now
  if (hasStarted && compare(before.priceUsd, after.priceUsd) !== 0)
    locked('priceUsd', 'the stage has started: change the main currency value')
  if (!state.hasOrders) return
  if (compare(after.goalUsd, before.goalUsd) !== 0) locked('goalUsd', 'fixed')
  if (givesMoneyBack(settings)) {
    const rule = 'a sale that pays back sells no less than it said'
    if (after.startsAt > before.startsAt) locked('startsAt', rule)
    if (after.endsAt < before.endsAt) locked('endsAt', rule)
  }
  if (before.startsAt !== after.startsAt) {
    if (hasStarted) locked('startsAt', 'the stage has started')
    if (after.startsAt <= state.now) locked('startsAt', 'a stage starts later than now')
  }
  if (before.endsAt === after.endsAt) return
  if (before.endsAt <= state.now) locked('endsAt', 'never moves after it has passed')
  if (before.firstEndsAt !== null) locked('endsAt', 'moves once')
  if (after.endsAt <= state.now) locked('endsAt', 'an end lies later than now')
}

// Rules: TWO-13
/**
 * After the first order, not if the stage has started. If the sale gives money back, no stage can go: the
 * sale would end earlier, or sell less.
 */
export function refuseStageRemoved(stage: StageFacts, state: SaleState, settings: CampaignSettings): void {
  if (!state.hasOrders) return
  if (stage.startsAt <= state.now) locked('stages', 'the stage has started')
  if (givesMoneyBack(settings)) locked('stages', 'a sale that pays back sells no less than it said')
}
