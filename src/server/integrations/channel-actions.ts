import { randomInt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Channel } from '../../shared/api/channels.ts'
import { channelInput, codeInput, noticesInput } from '../../shared/api/channels-inputs.ts'
import { defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { reasonAgainstUrl } from '../outside/outside.ts'
import { refuse } from '../refusal.ts'
import { hashToken, type Secrets } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type Browsers, openTarget, readChannel, sealTarget, type Target } from './channel-rows.ts'

export const CODE_TASK = 'channel_code'

const CHANNELS_MAX = 10
const CODE_MINUTES = 15
const CODE_TRIES_MAX = 5
const CODE_ATTEMPTS = 3

const byId = z.object({ id: z.number().int() })
const updateInput = byId.extend(noticesInput.shape)
const proofInput = byId.extend(codeInput.shape)

interface ChannelActionsNeeds {
  readonly secrets: Secrets
  readonly browsers: Pick<Browsers, 'reasonAgainst'>
}

// Rules: RIGHT-22
export const channelActions = ({ secrets, browsers }: ChannelActionsNeeds) => ({
  /** Sends it a code. */
  'channel.add': defineAction({
    name: 'channel.add',
    input: channelInput,
    execute: (unit, input) => addChannel(unit, input, { secrets, browsers }),
  }),
  'channel.update': defineAction({ name: 'channel.update', input: updateInput, execute: updateChannel }),
  'channel.send-code': defineAction({
    name: 'channel.send-code',
    input: byId,
    execute: async (unit, { id }) => {
      const { target } = await lockChannel(unit, id, secrets)
      await refuseWithoutEmail(unit, target)
      await renewCode(unit, String(id), target, secrets)
      await noteIn(unit, 'channel.send-code', id)
      return readChannel(unit, unit.actor.operatorId, String(id))
    },
  }),
  /** A wrong code is counted, so it is no error, which would undo the count. */
  'channel.prove': defineAction({
    name: 'channel.prove',
    input: proofInput,
    execute: (unit, input) => prove(unit, input, secrets),
  }),
  'channel.remove': defineAction({ name: 'channel.remove', input: byId, execute: removeChannel }),
})

/** Somebody with the old password may have added a channel. */
export async function endProofsOf(unit: UnitOfWork, operatorId: string): Promise<void> {
  await unit.query(
    sql`update operator_channels set proven_at = null, code_expires_at = null where operator_id = ${operatorId}`,
  )
}

async function addChannel(
  unit: UnitOfWork,
  { target, notices }: z.output<typeof channelInput>,
  { secrets, browsers }: ChannelActionsNeeds,
): Promise<Channel> {
  const { operatorId } = unit.actor
  if (target.kind === 'webhook') {
    const reason = reasonAgainstUrl(target.url)
    if (reason) refuse('webhook_url_refused', { reason })
  }
  if (target.kind === 'push') {
    const reason = browsers.reasonAgainst(target)
    if (reason) refuse('push_address_refused', { reason })
  }
  // An operator's channels are added one after another.
  await unit.query(sql`select 1 from operators where id = ${operatorId} for update`)
  await refuseWithoutEmail(unit, target)
  const { count } = await unit.one<{ count: number }>(
    sql`select count(*)::integer as count from operator_channels where operator_id = ${operatorId}`,
  )
  if (count >= CHANNELS_MAX) refuse('channels_full')
  const { id } = await unit.one<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('operator_channels', 'id')) as id`,
  )
  await unit.query(
    sql`insert into operator_channels (id, operator_id, kind, label, target_encrypted, notices)
        overriding system value
        values (${id}, ${operatorId}, ${target.kind}, ${labelOf(target)},
                ${sealTarget(secrets, id, { target, code: '' })}, ${[...new Set(notices)]})`,
  )
  await renewCode(unit, id, target, secrets)
  const address = `${target.kind} ${labelOf(target)}`.trim()
  await unit.audit('channel.add', subjectOf(id), { after: { address } })
  return readChannel(unit, operatorId, id)
}

async function updateChannel(
  unit: UnitOfWork,
  { id, notices }: z.output<typeof updateInput>,
): Promise<Channel> {
  const changed = await unit.maybeOne(
    sql`update operator_channels set notices = ${[...new Set(notices)]}
         where id = ${id} and operator_id = ${unit.actor.operatorId} returning id`,
  )
  if (!changed) refuse('not_found')
  await noteIn(unit, 'channel.update', id)
  return readChannel(unit, unit.actor.operatorId, String(id))
}

async function prove(
  unit: UnitOfWork,
  { id, code }: z.output<typeof proofInput>,
  secrets: Secrets,
): Promise<Channel & { isProven: boolean }> {
  const { code: sent, isGood } = await lockChannel(unit, id, secrets)
  const isProven = isGood && timingSafeEqual(hashToken(sent), hashToken(code))
  await unit.query(
    isProven
      ? sql`update operator_channels set proven_at = now(), code_expires_at = null, tries = 0, stopped_at = null,
                   last_error = null where id = ${id}`
      : sql`update operator_channels set code_tries = code_tries + 1 where id = ${id}`,
  )
  if (isProven) await noteIn(unit, 'channel.prove', id)
  return { ...(await readChannel(unit, unit.actor.operatorId, String(id))), isProven }
}

async function removeChannel(unit: UnitOfWork, { id }: { id: number }): Promise<{ id: number }> {
  const gone = await unit.maybeOne(
    sql`delete from operator_channels where id = ${id} and operator_id = ${unit.actor.operatorId} returning id`,
  )
  if (!gone) refuse('not_found')
  await noteIn(unit, 'channel.remove', id)
  return { id }
}

/** The operator's own; `isGood` if its code is still valid. */
async function lockChannel(
  unit: UnitOfWork,
  id: number,
  secrets: Secrets,
): Promise<{ target: Target; code: string; isGood: boolean }> {
  const row = await unit.maybeOne<{ target_encrypted: Buffer; is_good: boolean }>(
    sql`select target_encrypted, coalesce(code_expires_at > now(), false) and code_tries < ${CODE_TRIES_MAX} as is_good
          from operator_channels where id = ${id} and operator_id = ${unit.actor.operatorId} for update`,
  )
  if (!row) refuse('not_found')
  return { ...openTarget(secrets, String(id), row.target_encrypted), isGood: row.is_good }
}

async function renewCode(unit: UnitOfWork, id: string, target: Target, secrets: Secrets): Promise<void> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const to = target.kind === 'mail' ? await emailOf(unit, unit.actor.operatorId) : null
  await unit.query(
    sql`update operator_channels set target_encrypted = ${sealTarget(secrets, id, { target, code, to })},
               code_expires_at = now() + make_interval(mins => ${CODE_MINUTES}), code_tries = 0 where id = ${id}`,
  )
  await unit.query(
    sql`select graphile_worker.add_job(${CODE_TASK}::text, json_build_object('channelId', ${id}::text),
                 job_key => 'channel-code:' || ${id}::text, max_attempts => ${CODE_ATTEMPTS})`,
  )
}

async function refuseWithoutEmail(unit: UnitOfWork, target: Target): Promise<void> {
  if (target.kind !== 'mail') return
  if ((await emailOf(unit, unit.actor.operatorId)) === null) refuse('own_email_missing')
}

async function emailOf(tx: Queryable, operatorId: string | null): Promise<string | null> {
  const row = await tx.maybeOne<{ email: string | null }>(
    sql`select email from operators where id = ${operatorId}`,
  )
  return row?.email ?? null
}

type ChannelAction = 'channel.update' | 'channel.send-code' | 'channel.prove' | 'channel.remove'

const subjectOf = (id: number | string) => ({ type: 'channel', id: String(id) }) as const
const noteIn = (unit: UnitOfWork, action: ChannelAction, id: number | string) =>
  unit.audit(action, subjectOf(id))

/** Lacks whatever would let others write there. */
function labelOf(target: Target): string {
  if (target.kind === 'telegram') return target.chat
  if (target.kind === 'push') return target.device
  return target.kind === 'webhook' ? new URL(target.url).hostname : ''
}
