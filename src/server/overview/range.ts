import type { z } from 'zod'
import type { overviewRange } from '../../shared/api/overview-schemas.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'

export type Range = z.input<typeof overviewRange>

interface DayRow {
  day: string
  page_views: number
  registrations: number
  quotes: number
  orders: number
  paid: number
  raised_on_chain: string
  raised_by_operator: string
}

/** A range is at most so long: three years and a little. */
const DAYS_MAX = 1_100
const DAY_MS = 86_400_000

/** What happened from one day to another (UTC, both included), from the ledger and own counts alone. */
export function readRange(db: Database, from: string, to: string): Promise<Range> {
  const longest = new Date(Date.parse(to) - (DAYS_MAX - 1) * DAY_MS).toISOString().slice(0, 10)
  const first = from > longest ? from : longest
  return db.transaction(async (tx) => rangeOf(tx, first, to), {
    isolation: 'repeatable read',
    readOnly: true,
  })
}

async function rangeOf(tx: Queryable, from: string, to: string): Promise<Range> {
  const days = await readDays(tx, from, to)
  const { before, counted_since } = await tx.one<{ before: string; counted_since: string | null }>(
    sql`select coalesce(sum(raised_on_chain_usd + raised_by_operator_usd), 0) as before,
               (select to_char(min(day), 'YYYY-MM-DD') from day_counts) as counted_since
          from sale_totals where day < ${from}::date`,
  )
  const received = await tx.query<{ currency: string; amount: string; usd: string; orders: number }>(
    sql`select currency, sum(crypto_amount) as amount, sum(usd) as usd, count(*)::integer as orders
          from orders where status = 'approved' and created_at >= ${from}::date::timestamp at time zone 'UTC'
           and created_at < (${to}::date + 1)::timestamp at time zone 'UTC'
         group by currency order by sum(usd) desc, currency`,
  )
  return {
    from,
    to,
    raisedBeforeUsd: before,
    countedSince: counted_since,
    received,
    days: days.map((row) => ({
      day: row.day,
      pageViews: row.page_views,
      registrations: row.registrations,
      quotes: row.quotes,
      orders: row.orders,
      paidOrders: row.paid,
      raisedOnChainUsd: row.raised_on_chain,
      raisedByOperatorUsd: row.raised_by_operator,
    })),
  }
}

/** Each day of the range; raised on the day of the posting, everything else on the day when it was made. */
function readDays(tx: Queryable, from: string, to: string): Promise<DayRow[]> {
  return tx.query<DayRow>(
    sql`with bounds as (select ${from}::date::timestamp at time zone 'UTC' as since,
                               (${to}::date + 1)::timestamp at time zone 'UTC' as until),
             made as (select (created_at at time zone 'UTC')::date as day, count(*)::integer as orders,
                             (count(*) filter (where status = 'approved'))::integer as paid
                        from orders, bounds where created_at >= since and created_at < until group by 1),
             joined as (select (created_at at time zone 'UTC')::date as day, count(*)::integer as people
                          from users, bounds where created_at >= since and created_at < until group by 1),
             quoted as (select (created_at at time zone 'UTC')::date as day, count(*)::integer as quotes
                          from quotes, bounds where created_at >= since and created_at < until group by 1),
             raised as (select day, sum(raised_on_chain_usd) as on_chain, sum(raised_by_operator_usd) as by_operator
                          from sale_totals where day between ${from}::date and ${to}::date group by day)
        select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.page_views, 0)::integer as page_views,
               (coalesce(j.people, 0) + coalesce(c.swept_accounts, 0))::integer as registrations,
               (coalesce(q.quotes, 0) + coalesce(c.swept_quotes, 0))::integer as quotes,
               coalesce(m.orders, 0) as orders, coalesce(m.paid, 0) as paid,
               coalesce(r.on_chain, 0) as raised_on_chain, coalesce(r.by_operator, 0) as raised_by_operator
          from generate_series(${from}::date, ${to}::date, interval '1 day') as g(at)
               cross join lateral (select g.at::date as day) d
               left join made m using (day) left join joined j using (day) left join quoted q using (day)
               left join day_counts c using (day) left join raised r using (day)
         order by d.day`,
  )
}
