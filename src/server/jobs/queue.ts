import { setTimeout as delay } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList } from 'graphile-worker'
import type { Database } from '../database/database.ts'
import type { JobTry } from '../mail/mail.ts'
import { HeldJobs } from './held-jobs.ts'
import type { JobsLog } from './jobs.ts'
import type { Quiet } from './quiet.ts'
import { WatchedPool } from './watched-pool.ts'

const CONCURRENCY = 4
const RESTART_MS = 2_000
const STOP_MS = 10_000

/** Functions by task name. A throw causes a retry with backoff. */
export type Tasks = Record<string, (payload: unknown, job: JobTry) => Promise<void>>

export interface QueueNeeds {
  readonly database: Database
  readonly tasks: Tasks
  readonly quiet: Quiet
  readonly log: JobsLog
}

/** graphile-worker; restarted if it loses its connection for good. */
export class Queue {
  readonly #needs: QueueNeeds
  readonly #taskList: TaskList
  readonly #stopping = new AbortController()
  readonly #held: HeldJobs
  readonly #watched: WatchedPool
  #runner: Runner | undefined

  constructor(needs: QueueNeeds) {
    this.#needs = needs
    this.#held = new HeldJobs(needs.database)
    this.#watched = new WatchedPool(needs.database.pool)
    this.#taskList = Object.fromEntries(
      Object.entries(needs.tasks).map(([name, work]) => [
        name,
        async (
          payload: unknown,
          helpers: { job: { id: string; attempts: number; max_attempts: number } },
        ) => {
          await this.#held.during(helpers.job.id, async () => {
            await needs.quiet.wait()
            const { id, attempts, max_attempts: triesMax } = helpers.job
            await work(payload, { id, isRepeat: attempts > 1, isLast: attempts >= triesMax })
          })
        },
      ]),
    )
  }

  async start(): Promise<void> {
    const { log } = this.#needs
    const runner = await run({
      pgPool: this.#watched.pool,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      pollInterval: 2_000,
      taskList: this.#taskList,
      parsedCronItems: [],
      logger: loggerOver(log),
    })
    this.#runner = runner
    this.#held.start()
    const restart = (reason: unknown) => this.#restart(reason)
    runner.promise.then(restart, restart)
  }

  /** Waits for running jobs and their removal, at most 10 s. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#held.stop()
    await Promise.race([
      this.#runner
        ?.stop()
        .catch(() => undefined)
        .then(() => this.#watched.settled()),
      delay(STOP_MS, undefined, { ref: false }),
    ])
  }

  async #restart(ended: unknown): Promise<void> {
    let reason = ended
    while (!this.#stopping.signal.aborted) {
      this.#needs.log.warn({ err: reason }, 'the job queue stopped; starting it again')
      await delay(RESTART_MS)
      try {
        if (!this.#stopping.signal.aborted) await this.start()
        return
      } catch (error) {
        reason = error
      }
    }
  }
}

function loggerOver(log: JobsLog): Logger {
  return new Logger(() => (level, message, meta) => {
    const fields = meta?.['failure'] ? { failure: String(meta['failure']) } : {}
    if (level === 'error') log.error(fields, message)
    else if (level === 'warning') log.warn(fields, message)
    else log.debug(fields, message)
  })
}
