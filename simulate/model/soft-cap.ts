import { Exact } from './exact.ts'
import type { Order } from './model.ts'
import type { Payment, Reading } from './payments.ts'

// The soft cap's verdict by docs/rules.md (REFUND-10). Independent of the product's code.

const HOUR = 3_600_000

interface Verdict {
  readonly isReached: boolean
  readonly at: number
  readonly raised: Exact
}

interface Sale {
  readonly now: number
  readonly endsAt: number
  readonly networks: ReadonlySet<string>
  readonly orders: readonly Order[]
  readonly payments: readonly Payment[]
}

export class SoftCap {
  /** The soft cap in dollars; null: none. */
  usd: Exact | null = null
  verdict: Verdict | null = null
  /** The newest read block by network. */
  readonly #readUpTo = new Map<string, number>()
  /** The block of the known balances by network. */
  readonly #balancesUpTo = new Map<string, number>()

  get isMissed(): boolean {
    return this.verdict?.isReached === false
  }

  read({ network, truth, height }: Reading): void {
    const read = truth.blocks.filter((block) => block.height <= height)
    this.#readUpTo.set(network, Math.max(0, ...read.map(({ minedAt }) => minedAt)))
  }

  /** False if the block of the balances was not read yet. */
  readBalances(network: string, upTo: number): boolean {
    this.#balancesUpTo.set(network, upTo)
    return upTo <= (this.#readUpTo.get(network) ?? 0)
  }

  isDue({ now, endsAt, networks, payments }: Sale): boolean {
    if (!this.usd || this.verdict || now < endsAt + 24 * HOUR) return false
    if (now >= endsAt + 7 * 24 * HOUR) return true
    const until = endsAt + 3 * HOUR
    const isPast = (at: number) => at > until
    const isRead = [...networks].every(
      (network) =>
        isPast(this.#readUpTo.get(network) ?? 0) && isPast(this.#balancesUpTo.get(network) ?? Infinity),
    )
    return isRead && !payments.some((payment) => isOpen(payment, until))
  }

  decide({ now, orders }: Sale): void {
    const raised = Exact.sum(orders.filter(({ status }) => status === 'approved').map(({ usd }) => usd))
    this.verdict = { isReached: !raised.isBelow(this.usd ?? Exact.zero), at: now, raised }
  }
}

/** True for a payment in time that is neither counted nor gone. */
function isOpen(payment: Payment, until: number): boolean {
  const { isForeign, isReturned, gone, minedAt, firstSeenAt, seenAt, isConfirmed } = payment
  if (isForeign || isReturned || isConfirmed) return false
  if (gone === 'orphaned') return seenAt <= until
  return gone === null && Math.min(minedAt ?? Infinity, firstSeenAt ?? Infinity) <= until
}
