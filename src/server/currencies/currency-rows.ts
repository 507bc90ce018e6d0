import type { OperatorCurrency, PublicCurrency } from '../../shared/api/currencies.ts'
import type { Texts } from '../../shared/languages.ts'
import { showRate } from '../../shared/money.ts'
import type { Network } from '../../shared/networks.ts'
import { fragment } from '../database/database.ts'

export interface CurrencyRow {
  id: number
  code: string
  full_name: string
  network: Network
  address: string
  erc20: boolean
  token_contract: string | null
  rate: string
  rate_source: 'manual' | 'feed'
  rate_at: Date
  price_id: string | null
  watched: boolean
  in_escrow: boolean
  rate_problem: PublicCurrency['rateProblem']
  switched_off_at: Date | null
  paused_at: Date | null
  pause_reason: Texts | null
  revision: number
  stale: boolean
  /** 0 if not needed. */
  open_orders: string
}

// Rules: RATE-8
/** Currency `k` follows a feed without a fresh rate. */
export const isRateStale = fragment`(k.rate_source = 'feed' and (
  k.rate_at < clock_timestamp()
    - make_interval(mins => coalesce((select (settings ->> 'feedRateMaxMinutes')::integer from campaign), 5))
  or (select r.rate from rate_at(k.id, clock_timestamp()) r) is null))`

export const currencyColumns = fragment`k.id, k.code, k.full_name, k.network, k.address, k.erc20, k.token_contract, k.rate,
  k.rate_source, k.rate_at, k.price_id, k.watched, k.in_escrow, k.rate_problem, k.switched_off_at, k.paused_at, k.pause_reason, k.revision,
  ${isRateStale} as stale`

export function publicCurrency(row: CurrencyRow): PublicCurrency {
  const unavailable = unavailableBecause(row)
  return {
    id: row.id,
    code: row.code,
    fullName: row.full_name,
    network: row.network,
    rate: showRate(row.rate),
    rateSource: row.rate_source,
    rateAt: row.rate_at.toISOString(),
    watched: row.watched,
    inEscrow: row.in_escrow,
    address: row.watched ? '' : row.address,
    unavailable,
    rateProblem: unavailable === 'rate_stale' ? row.rate_problem : null,
    pauseReason: row.pause_reason,
  }
}

function unavailableBecause(row: CurrencyRow): PublicCurrency['unavailable'] {
  if (row.paused_at) return 'paused'
  if (row.stale) return 'rate_stale'
  return !row.watched && row.address === '' ? 'address_missing' : null
}

export function operatorCurrency(row: CurrencyRow): OperatorCurrency {
  const unavailable = unavailableBecause(row)
  return {
    id: row.id,
    code: row.code,
    fullName: row.full_name,
    network: row.network,
    address: row.address,
    erc20: row.erc20,
    tokenContract: row.token_contract,
    rate: showRate(row.rate),
    rateSource: row.rate_source,
    rateAt: row.rate_at.toISOString(),
    priceId: row.price_id,
    watched: row.watched,
    inEscrow: row.in_escrow,
    switchedOffAt: row.switched_off_at?.toISOString() ?? null,
    pausedAt: row.paused_at?.toISOString() ?? null,
    pauseReason: row.pause_reason,
    unavailable,
    rateProblem: unavailable === 'rate_stale' ? row.rate_problem : null,
    openOrders: Number(row.open_orders),
    revision: row.revision,
  }
}
