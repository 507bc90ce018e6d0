import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import type { Network } from '../../shared/networks.ts'
import { isRateStale } from '../currencies/currencies.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { takeableTokens } from '../ledger/ledger.ts'
import { refuse } from '../refusal.ts'

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
  in_escrow: boolean
  /** The stage's active escrow for the currency, if any. */
  escrow_id: number | null
  escrow_address: string | null
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
  has_phone: boolean
  is_confirmed: boolean
  left_stage_usd: string
  left_usd: string
  left_sale: string
  left_bonus: string
}

/** Legal texts, a seller, a delivery plan. */
const isReady = fragment`(select count(distinct kind) from legal_texts where kind in ('terms', 'risks')) = 2
  and btrim(c.settings -> 'seller' ->> 'name') <> '' and btrim(c.settings -> 'seller' ->> 'contact') <> ''
  and btrim(c.settings -> 'delivery' ->> 'network') <> ''
  and (c.settings -> 'delivery' ->> 'date' is not null
       or exists (select from jsonb_each_text(c.settings #> '{delivery,vesting}') where btrim(value) <> ''))`
const leftOver = fragment`
  coalesce((select pool_usd from stage_capacity where stage_id = s.id), 0) as left_stage_usd,
  (select pool_usd from campaign_capacity) as left_usd,
  (select pool_sale_tokens from campaign_capacity) as left_sale,
  (select pool_bonus_tokens from campaign_capacity) as left_bonus`

// Rules: OPEN-1
/** In one statement. */
export function readBasis(
  queryable: Queryable,
  currency: string,
  userId: string | null,
): Promise<BasisRow | undefined> {
  return queryable.maybeOne<BasisRow>(
    sql`select c.settings, c.price_usd, c.paused_at is not null as paused, ${isReady} as legal,
               k.id as currency_id, k.code, k.rate, k.network, k.address, k.watched, k.in_escrow, k.token_contract, k.coin_decimals,
               k.chain_id, k.switched_off_at is not null as off, k.paused_at is not null as currency_paused,
               ${isRateStale} as stale,
               e.id as escrow_id, e.address as escrow_address, s.id as stage_id, s.price_applied_at is null as stage_price_pending,
               exists (select 1 from stages where starts_at > clock_timestamp()) as upcoming,
               coalesce(h.purchased_tokens + h.bonus_tokens + h.granted_tokens, 0) - ${takeableTokens} as balance,
               num_nonnulls(u.phone, u.phone_sealed) > 0 as has_phone, u.confirmed_at is not null as is_confirmed, ${leftOver}
          from campaign c
          left join currencies k on k.code = ${currency}
          left join stages s on clock_timestamp() >= s.starts_at and clock_timestamp() < s.ends_at
          left join escrows e on k.in_escrow and e.stage_id = s.id and escrow_takes(e, k)
          left join users u on u.id = ${userId}
          left join holdings h on h.user_id = u.id`,
  )
}

// Rules: ORDER-3
/** Errors in the order of the routes' lists; returns the narrowed row. */
export function checkSale(row: BasisRow | undefined) {
  if (!row?.legal) refuse('sale_not_ready')
  if (row.paused) refuse('sale_paused')
  if (row.stage_id === null) refuse(row.upcoming ? 'stage_not_started' : 'stage_closed')
  if (row.currency_id === null) refuse('currency_unknown')
  if (row.off) refuse('currency_off')
  if (row.currency_paused) refuse('currency_paused')
  if (row.stale || row.price_usd === null) refuse('rate_stale')
  if (row.in_escrow && row.escrow_id === null) refuse('escrow_missing')
  if (!row.watched && row.address === '') refuse('address_missing')
  return { ...row, stage_id: row.stage_id, currency_id: row.currency_id, price_usd: row.price_usd }
}

export type SaleRow = ReturnType<typeof checkSale>
