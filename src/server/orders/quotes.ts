import type { z } from 'zod'
import type { BoundQuote, QuoteAmounts } from '../../shared/api/orders.ts'
import type { boundInput, quoteInput } from '../../shared/api/orders-schemas.ts'
import { add, compare, divide, roundDownTo, smaller, trimZeros, writeAmount } from '../../shared/money.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { reservePlace } from './escrow-place.ts'
import { type PricedAmounts, priceQuote } from './price-quote.ts'
import { checkSale, readBasis, type SaleRow } from './quote-basis.ts'
import { boundQuote, type QuoteRow, readEscrow, writeQuote } from './quote-rows.ts'

type QuoteInput = z.output<typeof quoteInput>
type BoundInput = z.output<typeof boundInput>

/** Reserves the next unused address of a watched currency's wallet; `write` writes it in the quote's transaction. */
export type ReserveAddress = (
  currencyId: number,
) => Promise<{ address: string; write(tx: Queryable): Promise<void> }>

/** A rate with the main currency value of its time. */
export interface RateInForce {
  readonly rate: string
  readonly priceUsd: string
}

export interface QuotesNeeds {
  readonly db: Database
  readonly reserveAddress: ReserveAddress
  /** Puts a started stage's price in force if no job has yet. */
  readonly applyStagePrice: () => Promise<unknown>
  /** Off only outside production: then one buyer's unpaid orders may hold any sum. */
  readonly limits?: boolean
  /** Limits how many quotes a buyer binds; refuses `too_many_requests`. */
  readonly takeQuote?: (userId: string) => Promise<void>
  /** Limits how many addresses of a wallet a buyer may use up; refuses `too_many_requests`. */
  readonly takeAddress?: (userId: string) => Promise<void>
}

/** What a purchase gives and costs, and the promise of it: a quote is bound to a buyer and holds its rate. */
export class Quotes {
  readonly #needs: QuotesNeeds

  constructor(needs: QuotesNeeds) {
    this.#needs = needs
  }

  /** What a purchase would give and cost now; binds nothing. */
  async preview(userId: string | null, input: QuoteInput): Promise<QuoteAmounts> {
    return this.#amountsOf(await this.#openSale(userId, input), input)
  }

  /** Binds a quote to buyer, currency and address; refusals as listed at `quoteEndpoints.bind`. */
  async bind(userId: string, input: BoundInput, inForce?: RateInForce): Promise<BoundQuote> {
    const { db } = this.#needs
    const { write, isOneStatement } = await this.prepare(userId, input, inForce)
    return isOneStatement ? write(db) : db.transaction(write)
  }

  /** Reads and refuses as `bind` does, and returns what writes the quote. */
  async prepare(userId: string, input: BoundInput, inForce?: RateInForce) {
    const { takeQuote, takeAddress, reserveAddress } = this.#needs
    await takeQuote?.(userId)
    const row = await this.#openSale(userId, input)
    if (row.settings.buyers.phone === 'required' && !row.has_phone) refuse('phone_required')
    const priced = inForce ? { ...row, rate: inForce.rate, price_usd: inForce.priceUsd } : row
    const quote = { userId, row, amounts: this.#amountsOf(priced, input) }
    const { payer } = input
    if (row.escrow_id !== null) {
      if (!payer) refuse('escrow_payer_missing')
      if (quote.amounts.notHeld) refuse('escrow_not_held')
    }
    // An address is given away with its quote or not at all; a fixed one needs no transaction.
    if (row.watched) await takeAddress?.(userId)
    const reserved = row.watched && row.escrow_id === null ? await reserveAddress(row.currency_id) : undefined
    return {
      isOneStatement: !row.watched,
      write: async (tx: Queryable) => {
        if (row.escrow_id !== null && payer)
          return writeQuote(tx, quote, await reservePlace(tx, row, quote.amounts, payer))
        await reserved?.write(tx)
        return writeQuote(tx, quote, (reserved ?? row).address)
      },
    }
  }

  // Rules: ORDER-7
  /**
   * The rate of a currency that is in force and, for two minutes after a feed changed it, the feed's one before, each with the main currency
   * value of its time; newest first. What an operator corrected is over at once. Where the open stage began meanwhile none is of the value
   * before it.
   */
  async ratesInForce(code: string): Promise<RateInForce[]> {
    const rows = await this.#needs.db.query<{ rate: string; main_usd: string }>(
      sql`with lock as (
            select clock_timestamp() - make_interval(mins => (settings ->> 'quoteMinutes')::integer) as since from campaign
          ), latest as (
            select r.*, lag(r.from_at) over newest_first as ended_at, lag(r.reason) over newest_first as ended_by
              from currency_rates r join currencies k on k.id = r.currency_id
             where k.code = ${code.toUpperCase()} and r.main_usd is not null
            window newest_first as (order by r.id desc)
             order by r.id desc limit 2
          )
          select rate, main_usd from latest
           where (ended_at is null
                  or ended_by = 'feed' and reason = 'feed' and ended_at > clock_timestamp() - interval '2 minutes')
             and not exists (
             select from stages s, lock
              where s.starts_at > since and s.starts_at <= clock_timestamp() and s.ends_at > clock_timestamp()
                and from_at < coalesce(s.price_applied_at, 'infinity') and main_usd <> s.price_usd)
           order by id desc`,
    )
    return rows.map((row) => ({ rate: row.rate, priceUsd: row.main_usd }))
  }

  /** One of the buyer's own quotes; quote_unknown otherwise. */
  async show(userId: string, id: string): Promise<BoundQuote> {
    const row = await this.#needs.db.maybeOne<Omit<QuoteRow, 'escrow'> & { escrow_id: number | null }>(
      sql`select q.*, k.code, k.network, k.token_contract, k.coin_decimals, k.chain_id, clock_timestamp() as now
            from quotes q join currencies k on k.id = q.currency_id where q.id = ${id} and q.user_id = ${userId}`,
    )
    if (!row) return refuse('quote_unknown')
    const escrow =
      row.escrow_id === null ? null : await readEscrow(this.#needs.db, row.escrow_id, row.address)
    return boundQuote(
      { ...row, escrow },
      {
        currency: row.code,
        baseTokens: row.base_tokens,
        bonusTokens: row.bonus_tokens,
        bonusPercent: trimZeros(row.bonus_percent),
        levelKey: row.level_key,
        receiveTokens: writeAmount(add(row.base_tokens, row.bonus_tokens)),
        cryptoAmount: row.crypto_amount,
        usd: row.usd,
        priceUsd: row.price_usd,
        rate: row.rate,
        notHeld: row.not_held,
      },
    )
  }

  #amountsOf(row: SaleRow, input: QuoteInput): QuoteAmounts {
    const amounts = amountsOf(row, input)
    return { ...amounts, notHeld: notHeldBecause(row, amounts.usd, this.#needs.limits ?? false) }
  }

  async #openSale(userId: string | null, input: QuoteInput): Promise<SaleRow> {
    const read = async () => checkSale(await readBasis(this.#needs.db, input.currency.toUpperCase(), userId))
    const row = await read()
    if (!row.stage_price_pending) return row
    await this.#needs.applyStagePrice()
    return read()
  }
}

// Rules: HOLD-2
/** Why an order of so many dollars would hold nothing before its payment is seen; null where it would. */
function notHeldBecause(row: SaleRow, usd: string, limits: boolean): QuoteAmounts['notHeld'] {
  if (row.scarce) return 'stage'
  if (!limits || row.holdable_usd === null || compare(usd, row.holdable_usd) <= 0) return null
  return row.unconfirmed ? 'unconfirmed' : 'buyer'
}

function amountsOf(row: SaleRow, input: QuoteInput): PricedAmounts {
  const byDollars = roundDownTo(divide(smaller(row.left_stage_usd, row.left_usd), row.price_usd), 6)
  return priceQuote(
    {
      settings: row.settings,
      priceUsd: row.price_usd,
      currency: { code: row.code, rate: row.rate },
      balance: row.balance,
      leftByCaps: byDollars,
      leftForSale: row.left_sale,
      leftForBonuses: row.left_bonus,
    },
    input,
  )
}
