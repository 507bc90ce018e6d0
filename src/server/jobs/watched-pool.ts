import type { Pool, PoolClient } from 'pg'

/**
 * The pool as the job queue sees it. The queue takes a job that is done out of the table without waiting for that: who stops it waits here,
 * or a mail that went out goes out again, and a pool that was ended meanwhile fails a statement that nobody listens to.
 */
export class WatchedPool {
  readonly pool: Pool
  readonly #underWay = new Set<Promise<void>>()

  constructor(pool: Pool) {
    this.pool = new Proxy(pool, {
      get: (target, name) => {
        if (name === 'connect') return this.#connect.bind(this, target)
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  /** Waits until what has begun over the pool has ended. What listens by a callback holds its connection for good, and is not waited for. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #connect(pool: Pool, listener?: Parameters<Pool['connect']>[0]): Promise<PoolClient> | void {
    if (listener) return pool.connect(listener)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#underWay.add(promise)
    const end = () => {
      this.#underWay.delete(promise)
      resolve()
    }
    return pool.connect().then(
      (client) => {
        const release = client.release.bind(client)
        client.release = (broken) => {
          client.release = release
          end()
          release(broken)
        }
        return client
      },
      (error: unknown) => {
        end()
        throw error
      },
    )
  }
}
