import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** Utilisation of the event loop above which requests wait. */
const BUSY_SHARE = 0.5
/** Outbox rows in a second above which the sale is in a rush. */
const RUSH_ROWS = 100
const LOOK_EVERY_MS = 100
/** A job's maximum delay, however long the rush. */
const WAIT_MAX_MS = 2_000

/** Mails may be late, orders must not. */
export class Quiet {
  #at = performance.now()
  #before = performance.eventLoopUtilization()
  #isBusy = false
  #drained: { at: number; rows: number }[] = []

  /** Waits at most 2 s, so that jobs continue slowly. */
  async wait(): Promise<void> {
    const deadline = performance.now() + WAIT_MAX_MS
    this.#look()
    while (this.#isBusy && performance.now() < deadline) {
      await delay(LOOK_EVERY_MS)
      this.#look()
    }
  }

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
