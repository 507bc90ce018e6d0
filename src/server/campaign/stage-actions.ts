import { z } from 'zod'
import type { StageSettings } from '../../shared/campaign-settings.ts'
import { stageSettings } from '../../shared/campaign-settings-inputs.ts'
import type { Name } from '../../shared/languages.ts'
import { compare } from '../../shared/money.ts'
import { languageShared, plainName } from '../../shared/names.ts'
import { type Alone, type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { changePrice, isFar, standingPrices } from '../currencies/currencies.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuseField } from '../invalid-input.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import {
  lockCampaign,
  lockCampaignAt,
  nameInRow,
  normalStage,
  noteCampaignChange,
  type OperatorCampaign,
  setCapacity,
  showCampaign,
} from './campaign-lock.ts'
import {
  refuseCapsAbovePrice,
  refuseGoalsAboveCap,
  refuseStageAdded,
  refuseStageChange,
  refuseStageRemoved,
} from './change-rules.ts'

const atRevision = z.object({ id: z.number().int(), revision: z.number().int() })
/** The value that the stage's was compared with; a different one at execution is a `conflict`. */
const beside = { besideUsd: z.string().nullable().optional() }
/** As seen; omitted: any. */
const newStage = stageSettings.and(z.object({ revision: z.number().int().optional(), ...beside }))
const stageChange = atRevision.extend({ stage: stageSettings, ...beside })
type NewStage = z.output<typeof newStage>
type StageChange = z.output<typeof stageChange>

// Rules: STAGE-4
export const stageActions = {
  /** A far value needs approval. */
  'stage.add': defineAction({
    name: 'stage.add',
    input: newStage,
    needsApproval: approvalForFarStage,
    publishes: async (_tx, { name }) => ({
      subject: { type: 'campaign', id: 'stages' },
      pieces: [{ now: name, name: 'name' }],
    }),
    execute: addStage,
  }),
  'stage.update': defineAction({
    name: 'stage.update',
    input: stageChange,
    needsApproval: approvalForPriceOrDelay,
    publishes: async (_tx, { stage }) => ({
      subject: { type: 'campaign', id: 'stages' },
      pieces: [{ now: stage.name, name: 'name' }],
    }),
    execute: updateStage,
  }),
  'stage.remove': defineAction({ name: 'stage.remove', input: atRevision, execute: removeStage }),
}

async function approvalForFarStage(tx: Queryable, input: NewStage): Promise<ApprovalDraft | Alone<NewStage>> {
  const standing = await standingPrices(tx)
  const asItStands = { ...input, besideUsd: standing.at(-1) ?? null }
  const far = showFarPrice(plainName(input.name), input.priceUsd, standing)
  return far ? { ...far, keep: { input: asItStands } } : { alone: asItStands }
}

/** At the current revision only: two concurrent changes could add up to one that needs approval. */
async function approvalForPriceOrDelay(
  tx: Queryable,
  input: StageChange,
): Promise<ApprovalDraft | Alone<StageChange>> {
  const { id, revision, stage } = input
  const before =
    (await tx.maybeOne<StandingStage>(
      sql`select s.name, s.price_usd, s.ends_at, c.revision,
                 c.settings ->> 'softCapPolicy' = 'refund' and exists (select from orders) as pays_back
            from stages s cross join campaign c where s.id = ${id}`,
    )) ?? refuse('not_found')
  if (before.revision !== revision) refuse('conflict', { current: await showCampaign(tx) })
  const name = namedAs(before.name, plainName(stage.name))
  const delay = before.pays_back ? showDelay(name, stage, before) : null
  if (compare(before.price_usd, stage.priceUsd) === 0) return delay ?? { alone: input }
  const standing = await standingPrices(tx)
  const asItStands = { ...input, besideUsd: standing.at(-1) ?? null }
  const far = showFarPrice(name, stage.priceUsd, [...standing, before.price_usd])
  const shown = far ?? delay
  if (!shown) return { alone: asItStands }
  return { ...shown, summary: { ...delay?.summary, ...far?.summary }, keep: { input: asItStands } }
}

/** The current name, because a new one could suggest another stage. */
const namedAs = (before: string, after: string) => (before === after ? before : `${before} → ${after}`)

interface StandingStage {
  readonly name: string
  readonly revision: number
  readonly price_usd: string
  readonly ends_at: Date
  readonly pays_back: boolean
}

// Rules: TWO-13
/** In a sale that pays back below its soft cap, a later end keeps buyers' money longer. */
function showDelay(name: string, stage: StageSettings, before: StandingStage): ApprovalDraft | null {
  const endsAt = before.ends_at.toISOString()
  if (Date.parse(stage.endsAt) <= Date.parse(endsAt)) return null
  return {
    subject: { type: 'campaign', id: 'stages' },
    summary: { stage: name, endsAt: `${endsAt} → ${stage.endsAt}` },
  }
}

/** A stage sets the main currency value. */
function showFarPrice(name: string, priceUsd: string, standing: (string | null)[]): ApprovalDraft | null {
  if (!isFar(priceUsd, standing)) return null
  return {
    subject: { type: 'campaign', id: 'price' },
    summary: { stage: name, before: standing.at(-1) ?? '', usd: priceUsd },
  }
}

// Rules: TWO-8
/** Errors: conflict if the value changed since the comparison. */
async function refuseBesideOther(
  unit: UnitOfWork,
  { priceUsd }: { readonly priceUsd: string | null },
  besideUsd: string | null | undefined,
): Promise<void> {
  if (besideUsd !== undefined && besideUsd !== priceUsd)
    refuse('conflict', { current: await showCampaign(unit) })
}

async function addStage(
  unit: UnitOfWork,
  { revision, besideUsd, ...input }: NewStage,
): Promise<OperatorCampaign> {
  const state = await (revision === undefined ? lockCampaign(unit) : lockCampaignAt(unit, revision))
  await refuseBesideOther(unit, state, besideUsd)
  const stage = normalStage(input)
  await refuseOverlap(unit, stage, null)
  refuseStageAdded(stage, state, state.settings)
  refuseGoalsAboveCap(state.settings, [...state.stages, stage])
  if (!state.hasOrders) refuseCapsAbovePrice(state.settings, stage.priceUsd)
  // Rules: STAGE-2
  refuseNameTaken(stage, state.stages)
  const { name, names } = nameInRow(stage.name)
  const { id } = await unit.one<{ id: number }>(
    sql`insert into stages (name, names, goal_usd, price_usd, starts_at, ends_at)
        values (${name}, ${names}::jsonb, ${stage.goalUsd}, ${stage.priceUsd}, ${stage.startsAt}, ${stage.endsAt}) returning id`,
  )
  await countRevision(unit)
  await setCapacity(unit, state.settings)
  await noteCampaignChange(unit, 'stage.add', String(id), [[`stages.${id}`, undefined, stage]])
  await applyStagePrice(unit)
  return showCampaign(unit)
}

async function updateStage(
  unit: UnitOfWork,
  { id, revision, stage, besideUsd }: StageChange,
): Promise<OperatorCampaign> {
  const state = await lockCampaign(unit)
  const before = state.stages.find((candidate) => candidate.id === id) ?? refuse('not_found')
  if (state.revision !== revision) refuse('conflict', { current: await showCampaign(unit) })
  await refuseBesideOther(unit, state, besideUsd)
  const after = normalStage(stage)
  refuseStageChange(before, after, state, state.settings)
  await refuseOverlap(unit, after, id)
  refuseGoalsAboveCap(
    state.settings,
    state.stages.map((candidate) => (candidate.id === id ? after : candidate)),
  )
  if (!state.hasOrders && before.priceUsd !== after.priceUsd)
    refuseCapsAbovePrice(state.settings, after.priceUsd)
  if (isOtherwise(before.name, after.name))
    refuseNameTaken(
      after,
      state.stages.filter((other) => other.id !== id),
    )
  const fields = (['name', 'goalUsd', 'priceUsd', 'startsAt', 'endsAt'] as const).filter((field) =>
    isOtherwise(before[field], after[field]),
  )
  if (fields.length > 0) {
    // Before the first order nobody relied on an end.
    const firstEndsAt = state.hasOrders && before.endsAt !== after.endsAt ? before.endsAt : before.firstEndsAt
    const { name, names } = nameInRow(after.name)
    await unit.query(
      sql`update stages set name = ${name}, names = ${names}::jsonb, goal_usd = ${after.goalUsd}, price_usd = ${after.priceUsd},
                 starts_at = ${after.startsAt}, ends_at = ${after.endsAt}, first_ends_at = ${firstEndsAt} where id = ${id}`,
    )
    await countRevision(unit)
    await setCapacity(unit, state.settings)
    const changes = fields.map((field) => [`stages.${id}.${field}`, before[field], after[field]] as const)
    await noteCampaignChange(unit, 'stage.update', String(id), changes)
  }
  await applyStagePrice(unit)
  return showCampaign(unit)
}

async function removeStage(
  unit: UnitOfWork,
  { id, revision }: z.output<typeof atRevision>,
): Promise<OperatorCampaign> {
  const state = await lockCampaign(unit)
  const stage = state.stages.find((candidate) => candidate.id === id) ?? refuse('not_found')
  if (state.revision !== revision) refuse('conflict', { current: await showCampaign(unit) })
  refuseStageRemoved(stage, state, state.settings)
  // New orders wait for this lock.
  await unit.query(sql`select 1 from stages where id = ${id} for update`)
  const { used } = await unit.one<{ used: boolean }>(
    sql`select exists (select 1 from orders where stage_id = ${id}) as used`,
  )
  if (used) refuse('stage_in_use')
  await unit.query(sql`delete from stages where id = ${id}`)
  await countRevision(unit)
  await setCapacity(unit, state.settings)
  await noteCampaignChange(unit, 'stage.remove', String(id), [[`stages.${id}`, stage, undefined]])
  return showCampaign(unit)
}

export async function hasStageBegun(tx: Queryable): Promise<boolean> {
  return (await stageBegun(tx)) !== undefined
}

// Rules: STAGE-3
/** Returns whether a stage had begun. Call under the campaign's lock. */
export async function applyStagePrice(unit: UnitOfWork): Promise<boolean> {
  const stage = await stageBegun(unit)
  if (!stage) return false
  await unit.query(sql`update stages set price_applied_at = clock_timestamp() where id = ${stage.id}`)
  await changePrice(unit, { priceUsd: stage.price_usd, reason: `stage: ${stage.name}` })
  return true
}

function stageBegun(tx: Queryable): Promise<{ id: number; name: string; price_usd: string } | undefined> {
  return tx.maybeOne(
    sql`select id, name, price_usd from stages
         where price_applied_at is null and starts_at <= clock_timestamp() and ends_at > clock_timestamp() limit 1`,
  )
}

const isOtherwise = (one: Name, other: Name) => JSON.stringify(one) !== JSON.stringify(other)

/** Names must differ in every language. */
function refuseNameTaken({ name }: StageSettings, others: readonly StageSettings[]): void {
  const locale = others.map((other) => languageShared(name, other.name)).find(Boolean)
  if (locale) refuseField(`name.${locale}`, 'name_taken')
}

// Rules: STAGE-1
async function refuseOverlap(tx: Queryable, stage: StageSettings, exceptId: number | null): Promise<void> {
  const other = await tx.maybeOne<{ name: string }>(
    sql`select name from stages
         where tstzrange(starts_at, ends_at) && tstzrange(${stage.startsAt}, ${stage.endsAt})
           and id is distinct from ${exceptId}::integer limit 1`,
  )
  if (other) refuse('stages_overlap', { stage: other.name })
}

async function countRevision(unit: UnitOfWork): Promise<void> {
  await unit.query(sql`update campaign set revision = revision + 1`)
}
