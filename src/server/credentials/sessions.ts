import { createBatches } from '../database/batches.ts'
import type { Database, Queryable } from '../database/database.ts'
import { statement } from '../database/database.ts'
import { hashToken, newToken } from '../secrets/secrets.ts'

export type SessionKind = 'browser' | 'token'

/** What is known of the other end. */
export interface Client {
  network: string
  userAgent: string
}

export interface NewSession {
  token: string
  id: string
  expiresAt: Date
}

/** What an authenticated call knows of its session. */
export interface SessionRow {
  session_id: string
  kind: SessionKind
  last_seen_at: Date
  expires_at: Date
  authenticated_at: Date
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

export interface Lifetime {
  /** From login to the end, whatever happens. */
  wholeSeconds: number
  /** Without a call for so long it ends earlier. */
  idleSeconds: number
}

export interface SessionsOptions {
  database: Database
  holder: 'user' | 'operator'
  tokenPrefix: string
  lifetimes: Record<SessionKind, Lifetime>
  /** Select list and join that turn `s` (the session) into the actor; must itself leave out disabled people. */
  actorColumns: string
  actorJoin: string
}

/** Sessions of one kind of people. `Actor` is the row that `actorColumns` gives, with the session's own columns. */
export interface Sessions<Actor> {
  start(tx: Queryable, holderId: string, client: Client, kind: SessionKind): Promise<NewSession>
  /** One indexed query; the calls of one turn of the event loop share it. Undefined where the session has ended. */
  authenticate(token: string): Promise<(Actor & SessionRow) | undefined>
  list(holderId: string, currentId: string | null): Promise<SessionSummary[]>
  /** The one that holds this token. */
  end(token: string): Promise<void>
  /** True where there was such a session. */
  endById(tx: Queryable, holderId: string, id: string): Promise<boolean>
  /** All but `exceptId`, or all. Returns how many. */
  endOthers(tx: Queryable, holderId: string, exceptId: string | null): Promise<number>
  /** Step-up: the person has just proved again who they are. */
  confirm(tx: Queryable, sessionId: string): Promise<void>
  /** Deletes what has ended. */
  sweep(): Promise<number>
}

/** Written at most so often, so that reading stays reading. */
const SEEN_EVERY_MS = 60_000
const USER_AGENT_MAX = 300

export function createSessions<Actor>(options: SessionsOptions): Sessions<Actor> {
  const { database, holder, tokenPrefix, lifetimes } = options
  const table = `${holder}_sessions`
  const column = `${holder}_id`
  const named = (name: string, text: string) => statement(`${table}_${name}`, text)
  /** Whole seconds from the options above, never text from outside. */
  const idle = `case s.kind when 'browser' then ${lifetimes.browser.idleSeconds} else ${lifetimes.token.idleSeconds} end`
  const isLive = `s.expires_at > now() and s.last_seen_at > now() - make_interval(secs => ${idle})`

  const insert = named(
    'start',
    `insert into ${table} (token_hash, ${column}, kind, expires_at, user_agent, network)
     values ($1, $2, $3, now() + make_interval(secs => $4), $5, $6) returning id, expires_at`,
  )
  const find = named(
    'authenticate',
    `select s.token_hash, s.id as session_id, s.kind, s.last_seen_at, s.expires_at, s.authenticated_at,
       ${options.actorColumns}
     from ${table} s ${options.actorJoin}
     where s.token_hash = any($1) and ${isLive}`,
  )
  const see = named(
    'see',
    `update ${table} set last_seen_at = now() where id = $1 and last_seen_at < now() - interval '1 minute'`,
  )
  const list = named(
    'list',
    `select s.id, s.kind, s.created_at, s.last_seen_at, s.expires_at, s.user_agent, s.network
     from ${table} s where s.${column} = $1 and ${isLive} order by s.last_seen_at desc, s.id limit 200`,
  )
  const end = named('end', `delete from ${table} where token_hash = $1`)
  const endOne = named('end_one', `delete from ${table} where id = $1 and ${column} = $2 returning id`)
  const endOthers = named(
    'end_others',
    `delete from ${table} where ${column} = $1 and id is distinct from $2 returning id`,
  )
  const confirm = named('confirm', `update ${table} set authenticated_at = now() where id = $1`)
  const sweep = named('sweep', `delete from ${table} s where not (${isLive}) returning 1 as gone`)

  type Found = Actor & SessionRow & { token_hash: Buffer }
  const authenticate = createBatches<Buffer, Found | undefined>({
    async run(hashes) {
      const rows = await database.query<Found>(find, [hashes])
      const byHash = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]))
      return hashes.map((hash) => byHash.get(hash.toString('latin1')))
    },
    sizeMax: 100,
    runsMax: Number.POSITIVE_INFINITY,
  })

  return {
    async start(tx, holderId, client, kind) {
      const token = newToken(tokenPrefix)
      const row = await tx.one<{ id: string; expires_at: Date }>(insert, [
        hashToken(token),
        holderId,
        kind,
        lifetimes[kind].wholeSeconds,
        client.userAgent.slice(0, USER_AGENT_MAX),
        client.network,
      ])
      return { token, id: row.id, expiresAt: row.expires_at }
    },
    async authenticate(token) {
      if (!token.startsWith(tokenPrefix) || token.length !== tokenPrefix.length + 43) return undefined
      const row = await authenticate(hashToken(token))
      // When it was last used is a convenience: a failure to note it must not fail the call.
      if (row && Date.now() - row.last_seen_at.getTime() > SEEN_EVERY_MS) {
        database.query(see, [row.session_id]).catch(() => undefined)
      }
      return row
    },
    async list(holderId, currentId) {
      const rows = await database.query<ListRow>(list, [holderId])
      return rows.map((row) => summaryFromRow(row, currentId))
    },
    async end(token) {
      await database.query(end, [hashToken(token)])
    },
    async endById(tx, holderId, id) {
      return (await tx.query(endOne, [id, holderId])).length > 0
    },
    async endOthers(tx, holderId, exceptId) {
      return (await tx.query(endOthers, [holderId, exceptId])).length
    },
    async confirm(tx, sessionId) {
      await tx.query(confirm, [sessionId])
    },
    async sweep() {
      return (await database.query(sweep)).length
    },
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
