import type { AddressNet } from '../../shared/addresses.ts'
import { evmNetworks, type Network } from '../../shared/api/currencies.ts'
import type { OperatorWallet, WalletFamily, WalletScript } from '../../shared/api/payments.ts'
import { isToken } from '../../shared/wallet-links.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Database, type Queryable, sql, statement } from '../database/database.ts'
import { assert, refuse } from '../refusal.ts'
import { type AccountKey, addressAt, readAccountKey } from './account-keys.ts'

interface WalletRow {
  id: number
  name: string
  family: WalletFamily
  account_key: string
  script: WalletScript
  net: AddressNet
  next_index: number
  checked_at: Date | null
  highest_paid: number | null
  currencies: string[]
}

const SELECT = `select w.id, w.name, w.family, w.account_key, w.script, w.net, w.next_index, w.checked_at,
    (select max(a.index) from wallet_addresses a where a.wallet_id = w.id and exists (select 1 from payments p where p.address = a.address)) as highest_paid,
    coalesce((select array_agg(k.code order by k.position, k.id) from currencies k where k.wallet_id = w.id), '{}') as currencies
  from wallets w`
const LIST = statement('wallets_list', `${SELECT} order by w.id`)
const FIND = statement('wallet_find', `${SELECT} where w.id = $1`)
const INSERT = statement(
  'wallet_insert',
  `insert into wallets (family, name, account_key, script, net, operator_id) values ($1, $2, $3, $4, $5, $6)
   on conflict on constraint wallets_key_is_unique do update set name = wallets.name returning id`,
)
const CHECKED = statement(
  'wallet_checked',
  'update wallets set checked_at = coalesce(checked_at, clock_timestamp()) where id = $1',
)
const TAKE_INDEX = statement(
  'wallet_take_index',
  `update wallets w set next_index = w.next_index + 1 from currencies k
    where k.id = $1 and w.id = k.wallet_id and k.watched and w.checked_at is not null
   returning w.id, w.next_index - 1 as index, w.family, w.account_key, w.script, w.net`,
)
const KEEP_ADDRESS = statement(
  'wallet_keep_address',
  `insert into wallet_addresses (wallet_id, index, address, address_key, currency_id, base_height)
   values ($1, $2, $3, $4, $5, (select c.height from chains c join currencies k on k.network = c.name where k.id = $5))`,
)
const LOCK_CURRENCY = statement(
  'wallet_lock_currency',
  'select id, code, network, watched, wallet_id, address from currencies where code = $1 for update',
)
const SET_CURRENCY = statement(
  'wallet_set_currency',
  'update currencies set watched = $2, wallet_id = coalesce($3, wallet_id), coin_decimals = coalesce($4, coin_decimals), chain_id = coalesce($5, chain_id), revision = revision + 1 where id = $1',
)
const DROP_QUOTES = statement(
  'wallet_drop_quotes',
  'update quotes set expires_at = clock_timestamp() where currency_id = $1 and order_id is null and not watched and expires_at > clock_timestamp()',
)
const TELL = statement('wallet_tell', "insert into outbox (kind, payload) values ('currency_changed', $1)")
const IS_FOLLOWED = statement(
  'wallet_chain_followed',
  'select exists (select 1 from chains where name = $1) as followed',
)

/** Room above the highest index in use, so that the operator's wallet looks past addresses that nobody paid. */
const GAP_ROOM = 20

export interface WalletEditor {
  /** Null for the demo's own set-up. */
  readonly operatorId: string | null
  readonly requestId: string
}

/** What the program knows of a followed chain that wallets depend on. */
export interface ChainFacts {
  /** Net of a network that is configured; undefined where it is not. */
  netOf(network: Network): AddressNet | undefined
  /** EIP-155 id of the chain that is followed under an EVM network's name. */
  chainIdOf(network: Network): number | undefined
  /** Decimals of a token by its contract, or of the native coin. */
  decimalsOf(network: Network, tokenContract: string | null): Promise<number>
}

export interface Wallets {
  /**
   * Reserves the next unused address of a watched currency's wallet, in the caller's transaction: a lock on the wallet's row gives
   * each index out once. Refuses address_missing where the currency has no checked wallet.
   */
  reserveAddress(tx: Queryable, currencyId: number): Promise<{ address: string; index: number }>
  list(): Promise<OperatorWallet[]>
  /** Refusals: private_key_refused, chain_not_followed, account_key_invalid, account_key_network. A known key answers its wallet. */
  add(
    input: { family: WalletFamily; accountKey: string; name: string; script?: WalletScript | undefined },
    editor: WalletEditor,
  ): Promise<OperatorWallet>
  /** Refusals: wallet_unknown, wallet_addresses_differ. */
  check(id: number, addresses: readonly string[], editor: WalletEditor): Promise<OperatorWallet>
  /** Refusals: currency_unknown, wallet_unknown, wallet_not_checked, account_key_network, chain_not_followed, token_contract_missing. */
  setCurrencyWallet(
    code: string,
    walletId: number | null,
    editor: WalletEditor,
  ): Promise<{ code: string; watched: boolean; walletId: number | null }>
}

export function familyOf(network: Network): WalletFamily | null {
  if (evmNetworks.includes(network)) return 'evm'
  return network === 'bitcoin' || network === 'litecoin' || network === 'dogecoin' ? network : null
}

export function addressKey(family: WalletFamily, address: string): string {
  return family === 'evm' ? address.toLowerCase() : address
}

export function createWallets(db: Database, chains: ChainFacts, hintOutbox: () => void): Wallets {
  const show = async (queryable: Queryable, id: number) =>
    operatorWallet((await queryable.maybeOne<WalletRow>(FIND, [id])) ?? refuse('wallet_unknown'))

  return {
    async reserveAddress(tx, currencyId) {
      const taken = await tx.maybeOne<
        { id: number; index: number } & Pick<WalletRow, 'family' | 'account_key' | 'script' | 'net'>
      >(TAKE_INDEX, [currencyId])
      if (!taken) refuse('address_missing')
      const address = addressAt(accountKeyOf(taken), taken.index)
      await tx.query(KEEP_ADDRESS, [
        taken.id,
        taken.index,
        address,
        addressKey(taken.family, address),
        currencyId,
      ])
      return { address, index: taken.index }
    },

    async list() {
      return (await db.query<WalletRow>(LIST)).map(operatorWallet)
    },

    async add(input, editor) {
      const net = input.family === 'evm' ? 'main' : chains.netOf(input.family)
      if (net === undefined) refuse('chain_not_followed')
      const key = readAccountKey(input.accountKey, { family: input.family, net, script: input.script })
      return db.transaction(async (tx) => {
        const { id } = await tx.one<{ id: number }>(INSERT, [
          key.family,
          input.name,
          key.key,
          key.script,
          key.net,
          editor.operatorId,
        ])
        const after = { name: input.name, family: key.family, script: key.script, accountKey: key.key }
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'wallet.add',
          subjectType: 'wallet',
          subjectId: String(id),
          after,
          requestId: editor.requestId,
        })
        return show(tx, id)
      })
    },

    async check(id, addresses, editor) {
      const wallet = await show(db, id)
      const agree = wallet.firstAddresses.every((address, index) => {
        const given = addresses[index]?.trim() ?? ''
        return addressKey(wallet.family, given) === addressKey(wallet.family, address)
      })
      if (!agree) refuse('wallet_addresses_differ', { expected: wallet.firstAddresses })
      return db.transaction(async (tx) => {
        await tx.query(CHECKED, [id])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'wallet.check',
          subjectType: 'wallet',
          subjectId: String(id),
          after: { addresses },
          requestId: editor.requestId,
        })
        return show(tx, id)
      })
    },

    async setCurrencyWallet(code, walletId, editor) {
      const result = await db.transaction(async (tx) => {
        const currency =
          (await tx.maybeOne<{
            id: number
            code: string
            network: Network
            watched: boolean
            wallet_id: number | null
            address: string
          }>(LOCK_CURRENCY, [code.toUpperCase()])) ?? refuse('currency_unknown')
        const wallet = walletId === null ? null : await show(tx, walletId)
        if (wallet && wallet.checkedAt === null) refuse('wallet_not_checked')
        if (wallet && familyOf(currency.network) !== wallet.family)
          refuse('account_key_network', { keyOf: wallet.family })
        const decimals = wallet ? await decimalsFor(tx, currency) : null
        await tx.query(SET_CURRENCY, [
          currency.id,
          wallet !== null,
          walletId,
          decimals,
          wallet ? (chains.chainIdOf(currency.network) ?? null) : null,
        ])
        if (wallet && !currency.watched) await tx.query(DROP_QUOTES, [currency.id])
        const before = { watched: currency.watched, walletId: currency.wallet_id }
        const after = { watched: wallet !== null, walletId: walletId ?? currency.wallet_id }
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'currency.wallet',
          subjectType: 'currency',
          subjectId: currency.code,
          before,
          after,
          requestId: editor.requestId,
        })
        const { login } = await tx.one<{ login: string }>(
          sql`select login from operators where id = ${editor.operatorId}`,
        )
        const told = {
          code: currency.code,
          fields: ['address'],
          before: { address: JSON.stringify(before) },
          after: { address: JSON.stringify(after) },
          by: login,
        }
        await tx.query(TELL, [JSON.stringify(told)])
        return { code: currency.code, watched: wallet !== null, walletId: after.walletId }
      })
      hintOutbox()
      return result
    },
  }

  async function decimalsFor(
    tx: Queryable,
    currency: { id: number; code: string; network: Network },
  ): Promise<number> {
    const { followed } = await tx.one<{ followed: boolean }>(IS_FOLLOWED, [currency.network])
    if (!followed || chains.netOf(currency.network) === undefined) refuse('chain_not_followed')
    const { token_contract } = await tx.one<{ token_contract: string | null }>(CONTRACT, [currency.id])
    if (isToken(currency) && !token_contract) refuse('token_contract_missing')
    return chains.decimalsOf(currency.network, token_contract || null)
  }
}

const CONTRACT = statement('wallet_token_contract', 'select token_contract from currencies where id = $1')

function accountKeyOf(row: Pick<WalletRow, 'family' | 'account_key' | 'script' | 'net'>): AccountKey {
  return { family: row.family, script: row.script, net: row.net, key: row.account_key }
}

function operatorWallet(row: WalletRow): OperatorWallet {
  assert(row.next_index >= 0, 'an index is never negative')
  return {
    id: row.id,
    name: row.name,
    family: row.family,
    script: row.script,
    net: row.net,
    accountKey: row.account_key,
    nextIndex: row.next_index,
    highestIndexUsed: row.next_index > 0 ? row.next_index - 1 : null,
    highestIndexPaid: row.highest_paid,
    gapLimit: row.next_index - 1 - (row.highest_paid ?? -1) + GAP_ROOM,
    checkedAt: row.checked_at?.toISOString() ?? null,
    firstAddresses: [0, 1, 2].map((index) => addressAt(accountKeyOf(row), index)),
    currencies: row.currencies,
  }
}
