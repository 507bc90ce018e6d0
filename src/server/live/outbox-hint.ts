import { type Database, sql } from '../database/database.ts'

const GATHER_MS = 15

/**
 * One notification for all commits of 15 ms wakes the drainer of any process. A lost one only delays, because
 * the drainer also polls.
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
