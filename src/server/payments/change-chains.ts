import { type AccountKey, addressAt, hasChangeChain } from './account-keys.ts'

/** How many unused addresses wallets look past (BIP 44): who uses none further than that leaves none unseen. */
const GAP = 20
/** Of the two chains of an account the one that takes change. */
const CHANGE = 1

/** Where an address for change lies. */
export interface ChangePlace {
  readonly walletId: number
  readonly index: number
}

interface Chain {
  readonly account: AccountKey
  /** Behind the last address that is looked at. */
  end: number
}

// Rules: LOG-21
/** The addresses for change of the sale's own wallets, as far as they may be in use. */
export class ChangeChains {
  readonly #chains = new Map<number, Chain>()
  readonly #places = new Map<string, ChangePlace>()
  readonly #onAddress: (address: string) => void

  /** `onAddress` takes each address that is looked at from then on. */
  constructor(onAddress: (address: string) => void) {
    this.#onAddress = onAddress
  }

  has(walletId: number): boolean {
    return this.#chains.has(walletId)
  }

  /** Looks at a wallet's chain, of which the addresses up to number `used` were paid; -1 where none was. */
  add(walletId: number, account: AccountKey, used: number): void {
    if (!hasChangeChain(account)) return
    this.#chains.set(walletId, { account, end: 0 })
    this.#extend(walletId, used)
  }

  placeOf(address: string): ChangePlace | undefined {
    return this.#places.get(address)
  }

  /** Looks further where what was paid lies near the end; true where more addresses are looked at than before. */
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
