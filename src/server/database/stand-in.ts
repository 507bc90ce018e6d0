import { setTimeout as delay } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Line } from './line.ts'
import { isPassingFault } from './loss.ts'
import { hasCaughtUp } from './replica.ts'

const SPARE_MS = 100

interface Answer<T> {
  readonly result: T
}

/**
 * A primary may be frozen, unreachable or being replaced. The standby must have reached `Line.position`.
 */
export class StandIn {
  readonly pool: Pool
  readonly #line: Line
  #sparedUntil = 0
  served = 0

  constructor(line: Line, pool: Pool) {
    this.#line = line
    this.pool = pool
  }

  /**
   * Returns the first answer: the primary's or, once that is silent, a standby's. Without a suitable standby,
   * settles as `atPrimary`. `work` must only read and may run on both at once.
   */
  async read<T>(atPrimary: () => Promise<T>, work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.#line.isSilent) {
      const answer = await this.#stand(work)
      if (answer) return answer.result
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let isOver = false
    let standing: Promise<Answer<T> | null | undefined> | undefined
    const stand = () => {
      standing = this.#keepStanding(work, () => isOver)
      void standing.then((answer) => answer && resolve(answer.result))
    }
    const callOff = this.#line.onSilence(stand)
    if (this.#line.isSilent) stand()
    const end = () => {
      isOver = true
      callOff()
    }
    void promise.finally(end).catch(() => undefined)
    void atPrimary().then(resolve, async (error) => {
      end()
      const answer = await standing
      if (answer) resolve(answer.result)
      else reject(error)
    })
    return promise
  }

  /** Retries, because waiting for the primary takes two seconds. */
  async #keepStanding<T>(
    work: (client: PoolClient) => Promise<T>,
    isOver: () => boolean,
  ): Promise<Answer<T> | null | undefined> {
    for (;;) {
      const answer = await this.#stand(work)
      if (answer !== null || isOver() || !this.#line.isSilent) return answer
      await delay(SPARE_MS)
    }
  }

  /**
   * Null if no standby is reachable or caught up; undefined if the work fails there, so that only the primary
   * can answer.
   */
  async #stand<T>(work: (client: PoolClient) => Promise<T>): Promise<Answer<T> | null | undefined> {
    if (performance.now() < this.#sparedUntil) return null
    let client: PoolClient | undefined
    let broken: unknown
    try {
      client = await this.pool.connect()
      if (!(await hasCaughtUp(client, this.#line.position))) {
        // It may have become the primary; another standby may have more.
        broken = true
        return this.#spare()
      }
      const result = await work(client)
      this.served += 1
      return { result }
    } catch (error) {
      if (!isPassingFault(error)) return undefined
      broken = error
      return this.#spare()
    } finally {
      client?.release(broken as Error | boolean | undefined)
    }
  }

  /** The pool may belong to the replica, which closes it. */
  async close(): Promise<void> {
    if (!this.pool.ending) await this.pool.end()
  }

  #spare(): null {
    this.#sparedUntil = performance.now() + SPARE_MS
    return null
  }
}
