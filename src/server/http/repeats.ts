const PERIOD_MS = 1_000
/** So many are told apart in a second; beyond that all are written and the counting starts again. */
const KINDS_MAX = 10_000

// Rules: RIGHT-35
/** What is told again and again: the first at once, what follows as one line a second, whose `times` says how many it stands for. */
export class Repeats<Line extends object> {
  readonly #write: (line: Line & { readonly times: number }) => void
  readonly #lately = new Map<string, { line: Line; times: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(write: (line: Line & { readonly times: number }) => void) {
    this.#write = write
  }

  /** Tells `line`; lines of one `kind` are told together, by the last of them. */
  tell(kind: string, line: Line): void {
    const known = this.#lately.get(kind)
    if (known) {
      known.line = line
      known.times += 1
      return
    }
    if (this.#lately.size >= KINDS_MAX) this.close()
    this.#lately.set(kind, { line, times: 0 })
    this.#write({ ...line, times: 1 })
    this.#timer ??= setInterval(() => this.#tellRest(), PERIOD_MS).unref()
  }

  /** Tells what has not been told yet. */
  close(): void {
    this.#tellRest()
    this.#lately.clear()
    this.#stop()
  }

  /** What was not told again for a period is forgotten: the next one is told at once. */
  #tellRest(): void {
    for (const [kind, { line, times }] of this.#lately) {
      if (times === 0) {
        this.#lately.delete(kind)
        continue
      }
      this.#write({ ...line, times })
      this.#lately.set(kind, { line, times: 0 })
    }
    if (this.#lately.size === 0) this.#stop()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
