import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, type ClientBase, type ClientConfig, Pool, type PoolClient, types } from 'pg'
import { RetryableError } from '../refusal.ts'
import { Leader, type LeaderOptions } from './leader.ts'
import { Line } from './line.ts'
import {
  isConflict,
  isConnectionLoss,
  isQueueTimeout,
  isReadOnlyRefusal,
  isReadTimeout,
  isStalePlan,
} from './loss.ts'
import { PrimaryBusy, Replica, type ReplicaReads } from './replica.ts'
import type { Query, Statement } from './sql.ts'
import { StandIn } from './stand-in.ts'

export { isConnectionLoss, isPassingFault } from './loss.ts'
export { composed, type Fragment, fragment, fragmentOf, type Query, type Statement, sql } from './sql.ts'

// Rules: STAGE-8
/** What a transaction and the database itself can both do. Rows arrive with `numeric` and `int8` as strings. */
export interface Queryable {
  /** `sql` brings its values along; a `statement` made beforehand gets them beside it. */
  query<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T[]>
  /** Exactly one row; anything else is a bug and fails an assertion. */
  one<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T>
  /** One row or undefined; more than one is a bug and fails an assertion. */
  maybeOne<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T | undefined>
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  readOnly?: boolean
}

export interface Database extends Queryable {
  /** As it was given; connections are made with `client`, which finds the primary. */
  readonly url: string
  /** The pool below, for libraries that take one. Own code uses the methods here. */
  readonly pool: Pool
  /** The pool of what only reads, where reads have one of their own. */
  readonly readPool: Pool | undefined
  /** How many transactions that only read a standby has served, and how many it could not; undefined where none is configured. */
  readonly replicaReads: ReplicaReads | undefined
  /** How many reads a standby has answered because the primary was silent; undefined where no other host is named. */
  readonly standInReads: number | undefined
  /** A connection beside the pools, not open yet: for whoever listens, holds a lock or reads for a long time. */
  client(config: ClientConfig): Client
  /** Leads, once started, while no other process leads by the same name. */
  leader(options: LeaderOptions): Leader
  /** A connection of its own for a read that takes long, open: to a standby where one has everything, else to the primary. Its caller ends it. */
  reader(config: ClientConfig): Promise<Client>
  /**
   * Runs `work` between begin and commit. A serialization failure or a deadlock runs it again from the start, up to 5 times in
   * all, so `work` must have no effect outside the database. A lost connection throws `RetryableError`; when it was lost during
   * commit the outcome is unknown, which is what idempotency keys are for. What is `readOnly` may be done by a standby that has
   * everything that was committed before the call, or, where the primary falls silent, by both at the same time: then all that `work` comes to is
   * what it returns.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Reads for minutes, in one snapshot of the primary on a connection beside the pools, which `signal` cuts off. */
  readLong<T>(work: (tx: Queryable) => Promise<T>, options: LongReading): Promise<T>
  close(): Promise<void>
}

export interface LongReading {
  readonly applicationName: string
  /** Of each statement. */
  readonly statementMsMax: number
  readonly signal?: AbortSignal | undefined
}

export interface DatabaseOptions {
  /** May name several hosts, of which the primary is found: `postgres://user@one:5432,two:5432/name`. */
  url: string
  /** 8–10 is where throughput peaks: the slots of a stage are picked by backend, and commits share their fsync. */
  poolSizeMax?: number
  statementTimeoutMs?: number
  /** So long a statement waits for a connection before it fails as busy. Unset: 5 s. */
  connectTimeoutMs?: number
  /** Seen in `pg_stat_activity`. */
  applicationName?: string
  onConnectionError?: (error: Error) => void
  /**
   * Connections for reading alone. Writes that wait for a standby hold theirs for as long as it takes; what only reads must not
   * wait behind them. Without it one pool does both.
   */
  readPoolSizeMax?: number
  /** A standby for transactions that only read. */
  replicaUrl?: string | undefined
  /** Watches over all connections, so that a server that is frozen or cut off is noticed within 3 s. */
  beats?: boolean
}

const ATTEMPTS_MAX = 5
/** What only reads may be done again on another connection, without its caller noticing that one was lost. */
const READ_ATTEMPTS_MAX = 3
const DATE_OID = 1082
/** So many statements wait for a connection before the next one is told to come back. */
const WAITING_MAX = 500
/** What may be tried on a connection that only reads; PostgreSQL refuses there what writes after all. */
const MAY_READ = /^\s*(select|with|values)\b/i
const SURELY_WRITES =
  /\b(insert\s+into|update\s+\w|delete\s+from|for\s+(no\s+key\s+)?(update|share|key\s+share)|pg_notify|pg_advisory\w*)\b/i
/** PostgreSQL's own function that warns of a commit that stands on one disk alone; its name is in no language. */
const SYNC_WAIT = 'SyncRepWaitForLSN'

/** Connects lazily: the first statement opens the first connection, and a lost one is replaced when it is next needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const tell = options.onConnectionError
  const line = new Line({ url: options.url, onFault: (message) => tell?.(new Error(message)) })
  if (options.beats) line.beat()
  const pool = openPool(line, options, options.poolSizeMax ?? 10, line.Client)
  const { readPoolSizeMax } = options
  const reads = readPoolSizeMax ? openPool(line, options, readPoolSizeMax, line.Reader) : undefined
  const replica = openReplica(options)
  return new PooledDatabase(options.url, {
    line,
    pool,
    reads,
    replica,
    standIn: openStandIn(line, options, replica),
  })
}

/** Only beats tell that a primary is silent, and only where reads have connections of their own there is one to stand in for. */
function openStandIn(
  line: Line,
  options: DatabaseOptions,
  replica: Replica | undefined,
): StandIn | undefined {
  const { beats, readPoolSizeMax } = options
  if (!beats || !readPoolSizeMax) return undefined
  if (replica) return new StandIn(line, replica.pool)
  return line.hasSeveralHosts
    ? new StandIn(line, openPool(line, options, readPoolSizeMax, line.Standby))
    : undefined
}

function openReplica(options: DatabaseOptions): Replica | undefined {
  const { replicaUrl, onConnectionError } = options
  if (replicaUrl === undefined) return undefined
  const line = new Line({ url: replicaUrl, onFault: (message) => onConnectionError?.(new Error(message)) })
  const pool = openPool(line, options, REPLICA_POOL_SIZE, line.Reader)
  return new Replica(pool, (config) => line.client(config))
}

/** Compiling a plan takes seconds and saves milliseconds, and a database without statistics yet does it for every page. */
const SESSION = '-c TimeZone=UTC -c DateStyle=ISO -c jit=off'
const ANSWER_MS = 5_000
const READ_ONLY = ' -c default_transaction_read_only=on'
const REPLICA_POOL_SIZE = 4
/** The standby that stood in last time may be the primary that is silent now. */
const STAND_IN_IDLE_MS = 1_000
const POSITION: Statement = {
  name: 'written_position',
  text: 'select case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() end::text as lsn',
}

/** Connections of `Client`, one of the line's; what is not for the primary alone is for reading alone. */
function openPool(line: Line, options: DatabaseOptions, max: number, Client: Line['Client']): Pool {
  const settings = Client === line.Client ? '' : READ_ONLY
  const statementTimeout = options.statementTimeoutMs ?? 30_000
  const pool = new Pool({
    Client,
    connectionString: line.url,
    max,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMillis: Client === line.Standby ? STAND_IN_IDLE_MS : 60_000,
    keepAlive: true,
    statement_timeout: statementTimeout,
    // The server's own limit above comes first; this one is for a server that has stopped answering at all.
    query_timeout: statementTimeout + ANSWER_MS,
    idle_in_transaction_session_timeout: 30_000,
    application_name: options.applicationName ?? 'presale',
    options: `${SESSION}${settings}`,
    types: { getTypeParser: parserOf },
  })
  // An idle connection that breaks is dropped by the pool; without a listener the event would end the process.
  const tell = (error: Error) => {
    if (!pool.ending) options.onConnectionError?.(error)
  }
  pool.on('error', tell)
  pool.on('connect', (client) => {
    // A client that is checked out reports its loss here as well as in the statement that fails.
    client.on('error', tell)
    client.on('notice', (notice) => {
      if (notice.routine === SYNC_WAIT) unreplicated.add(client)
    })
  })
  return pool
}

/** Connections whose last commit nobody but the primary has: somebody cancelled its wait for the standbys. */
const unreplicated = new WeakSet<object>()

interface Ways {
  readonly line: Line
  readonly pool: Pool
  readonly reads: Pool | undefined
  readonly replica: Replica | undefined
  readonly standIn: StandIn | undefined
}

class PooledDatabase implements Database {
  readonly url: string
  readonly pool: Pool
  readonly readPool: Pool | undefined
  readonly #line: Line
  readonly #replica: Replica | undefined
  readonly #standIn: StandIn | undefined
  /** Statements, by name, that were tried for reading and write. */
  readonly #writers = new Map<string, boolean>()
  #closing: Promise<void> | undefined

  constructor(url: string, { line, pool, reads, replica, standIn }: Ways) {
    this.url = url
    this.#line = line
    this.pool = pool
    this.readPool = reads
    this.#replica = replica
    this.#standIn = standIn
  }

  get replicaReads(): ReplicaReads | undefined {
    return this.#replica?.reads
  }

  get standInReads(): number | undefined {
    return this.#standIn?.served
  }

  client(config: ClientConfig): Client {
    return this.#line.client(config)
  }

  leader(options: LeaderOptions): Leader {
    return new Leader((config) => this.client(config), options)
  }

  async reader(config: ClientConfig): Promise<Client> {
    const byReplica = await this.#replica?.connect(() => this.#position(), config)
    if (byReplica) return byReplica
    const client = this.#line.client(config)
    await client.connect()
    return client
  }

  query<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T[]> {
    const work = (client: PoolClient) => run<T>(client, sql, values)
    if (!this.readPool || this.#isWriter(sql)) return this.#withClient(this.pool, work)
    return this.#read(this.readPool, work).catch((error: unknown) => {
      if (!isReadOnlyRefusal(error)) throw error
      this.#writers.set(sql.name, true)
      return this.#withClient(this.pool, work)
    })
  }

  async one<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T> {
    return oneOf(await this.query<T>(sql, values), sql)
  }

  async maybeOne<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T | undefined> {
    return maybeOneOf(await this.query<T>(sql, values), sql)
  }

  async transaction<T>(work: (tx: Queryable) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const isRead = options.readOnly === true
    const inTransaction = (client: PoolClient) => transact(client, work, options)
    const byReplica = isRead ? await this.#replica?.run(() => this.#position(), inTransaction) : null
    if (byReplica) return byReplica.result
    if (isRead && this.readPool) return this.#read(this.readPool, inTransaction)
    return this.#withClient(this.pool, inTransaction, isRead)
  }

  #read<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const atPrimary = () => this.#withClient(pool, work, true)
    return this.#standIn ? this.#standIn.read(atPrimary, work) : atPrimary()
  }

  async readLong<T>(
    work: (tx: Queryable) => Promise<T>,
    { applicationName, statementMsMax, signal }: LongReading,
  ): Promise<T> {
    signal?.throwIfAborted()
    const client = this.#line.client({
      application_name: applicationName,
      options: SESSION,
      statement_timeout: statementMsMax,
      query_timeout: statementMsMax + ANSWER_MS,
      types: { getTypeParser: parserOf },
    })
    const end = () => client.end().catch(() => undefined)
    signal?.addEventListener('abort', end, { once: true })
    try {
      await client.connect()
      return await transact(client, work, { isolation: 'repeatable read', readOnly: true })
    } finally {
      signal?.removeEventListener('abort', end)
      await end()
    }
  }

  /**
   * Up to where the primary has written its log: all that is committed lies before it. Asked where no write is waited for; null where only a standby
   * answers there.
   */
  async #position(): Promise<string | null> {
    if (this.#line.isSilent) throw new RetryableError('the primary is silent')
    return this.#withClient(
      this.readPool ?? this.pool,
      async (client) => oneOf(await run<{ lsn: string | null }>(client, POSITION), POSITION).lsn,
    )
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([
      this.#line.close(),
      this.pool.end(),
      this.readPool?.end(),
      this.#replica?.pool.end(),
      this.#standIn?.close(),
    ]).then(() => undefined)
    return this.#closing
  }

  #isWriter({ name, text }: Statement): boolean {
    let isWriter = this.#writers.get(name)
    if (isWriter === undefined) {
      isWriter = !MAY_READ.test(text) || SURELY_WRITES.test(text)
      this.#writers.set(name, isWriter)
    }
    return isWriter
  }

  /** Checks a connection out, runs, gives it back: an SQL error keeps the connection, only a broken one is dropped. */
  async #withClient<T>(
    pool: Pool,
    work: (client: PoolClient) => Promise<T>,
    onlyReads = pool === this.readPool,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const mayRepeat = pool === this.readPool && attempt < READ_ATTEMPTS_MAX
      let client: PoolClient
      try {
        client = await this.#connect(pool)
      } catch (error) {
        if (!mayRepeat) throw error
        await delay(randomInt(20, 200))
        continue
      }
      let broken: unknown
      try {
        const result = await work(client)
        if (unreplicated.has(client)) throw new Error('Connection terminated: its commit was not replicated')
        return result
      } catch (error) {
        // What only reads was asked to write: that says nothing of the server.
        if (onlyReads && isReadOnlyRefusal(error)) throw error
        if (isConnectionLoss(error)) {
          broken = error
          if (!mayRepeat) throw new RetryableError(error)
        } else if (isStalePlan(error)) broken = error
        else if (!isConflict(error)) throw error
        if (attempt >= ATTEMPTS_MAX) throw new RetryableError(error)
      } finally {
        giveBack(client, broken ?? this.#line.isStandIn(client))
      }
      await delay(randomInt(1, 10 * 2 ** attempt))
    }
  }

  async #connect(pool: Pool): Promise<PoolClient> {
    assert(this.#closing === undefined, 'the database was used after close()')
    if (pool.waitingCount >= WAITING_MAX)
      throw new PrimaryBusy(`${WAITING_MAX} statements wait for a connection`)
    try {
      return await pool.connect()
    } catch (error) {
      if (isQueueTimeout(error)) throw new PrimaryBusy(error)
      throw isConnectionLoss(error) ? new RetryableError(error) : error
    }
  }
}

/**
 * A connection whose statement was given up is kept from the pool until the server answers it or it is cut: a write that waits for its
 * standbys goes on there, and each new connection in its place would be one more, until the server takes none.
 */
function giveBack(client: PoolClient, broken: unknown): void {
  if (!isReadTimeout(broken)) return client.release(broken as Error | boolean)
  const release = () => {
    client.off('drain', release)
    client.off('end', release)
    client.release(true)
  }
  client.on('drain', release)
  client.on('end', release)
}

async function transact<T>(
  client: ClientBase,
  work: (tx: Queryable) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  await client.query(beginText(options))
  try {
    const result = await work(new Transaction(client))
    await client.query('commit')
    return result
  } catch (error) {
    if (!isConnectionLoss(error) || isReadOnlyRefusal(error)) await client.query('rollback')
    throw error
  }
}

class Transaction implements Queryable {
  readonly #client: ClientBase

  constructor(client: ClientBase) {
    this.#client = client
  }

  query<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T[]> {
    return run<T>(this.#client, sql, values)
  }

  async one<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T> {
    return oneOf(await this.query<T>(sql, values), sql)
  }

  async maybeOne<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T | undefined> {
    return maybeOneOf(await this.query<T>(sql, values), sql)
  }
}

async function run<T>(
  client: ClientBase,
  sql: Statement | Query,
  values: readonly unknown[] = valuesOf(sql),
): Promise<T[]> {
  const result = await client.query({ name: sql.name, text: sql.text, values: [...values] })
  return result.rows as T[]
}

function oneOf<T>(rows: T[], sql: Statement): T {
  const row = maybeOneOf(rows, sql)
  assert(row !== undefined, `${sql.name}: no row where one was expected`)
  return row
}

function maybeOneOf<T>(rows: T[], sql: Statement): T | undefined {
  assert(rows.length <= 1, `${sql.name}: ${rows.length} rows where one was expected`)
  return rows[0]
}

function beginText(options: TransactionOptions): string {
  const isolation = options.isolation ?? 'read committed'
  return `begin isolation level ${isolation} ${options.readOnly ? 'read only' : 'read write'}`
}

/** `date` stays the text it is: as a Date it would move with the time zone of the machine. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === DATE_OID) return (text: string) => text
  return types.getTypeParser(oid, format as 'text')
}

/** A function of its own: Node's type stripping does not parse `in` in a default value. */
function valuesOf(sql: Statement | Query): readonly unknown[] {
  return 'values' in sql ? sql.values : []
}
