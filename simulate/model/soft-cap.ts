import { Exact } from './exact.ts'
import type { Order } from './model.ts'
import type { Payment, Reading } from './payments.ts'

// Whether a sale that pays back below its soft cap has reached it, as docs/rules.md says (REFUND-10). Nothing here comes from the product.

const HOUR = 3_600_000

interface Verdict {
  readonly isReached: boolean
  readonly at: number
  readonly raised: Exact
}

/** What the verdict is made of. */
interface Sale {
  readonly now: number
  readonly endsAt: number
  /** Networks on which orders are paid. */
  readonly networks: ReadonlySet<string>
  readonly orders: readonly Order[]
  readonly payments: readonly Payment[]
}

export class SoftCap {
  /** Below how many dollars the sale pays back; null: it does not. */
  usd: Exact | null = null
  verdict: Verdict | null = null
  /** By network: the time of its newest block that was read. */
  readonly #readUpTo = new Map<string, number>()
  /** By network whose addresses have balances: the time of the block up to which they are known. */
  readonly #balancesUpTo = new Map<string, number>()

  get isMissed(): boolean {
    return this.verdict?.isReached === false
  }

  read({ network, truth, height }: Reading): void {
    const read = truth.blocks.filter((block) => block.height <= height)
    this.#readUpTo.set(network, Math.max(0, ...read.map(({ minedAt }) => minedAt)))
  }

  /** When balances are asked for is the watcher's choice, but never of a block that was not read. Returns whether that holds. */
  readBalances(network: string, upTo: number): boolean {
    this.#balancesUpTo.set(network, upTo)
    return upTo <= (this.#readUpTo.get(network) ?? 0)
  }

  /** Whether nothing is waited for. */
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

/** Whether a block held a payment in time that is neither counted nor gone. */
function isOpen(payment: Payment, until: number): boolean {
  const { isForeign, isReturned, gone, minedAt, firstSeenAt, seenAt, isConfirmed } = payment
  if (isForeign || isReturned || isConfirmed) return false
  if (gone === 'orphaned') return seenAt <= until
  return gone === null && Math.min(minedAt ?? Infinity, firstSeenAt ?? Infinity) <= until
}
