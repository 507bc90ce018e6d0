import type { Pool, PoolClient } from 'pg'

/**
 * The queue removes a finished job without waiting, so a stop must wait here: otherwise a sent mail could be
 * sent again, or a statement fail unheard on an ended pool.
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

  /** For all statements but listeners with a callback, which hold their connection forever. */
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
