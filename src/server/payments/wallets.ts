import type { OperatorWallet } from '../../shared/api/payments.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { ACCOUNT_KEY, addressAt } from './account-keys.ts'
import { type ChainFacts, walletActs } from './wallet-acts.ts'
import {
  accountColumns,
  accountKeyOf,
  addressKey,
  operatorWallet,
  readableAccountOf,
  type StoredAccount,
  selectWallets,
  shortKey,
  type WalletRow,
} from './wallet-rows.ts'

export interface WalletsNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly chains: ChainFacts
}

/** Watch-only wallets: account public keys, of which each order gets an address of its own. */
export class Wallets {
  readonly acts: ReturnType<typeof walletActs>
  readonly #db: Database
  readonly #secrets: Secrets

  constructor({ db, secrets, chains }: WalletsNeeds) {
    this.#db = db
    this.#secrets = secrets
    this.acts = walletActs({ secrets, chains })
  }

  /** Every wallet; of the account keys both ends alone, unless the reader sees them. */
  async list({ seesKeys = true } = {}): Promise<OperatorWallet[]> {
    const rows = await this.#db.query<WalletRow>(sql`${selectWallets} order by w.id`)
    return rows
      .map((row) => operatorWallet(this.#secrets, row))
      .map((wallet) => (seesKeys ? wallet : { ...wallet, accountKey: shortKey(wallet.accountKey) }))
  }

  /** A wallet's account key and the addresses that it gives; null where it has none (a demo's) or none that can be opened. */
  async account(
    tx: Queryable,
    id: number,
  ): Promise<{ key: string; addressAt(index: number): string } | null> {
    const row = await tx.one<StoredAccount>(sql`select ${accountColumns} from wallets w where w.id = ${id}`)
    const account = readableAccountOf(this.#secrets, row)
    if (!account || !ACCOUNT_KEY.test(account.key)) return null
    return { key: account.key, addressAt: (index) => addressAt(account, index) }
  }

  /**
   * Reserves the next unused address of a watched currency's wallet, in the caller's transaction: a lock on the wallet's row gives
   * each index out once. Refuses address_missing where the currency has no checked wallet, unavailable while its chain is not read
   * yet: what such an address got before could not be told from what it gets for this order; also where no known `SECRET_KEY` opens
   * the wallet's account key.
   */
  async reserveAddress(tx: Queryable, currencyId: number): Promise<{ address: string; index: number }> {
    const taken = await tx.maybeOne<StoredAccount & { index: number }>(
      sql`update wallets w set next_index = w.next_index + 1 from currencies k
           where k.id = ${currencyId} and w.id = k.wallet_id and k.watched and w.checked_at is not null
          returning ${accountColumns}, w.next_index - 1 as index`,
    )
    if (!taken) refuse('address_missing')
    const chain = await tx.maybeOne<{ height: string }>(
      sql`select c.height from chains c join currencies k on k.network = c.name where k.id = ${currencyId} and c.height is not null`,
    )
    if (!chain) refuse('unavailable')
    const address = addressAt(accountKeyOf(this.#secrets, taken), taken.index)
    await tx.query(
      sql`insert into wallet_addresses (wallet_id, index, address, address_key, currency_id, base_height)
          values (${taken.id}, ${taken.index}, ${address}, ${addressKey(taken.family, address)}, ${currencyId},
                  ${chain.height})`,
    )
    return { address, index: taken.index }
  }
}
