import { setTimeout as delay } from 'node:timers/promises'

/** Looks until `holds` does and answers how many milliseconds that took; throws when it does not within `limitMs`. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs = 10_000): Promise<number> {
  const start = performance.now()
  while (!(await holds())) {
    if (performance.now() - start > limitMs) throw new Error(`not within ${limitMs} ms: ${holds}`)
    await delay(20)
  }
  return performance.now() - start
}
