import { refuse } from '../refusal.ts'
import { RESERVED, widthsOf } from './widths.ts'

export interface OpenBounds {
  /** The limit's name in errors. */
  readonly name: 'streams' | 'files' | 'bodies'
  readonly network: number
  readonly all: number
}

// Rules: RIGHT-25
export class OpenCounts {
  readonly #bounds: OpenBounds
  readonly #byNetwork = new Map<string, number>()
  #all = 0

  constructor(bounds: OpenBounds) {
    this.#bounds = bounds
  }

  /**
   * Throws `too_many_requests` at the maximum of a width of the network, or of all networks. A quarter of the
   * total is reserved for networks without any.
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

  /** Until the returned function is called. */
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
