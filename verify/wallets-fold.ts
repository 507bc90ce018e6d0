import { EntryError, type Fields } from './entries.ts'

interface Wallet {
  terms: string
  /** The index after its last announced address. */
  end: number
}

const TERMS = ['family', 'script', 'net', 'key']

// Rules: LOG-13
/** Announced wallets: each has one key and consecutive ranges. */
export class WalletsFold {
  private readonly wallets = new Map<number, Wallet>()

  take(fields: Fields): void {
    const [id, first, count] = [fields['wallet'], fields['first'], fields['count']] as number[] as [
      number,
      number,
      number,
    ]
    const terms = TERMS.map((name) => fields[name]).join(', ')
    const known = this.wallets.get(id) ?? { terms, end: 0 }
    if (known.terms !== terms)
      throw new EntryError(`The wallet ${id} had as ${TERMS.join(', ')}: ${known.terms}, not ${terms}.`)
    if (first !== known.end)
      throw new EntryError(
        `The addresses of the wallet ${id} are announced from ${first} on; ${known.end} is next.`,
      )
    this.wallets.set(id, { terms, end: first + count })
  }
}
