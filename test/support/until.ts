import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from './patience.ts'

/** Waits; returns the milliseconds, throws after `patienceMs`. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<number> {
  const start = performance.now()
  while (!(await holds())) {
    if (performance.now() - start > patienceMs) throw new Error(`not within ${patienceMs} ms: ${holds}`)
    await delay(20)
  }
  return performance.now() - start
}
