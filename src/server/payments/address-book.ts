import type { ChainConfig } from '../chain-config.ts'
import { assert } from '../refusal.ts'
import { scriptOfAddress } from './bitcoin/networks.ts'
import type { Watched } from './chain-source.ts'
import type { AddressRow, SettlingInputs } from './chain-store.ts'
import { ChangeChains } from './change-chains.ts'

/** How long an address is polled often: order, top-up and a day. */
const OPEN_MS = 8 * 24 * 3_600_000
/** Polling interval of balances, for open addresses and forever after (docs/decisions/0012). */
export const BALANCE_MS = { open: 15_000, old: 3_600_000 }
/** Ids are assigned before commit, so the last ones are read again. */
const ADDRESS_OVERLAP = 1_000n

interface Given {
  readonly key: string
  readonly reservedAt: number
}

export class AddressBook {
  readonly #config: ChainConfig
  readonly #all = new Set<string>()
  readonly #ours = new Set<string>()
  readonly #refunds = new Set<string>()
  readonly #scripts = new Map<string, string>()
  readonly change = new ChangeChains((address) => this.#look({ address, address_key: address }))
  /** Addresses for currencies of this chain, in the order they were assigned. */
  readonly #given: Given[] = []
  /** Addresses for the native coin, the time of each one's last poll, and of the block up to which its balance is explained. */
  readonly #native: (Given & { askedAt: number; explainedTo: number })[] = []
  readonly #senders = new Set<string>()
  #lastId = 0n

  constructor(config: ChainConfig) {
    this.#config = config
  }

  get from(): string {
    return (this.#lastId > ADDRESS_OVERLAP ? this.#lastId - ADDRESS_OVERLAP : 0n).toString()
  }

  addOurs(rows: readonly AddressRow[]): void {
    const { family, network } = this.#config
    for (const row of rows) {
      if (BigInt(row.id) > this.#lastId) this.#lastId = BigInt(row.id)
      if (this.#ours.has(row.address_key)) continue
      this.#add(this.#ours, row)
      if (family !== 'evm' || row.network !== network) continue
      const entry = { key: row.address_key, reservedAt: row.reserved_at.getTime() }
      this.#given.push(entry)
      if (!row.is_native) continue
      this.#native.push({ ...entry, askedAt: 0, explainedTo: 0 })
      this.#senders.add(row.address_key)
    }
  }

  /** Escrow places are found by contract events, so they are not watched as addresses. */
  addPlaces(rows: readonly Pick<AddressRow, 'id' | 'address_key'>[]): void {
    for (const row of rows) {
      if (BigInt(row.id) > this.#lastId) this.#lastId = BigInt(row.id)
      this.#ours.add(row.address_key)
    }
  }

  addRefund(address: string, key: string): void {
    if (!this.#refunds.has(key)) this.#add(this.#refunds, { address, address_key: key })
  }

  isOurs(key: string): boolean {
    return this.#ours.has(key)
  }

  isRefund(key: string): boolean {
    return this.#refunds.has(key)
  }

  /** At most `max` addresses whose balance is due: the most overdue, then the newest. */
  takeDue(max: number): string[] {
    const now = Date.now()
    const due = this.#native.toReversed().flatMap((entry) => {
      const period = entry.reservedAt > now - OPEN_MS ? BALANCE_MS.open : BALANCE_MS.old
      const overdue = (now - entry.askedAt) / period
      return overdue < 1 ? [] : [{ entry, overdue }]
    })
    const taken = due.toSorted((a, b) => b.overdue - a.overdue).slice(0, max)
    for (const { entry } of taken) entry.askedAt = now
    return taken.map(({ entry }) => entry.key)
  }

  /** Records that these addresses' balances are explained up to a block's time. */
  noteExplained(keys: readonly string[], at: number): void {
    const explained = new Set(keys)
    for (const entry of this.#native) if (explained.has(entry.key)) entry.explainedTo = at
  }

  /** Balances after that time are unexplained again. */
  forgetExplained(after: number): void {
    for (const entry of this.#native) entry.explainedTo = Math.min(entry.explainedTo, after)
  }

  /** The block time up to which all balances are explained. */
  get explainedTo(): number {
    return this.#native.reduce((to, entry) => Math.min(to, entry.explainedTo), Number.POSITIVE_INFINITY)
  }

  watched(
    tokens: ReadonlyMap<string, number>,
    escrows: ReadonlyMap<string, string>,
    { pending, all }: SettlingInputs,
  ): Omit<Watched, 'lacking'> {
    return {
      addresses: this.#all,
      senders: this.#senders,
      scripts: this.#scripts,
      tokens,
      escrows,
      inputs: all,
      pending,
    }
  }

  #add(set: Set<string>, row: Pick<AddressRow, 'address' | 'address_key'>): void {
    set.add(row.address_key)
    this.#look(row)
  }

  #look(row: Pick<AddressRow, 'address' | 'address_key'>): void {
    this.#all.add(row.address_key)
    if (this.#config.family !== 'bitcoin') return
    const script = Buffer.from(scriptOfAddress(this.#config.network, this.#config.net, row.address)).toString(
      'hex',
    )
    // One script has one key (`addressKeyOf`), so another spelling can't hide a payment.
    const known = this.#scripts.get(script)
    assert(known === undefined || known === row.address_key, 'one script has one key')
    this.#scripts.set(script, row.address_key)
  }
}
