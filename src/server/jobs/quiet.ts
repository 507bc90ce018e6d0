import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** Share of the last look's time in which the event loop worked, above which people are waiting for their answers. */
const BUSY_SHARE = 0.5
/** Rows of the outbox in the last second, above which the sale is in a rush, whoever has to wait for whom. */
const RUSH_ROWS = 100
const LOOK_EVERY_MS = 100
/** However long the rush lasts, a job goes on after this. */
const WAIT_MAX_MS = 2_000

/** Tells background jobs when to hold back: mails may come a little later, orders must not. */
export class Quiet {
  #at = performance.now()
  #before = performance.eventLoopUtilization()
  #isBusy = false
  #drained: { at: number; rows: number }[] = []

  /** Waits while this process is busy answering or the sale is in a rush, at most 2 s: jobs go on, slowly, under any load. */
  async wait(): Promise<void> {
    const deadline = performance.now() + WAIT_MAX_MS
    this.#look()
    while (this.#isBusy && performance.now() < deadline) {
      await delay(LOOK_EVERY_MS)
      this.#look()
    }
  }

  /** So many rows of the outbox were drained just now. */
  noteDrained(rows: number): void {
    if (rows > 0) this.#drained.push({ at: performance.now(), rows })
  }

  #look(): void {
    const now = performance.now()
    if (now - this.#at < LOOK_EVERY_MS) return
    this.#drained = this.#drained.filter((batch) => now - batch.at < 1_000)
    const rows = this.#drained.reduce((sum, batch) => sum + batch.rows, 0)
    this.#isBusy = rows > RUSH_ROWS || performance.eventLoopUtilization(this.#before).utilization > BUSY_SHARE
    this.#before = performance.eventLoopUtilization()
    this.#at = now
  }
}
