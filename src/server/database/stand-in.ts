import { setTimeout as delay } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Line } from './line.ts'
import { isPassingFault } from './loss.ts'
import { hasCaughtUp } from './replica.ts'

/** Where no standby has answered they are left alone for so long. */
const SPARE_MS = 100

interface Answer<T> {
  readonly result: T
}

/**
 * A standby that answers for a primary that has fallen silent, so that pages and figures go on while that one is frozen, cut off or being
 * replaced. It has what the primary had on its disk a beat before it was last heard (`Line.position`).
 */
export class StandIn {
  readonly pool: Pool
  readonly #line: Line
  #sparedUntil = 0
  /** How many answers a standby gave in the place of a silent primary. */
  served = 0

  constructor(line: Line, pool: Pool) {
    this.#line = line
    this.pool = pool
  }

  /**
   * The primary's answer or, as soon as that is silent, a standby's, whichever comes first; where no standby will do, what became of
   * `atPrimary`. `work` only reads, and may be done by both at the same time.
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

  /** Tries again and again for as long as the primary is silent: whoever waits for that one waits for two seconds. */
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

  /** Null where no standby answers or has what is wanted now, undefined where none can do this work: the primary is to say so. */
  async #stand<T>(work: (client: PoolClient) => Promise<T>): Promise<Answer<T> | null | undefined> {
    if (performance.now() < this.#sparedUntil) return null
    let client: PoolClient | undefined
    let broken: unknown
    try {
      client = await this.pool.connect()
      if (!(await hasCaughtUp(client, this.#line.position))) {
        // It may have become the primary; another one may have more.
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

  /** The pool may be the replica's, which closes it. */
  async close(): Promise<void> {
    if (!this.pool.ending) await this.pool.end()
  }

  #spare(): null {
    this.#sparedUntil = performance.now() + SPARE_MS
    return null
  }
}
