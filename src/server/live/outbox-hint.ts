import { type Database, sql } from '../database/database.ts'

const GATHER_MS = 15

/**
 * Wakes the drainer of any process by one notification for all commits of the last 15 ms. A lost wake-up only
 * delays, because the drainer also polls.
 */
export function createOutboxHint(db: Database): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      db.query(sql`select pg_notify('outbox', '')`).catch(() => {})
    }, GATHER_MS).unref()
  }
}
