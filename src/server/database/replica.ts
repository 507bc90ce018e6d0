import { setTimeout as delay } from 'node:timers/promises'
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { RetryableError } from '../refusal.ts'
import { isConflict, isConnectionLoss } from './loss.ts'

/** How long a standby may take to have what was committed before the question; whoever asks waits no longer. */
const CATCH_UP_MS = 200
const LOOK_AGAIN_MS = 10
/** One that lags or is away is asked again only then: each question would wait for it. */
const SPARE_MS = 1_000

/** The primary is there, and has no connection left to be asked on: what a standby lacks is not known. */
export class PrimaryBusy extends RetryableError {}

/** What has become of reads that a standby might have served: `behind` and `away` went to the primary. */
export interface ReplicaReads {
  served: number
  behind: number
  away: number
}

/**
 * A standby that serves what only reads, never older than the question: it is asked once it has replayed everything that the primary had
 * written by then, so that readers see their own orders and a hint is never followed by the figures of before.
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
   * Runs `work`, which must be safe to repeat, on a connection to the standby. Null where that lags behind `position` (asked of the
   * primary first), is away or no standby, or gave the work up, and where the primary is too busy to say: the primary is to do it. While there is no
   * primary (null) a standby serves what it has.
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
      // What the primary has cleaned away ends a query of a standby that still reads it, as a conflict.
      if (!isConnectionLoss(error) && !isConflict(error)) throw error
      broken = error
      return this.#spare('away')
    } finally {
      client?.release(broken as Error | undefined)
    }
  }

  /** A connection of its own for a long read, open; null where `run` would answer null. */
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

  /** Null while nobody can say, undefined where the primary could and is not asked. */
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

/** Whether a standby has replayed the log up to `position` soon enough. What is no standby may be a primary of the past. */
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
