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
/** `numeric` and `int8` arrive as strings. */
export interface Queryable {
  /** The second argument is for a prepared `statement`. */
  query<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T[]>
  /** Asserts exactly one row. */
  one<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T>
  /** Asserts at most one row. */
  maybeOne<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T | undefined>
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  readOnly?: boolean
}

export interface Database extends Queryable {
  /** Connect with `client` instead, which finds the primary. */
  readonly url: string
  readonly pool: Pool
  readonly readPool: Pool | undefined
  /** Undefined without a standby. */
  readonly replicaReads: ReplicaReads | undefined
  readonly standInReads: number | undefined
  /** Creates an unopened connection outside the pools, to listen, hold a lock or read for long. */
  client(config: ClientConfig): Client
  /** Elects a leader among processes with the same name. */
  leader(options: LeaderOptions): Leader
  /** Connects to an up-to-date standby, else to the primary. The caller ends the connection. */
  reader(config: ClientConfig): Promise<Client>
  /**
   * Reruns `work` after a serialization failure or deadlock, up to 5 times in all, so `work` must have no
   * effect outside the database. A lost connection throws `RetryableError`; during commit the outcome is then
   * unknown, hence idempotency keys. A `readOnly` transaction may run on an up-to-date standby, or on both
   * servers at once if the primary falls silent.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs in one snapshot of the primary, on a separate connection that `signal` ends. */
  readLong<T>(work: (tx: Queryable) => Promise<T>, options: LongReading): Promise<T>
  close(): Promise<void>
}

export interface LongReading {
  readonly applicationName: string
  readonly statementMsMax: number
  readonly signal?: AbortSignal | undefined
}

export interface DatabaseOptions {
  /** May name several hosts: `postgres://user@one:5432,two:5432/name`. */
  url: string
  /** Throughput peaks at 8–10: commits share their fsync. */
  poolSizeMax?: number
  statementTimeoutMs?: number
  /** Milliseconds until a wait for a connection fails as busy. Default: 5 s. */
  connectTimeoutMs?: number
  applicationName?: string
  onConnectionError?: (error: Error) => void
  /**
   * Separate, because writes hold their connections while they wait for a standby. Unset: one pool for both.
   */
  readPoolSizeMax?: number
  replicaUrl?: string | undefined
  /** Heartbeats detect a frozen or unreachable server within 3 s. */
  beats?: boolean
}

const ATTEMPTS_MAX = 5
const READ_ATTEMPTS_MAX = 3
const DATE_OID = 1082
/** With this many statements waiting for a connection, the next one fails as retryable. */
const WAITING_MAX = 500
/** PostgreSQL rejects a statement that writes after all. */
const MAY_READ = /^\s*(select|with|values)\b/i
const SURELY_WRITES =
  /\b(insert\s+into|update\s+\w|delete\s+from|for\s+(no\s+key\s+)?(update|share|key\s+share)|pg_notify|pg_advisory\w*)\b/i
/**
 * PostgreSQL's function that warns of a commit stored on one disk only; unlike the message, never translated.
 */
const SYNC_WAIT = 'SyncRepWaitForLSN'

/** Connects at the first statement; replaces a lost connection on demand. */
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

/** Needs heartbeats to detect a silent primary, and separate connections for reads. */
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

/**
 * Disables JIT: compiling takes seconds to save milliseconds, and without statistics it happens for every
 * page.
 */
const SESSION = '-c TimeZone=UTC -c DateStyle=ISO -c jit=off'
const ANSWER_MS = 5_000
const READ_ONLY = ' -c default_transaction_read_only=on'
const REPLICA_POOL_SIZE = 4
/** Short, because a standby used before may be the primary that is silent now. */
const STAND_IN_IDLE_MS = 1_000
const POSITION: Statement = {
  name: 'written_position',
  text: 'select case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() end::text as lsn',
}

/** All but primary connections are read-only. */
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
    // Covers a server that no longer answers; otherwise its own limit above comes first.
    query_timeout: statementTimeout + ANSWER_MS,
    idle_in_transaction_session_timeout: 30_000,
    application_name: options.applicationName ?? 'presale',
    options: `${SESSION}${settings}`,
    types: { getTypeParser: parserOf },
  })
  // The pool drops a broken idle connection; without a listener the event would end the process.
  const tell = (error: Error) => {
    if (!pool.ending) options.onConnectionError?.(error)
  }
  pool.on('error', tell)
  pool.on('connect', (client) => {
    // A checked-out client reports its loss here and in the failing statement.
    client.on('error', tell)
    client.on('notice', (notice) => {
      if (notice.routine === SYNC_WAIT) unreplicated.add(client)
    })
  })
  return pool
}

/** Their last commit was not replicated: its wait for the standbys was cancelled. */
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

  /** Includes every commit. The read pool never waits behind writes. Null if only a standby answers. */
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

  /** A broken connection is dropped; an SQL error keeps it. */
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
        // A write on a read-only connection says nothing about the server.
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
 * Holds a timed-out connection until the server answers or the connection is cut. Its write may still wait
 * for standbys; replacing it would add connections until the server rejects them.
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

/** As text, because a Date would shift with the machine's time zone. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === DATE_OID) return (text: string) => text
  return types.getTypeParser(oid, format as 'text')
}

/** Separate, because Node's type stripping cannot parse `in` in a default value. */
function valuesOf(sql: Statement | Query): readonly unknown[] {
  return 'values' in sql ? sql.values : []
}
