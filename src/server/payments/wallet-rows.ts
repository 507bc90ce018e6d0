import type { OperatorWallet } from '../../shared/api/payments.ts'
import type { AddressNet, WalletFamily, WalletScript } from '../../shared/networks.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { assert, refuse } from '../refusal.ts'
import { openAccountKey, type Secrets, type StoredText, storedAccountKey } from '../secrets/secrets.ts'
import { type AccountKey, addressAt } from './account-keys.ts'

export interface StoredAccount {
  id: number
  family: WalletFamily
  account_key: StoredText
  script: WalletScript
  net: AddressNet
}

export interface WalletRow extends StoredAccount {
  name: string
  next_index: number
  checked_at: Date | null
  highest_paid: number | null
  currencies: string[]
}

/** Above the highest index in use: the operator's wallet looks past unpaid addresses. */
const GAP_ROOM = 20

export const accountColumns = fragment`w.id, w.family, ${storedAccountKey} as account_key, w.script, w.net`

export const selectWallets = fragment`select ${accountColumns}, w.name, w.next_index, w.checked_at,
    (select max(a.index) from wallet_addresses a
      where a.wallet_id = w.id and exists (select 1 from payments p where p.address = a.address)) as highest_paid,
    coalesce((select array_agg(k.code order by k.position, k.id) from currencies k where k.wallet_id = w.id), '{}') as currencies
  from wallets w`

export async function readWallet(secrets: Secrets, tx: Queryable, id: number): Promise<OperatorWallet> {
  const row = await tx.maybeOne<WalletRow>(sql`${selectWallets} where w.id = ${id}`)
  return operatorWallet(secrets, row ?? refuse('wallet_unknown'))
}

/** Errors: unavailable if no known `SECRET_KEY` does. */
export function accountKeyOf(secrets: Secrets, row: StoredAccount): AccountKey {
  return readableAccountOf(secrets, row) ?? refuse('unavailable')
}

/** Null if no known `SECRET_KEY` opens it. */
export function readableAccountOf(secrets: Secrets, row: StoredAccount): AccountKey | null {
  const key = openAccountKey(secrets, row)
  return key === null ? null : { family: row.family, script: row.script, net: row.net, key }
}

// Rules: RIGHT-27
/**
 * Both ends tell keys apart. The whole key reveals every address and payment of the wallet, so summaries,
 * mails and audit logs never contain it; only operators who may change wallets see it.
 */
export const shortKey = (key: string) => `${key.slice(0, 12)}…${key.slice(-8)}`

/** Without key and addresses if no known `SECRET_KEY` opens them. */
export function operatorWallet(secrets: Secrets, row: WalletRow): OperatorWallet {
  assert(row.next_index >= 0, 'an index is never negative')
  const account = readableAccountOf(secrets, row)
  return {
    id: row.id,
    name: row.name,
    family: row.family,
    script: row.script,
    net: row.net,
    accountKey: account?.key ?? '',
    nextIndex: row.next_index,
    highestIndexUsed: row.next_index > 0 ? row.next_index - 1 : null,
    highestIndexPaid: row.highest_paid,
    gapLimit: row.next_index - 1 - (row.highest_paid ?? -1) + GAP_ROOM,
    checkedAt: row.checked_at?.toISOString() ?? null,
    firstAddresses: account ? [0, 1, 2].map((index) => addressAt(account, index)) : [],
    currencies: row.currencies,
  }
}
