import { type Database, sql } from '../database/database.ts'

const FLUSH_MS = 10_000

/**
 * Counts the public pages that are sent, by day (UTC), and nothing about who asked. The figure is added up here and written every ten
 * seconds and at the end, so that no page waits for it; a crash may lose the last ten seconds.
 */
export class PageViews {
  readonly #db: Database
  readonly #timer: NodeJS.Timeout
  #views = 0
  #writing: Promise<void> = Promise.resolve()

  constructor({ db, onFault }: { db: Database; onFault: (error: unknown) => void }) {
    this.#db = db
    this.#timer = setInterval(() => void this.flush().catch(onFault), FLUSH_MS).unref()
  }

  count(): void {
    this.#views += 1
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

  async #write(): Promise<void> {
    const views = this.#views
    if (views === 0) return
    this.#views = 0
    try {
      await this.#db.query(
        sql`insert into day_counts as d (day, page_views) values ((now() at time zone 'UTC')::date, ${views})
            on conflict (day) do update set page_views = d.page_views + excluded.page_views`,
      )
    } catch (error) {
      this.#views += views
      throw error
    }
  }
}
