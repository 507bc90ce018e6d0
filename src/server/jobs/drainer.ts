import type { JobsLog } from './jobs.ts'
import { drainOutbox, OUTBOX_BATCH_MAX, type OutboxNeeds } from './outbox.ts'
import type { Quiet } from './quiet.ts'

const DRAIN_EVERY_MS = 500
const DRAIN_GAP_MS = 50

// Rules: STAGE-7
export interface DrainerNeeds extends OutboxNeeds {
  readonly quiet: Quiet
  readonly log: JobsLog
}

/**
 * When woken and every 500 ms, one drain at a time. The first wake after a pause drains at once; in a rush,
 * 50 ms of events are drained together.
 */
export class Drainer {
  readonly #needs: DrainerNeeds
  #timer: NodeJS.Timeout | undefined
  #next: NodeJS.Timeout | undefined
  #draining: Promise<number> | undefined
  #drainedAt = 0
  #isFailing = false

  constructor(needs: DrainerNeeds) {
    this.#needs = needs
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), DRAIN_EVERY_MS)
  }

  /** After a last drain. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#next)
    await this.#draining?.catch(() => undefined)
    await this.drain().catch(() => undefined)
  }

  /** Empties the outbox, or waits for the current drain. */
  drain(): Promise<number> {
    this.#draining ??= this.#drainAll().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  wake(): void {
    this.#next ??= setTimeout(
      async () => {
        // A drain may miss rows that arrive during it.
        await this.#draining?.catch(() => undefined)
        this.#next = undefined
        this.drain().then(
          () => this.#noteSuccess(),
          (error) => this.#noteFailure(error),
        )
      },
      Math.max(0, this.#drainedAt + DRAIN_GAP_MS - performance.now()),
    )
  }

  async #drainAll(): Promise<number> {
    this.#drainedAt = performance.now()
    for (let count = 0; ; ) {
      const drained = await drainOutbox(this.#needs)
      count += drained
      this.#needs.quiet.noteDrained(drained)
      if (drained < OUTBOX_BATCH_MAX) return count
    }
  }

  #noteFailure(error: unknown): void {
    if (!this.#isFailing) this.#needs.log.warn({ err: error }, 'the outbox cannot be drained')
    this.#isFailing = true
  }

  #noteSuccess(): void {
    if (this.#isFailing) this.#needs.log.info({}, 'the outbox is drained again')
    this.#isFailing = false
  }
}
