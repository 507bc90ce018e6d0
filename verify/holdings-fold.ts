import { formatDecimal, parseAmount } from './decimals.ts'
import { EntryError, type Fields } from './entries.ts'

// Rules: LOG-11
/** The trees of buyers' holdings: each sum must equal the total of the entries before its cut. */
export class HoldingsFold {
  private origin = ''
  private lastDay = ''
  private cut: { subject: string; day: string; held: bigint } | undefined

  open(origin: string): void {
    this.origin = origin
  }

  take(kind: string, at: string, fields: Fields, held: bigint): void {
    const [subject, day] = [fields['subject'] as string, fields['day'] as string]
    if (fields['origin'] !== this.origin)
      throw new EntryError(`This is of the log ${fields['origin']}, not ${this.origin}.`)
    if (kind === 'holdings.cut') {
      if (this.cut) throw new EntryError(`What is held on ${this.cut.day} was not summed up before.`)
      if (day <= this.lastDay) throw new EntryError(`What is held was counted on ${this.lastDay} already.`)
      if (day > at.slice(0, 10)) throw new EntryError(`What is held on ${day} was counted before, at ${at}.`)
      this.lastDay = day
      this.cut = { subject, day, held }
      return
    }
    if (this.cut?.subject !== subject || this.cut.day !== day)
      throw new EntryError(`What is held on ${day} was not to be summed up.`)
    const sum = parseAmount(fields['sum'], 6)
    if (sum !== this.cut.held) {
      throw new EntryError(
        `Buyers held ${formatDecimal(this.cut.held)} tokens, but the tree of ${day} sums up to ${fields['sum']}.`,
      )
    }
    this.cut = undefined
  }
}
