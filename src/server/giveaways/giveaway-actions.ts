import { z } from 'zod'
import type { GiveawayDraft, OperatorGiveaway, PublishedRules } from '../../shared/api/giveaways.ts'
import { giveawayInput, handOverInput } from '../../shared/api/giveaways-inputs.ts'
import { type Beacon, firstRoundAt, timeOfRound } from '../../shared/giveaway-beacon.ts'
import { hashOfRules } from '../../shared/giveaway-draw.ts'
import { type PublicLocale, pickText, type Texts } from '../../shared/languages.ts'
import { type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { readOneForOperators } from './giveaway-rows.ts'

const byId = z.object({ id: z.number().int() })
const byRevision = byId.extend({ revision: z.number().int() })
const changeInput = giveawayInput.extend(byRevision.shape)
const placeInput = handOverInput.extend({ ...byId.shape, place: z.number().int() })

// Rules: GIVE-1
export const giveawayActions = (beacon: Beacon) => ({
  'giveaway.add': defineAction({ name: 'giveaway.add', input: giveawayInput, execute: addDraft }),
  'giveaway.update': defineAction({ name: 'giveaway.update', input: changeInput, execute: updateDraft }),
  'giveaway.remove': defineAction({ name: 'giveaway.remove', input: byId, execute: removeDraft }),
  /** Fixes the rules and the deciding round. */
  'giveaway.publish': defineAction({
    name: 'giveaway.publish',
    input: byRevision,
    needsApproval: showRules,
    publishes: async (tx, { id }) => ({
      subject: { type: 'giveaway', id: String(id) },
      pieces: [{ now: (await readOneForOperators(tx, id)).draft }],
    }),
    execute: (unit, input) => publish(unit, input, beacon),
  }),
  'giveaway.hand-over': defineAction({
    name: 'giveaway.hand-over',
    input: placeInput,
    publishes: async (_tx, { id, evidence }) => ({
      subject: { type: 'giveaway', id: String(id) },
      pieces: [{ now: evidence, name: 'evidence' }],
    }),
    execute: handOver,
  }),
})

async function addDraft(unit: UnitOfWork, draft: GiveawayDraft): Promise<OperatorGiveaway> {
  const { id } = await unit.one<{ id: number }>(
    sql`insert into giveaways (rules) values (${JSON.stringify(draft)}) returning id::int`,
  )
  await unit.audit('giveaway.add', { type: 'giveaway', id: String(id) })
  return readOneForOperators(unit, id)
}

async function updateDraft(
  unit: UnitOfWork,
  { id, revision, ...draft }: z.output<typeof changeInput>,
): Promise<OperatorGiveaway> {
  await lockDraft(unit, id, revision)
  await unit.query(
    sql`update giveaways set rules = ${JSON.stringify(draft)}, revision = revision + 1, updated_at = clock_timestamp()
         where id = ${id}`,
  )
  await unit.audit('giveaway.update', { type: 'giveaway', id: String(id) })
  return readOneForOperators(unit, id)
}

async function removeDraft(unit: UnitOfWork, { id }: z.output<typeof byId>): Promise<{ id: number }> {
  await lockDraft(unit, id)
  await unit.query(sql`delete from giveaways where id = ${id}`)
  await unit.audit('giveaway.remove', { type: 'giveaway', id: String(id) })
  return { id }
}

async function lockDraft(unit: UnitOfWork, id: number, revision?: number): Promise<GiveawayDraft> {
  const row = await unit.maybeOne<{ rules: GiveawayDraft; revision: number; published_at: Date | null }>(
    sql`select rules, revision, published_at from giveaways where id = ${id} for update`,
  )
  if (!row) return refuse('giveaway_unknown')
  if (row.published_at) refuse('giveaway_published')
  if (revision !== undefined && revision !== row.revision)
    refuse('conflict', { current: await readOneForOperators(unit, id) })
  return row.rules
}

async function publish(
  unit: UnitOfWork,
  { id, revision }: z.output<typeof byRevision>,
  beacon: Beacon,
): Promise<OperatorGiveaway> {
  // One publication at a time.
  await unit.query(sql`select pg_advisory_xact_lock(hashtext('giveaways.published'))`)
  const draft = await lockDraft(unit, id, revision)
  refuseIncomplete(draft, await languagesOf(unit))
  await refuseUnknownPictures(unit, draft)
  const rules = rulesOf(draft, beacon)
  const sha256 = hashOfRules(rules)
  const drawAt = new Date(timeOfRound(beacon, rules.round))
  const { now, isRunning } = await unit.one<{ now: Date; isRunning: boolean }>(
    sql`select clock_timestamp() as now,
               exists (select from giveaways where closes_at > clock_timestamp()) as "isRunning"`,
  )
  const [opensAt, closesAt] = [new Date(rules.opensAt), new Date(rules.closesAt)]
  if (opensAt >= closesAt || now >= closesAt) refuse('giveaway_times')
  if (isRunning) refuse('giveaway_running')
  await unit.query(
    sql`update giveaways set rules = ${JSON.stringify(rules)}, revision = revision + 1, updated_at = ${now}, published_at = ${now},
               sha256 = ${sha256}, opens_at = ${opensAt}, closes_at = ${closesAt}, draw_at = ${drawAt}
         where id = ${id}`,
  )
  await unit.audit('giveaway.publish', { type: 'giveaway', id: String(id) }, { after: { sha256 } })
  await unit.tell('campaign_changed', { fields: ['giveaway'] })
  return readOneForOperators(unit, id)
}

function rulesOf(draft: GiveawayDraft, beacon: Beacon): PublishedRules {
  const earliest = Date.parse(draft.closesAt) + draft.drawHours * 3_600_000
  return { ...draft, beacon: { ...beacon }, round: firstRoundAt(beacon, earliest) }
}

/** Entrants may read the rules in any of them. */
async function languagesOf(tx: Queryable): Promise<PublicLocale[]> {
  const { languages } = await tx.one<{ languages: PublicLocale[] }>(
    sql`select settings -> 'languages' as languages from campaign`,
  )
  return languages
}

function refuseIncomplete(draft: GiveawayDraft, languages: readonly PublicLocale[]): void {
  const isBlank = (text: Texts) => languages.some((language) => !text[language])
  const missing = [
    isBlank(draft.title) && 'title',
    !draft.sponsor && 'sponsor',
    !draft.contact && 'contact',
    (draft.prizes.length === 0 || draft.prizes.some(({ name }) => isBlank(name))) && 'prizes',
    draft.prizes.some(({ image }) => image && isBlank(image.alt)) && 'alt',
    draft.prizes.some(({ image }) => image) && !draft.declaresImageRights && 'declaresImageRights',
    isBlank(draft.rulesText) && 'rulesText',
    isBlank(draft.privacyText) && 'privacyText',
    draft.countries.length === 0 && 'countries',
  ].filter((name) => name !== false)
  if (missing.length > 0) refuse('giveaway_incomplete', { missing })
}

async function refuseUnknownPictures(tx: Queryable, { prizes }: GiveawayDraft): Promise<void> {
  const names = prizes.flatMap(({ image }) => (image ? [image.name] : []))
  const known = await tx.query(
    sql`select name from uploads where name = any(${names}::text[]) and media_type like 'image/%'`,
  )
  if (known.length < new Set(names).size) refuse('upload_unknown')
}

async function showRules(
  tx: Queryable,
  { id, revision }: z.output<typeof byRevision>,
): Promise<ApprovalDraft> {
  const { draft } = await readOneForOperators(tx, id)
  return {
    subject: { type: 'giveaway', id: String(id) },
    summary: {
      title: pickText(draft.title, 'en').text,
      name: draft.sponsor,
      startsAt: draft.opensAt,
      endsAt: draft.closesAt,
      revision: String(revision),
    },
  }
}

async function handOver(
  unit: UnitOfWork,
  { id, place, evidence }: z.output<typeof placeInput>,
): Promise<OperatorGiveaway> {
  await readOneForOperators(unit, id)
  const rows = await unit.query(
    sql`update giveaway_winners set handed_at = clock_timestamp(), evidence = ${evidence}
         where giveaway_id = ${id} and place = ${place} and confirmed_at is not null and handed_at is null returning place`,
  )
  if (rows.length === 0) refuse('giveaway_not_confirmed')
  await unit.audit(
    'giveaway.hand-over',
    { type: 'giveaway', id: String(id) },
    { after: { number: String(place) } },
  )
  return readOneForOperators(unit, id)
}
