import { add, compare, divide, isPositive, multiply, subtract } from '../../shared/money.ts'
import type { PriceQuote } from './price-source.ts'

export interface SourceSaid {
  readonly source: string
  readonly quote: PriceQuote | null
  readonly problem: string | null
}

export interface JudgedSource {
  readonly source: string
  readonly priceUsd: string | null
  readonly at: string | null
  readonly used: boolean
  readonly problem: string | null
}

export interface Reading {
  readonly priceUsd: string | null
  readonly sources: JudgedSource[]
  readonly problem: 'no_source' | 'too_few' | 'disagree' | null
}

const STALE_MS = 5 * 60_000
const FUTURE_MS = 60_000
/** The year 10000, the first with five digits. */
const LAST_MS = 253_402_300_800_000
const AGREE_MIN = 2
const OUTLIER_SHARE = '0.02'
const FIGURE = /^\d{1,30}(\.\d{1,30})?$/

// Rules: RATE-6, RATE-7
/**
 * Drops stale, missing and non-positive prices, then those more than 2 % from the others. At least two must
 * remain; returns their median. Two equally large groups that disagree give no price.
 */
export function judgeSources(said: readonly SourceSaid[], now: Date): Reading {
  const fresh = said.map((entry) => ({ ...entry, problem: entry.problem ?? faultOf(entry.quote, now) }))
  const good = fresh.flatMap(({ quote, problem }) => (quote && problem === null ? [quote.priceUsd] : []))
  const groups = good.map((price) => good.filter((other) => areClose(price, other)))
  const largest = groups.toSorted((a, b) => b.length - a.length)[0] ?? []
  const isSplit = groups.some(
    (group) => group.length === largest.length && !group.some((price) => largest.includes(price)),
  )
  const agrees = largest.length >= AGREE_MIN && !isSplit
  const isUsed = (price: string) => agrees && largest.includes(price)
  const sources = fresh.map(({ source, quote, problem }): JudgedSource => {
    const used = problem === null && quote !== null && isUsed(quote.priceUsd)
    return {
      source,
      priceUsd: quote && FIGURE.test(quote.priceUsd) ? quote.priceUsd : null,
      at: quote && instantOf(quote.at),
      used,
      problem: problem ?? (used || !agrees ? null : 'outlier'),
    }
  })
  if (agrees) return { priceUsd: medianOf(largest), sources, problem: null }
  return {
    priceUsd: null,
    sources,
    problem: good.length === 0 ? 'no_source' : good.length < AGREE_MIN ? 'too_few' : 'disagree',
  }
}

export function faultOf(quote: PriceQuote | null, now: Date): string | null {
  if (!quote) return 'absent'
  if (!FIGURE.test(quote.priceUsd) || !isPositive(quote.priceUsd)) return 'not_positive'
  if (instantOf(quote.at) === null || now.getTime() - quote.at.getTime() > STALE_MS) return 'stale'
  return quote.at.getTime() - now.getTime() > FUTURE_MS ? 'from_the_future' : null
}

/** Null if out of range. */
export function instantOf(at: Date): string | null {
  return Math.abs(at.getTime()) < LAST_MS ? at.toISOString() : null
}

/** True if the prices differ by at most 2 % of the lower one. */
function areClose(a: string, b: string): boolean {
  const [low, high] = compare(a, b) <= 0 ? [a, b] : [b, a]
  return compare(subtract(high, low), multiply(low, OUTLIER_SHARE)) <= 0
}

/** For an even number the mean of the middle two. */
export function medianOf(prices: readonly string[]): string {
  const sorted = prices.toSorted(compare)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? '0'
  if (sorted.length % 2 === 1) return upper
  return divide(add(sorted[middle - 1] ?? '0', upper), '2')
}
