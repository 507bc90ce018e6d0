import { type Database, sql } from '../database/database.ts'

const FLUSH_MS = 10_000

// Rules: TEXT-16
/**
 * Counts the public pages that are sent, by day (UTC), those of announcements also one by one, and nothing about who asked. The figures are
 * added up here and written every ten seconds and at the end, so that no page waits for them; a crash may lose the last ten seconds.
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

  /** Writes what was counted; what could not be written is counted on. */
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
    // By their numbers: processes that write at the same time take the rows in the same order.
    const ofAnnouncements = [...this.#ofAnnouncements].toSorted(([a], [b]) => a - b)
    this.#views = 0
    this.#ofAnnouncements = new Map()
    try {
      // One that was removed meanwhile is counted no more; whoever removes one waits for what is counted of it.
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
