import type { CampaignChange, OperatorCampaign } from '../../shared/api/campaign.ts'
import type { AuditAction } from '../../shared/audit-actions.ts'
import { type CampaignSettings, type StageSettings, shareOf } from '../../shared/campaign-settings.ts'
import { trimZeros } from '../../shared/money.ts'
import { advisedBeforeSale, missingBeforeSale } from '../../shared/sale-readiness.ts'
import { recordAudit } from '../audit/audit.ts'
import { changePrice } from '../currencies/currencies.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import {
  refuseCapsAbovePrice,
  refuseGoalsAboveCap,
  refuseSettingsChange,
  refuseStageAdded,
  refuseStageChange,
  refuseStageRemoved,
  type SaleState,
  type StageFacts,
} from './change-rules.ts'
import { readCampaign } from './read-campaign.ts'

export interface Editor {
  readonly operatorId: string | null
  readonly requestId?: string | null
}

export interface PauseChange {
  readonly paused: boolean
  /** `pausedAt` as it was when this was decided. */
  readonly previousPausedAt: string | null
  readonly reason?: { en: string; ru: string } | undefined
}

/**
 * Changes of the campaign. Each is one transaction under the campaign's lock: checked against what is held, put in force
 * for caps and goals, dated in the public history, audited. What the rules refuse is in `change-rules.ts`.
 */
export interface EditCampaign {
  show(): Promise<OperatorCampaign>
  /** Replaces the settings. Refuses `conflict` (details.current: the document as it is now), then the rules' own codes. */
  update(revision: number, settings: CampaignSettings, editor: Editor): Promise<OperatorCampaign>
  addStage(stage: StageSettings, editor: Editor): Promise<OperatorCampaign>
  updateStage(id: number, revision: number, stage: StageSettings, editor: Editor): Promise<OperatorCampaign>
  removeStage(id: number, revision: number, editor: Editor): Promise<OperatorCampaign>
  /** Main currency value; rescales every rate. Refuses `conflict`, `amount_invalid`. */
  setPrice(
    change: { priceUsd: string; previousUsd?: string | null | undefined },
    editor: Editor,
  ): Promise<{ priceUsd: string }>
  /** Pauses with a public reason (else `reason_required`), or resumes. Refuses `conflict` where somebody did either meanwhile. */
  setPaused(change: PauseChange, editor: Editor): Promise<OperatorCampaign>
  /** The public history of what buyers rely on, newest first. */
  changes(): Promise<CampaignChange[]>
  /** For a job: gives the main currency the value of a stage that has begun. Returns whether one had. */
  applyStagePrice(): Promise<boolean>
}

/** Settings that concern how pages look and nothing that a buyer relies on: changed without a line in the public history. */
const PRIVATE_SETTINGS: readonly (keyof CampaignSettings)[] = [
  'tagline',
  'brand',
  'operatorUtcOffsetMinutes',
  'orderDefaultTokens',
  'exchangeVideoUrl',
]

const SHOW = statement(
  'edit_campaign_show',
  `select c.revision, c.first_approved_at is not null as locked,
          (select count(*)::integer from currencies where switched_off_at is null) as currencies
     from campaign c`,
)
const LOCK = statement(
  'edit_campaign_lock',
  `select revision, settings, price_usd, to_json(paused_at at time zone 'UTC') #>> '{}' || 'Z' as paused_at, pause_reason, first_approved_at is not null as locked,
          to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now
     from campaign for update`,
)
const FACTS = statement(
  'edit_campaign_facts',
  `select exists (select 1 from orders) as has_orders,
          coalesce((select sum(usd) from orders where held or status = 'approved'), 0) as held_usd`,
)
const STAGES = statement(
  'edit_campaign_stages',
  'select id, name, goal_usd, price_usd, starts_at, ends_at, first_ends_at from stages order by id for no key update',
)
const SAVE = statement('edit_campaign_save', 'update campaign set settings = $1, revision = revision + 1')
const TOUCH = statement('edit_campaign_touch', 'update campaign set revision = revision + 1')
const CHANGE = statement(
  'edit_campaign_change',
  'insert into campaign_changes (setting, before, after, operator_id) values ($1, $2, $3, $4)',
)
const TELL = statement(
  'edit_campaign_tell',
  `insert into outbox (kind, payload) values ('campaign_changed', $1)`,
)
const LOGO = statement(
  'edit_campaign_logo',
  `select 1 from uploads where name = $1 and media_type like 'image/%' for key share`,
)
const SET_CAPACITY = statement('edit_campaign_set_capacity', 'select set_capacity($1, $2, $3) as refusal')
const ADD_STAGE = statement(
  'edit_campaign_add_stage',
  'insert into stages (name, goal_usd, price_usd, starts_at, ends_at) values ($1, $2, $3, $4, $5) returning id',
)
const UPDATE_STAGE = statement(
  'edit_campaign_update_stage',
  `update stages set name = $2, goal_usd = $3, price_usd = $4, starts_at = $5, ends_at = $6, first_ends_at = $7 where id = $1`,
)
const OVERLAPS = statement(
  'edit_campaign_overlaps',
  `select name from stages where tstzrange(starts_at, ends_at) && tstzrange($1, $2) and id is distinct from $3::integer limit 1`,
)
/** Quotes and orders that are being made wait for this, so that the look for them below misses none. */
const LOCK_STAGE = statement('edit_campaign_lock_stage', 'select 1 from stages where id = $1 for update')
const STAGE_IN_USE = statement(
  'edit_campaign_stage_in_use',
  `select exists (select 1 from orders where stage_id = $1) or exists (select 1 from quotes where stage_id = $1) as used`,
)
/** The stage's capacity goes back before its rows go with it. */
const CALL_IN = statement('edit_campaign_call_in', 'select lock_pools(), call_in_slots()')
const REMOVE_STAGE = statement('edit_campaign_remove_stage', 'delete from stages where id = $1')
const PAUSE = statement(
  'edit_campaign_pause',
  `update campaign set paused_at = case when $1 then coalesce(paused_at, clock_timestamp()) end,
          pause_reason = case when $1 then $2::jsonb end`,
)
const CHANGES = statement(
  'edit_campaign_changes',
  'select setting, before, after, changed_at from campaign_changes order by id desc limit 500',
)
const STAGE_BEGUN = statement(
  'edit_campaign_stage_begun',
  `select id, name, price_usd from stages
    where price_applied_at is null and starts_at <= clock_timestamp() and ends_at > clock_timestamp() limit 1`,
)
const STAGE_APPLIED = statement(
  'edit_campaign_stage_applied',
  'update stages set price_applied_at = clock_timestamp() where id = $1',
)

interface Locked extends SaleState {
  readonly revision: number
  readonly settings: CampaignSettings
  readonly pausedAt: string | null
  readonly pauseReason: { en: string; ru: string } | null
  readonly stages: readonly StageFacts[]
}

export function createEditCampaign({
  db,
  hintOutbox,
}: {
  db: Database
  hintOutbox: () => void
}): EditCampaign {
  const show = () =>
    db.transaction((tx) => showCampaign(tx), { isolation: 'repeatable read', readOnly: true })

  /** Runs a change under the lock and answers what the campaign is then. */
  const change = async <T>(work: (tx: Queryable, state: Locked) => Promise<T>): Promise<T> => {
    const result = await db.transaction(async (tx) => work(tx, await lockCampaign(tx)))
    hintOutbox()
    return result
  }

  const applyStagePrice = async () => {
    if (!(await db.maybeOne(STAGE_BEGUN))) return false
    await change(async (tx) => {
      const stage = await tx.maybeOne<{ id: number; name: string; price_usd: string }>(STAGE_BEGUN)
      if (!stage) return
      await tx.query(STAGE_APPLIED, [stage.id])
      await changePrice(tx, { priceUsd: stage.price_usd, reason: `stage: ${stage.name}`, operatorId: null })
    })
    return true
  }

  return {
    show,

    async update(revision, settings, editor) {
      const isCurrent = await change(async (tx, state) => {
        if (state.revision !== revision) return false
        const changed = changedSettings(state.settings, settings)
        if (changed.length === 0) return true
        refuseSettingsChange(state.settings, settings, state)
        await refuseUnknownLogo(tx, state.settings, settings)
        await tx.query(SAVE, [JSON.stringify(settings)])
        await putInForce(tx, settings)
        await note(tx, editor, 'campaign.update', 'settings', changed)
        return true
      })
      return isCurrent ? show() : refuse('conflict', { current: await show() })
    },

    async addStage(input, editor) {
      const stage = normalStage(input)
      await change(async (tx, state) => {
        await refuseOverlap(tx, stage, null)
        refuseStageAdded(stage, state)
        refuseGoalsAboveCap(state.settings, [...state.stages, stage])
        if (!state.isLocked) refuseCapsAbovePrice(state.settings, stage.priceUsd)
        const { id } = await tx.one<{ id: number }>(ADD_STAGE, stageValues(stage))
        await tx.query(TOUCH)
        await putInForce(tx, state.settings)
        await note(tx, editor, 'stage.add', String(id), [[`stages.${id}`, undefined, stage]])
      })
      await applyStagePrice()
      return show()
    },

    async updateStage(id, revision, stage, editor) {
      const isCurrent = await change(async (tx, state) => {
        const before = state.stages.find((candidate) => candidate.id === id) ?? refuse('not_found')
        if (state.revision !== revision) return false
        const after = normalStage(stage)
        refuseStageChange(before, after, state)
        await refuseOverlap(tx, after, id)
        refuseGoalsAboveCap(
          state.settings,
          state.stages.map((candidate) => (candidate.id === id ? after : candidate)),
        )
        if (!state.isLocked && before.priceUsd !== after.priceUsd)
          refuseCapsAbovePrice(state.settings, after.priceUsd)
        const fields = (['name', 'goalUsd', 'priceUsd', 'startsAt', 'endsAt'] as const).filter(
          (field) => before[field] !== after[field],
        )
        if (fields.length === 0) return true
        // The end as it was first announced stays beside the countdown; before the first approved order none was relied on.
        const firstEndsAt =
          state.isLocked && before.endsAt !== after.endsAt ? before.endsAt : before.firstEndsAt
        await tx.query(UPDATE_STAGE, [id, ...stageValues(after), firstEndsAt])
        await tx.query(TOUCH)
        await putInForce(tx, state.settings)
        await note(
          tx,
          editor,
          'stage.update',
          String(id),
          fields.map((field) => [`stages.${id}.${field}`, before[field], after[field]]),
        )
        return true
      })
      if (!isCurrent) refuse('conflict', { current: await show() })
      await applyStagePrice()
      return show()
    },

    async removeStage(id, revision, editor) {
      const isCurrent = await change(async (tx, state) => {
        const stage = state.stages.find((candidate) => candidate.id === id) ?? refuse('not_found')
        if (state.revision !== revision) return false
        refuseStageRemoved(stage, state)
        await tx.query(LOCK_STAGE, [id])
        if ((await tx.one<{ used: boolean }>(STAGE_IN_USE, [id])).used) refuse('stage_in_use')
        await tx.query(CALL_IN)
        await tx.query(REMOVE_STAGE, [id])
        await tx.query(TOUCH)
        await putInForce(tx, state.settings)
        await note(tx, editor, 'stage.remove', String(id), [[`stages.${id}`, stage, undefined]])
        return true
      })
      return isCurrent ? show() : refuse('conflict', { current: await show() })
    },

    async setPrice({ priceUsd, previousUsd }, { operatorId, requestId }) {
      const changed = await db.transaction((tx) =>
        changePrice(tx, { priceUsd, previousUsd, reason: 'operator', operatorId, requestId }),
      )
      hintOutbox()
      return changed
    },

    async setPaused({ paused, previousPausedAt, reason }, editor) {
      if (paused && !reason?.en.trim() && !reason?.ru.trim()) refuse('reason_required')
      const isCurrent = await change(async (tx, state) => {
        if (state.pausedAt !== previousPausedAt) return false
        if (!paused && state.pausedAt === null) return true
        await tx.query(PAUSE, [paused, JSON.stringify(reason ?? null)])
        await note(tx, editor, paused ? 'campaign.pause' : 'campaign.resume', 'pause', [
          ['paused', state.pausedAt ? { reason: state.pauseReason } : null, paused ? { reason } : null],
        ])
        return true
      })
      return isCurrent ? show() : refuse('conflict', { current: await show() })
    },

    async changes() {
      const rows = await db.query<{ setting: string; before: unknown; after: unknown; changed_at: Date }>(
        CHANGES,
      )
      return rows.map(({ changed_at, ...row }) => ({ ...row, at: changed_at.toISOString() }))
    },

    applyStagePrice,
  }
}

async function showCampaign(tx: Queryable): Promise<OperatorCampaign> {
  const current = await readCampaign(tx)
  const own = await tx.one<{ revision: number; locked: boolean; currencies: number }>(SHOW)
  return {
    settings: current.settings,
    revision: own.revision,
    priceUsd: current.priceUsd,
    stages: current.stages.map((stage) => ({ ...stage, endMoved: stage.firstEndsAt !== null })),
    pausedAt: current.pausedAt,
    pauseReason: current.pauseReason,
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

/** The campaign's row first, then the stages', as everybody who changes them locks. */
async function lockCampaign(tx: Queryable): Promise<Locked> {
  const row =
    (await tx.maybeOne<{
      revision: number
      settings: CampaignSettings
      price_usd: string | null
      paused_at: string | null
      pause_reason: { en: string; ru: string } | null
      locked: boolean
      now: string
    }>(LOCK)) ?? refuse('not_found')
  const stages = await tx.query<{
    id: number
    name: string
    goal_usd: string
    price_usd: string
    starts_at: Date
    ends_at: Date
    first_ends_at: Date | null
  }>(STAGES)
  const facts = await tx.one<{ has_orders: boolean; held_usd: string }>(FACTS)
  return {
    revision: row.revision,
    settings: row.settings,
    priceUsd: row.price_usd,
    pausedAt: row.paused_at,
    pauseReason: row.pause_reason,
    isLocked: row.locked,
    now: row.now,
    hasOrders: facts.has_orders,
    heldUsd: facts.held_usd,
    stages: stages.map((stage) => ({
      id: stage.id,
      firstEndsAt: stage.first_ends_at?.toISOString() ?? null,
      ...normalStage({
        name: stage.name,
        goalUsd: stage.goal_usd,
        priceUsd: stage.price_usd,
        startsAt: stage.starts_at.toISOString(),
        endsAt: stage.ends_at.toISOString(),
      }),
    })),
  }
}

/** One way to write each value, so that equal ones are equal as text. */
function normalStage(stage: StageSettings): StageSettings {
  return {
    name: stage.name,
    goalUsd: trimZeros(stage.goalUsd),
    priceUsd: trimZeros(stage.priceUsd),
    startsAt: new Date(stage.startsAt).toISOString(),
    endsAt: new Date(stage.endsAt).toISOString(),
  }
}

function stageValues(stage: StageSettings): unknown[] {
  return [stage.name, stage.goalUsd, stage.priceUsd, stage.startsAt, stage.endsAt]
}

async function refuseOverlap(tx: Queryable, stage: StageSettings, exceptId: number | null): Promise<void> {
  const other = await tx.maybeOne<{ name: string }>(OVERLAPS, [stage.startsAt, stage.endsAt, exceptId])
  if (other) refuse('stages_overlap', { stage: other.name })
}

/** The file is held until the change is in force, so that the job that deletes unnamed files leaves it. */
async function refuseUnknownLogo(
  tx: Queryable,
  before: CampaignSettings,
  after: CampaignSettings,
): Promise<void> {
  const { logoUploadId } = after.brand
  if (logoUploadId === null || logoUploadId === before.brand.logoUploadId) return
  if (!(await tx.maybeOne(LOGO, [logoUploadId]))) refuse('upload_unknown')
}

/** Spreads caps, goals and shares over the slots anew; refuses `cap_reached` and `supply_reached` where they are below what is held. */
async function putInForce(tx: Queryable, settings: CampaignSettings): Promise<void> {
  const { refusal } = await tx.one<{ refusal: 'cap_reached' | 'supply_reached' | null }>(SET_CAPACITY, [
    settings.hardCapUsd,
    shareOf(settings, settings.soldShare),
    shareOf(settings, settings.bonusShare),
  ])
  if (refusal) refuse(refusal, { rule: 'never falls below what is held' })
}

type Change = readonly [setting: string, before: unknown, after: unknown]

function changedSettings(before: CampaignSettings, after: CampaignSettings): Change[] {
  return (Object.keys(after) as (keyof CampaignSettings)[])
    .filter((key) => canonical(before[key]) !== canonical(after[key]))
    .map((key) => [key, before[key], after[key]])
}

/** jsonb keeps keys in an order of its own: compare values, not spellings. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

/** Dates each change publicly, audits them together, and tells who listens. */
async function note(
  tx: Queryable,
  editor: Editor,
  action: AuditAction,
  subjectId: string,
  changes: readonly Change[],
): Promise<void> {
  const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))
  for (const [setting, before, after] of changes)
    if (!PRIVATE_SETTINGS.includes(setting as keyof CampaignSettings))
      await tx.query(CHANGE, [setting, json(before), json(after), editor.operatorId])
  await recordAudit(tx, {
    operatorId: editor.operatorId,
    action,
    subjectType: 'campaign',
    subjectId,
    before: Object.fromEntries(changes.map(([setting, before]) => [setting, before])),
    after: Object.fromEntries(changes.map(([setting, , after]) => [setting, after])),
    requestId: editor.requestId ?? null,
  })
  await tx.query(TELL, [JSON.stringify({ fields: changes.map(([setting]) => setting) })])
}
