import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { qrText, walletUri } from '../../shared/addresses.ts'
import type { Network } from '../../shared/api/currencies.ts'
import type { BoundQuote, QuoteAmounts } from '../../shared/api/orders.ts'
import type { quoteInput } from '../../shared/api/orders-schemas.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { add, divide, roundDownTo, smaller, trimZeros, writeAmount } from '../../shared/money.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { priceQuote } from './price-quote.ts'

type QuoteInput = z.output<typeof quoteInput>

/** Reserves the next unused address of a watched currency's wallet, inside the caller's transaction. */
export type ReserveAddress = (tx: Queryable, currencyId: number) => Promise<{ address: string }>

interface BasisRow {
  settings: CampaignSettings
  price_usd: string | null
  paused: boolean
  legal: boolean
  currency_id: number | null
  code: string
  rate: string
  network: Network
  address: string
  watched: boolean
  token_contract: string | null
  coin_decimals: number | null
  chain_id: number | null
  off: boolean
  currency_paused: boolean
  stale: boolean
  stage_id: number | null
  stage_price_pending: boolean
  upcoming: boolean
  balance: string
  phone: string | null
  left_stage_usd: string
  left_usd: string
  left_sale: string
  left_bonus: string
}

/** All that a quote depends on, in one statement: sale, stage, currency, the buyer's balance and what is left. */
const BASIS = statement(
  'quote_basis',
  `select c.settings, c.price_usd, c.paused_at is not null as paused,
          (select count(distinct kind) from legal_texts where kind in ('terms', 'risks')) = 2
            and btrim(c.settings -> 'seller' ->> 'name') <> '' and btrim(c.settings -> 'seller' ->> 'contact') <> ''
            and btrim(c.settings -> 'delivery' ->> 'network') <> ''
            and (c.settings -> 'delivery' ->> 'date' is not null
                 or btrim(concat(c.settings #>> '{delivery,vesting,en}', c.settings #>> '{delivery,vesting,ru}')) <> '') as legal,
          k.id as currency_id, k.code, k.rate, k.network, k.address, k.watched, k.token_contract, k.coin_decimals, k.chain_id,
          k.switched_off_at is not null as off, k.paused_at is not null as currency_paused,
          k.rate_source = 'feed' and k.rate_at < clock_timestamp() - make_interval(mins => (c.settings ->> 'feedRateMaxMinutes')::integer) as stale,
          s.id as stage_id, s.price_applied_at is null as stage_price_pending,
          exists (select 1 from stages where starts_at > clock_timestamp()) as upcoming,
          coalesce(h.purchased_tokens + h.bonus_tokens + h.granted_tokens, 0) as balance, u.phone,
          coalesce((select pool_usd from stage_capacity where stage_id = s.id), 0)
            + coalesce((select sum(usd) from capacity_slots where stage_id = s.id), 0) as left_stage_usd,
          (select pool_usd from campaign_capacity) + coalesce((select sum(usd) from capacity_slots), 0) as left_usd,
          (select pool_sale_tokens from campaign_capacity) + coalesce((select sum(sale_tokens) from capacity_slots), 0) as left_sale,
          (select pool_bonus_tokens from campaign_capacity) + coalesce((select sum(bonus_tokens) from capacity_slots), 0) as left_bonus
     from campaign c
     left join currencies k on k.code = $1
     left join stages s on clock_timestamp() >= s.starts_at and clock_timestamp() < s.ends_at
     left join users u on u.id = $2
     left join holdings h on h.user_id = u.id`,
)

/**
 * Waits for whoever is changing the currency and inserts nothing if it is no longer what was read: a quote for a wallet that has
 * just been replaced would take the buyer's money there.
 */
const INSERT = statement(
  'quote_insert',
  `insert into quotes (id, user_id, currency_id, stage_id, base_tokens, bonus_tokens, bonus_percent, level_key, crypto_amount, usd,
                       price_usd, rate, address, watched, expires_at)
   select $1, $2::bigint, k.id, $4::integer, $5::numeric, $6::numeric, $7::numeric, $8, $9::numeric, $10::numeric, $11::numeric,
          $12::numeric, $13, $14::boolean, clock_timestamp() + make_interval(mins => $15)
     from currencies k
    where k.id = $3 and k.watched = $14 and (k.watched or k.address = $13) and k.switched_off_at is null and k.paused_at is null
      for key share
   returning created_at, expires_at`,
)

const SHOW = statement(
  'quote_show',
  `select q.*, k.code, k.network, k.token_contract, k.coin_decimals, k.chain_id, clock_timestamp() as now
     from quotes q join currencies k on k.id = q.currency_id where q.id = $1 and q.user_id = $2`,
)

const IN_FORCE = statement(
  'quote_rates_in_force',
  `with lock as (select clock_timestamp() - make_interval(mins => (settings ->> 'quoteMinutes')::integer) as since from campaign),
        history as (select r.* from currency_rates r join currencies k on k.id = r.currency_id where k.code = $1 and r.main_usd is not null)
   select rate, main_usd from (
     (select id, rate, main_usd from history, lock where from_at > since order by id desc limit 100)
     union all (select id, rate, main_usd from history, lock where from_at <= since order by id desc limit 1)) in_force order by id desc`,
)

/** A rate with the main currency value of its time. */
export interface RateInForce {
  readonly rate: string
  readonly priceUsd: string
}

/** Refuses what cannot be bought now, in the order of the routes' error lists; hands the rest on, narrowed. */
function checkSale(row: BasisRow | undefined) {
  if (!row?.legal) refuse('sale_not_ready')
  if (row.paused) refuse('sale_paused')
  if (row.stage_id === null) refuse(row.upcoming ? 'stage_not_started' : 'stage_closed')
  if (row.currency_id === null) refuse('currency_unknown')
  if (row.off) refuse('currency_off')
  if (row.currency_paused) refuse('currency_paused')
  if (row.stale || row.price_usd === null) refuse('rate_stale')
  if (!row.watched && row.address === '') refuse('address_missing')
  return { ...row, stage_id: row.stage_id, currency_id: row.currency_id, price_usd: row.price_usd }
}

type SaleRow = ReturnType<typeof checkSale>

function amountsOf(row: SaleRow, input: QuoteInput): QuoteAmounts {
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

export interface Quotes {
  /** What a purchase would give and cost now; binds nothing. */
  preview(userId: string | null, input: QuoteInput): Promise<QuoteAmounts>
  /** Binds a quote to buyer, currency and address; refusals as listed at `quoteRoutes.bind`. */
  bind(userId: string, input: QuoteInput, inForce?: RateInForce): Promise<BoundQuote>
  /** Rates of a currency that are in force or were within the lock, newest first, each with the main currency value of its time. */
  ratesInForce(code: string): Promise<RateInForce[]>
  /** One of the buyer's own quotes; quote_unknown otherwise. */
  show(userId: string, id: string): Promise<BoundQuote>
}

/**
 * `applyStagePrice` puts a started stage's price in force if no job has yet. `takeAddress` limits how many addresses of a wallet a
 * buyer may use up; refuses `too_many_requests`.
 */
export function createQuotes(
  db: Database,
  reserveAddress: ReserveAddress,
  applyStagePrice: () => Promise<void>,
  takeAddress: (userId: string) => Promise<void> = async () => {},
): Quotes {
  const basis = async (queryable: Queryable, userId: string | null, input: QuoteInput): Promise<SaleRow> =>
    checkSale(await queryable.maybeOne<BasisRow>(BASIS, [input.currency.toUpperCase(), userId]))

  const settled = async (userId: string | null, input: QuoteInput) => {
    const row = await basis(db, userId, input)
    if (!row.stage_price_pending) return row
    await applyStagePrice()
    return basis(db, userId, input)
  }

  return {
    async preview(userId, input) {
      return amountsOf(await settled(userId, input), input)
    },

    async bind(userId, input, inForce) {
      const row = await settled(userId, input)
      if (row.settings.buyers.phone === 'required' && !row.phone) refuse('phone_required')
      const amounts = amountsOf(
        inForce ? { ...row, rate: inForce.rate, price_usd: inForce.priceUsd } : row,
        input,
      )
      const write = async (tx: Queryable, address: string) => {
        const id = randomBytes(18).toString('base64url')
        const times = await tx.maybeOne<{ created_at: Date; expires_at: Date }>(INSERT, [
          id,
          userId,
          row.currency_id,
          row.stage_id,
          amounts.baseTokens,
          amounts.bonusTokens,
          amounts.bonusPercent,
          amounts.levelKey,
          amounts.cryptoAmount,
          amounts.usd,
          amounts.priceUsd,
          amounts.rate,
          address,
          row.watched,
          row.settings.quoteMinutes,
        ])
        if (!times) return refuse('conflict')
        return boundQuote({ ...row, ...times, id, address, now: times.created_at }, amounts)
      }
      // An address is given away with its quote or not at all; a fixed one needs no transaction.
      if (!row.watched) return write(db, row.address)
      await takeAddress(userId)
      return db.transaction(async (tx) => write(tx, (await reserveAddress(tx, row.currency_id)).address))
    },

    async ratesInForce(code) {
      const rows = await db.query<{ rate: string; main_usd: string }>(IN_FORCE, [code.toUpperCase()])
      return rows.map((row) => ({ rate: row.rate, priceUsd: row.main_usd }))
    },

    async show(userId, id) {
      const row = (await db.maybeOne<QuoteRow>(SHOW, [id, userId])) ?? refuse('quote_unknown')
      return boundQuote(row, {
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
      })
    },
  }
}

interface PayTo {
  id: string
  code: string
  network: Network
  address: string
  watched: boolean
  token_contract: string | null
  coin_decimals: number | null
  chain_id: number | null
  created_at: Date
  expires_at: Date
  now: Date
}

interface QuoteRow extends PayTo {
  base_tokens: string
  bonus_tokens: string
  bonus_percent: string
  level_key: string
  crypto_amount: string
  usd: string
  price_usd: string
  rate: string
}

/** How a payment is asked for: link and QR text of an amount to an address. */
export function paymentLinks(
  to: Pick<PayTo, 'code' | 'network' | 'address' | 'token_contract' | 'coin_decimals' | 'chain_id'>,
  amount: string,
) {
  const payment = {
    network: to.network,
    code: to.code,
    address: to.address,
    amount,
    tokenContract: to.token_contract,
    coinDecimals: to.coin_decimals,
    chainId: to.chain_id,
  }
  return { walletUri: walletUri(payment), qrText: qrText(payment) }
}

function boundQuote(row: PayTo, amounts: QuoteAmounts): BoundQuote {
  return {
    ...amounts,
    id: row.id,
    network: row.network,
    address: row.address,
    watched: row.watched,
    tokenContract: row.token_contract,
    ...paymentLinks(row, amounts.cryptoAmount),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    serverTime: row.now.toISOString(),
  }
}
