import { refuse } from './refusal.ts'

/**
 * Lets `atOnce` callers work at once; at most `waitingMax` others wait in order, and a further one throws
 * `unavailable`. Resolves to a function that frees the place, once.
 */
export function createQueue(
  atOnce: number,
  waitingMax = Number.POSITIVE_INFINITY,
): () => Promise<() => void> {
  let free = atOnce
  const waiting: (() => void)[] = []
  return async () => {
    if (free > 0) free -= 1
    else if (waiting.length >= waitingMax) refuse('unavailable', { limit: 'queue', retryAfterSeconds: 2 })
    else await new Promise<void>((resolve) => waiting.push(resolve))
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
