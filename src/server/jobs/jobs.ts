import type { Database, Queryable } from '../database/database.ts'
import type { Leader } from '../database/leader.ts'
import type { Mailer } from '../mail/mail.ts'
import type { OwnerNotice } from '../mail/mail-kinds.ts'
import { Drainer } from './drainer.ts'
import { freeForgottenJobs } from './held-jobs.ts'
import type { OutboxNeeds } from './outbox.ts'
import { type PeriodicTask, runPeriodic } from './periodic.ts'
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
  mailer: Pick<Mailer, 'sendOrderMails' | 'tasks'>
  tellOwners(tx: Queryable, notice: OwnerNotice, by: string, operatorId?: string): Promise<void>
  tellWebhooks?: OutboxNeeds['tellWebhooks']
  tellBrowsers?: OutboxNeeds['tellBrowsers']
  tellChannels?: OutboxNeeds['tellChannels']
  /** Besides the mails'. */
  tasks?: Tasks
  /** Run by one process of all. */
  periodic: readonly PeriodicTask[]
  log: JobsLog
}

export class Jobs {
  readonly #drainer: Drainer
  readonly #leader: Leader
  readonly #queue: Queue

  constructor(needs: JobsNeeds) {
    const { database, mailer, tasks, log, periodic } = needs
    const quiet = new Quiet()
    const freeing = { name: 'free forgotten jobs', everySeconds: 10, run: () => freeForgottenJobs(database) }
    this.#drainer = new Drainer({ ...needs, quiet })
    this.#leader = database.leader({
      name: 'presale jobs',
      lead: (held) => runPeriodic([...periodic, freeing], log, held),
      listen: { channel: 'outbox', onNotify: () => this.#drainer.wake() },
      log,
    })
    this.#queue = new Queue({ database, tasks: { ...mailer.tasks, ...tasks }, quiet, log })
  }

  async start(): Promise<void> {
    await this.#queue.start()
    this.#drainer.start()
    this.#leader.start()
  }

  /** Waits for running jobs (at most 10 s) and a last drain. */
  async stop(): Promise<void> {
    await this.#leader.stop()
    await this.#drainer.stop()
    await this.#queue.stop()
  }

  drain(): Promise<number> {
    return this.#drainer.drain()
  }
}
