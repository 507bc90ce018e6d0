import type { z } from 'zod'
import type { PurchaseAmounts } from '../../shared/api/orders.ts'
import type { purchaseInput } from '../../shared/api/orders-schemas.ts'
import { levelIndexHeld } from '../../shared/levels.ts'
import { divide, roundDownTo, smaller } from '../../shared/money.ts'
import { type Database, sql } from '../database/database.ts'
import { pricePurchase } from './price-purchase.ts'
import { checkSale, readBasis, type SaleRow } from './sale-basis.ts'

type PurchaseInput = z.output<typeof purchaseInput>

export interface RateInForce {
  readonly rate: string
  readonly priceUsd: string
}

export interface PricedPurchase {
  readonly row: SaleRow
  readonly amounts: PurchaseAmounts
  readonly heldPercent: string
}

export interface PricingNeeds {
  readonly db: Database
  /** Applies a stage's price if no job has yet. */
  readonly applyStagePrice: () => Promise<unknown>
}

export class Pricing {
  readonly #needs: PricingNeeds

  constructor(needs: PricingNeeds) {
    this.#needs = needs
  }

  /** Changes nothing. Errors as in `orderEndpoints.preview`. */
  async preview(userId: string | null, input: PurchaseInput): Promise<PurchaseAmounts> {
    return (await this.price(userId, input)).amounts
  }

  /** `preview` with its input, at a given rate if any. */
  async price(userId: string | null, input: PurchaseInput, inForce?: RateInForce): Promise<PricedPurchase> {
    const sale = await this.#openSale(userId, input)
    const row = inForce ? { ...sale, rate: inForce.rate, price_usd: inForce.priceUsd } : sale
    const { levels } = row.settings
    return {
      row,
      amounts: amountsOf(row, input),
      heldPercent: levels[levelIndexHeld(levels, row.balance)]?.bonusPercent ?? '0',
    }
  }

  // Rules: ORDER-7
  /**
   * The current rate and, for two minutes after a feed changed it, the previous one, each with its main
   * currency value; newest first. An operator's correction takes effect at once. Rates from before the open
   * stage's price are left out.
   */
  async ratesInForce(code: string): Promise<RateInForce[]> {
    const rows = await this.#needs.db.query<{ rate: string; main_usd: string }>(
      sql`with latest as (
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
             select from stages s
              where s.starts_at <= clock_timestamp() and s.ends_at > clock_timestamp()
                and from_at < coalesce(s.price_applied_at, 'infinity') and main_usd <> s.price_usd)
           order by id desc`,
    )
    return rows.map((row) => ({ rate: row.rate, priceUsd: row.main_usd }))
  }

  async #openSale(userId: string | null, input: PurchaseInput): Promise<SaleRow> {
    const read = async () => checkSale(await readBasis(this.#needs.db, input.currency.toUpperCase(), userId))
    const row = await read()
    if (!row.stage_price_pending) return row
    await this.#needs.applyStagePrice()
    return read()
  }
}

function amountsOf(row: SaleRow, input: PurchaseInput): PurchaseAmounts {
  const byDollars = roundDownTo(divide(smaller(row.left_stage_usd, row.left_usd), row.price_usd), 6)
  return pricePurchase(
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
