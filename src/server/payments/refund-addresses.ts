import { type AddressProblem, addressKeyOf, checkAddress } from '../../shared/addresses.ts'
import { type AddressNet, isCore, type Network, type WalletFamily } from '../../shared/networks.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { addressAt } from './account-keys.ts'
import { scriptOfAddress } from './bitcoin/networks.ts'
import { accountColumns, readableAccountOf, type StoredAccount } from './wallet-rows.ts'

// Rules: REFUND-2
/** Null if the address can receive a refund on this network. */
export function checkRefundAddress(
  network: Network,
  net: AddressNet,
  address: string,
): AddressProblem | null {
  const text = address.trim()
  const problem = checkAddress(network, text, { testnet: net !== 'main' })
  if (problem || !isCore(network)) return problem
  try {
    // Main, test and regression networks share prefixes.
    scriptOfAddress(network, net, text)
    return null
  } catch {
    return 'wrong_network'
  }
}

/** Of the sale or its contracts, or unspendable, as for delivery addresses. */
export async function isOwnAddress(
  tx: Queryable,
  secrets: Secrets,
  family: WalletFamily | null,
  key: string,
): Promise<boolean> {
  const { isOurs } = await tx.one<{ isOurs: boolean }>(sql`select is_address_of_sale(${key}) as "isOurs"`)
  if (isOurs || family === null) return isOurs
  const accounts = await tx.query<StoredAccount>(
    sql`select ${accountColumns} from wallets w where w.family = ${family}`,
  )
  // Prepared transactions send their change there.
  return accounts.some((row) => {
    const account = readableAccountOf(secrets, row)
    return account !== null && addressKeyOf(family, addressAt(account, 0, 1)) === key
  })
}
