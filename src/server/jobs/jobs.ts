import { setTimeout as delay } from 'node:timers/promises'
import { Logger, type Runner, run } from 'graphile-worker'
import type { Database, Queryable } from '../database/database.ts'
import type { OwnerNotice } from '../notices/mail-kinds.ts'
import type { JobTry, Notices } from '../notices/notices.ts'
import { createLeader } from './leader.ts'
import { drainOutbox, OUTBOX_BATCH_MAX, type OutboxNeeds } from './outbox.ts'
import { type PeriodicTask, startPeriodic } from './periodic.ts'
import { createQuiet, type Quiet } from './quiet.ts'

export type { PeriodicTask } from './periodic.ts'

export interface JobsLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
}

export interface JobsNeeds {
  database: Database
  notices: Pick<Notices, 'sendOrderMails' | 'tasks'>
  tellOwners(tx: Queryable, notice: OwnerNotice, by: string): Promise<void>
  tellWebhooks?: OutboxNeeds['tellWebhooks']
  /** Task name → what runs a job of it, besides the mails'. A throw is a retry with backoff. */
  tasks?: Record<string, (payload: unknown, job: JobTry) => Promise<void>>
  /** Run by one process of all: expiry, rates, sweeps. */
  periodic: readonly PeriodicTask[]
  log: JobsLog
}

const DRAIN_EVERY_MS = 500
const DRAIN_GAP_MS = 50
const CONCURRENCY = 4
const RESTART_MS = 2_000
/** Any constant: the periodic tasks of a database belong to whoever holds it. */
const PERIODIC_LOCK = 7_031_802_116n

/** Everything that happens without anybody asking: mails, the outbox, periodic tasks. */
export class Jobs {
  readonly #drainer: ReturnType<typeof createDrainer>
  readonly #leader: ReturnType<typeof createLeader>
  readonly #queue: ReturnType<typeof createQueue>

  constructor(needs: JobsNeeds) {
    const { database, log, periodic } = needs
    const quiet = createQuiet()
    this.#drainer = createDrainer(needs, quiet)
    this.#leader = createLeader({
      url: database.url,
      lockKey: PERIODIC_LOCK,
      channel: 'outbox',
      onNotify: () => this.#drainer.wake(),
      lead: () => startPeriodic(periodic, log),
      onFault: (error) => log.warn({ err: error }, 'jobs lost their connection'),
    })
    this.#queue = createQueue(needs, quiet)
  }

  async start(): Promise<void> {
    this.#drainer.start()
    this.#leader.start()
    await this.#queue.start()
  }

  /** Lets running jobs end (at most 10 s), stops the drainer after a last look. */
  async stop(): Promise<void> {
    await this.#leader.stop()
    await this.#drainer.stop()
    await this.#queue.stop()
  }

  /** Drains now and until the outbox is empty; for commands and tests. */
  drain(): Promise<number> {
    return this.#drainer.drain()
  }
}

/**
 * Drains when woken and every 500 ms, one drain at a time. The first wake after a pause drains at once; in a rush what
 * comes within 50 ms goes out together, so that draining costs little where it would be in the way.
 */
function createDrainer({ database, notices, tellOwners, tellWebhooks, log }: JobsNeeds, quiet: Quiet) {
  let timer: NodeJS.Timeout | undefined
  let draining: Promise<number> | undefined
  let isFailing = false
  let next: NodeJS.Timeout | undefined
  let drainedAt = 0

  const drainAll = async (): Promise<number> => {
    drainedAt = Date.now()
    for (let count = 0; ; ) {
      const drained = await drainOutbox({ database, notices, tellOwners, tellWebhooks })
      count += drained
      quiet.noteDrained(drained)
      if (drained < OUTBOX_BATCH_MAX) return count
    }
  }
  const drain = (): Promise<number> => {
    draining ??= drainAll().finally(() => {
      draining = undefined
    })
    return draining
  }
  // Said once when it begins and once when it is over, not twice a second.
  const noteFailure = (error: unknown) => {
    if (!isFailing) log.warn({ err: error }, 'the outbox cannot be drained')
    isFailing = true
  }
  const noteSuccess = () => {
    if (isFailing) log.info({}, 'the outbox is drained again')
    isFailing = false
  }
  const wake = () => {
    next ??= setTimeout(
      async () => {
        // What arrived during a drain may have come too late for it.
        await draining?.catch(() => undefined)
        next = undefined
        drain().then(noteSuccess, noteFailure)
      },
      Math.max(0, drainedAt + DRAIN_GAP_MS - Date.now()),
    )
  }
  return {
    drain,
    wake,
    start() {
      timer = setInterval(wake, DRAIN_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
      clearTimeout(next)
      await draining?.catch(() => undefined)
      await drain().catch(() => undefined)
    },
  }
}

/** graphile-worker on the same database; where its connection is lost for good it is started again. */
function createQueue({ database, notices, tasks, log }: JobsNeeds, quiet: Quiet) {
  let runner: Runner | undefined
  const stopping = new AbortController()
  const { signal } = stopping
  const taskList = Object.fromEntries(
    Object.entries({ ...notices.tasks, ...tasks }).map(([name, work]) => [
      name,
      async (payload: unknown, helpers: { job: { id: string } }) => {
        await quiet.wait()
        await work(payload, { id: helpers.job.id })
      },
    ]),
  )
  const logger = new Logger(() => (level, message, meta) => {
    const fields = meta?.['failure'] ? { failure: String(meta['failure']) } : {}
    if (level === 'error') log.error(fields, message)
    else if (level === 'warning') log.warn(fields, message)
    else log.debug(fields, message)
  })
  const launch = async () => {
    runner = await run({
      pgPool: database.pool,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      pollInterval: 2_000,
      taskList,
      parsedCronItems: [],
      logger,
    })
    runner.promise.then(restart, restart)
  }
  const restart = async (reason: unknown) => {
    while (!signal.aborted) {
      log.warn({ err: reason }, 'the job queue stopped; starting it again')
      await delay(RESTART_MS)
      try {
        if (!signal.aborted) await launch()
        return
      } catch (error) {
        reason = error
      }
    }
  }
  return {
    start: launch,
    async stop() {
      stopping.abort()
      await Promise.race([runner?.stop().catch(() => undefined), delay(10_000, undefined, { ref: false })])
    },
  }
}
