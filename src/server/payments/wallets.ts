import { addressKeyOf } from '../../shared/addresses.ts'
import type { OperatorWallet } from '../../shared/api/payments.ts'
import { createBatches } from '../database/batches.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { ACCOUNT_KEY, type AccountKey, addressAt } from './account-keys.ts'
import { type ChainFacts, walletActions } from './wallet-actions.ts'
import {
  accountColumns,
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

/** Watch-only: account public keys give each order its own address. */
export class Wallets {
  readonly actions: ReturnType<typeof walletActions>
  readonly #db: Database
  readonly #secrets: Secrets
  readonly #take: (currencyId: number) => Promise<TakenIndex>

  constructor({ db, secrets, chains }: WalletsNeeds) {
    this.#db = db
    this.#secrets = secrets
    this.actions = walletActions({ secrets, chains })
    this.#take = createBatches({ run: (ids) => this.#takeIndexes(ids), sizeMax: 100, runsMax: 1 })
  }

  /** Shortens keys unless the reader may see them. */
  async list({ seesKeys = true } = {}): Promise<OperatorWallet[]> {
    const rows = await this.#db.query<WalletRow>(sql`${selectWallets} order by w.id`)
    return rows
      .map((row) => operatorWallet(this.#secrets, row))
      .map((wallet) => (seesKeys ? wallet : { ...wallet, accountKey: shortKey(wallet.accountKey) }))
  }

  /** Null if the wallet has no key (a demo's) or it can't be opened. */
  async account(
    tx: Queryable,
    id: number,
  ): Promise<{ key: string; addressAt(index: number): string } | null> {
    const row = await tx.one<StoredAccount>(sql`select ${accountColumns} from wallets w where w.id = ${id}`)
    const account = readableAccountOf(this.#secrets, row)
    if (!account || !ACCOUNT_KEY.test(account.key)) return null
    return { key: account.key, addressAt: (index) => addressAt(account, index) }
  }

  // Rules: WALLET-7, WALLET-9, WALLET-11
  /**
   * Reserves the next unused address of a currency's wallet, skipping past and present fixed addresses. The
   * index is never given out again; without an order it stays unused. Concurrent requests take their indexes
   * together, so that orders don't wait for each other's commit.
   * Errors: address_missing if the currency has no checked wallet, unavailable if no known `SECRET_KEY` opens
   * the key. Also unavailable while its chain is not read yet, because earlier payments to the address could
   * not be told apart.
   */
  async reserveAddress(currencyId: number): Promise<ReservedAddress> {
    const taken = await this.#take(currencyId)
    if (typeof taken === 'string') return refuse(taken)
    const { walletId, account, index } = taken
    const address = addressAt(account, index)
    const key = addressKeyOf(account.family, address)
    const { isKept } = await this.#db.one<{ isKept: boolean }>(
      sql`select exists (select from wallet_addresses where address_key = ${key}) as "isKept"`,
    )
    return isKept ? this.reserveAddress(currencyId) : { walletId, index, address, key }
  }

  /** Requests for the same currency get consecutive indexes. */
  async #takeIndexes(currencyIds: readonly number[]): Promise<TakenIndex[]> {
    const answers: TakenIndex[] = []
    for (const currencyId of new Set(currencyIds)) {
      const places = [...currencyIds.keys()].filter((place) => currencyIds[place] === currencyId)
      const first = await this.#takeRun(currencyId, places.length)
      places.forEach((place, nth) => {
        answers[place] = typeof first === 'string' ? first : { ...first, index: first.index + nth }
      })
    }
    return answers
  }

  /** Returns the first index; takes none on an error. */
  async #takeRun(currencyId: number, count: number): Promise<TakenIndex> {
    const row = await this.#db.maybeOne<StoredAccount & { is_read: boolean }>(
      sql`select ${accountColumns}, c.height is not null as is_read
            from currencies k join wallets w on w.id = k.wallet_id left join chains c on c.name = k.network
           where k.id = ${currencyId} and k.watched and w.checked_at is not null`,
    )
    if (!row) return 'address_missing'
    const account = row.is_read ? readableAccountOf(this.#secrets, row) : undefined
    if (!account) return 'unavailable'
    const { index } = await this.#db.one<{ index: number }>(
      sql`update wallets set next_index = next_index + ${count} where id = ${row.id}
          returning next_index - ${count} as index`,
    )
    return { walletId: row.id, account, index }
  }
}

/** Assigned with its order (the SQL function create_orders) or not at all. */
export interface ReservedAddress {
  readonly walletId: number
  readonly index: number
  readonly address: string
  /** For the watchers. */
  readonly key: string
}

type TakenIndex =
  | 'address_missing'
  | 'unavailable'
  | { readonly walletId: number; readonly account: AccountKey; readonly index: number }
