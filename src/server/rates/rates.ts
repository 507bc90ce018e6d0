import type { OrderRate } from '../../shared/api/payments.ts'
import { divide, keepRate } from '../../shared/money.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type JudgedSource, judgeSources, type Reading, type SourceSaid } from './median.ts'
import type { Coin, PriceQuote, PriceSource } from './price-source.ts'

export { configuredSources } from './configured-sources.ts'

interface FeedRow {
  id: number
  code: string
  price_id: string
}

export interface Refreshed {
  readonly updated: string[]
  /** Codes without a good price, and why. */
  readonly problems: { code: string; problem: string }[]
}

export interface RatesNeeds {
  readonly db: Database
  readonly sources: readonly PriceSource[]
  /** Called after rates were written. */
  currenciesChanged?(): void
}

/** Rates of the currencies whose source is a feed: several sources, one median, everything kept. */
export class Rates {
  readonly #needs: RatesNeeds

  constructor(needs: RatesNeeds) {
    this.#needs = needs
  }

  /** Reads every source once and sets what is good; a currency without a good price keeps its rate, which goes stale, and says why. */
  async refresh(): Promise<Refreshed> {
    const { db, sources } = this.#needs
    const feeds = await db.query<FeedRow>(
      sql`select id, code, coalesce(nullif(price_id, ''), lower(replace(full_name, ' ', ''))) as price_id from currencies
           where rate_source = 'feed' and switched_off_at is null order by id`,
    )
    if (feeds.length === 0) return { updated: [], problems: [] }
    const coins = feeds.map((feed): Coin => ({ code: feed.code, priceId: feed.price_id }))
    const answers = await Promise.all(sources.map((source) => readSource(source, coins)))
    const now = new Date()
    const refreshed = await db.transaction(async (tx) => {
      const { price_usd: mainUsd } = await tx.one<{ price_usd: string | null }>(
        sql`select price_usd from campaign for share`,
      )
      const result: Refreshed = { updated: [], problems: [] }
      for (const feed of feeds) {
        const outcome = await setRate(tx, feed, judgeSources(saidOf(feed, answers), now), mainUsd)
        if (outcome === 'updated') result.updated.push(feed.code)
        else if (outcome) result.problems.push({ code: feed.code, problem: outcome.problem })
      }
      return result
    })
    this.#needs.currenciesChanged?.()
    return refreshed
  }

  /** What each source said behind an order's rate. Refuses order_unknown. */
  async ofOrder(userId: string, token: string): Promise<OrderRate> {
    const row =
      (await this.#needs.db.maybeOne<RateOfOrder>(
        sql`select o.currency, o.rate, o.price_usd, r.from_at, g.price_usd as read_price, g.sources, g.read_at
              from orders o join quotes q on q.id = o.quote_id
              left join lateral (
                select from_at, reading_id from currency_rates
                 where currency_id = o.currency_id and rate = o.rate
                   -- A late payment settles at the rate of when the buyer chose tokens, or of when it was first seen.
                   and from_at <= case when o.rate = q.rate then q.created_at else coalesce(o.late_choice_at,
                         (select min(payment_counts_from(p)) from payments p where p.order_id = o.id and p.alive), o.approved_at) end
                 order by from_at desc limit 1) r on true
              left join rate_readings g on g.id = r.reading_id
             where o.token = ${token} and o.user_id = ${userId}`,
      )) ?? refuse('order_unknown')
    return {
      currency: row.currency,
      rate: row.rate,
      priceUsd: row.price_usd,
      source: row.sources ? 'feed' : 'manual',
      fromAt: row.from_at?.toISOString() ?? null,
      reading:
        row.sources && row.read_at
          ? { priceUsd: row.read_price, readAt: row.read_at.toISOString(), sources: row.sources }
          : null,
    }
  }
}

interface RateOfOrder {
  currency: string
  rate: string
  price_usd: string
  from_at: Date | null
  read_price: string | null
  sources: JudgedSource[] | null
  read_at: Date | null
}

/**
 * Keeps the reading, and sets the rate that follows from it where the price is good. Null where the currency's source is no longer
 * a feed.
 */
async function setRate(
  tx: Queryable,
  feed: FeedRow,
  reading: Reading,
  mainUsd: string | null,
): Promise<'updated' | { readonly problem: string } | null> {
  const { id } = await tx.one<{ id: string }>(
    sql`insert into rate_readings (price_id, price_usd, sources, problem)
        values (${feed.price_id}, ${reading.priceUsd}, ${JSON.stringify(reading.sources)}, ${reading.problem}) returning id`,
  )
  const rate = mainUsd && reading.priceUsd ? keepRate(divide(reading.priceUsd, mainUsd)) : null
  if (rate === null) {
    const problem = reading.problem ?? 'no_price'
    await tx.query(
      sql`update currencies set rate_problem = ${problem} where id = ${feed.id} and rate_problem is distinct from ${problem}`,
    )
    return { problem }
  }
  const set = await tx.maybeOne(
    sql`update currencies set rate = ${rate}, rate_at = clock_timestamp(), rate_problem = null
         where id = ${feed.id} and rate_source = 'feed' returning id`,
  )
  if (!set) return null
  await tx.query(sql`select note_rate(${feed.id}, ${rate}, ${reading.priceUsd}, 'feed', ${id})`)
  return 'updated'
}

interface SourceAnswer {
  readonly source: string
  readonly quotes: ReadonlyMap<string, PriceQuote> | null
  readonly problem: string | null
}

async function readSource(source: PriceSource, coins: readonly Coin[]): Promise<SourceAnswer> {
  try {
    return { source: source.name, quotes: await source.read(coins), problem: null }
  } catch (error) {
    return {
      source: source.name,
      quotes: null,
      problem: error instanceof Error ? error.message.slice(0, 200) : 'failed',
    }
  }
}

function saidOf(feed: FeedRow, answers: readonly SourceAnswer[]): SourceSaid[] {
  return answers.map(({ source, quotes, problem }) => ({
    source,
    quote: quotes?.get(feed.price_id) ?? null,
    problem,
  }))
}
