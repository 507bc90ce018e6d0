import { compare, isZero, multiply, percentOf, subtract } from '../../shared/money.ts'
import { type Queryable, sql } from '../database/database.ts'

// Rules: TWO-18
/**
 * How far one operator alone may move a rate or the main currency value by hand where the campaign asks for two, in percent of what stands
 * and of what stood a day ago: small steps in a row are a large one.
 */
export const BY_HAND_PERCENT_MAX = '10'

/** Whether `next` lies further from any of these than one operator may move it. Where nothing stands yet, every value is far. */
export function isFar(next: string, standing: readonly (string | null)[]): boolean {
  return standing.some((value) => {
    if (value === null || isZero(value)) return true
    const distance = subtract(next, value).replace('-', '')
    return compare(distance, percentOf(value, BY_HAND_PERCENT_MAX)) > 0
  })
}

/**
 * Whether a rate typed by hand needs a second operator. What stood a day ago is the first rate of all where none is so old. Compared in dollars
 * a coin, because every rate follows the main currency value.
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

/** The main currency value as it stood a day ago, or first of all where that is later, and as it stands. */
export async function standingPrices(tx: Queryable): Promise<(string | null)[]> {
  const rows = await tx.query<{ price_usd: string | null }>(
    sql`(select price_usd from price_changes
          where changed_at <= greatest(now() - interval '1 day', (select min(changed_at) from price_changes))
          order by id desc limit 1)
        union all select price_usd from campaign`,
  )
  return rows.map((row) => row.price_usd)
}
