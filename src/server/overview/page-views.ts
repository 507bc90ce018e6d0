import { type Database, sql } from '../database/database.ts'

const FLUSH_MS = 10_000

// Rules: TEXT-16
/**
 * By day (UTC), announcements also separately, and nothing about visitors. Written every ten seconds and at
 * the end, so that no page waits.
 */
export class PageViews {
  readonly #db: Database
  readonly #timer: NodeJS.Timeout
  #views = 0
  #ofAnnouncements = new Map<number, number>()
  #writing: Promise<void> = Promise.resolve()

  constructor({ db, onFault }: { db: Database; onFault: (error: unknown) => void }) {
    this.#db = db
    this.#timer = setInterval(() => void this.flush().catch(onFault), FLUSH_MS).unref()
  }

  count(announcementId?: number): void {
    this.#views += 1
    if (announcementId !== undefined) this.#add(announcementId, 1)
  }

  /** After a failure the counts are kept. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  #add(announcementId: number, views: number): void {
    this.#ofAnnouncements.set(announcementId, (this.#ofAnnouncements.get(announcementId) ?? 0) + views)
  }

  async #write(): Promise<void> {
    const views = this.#views
    if (views === 0) return
    // By id: concurrent writers lock rows in the same order.
    const ofAnnouncements = [...this.#ofAnnouncements].toSorted(([a], [b]) => a - b)
    this.#views = 0
    this.#ofAnnouncements = new Map()
    try {
      // Drops counts of a deleted announcement; a deletion waits for a write of its counts.
      await this.#db.query(
        sql`with counted as (
              select a.id, c.views
                from unnest(${ofAnnouncements.map(([id]) => id)}::bigint[], ${ofAnnouncements.map(([, count]) => count)}::bigint[]) as c(id, views)
                join announcements a on a.id = c.id order by a.id for key share of a),
            of_announcements as (
              insert into announcement_views as v (announcement_id, day, views)
              select id, (now() at time zone 'UTC')::date, views from counted order by id
              on conflict (announcement_id, day) do update set views = v.views + excluded.views)
            insert into day_counts as d (day, page_views) values ((now() at time zone 'UTC')::date, ${views})
            on conflict (day) do update set page_views = d.page_views + excluded.page_views`,
      )
    } catch (error) {
      this.#views += views
      for (const [id, count] of ofAnnouncements) this.#add(id, count)
      throw error
    }
  }
}
