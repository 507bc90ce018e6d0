import type { OrderRate } from '../../shared/api/payments.ts'
import type { RateSourceList, SourceAnswer, SourceKind } from '../../shared/api/rate-sources.ts'
import { divide, keepRate } from '../../shared/money.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type JudgedSource, judgeSources, type Reading, type SourceSaid } from './median.ts'
import type { Coin, PriceQuote, PriceSource } from './price-source.ts'
import { reasonOfSource } from './price-sources.ts'
import { rateSourceActions } from './rate-source-actions.ts'
import { priceIdOf, type RateSources } from './rate-sources.ts'
import { askSource } from './source-answer.ts'

export { priceIdOf, RateSources } from './rate-sources.ts'
export { deviationOf } from './source-answer.ts'

interface FeedRow {
  id: number
  code: string
  price_id: string
}

// Rules: RATE-4, RATE-7
export interface Refreshed {
  readonly updated: string[]
  readonly problems: { code: string; problem: string }[]
}

export interface RatesNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly sources: RateSources
  currenciesChanged?(): void
}

/** Sets the rates of currencies with a feed; stores every reading. */
export class Rates {
  readonly actions: ReturnType<typeof rateSourceActions>
  readonly #needs: RatesNeeds

  constructor(needs: RatesNeeds) {
    this.#needs = needs
    this.actions = rateSourceActions(needs)
  }

  list(): Promise<RateSourceList> {
    return this.#needs.sources.list(this.#needs.db)
  }

  async ask(source: { kind: SourceKind; url: string }): Promise<SourceAnswer> {
    return askSource(this.#needs.db, this.#needs.sources.open(source))
  }

  async askPresent(name: string): Promise<SourceAnswer> {
    const { db, sources } = this.#needs
    return askSource(db, await sources.find(db, name))
  }

  // Rules: RATE-6
  /**
   * Reads every source once. A currency without a valid price keeps its rate, which goes stale, and stores
   * the problem.
   */
  async refresh(): Promise<Refreshed> {
    const { db, sources } = this.#needs
    const feeds = await db.query<FeedRow>(
      sql`select k.id, k.code, ${priceIdOf} as price_id from currencies k
           where k.rate_source = 'feed' and k.switched_off_at is null order by k.id`,
    )
    if (feeds.length === 0) return { updated: [], problems: [] }
    const coins = feeds.map((feed): Coin => ({ code: feed.code, priceId: feed.price_id }))
    const said = await readSources(await sources.asked(db), coins)
    const now = new Date()
    const refreshed = await db.transaction(async (tx) => {
      const { price_usd: mainUsd } = await tx.one<{ price_usd: string | null }>(
        sql`select price_usd from campaign for share`,
      )
      const asked = new Set((await sources.asked(tx)).map(({ name }) => name))
      const answers = said.filter(({ source }) => asked.has(source))
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

  /** By price id; omits coins without agreement. */
  async agreed(coins: readonly Coin[]): Promise<ReadonlyMap<string, string>> {
    const sources = await this.#needs.sources.asked(this.#needs.db)
    if (sources.length < 2) refuse('rates_unavailable', { why: 'too_few_sources' })
    const said = await readSources(sources, coins)
    const now = new Date()
    const prices = coins.flatMap(({ priceId }) => {
      const { priceUsd } = judgeSources(saidOf({ price_id: priceId }, said), now)
      return priceUsd === null ? [] : [[priceId, priceUsd] as const]
    })
    if (prices.length === 0) refuse('rates_unavailable', { why: 'no_agreement' })
    return new Map(prices)
  }

  /** Answers behind an order's rate; if it bought at several rates, behind the locked one. */
  async ofOrder(userId: string, token: string): Promise<OrderRate> {
    const row =
      (await this.#needs.db.maybeOne<RateOfOrder>(
        sql`select o.currency, coalesce(r.rate, o.rate) as rate, o.price_usd, r.from_at, g.price_usd as read_price, g.sources, g.read_at
              from orders o
              left join lateral (
                select rate, from_at, reading_id from currency_rates
                 where currency_id = o.currency_id
                   and (rate = (asked_of(o)).rate and from_at <= o.created_at
                        -- A late payment buys at the rate of when it was first seen.
                        or rate = o.rate and from_at <= coalesce(
                             (select min(first_seen_of(p)) from payments p where p.order_id = o.id and p.alive), o.approved_at))
                 order by rate = o.rate desc, from_at desc limit 1) r on true
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

/** Stores the reading, and a valid rate. Null if the currency no longer has a feed. */
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

interface Answered {
  readonly source: string
  readonly quotes: ReadonlyMap<string, PriceQuote> | null
  readonly problem: string | null
}

const readSources = (sources: readonly PriceSource[], coins: readonly Coin[]) =>
  Promise.all(sources.map((source) => readSource(source, coins)))

async function readSource(source: PriceSource, coins: readonly Coin[]): Promise<Answered> {
  try {
    return { source: source.name, quotes: await source.read(coins), problem: null }
  } catch (error) {
    return {
      source: source.name,
      quotes: null,
      problem: reasonOfSource(error),
    }
  }
}

function saidOf(feed: Pick<FeedRow, 'price_id'>, answers: readonly Answered[]): SourceSaid[] {
  return answers.map(({ source, quotes, problem }) => ({
    source,
    quote: quotes?.get(feed.price_id) ?? null,
    problem,
  }))
}
