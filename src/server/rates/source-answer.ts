import type { SourceAnswer } from '../../shared/api/rate-sources.ts'
import { divide, isPositive, multiply, roundTo, subtract, trimZeros } from '../../shared/money.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { faultOf, instantOf } from './median.ts'
import type { PriceSource } from './price-source.ts'
import { reasonOfSource } from './price-sources.ts'
import { priceIdOf } from './rate-sources.ts'

interface Row {
  code: string
  price_id: string
  present_usd: string | null
}

/**
 * Compares a source's price of each enabled currency with the present rate. Errors: rate_source_silent, also
 * for invalid answers or prices that would not count.
 */
export async function askSource(
  db: Queryable,
  { host, source }: { host: string; source: PriceSource },
): Promise<SourceAnswer> {
  const rows = await db.query<Row>(
    sql`select k.code, ${priceIdOf} as price_id, trim_scale(k.rate * c.price_usd) as present_usd
          from currencies k, campaign c where k.switched_off_at is null order by k.position, k.id`,
  )
  const coins = rows.map(({ code, price_id: priceId }) => ({ code, priceId }))
  const quotes = await source
    .read(coins)
    .catch((error: unknown) => refuse('rate_source_silent', { why: reasonOfSource(error) }))
  const now = new Date()
  const items = rows.map(({ code, price_id, present_usd }) => {
    const presentUsd = present_usd === null ? null : trimZeros(roundTo(present_usd, 10))
    const quote = quotes.get(price_id) ?? null
    const problem = faultOf(quote, now)
    const isPrice = quote !== null && problem !== 'not_positive'
    return {
      code,
      priceUsd: isPrice ? quote.priceUsd : null,
      at: quote && instantOf(quote.at),
      problem,
      presentUsd,
      deviationPercent: isPrice && presentUsd ? deviationOf(quote.priceUsd, presentUsd) : null,
    }
  })
  if (items.every(({ problem }) => problem !== null)) {
    const first = items.find(({ problem }) => problem !== 'absent')?.problem
    refuse('rate_source_silent', { why: first ?? 'absent' })
  }
  return { host, items }
}

/** In percent, with two decimals; null if `fromUsd` is 0. */
export function deviationOf(priceUsd: string, fromUsd: string): string | null {
  if (!isPositive(fromUsd)) return null
  return roundTo(divide(multiply(subtract(priceUsd, fromUsd), '100'), fromUsd), 2)
}
