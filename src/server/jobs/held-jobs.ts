import { type Database, sql } from '../database/database.ts'

const HOLD_EVERY_MS = 10_000
/** Three times the above: whoever holds a job has said so by then, unless it is gone, frozen or has forgotten it. */
const FORGOTTEN_SECONDS = 30

/**
 * The jobs that this process runs, said again every 10 s by renewing the time of their locks. The queue itself would leave the job of a
 * dead process, and one that a lost connection made a living one forget, locked for four hours.
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
      // What could not be said now is said 10 s later, or somebody else takes the job over.
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

  /** Says it now. */
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

/** Gives back to the queue every job, and every queue of jobs, that nobody has said to hold for 30 s. Returns how many jobs. */
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
