import type { ChainConfig } from '../chain-config.ts'
import { assert } from '../refusal.ts'
import { scriptOfAddress } from './bitcoin/networks.ts'
import type { Watched } from './chain-source.ts'
import type { AddressRow, SettlingInputs } from './chain-store.ts'
import { ChangeChains } from './change-chains.ts'

/** How long an address is open: order, top-up and a day. */
const OPEN_MS = 8 * 24 * 3_600_000
/** How often the balance of an address is asked for, open and for ever after (docs/decisions/0012). */
export const BALANCE_MS = { open: 15_000, old: 3_600_000 }
/** Ids are handed out before their transactions commit: the last ones are read again. */
const ADDRESS_OVERLAP = 1_000n

interface Given {
  readonly key: string
  readonly reservedAt: number
}

/** The addresses of one chain, kept in memory. */
export class AddressBook {
  readonly #config: ChainConfig
  readonly #all = new Set<string>()
  readonly #ours = new Set<string>()
  readonly #refunds = new Set<string>()
  readonly #scripts = new Map<string, string>()
  /** Where change of the sale's own wallets lies. */
  readonly change = new ChangeChains((address) => this.#look({ address, address_key: address }))
  /** Addresses given out for a currency of this very chain, in that order. */
  readonly #given: Given[] = []
  /** Addresses given out for the chain's own coin, when the balance of each was last asked for, and the time of the block up to which it was explained. */
  readonly #native: (Given & { askedAt: number; explainedTo: number })[] = []
  readonly #senders = new Set<string>()
  #lastId = 0n

  constructor(config: ChainConfig) {
    this.#config = config
  }

  /** The id above which addresses are read next. */
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

  /** Places in escrows are found by what their contracts say, and never looked for as addresses. */
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

  /** The addresses whose balance is to be asked for now, at most `max`: by how overdue each is, then the newest. */
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

  /** Notes that all that these addresses held in the block of that time is known. */
  noteExplained(keys: readonly string[], at: number): void {
    const explained = new Set(keys)
    for (const entry of this.#native) if (explained.has(entry.key)) entry.explainedTo = at
  }

  /** Blocks after that time may have held something else. */
  forgetExplained(after: number): void {
    for (const entry of this.#native) entry.explainedTo = Math.min(entry.explainedTo, after)
  }

  /** The time of the block up to which all that each of the addresses held is known. */
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
    // One script has one key (`addressKeyOf`): nobody hides a payment by another spelling of where it went.
    const known = this.#scripts.get(script)
    assert(known === undefined || known === row.address_key, 'one script has one key')
    this.#scripts.set(script, row.address_key)
  }
}
