import type { OrderRate } from '../../shared/api/payments.ts'
import { divide, keepRate } from '../../shared/money.ts'
import { type Database, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type JudgedSource, judgeSources, type Reading, type SourceSaid } from './median.ts'
import type { Coin, PriceQuote, PriceSource } from './price-source.ts'

export { configuredSources } from './configured-sources.ts'

interface FeedRow {
  id: number
  code: string
  price_id: string
}

const FEEDS = statement(
  'rates_feeds',
  `select id, code, coalesce(nullif(price_id, ''), lower(replace(full_name, ' ', ''))) as price_id from currencies
    where rate_source = 'feed' and switched_off_at is null order by id`,
)
const PRICE = statement('rates_price', 'select price_usd from campaign for share')
const KEEP_READING = statement(
  'rates_keep_reading',
  'insert into rate_readings (price_id, price_usd, sources, problem) values ($1, $2, $3, $4) returning id',
)
const SET_RATE = statement(
  'rates_set_rate',
  `update currencies set rate = $2, rate_at = clock_timestamp(), rate_problem = null where id = $1 and rate_source = 'feed' returning id`,
)
const NOTE_RATE = statement(
  'rates_note_rate',
  "insert into currency_rates (currency_id, rate, price_usd, reason, reading_id) values ($1, $2, $3, 'feed', $4)",
)
const SET_PROBLEM = statement(
  'rates_set_problem',
  'update currencies set rate_problem = $2 where id = $1 and rate_problem is distinct from $2',
)
const OF_ORDER = statement(
  'rates_of_order',
  `select o.currency, o.rate, o.price_usd, r.from_at, r.reason, g.price_usd as read_price, g.sources, g.read_at
     from orders o join quotes q on q.id = o.quote_id
     left join lateral (
       select from_at, reason, reading_id from currency_rates
        where currency_id = o.currency_id and rate = o.rate
          -- A late payment settles at the rate of when the buyer chose tokens, or of when it was first seen.
          and from_at <= case when o.rate = q.rate then q.created_at else coalesce(o.late_choice_at,
                (select min(payment_counts_from(p)) from payments p where p.order_id = o.id and p.alive), o.approved_at) end
        order by from_at desc limit 1) r on true
     left join rate_readings g on g.id = r.reading_id
    where o.token = $1 and o.user_id = $2`,
)

export interface Refreshed {
  readonly updated: string[]
  /** Codes without a good price, and why. */
  readonly problems: { code: string; problem: string }[]
}

/** Rates of the currencies whose source is a feed: several sources, one median, everything kept. */
export interface Rates {
  /** Reads every source once and sets what is good; what is not keeps its rate, which goes stale, and says why. */
  refresh(): Promise<Refreshed>
  /** What each source said behind an order's rate. Refusal: order_unknown. */
  ofOrder(userId: string, token: string): Promise<OrderRate>
}

export function createRates(
  db: Database,
  sources: readonly PriceSource[],
  currenciesChanged: () => void = () => {},
): Rates {
  return {
    async refresh() {
      const feeds = await db.query<FeedRow>(FEEDS)
      if (feeds.length === 0) return { updated: [], problems: [] }
      const coins = feeds.map((feed): Coin => ({ code: feed.code, priceId: feed.price_id }))
      const answers = await Promise.all(sources.map((source) => readSource(source, coins)))
      const now = new Date()
      const updated: string[] = []
      const problems: { code: string; problem: string }[] = []
      await db.transaction(async (tx) => {
        updated.length = 0
        problems.length = 0
        const { price_usd: mainUsd } = await tx.one<{ price_usd: string | null }>(PRICE)
        for (const feed of feeds) {
          const reading = judgeSources(saidOf(feed, answers), now)
          const rate = mainUsd && reading.priceUsd ? keepRate(divide(reading.priceUsd, mainUsd)) : null
          const { id } = await tx.one<{ id: string }>(KEEP_READING, readingValues(feed, reading))
          if (rate === null) {
            const problem = reading.problem ?? 'no_price'
            await tx.query(SET_PROBLEM, [feed.id, problem])
            problems.push({ code: feed.code, problem })
          } else if (await tx.maybeOne(SET_RATE, [feed.id, rate])) {
            await tx.query(NOTE_RATE, [feed.id, rate, reading.priceUsd, id])
            updated.push(feed.code)
          }
        }
      })
      currenciesChanged()
      return { updated, problems }
    },

    async ofOrder(userId, token) {
      const row =
        (await db.maybeOne<{
          currency: string
          rate: string
          price_usd: string
          from_at: Date | null
          reason: string | null
          read_price: string | null
          sources: JudgedSource[] | null
          read_at: Date | null
        }>(OF_ORDER, [token, userId])) ?? refuse('order_unknown')
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
    },
  }
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

function readingValues(feed: FeedRow, reading: Reading) {
  return [feed.price_id, reading.priceUsd, JSON.stringify(reading.sources), reading.problem]
}
