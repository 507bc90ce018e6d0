import type { OperatorCampaign } from '../../shared/api/campaign.ts'
import type { AuditAction } from '../../shared/audit-actions.ts'
import type { SettingValues } from '../../shared/audit-fields.ts'
import {
  type CampaignSettings,
  type LocalText,
  type StageSettings,
  shareOf,
} from '../../shared/campaign-settings.ts'
import { settingsOf } from '../../shared/campaign-settings-inputs.ts'
import type { Name, PublicLocale, Texts } from '../../shared/languages.ts'
import { trimZeros } from '../../shared/money.ts'
import { nameOf, plainName } from '../../shared/names.ts'
import { advisedBeforeSale, missingBeforeSale } from '../../shared/sale-readiness.ts'
import { settingRow, settingRows } from '../../shared/settings.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { say, textsOf } from '../texts.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import type { SaleState, StageFacts } from './change-rules.ts'
import { pauseReasonOf, readCampaign } from './read-campaign.ts'

export type { OperatorCampaign }

export interface LockedCampaign extends SaleState {
  readonly revision: number
  readonly settings: CampaignSettings
  readonly pausedAt: string | null
  readonly pauseReason: Texts | null
  readonly stages: readonly StageFacts[]
}

export type SettingChange = readonly [setting: string, before: unknown, after: unknown]

const PRIVATE_SETTINGS: readonly string[] = Object.keys(settingRows).filter(
  (name) => settingRow(name)?.isPrivate,
)

export async function showCampaign(tx: Queryable): Promise<OperatorCampaign> {
  const current = await readCampaign(tx)
  const own = await tx.one<{ revision: number; locked: boolean; unopened: boolean; currencies: number }>(
    sql`select c.revision, exists (select from orders) as locked, c.paused_at is not null and c.pause_reason is null as unopened,
               (select count(*)::integer from currencies where switched_off_at is null) as currencies
          from campaign c`,
  )
  return {
    settings: current.settings,
    revision: own.revision,
    priceUsd: current.priceUsd,
    stages: current.stages.map((stage) => ({ ...stage, endMoved: stage.firstEndsAt !== null })),
    nextStageName: stageNumbered(current.stages.length + 1, current.settings.languages),
    pausedAt: current.pausedAt,
    pauseReason: current.pauseReason,
    unopened: own.unopened,
    locked: own.locked,
    missing: missingBeforeSale(current.settings, {
      priceUsd: current.priceUsd,
      legalVersions: current.legalVersions,
      stagesToCome: current.stages.filter((stage) => stage.endsAt > current.serverTime).length,
      currencies: own.currencies,
    }),
    advised: advisedBeforeSale(current.settings, current),
  }
}

/** A stage's number, in the site's languages. */
const stageNumbered = (number: number, languages: readonly PublicLocale[]): Name =>
  nameOf(textsOf(languages, (language) => say(language, 'campaign.stage', { number })))

/** Locks the campaign's row, then the pools (so that no grant is posted meanwhile), then the stages' rows. */
export async function lockCampaign(tx: Queryable): Promise<LockedCampaign> {
  const row =
    (await tx.maybeOne<{
      revision: number
      settings: CampaignSettings
      price_usd: string | null
      paused_at: string | null
      pause_reason: Texts | null
      now: string
    }>(
      sql`select revision, settings, price_usd, to_json(paused_at at time zone 'UTC') #>> '{}' || 'Z' as paused_at,
                 pause_reason,
                 to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now
            from campaign for update`,
    )) ?? refuse('not_found')
  await tx.query(sql`select lock_pools()`)
  const facts = await tx.one<{
    has_orders: boolean
    has_rounds: boolean
    has_escrows: boolean
    granted_tokens: string
  }>(
    sql`select exists (select 1 from orders) as has_orders, exists (select 1 from delivery_round_files) as has_rounds,
               exists (select 1 from escrow_plans where state <> 'withdrawn') as has_escrows,
               coalesce((select granted_tokens from campaign_capacity), 0) as granted_tokens`,
  )
  return {
    revision: row.revision,
    settings: settingsOf(row.settings),
    priceUsd: row.price_usd,
    pausedAt: row.paused_at,
    pauseReason: pauseReasonOf(row),
    now: row.now,
    hasOrders: facts.has_orders,
    hasRounds: facts.has_rounds,
    hasEscrows: facts.has_escrows,
    grantedTokens: facts.granted_tokens,
    stages: await lockStages(tx),
  }
}

async function lockStages(tx: Queryable): Promise<StageFacts[]> {
  const stages = await tx.query<{
    id: number
    name: Name
    goal_usd: string
    price_usd: string
    starts_at: Date
    ends_at: Date
    first_ends_at: Date | null
  }>(
    sql`select id, coalesce(names, to_jsonb(name)) as name, goal_usd, price_usd, starts_at, ends_at, first_ends_at
          from stages order by id for no key update`,
  )
  return stages.map((stage) => ({
    id: stage.id,
    firstEndsAt: stage.first_ends_at?.toISOString() ?? null,
    ...normalStage({
      name: stage.name,
      goalUsd: stage.goal_usd,
      priceUsd: stage.price_usd,
      startsAt: stage.starts_at.toISOString(),
      endsAt: stage.ends_at.toISOString(),
    }),
  }))
}

// Rules: STAGE-12
export async function lockCampaignAt(unit: UnitOfWork, revision: number): Promise<LockedCampaign> {
  const state = await lockCampaign(unit)
  if (state.revision !== revision) refuse('conflict', { current: await showCampaign(unit) })
  return state
}

/** Equal values become equal strings. */
export function normalStage(stage: StageSettings): StageSettings {
  return {
    name: nameOf(stage.name),
    goalUsd: trimZeros(stage.goalUsd),
    priceUsd: trimZeros(stage.priceUsd),
    startsAt: new Date(stage.startsAt).toISOString(),
    endsAt: new Date(stage.endsAt).toISOString(),
  }
}

/** The plain name is for files. */
export const nameInRow = (name: Name) => ({
  name: plainName(name),
  names: typeof name === 'string' ? null : JSON.stringify(name),
})

export async function setCapacity(tx: Queryable, settings: CampaignSettings): Promise<void> {
  await tx.query(
    sql`select set_capacity(${settings.hardCapUsd}, ${shareOf(settings, settings.soldShare)},
                            ${shareOf(settings, settings.bonusShare)})`,
  )
}

/** The transparency log begins with them. */
export interface PublicTerms {
  readonly priceUsd: string | null
  readonly settings: Readonly<Record<string, unknown>>
  readonly stages: readonly (StageSettings & { readonly id: number })[]
}

/** Under the lock of every change. */
export async function lockPublicTerms(tx: Queryable): Promise<PublicTerms> {
  const { settings, priceUsd, stages } = await lockCampaign(tx)
  const shown = Object.entries(settings).filter(([name]) => !PRIVATE_SETTINGS.includes(name))
  return {
    priceUsd: priceUsd && trimZeros(priceUsd),
    settings: Object.fromEntries(shown),
    stages: stages.map(({ id, name, goalUsd, priceUsd: opening, startsAt, endsAt }) => ({
      id,
      name,
      goalUsd,
      priceUsd: opening,
      startsAt,
      endsAt,
    })),
  }
}

// Rules: STAGE-10
/** Publishes, audits and sends the event. */
export async function noteCampaignChange(
  unit: UnitOfWork,
  action: AuditAction,
  subjectId: string,
  changes: readonly SettingChange[],
): Promise<void> {
  const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))
  for (const [setting, before, after] of changes)
    if (!PRIVATE_SETTINGS.includes(setting))
      await unit.query(
        sql`insert into campaign_changes (setting, before, after, operator_id)
            values (${setting}, ${json(before)}, ${json(after)}, ${unit.actor.operatorId})`,
      )
  await unit.audit(
    action,
    { type: 'campaign', id: subjectId },
    {
      before: auditedOf(changes.map(([setting, before]) => [setting, before])),
      after: auditedOf(changes.map(([setting, , after]) => [setting, after])),
    },
  )
  await unit.tell('campaign_changed', { fields: changes.map(([setting]) => setting) })
}

type Audited = SettingValues<
  Partial<CampaignSettings | StageFacts> & { readonly paused?: { readonly reason: LocalText } }
>

/** Settings by name; of a stage, the entry's subject, its fields. */
function auditedOf(values: readonly (readonly [setting: string, value: unknown])[]): Audited {
  const fields: unknown = Object.fromEntries(
    values.flatMap(([setting, value]) => {
      const [head, , field] = setting.split('.')
      if (head !== 'stages') return [[setting, value]]
      return field ? [[field, value]] : Object.entries(value ?? {})
    }),
  )
  return fields as Audited
}
