import { compare, isZero, multiply, percentOf, subtract } from '../../shared/money.ts'
import { type Queryable, sql } from '../database/database.ts'

// Rules: TWO-18
/**
 * Percentage that one operator may move a rate or the main currency value under dual control, from the
 * current value and from that of a day ago: small steps don't add up.
 */
export const BY_HAND_PERCENT_MAX = '10'

/** Also true if a value is missing. */
export function isFar(next: string, standing: readonly (string | null)[]): boolean {
  return standing.some((value) => {
    if (value === null || isZero(value)) return true
    const distance = subtract(next, value).replace('-', '')
    return compare(distance, percentOf(value, BY_HAND_PERCENT_MAX)) > 0
  })
}

/**
 * Without a rate that is a day old, compares the first. In USD for one coin, because rates follow the main
 * currency value.
 */
export async function isRateFar(tx: Queryable, currencyId: number, rate: string): Promise<boolean> {
  const rows = await tx.query<{ rate: string; main_usd: string | null; price_usd: string | null }>(
    sql`select r.rate, r.main_usd, c.price_usd
          from campaign c, (
            (select rate, main_usd from currency_rates
              where currency_id = ${currencyId}
                and from_at <= greatest(now() - interval '1 day',
                                        (select min(from_at) from currency_rates where currency_id = ${currencyId}))
              order by from_at desc, id desc limit 1)
            union all
            select k.rate, (select price_usd from campaign) from currencies k where k.id = ${currencyId}) r`,
  )
  return rows.some(({ rate: standing, main_usd: mainUsd, price_usd: priceUsd }) =>
    mainUsd === null || priceUsd === null
      ? isFar(rate, [standing])
      : isFar(multiply(rate, priceUsd), [multiply(standing, mainUsd)]),
  )
}

/** A day ago (else the first value), and now. */
export async function standingPrices(tx: Queryable): Promise<(string | null)[]> {
  const rows = await tx.query<{ price_usd: string | null }>(
    sql`(select price_usd from price_changes
          where changed_at <= greatest(now() - interval '1 day', (select min(changed_at) from price_changes))
          order by id desc limit 1)
        union all select price_usd from campaign`,
  )
  return rows.map((row) => row.price_usd)
}
