import { randomBytes } from 'node:crypto'
import type { PurchaseAmounts } from '../../shared/api/orders.ts'
import { escrowPrefix, orderKeyOf, placeInEscrow } from '../../shared/escrow-places.ts'
import { nativeDecimals } from '../../shared/networks.ts'
import { TOKEN_DECIMALS } from '../../shared/round-list.ts'
import { unitsFromAmount } from '../../shared/wallet-links.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { SaleRow } from './sale-basis.ts'

const NATIVE = `0x${'0'.repeat(40)}`
/** contracts/src/ISaleEscrow.sol, AmountOutOfRange. */
const MOST = 2n ** 88n

// Rules: DELIVER-23
/**
 * Where an order is paid in its stage's escrow. The random id can't be guessed, and a payment needs our
 * signature. The payer gets the tokens.
 */
export async function placeOf(
  queryable: Queryable,
  row: SaleRow,
  amounts: PurchaseAmounts,
  payer: string,
): Promise<{ place: string; orderKey: string }> {
  const { isOurs } = await queryable.one<{ isOurs: boolean }>(
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
  return { place: placeInEscrow(prefix, promise), orderKey: orderKeyOf(prefix, orderId) }
}
