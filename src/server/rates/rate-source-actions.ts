import { z } from 'zod'
import type { RateSourceList } from '../../shared/api/rate-sources.ts'
import { rateSourceSchemas as schemas } from '../../shared/api/rate-sources-schemas.ts'
import { type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type RateSources, SOURCE_PURPOSE } from './rate-sources.ts'

const setInput = schemas.set.body
const removeInput = z.object({ id: z.number().int() })
const leaveOutInput = schemas.leaveOut.body.extend(schemas.leaveOut.params.shape)
type SetInput = z.output<typeof setInput>
type LeaveOutInput = z.output<typeof leaveOutInput>

// Rules: RATE-5
export interface RateSourceActionsNeeds {
  readonly sources: RateSources
  readonly secrets: Secrets
}

/** Each price is shown with its sources. */
const SOURCES_MAX = 10

/** Two sources decide a price, so each change needs approval. */
export const rateSourceActions = (needs: RateSourceActionsNeeds) => ({
  /**
   * Audits who asked which host. The request was sent before, so that no source keeps the transaction open.
   */
  'rate-source.ask': defineAction({
    name: 'rate-source.ask',
    input: schemas.ask.reply,
    execute: async (unit, answer) => {
      const after = { host: answer.host }
      await unit.audit('rate-source.ask', { type: 'rate-source', id: answer.host }, { after })
      return answer
    },
  }),
  'rate-source.set': defineAction({
    name: 'rate-source.set',
    input: setInput,
    needsApproval: async (tx, input): Promise<ApprovalDraft> => {
      const { host, before } = await checkSet(needs, tx, input)
      return waiting(host, before ?? '—', `${host} (${input.kind})`, input)
    },
    execute: (unit, input) => setSource(needs, unit, input),
  }),
  'rate-source.remove': defineAction({
    name: 'rate-source.remove',
    input: removeInput,
    needsApproval: async (tx, input): Promise<ApprovalDraft> => {
      const host = (await hostById(tx, input.id)) ?? refuse('rate_source_unknown')
      return waiting(host, host, '—', input)
    },
    execute: (unit, input) => removeSource(needs, unit, input),
  }),
  'rate-source.leave-out': defineAction({
    name: 'rate-source.leave-out',
    input: leaveOutInput,
    needsApproval: async (tx, input): Promise<ApprovalDraft> => {
      await checkLeaveOut(needs, tx, input)
      const { name, leftOut } = input
      return waiting(name, leftOut ? name : '—', leftOut ? '—' : name, input)
    },
    execute: (unit, input) => leaveOut(needs, unit, input),
  }),
})

/** Shows old and new host; the rest of the address may be a secret. */
const waiting = (id: string, before: string, host: string, input: unknown): ApprovalDraft => ({
  subject: { type: 'rate-source', id },
  summary: { before, host },
  keep: { input },
})

async function hostById(tx: Queryable, id: number): Promise<string | undefined> {
  return (await tx.maybeOne<{ host: string }>(sql`select host from rate_sources where id = ${id}`))?.host
}

async function checkSet(
  { sources }: RateSourceActionsNeeds,
  tx: Queryable,
  { replaces, ...source }: SetInput,
): Promise<{ host: string; before: string | null }> {
  const { host } = sources.open(source)
  const before = replaces === null ? null : ((await hostById(tx, replaces)) ?? refuse('conflict'))
  await sources.refuseTwin(tx, source.url, replaces)
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::integer as count from rate_sources where id is distinct from ${replaces}`,
  )
  if (count >= SOURCES_MAX) refuse('rate_sources_full')
  return { host, before }
}

/** Two valid changes may be invalid together. */
const lockList = (unit: UnitOfWork) => unit.query(sql`select 1 from campaign for no key update`)

async function setSource(
  needs: RateSourceActionsNeeds,
  unit: UnitOfWork,
  input: SetInput,
): Promise<RateSourceList> {
  await lockList(unit)
  const { host, before } = await checkSet(needs, unit, input)
  const { kind, url, replaces } = input
  // The id is part of the encryption's context.
  const { id } = await unit.one<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('rate_sources', 'id')) as id`,
  )
  // Replaces an address that can't be decrypted by its host.
  await unit.query(sql`delete from rate_sources where id = ${replaces} or host = ${host}`)
  await unit.query(
    sql`insert into rate_sources (id, kind, host, url_encrypted, set_by) overriding system value
        values (${id}, ${kind}, ${host}, ${needs.secrets.encrypt(SOURCE_PURPOSE, url, id)}, ${unit.actor.operatorId})`,
  )
  await unit.audit(
    'rate-source.set',
    { type: 'rate-source', id: host },
    { before: { host: before }, after: { kind, host } },
  )
  return changed(needs, unit, before ?? '—', host)
}

async function removeSource(
  needs: RateSourceActionsNeeds,
  unit: UnitOfWork,
  { id }: { id: number },
): Promise<RateSourceList> {
  await lockList(unit)
  const host = (await hostById(unit, id)) ?? refuse('rate_source_unknown')
  await unit.query(sql`delete from rate_sources where id = ${id}`)
  await unit.audit('rate-source.remove', { type: 'rate-source', id: host }, { before: { host } })
  return changed(needs, unit, host, '—')
}

async function checkLeaveOut(
  { sources }: RateSourceActionsNeeds,
  tx: Queryable,
  { name, leftOut }: LeaveOutInput,
): Promise<void> {
  if (sources.isGiven(name)) refuse('rate_source_of_environment')
  if (!leftOut) await sources.refuseOwnTwin(tx, name)
}

async function leaveOut(
  needs: RateSourceActionsNeeds,
  unit: UnitOfWork,
  input: LeaveOutInput,
): Promise<RateSourceList> {
  await lockList(unit)
  await checkLeaveOut(needs, unit, input)
  const { name, leftOut } = input
  const rows = leftOut
    ? await unit.query(
        sql`insert into rate_sources_left_out (name, set_by) values (${name}, ${unit.actor.operatorId})
            on conflict (name) do nothing returning 1`,
      )
    : await unit.query(sql`delete from rate_sources_left_out where name = ${name} returning 1`)
  if (rows.length === 0) return needs.sources.list(unit)
  await unit.audit(
    'rate-source.leave-out',
    { type: 'rate-source', id: name },
    { before: { leftOut: !leftOut }, after: { leftOut } },
  )
  return changed(needs, unit, leftOut ? name : '—', leftOut ? '—' : name)
}

async function changed(
  { sources }: RateSourceActionsNeeds,
  unit: UnitOfWork,
  before: string,
  after: string,
): Promise<RateSourceList> {
  await unit.tell('currency_changed', {
    code: '*',
    fields: ['rate_source'],
    before: { rate_source: before },
    after: { rate_source: after },
    by: unit.actor.login,
  })
  return sources.list(unit)
}
