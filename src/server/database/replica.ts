import { setTimeout as delay } from 'node:timers/promises'
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { RetryableError } from '../refusal.ts'
import { isConflict, isConnectionLoss } from './loss.ts'

const CATCH_UP_MS = 200
const LOOK_AGAIN_MS = 10
const SPARE_MS = 1_000

/** No free connection for the position query, so the standby's lag is unknown. */
export class PrimaryBusy extends RetryableError {}

/** Reads offered to a standby: served, or passed to the primary (`behind`, `away`). */
export interface ReplicaReads {
  served: number
  behind: number
  away: number
}

/**
 * A standby for reads that are never stale: it must have replayed the primary's WAL up to the start of the
 * read.
 */
export class Replica {
  readonly pool: Pool
  readonly #open: (config: ClientConfig) => Client
  readonly reads: ReplicaReads = { served: 0, behind: 0, away: 0 }
  #sparedUntil = 0
  #blindUntil = 0

  constructor(pool: Pool, open: (config: ClientConfig) => Client) {
    this.pool = pool
    this.#open = open
  }

  /**
   * Runs `work`, which must be idempotent, on the standby. Returns null if the primary must do it: the
   * standby lags behind `position` (queried first), is away, is no standby or failed, or the primary is too
   * busy to answer. With position null (no primary), serves what the standby has.
   */
  async run<T>(
    position: () => Promise<string | null>,
    work: (client: PoolClient) => Promise<T>,
  ): Promise<{ readonly result: T } | null> {
    if (performance.now() < this.#sparedUntil) return null
    const from = await this.#from(position)
    if (from === undefined) return null
    let client: PoolClient | undefined
    let broken: unknown
    try {
      client = await this.pool.connect()
      if (!(await hasCaughtUp(client, from))) return this.#spare('behind')
      const result = await work(client)
      this.reads.served += 1
      return { result }
    } catch (error) {
      // A standby cancels a query with a conflict if the primary has removed rows that it reads.
      if (!isConnectionLoss(error) && !isConflict(error)) throw error
      broken = error
      return this.#spare('away')
    } finally {
      client?.release(broken as Error | undefined)
    }
  }

  /** Null if `run` would return null. */
  async connect(position: () => Promise<string | null>, config: ClientConfig): Promise<Client | null> {
    if (performance.now() < this.#sparedUntil) return null
    const from = await this.#from(position)
    if (from === undefined) return null
    const client = this.#open(config)
    try {
      await client.connect()
      if (await hasCaughtUp(client, from)) {
        this.reads.served += 1
        return client
      }
      this.#spare('behind')
    } catch (error) {
      if (!isConnectionLoss(error)) throw error
      this.#spare('away')
    }
    client.end().catch(() => undefined)
    return null
  }

  /** Null without a primary, undefined with a busy one. */
  async #from(position: () => Promise<string | null>): Promise<string | null | undefined> {
    if (performance.now() < this.#blindUntil) return null
    try {
      return await position()
    } catch (error) {
      if (error instanceof PrimaryBusy) return undefined
      if (!(error instanceof RetryableError)) throw error
      this.#blindUntil = performance.now() + SPARE_MS
      return null
    }
  }

  #spare(why: 'behind' | 'away'): null {
    this.reads[why] += 1
    this.#sparedUntil = performance.now() + SPARE_MS
    return null
  }
}

/** False for a server that is no standby; it may be a former primary. */
export async function hasCaughtUp(client: Pick<Client, 'query'>, position: string | null): Promise<boolean> {
  const deadline = performance.now() + CATCH_UP_MS
  for (;;) {
    const { rows } = await client.query<{ caught_up: boolean | null }>({
      name: 'replica_caught_up',
      text: 'select pg_is_in_recovery() and coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, $1 is null) as caught_up',
      values: [position],
    })
    if (rows[0]?.caught_up) return true
    if (performance.now() >= deadline) return false
    await delay(LOOK_AGAIN_MS)
  }
}
