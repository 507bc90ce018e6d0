import { refuse } from './refusal.ts'

/**
 * Returns a queue that lets `atOnce` callers work at once; the others wait in the order in which they came, at most `waitingMax`, and one
 * more is refused (`unavailable`). Taking a place resolves to the function that gives it back; calling that a second time does nothing.
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
