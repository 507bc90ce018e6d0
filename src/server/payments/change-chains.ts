import { type AccountKey, addressAt, hasChangeChain } from './account-keys.ts'

/** Wallets look past this many unused addresses (BIP 44). */
const GAP = 20
/** The chain of an account that takes change. */
const CHANGE = 1

export interface ChangePlace {
  readonly walletId: number
  readonly index: number
}

interface Chain {
  readonly account: AccountKey
  /** Exclusive. */
  end: number
}

// Rules: LOG-21
/** Of the sale's own wallets, as far as the addresses may be in use. */
export class ChangeChains {
  readonly #chains = new Map<number, Chain>()
  readonly #places = new Map<string, ChangePlace>()
  readonly #onAddress: (address: string) => void

  constructor(onAddress: (address: string) => void) {
    this.#onAddress = onAddress
  }

  has(walletId: number): boolean {
    return this.#chains.has(walletId)
  }

  /** Addresses up to `used` were paid (-1: none). */
  add(walletId: number, account: AccountKey, used: number): void {
    if (!hasChangeChain(account)) return
    this.#chains.set(walletId, { account, end: 0 })
    this.#extend(walletId, used)
  }

  placeOf(address: string): ChangePlace | undefined {
    return this.#places.get(address)
  }

  /** If a paid address is near the range's end; returns whether it grew. */
  use(addresses: Iterable<string>): boolean {
    let isMore = false
    for (const address of addresses) {
      const place = this.#places.get(address)
      if (place && this.#extend(place.walletId, place.index)) isMore = true
    }
    return isMore
  }

  #extend(walletId: number, used: number): boolean {
    const chain = this.#chains.get(walletId)
    if (!chain || chain.end > used + GAP) return false
    for (; chain.end <= used + GAP; chain.end += 1) {
      const address = addressAt(chain.account, chain.end, CHANGE)
      this.#places.set(address, { walletId, index: chain.end })
      this.#onAddress(address)
    }
    return true
  }
}
