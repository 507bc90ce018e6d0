import type { ApiKey, ApiKeyScope } from '../../shared/api/integrations.ts'
import type { AuditAction } from '../../shared/audit-actions.ts'
import type { Role } from '../../shared/roles.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { hashToken, newToken } from '../secrets/secrets.ts'

export const API_KEY_PREFIX = 'psk_'

/** The operator for whom a key acts, with the key's scopes; a session of none, so that no step-up is possible. */
export interface KeyActor {
  readonly kind: 'operator'
  readonly operatorId: string
  readonly login: string
  readonly role: Role
  readonly authenticatedAt: Date
  readonly sessionId: string
  readonly scopes: readonly ApiKeyScope[]
}

interface Editor {
  readonly operatorId: string
  readonly requestId?: string | null
}

/** Scoped keys of integrations. A key acts for the operator who made it, and for nobody once that operator is disabled. */
export interface ApiKeys {
  isKey(token: string): boolean
  /** The actor of a live key: neither revoked nor expired, of an operator who is not disabled. */
  operator(token: string): Promise<KeyActor | undefined>
  list(): Promise<ApiKey[]>
  /** The key itself is in this answer only. */
  add(
    input: { name: string; scopes: readonly ApiKeyScope[]; expiresInDays: number | null },
    editor: Editor,
  ): Promise<ApiKey & { key: string }>
  revoke(id: number, editor: Editor): Promise<ApiKey>
}

interface Row {
  id: string
  name: string
  hint: string
  scopes: ApiKeyScope[]
  login: string
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
  revoked_at: Date | null
}

const COLUMNS =
  'k.id, k.name, k.hint, k.scopes, o.login, k.created_at, k.last_used_at, k.expires_at, k.revoked_at'
const FROM = 'from api_keys k join operators o on o.id = k.operator_id'
const LIST = statement('api_keys_list', `select ${COLUMNS} ${FROM} order by k.id desc limit 500`)
const SHOW = statement('api_keys_show', `select ${COLUMNS} ${FROM} where k.id = $1`)
const FIND = statement(
  'api_keys_find',
  `select k.id, k.operator_id, o.login, o.role, k.scopes, k.last_used_at ${FROM}
    where k.token_hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and o.disabled_at is null`,
)
const SEE = statement(
  'api_keys_see',
  `update api_keys set last_used_at = now() where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
)
const INSERT = statement(
  'api_keys_insert',
  `insert into api_keys (name, token_hash, hint, scopes, operator_id, expires_at)
   values ($1, $2, $3, $4, $5, now() + make_interval(days => $6::integer)) returning id`,
)
const REVOKE = statement(
  'api_keys_revoke',
  'update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning id',
)

const SEEN_EVERY_MS = 60_000
const TOKEN_LENGTH = API_KEY_PREFIX.length + 43

export function createApiKeys(db: Database): ApiKeys {
  const show = async (queryable: Queryable, id: string | number) =>
    keyFromRow((await queryable.maybeOne<Row>(SHOW, [id])) ?? refuse('not_found'))
  return {
    isKey: (token) => token.startsWith(API_KEY_PREFIX),
    async operator(token) {
      if (!token.startsWith(API_KEY_PREFIX) || token.length !== TOKEN_LENGTH) return undefined
      const row = await db.maybeOne<{
        id: string
        operator_id: string
        login: string
        role: Role
        scopes: ApiKeyScope[]
        last_used_at: Date | null
      }>(FIND, [hashToken(token)])
      if (!row) return undefined
      // When it was last used is a convenience: a failure to note it must not fail the call.
      if (!row.last_used_at || Date.now() - row.last_used_at.getTime() > SEEN_EVERY_MS)
        db.query(SEE, [row.id]).catch(() => undefined)
      return {
        kind: 'operator',
        operatorId: row.operator_id,
        login: row.login,
        role: row.role,
        authenticatedAt: new Date(0),
        sessionId: `key:${row.id}`,
        scopes: row.scopes,
      }
    },
    async list() {
      return (await db.query<Row>(LIST)).map(keyFromRow)
    },
    add(input, editor) {
      const key = newToken(API_KEY_PREFIX)
      const hint = `${key.slice(0, API_KEY_PREFIX.length + 4)}…`
      const scopes = [...new Set(input.scopes)]
      return db.transaction(async (tx) => {
        const { id } = await tx.one<{ id: string }>(INSERT, [
          input.name,
          hashToken(key),
          hint,
          scopes,
          editor.operatorId,
          input.expiresInDays,
        ])
        await audit(tx, editor, 'api-key.add', id, {
          name: input.name,
          scopes,
          expiresInDays: input.expiresInDays,
        })
        return { ...(await show(tx, id)), key }
      })
    },
    revoke(id, editor) {
      return db.transaction(async (tx) => {
        if (!(await tx.maybeOne(REVOKE, [id]))) refuse('not_found')
        await audit(tx, editor, 'api-key.revoke', String(id), undefined)
        return show(tx, id)
      })
    },
  }
}

function audit(tx: Queryable, editor: Editor, action: AuditAction, id: string, after: unknown) {
  const requestId = editor.requestId ?? null
  return recordAudit(tx, {
    operatorId: editor.operatorId,
    action,
    subjectType: 'api-key',
    subjectId: id,
    after,
    requestId,
  })
}

function keyFromRow(row: Row): ApiKey {
  return {
    id: Number(row.id),
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    operator: row.login,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }
}
