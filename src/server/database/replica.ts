import { setTimeout as delay } from 'node:timers/promises'
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { RetryableError } from '../refusal.ts'
import type { Line } from './line.ts'
import { isPassingFault } from './loss.ts'

/** How long a standby may take to have what was committed before the question; whoever asks waits no longer. */
const CATCH_UP_MS = 200
const LOOK_AGAIN_MS = 10
/** A standby that lags or is away is not asked again for this long, because each question would wait for it. */
const SPARE_MS = 1_000
/** The same while the primary is silent, when nobody else can answer. */
const SPARE_SILENT_MS = 100

/** The primary is there, and has no connection left to be asked on: what a standby lacks is not known. */
export class PrimaryBusy extends RetryableError {}

/**
 * Counts of reads: those that a standby `served`, those that went to the primary because it was `behind` or `away`, and those that it answered for
 * a silent primary.
 */
export interface ReplicaReads {
  served: number
  behind: number
  away: number
  stoodIn: number
}

interface Answer<T> {
  readonly result: T
}

/**
 * A standby for what only reads. It answers once it has replayed everything that the primary had written before the question, so that
 * readers see their own orders. While the primary is silent or away, it answers from what the primary had on its disk a heartbeat before.
 */
export class Replica {
  readonly pool: Pool
  readonly reads: ReplicaReads = { served: 0, behind: 0, away: 0, stoodIn: 0 }
  readonly #primary: Line
  readonly #own: Line
  #sparedAt = Number.NEGATIVE_INFINITY

  /** `own` are the connections to the standby. */
  constructor(pool: Pool, { primary, own }: { primary: Line; own: Line }) {
    this.pool = pool
    this.#primary = primary
    this.#own = own
  }

  /**
   * Runs `work`, which must be safe to repeat, on a connection to the standby. Returns null if the primary is to do it: the standby lags
   * behind `position` (asked of the primary first), is away or no standby, or gave the work up, or the primary is too busy to say.
   */
  async run<T>(
    position: () => Promise<string | null>,
    work: (client: PoolClient) => Promise<T>,
  ): Promise<Answer<T> | null> {
    if (this.#isSpared) return null
    const from = await this.#from(position)
    if (from === undefined) return null
    const answer = await this.#ask(from, work)
    if (answer) this.reads.served += 1
    return answer
  }

  /** A connection of its own for a long read, open; null where `run` would answer null. */
  async connect(position: () => Promise<string | null>, config: ClientConfig): Promise<Client | null> {
    if (this.#isSpared) return null
    const from = await this.#from(position)
    if (from === undefined) return null
    const client = this.#own.client(config)
    try {
      await client.connect()
      if (await hasCaughtUp(client, from)) {
        this.reads.served += 1
        return client
      }
      this.#spare('behind')
    } catch (error) {
      if (!isPassingFault(error)) throw error
      this.#spare('away')
    }
    client.end().catch(() => undefined)
    return null
  }

  /**
   * The primary's answer or, once the primary is silent, the standby's, whichever comes first. `work` only reads, and may be done by both
   * at the same time. Fails as `atPrimary` does if the standby has no answer either.
   */
  async standIn<T>(atPrimary: () => Promise<T>, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const answer = this.#primary.isSilent ? await this.#askOnce(work) : null
    if (answer) return answer.result
    const over = new AbortController()
    const standing = this.#askWhileSilent(work, over.signal)
    const primary = atPrimary().finally(() => over.abort())
    const either = standing.then((stood) => (stood ? stood.result : primary))
    return Promise.race([primary.catch(() => either), either])
  }

  /** Tries again and again for as long as the primary is silent: its own answer would take two seconds to fail. */
  async #askWhileSilent<T>(
    work: (client: PoolClient) => Promise<T>,
    over: AbortSignal,
  ): Promise<Answer<T> | null> {
    await this.#primary.untilSilent(over)
    while (this.#primary.isSilent) {
      const answer = await this.#askOnce(work)
      if (answer || over.aborted) return answer
      await delay(SPARE_SILENT_MS)
    }
    return null
  }

  async #askOnce<T>(work: (client: PoolClient) => Promise<T>): Promise<Answer<T> | null> {
    if (this.#isSpared) return null
    // What the standby rejects is the primary's to reject.
    const answer = await this.#ask(this.#primary.position, work).catch(() => null)
    if (answer) this.reads.stoodIn += 1
    return answer
  }

  async #ask<T>(from: string | null, work: (client: PoolClient) => Promise<T>): Promise<Answer<T> | null> {
    let client: PoolClient | undefined
    let broken: unknown
    try {
      client = await this.pool.connect()
      if (await hasCaughtUp(client, from)) return { result: await work(client) }
      // It may have become the primary; the next connection may reach another one, which has more.
      broken = true
      return this.#spare('behind')
    } catch (error) {
      // A query that still reads what the primary has cleaned away is ended by the standby, as a conflict.
      if (!isPassingFault(error)) throw error
      broken = error
      return this.#spare('away')
    } finally {
      client?.release(broken as Error | boolean | undefined)
    }
  }

  /** The position that the standby needs: null if nobody can say, undefined if the primary could and is too busy. */
  async #from(position: () => Promise<string | null>): Promise<string | null | undefined> {
    if (this.#primary.isSilent) return this.#primary.position
    try {
      return await position()
    } catch (error) {
      if (error instanceof PrimaryBusy) return undefined
      if (!(error instanceof RetryableError)) throw error
      return this.#primary.position
    }
  }

  get #isSpared(): boolean {
    const ms = this.#primary.isSilent ? SPARE_SILENT_MS : SPARE_MS
    return performance.now() < this.#sparedAt + ms
  }

  #spare(why: 'behind' | 'away'): null {
    if (!this.#primary.isSilent) this.reads[why] += 1
    this.#sparedAt = performance.now()
    return null
  }
}

/** Whether a standby has replayed the log up to `position` soon enough. A server that is no standby may be a primary of the past. */
async function hasCaughtUp(client: Pick<Client, 'query'>, position: string | null): Promise<boolean> {
  const deadline = performance.now() + CATCH_UP_MS
  const question = {
    name: 'replica_caught_up',
    text: 'select pg_is_in_recovery() and coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, $1 is null) as caught_up',
    values: [position],
    // The driver takes one for each query, too: a standby that is frozen keeps nobody waiting.
    query_timeout: CATCH_UP_MS,
  }
  for (;;) {
    const { rows } = await client.query<{ caught_up: boolean | null }>(question)
    if (rows[0]?.caught_up) return true
    if (performance.now() >= deadline) return false
    await delay(LOOK_AGAIN_MS)
  }
}
