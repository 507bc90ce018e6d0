import { divide, keepRate, multiply, trimZeros } from '../../shared/money.ts'
import { sql } from '../database/database.ts'
import { assert, refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'

export interface PriceChange {
  readonly priceUsd: string
  readonly reason: string
  /** As the operator saw it; a different one is a `conflict`. Omitted: any. */
  readonly previousUsd?: string | null | undefined
}

// Rules: RATE-3
/**
 * Rescales every rate by old/new, so that a coin's USD price stays; existing orders keep their rates. Locks:
 * campaign → currencies. `amount_invalid` if a rate would round to 0.
 */
export async function changePrice(unit: UnitOfWork, asked: PriceChange): Promise<{ priceUsd: string }> {
  const priceUsd = trimZeros(asked.priceUsd)
  const { price_usd } =
    (await unit.maybeOne<{ price_usd: string | null }>(
      sql`select price_usd from campaign for no key update`,
    )) ?? refuse('not_found')
  const previous = price_usd === null ? null : trimZeros(price_usd)
  // Rules: TWO-8
  refuseOtherPrice(asked.previousUsd, price_usd)
  if (previous === priceUsd) return { priceUsd }
  assert(keepRate(priceUsd) !== null, 'a main currency value is positive')

  await unit.query(sql`update campaign set price_usd = ${priceUsd}`)
  if (previous !== null) await rescaleRates(unit, previous, priceUsd)
  // The open stage's opening value is not applied again.
  await unit.query(
    sql`update stages set price_usd = ${priceUsd}, price_applied_at = coalesce(price_applied_at, clock_timestamp())
         where starts_at <= clock_timestamp() and ends_at > clock_timestamp()`,
  )
  await unit.query(
    sql`insert into price_changes (price_usd, previous_usd, reason, operator_id)
        values (${priceUsd}, ${previous}, ${asked.reason}, ${unit.actor.operatorId})`,
  )
  await unit.audit(
    'price.change',
    { type: 'campaign', id: 'price' },
    {
      before: { priceUsd: previous },
      after: { priceUsd },
    },
  )
  await unit.tell('campaign_changed', { fields: ['priceUsd'] })
  return { priceUsd }
}

export function refuseOtherPrice(seen: string | null | undefined, stands: string | null): void {
  if (seen === undefined) return
  const written = (value: string | null) => (value === null ? null : trimZeros(value))
  if (written(seen) !== written(stands)) refuse('conflict', { current: { priceUsd: written(stands) } })
}

/** One statement; rates are computed exactly outside SQL. */
async function rescaleRates(unit: UnitOfWork, previousUsd: string, priceUsd: string): Promise<void> {
  const currencies = await unit.query<{ id: number; code: string; rate: string }>(
    sql`select id, code, rate from currencies order by id for no key update`,
  )
  const rates = currencies.map(
    ({ code, rate }) =>
      keepRate(divide(multiply(rate, previousUsd), priceUsd)) ?? refuse('amount_invalid', { currency: code }),
  )
  const ids = currencies.map((currency) => currency.id)
  await unit.query(
    sql`with new as (select * from unnest(${ids}::integer[], ${rates}::numeric[]) as n (id, rate)),
             changed as (update currencies k set rate = new.rate, revision = k.revision + 1 from new
                          where k.id = new.id returning k.id, k.rate)
        select note_rate(id, rate, null, 'price') from changed`,
  )
}
