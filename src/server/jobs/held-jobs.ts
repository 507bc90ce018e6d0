import { type Database, sql } from '../database/database.ts'

const HOLD_EVERY_MS = 10_000
/** Three renewals: by then a holder has renewed, or is gone, frozen or without the job. */
const FORGOTTEN_SECONDS = 30

/**
 * Renews the locks of this process's jobs every 10 s. The queue itself would keep a dead process's job, or
 * one lost with a connection, locked for four hours.
 */
export class HeldJobs {
  readonly #db: Database
  readonly #running = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Database) {
    this.#db = db
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      // Retried in 10 s, or another process takes over.
      this.renew().catch(() => undefined)
    }, HOLD_EVERY_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async during<T>(jobId: string, work: () => Promise<T>): Promise<T> {
    this.#running.add(jobId)
    try {
      return await work()
    } finally {
      this.#running.delete(jobId)
    }
  }

  async renew(): Promise<void> {
    if (this.#running.size === 0) return
    await this.#db.query(
      sql`with held as (
            update graphile_worker._private_jobs set locked_at = now()
             where id = any(${[...this.#running]}::bigint[]) and locked_by is not null returning job_queue_id)
          update graphile_worker._private_job_queues set locked_at = now()
           where id in (select job_queue_id from held) and locked_by is not null`,
    )
  }
}

/** Frees jobs not renewed for 30 s. */
export async function freeForgottenJobs(db: Database): Promise<number> {
  const rows = await db.query(
    sql`with freed as (
          update graphile_worker._private_job_queues set locked_at = null, locked_by = null
           where locked_at < now() - make_interval(secs => ${FORGOTTEN_SECONDS}))
        update graphile_worker._private_jobs set locked_at = null, locked_by = null
         where locked_at < now() - make_interval(secs => ${FORGOTTEN_SECONDS}) returning id`,
  )
  return rows.length
}
