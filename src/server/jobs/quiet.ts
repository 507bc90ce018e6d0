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
export interface Quiet {
  /** Waits while this process is busy answering or the sale is in a rush, at most 2 s: jobs go on, slowly, under any load. */
  wait(): Promise<void>
  /** So many rows of the outbox were drained just now. */
  noteDrained(rows: number): void
}

export function createQuiet(): Quiet {
  let at = performance.now()
  let before = performance.eventLoopUtilization()
  let isBusy = false
  let drained: { at: number; rows: number }[] = []

  const look = () => {
    const now = performance.now()
    if (now - at < LOOK_EVERY_MS) return
    drained = drained.filter((batch) => now - batch.at < 1_000)
    const rows = drained.reduce((sum, batch) => sum + batch.rows, 0)
    isBusy = rows > RUSH_ROWS || performance.eventLoopUtilization(before).utilization > BUSY_SHARE
    before = performance.eventLoopUtilization()
    at = now
  }
  return {
    async wait() {
      const deadline = performance.now() + WAIT_MAX_MS
      look()
      while (isBusy && performance.now() < deadline) {
        await delay(LOOK_EVERY_MS)
        look()
      }
    },
    noteDrained(rows) {
      if (rows > 0) drained.push({ at: performance.now(), rows })
    },
  }
}
