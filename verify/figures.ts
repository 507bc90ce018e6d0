import { bytesFromText, hexFromBytes } from './bytes.ts'
import { canonicalJson, type Json } from './canonical.ts'
import { formatDecimal, parseDecimal } from './decimals.ts'
import type { Sha256 } from './hash.ts'

export type Value = bigint | string

/** Called with each new value of a figure; undefined when it disappears. */
export type Follow = (name: string, value: Value | undefined) => void

/** Longer JSON of a setting is recorded as length and hash. */
const VALUE_BYTES_MAX = 8192

/** A setting's value as in an entry. */
export function settingValue(sha256: Sha256, value: Json): string {
  const json = canonicalJson(value)
  const bytes = bytesFromText(json)
  if (bytes.length <= VALUE_BYTES_MAX) return json
  return canonicalJson({ bytes: bytes.length, sha256: hexFromBytes(sha256(bytes)) })
}

const SALE = ['priceUsd', 'purchasedTokens', 'bonusTokens', 'grantedTokens', 'refundsOwedUsd']
const RAISED = ['usd', 'onChainUsd', 'byOperatorUsd']
const ORDERS = ['onChain', 'byOperator']
const STAGE = ['goalUsd', 'priceUsd', 'raisedUsd', 'raisedOnChainUsd', 'raisedByOperatorUsd']
const STAGE_REST = ['progressPercent', 'purchasedTokens', 'bonusTokens']
const STAGE_TEXTS = ['name', 'startsAt', 'endsAt']
const DAY = ['raisedUsd', 'raisedOnChainUsd', 'raisedByOperatorUsd', 'purchasedTokens']

/** The campaign API's figures, under the fold's names. */
export function shownFigures(sha256: Sha256, campaign: Json): Map<string, Value> {
  const shown = new Map<string, Value>()
  const take = (
    prefix: string,
    from: Json | undefined,
    names: readonly string[],
    read: (value: Json) => Value,
  ) => {
    for (const name of names) {
      const value = fieldOf(from, name)
      if (value !== undefined) shown.set(prefix + name, read(value))
    }
  }
  take('', campaign, SALE, decimalOrText)
  take('raised.', fieldOf(campaign, 'raised'), RAISED, decimalOrText)
  take('approvedOrders.', fieldOf(campaign, 'approvedOrders'), ORDERS, decimalOrText)
  for (const stage of listOf(fieldOf(campaign, 'stages'))) {
    const prefix = `stages.${fieldOf(stage, 'id')}.`
    take(prefix, stage, [...STAGE, ...STAGE_REST], decimalOrText)
    take(prefix, stage, STAGE_TEXTS, canonicalJson)
  }
  for (const day of listOf(fieldOf(campaign, 'days'))) {
    take(`days.${fieldOf(day, 'day')}.`, day, DAY, decimalOrText)
  }
  const settings = fieldOf(campaign, 'settings')
  if (typeof settings === 'object' && settings !== null) {
    take('settings.', settings, Object.keys(settings), (value) => settingValue(sha256, value))
  }
  return shown
}

function decimalOrText(value: Json): Value {
  return parseDecimal(value) ?? canonicalJson(value)
}

/** A field of an object; undefined for other values. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** The items of a list; empty for other values. */
export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

/** The entry since which a figure differs from the shown one. */
export interface Since {
  index: number
  row: string
}

export interface Compared {
  name: string
  shown: string | null
  journal: string | null
  agrees: boolean
  /** Shown minus journal, if both are decimals. */
  difference?: string
  /** The entry since which it differs; null if it never matched. */
  since?: Since | null
}

const NONE: Since = { index: -1, row: '' }

/** During the fold: one pass finds the matching size, and the entry since which a figure differs. */
export class Comparison {
  private readonly shown: ReadonlyMap<string, Value>
  private readonly mustShow: (name: string) => boolean
  private readonly now = new Map<string, Value>()
  /** Names that differ now, with the responsible entry, or NONE. */
  private readonly differing = new Map<string, Since>()
  private entry: Since = NONE
  private best: { size: number; count: number; figures: Compared[] } | undefined

  /** `mustShow` decides whether a journal figure that is not shown differs. */
  constructor(shown: ReadonlyMap<string, Value>, mustShow: (name: string) => boolean) {
    this.shown = shown
    this.mustShow = mustShow
    for (const [name, value] of shown) {
      // A setting that the journal never had does not follow from it; a day without entries has nothing.
      if (name.startsWith('settings.')) continue
      if (name.startsWith('days.')) this.now.set(name, 0n)
      if (this.now.get(name) !== value) this.differing.set(name, NONE)
    }
  }

  /** Attributes the following changes to this entry. */
  at(index: number, row: string): void {
    this.entry = { index, row }
  }

  readonly follow: Follow = (name, value) => {
    const shown = this.shown.get(name)
    if (shown === undefined && !this.mustShow(name)) return
    if (value === undefined) this.now.delete(name)
    else this.now.set(name, value)
    if (value === shown) this.differing.delete(name)
    else if (!this.differing.has(name)) this.differing.set(name, this.entry.index === -1 ? NONE : this.entry)
  }

  /** The page may have been read at this size of the journal. */
  consider(size: number): void {
    if (this.best !== undefined && this.best.count <= this.differing.size) return
    this.best = { size, count: this.differing.size, figures: this.figures() }
  }

  result(): { size: number; figures: Compared[] } {
    if (this.best === undefined) throw new Error('no size was considered')
    return this.best
  }

  private figures(): Compared[] {
    const names = new Set([...this.now.keys(), ...this.differing.keys()])
    return [...names].toSorted(byName).map((name) => {
      const [shown, journal] = [this.shown.get(name), this.now.get(name)]
      const figure = { name, shown: textOf(shown), journal: textOf(journal) }
      const since = this.differing.get(name)
      if (since === undefined) return { ...figure, agrees: true }
      const difference =
        typeof shown === 'bigint' && typeof journal === 'bigint' ? formatDecimal(shown - journal) : undefined
      return { ...figure, agrees: false, difference, since: since === NONE ? null : since }
    })
  }
}

function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

function textOf(value: Value | undefined): string | null {
  if (value === undefined) return null
  return typeof value === 'bigint' ? formatDecimal(value) : value
}
