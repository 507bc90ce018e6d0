import { createBatches } from '../database/batches.ts'
import {
  type Database,
  type Fragment,
  fragment,
  fragmentOf,
  type Queryable,
  sql,
} from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { hashToken, newToken } from '../secrets/secrets.ts'
import type { PresentedCookie } from '../unit-of-work/unit-of-work.ts'
import { holderColumn } from './holder.ts'
import { isLiveSession } from './session-lifetimes.ts'

export type SessionKind = 'browser' | 'token'

export interface Client {
  network: string
  userAgent: string
  /** A random value that the browser keeps since its first login. */
  browser?: string | undefined
  /** The session that the client acts in. */
  session?: string | undefined
  /** Charges a login's hashes, to the network or to its known browsers. Throws `too_many_requests`. */
  payHashes?: ((isOwn: boolean) => void) | undefined
}

export interface NewSession {
  token: string
  id: string
  expiresAt: Date
}

export interface SessionRow {
  session_id: string
  token_hash: Buffer
  kind: SessionKind
  last_seen_at: Date
  expires_at: Date
  authenticated_at: Date
}

export interface ProvedSession {
  readonly id: string
  readonly cookie?: PresentedCookie | undefined
}

export interface SessionSummary {
  id: string
  kind: SessionKind
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  userAgent: string
  network: string
  isCurrent: boolean
}

export interface SessionList {
  /** Most recently used first. No paging: the order changes with each use. */
  items: SessionSummary[]
  total: number
}

export interface Lifetime {
  /** Maximum age, from login. */
  wholeSeconds: number
  idleSeconds: number
}

export interface SessionsNeeds {
  readonly db: Database
  readonly holder: 'user' | 'operator'
  readonly tokenPrefix: string
  readonly lifetimes: Readonly<Record<SessionKind, Lifetime>>
  /** Must exclude disabled people. */
  readonly actorColumns: Fragment
  readonly actorJoin: Fragment
}

// Rules: RIGHT-41
/** After the commit, in every process: event streams of the session end. */
const TELL_ENDED = fragment`
  select id, pg_notify('live', json_build_object('sessions', json_build_array(id))::text) from ended`

/** Updates `last_seen_at` at most this often: reads stay cheap. */
const SEEN_EVERY_MS = 60_000
const USER_AGENT_MAX = 300
const LISTED_MAX = 200

/** Of buyers or operators. `Actor` is the row of `actorColumns`. */
export class Sessions<Actor> {
  readonly #db: Database
  readonly #tokenPrefix: string
  readonly #lifetimes: SessionsNeeds['lifetimes']
  readonly #table: Fragment
  readonly #column: Fragment
  readonly #isLive: Fragment
  readonly #find: (hash: Buffer) => Promise<(Actor & SessionRow) | undefined>

  constructor({ db, holder, tokenPrefix, lifetimes, actorColumns, actorJoin }: SessionsNeeds) {
    this.#db = db
    this.#tokenPrefix = tokenPrefix
    this.#lifetimes = lifetimes
    this.#table = fragmentOf(`${holder}_sessions`)
    this.#column = holderColumn({ kind: holder })
    this.#isLive = isLiveSession(lifetimes)
    type Found = Actor & SessionRow
    this.#find = createBatches<Buffer, Found | undefined>({
      run: async (hashes) => {
        const rows = await db.query<Found>(
          sql`select s.token_hash, s.id as session_id, s.kind, s.last_seen_at, s.expires_at, s.authenticated_at,
                     ${actorColumns}
                from ${this.#table} s ${actorJoin} where s.token_hash = any(${hashes}) and ${this.#isLive}`,
        )
        const byHash = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]))
        return hashes.map((hash) => byHash.get(hash.toString('latin1')))
      },
      sizeMax: 100,
      runsMax: Number.POSITIVE_INFINITY,
    })
  }

  /** `hasSecondFactor`: whether one was given at the login. */
  async start(
    tx: Queryable,
    holderId: string,
    { client, kind, hasSecondFactor }: { client: Client; kind: SessionKind; hasSecondFactor: boolean },
  ): Promise<NewSession> {
    const token = newToken(this.#tokenPrefix)
    const row = await tx.one<{ id: string; expires_at: Date }>(
      sql`insert into ${this.#table} (token_hash, ${this.#column}, kind, expires_at, user_agent, network, has_second_factor)
          values (${hashToken(token)}, ${holderId}, ${kind},
                  now() + make_interval(secs => ${this.#lifetimes[kind].wholeSeconds}),
                  ${client.userAgent.slice(0, USER_AGENT_MAX)}, ${client.network}, ${hasSecondFactor})
          returning id, expires_at`,
    )
    return { token, id: row.id, expiresAt: row.expires_at }
  }

  /** Undefined if the session has ended. Calls within one turn of the event loop share a query. */
  async authenticate(token: string): Promise<(Actor & SessionRow) | undefined> {
    if (!token.startsWith(this.#tokenPrefix) || token.length !== this.#tokenPrefix.length + 43)
      return undefined
    const row = await this.#find(hashToken(token))
    // A failure to store the time must not fail the call.
    if (row && Date.now() - row.last_seen_at.getTime() > SEEN_EVERY_MS)
      this.#noteSeen(row.session_id).catch(() => undefined)
    return row
  }

  /** Most recently used first. */
  async list(holderId: string, currentId: string | null): Promise<SessionList> {
    const rows = await this.#db.query<ListRow>(
      sql`select s.id, s.kind, s.created_at, s.last_seen_at, s.expires_at, s.user_agent, s.network,
                 count(*) over ()::integer as total
            from ${this.#table} s where s.${this.#column} = ${holderId} and ${this.#isLive}
           order by s.last_seen_at desc, s.id limit ${LISTED_MAX}`,
    )
    return { items: rows.map((row) => summaryFromRow(row, currentId)), total: rows[0]?.total ?? 0 }
  }

  async end(token: string): Promise<void> {
    await this.#db.query(
      sql`with ended as (delete from ${this.#table} where token_hash = ${hashToken(token)} returning id) ${TELL_ENDED}`,
    )
  }

  // Rules: RIGHT-8
  /**
   * In the transaction of the browser's proof: a copy of the cookie never has the fresh session. Event
   * streams end; the browser opens them again. Throws `session_ended` if another call replaced the token
   * first.
   */
  async renew(tx: Queryable, cookie: PresentedCookie | undefined): Promise<void> {
    if (!cookie) return
    cookie.next ??= newToken(this.#tokenPrefix)
    const next = hashToken(cookie.next)
    const renewed = await tx.query(
      sql`with renewed as (update ${this.#table} set token_hash = ${next}
                            where token_hash in (${cookie.hash}, ${next}) returning id)
          select pg_notify('live', json_build_object('renewed', json_build_array(id))::text) from renewed`,
    )
    if (renewed.length === 0) refuse('session_ended')
  }

  async endById(tx: Queryable, holderId: string, id: string): Promise<boolean> {
    const ended = await tx.query(
      sql`with ended as (delete from ${this.#table} where id = ${id} and ${this.#column} = ${holderId} returning id) ${TELL_ENDED}`,
    )
    return ended.length > 0
  }

  /** All but `exceptId`; returns their number. */
  async endOthers(tx: Queryable, holderId: string, exceptId: string | null): Promise<number> {
    const ended = await tx.query(
      sql`with ended as (delete from ${this.#table} where ${this.#column} = ${holderId} and id is distinct from ${exceptId} returning id)
          ${TELL_ENDED}`,
    )
    return ended.length
  }

  /** Session `id` began after this session's last proof. */
  async isYounger(tx: Queryable, sessionId: string, id: string): Promise<boolean> {
    const rows = await tx.query(
      sql`select from ${this.#table} s join ${this.#table} own on own.id = ${sessionId} and own.${this.#column} = s.${this.#column}
           where s.id <> own.id and s.id = ${id} and s.created_at > own.authenticated_at`,
    )
    return rows.length > 0
  }

  /** The person has just proved their identity; for the session's new token alone. */
  async confirm(tx: Queryable, { id, cookie }: ProvedSession, bySecondFactor: boolean): Promise<void> {
    await this.renew(tx, cookie)
    await tx.query(
      sql`update ${this.#table} set authenticated_at = now(), has_second_factor = has_second_factor or ${bySecondFactor}
           where id = ${id}`,
    )
  }

  async hasSecondFactor(tx: Queryable, sessionId: string): Promise<boolean> {
    const row = await tx.maybeOne<{ has: boolean }>(
      sql`select has_second_factor as has from ${this.#table} where id = ${sessionId}`,
    )
    return row?.has ?? false
  }

  async noteSecondFactor(tx: Queryable, sessionId: string, isOn: boolean): Promise<void> {
    await tx.query(sql`update ${this.#table} set has_second_factor = ${isOn} where id = ${sessionId}`)
  }

  async #noteSeen(sessionId: string): Promise<void> {
    await this.#db.query(
      sql`update ${this.#table} set last_seen_at = now()
           where id = ${sessionId} and last_seen_at < now() - interval '1 minute'`,
    )
  }
}

interface ListRow {
  id: string
  kind: SessionKind
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  user_agent: string
  network: string
  total: number
}

function summaryFromRow(row: ListRow, currentId: string | null): SessionSummary {
  return {
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    userAgent: row.user_agent,
    network: row.network,
    isCurrent: row.id === currentId,
  }
}
