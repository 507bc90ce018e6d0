import type { Database, Queryable } from '../../src/server/database/database.ts'

/** A process killed before its `step`-th statement, before or after a commit, or at other calls of `live`. */
export function dying(step: number, db: Database): { db: Database; live: () => void } {
  let taken = 0
  const live = () => {
    if (++taken >= step) throw new Error('killed')
  }
  const query = (target: Queryable) =>
    new Proxy(target, {
      get: (on, name) =>
        name === 'query' || name === 'one' || name === 'maybeOne'
          ? (...asked: Parameters<Queryable['query']>) => {
              live()
              return on[name](...asked)
            }
          : Reflect.get(on, name),
    })
  const watched = query(db) as Database
  const transaction = async (work: (tx: Queryable) => Promise<unknown>) => {
    const result = await db.transaction(async (tx) => {
      const done = await work(query(tx))
      // May be killed before the commit.
      live()
      return done
    })
    // May be killed after the commit.
    live()
    return result
  }
  return {
    live,
    db: new Proxy(watched, {
      get: (on, name) => (name === 'transaction' ? transaction : Reflect.get(on, name)),
    }),
  }
}
