import { z } from 'zod'
import type { ApiKey } from '../../shared/api/integrations.ts'
import { integrationSchemas } from '../../shared/api/integrations-schemas.ts'
import { defineAction } from '../actions/actions.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import type { OwnerNotice } from '../mail/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import { hashToken, newToken } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { API_KEY_PREFIX, readApiKey } from './api-keys.ts'

const keyInput = integrationSchemas.addKey.body.omit({ proof: true })
const byId = z.object({ id: z.number().int() })
const renewal = byId.extend(integrationSchemas.renewKey.body.omit({ proof: true }).shape)

export interface ApiKeyActionsNeeds {
  /** Mails every owner and the operator concerned. */
  tellOwners(tx: Queryable, notice: OwnerNotice, by: string, operatorId?: string): Promise<void>
}

// Rules: RIGHT-41
const TELL_ENDED = fragment`id, pg_notify('live', json_build_object('sessions', json_build_array('key:' || id))::text)`

// Rules: TWO-19
export const apiKeyActions = (needs: ApiKeyActionsNeeds) => ({
  /** The key acts for the asking operator; only this answer contains it. */
  'api-key.add': defineAction({
    name: 'api-key.add',
    input: keyInput,
    execute: async (unit, input) => {
      await tellOfKey(needs, unit, 'api_key_made')
      return addKey(unit, input)
    },
  }),
  /** Conflict if the key has expired or was revoked. */
  'api-key.renew': defineAction({
    name: 'api-key.renew',
    input: renewal,
    execute: async (unit, input) => {
      await tellOfKey(needs, unit, 'api_key_renewed')
      return renewKey(unit, input)
    },
  }),
  /** A repeat changes nothing. */
  'api-key.revoke': defineAction({ name: 'api-key.revoke', input: byId, execute: revokeKey }),
})

async function tellOfKey(
  { tellOwners }: ApiKeyActionsNeeds,
  unit: UnitOfWork,
  what: 'api_key_made' | 'api_key_renewed',
): Promise<void> {
  const { login, operatorId } = unit.actor
  await tellOwners(unit, { what, login }, login, operatorId ?? undefined)
}

async function addKey(
  unit: UnitOfWork,
  { name, expiresInDays, ...input }: z.output<typeof keyInput>,
): Promise<ApiKey & { key: string }> {
  const key = newToken(API_KEY_PREFIX)
  const hint = `${key.slice(0, API_KEY_PREFIX.length + 4)}…`
  const scopes = [...new Set(input.scopes)]
  const { id } = await unit.one<{ id: string }>(
    sql`insert into api_keys (name, token_hash, hint, scopes, operator_id, expires_at)
        values (${name}, ${hashToken(key)}, ${hint}, ${scopes}, ${unit.actor.operatorId},
                now() + make_interval(days => ${expiresInDays}::integer)) returning id`,
  )
  await unit.audit('api-key.add', { type: 'api-key', id }, { after: { name, scopes, expiresInDays } })
  return { ...(await readApiKey(unit, id)), key }
}

// Rules: RIGHT-11
async function renewKey(unit: UnitOfWork, { id, expiresInDays }: z.output<typeof renewal>): Promise<ApiKey> {
  const before = await readApiKey(unit, id)
  const renewed = await unit.maybeOne(
    sql`update api_keys set expires_at = now() + make_interval(days => ${expiresInDays}), told_at = null
         where id = ${id} and revoked_at is null and (expires_at is null or expires_at > now()) returning id`,
  )
  if (!renewed) refuse('conflict')
  const after = await readApiKey(unit, id)
  await unit.audit(
    'api-key.renew',
    { type: 'api-key', id: String(id) },
    { before: { expiresAt: before.expiresAt }, after: { expiresAt: after.expiresAt } },
  )
  return after
}

async function revokeKey(unit: UnitOfWork, { id }: { id: number }): Promise<ApiKey> {
  const revoked = await unit.maybeOne(
    sql`update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${id} returning ${TELL_ENDED}`,
  )
  if (!revoked) refuse('not_found')
  await unit.audit('api-key.revoke', { type: 'api-key', id: String(id) })
  return readApiKey(unit, id)
}

// Rules: RIGHT-8
export async function revokeKeysOf(unit: UnitOfWork, operatorId: string): Promise<void> {
  const revoked = await unit.query<{ id: string }>(
    sql`update api_keys set revoked_at = now() where operator_id = ${operatorId} and revoked_at is null returning ${TELL_ENDED}`,
  )
  for (const { id } of revoked) await unit.audit('api-key.revoke', { type: 'api-key', id })
}

export async function countKeysOf(db: Queryable, operatorId: string): Promise<number> {
  const { keys } = await db.one<{ keys: number }>(
    sql`select count(*)::int as keys from api_keys
         where operator_id = ${operatorId} and revoked_at is null and (expires_at is null or expires_at > now())`,
  )
  return keys
}
