import { addressKeyOf } from '../../shared/addresses.ts'
import { escrowPrefix } from '../../shared/escrow-places.ts'
import { isEvm, type Network, networkFacts, walletFamilyOf } from '../../shared/networks.ts'
import type { ChainConfig } from '../chain-config.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import {
  allOfRefundAddress,
  openRefundAddress,
  type Secrets,
  type StoredText,
  storedRefundAddress,
} from '../secrets/secrets.ts'
import { ACCOUNT_KEY } from './account-keys.ts'
import type { AddressBook } from './address-book.ts'
import { ChainStopped, type FollowFrom, type NamedRefund, type Reading } from './chain-follower.ts'
import {
  type AskedDeed,
  type AskedPayment,
  type Block,
  type ChainEvent,
  type KnownBalances,
  TOKEN_DECIMALS_MAX,
  type Transfer,
  type UnknownBase,
} from './chain-source.ts'
import { accountColumns, readableAccountOf, type StoredAccount } from './wallet-rows.ts'

/** Another process leads this chain; discard the reading. */
export class LeadershipLost extends Error {}

export interface AddressRow {
  address: string
  address_key: string
  network: Network | null
  is_native: boolean
  /** When no order that it was reserved for can be paid in time any more. */
  open_to: Date
}

/** Inputs to watch: of payments that are not final or may be undone, and our outputs that are unspent or were spent lately. */
export interface SettlingInputs {
  /** Transaction id → inputs. */
  readonly pending: ReadonlyMap<string, readonly string[]>
  readonly all: ReadonlySet<string>
}

export interface Position extends FollowFrom {
  readonly identity: string | null
}

/** Addresses read at once when a watcher starts. */
const ADDRESSES_AT_ONCE = 50_000n
/** Balances requested at once. */
export const BALANCES_MAX = 400
/** Submitted transactions requested at once. */
const NAMED_MAX = 20
/** Lacking blocks reread at once. */
const LACKING_MAX = 20

export interface ChainStoreNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly config: ChainConfig
  readonly addresses: AddressBook
  /** As in `ChainSource`. */
  readonly depths: { readonly finalDepth: number; readonly windowDepth: number }
  /** USD above which a payment needs the second node; null without one. */
  readonly secondAboveUsd: string | null
}

type OrderRow = { order_id: string | null }

/** Codes of the native coin; null for chains without tokens. */
const nativeCodes = (network: Network) => (isEvm(network) ? networkFacts[network].coins : null)

export class ChainStore {
  readonly #db: Database
  readonly #chain: Network
  readonly #needs: ChainStoreNeeds
  /** Refunds whose addresses are in the address book, with the stored text. */
  #refundsRead: ReadonlyMap<string, StoredText> = new Map()

  constructor(needs: ChainStoreNeeds) {
    this.#db = needs.db
    this.#chain = needs.config.network
    this.#needs = needs
  }

  /** Throws LeadershipLost if `epoch` is no longer this process's. */
  async readPosition(epoch: string): Promise<Position> {
    const row = await this.#db.maybeOne<{
      height: number | null
      hash: string | null
      identity: string | null
      stopped: boolean
      takes_new_chain: boolean
    }>(
      sql`select height::integer, hash, identity, stopped, takes_new_chain from chains where name = ${this.#chain} and epoch = ${epoch}`,
    )
    if (!row) throw new LeadershipLost(this.#chain)
    if (row.stopped) throw new ChainStopped('an operator has to resume this chain')
    const { height, hash, identity, takes_new_chain: takesNewChain } = row
    return { cursor: height === null || hash === null ? null : { height, hash }, identity, takesNewChain }
  }

  async setIdentity(epoch: string, identity: string): Promise<void> {
    await this.#db.query(
      sql`update chains set identity = ${identity} where name = ${this.#chain} and epoch = ${epoch} and identity is null`,
    )
  }

  /** Stores the limit of this leader's configuration for the second node. */
  async noteSecond(epoch: string): Promise<void> {
    await this.#db.query(
      sql`update chains set second_above_usd = ${this.#needs.secondAboveUsd} where name = ${this.#chain} and epoch = ${epoch}`,
    )
  }

  async readWindow(): Promise<Map<number, string>> {
    const rows = await this.#db.query<{ height: number; hash: string }>(
      sql`select height::integer, hash from chain_blocks where chain = ${this.#chain} order by height desc`,
    )
    return new Map(rows.map(({ height, hash }) => [height, hash]))
  }

  // Rules: SETTLE-20
  /** Some blocks that lacked a known fact when reread: height → hash. */
  async readLacking(): Promise<Map<number, string>> {
    const rows = await this.#db.query<{ height: number; hash: string }>(
      sql`select height::integer, hash from chain_blocks
           where chain = ${this.#chain} and lacked_at > clock_timestamp() - (settlement_rules()).forget_after
           order by random() limit ${LACKING_MAX}`,
    )
    return new Map(rows.map(({ height, hash }) => [height, hash]))
  }

  // Rules: LOG-20
  async readAddresses(): Promise<void> {
    const { addresses } = this.#needs
    const { id } = await this.#db.one<{ id: string }>(
      sql`select coalesce(max(id), 0) as id from wallet_addresses`,
    )
    const last = BigInt(id)
    for (let to = 0n; to < last; ) {
      const { from } = addresses
      to = from + ADDRESSES_AT_ONCE < last ? from + ADDRESSES_AT_ONCE : last
      await this.#readAddressesOf(from, to)
      addresses.noteReadTo(to)
    }
    await this.#readRefundAddresses()
    if (this.#needs.config.family === 'bitcoin') await this.#readChangeChains()
  }

  /** Reads both kinds of the same ids, because the book must not skip rows. */
  async #readAddressesOf(after: bigint, to: bigint): Promise<void> {
    const { addresses } = this.#needs
    const [low, high] = [after.toString(), to.toString()]
    addresses.addOurs(
      await this.#db.query<AddressRow>(
        sql`select a.address, a.address_key, k.network, coalesce(k.token_contract, '') = '' as is_native,
                   a.reserved_at + (settlement_rules()).confirm_within
                     + coalesce((select make_interval(mins => expiry_minutes) from campaign), '0') as open_to
              from wallet_addresses a join wallets w on w.id = a.wallet_id left join currencies k on k.id = a.currency_id
             where w.family = ${walletFamilyOf(this.#chain)} and a.id > ${low} and a.id <= ${high} order by a.id`,
      ),
    )
    addresses.addPlaces(
      await this.#db.query<Pick<AddressRow, 'address_key'>>(
        sql`select a.address_key from wallet_addresses a join escrows e on e.id = a.escrow_id
             where e.chain = ${this.#chain} and a.id > ${low} and a.id <= ${high}`,
      ),
    )
  }

  /** A wallet whose key no known `SECRET_KEY` opens is marked and retried each time. */
  async #readChangeChains(): Promise<void> {
    const { addresses, secrets, config } = this.#needs
    const rows = await this.#db.query<StoredAccount & { used: number; is_noted: boolean }>(
      sql`select ${accountColumns}, w.change_unread_from is not null as is_noted,
                 coalesce((select max(c.index) from own_coins c where c.wallet_id = w.id), -1) as used
            from wallets w where w.family = ${this.#chain} and w.net = ${config.net} order by w.id`,
    )
    for (const row of rows) {
      if (addresses.change.has(row.id)) continue
      const account = readableAccountOf(secrets, row)
      if (!account && !row.is_noted) await this.#noteChangeUnread(row.id)
      if (account && row.is_noted) await this.#forgetChangeUnread(row.id)
      // A demo's wallet has no key.
      if (account && ACCOUNT_KEY.test(account.key)) addresses.change.add(row.id, account, row.used)
    }
  }

  async #noteChangeUnread(walletId: number): Promise<void> {
    await this.#db.query(
      sql`update wallets set change_unread_from = (select coalesce(height, 0) from chains where name = ${this.#chain})
           where id = ${walletId} and change_unread_from is null`,
    )
  }

  /** Change comes from spent coins; without any, none was missed. */
  async #forgetChangeUnread(walletId: number): Promise<void> {
    await this.#db.query(
      sql`update wallets w set change_unread_from = null
           where w.id = ${walletId} and not exists (
             select 1 from payments p join wallet_addresses a on a.address = p.address
              where p.chain = ${this.#chain} and a.wallet_id = w.id and p.spent_height >= w.change_unread_from
             union all
             select 1 from own_coins o where o.wallet_id = w.id and o.spent_height >= w.change_unread_from)`,
    )
  }

  /**
   * Addresses of refunds that may be paid, or paid again after a reorg; for 30 days also of paid ones, to detect double payments. A claimed, written-off refund may be sent at any time. Addresses that no known `SECRET_KEY` opens are retried
   * each time.
   */
  async #readRefundAddresses(): Promise<void> {
    const rows = await this.#db.query<{ id: string; address: StoredText }>(
      sql`select r.id, ${storedRefundAddress} as address from refunds r join chains c on c.name = r.chain
           where r.chain = ${this.#chain}
             and (r.state in ('claimed', 'prepared', 'sent') or r.paid_at > clock_timestamp() - interval '30 days'
                  or (r.state = 'written_off' and r.claimed_at is not null)
                  or c.takes_new_chain or r.block_height >= c.height - ${this.#undoable})`,
    )
    const open = new Map<string, StoredText>()
    for (const row of rows) {
      open.set(row.id, row.address)
      if (this.#refundsRead.get(row.id) === row.address) continue
      const address = openRefundAddress(this.#needs.secrets, row)
      if (address === null) open.delete(row.id)
      else this.#needs.addresses.addRefund(address, addressKeyOf(this.#chain, address))
    }
    this.#refundsRead = open
  }

  /** Contracts in lower case. */
  async readTokensWithoutDecimals(): Promise<string[]> {
    const rows = await this.#db.query<{ contract: string }>(
      sql`select distinct lower(token_contract) as contract from currencies
           where network = ${this.#chain} and token_contract like '0x%' and coin_decimals is null`,
    )
    return rows.map(({ contract }) => contract)
  }

  async noteDecimals(contract: string, decimals: number): Promise<void> {
    await this.#db.query(
      sql`update currencies set coin_decimals = ${decimals}
           where network = ${this.#chain} and lower(token_contract) = ${contract} and coin_decimals is null`,
    )
  }

  /** By contract in lower case. */
  async readTokens(): Promise<Map<string, number>> {
    const rows = await this.#db.query<{ contract: string; coin_decimals: number }>(
      sql`select lower(token_contract) as contract, coin_decimals from currencies
           where network = ${this.#chain} and token_contract like '0x%' and coin_decimals <= ${TOKEN_DECIMALS_MAX}`,
    )
    return new Map(rows.map((row) => [row.contract, row.coin_decimals]))
  }

  /** By contract in lower case. */
  async readEscrows(): Promise<Map<string, string>> {
    const rows = await this.#db.query<{ address: string }>(
      sql`select address from escrows where chain = ${this.#chain}`,
    )
    return new Map(
      rows.map(({ address }) => [address.toLowerCase(), escrowPrefix(this.#chain, address)] as const),
    )
  }

  /**
   * Blocks below the cursor that may be undone. A reorg and its new blocks are one reading, so payments of undone blocks are
   * still looked for.
   */
  get #undoable(): number {
    return 2 * this.#needs.depths.windowDepth
  }

  // Rules: SETTLE-18, LOG-21
  async readInputs(): Promise<SettlingInputs> {
    const undoable = this.#undoable
    const rows = await this.#db.query<{ transaction_id: string; inputs: string[]; is_pending: boolean }>(
      sql`select transaction_id, inputs, block_height is null and replaced_by is null and inputs <> '{}' as is_pending
            from payments
           where chain = ${this.#chain} and final_at is null and not failed
          union all
          select p.transaction_id, p.inputs, false from payments p join chains c on c.name = p.chain
           where c.name = ${this.#chain} and c.takes_new_chain and p.final_at is not null and not p.failed
             and p.block_height >= c.height - ${undoable}`,
    )
    const unspent =
      this.#needs.config.family === 'bitcoin'
        ? await this.#db.query<{ outpoint: string }>(
            sql`select p.transaction_id || ':' || p.output_key as outpoint from payments p join chains c on c.name = p.chain
                 where p.chain = ${this.#chain} and (p.spent_height is null or p.spent_height >= c.height - ${undoable}) and p.block_height is not null
                union all
                select o.transaction_id || ':' || o.output from own_coins o join chains c on c.name = o.chain
                 where o.chain = ${this.#chain} and (o.spent_height is null or o.spent_height >= c.height - ${undoable})`,
          )
        : []
    return {
      pending: new Map(
        rows.filter((row) => row.is_pending).map((row) => [row.transaction_id, row.inputs] as const),
      ),
      all: new Set([...rows.flatMap((row) => row.inputs), ...unspent.map((row) => row.outpoint)]),
    }
  }

  readUnknownBases(height: number): Promise<UnknownBase[]> {
    return this.#db.query<UnknownBase>(
      sql`select a.id, a.address_key as address, coalesce(a.base_height, ${height})::integer as height
            from wallet_addresses a join currencies k on k.id = a.currency_id
           where k.network = ${this.#chain} and coalesce(k.token_contract, '') = '' and a.base_balance is null and a.escrow_id is null
           order by a.id desc limit ${BALANCES_MAX}`,
    )
  }

  /**
   * Expected balances of native-coin addresses: those that hold or sent something now (`inUse`), and those with a payment from
   * a balance. Addresses with an unknown initial balance are left out.
   */
  readKnownBalances(inUse: readonly string[], empty: readonly string[]): Promise<KnownBalances[]> {
    return this.#db.query<KnownBalances>(
      sql`select a.address_key as "addressKey",
                 greatest(a.base_height, (
                   select max(p.block_height) from payments p
                    where p.address = a.address and p.chain = ${this.#chain} and p.output_key = 'balance' and not p.failed
                 ))::integer as "explainedTo",
                 exists (select from payments p where p.address = a.address and p.output_key = 'balance' and p.lacking is not null and not p.failed) as "isLacking",
                 (select json_agg(json_build_object('height', k.height, 'balance', k.balance::text, 'sent', k.sent) order by k.height)
                    from known_balances(${this.#chain}, a, a.base_height, a.base_balance, a.base_sent) k) as known
            from wallet_addresses a
           where a.base_balance is not null
             and (a.address_key = any(${[...inUse]})
                  or a.address_key = any(${[...empty]})
                     and exists (select from payments p where p.address = a.address and p.output_key = 'balance' and not p.failed))`,
    )
  }

  /** 0 if it is not stored. */
  async readMinedAt(height: number): Promise<number> {
    const block = await this.#db.maybeOne<{ mined_at: Date }>(
      sql`select mined_at from chain_blocks where chain = ${this.#chain} and height = ${height}`,
    )
    return block?.mined_at.getTime() ?? 0
  }

  // Rules: REFUND-10
  /** Records the block time up to which all native-coin balances are explained. */
  async noteBalancesRead(epoch: string, to: number): Promise<void> {
    await this.#db.query(
      sql`update chains set balances_read_to = ${new Date(to)}
           where name = ${this.#chain} and epoch = ${epoch} and coalesce(balances_read_to < ${new Date(to)}, true)`,
    )
  }

  /** Some refunds with a submitted transaction and no transfer; a random choice, so that missing ones don't block others. */
  async readNamed(): Promise<NamedRefund[]> {
    const rows = await this.#db.query<{
      id: string
      transaction_id: string
      address: StoredText
      contract: string | null
      decimals: number
    }>(
      sql`select r.id, r.transaction_id, ${storedRefundAddress} as address, nullif(lower(k.token_contract), '') as contract, coalesce(k.coin_decimals, 0) as decimals
            from refunds r join currencies k on k.id = r.currency_id
           where r.chain = ${this.#chain} and r.state = 'sent' and r.output_key is null and r.named_at is not null
           order by random() limit ${NAMED_MAX}`,
    )
    return rows.flatMap((row) => {
      const address = openRefundAddress(this.#needs.secrets, row)
      if (address === null) return []
      const { transaction_id: transactionId, contract, decimals } = row
      const token = contract === null ? null : { contract, decimals }
      return [{ transactionId, addressKey: addressKeyOf(this.#chain, address), token }]
    })
  }

  /** Payments waiting for the second node, also those without an order, which an operator may owe back. */
  readUnverified(): Promise<AskedPayment[]> {
    return this.#db.query<AskedPayment>(
      sql`select p.id::text, p.transaction_id as "transactionId", p.output_key as "outputKey", a.address_key as "addressKey",
                 p.asset, p.amount::text, coalesce(k.coin_decimals, 0) as decimals, p.block_height::integer as height,
                 case when p.output_key <> 'balance' then '[]' else (
                   select json_agg(json_build_object('height', at.height, 'balance', (
                            select b.balance::text from known_balances(p.chain, a, a.base_height, a.base_balance, a.base_sent) b
                             where b.height <= at.height order by b.height desc limit 1)) order by at.height)
                     from chains c, lateral (values (p.block_height), (greatest(c.height, p.block_height))) at(height)
                    where c.name = p.chain) end as held,
                 case when p.output_key <> 'balance' then '[]' else (
                   select coalesce(json_agg(json_build_object('transactionId', s.transaction_id, 'cost', trim_scale(s.cost)::text)), '[]')
                     from coins_sent s
                    where s.chain = p.chain and s.sender = a.address_key and s.height > a.base_height and not lacks_for_good(s.lacking)) end as sent,
                 p.lacking is not null as "isLacking"
            from payments p join wallet_addresses a on a.address = p.address left join currencies k on k.id = p.currency_id
           where p.chain = ${this.#chain} and p.needs_second and p.final_at is null and p.block_height is not null
             and not p.failed and p.replaced_by is null and p.orphaned_at is null and p.fault is distinct from 'returned'
             and (p.verified_hash is distinct from p.block_hash or p.lacking is not null)
           order by random() limit 50`,
    )
  }

  // Rules: SETTLE-28
  /** Refunds' transactions and escrows' returns that need the second node and lack it, or that the first node lacked. */
  async readDeeds(): Promise<AskedDeed[]> {
    const refunds = await this.#db.query<Omit<AskedDeed, 'addressKey'> & { address: StoredText }>(
      sql`select 'refund' as subject, r.id::text, r.transaction_id as "transactionId", r.block_height::integer as height,
                 ${storedRefundAddress} as address, r.output_key as "outputKey", r.amount::text, nullif(lower(k.token_contract), '') as contract,
                 coalesce(k.coin_decimals, 0) as decimals, r.lacking is not null as "isLacking"
            from refunds r join currencies k on k.id = r.currency_id left join second_words w on w.subject = 'refund' and w.id = r.id
           where r.chain = ${this.#chain} and r.block_height is not null and (confirmations_needed(r.chain, r.usd)).second
             and (r.state = 'sent' and w.height is distinct from r.block_height or r.state in ('sent', 'paid') and r.lacking is not null)
           order by random() limit ${NAMED_MAX}`,
    )
    const returns = await this.#db.query<AskedDeed>(
      sql`select 'return' as subject, p.id::text, p.returned_by as "transactionId", p.returned_height::integer as height,
                 a.order_key as "addressKey", null as "outputKey", p.amount::text, null as contract, 0 as decimals,
                 p.return_lacking is not null as "isLacking"
            from payments p join wallet_addresses a on a.address = p.address left join second_words w on w.subject = 'return' and w.id = p.id
           where p.chain = ${this.#chain} and p.needs_second and p.returned_height is not null
             and (p.fault is null and w.height is distinct from p.returned_height or p.return_lacking is not null)
           order by random() limit ${NAMED_MAX}`,
    )
    return [
      ...returns,
      ...refunds.flatMap(({ address: stored, ...deed }) => {
        const address = openRefundAddress(this.#needs.secrets, { id: deed.id, address: stored })
        return address === null ? [] : [{ ...deed, addressKey: addressKeyOf(this.#chain, address) }]
      }),
    ]
  }

  // Rules: SETTLE-16
  /**
   * The hash of the lowest undone block, if the reorg undoes a payment or refund that needed two nodes. A payment is also undone
   * if too few confirmations are left with `last` as the head.
   */
  async readHashCountedByTwo(height: number, last: number): Promise<string | undefined> {
    const block = await this.#db.maybeOne<{ hash: string }>(
      sql`select b.hash from chain_blocks b
           where b.chain = ${this.#chain} and b.height = ${height} + 1 and exists (
                   select from payments p
                    where p.chain = b.chain and p.final_at is null and p.needs_second and (p.confirmed or p.credited + p.owed > 0)
                      and (p.block_height > ${height} or ${last} - p.block_height + 1 < p.confirmations_needed)
                   union all
                   select from refunds r
                    where r.chain = b.chain and r.block_height > ${height} and r.state = 'paid' and (confirmations_needed(r.chain, r.usd)).second)`,
    )
    return block?.hash
  }

  /**
   * Writes a reading and the cursor in one transaction that locks the chain's row for `epoch`. Returns the number of orders
   * settled. Throws LeadershipLost if another process leads, ChainStopped if a final payment is undone without an operator's
   * consent.
   */
  write(epoch: string, reading: Reading): Promise<number> {
    const { events, first, last, tip } = reading
    return this.#db.transaction(async (tx) => {
      await this.#hold(tx, epoch)
      const changed = new Set<string>()
      for (const event of events)
        for (const { order_id } of await this.#apply(tx, event)) if (order_id !== null) changed.add(order_id)
      await this.#keepBlocks(
        tx,
        events.filter((event) => event.kind === 'block'),
      )
      if (first) await this.#keepBlocks(tx, [{ ...first, parent: '', minedAt: new Date() }])
      const { finalDepth, windowDepth } = this.#needs.depths
      await tx.query(sql`select raise_payment_needs(${this.#chain})`)
      const refreshed = await tx.query<OrderRow>(
        sql`select refresh_payments(${this.#chain}, ${last.height}, ${finalDepth}) as order_id`,
      )
      const returned = await tx.query<OrderRow>(
        sql`select count_returns(${this.#chain}, ${last.height}, ${finalDepth}) as order_id`,
      )
      const ended = await tx.query<OrderRow>(sql`select ended_signatures(${this.#chain}) as order_id`)
      for (const { order_id } of [...refreshed, ...returned, ...ended])
        if (order_id !== null) changed.add(order_id)
      // A new debt can't be paid in a block read before.
      await tx.query(sql`update chains set height = ${last.height} where name = ${this.#chain}`)
      // Writers settle in the order of ids, so that they can't deadlock.
      for (const id of [...changed].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)))
        await tx.query(sql`select settle_or_put_off(${id})`)
      await tx.query(
        sql`delete from chain_blocks where chain = ${this.#chain} and height < ${last.height - windowDepth}
               and (lacked_at is null or lacked_at < clock_timestamp() - (settlement_rules()).forget_after)`,
      )
      await tx.query(
        sql`update chains set height = ${last.height}, hash = ${last.hash}, node_height = ${tip},
                   polled_at = clock_timestamp(), last_error = null, failing_since = null, takes_new_chain = false
             where name = ${this.#chain}`,
      )
      // Uses this reading's finality.
      await tx.query(sql`select refresh_refunds(${this.#chain}, ${last.height})`)
      return changed.size
    })
  }

  /** The timeout frees the row for the next leader if this process freezes within the transaction. */
  async #hold(tx: Queryable, epoch: string): Promise<void> {
    const held = await tx.maybeOne(
      sql`select name, set_config('idle_in_transaction_session_timeout', '5s', true) from chains
           where name = ${this.#chain} and epoch = ${epoch} for update`,
    )
    if (!held) throw new LeadershipLost(this.#chain)
  }

  /** Returns the orders it may have changed. */
  async #apply(tx: Queryable, event: ChainEvent): Promise<OrderRow[]> {
    switch (event.kind) {
      case 'reorg':
        return this.#undo(tx, event.height)
      case 'finalized':
        await tx.query(sql`update chains set finalized_height = ${event.height} where name = ${this.#chain}`)
        return []
      case 'block':
        return this.#recordAll(tx, event, event)
      case 'again':
        return this.#recordAgain(tx, event)
      case 'mempool': {
        const orders = await this.#recordAll(tx, event, null)
        const present = event.present ? [...event.present] : null
        const gone = await tx.query<OrderRow>(
          sql`select note_mempool(${this.#chain}, ${event.gone}, ${present}) as order_id`,
        )
        return [...orders, ...gone]
      }
      case 'base':
        await tx.query(
          sql`select note_base(${this.#chain}, ${event.address.id}, ${event.address.height}, ${event.balance}, ${event.sent}, ${event.height})`,
        )
        return []
      case 'balance':
        return tx.query<OrderRow>(
          sql`select record_balance(row(${this.#chain}, ${event.block.height}, ${event.block.hash}, null, ${event.block.minedAt}, null)::chain_blocks,
                       ${event.addressKey}, ${event.balance}, ${event.sent}, ${nativeCodes(this.#chain)}) as order_id`,
        )
      case 'named':
        return tx.query<OrderRow>(
          sql`select unnest(order_ids) as order_id
                from record_refund_sending(row(${this.#chain}, ${event.transactionId}, ${event.outputKey}, ${this.#refundAddress(event.addressKey)}, ${event.asset},
                       ${event.amount}, ${event.height}, null, null, false, '{}', null)::chain_transfer, null)`,
        )
      case 'verified':
        // A payment shown by the second node reserves its room, confirmed or not. The later of the two nodes' block times
        // counts.
        return tx.query<OrderRow>(
          sql`update payments set verified_hash = ${event.hash}, second_lacking = null,
                     mined_at = greatest(mined_at, least(clock_timestamp(), ${event.minedAt}))
               where id = ${event.paymentId} and amount = ${event.amount} and block_hash = ${event.hash} and not failed
                 and (verified_hash is distinct from ${event.hash} or second_lacking is not null)
              returning order_id`,
        )
      case 'lacks':
        await tx.query(
          sql`update payments set second_lacking = lacking_until_now(second_lacking)
               where id = ${event.paymentId} and amount = ${event.amount} and lacking is not null`,
        )
        return []
      case 'agrees':
      case 'denies':
        await this.#noteWord(tx, event)
        return []
      case 'second':
        await tx.query(
          sql`update chains set second_error = left(${event.fault}, 500), second_error_at = clock_timestamp(),
                     second_height = coalesce(${event.tip}, second_height), second_finalized = coalesce(${event.finalized}, second_finalized)
               where name = ${this.#chain}`,
        )
        return []
    }
  }

  /**
   * Records the second node's answer about a refund or return. The answer may precede a reorg; blocks no longer stored can't
   * change.
   */
  async #noteWord(tx: Queryable, event: Extract<ChainEvent, { kind: 'agrees' | 'denies' }>): Promise<void> {
    const { subject, id } = event
    if (event.kind === 'denies')
      await tx.query(
        sql`insert into second_words as w (subject, id, chain, lacking) values (${subject}, ${id}, ${this.#chain}, lacking_until_now(null))
            on conflict (subject, id) do update set height = null, lacking = lacking_until_now(w.lacking)`,
      )
    else
      await tx.query(
        sql`insert into second_words (subject, id, chain, height)
            select ${subject}, ${id}::bigint, ${this.#chain}, ${event.height}::bigint
             where exists (select from chain_blocks where chain = ${this.#chain} and height = ${event.height} and hash = ${event.hash})
                or not exists (select from chain_blocks where chain = ${this.#chain} and height <= ${event.height})
            on conflict (subject, id) do update set height = excluded.height, lacking = null`,
      )
  }

  /** Records a reread block's content and the facts it lacks. */
  async #recordAgain(tx: Queryable, block: Extract<ChainEvent, { kind: 'again' }>): Promise<OrderRow[]> {
    await this.#undoLackingRefunds(tx, block)
    const orders = await this.#recordAll(tx, block, block)
    const found = block.transfers.map(
      ({ transactionId, outputKey, addressKey }) => `${transactionId} ${outputKey} ${addressKey}`,
    )
    await tx.query(sql`select note_lacking_block(${this.#chain}, ${block.height}, ${found}, ${block.assets})`)
    return orders
  }

  /** Marks refunds as lacking that a reread block does not contain, among those whose address was watched. */
  async #undoLackingRefunds(tx: Queryable, block: Extract<ChainEvent, { kind: 'again' }>): Promise<void> {
    const rows = await tx.query<{ id: string }>(
      sql`select id from refunds where chain = ${this.#chain} and block_height = ${block.height} order by id`,
    )
    const ids = rows.map(({ id }) => id).filter((id) => this.#refundsRead.has(id))
    if (ids.length === 0) return
    const sent = block.transfers.filter(
      ({ addressKey, failed }) => !failed && this.#needs.addresses.isRefund(addressKey),
    )
    await tx.query(
      sql`select undo_lacking_refunds(${ids}::bigint[], ${block.assets}, ${sent.map(({ transactionId }) => transactionId)},
                   ${sent.map(({ outputKey }) => outputKey)}, ${sent.map(({ addressKey }) => this.#refundAddress(addressKey))},
                   ${sent.map(({ amount }) => amount)}::numeric[])`,
    )
  }

  async #undo(tx: Queryable, height: number): Promise<OrderRow[]> {
    const { is_final } = await tx.one<{ is_final: boolean }>(
      sql`select not takes_new_chain
                 and exists (select 1 from payments
                              where chain = ${this.#chain} and (final_at is not null and block_height > ${height}
                                                             or fault = 'returned' and returned_height > ${height})) as is_final
            from chains where name = ${this.#chain}`,
    )
    if (is_final)
      throw new ChainStopped(`the chain changed from block ${height + 1} on, below payments that were final`)
    return tx.query<OrderRow>(sql`select undo_blocks(${this.#chain}, ${height}) as order_id`)
  }

  async #noteReturns(tx: Queryable, { height, returns }: Block): Promise<void> {
    if (!returns) return
    const keys = returns.map(({ orderKey }) => orderKey)
    const transactions = returns.map(({ transactionId }) => transactionId)
    await tx.query(sql`select note_returns(${this.#chain}, ${height}, ${keys}, ${transactions})`)
  }

  async #recordAll(
    tx: Queryable,
    { transfers, spends }: Pick<Block, 'transfers' | 'spends'>,
    block: Block | null,
  ): Promise<OrderRow[]> {
    const orders: OrderRow[] = []
    for (const transfer of transfers) orders.push(...(await this.#record(tx, transfer, block)))
    for (const { input, by } of spends)
      orders.push(
        ...(await tx.query<OrderRow>(
          sql`select record_spend(${this.#chain}, ${input}, ${by}, ${block?.height ?? null}) as order_id`,
        )),
      )
    if (block) {
      await this.#noteSent(tx, block)
      await this.#noteReturns(tx, block)
    }
    return orders
  }

  async #noteSent(tx: Queryable, { height, sent }: Block): Promise<void> {
    if (!sent) return
    const ids = sent.map(({ transactionId }) => transactionId)
    const senders = sent.map(({ sender }) => sender)
    const costs = sent.map(({ cost }) => cost)
    await tx.query(
      sql`select note_coins_sent(${this.#chain}, ${height}, ${ids}, ${senders}, ${costs}::numeric[])`,
    )
  }

  async #record(tx: Queryable, transfer: Transfer, block: Block | null): Promise<OrderRow[]> {
    const { addresses } = this.#needs
    const height = block?.height ?? null
    const { transactionId, outputKey, addressKey, asset, amount, failed, inputs, script, sender } = transfer
    const orders = addresses.isRefund(addressKey)
      ? await tx.query<OrderRow>(
          sql`select unnest(order_ids) as order_id
                from record_refund_sending(row(${this.#chain}, ${transactionId}, ${outputKey}, ${this.#refundAddress(addressKey)}, ${asset},
                       ${amount}, ${height}, null, null, ${failed}, ${inputs}, null)::chain_transfer, ${sender})`,
        )
      : []
    const change = addresses.change.placeOf(addressKey)
    if (change && height !== null)
      await tx.query(
        sql`insert into own_coins (chain, transaction_id, output, wallet_id, index, amount, height)
            values (${this.#chain}, ${transactionId}, ${Number(outputKey)}, ${change.walletId}, ${change.index}, ${amount}, ${height})
            on conflict do nothing`,
      )
    if (!addresses.isOurs(addressKey)) return orders
    const paid = await tx.query<OrderRow>(
      sql`select order_id from record_transfer(
            row(${this.#chain}, ${transactionId}, ${outputKey}, ${addressKey}, ${asset}, ${amount}, ${height},
                ${block?.hash ?? null}, ${block?.minedAt ?? null}, ${failed}, ${inputs}, ${script})::chain_transfer,
            ${nativeCodes(this.#chain)})`,
    )
    return [...orders, ...paid]
  }

  #refundAddress(key: string): string {
    return allOfRefundAddress(this.#needs.secrets, this.#chain, key)
  }

  async #keepBlocks(
    tx: Queryable,
    blocks: readonly Pick<Block, 'height' | 'hash' | 'parent' | 'minedAt'>[],
  ): Promise<void> {
    if (blocks.length === 0) return
    const heights = blocks.map((block) => block.height)
    const hashes = blocks.map((block) => block.hash)
    const parents = blocks.map((block) => block.parent)
    const times = blocks.map((block) => block.minedAt)
    await tx.query(
      sql`insert into chain_blocks (chain, height, hash, parent, mined_at)
          select ${this.#chain}, * from unnest(${heights}::bigint[], ${hashes}::text[], ${parents}::text[], ${times}::timestamptz[])`,
    )
    // An earlier reading of a contract may have been on another fork.
    await tx.query(sql`select forget_looks(${this.#chain})`)
  }
}
