import { z } from 'zod'
import type { ApiKey } from '../../shared/api/integrations.ts'
import { integrationSchemas } from '../../shared/api/integrations-schemas.ts'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { hashToken, newToken } from '../secrets/secrets.ts'
import { API_KEY_PREFIX, readApiKey } from './api-keys.ts'

const keyInput = integrationSchemas.addKey.body
const byId = z.object({ id: z.number().int() })
const renewal = byId.extend(integrationSchemas.renewKey.body.shape)

/** What operators can change of API keys. */
export const apiKeyActs = {
  /** Makes a key that acts for whoever asks; the key itself is in this answer only. */
  'api-key.add': act({ name: 'api-key.add', input: keyInput, perform: addKey }),
  /** Moves the end of a key that is in use. Refuses not_found, conflict where it has ended or was revoked. */
  'api-key.renew': act({ name: 'api-key.renew', input: renewal, perform: renewKey }),
  /** Revokes a key at once; a repeat changes nothing. Refuses not_found. */
  'api-key.revoke': act({ name: 'api-key.revoke', input: byId, perform: revokeKey }),
}

async function addKey(
  change: Change,
  { name, expiresInDays, ...input }: z.output<typeof keyInput>,
): Promise<ApiKey & { key: string }> {
  const key = newToken(API_KEY_PREFIX)
  const hint = `${key.slice(0, API_KEY_PREFIX.length + 4)}…`
  const scopes = [...new Set(input.scopes)]
  const { id } = await change.one<{ id: string }>(
    sql`insert into api_keys (name, token_hash, hint, scopes, operator_id, expires_at)
        values (${name}, ${hashToken(key)}, ${hint}, ${scopes}, ${change.by.operatorId},
                now() + make_interval(days => ${expiresInDays}::integer)) returning id`,
  )
  await change.audit('api-key.add', { type: 'api-key', id }, { after: { name, scopes, expiresInDays } })
  return { ...(await readApiKey(change, id)), key }
}

// Rules: RIGHT-11
async function renewKey(change: Change, { id, expiresInDays }: z.output<typeof renewal>): Promise<ApiKey> {
  const before = await readApiKey(change, id)
  const renewed = await change.maybeOne(
    sql`update api_keys set expires_at = now() + make_interval(days => ${expiresInDays}), told_at = null
         where id = ${id} and revoked_at is null and (expires_at is null or expires_at > now()) returning id`,
  )
  if (!renewed) refuse('conflict')
  const after = await readApiKey(change, id)
  await change.audit(
    'api-key.renew',
    { type: 'api-key', id: String(id) },
    { before: { expiresAt: before.expiresAt }, after: { expiresAt: after.expiresAt } },
  )
  return after
}

async function revokeKey(change: Change, { id }: { id: number }): Promise<ApiKey> {
  const revoked = await change.maybeOne(
    sql`update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${id} returning id`,
  )
  if (!revoked) refuse('not_found')
  await change.audit('api-key.revoke', { type: 'api-key', id: String(id) })
  return readApiKey(change, id)
}

// Rules: RIGHT-8
/** Revokes every key of an operator whose password, role or access has changed. */
export async function revokeKeysOf(change: Change, operatorId: string): Promise<void> {
  const revoked = await change.query<{ id: string }>(
    sql`update api_keys set revoked_at = now() where operator_id = ${operatorId} and revoked_at is null returning id`,
  )
  for (const { id } of revoked) await change.audit('api-key.revoke', { type: 'api-key', id })
}
