import type { ChainConfig } from '../chain-config.ts'
import { assert } from '../refusal.ts'
import { BalanceRound } from './balance-round.ts'
import { scriptOfAddress } from './bitcoin/networks.ts'
import type { Watched } from './chain-source.ts'
import type { AddressRow, SettlingInputs } from './chain-store.ts'
import { ChangeChains } from './change-chains.ts'

/** Ids are assigned before commit: the last ones are read again. */
const ADDRESS_OVERLAP = 1_000n

/** Bits of an address's kinds; 0: a change address. */
const OURS = 1
const REFUND = 2
const NATIVE = 4

/** Of one chain. Addresses stay for ever, so each is kept as one text. */
export class AddressBook {
  readonly #config: ChainConfig
  readonly #kinds = new Map<string, number>()
  readonly #scripts = new Map<string, string>()
  readonly #places = new Set<string>()
  readonly change = new ChangeChains((address) => this.#add({ address, address_key: address }, 0))
  /** Addresses for the native coin. */
  readonly balances = new BalanceRound()
  #readTo = 0n

  constructor(config: ChainConfig) {
    this.#config = config
  }

  /** Addresses are read from this id on. */
  get from(): bigint {
    return this.#readTo > ADDRESS_OVERLAP ? this.#readTo - ADDRESS_OVERLAP : 0n
  }

  noteReadTo(id: bigint): void {
    if (id > this.#readTo) this.#readTo = id
  }

  addOurs(rows: readonly AddressRow[]): void {
    const { family, network } = this.#config
    for (const row of rows) {
      if (this.isOurs(row.address_key)) continue
      const isNative = family === 'evm' && row.network === network && row.is_native
      this.#add(row, isNative ? OURS | NATIVE : OURS)
      if (isNative) this.balances.add(row.address_key, row.open_to.getTime())
    }
  }

  /** Contract events find escrow places. */
  addPlaces(rows: readonly Pick<AddressRow, 'address_key'>[]): void {
    for (const row of rows) this.#places.add(row.address_key)
  }

  addRefund(address: string, key: string): void {
    if (!this.isRefund(key)) this.#add({ address, address_key: key }, REFUND)
  }

  isOurs(key: string): boolean {
    return this.#is(key, OURS) || this.#places.has(key)
  }

  isRefund(key: string): boolean {
    return this.#is(key, REFUND)
  }

  watched(
    tokens: ReadonlyMap<string, number>,
    escrows: ReadonlyMap<string, string>,
    { pending, all }: SettlingInputs,
  ): Omit<Watched, 'lacking'> {
    return {
      addresses: this.#kinds,
      senders: { has: (key) => this.#is(key, NATIVE) },
      scripts: this.#scripts,
      tokens,
      escrows,
      inputs: all,
      pending,
    }
  }

  #is(key: string, kind: number): boolean {
    return ((this.#kinds.get(key) ?? 0) & kind) !== 0
  }

  #add(row: Pick<AddressRow, 'address' | 'address_key'>, kind: number): void {
    this.#kinds.set(row.address_key, (this.#kinds.get(row.address_key) ?? 0) | kind)
    if (this.#config.family !== 'bitcoin') return
    const script = Buffer.from(scriptOfAddress(this.#config.network, this.#config.net, row.address)).toString(
      'hex',
    )
    // By one key (`addressKeyOf`) another spelling can't hide a payment.
    const known = this.#scripts.get(script)
    assert(known === undefined || known === row.address_key, 'one script has one key')
    this.#scripts.set(script, row.address_key)
  }
}
