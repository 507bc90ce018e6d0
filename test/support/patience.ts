import { Worker } from 'node:worker_threads'

/** Milliseconds on a free core of 3 GHz. */
const USUAL_MS = 350
const WORK = `let x = 1
for (let n = 0; n < 5e7; n += 1) x = (x * 1103515245 + n) | 0
require('node:worker_threads').parentPort.postMessage(x)`
const SLOWNESS_MAX = 20

/** The only time limits of tests: for waiting, and for a whole test or hook. */
export const boundsOf = (slowness: number) => ({ patienceMs: 60_000 * slowness, testMs: 600_000 * slowness })

/**
 * This machine's slowness compared with two free cores, 1 to 20; `vitest.config.ts` measures it. Tests of
 * speed multiply by it.
 */
export const slowness = Number(process.env['TEST_SLOWNESS'] ?? 1)

export const { patienceMs } = boundsOf(slowness)

/** Times a fixed task on two cores at once: quotas and other programs count. Timers need an integer. */
export async function measureSlowness(): Promise<number> {
  const startedAt = performance.now()
  await Promise.all([work(), work()])
  return Math.min(SLOWNESS_MAX, Math.max(1, Math.ceil((performance.now() - startedAt) / USUAL_MS)))
}

function work(): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORK, { eval: true })
    worker.once('message', () => resolve())
    worker.once('error', reject)
  })
}
