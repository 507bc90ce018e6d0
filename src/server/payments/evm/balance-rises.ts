import { add, compare, isPositive, subtract } from '../../../shared/money.ts'
import { RetryableError } from '../../refusal.ts'
import type { Held, KnownBalances } from '../chain-source.ts'
import type { EvmExtras } from './evm-chain.ts'

/** A block in which an address gained unexplained coins; or the last block, if it holds less, or no longer less. */
export interface Rise extends Held {
  readonly addressKey: string
  readonly height: number
}

/** Maximum rises found in one poll, of one address and of all. Blocks are read before the next poll finds more. */
const RISES_MAX = { each: 4, all: 64 }

/**
 * Expected balances of addresses in use, and of empty ones that should hold coins; without addresses of unknown initial
 * balance.
 */
export type KnownOf = (
  inUse: readonly string[],
  empty: readonly string[],
) => Promise<readonly KnownBalances[]>

export interface Balances {
  readonly rises: readonly Rise[]
  /** Addresses whose whole balance was explained. */
  readonly explained: readonly string[]
}

/** The node's balance at a block it has. */
export function answered(held: Held | null | undefined): Held {
  if (!held) throw new RetryableError(new Error('the node answered no balance'))
  return held
}

/**
 * Finds the blocks up to `height` in which addresses gained unexplained coins. Binary search works because spends are known, so
 * unexplained coins never decrease. If the node has pruned a block, coins count from the first one it has.
 */
export async function findRises(
  source: Pick<EvmExtras, 'heldAt'>,
  addresses: readonly string[],
  height: number,
  knownOf: KnownOf,
): Promise<Balances> {
  const held = await source.heldAt(addresses.map((address) => ({ address, height })))
  const now = new Map(addresses.map((address, index) => [address, { height, ...answered(held[index]) }]))
  const inUse = addresses.filter((address) => {
    const point = now.get(address)
    return point && (isPositive(point.balance) || point.sent > 0)
  })
  const known = await knownOf(
    inUse,
    addresses.filter((address) => !inUse.includes(address)),
  )
  const searches = known.flatMap((one) => {
    const point = now.get(one.addressKey)
    return point ? [new Search(one, point)] : []
  })
  const rises: Rise[] = searches.filter((search) => search.hasLess).map((search) => search.takeNow())
  // Many small rises of some addresses put off no first one of another.
  searches.sort((a, b) => a.changes - b.changes)
  let left = RISES_MAX.all
  for (let round = 0; round < RISES_MAX.each; round += 1) {
    const open = searches.filter((search) => search.begins()).slice(0, left)
    if (open.length === 0) break
    await halve(source, open)
    rises.push(...open.map((search) => search.takeRise()))
    left -= open.length
  }
  const open = new Set(inUse)
  for (const search of searches) if (search.isExplained) open.delete(search.addressKey)
  return { rises, explained: addresses.filter((address) => !open.has(address)) }
}

async function halve(source: Pick<EvmExtras, 'heldAt'>, searches: readonly Search[]): Promise<void> {
  for (;;) {
    const open = searches.filter((search) => search.middle !== null)
    if (open.length === 0) return
    const answers = await source.heldAt(
      open.map(({ addressKey, middle }) => ({ address: addressKey, height: middle ?? 0 })),
    )
    open.forEach((search, index) => search.note(answers[index] ?? null))
  }
}

type Point = { readonly height: number } & Held

/** Searches an address's next rise, above block `#low` and at most at `#high`. */
class Search {
  readonly addressKey: string
  readonly #isLacking: boolean
  readonly #known: KnownBalances['known']
  readonly #now: Point
  #low: number
  #high: Point
  #explained = '0'

  constructor({ addressKey, known, explainedTo, isLacking }: KnownBalances, now: Point) {
    this.addressKey = addressKey
    this.#isLacking = isLacking
    this.#known = known
    this.#low = explainedTo
    this.#now = now
    this.#high = now
  }

  /** True if the whole balance was explained before the search. */
  get isExplained(): boolean {
    const known = this.#knownAt(this.#now)
    return known?.sent === this.#now.sent && compare(this.#now.balance, known.balance) <= 0
  }

  /** The number of known changes of its balance. */
  get changes(): number {
    return this.#known.length
  }

  /** True if the address holds less than expected, or did at the last poll. */
  get hasLess(): boolean {
    return this.#isLacking || compare(this.#unexplained(this.#now), '0') < 0
  }

  takeNow(): Rise {
    return { addressKey: this.addressKey, ...this.#now }
  }

  /** Returns whether the address holds more than expected. */
  begins(): boolean {
    this.#high = this.#now
    return this.#low < this.#now.height && isPositive(this.#unexplained(this.#now))
  }

  /** The next block to read; null once the rise is found. */
  get middle(): number | null {
    const middle = Math.floor((this.#low + this.#high.height) / 2)
    return middle > this.#low ? middle : null
  }

  note(held: Held | null): void {
    const height = this.middle
    if (height === null) return
    const point = held && { height, ...held }
    if (point && isPositive(this.#unexplained(point))) this.#high = point
    else this.#low = height
  }

  takeRise(): Rise {
    const rise = { addressKey: this.addressKey, ...this.#high }
    this.#explained = add(this.#explained, this.#unexplained(this.#high))
    this.#low = this.#high.height
    return rise
  }

  /** The unexplained part of a balance; 0 if the address sent unknown transactions. */
  #unexplained(point: Point): string {
    const known = this.#knownAt(point)
    if (known?.sent !== point.sent) return '0'
    return subtract(subtract(point.balance, known.balance), this.#explained)
  }

  #knownAt({ height }: Point): KnownBalances['known'][number] | undefined {
    return this.#known.findLast((one) => one.height <= height)
  }
}
