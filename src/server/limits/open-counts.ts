import { refuse } from '../refusal.ts'
import { RESERVED, widthsOf } from './widths.ts'

export interface OpenBounds {
  /** What the refusal calls them. */
  readonly name: 'streams' | 'files' | 'bodies'
  readonly network: number
  readonly all: number
}

// Rules: RIGHT-25
/** How many answers of one kind are open at once in this process, by network and in all. */
export class OpenCounts {
  readonly #bounds: OpenBounds
  readonly #byNetwork = new Map<string, number>()
  #all = 0

  constructor(bounds: OpenBounds) {
    this.#bounds = bounds
  }

  /**
   * Refuses `too_many_requests` where a network, by any of its widths, or all of them have as many open as they may. A quarter of what all
   * have is kept for networks that have none.
   */
  refuseWhenFull(network: string): void {
    const { name, network: own, all } = this.#bounds
    const widths = widthsOf(network)
    const isFirst = this.#openOf(widths.at(-1)?.subject ?? network) === 0
    const limit = widths.some(({ subject, times }) => this.#openOf(subject) >= own * times)
      ? `${name}_network`
      : this.#all >= all * (isFirst ? 1 : 1 - RESERVED) && `${name}_all`
    if (limit) refuse('too_many_requests', { limit, retryAfterSeconds: 30 })
  }

  /** Counts one more; what is returned counts it no longer. */
  open(network: string): () => void {
    this.#add(network, 1)
    let isOpen = true
    return () => {
      if (isOpen) this.#add(network, -1)
      isOpen = false
    }
  }

  #openOf(subject: string): number {
    return this.#byNetwork.get(subject) ?? 0
  }

  #add(network: string, count: 1 | -1): void {
    this.#all += count
    for (const { subject } of widthsOf(network)) {
      const open = this.#openOf(subject) + count
      if (open > 0) this.#byNetwork.set(subject, open)
      else this.#byNetwork.delete(subject)
    }
  }
}

export const countOpen = (bounds: OpenBounds): OpenCounts => new OpenCounts(bounds)
