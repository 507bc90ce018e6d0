import type { Database, Queryable } from '../database/database.ts'
import type { OwnerNotice } from '../notices/mail-kinds.ts'
import type { Notices } from '../notices/notices.ts'
import { Drainer } from './drainer.ts'
import { freeForgottenJobs } from './held-jobs.ts'
import { Leader } from './leader.ts'
import type { OutboxNeeds } from './outbox.ts'
import { type PeriodicTask, startPeriodic } from './periodic.ts'
import { Queue, type Tasks } from './queue.ts'
import { Quiet } from './quiet.ts'

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
  tellOwners(tx: Queryable, notice: OwnerNotice, by: string, operatorId?: string): Promise<void>
  tellWebhooks?: OutboxNeeds['tellWebhooks']
  tellBrowsers?: OutboxNeeds['tellBrowsers']
  tellChannels?: OutboxNeeds['tellChannels']
  /** Besides the mails'. */
  tasks?: Tasks
  /** Run by one process of all: expiry, rates, sweeps. */
  periodic: readonly PeriodicTask[]
  log: JobsLog
}

/** Any constant: the periodic tasks of a database belong to whoever holds it. */
const PERIODIC_LOCK = 7_031_802_116n

/** Everything that happens without anybody asking: mails, the outbox, periodic tasks. */
export class Jobs {
  readonly #drainer: Drainer
  readonly #leader: Leader
  readonly #queue: Queue

  constructor(needs: JobsNeeds) {
    const { database, notices, tasks, log, periodic } = needs
    const quiet = new Quiet()
    const freeing = { name: 'free forgotten jobs', everySeconds: 10, run: () => freeForgottenJobs(database) }
    this.#drainer = new Drainer({ ...needs, quiet })
    this.#leader = new Leader({
      connect: () => database.client({ application_name: 'presale jobs', query_timeout: 5_000 }),
      lockKey: PERIODIC_LOCK,
      channel: 'outbox',
      onNotify: () => this.#drainer.wake(),
      lead: () => startPeriodic([...periodic, freeing], log),
      onFault: (error) => log.warn({ err: error }, 'jobs lost their connection'),
    })
    this.#queue = new Queue({ database, tasks: { ...notices.tasks, ...tasks }, quiet, log })
  }

  async start(): Promise<void> {
    await this.#queue.start()
    this.#drainer.start()
    this.#leader.start()
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
