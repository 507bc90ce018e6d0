import { evmChecksum, qrText, walletUri } from '../../shared/addresses.ts'
import type { BoundQuote, OrderEscrow, QuoteAmounts } from '../../shared/api/orders.ts'
import { readPlace } from '../../shared/escrow-places.ts'
import { levelIndexHeld } from '../../shared/levels.ts'
import type { Network } from '../../shared/networks.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { newSortedToken } from '../sorted-token.ts'
import type { SaleRow } from './quote-basis.ts'

/**
 * Waits for whoever is changing the currency and writes nothing if the currency is no longer what was read: a quote for a wallet that has
 * just been replaced would take the buyer's money there. Refuses conflict.
 */
export async function writeQuote(
  tx: Queryable,
  { userId, row, amounts }: { userId: string; row: SaleRow; amounts: QuoteAmounts },
  address: string,
): Promise<BoundQuote> {
  const id = newSortedToken()
  const { levels } = row.settings
  const heldPercent = levels[levelIndexHeld(levels, row.balance)]?.bonusPercent ?? '0'
  const times = await tx.maybeOne<{ created_at: Date; expires_at: Date }>(
    sql`insert into quotes (id, user_id, currency_id, stage_id, base_tokens, bonus_tokens, bonus_percent, held_percent,
                            level_key, crypto_amount, usd, price_usd, rate, address, escrow_id, watched, not_held,
                            created_at, expires_at)
        select ${id}, ${userId}::bigint, k.id, ${row.stage_id}::integer, ${amounts.baseTokens}::numeric,
               ${amounts.bonusTokens}::numeric, ${amounts.bonusPercent}::numeric, ${heldPercent}::numeric,
               ${amounts.levelKey}, ${amounts.cryptoAmount}::numeric, ${amounts.usd}::numeric, ${amounts.priceUsd}::numeric,
               ${amounts.rate}::numeric, ${address}, ${row.escrow_id}::integer, ${row.watched}::boolean, ${amounts.notHeld},
               made, made + make_interval(mins => ${row.settings.quoteMinutes})
          from clock_timestamp() as made, currencies k
         where k.id = ${row.currency_id} and k.watched = ${row.watched} and k.in_escrow = ${row.in_escrow} and (k.watched or k.address = ${address})
           and k.switched_off_at is null and k.paused_at is null
           for key share of k
        returning created_at, expires_at`,
  )
  if (!times) return refuse('conflict')
  const escrow = row.escrow_id === null ? null : await readEscrow(tx, row.escrow_id, address)
  return boundQuote({ ...row, ...times, id, address, escrow, now: times.created_at }, amounts)
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
  escrow: OrderEscrow | null
}

/** A quote with the names of its currency, as it is read again. */
export interface QuoteRow extends PayTo {
  base_tokens: string
  bonus_tokens: string
  bonus_percent: string
  level_key: string
  crypto_amount: string
  usd: string
  price_usd: string
  rate: string
  not_held: QuoteAmounts['notHeld']
}

/** The terms under which a place in an escrow is paid. */
export async function readEscrow(tx: Queryable, escrowId: number, place: string): Promise<OrderEscrow> {
  const row = await tx.one<{
    address: string
    chain_id: string
    closes_at: Date
    deliver_by: Date
    locks_first: boolean
  }>(sql`select address, chain_id, closes_at, deliver_by, locks_first from escrows where id = ${escrowId}`)
  return {
    contract: row.address,
    chainId: Number(row.chain_id),
    payer: evmChecksum(readPlace(place).payer),
    closesAt: row.closes_at.toISOString(),
    deliverBy: row.deliver_by.toISOString(),
    locksFirst: row.locks_first,
  }
}

/** Where nothing is to be sent; and of an escrow, whose contract could not tell a plain transfer. */
export const NO_LINKS = { walletUri: null, qrText: '' } as const

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

/** The promise as its buyer is answered. */
export function boundQuote(row: PayTo, amounts: QuoteAmounts): BoundQuote {
  return {
    ...amounts,
    id: row.id,
    network: row.network,
    address: row.escrow ? '' : row.address,
    watched: row.watched,
    tokenContract: row.token_contract,
    ...(row.escrow ? NO_LINKS : paymentLinks(row, amounts.cryptoAmount)),
    escrow: row.escrow,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    serverTime: row.now.toISOString(),
  }
}
