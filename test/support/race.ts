import type { Database, Query } from '../../src/server/database/database.ts'
import { statement } from './statement.ts'
import { until } from './until.ts'

/** A short sleep keeps each connection from serving twice, so that as many are opened as are asked for. */
const HOLD_CONNECTION = statement('test_hold_connection', 'select pg_sleep(0.02)')

/** Opens the connections of the pool: on a cold one the first of several steps is over before the second has connected. */
export async function warm(db: Database): Promise<void> {
  await Promise.all(Array.from({ length: db.pool.options.max }, () => db.query(HOLD_CONNECTION)))
}

const WAITING = statement(
  'test_waiting',
  `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
)

/** Waits until a statement of this database waits for a lock. */
export function untilLocked(db: Database): Promise<number> {
  return untilWaiting(db, 1)
}

/**
 * Steps that begin one after another while a lock is held: each once the one before it waits for that lock or is over. Once it is let go of,
 * they go on in this order.
 */
export async function queuedBehind<T>(
  db: Database,
  lock: Query,
  steps: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const asked: Promise<T>[] = []
  await db.transaction(async (tx) => {
    await tx.query(lock)
    let waiting = 0
    for (const step of steps) {
      const end = step()
      asked.push(end)
      waiting += 1
      const isOver = end.then(() => {
        waiting -= 1
      })
      await Promise.race([isOver, untilWaiting(db, waiting)])
    }
  })
  return Promise.all(asked)
}

/** Waits until so many statements of this database wait for locks. */
function untilWaiting(db: Database, count: number): Promise<number> {
  return until(async () => (await db.query(WAITING)).length >= count)
}

/** Begins all steps in one turn on a warm pool and waits for their ends. */
export async function race<T>(
  db: Database,
  steps: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  await warm(db)
  return Promise.allSettled(steps.map((step) => step()))
}

/** The same step `count` times at once. */
export function raceOf<T>(db: Database, count: number, step: () => Promise<T>) {
  return race(
    db,
    Array.from({ length: count }, () => step),
  )
}
