const PERIOD_MS = 1_000
/** Per second; beyond that everything is written and counting restarts. */
const KINDS_MAX = 10_000

// Rules: RIGHT-35
/** The first line of a kind at once, then one a second, with `times` as the count. */
export class Repeats<Line extends object> {
  readonly #write: (line: Line & { readonly times: number }) => void
  readonly #lately = new Map<string, { line: Line; times: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(write: (line: Line & { readonly times: number }) => void) {
    this.#write = write
  }

  /** At once, or counted under its `kind`, of which the latest line is written. */
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

  close(): void {
    this.#tellRest()
    this.#lately.clear()
    this.#stop()
  }

  /** Without a repeat in the last period a kind is forgotten: its next line is written at once. */
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
