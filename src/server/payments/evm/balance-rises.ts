import { add, compare, isPositive, subtract } from '../../../shared/money.ts'
import { RetryableError } from '../../refusal.ts'
import type { Held, KnownBalances } from '../chain-source.ts'
import type { EvmExtras } from './evm-chain.ts'

/** A block in which an address came to hold more than was known; or the last one, where it holds less, or no longer less. */
export interface Rise extends Held {
  readonly addressKey: string
  readonly height: number
}

/** Most rises of one address that one look finds; the next look finds the others. */
const RISES_MAX = 8

/** What is known of addresses in use, and of empty ones that were said to hold something; nothing of one whose balance when it was given out is unknown. */
export type KnownOf = (
  inUse: readonly string[],
  empty: readonly string[],
) => Promise<readonly KnownBalances[]>

export interface Balances {
  readonly rises: readonly Rise[]
  /** The addresses of which all that they hold was known already. */
  readonly explained: readonly string[]
}

/** What the node says of a block that it has. */
export function answered(held: Held | null | undefined): Held {
  if (!held) throw new RetryableError(new Error('the node answered no balance'))
  return held
}

/**
 * Finds the blocks up to `height` in which addresses came to hold more than is known, by halving: what nothing explains never gets less,
 * as it is known what leaves. Where the node has forgotten a block, coins count from the first one that it knows.
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
  for (let round = 0; round < RISES_MAX; round += 1) {
    const open = searches.filter((search) => search.begins())
    if (open.length === 0) break
    await halve(source, open)
    rises.push(...open.map((search) => search.takeRise()))
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

/** The search for the next rise of one address: after block `#low`, in `#high` at the latest. */
class Search {
  readonly addressKey: string
  readonly #isLacking: boolean
  readonly #known: KnownBalances['known']
  readonly #now: Point
  #low: number
  #high: Point
  /** What the rises that were found explain. */
  #explained = '0'

  constructor({ addressKey, known, explainedTo, isLacking }: KnownBalances, now: Point) {
    this.addressKey = addressKey
    this.#isLacking = isLacking
    this.#known = known
    this.#low = explainedTo
    this.#now = now
    this.#high = now
  }

  /** Whether all that the address holds was known before the search. */
  get isExplained(): boolean {
    const known = this.#knownAt(this.#now)
    return known?.sent === this.#now.sent && compare(this.#now.balance, known.balance) <= 0
  }

  /** Whether the address holds less than is known, or did when it was asked last. */
  get hasLess(): boolean {
    return this.#isLacking || compare(this.#unexplained(this.#now), '0') < 0
  }

  takeNow(): Rise {
    return { addressKey: this.addressKey, ...this.#now }
  }

  /** Whether the address holds more than is known. */
  begins(): boolean {
    this.#high = this.#now
    return this.#low < this.#now.height && isPositive(this.#unexplained(this.#now))
  }

  /** The block to look at next, or null where the rise is found. */
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

  /** What of a balance nothing explains; nothing where the address sent what is not known. */
  #unexplained(point: Point): string {
    const known = this.#knownAt(point)
    if (known?.sent !== point.sent) return '0'
    return subtract(subtract(point.balance, known.balance), this.#explained)
  }

  #knownAt({ height }: Point): KnownBalances['known'][number] | undefined {
    return this.#known.findLast((one) => one.height <= height)
  }
}
