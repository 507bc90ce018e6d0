import { evmChecksum, qrText, walletUri } from '../../shared/addresses.ts'
import type { OrderEscrow } from '../../shared/api/orders.ts'
import { readPlace } from '../../shared/escrow-places.ts'
import type { Network } from '../../shared/networks.ts'
import { type Queryable, sql } from '../database/database.ts'

interface PayTo {
  code: string
  network: Network
  address: string
  token_contract: string | null
  coin_decimals: number | null
  chain_id: number | null
}

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

/** For orders that must not be paid, and escrows, which ignore plain transfers. */
export const NO_LINKS = { walletUri: null, qrText: '' } as const

export function paymentLinks(to: PayTo, amount: string) {
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
