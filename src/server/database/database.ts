import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool, type PoolClient, types } from 'pg'
import { RetryableError } from '../refusal.ts'
import type { Query, Statement } from './sql.ts'

export { composed, type Fragment, fragment, fragmentOf, type Query, type Statement, sql } from './sql.ts'

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
  /** The URL without anything left out; for a listener or a job runner that needs a connection of its own. */
  readonly url: string
  /** The pool below, for libraries that take one. Own code uses the methods here. */
  readonly pool: Pool
  /**
   * Runs `work` between begin and commit. A serialization failure or a deadlock runs it again from the start, up to 5 times in
   * all, so `work` must have no effect outside the database. A lost connection throws `RetryableError`; when it was lost during
   * commit the outcome is unknown, which is what idempotency keys are for.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** 8–10 is where throughput peaks: the slots of a stage are picked by backend, and commits share their fsync. */
  poolSizeMax?: number
  statementTimeoutMs?: number
  /** Seen in `pg_stat_activity`. */
  applicationName?: string
  onConnectionError?: (error: Error) => void
}

const ATTEMPTS_MAX = 5
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const FEATURE_NOT_SUPPORTED = '0A000'
const DATE_OID = 1082

/** Connects lazily: the first statement opens the first connection, and a lost one is replaced when it is next needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSizeMax ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    // The server's own limit above comes first; this one is for a server that has stopped answering at all.
    query_timeout: (options.statementTimeoutMs ?? 30_000) + 5_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: options.applicationName ?? 'presale',
    options: '-c TimeZone=UTC -c DateStyle=ISO',
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
  })
  return new PooledDatabase(pool, options.url)
}

class PooledDatabase implements Database {
  readonly pool: Pool
  readonly url: string
  #closing: Promise<void> | undefined

  constructor(pool: Pool, url: string) {
    this.pool = pool
    this.url = url
  }

  query<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T[]> {
    return this.#withClient((client) => run<T>(client, sql, values))
  }

  async one<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T> {
    return oneOf(await this.query<T>(sql, values), sql)
  }

  async maybeOne<T>(sql: Statement | Query, values?: readonly unknown[]): Promise<T | undefined> {
    return maybeOneOf(await this.query<T>(sql, values), sql)
  }

  transaction<T>(work: (tx: Queryable) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#withClient(async (client) => {
      await client.query(beginText(options))
      try {
        const result = await work(new Transaction(client))
        await client.query('commit')
        return result
      } catch (error) {
        if (!isConnectionLoss(error)) await client.query('rollback')
        throw error
      }
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.pool.end()
    return this.#closing
  }

  /** Checks a connection out, runs, gives it back: an SQL error keeps the connection, only a broken one is dropped. */
  async #withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.#connect()
      let broken: Error | undefined
      try {
        return await work(client)
      } catch (error) {
        if (isConnectionLoss(error)) {
          broken = error as Error
          throw new RetryableError(error)
        }
        // A plan prepared before a migration: the connection forgets it by being replaced, and nothing has run yet.
        if (isStalePlan(error)) broken = error as Error
        else if (!isConflict(error)) throw error
        if (attempt >= ATTEMPTS_MAX) throw new RetryableError(error)
      } finally {
        client.release(broken)
      }
      await delay(randomInt(1, 10 * 2 ** attempt))
    }
  }

  async #connect(): Promise<PoolClient> {
    assert(this.#closing === undefined, 'the database was used after close()')
    try {
      return await this.pool.connect()
    } catch (error) {
      throw isConnectionLoss(error) ? new RetryableError(error) : error
    }
  }
}

class Transaction implements Queryable {
  readonly #client: PoolClient

  constructor(client: PoolClient) {
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
  client: PoolClient,
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED
}

function isStalePlan(error: unknown): boolean {
  return codeOf(error) === FEATURE_NOT_SUPPORTED && (error as Error).message.includes('cached plan')
}

/** SQLSTATE class 08 and the shutdown codes of class 57, the socket's own errors, and the driver's, which have no code. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (/^(08...|57P0[1235]|53300)$/.test(code)) return true
  if (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(
      code,
    )
  ) {
    return true
  }
  if (error instanceof AggregateError) return error.errors.every(isConnectionLoss)
  return /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Client was closed)/.test(
    error.message,
  )
}

/** A function of its own: Node's type stripping does not parse `in` in a default value. */
function valuesOf(sql: Statement | Query): readonly unknown[] {
  return 'values' in sql ? sql.values : []
}
