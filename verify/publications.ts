import { canonicalJson, type Json } from './canonical.ts'
import { EntryError, type Fields } from './entries.ts'
import type { LiveContract } from './equation.ts'
import type { Follow } from './figures.ts'
import type { CreditedPayment } from './payments.ts'

const OF_CURRENCY = ['network', 'address', 'isWatched'] as const

/**
 * The sale's publications: currencies, announcements, documents, legal texts, live rounds, counts of actions.
 */
export class PublicationFold {
  private readonly follow: Follow
  /** By figure name: when an announcement appears. */
  private readonly appears = new Map<string, string>()
  private readonly legal = new Map<string, number>()
  private readonly days = new Set<string>()
  /** Contracts of live rounds. */
  readonly contracts: LiveContract[] = []
  /** `CURRENCY network asset` of everything ever accepted. */
  private readonly assets = new Set<string>()

  constructor(follow: Follow) {
    this.follow = follow
  }

  /** True if this figure's announcement appears after `at`. */
  isToCome(name: string, at: string): boolean {
    return (this.appears.get(name) ?? '') > at
  }

  isInItsCurrency({ currency, chain, asset }: CreditedPayment): boolean {
    return this.assets.has(`${currency} ${chain} ${asset}`)
  }

  take(kind: string, fields: Fields): void {
    const [subject, what] = kind.split('.')
    if (subject === 'currency') return this.setCurrency(fields, what === 'set')
    if (subject === 'legal') return this.publishLegal(fields)
    if (subject === 'actions') return this.count(fields['day'] as string)
    if (subject === 'round') this.contracts.push(fields as unknown as LiveContract)
    if (subject !== 'announcement' && subject !== 'document') return
    const name = `${subject}s.${fields[subject]}`
    if (subject === 'announcement' && what === 'published')
      this.appears.set(name, fields['publishedAt'] as string)
    this.follow(name, what === 'published' ? (fields['sha256'] as string) : undefined)
  }

  private setCurrency(fields: Fields, isSet: boolean): void {
    if (isSet) {
      if (fields['wallet'] !== null && fields['address'] !== '')
        throw new EntryError(
          `It has both an address for all orders, ${fields['address']}, and a wallet that gives each its own.`,
        )
      const contract = fields['contract'] as string | null
      const asset = contract?.toLowerCase() ?? 'native'
      this.assets.add(`${fields['currency']} ${fields['network']} ${asset}`)
    }
    const shown: Record<string, Json> = {
      network: fields['network'] ?? null,
      address: fields['address'] ?? null,
      isWatched: fields['wallet'] !== null,
    }
    for (const name of OF_CURRENCY) {
      const value = isSet && fields['isAccepted'] === true ? canonicalJson(shown[name] as Json) : undefined
      this.follow(`currencies.${fields['currency']}.${name}`, value)
    }
  }

  private publishLegal(fields: Fields): void {
    const text = fields['text'] as string
    const version = fields['version'] as number
    const last = this.legal.get(text)
    if (last !== undefined && version !== last + 1) {
      throw new EntryError(`This is version ${version} of ${text}, not ${last + 1}.`)
    }
    this.legal.set(text, version)
    this.follow(`legal.${text}`, legalValue(version, fields['sha256'] as string))
  }

  private count(day: string): void {
    if (this.days.has(day)) throw new EntryError(`The actions of ${day} are counted twice.`)
    this.days.add(day)
  }
}

/** A legal text as one value: version and hash. */
export function legalValue(version: number, sha256: string): string {
  return `${version} ${sha256}`
}
