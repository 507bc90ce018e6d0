import { randomBytes } from 'node:crypto'
import type { QuoteAmounts } from '../../shared/api/orders.ts'
import { escrowPrefix, orderKeyOf, placeInEscrow } from '../../shared/escrow-places.ts'
import { nativeDecimals } from '../../shared/networks.ts'
import { TOKEN_DECIMALS } from '../../shared/round-list.ts'
import { unitsFromAmount } from '../../shared/wallet-links.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { SaleRow } from './quote-basis.ts'

const NATIVE = `0x${'0'.repeat(40)}`
/** What the contract can count of one order (contracts/src/ISaleEscrow.sol, AmountOutOfRange). */
const MOST = 2n ** 88n

// Rules: DELIVER-23
/**
 * Reserves the place at which the order of a quote is paid in its stage's escrow. Its id is random: a stranger can't guess it, and nobody
 * can pay it without our signature. Who pays gets the tokens. Refuses `delivery_address_ours`, `amount_above_maximum`.
 */
export async function reservePlace(
  tx: Queryable,
  row: SaleRow,
  amounts: QuoteAmounts,
  payer: string,
): Promise<string> {
  const { isOurs } = await tx.one<{ isOurs: boolean }>(
    sql`select is_address_of_sale(${payer.toLowerCase()}) as "isOurs"`,
  )
  if (isOurs) refuse('delivery_address_ours')
  const prefix = escrowPrefix(row.network, row.escrow_address ?? '')
  const orderId = `0x${randomBytes(32).toString('hex')}`
  const decimals = row.token_contract ? row.coin_decimals : nativeDecimals(row.network)
  const amount = decimals == null ? null : unitsFromAmount(amounts.cryptoAmount, decimals)
  const tokens = unitsFromAmount(amounts.receiveTokens, TOKEN_DECIMALS)
  if (amount === null || tokens === null) return refuse('escrow_missing')
  if (amount >= MOST || tokens >= MOST) refuse('amount_above_maximum')
  const promise = { orderId, payer, beneficiary: payer, asset: row.token_contract || NATIVE, amount, tokens }
  const place = placeInEscrow(prefix, promise)
  await tx.query(
    sql`insert into wallet_addresses (escrow_id, order_key, address, address_key, currency_id)
        values (${row.escrow_id}, ${orderKeyOf(prefix, orderId)}, ${place}, ${place}, ${row.currency_id})`,
  )
  return place
}
