/**
 * Lets so many be at work at once; the others wait in the order in which they came. Answers, once it is one's turn, what ends it; a second end
 * does nothing.
 */
export function createTurns(atOnce: number): () => Promise<() => void> {
  let free = atOnce
  const waiting: (() => void)[] = []
  return async () => {
    if (free > 0) free -= 1
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
