import type { z } from 'zod'
import type { overviewRange } from '../../shared/api/overview-schemas.ts'
import { orderSums } from '../../shared/figures.ts'
import { type Database, fragmentOf, type Queryable, sql } from '../database/database.ts'
import type { DayCounts } from './day-counts.ts'

export type Range = z.input<typeof overviewRange>

interface DayRow {
  day: string
  page_views: number
  paid: number
  raised_on_chain: string
  raised_by_operator: string
}

/** Slightly over three years. */
const DAYS_MAX = 1_100
const DAY_MS = 86_400_000
const RAISED = fragmentOf(orderSums.raisedUsd.value)
const ON_CHAIN = fragmentOf(orderSums.raisedOnChainUsd.value)
const BY_OPERATOR = fragmentOf(orderSums.raisedByOperatorUsd.value)

/** UTC, inclusive, from the ledger and own counts. */
export function readRange(db: Database, dayCounts: DayCounts, from: string, to: string): Promise<Range> {
  const longest = new Date(Date.parse(to) - (DAYS_MAX - 1) * DAY_MS).toISOString().slice(0, 10)
  const first = from > longest ? from : longest
  return db.transaction(async (tx) => rangeOf(tx, dayCounts, first, to), {
    isolation: 'repeatable read',
    readOnly: true,
  })
}

async function rangeOf(tx: Queryable, dayCounts: DayCounts, from: string, to: string): Promise<Range> {
  const days = await readDays(tx, from, to)
  const counts = await dayCounts.of(tx, from, to)
  const before = await tx.one<{
    all: string
    on_chain: string
    by_operator: string
    counted_since: string | null
  }>(
    sql`select ${RAISED} as all, ${ON_CHAIN} as on_chain, ${BY_OPERATOR} as by_operator,
               (select to_char(min(day), 'YYYY-MM-DD') from day_counts) as counted_since
          from sale_totals where day < ${from}::date`,
  )
  const received = await tx.query<{ currency: string; amount: string; usd: string; orders: number }>(
    sql`select currency, sum(amount) as amount, sum(usd) as usd, sum(orders)::integer as orders
          from received_totals where day between ${from}::date and ${to}::date
         group by currency having sum(orders) > 0 order by sum(usd) desc, currency`,
  )
  return {
    from,
    to,
    raisedBeforeUsd: before.all,
    raisedBeforeOnChainUsd: before.on_chain,
    raisedBeforeByOperatorUsd: before.by_operator,
    countedSince: before.counted_since,
    received,
    days: days.map((row) => ({
      day: row.day,
      pageViews: row.page_views,
      registrations: counts.get(row.day)?.registrations ?? 0,
      orders: counts.get(row.day)?.orders ?? 0,
      paidOrders: row.paid,
      raisedOnChainUsd: row.raised_on_chain,
      raisedByOperatorUsd: row.raised_by_operator,
    })),
  }
}

/** Raised by the posting's day, paid by the order's day. */
function readDays(tx: Queryable, from: string, to: string): Promise<DayRow[]> {
  return tx.query<DayRow>(
    sql`with raised as (select day, ${ON_CHAIN} as on_chain, ${BY_OPERATOR} as by_operator
                          from sale_totals where day between ${from}::date and ${to}::date group by day),
             paid as (select day, sum(orders)::integer as orders
                        from received_totals where day between ${from}::date and ${to}::date group by day)
        select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.page_views, 0)::integer as page_views, coalesce(p.orders, 0) as paid,
               coalesce(r.on_chain, 0) as raised_on_chain, coalesce(r.by_operator, 0) as raised_by_operator
          from generate_series(${from}::date, ${to}::date, interval '1 day') as g(at)
               cross join lateral (select g.at::date as day) d
               left join day_counts c using (day) left join raised r using (day) left join paid p using (day)
         order by d.day`,
  )
}
