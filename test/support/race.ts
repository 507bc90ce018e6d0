import type { Database, Query } from '../../src/server/database/database.ts'
import { statement } from './statement.ts'
import { until } from './until.ts'

/** Sleeps, so that all connections are opened. */
const HOLD_CONNECTION = statement('test_hold_connection', 'select pg_sleep(0.02)')

/** Opens all connections: the first of several steps would end before the second connects. */
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
 * Each step starts once the previous one waits or has ended. They continue in this order after the release.
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

function untilWaiting(db: Database, count: number): Promise<number> {
  return until(async () => (await db.query(WAITING)).length >= count)
}

/** Starts all steps at once on a warm pool. */
export async function race<T>(
  db: Database,
  steps: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  await warm(db)
  return Promise.allSettled(steps.map((step) => step()))
}

export function raceOf<T>(db: Database, count: number, step: () => Promise<T>) {
  return race(
    db,
    Array.from({ length: count }, () => step),
  )
}
