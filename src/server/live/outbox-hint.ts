import { type Database, sql } from '../database/database.ts'

const GATHER_MS = 15

/**
 * Wakes whoever drains the outbox, wherever it runs: one small notification for all commits of the last 15 ms. It is a hint: the
 * drainer looks by itself too, so a lost one delays and never loses.
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
