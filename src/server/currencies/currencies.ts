import type { OperatorCurrency, PublicCurrency } from '../../shared/api/currencies.ts'
import { isYoungerThan } from '../clock.ts'
import { type Database, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { currencyActions, type FetchPrices } from './currency-actions.ts'
import { type CurrencyRow, currencyColumns, operatorCurrency, publicCurrency } from './currency-rows.ts'

export { isFar, standingPrices } from './by-hand.ts'
export { changePrice, type PriceChange, refuseOtherPrice } from './change-price.ts'
export type { CurrencyChange, FetchPrices } from './currency-actions.ts'
export { isRateStale } from './currency-rows.ts'

const FRESH_MS = 1_000

export interface CurrenciesNeeds {
  readonly db: Database
  readonly fetchPrices: FetchPrices
}

export class Currencies {
  readonly actions: ReturnType<typeof currencyActions>
  readonly #db: Database
  #cached: { at: number; list: Promise<PublicCurrency[]> } | undefined

  constructor({ db, fetchPrices }: CurrenciesNeeds) {
    this.#db = db
    this.actions = currencyActions({ fetchPrices })
  }

  publicList(): Promise<PublicCurrency[]> {
    if (!this.#cached || !isYoungerThan(FRESH_MS, this.#cached.at)) {
      const list = this.#readPublic()
      this.#cached = { at: Date.now(), list }
      list.catch(() => this.invalidate())
    }
    return this.#cached.list
  }

  invalidate(): void {
    this.#cached = undefined
  }

  /** Includes disabled ones. */
  async list(): Promise<OperatorCurrency[]> {
    const rows = await this.#db.query<CurrencyRow>(
      sql`with open as (select currency_id, count(*) as orders from orders
                         where status = 'pending' and (held or expires_at > clock_timestamp()) group by currency_id)
          select ${currencyColumns}, coalesce(o.orders, 0) as open_orders
            from currencies k left join open o on o.currency_id = k.id order by k.position, k.id`,
    )
    return rows.map(operatorCurrency)
  }

  /** In upper or lower case. */
  async find(code: string): Promise<OperatorCurrency> {
    const row = await this.#db.maybeOne<CurrencyRow>(
      sql`select ${currencyColumns},
                 (select count(*) from orders o
                   where o.currency_id = k.id and o.status = 'pending' and (o.held or o.expires_at > clock_timestamp())) as open_orders
            from currencies k where k.code = ${code.toUpperCase()}`,
    )
    return operatorCurrency(row ?? refuse('currency_unknown'))
  }

  async #readPublic(): Promise<PublicCurrency[]> {
    const rows = await this.#db.query<CurrencyRow>(
      sql`select ${currencyColumns}, 0 as open_orders from currencies k
           where k.switched_off_at is null order by k.position, k.id`,
    )
    return rows.map(publicCurrency)
  }
}
