import type { ApiKey, ApiKeyScope } from '../../shared/api/integrations.ts'
import type { Language } from '../../shared/languages.ts'
import type { Role } from '../../shared/roles.ts'
import { type Database, fragment, type Queryable, sql } from '../database/database.ts'
import { idAfter, type PageOf, type PageQuery, pageOf } from '../keyset.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { refuse } from '../refusal.ts'
import { hashToken } from '../secrets/secrets.ts'

export const API_KEY_PREFIX = 'psk_'
const TOKEN_LENGTH = API_KEY_PREFIX.length + 43
const SEEN_EVERY_MS = 60_000
/** Days before a key expires. */
const TOLD_DAYS = 7

/** A key is no session, so it has no step-up. */
export interface KeyActor {
  readonly kind: 'operator'
  readonly operatorId: string
  readonly login: string
  readonly role: Role
  readonly authenticatedAt: Date
  readonly sessionId: string
  readonly scopes: readonly ApiKeyScope[]
}

interface Row {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly scopes: ApiKeyScope[]
  readonly login: string
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
}

const selectKeys = fragment`
  select k.id, k.name, k.hint, k.scopes, o.login, k.created_at, k.last_used_at, k.expires_at, k.revoked_at
    from api_keys k join operators o on o.id = k.operator_id`

export interface ApiKeysNeeds {
  readonly db: Database
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

/** A key stops when its operator is disabled. */
export class ApiKeys {
  readonly #db: Database
  readonly #sendMail: ApiKeysNeeds['sendMail']

  constructor({ db, sendMail }: ApiKeysNeeds) {
    this.#db = db
    this.#sendMail = (tx, mail) => sendMail(tx, mail)
  }

  isKey(token: string): boolean {
    return token.startsWith(API_KEY_PREFIX)
  }

  /** Undefined for a revoked or expired key, or a disabled operator. */
  async operator(token: string): Promise<KeyActor | undefined> {
    if (!this.isKey(token) || token.length !== TOKEN_LENGTH) return undefined
    const row = await this.#db.maybeOne<{
      id: string
      operator_id: string
      login: string
      role: Role
      scopes: ApiKeyScope[]
      last_used_at: Date | null
    }>(
      sql`select k.id, k.operator_id, o.login, o.role, k.scopes, k.last_used_at
            from api_keys k join operators o on o.id = k.operator_id
           where k.token_hash = ${hashToken(token)} and k.revoked_at is null
             and (k.expires_at is null or k.expires_at > now()) and o.disabled_at is null`,
    )
    if (!row) return undefined
    // The last use is only informative.
    if (!row.last_used_at || Date.now() - row.last_used_at.getTime() > SEEN_EVERY_MS)
      this.#see(row.id).catch(() => undefined)
    return {
      kind: 'operator',
      operatorId: row.operator_id,
      login: row.login,
      role: row.role,
      authenticatedAt: new Date(0),
      sessionId: `key:${row.id}`,
      scopes: row.scopes,
    }
  }

  async list(query: PageQuery): Promise<PageOf<ApiKey>> {
    const rows = await this.#db.query<Row>(
      sql`${selectKeys} where k.id < ${idAfter(query)}::bigint order by k.id desc limit ${query.limit + 1}`,
    )
    return pageOf(rows, query.limit, apiKey)
  }

  // Rules: RIGHT-11
  /** Mails an operator once, a week before a key expires. Skips keys with a shorter life. */
  async tellOfEnds(): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const ending = await tx.query<EndingKey>(
        sql`update api_keys k set told_at = now() from operators o
             where o.id = k.operator_id and o.email is not null and o.disabled_at is null
               and k.revoked_at is null and k.told_at is null and k.expires_at > now()
               and k.expires_at < now() + make_interval(days => ${TOLD_DAYS})
               and k.expires_at > k.created_at + make_interval(days => ${TOLD_DAYS})
            returning k.name, k.hint, k.expires_at, o.login, o.email, o.language`,
      )
      for (const { name: key, hint, expires_at, login: name, email: to, language } of ending)
        await this.#sendMail(tx, {
          kind: 'api_key_ends',
          to,
          language,
          name,
          key,
          hint,
          at: expires_at.toISOString(),
        })
    })
  }

  async #see(id: string): Promise<void> {
    await this.#db.query(
      sql`update api_keys set last_used_at = now()
           where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    )
  }
}

interface EndingKey {
  readonly name: string
  readonly hint: string
  readonly expires_at: Date
  readonly login: string
  readonly email: string
  readonly language: Language
}

export async function readApiKey(db: Queryable, id: string | number): Promise<ApiKey> {
  const row = await db.maybeOne<Row>(sql`${selectKeys} where k.id = ${id}`)
  return apiKey(row ?? refuse('not_found'))
}

function apiKey(row: Row): ApiKey {
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
