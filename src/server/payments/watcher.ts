import { randomBytes } from 'node:crypto'
import { evmNetworks, type Network } from '../../shared/api/currencies.ts'
import { nativeCodes } from '../../shared/wallet-links.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { RetryableError } from '../refusal.ts'
import { scriptOfAddress } from './bitcoin/networks.ts'
import type { ChainConfig } from './chain-config.ts'
import type { Block, ChainEvent, ChainSource, Transfer, Watched } from './chain-source.ts'
import type { EvmExtras } from './evm/evm-chain.ts'

/** Another process leads this chain now: whatever was read is thrown away. */
export class LeadershipLost extends Error {}

/** The chain changed below what counted as final, or the node is on another network: a person has to look. */
export class ChainStopped extends Error {}

export interface PassResult {
  readonly height: number
  readonly nodeHeight: number
  /** Whether there are more blocks to read at once. */
  readonly isBehind: boolean
  readonly payments: number
}

interface WatcherOptions {
  readonly db: Database
  readonly config: ChainConfig
  readonly source: ChainSource & Partial<EvmExtras>
  readonly hintOutbox: () => void
}

export interface Watcher {
  /** Reads what is new and writes it in one transaction. Throws LeadershipLost, ChainStopped, or what the node's fault was. */
  pass(epoch: string): Promise<PassResult>
}

interface Cursor {
  height: number
  hash: string
}

interface AddressRow {
  id: string
  address: string
  address_key: string
  network: Network | null
  is_native: boolean
  reserved_at: Date
}

/** How long an address is open: order, top-up and a day. */
const OPEN_MS = 8 * 24 * 3_600_000
/** How often the balance of an address is asked for, open and for ever after, and how many at once (docs/decisions/0012). */
const BALANCE_MS = { open: 15_000, old: 3_600_000 }
const BALANCES_MAX = 400

const CURSOR = statement(
  'watcher_cursor',
  'select height::integer, hash, identity, stopped from chains where name = $1 and epoch = $2',
)
/** A process that is stopped in the middle of its transaction must not keep the chain's row from the next leader. */
const HOLD = statement(
  'watcher_hold',
  `select name, set_config('idle_in_transaction_session_timeout', '5s', true) from chains where name = $1 and epoch = $2 for update`,
)
const SET_IDENTITY = statement(
  'watcher_set_identity',
  'update chains set identity = $3 where name = $1 and epoch = $2 and identity is null',
)
const WINDOW = statement(
  'watcher_window',
  'select height::integer, hash from chain_blocks where chain = $1 order by height desc',
)
const ADDRESSES = statement(
  'watcher_addresses',
  `select a.id, a.address, a.address_key, k.network, coalesce(k.token_contract, '') = '' as is_native, a.reserved_at
     from wallet_addresses a join wallets w on w.id = a.wallet_id left join currencies k on k.id = a.currency_id
    where w.family = $1 and a.id > $2 order by a.id`,
)
const REFUND_ADDRESSES = statement(
  'watcher_refund_addresses',
  "select distinct address, address_key from refunds where chain = $1 and address_key is not null and state in ('claimed', 'prepared', 'sent')",
)
const TOKENS = statement(
  'watcher_tokens',
  "select lower(token_contract) as contract, coin_decimals from currencies where network = $1 and token_contract like '0x%' and coin_decimals is not null",
)
const UNSETTLED = statement(
  'watcher_unsettled',
  'select transaction_id, inputs, block_height is null as is_pending from payments where chain = $1 and final_at is null and not failed',
)
const UNSPENT = statement(
  'watcher_unspent',
  "select transaction_id || ':' || output_key as outpoint from payments where chain = $1 and spent_by is null and block_height is not null",
)
const FINAL_ABOVE = statement(
  'watcher_final_above',
  'select exists (select 1 from payments where chain = $1 and final_at is not null and block_height > $2) as any',
)
const TO_VERIFY = statement(
  'watcher_to_verify',
  `select distinct transaction_id from payments where chain = $1 and needs_second and alive and final_at is null and block_height is not null
      and verified_hash is distinct from block_hash limit 50`,
)
const VERIFIED = statement(
  'watcher_verified',
  'update payments set verified_hash = $3 where chain = $1 and transaction_id = $2 and verified_hash is distinct from $3',
)
const UNDO = statement('watcher_undo', 'select undo_blocks($1, $2) as order_id')
const RECORD = statement(
  'watcher_record',
  `select order_id, is_new from record_transfer(
     row($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)::chain_transfer, $13, $14, $15)`,
)
const RECORD_REFUND = statement(
  'watcher_record_refund',
  `select record_refund_transfer(
     row($1, $2, $3, $4, $5, $6, $7, null, null, null, null, null)::chain_transfer) as id`,
)
const SPEND = statement('watcher_spend', 'select record_spend($1, $2, $3, $4) as order_id')
const BALANCE = statement(
  'watcher_balance',
  'select record_balance(row($1, $4, $5, null, $6)::chain_blocks, $2, $3, $7, $8, $9) as order_id',
)
const TO_BASE = statement(
  'watcher_to_base',
  `select a.id, a.address_key as address, coalesce(a.base_height, $2)::integer as height from wallet_addresses a join currencies k on k.id = a.currency_id
    where k.network = $1 and coalesce(k.token_contract, '') = '' and a.base_balance is null order by a.id desc limit ${BALANCES_MAX}`,
)
const BASE = statement(
  'watcher_base',
  'update wallet_addresses set base_balance = $2, base_height = $3 where id = $1 and base_balance is null',
)
const MISSING = statement('watcher_missing', 'select note_missing_payments($1, $2)')
const KEEP_BLOCKS = statement(
  'watcher_keep_blocks',
  `insert into chain_blocks (chain, height, hash, parent, mined_at) select $1, * from unnest($2::bigint[], $3::text[], $4::text[], $5::timestamptz[])`,
)
const PRUNE = statement('watcher_prune', 'delete from chain_blocks where chain = $1 and height < $2')
const REFRESH = statement('watcher_refresh', 'select refresh_payments($1, $2, $3, $4) as order_id')
const REFRESH_REFUNDS = statement('watcher_refresh_refunds', 'select refresh_refunds($1, $2)')
const SETTLE = statement('watcher_settle', 'select settle_order($1)')
const STATES = statement('watcher_states', 'select write_payment_states($1)')
const ADVANCE = statement(
  'watcher_advance',
  `update chains set height = $2, hash = $3, node_height = $4, finalized_height = coalesce($5, finalized_height), polled_at = clock_timestamp(),
          last_error = null, failing_since = null where name = $1`,
)

/** Ids are handed out before their transactions commit: the last ones are read again. */
const ADDRESS_OVERLAP = 1_000n
const FIRST_BLOCKS = 30
const RELOAD_MS = 60_000

/**
 * Follows one chain: block by block, with reorgs, and what waits in the mempool. All that a pass learned and the cursor are
 * written in one transaction that checks the leader's epoch, so that a crash or a second leader loses and doubles nothing.
 */
export function createWatcher({ db, config, source, hintOutbox }: WatcherOptions): Watcher {
  const chain = config.network
  const addresses = createAddressBook(db, config)
  let window = new Map<number, string>()
  let windowEpoch: string | undefined
  let inputs: { at: number; pending: Set<string>; all: Set<string> } | undefined
  let balancesAt = 0
  let isIdentified = false

  const watchedNow = async (): Promise<Watched> => {
    await addresses.load()
    if (!inputs || Date.now() - inputs.at > RELOAD_MS) inputs = await loadInputs()
    const tokens = await db.query<{ contract: string; coin_decimals: number }>(TOKENS, [chain])
    return addresses.watched(
      new Map(tokens.map((row) => [row.contract, row.coin_decimals])),
      inputs.pending,
      inputs.all,
    )
  }

  const loadInputs = async () => {
    const rows = await db.query<{ transaction_id: string; inputs: string[]; is_pending: boolean }>(
      UNSETTLED,
      [chain],
    )
    const unspent = source.family === 'bitcoin' ? await db.query<{ outpoint: string }>(UNSPENT, [chain]) : []
    return {
      at: Date.now(),
      pending: new Set(rows.filter((row) => row.is_pending).map((row) => row.transaction_id)),
      all: new Set([...rows.flatMap((row) => row.inputs), ...unspent.map((row) => row.outpoint)]),
    }
  }

  const loadCursor = async (epoch: string): Promise<Cursor | null> => {
    const row = await db.maybeOne<{
      height: number | null
      hash: string | null
      identity: string | null
      stopped: boolean
    }>(CURSOR, [chain, epoch])
    if (!row) throw new LeadershipLost(chain)
    if (row.stopped) throw new ChainStopped('an operator has to resume this chain')
    if (!isIdentified) {
      const identity = await source.identity()
      if (row.identity === null) await db.query(SET_IDENTITY, [chain, epoch, identity])
      else if (row.identity !== identity)
        throw new ChainStopped(`the node is on another network: ${identity}, not ${row.identity}`)
      isIdentified = true
    }
    if (windowEpoch !== epoch) {
      window = new Map(
        (await db.query<{ height: number; hash: string }>(WINDOW, [chain])).map((block) => [
          block.height,
          block.hash,
        ]),
      )
      windowEpoch = epoch
      inputs = undefined
    }
    return row.height === null || row.hash === null ? null : { height: row.height, hash: row.hash }
  }

  /** Where to begin: at the height that the configuration names, else a little below the tip, so that a small reorg is nothing special. */
  const firstCursor = async (tip: number): Promise<Cursor> => {
    const first = config.startHeight === undefined ? tip - FIRST_BLOCKS : config.startHeight - 1
    const height = Math.min(tip, Math.max(0, first))
    const hash = await source.hashAt(height)
    if (hash === null) throw new RetryableError(new Error(`the node has no block ${height}`))
    return { height, hash }
  }

  /** The highest block that the node and we agree on; null where the node is merely behind. */
  const findAncestor = async (cursor: Cursor, tip: number): Promise<Cursor | null> => {
    const top = Math.min(cursor.height, tip)
    if (top < cursor.height && !window.has(top)) {
      // Starting again from far below is what a node does that lost its data; a reorg is never that deep at once.
      throw new RetryableError(new Error(`the node is only at block ${tip}, we are at ${cursor.height}`))
    }
    for (let height = top; ; height -= 1) {
      const ours = height === cursor.height ? cursor.hash : window.get(height)
      if (ours === undefined)
        throw new ChainStopped(
          `the chain changed below block ${height + 1}, deeper than ${source.windowDepth} blocks`,
        )
      if ((await source.hashAt(height)) === ours)
        return height === top && tip < cursor.height ? null : { height, hash: ours }
    }
  }

  const readEvents = async (cursor: Cursor, ancestor: Cursor, tip: number, watched: Watched) => {
    const events: ChainEvent[] = []
    if (ancestor.height < cursor.height) events.push({ kind: 'reorg', height: ancestor.height })
    const to = Math.min(tip, ancestor.height + source.batchBlocks)
    const blocks = to > ancestor.height ? await source.blocks(ancestor.height + 1, to, watched) : []
    if (blocks[0] && blocks[0].parent !== ancestor.hash)
      throw new RetryableError(new Error('the chain changed while it was read'))
    for (const block of blocks) events.push({ kind: 'block', ...block })
    const last: Cursor = blocks.at(-1) ?? ancestor
    if (last.height === tip) {
      if (source.family === 'evm' && (blocks.length > 0 || events.length > 0)) {
        const finalized = await source.finalizedHeight()
        if (finalized !== null) events.push({ kind: 'finalized', height: finalized })
      }
      events.push(await source.mempool(watched))
    }
    return { events, blocks, last }
  }

  /** Of EVM addresses: what those hold that are due, and what those held when they were reserved of which it isn't known yet. */
  const readBalances = async (last: Cursor, tip: number) => {
    if (
      !source.balances ||
      !source.balancesAt ||
      last.height !== tip ||
      balancesAt > Date.now() - BALANCE_MS.open
    )
      return { bases: [], balances: [] }
    balancesAt = Date.now()
    const toBase = await db.query<{ id: string; address: string; height: number }>(TO_BASE, [
      chain,
      last.height,
    ])
    const held = await source.balancesAt(toBase)
    const due = addresses.takeDue(BALANCES_MAX)
    return {
      bases: toBase.map(({ id, height }, index) => [id, held[index], height]),
      balances: await source.balances(due, last.height),
    }
  }

  const readOpinions = async (): Promise<Map<string, string>> => {
    const opinions = new Map<string, string>()
    if (!source.secondOpinion) return opinions
    for (const { transaction_id } of await db.query<{ transaction_id: string }>(TO_VERIFY, [chain])) {
      const hash = await source.secondOpinion(transaction_id)
      if (hash !== null) opinions.set(transaction_id, hash)
    }
    return opinions
  }

  const secondAboveUsd = config.family === 'evm' && source.secondOpinion ? config.secondAboveUsd : null

  const record = async (tx: Queryable, transfer: Transfer, block: Block | null): Promise<string | null> => {
    const height = block?.height ?? null
    const { transactionId, outputKey, addressKey, asset, amount } = transfer
    if (addresses.isRefund(addressKey)) {
      await tx.query(RECORD_REFUND, [chain, transactionId, outputKey, addressKey, asset, amount, height])
    }
    if (!addresses.isOurs(addressKey)) return null
    const row = await tx.one<{ order_id: string | null; is_new: boolean }>(RECORD, [
      chain,
      transactionId,
      outputKey,
      addressKey,
      asset,
      amount,
      height,
      block?.hash ?? null,
      block?.minedAt ?? null,
      transfer.failed,
      transfer.inputs,
      transfer.script,
      randomBytes(18).toString('base64url'),
      secondAboveUsd,
      nativeCodes[chain],
    ])
    return row.order_id
  }

  /** Applies one event; returns the orders that it may have changed. */
  const apply = async (tx: Queryable, event: ChainEvent): Promise<(string | null)[]> => {
    if (event.kind === 'reorg')
      return (await tx.query<{ order_id: string | null }>(UNDO, [chain, event.height])).map(
        (row) => row.order_id,
      )
    if (event.kind === 'finalized') return []
    const orders: (string | null)[] = []
    const block = event.kind === 'block' ? event : null
    for (const transfer of event.transfers) orders.push(await record(tx, transfer, block))
    for (const spend of event.spends) {
      const rows = await tx.query<{ order_id: string | null }>(SPEND, [
        chain,
        spend.input,
        spend.by,
        block?.height ?? null,
      ])
      orders.push(...rows.map((row) => row.order_id))
    }
    if (event.kind === 'mempool' && event.present) await tx.query(MISSING, [chain, [...event.present]])
    return orders
  }

  return {
    async pass(epoch) {
      const stored = await loadCursor(epoch)
      const watched = await watchedNow()
      const tip = await source.tipHeight()
      const cursor = stored ?? (await firstCursor(tip))
      const ancestor = await findAncestor(cursor, tip)
      if (ancestor && ancestor.height < cursor.height) {
        const { any } = await db.one<{ any: boolean }>(FINAL_ABOVE, [chain, ancestor.height])
        if (any)
          throw new ChainStopped(
            `the chain changed from block ${ancestor.height + 1} on, below payments that were final`,
          )
      }
      const read = ancestor
        ? await readEvents(cursor, ancestor, tip, watched)
        : { events: [] as ChainEvent[], blocks: [] as Block[], last: cursor }
      const { bases, balances } = ancestor ? await readBalances(read.last, tip) : { bases: [], balances: [] }
      const opinions = await readOpinions()
      const finalized = read.events.find((event) => event.kind === 'finalized')?.height ?? null

      const payments = await db.transaction(async (tx) => {
        if (!(await tx.maybeOne(HOLD, [chain, epoch]))) throw new LeadershipLost(chain)
        const changed = new Set<string>()
        const note = (orders: readonly (string | null)[]) => {
          for (const id of orders) if (id !== null) changed.add(id)
        }
        for (const event of read.events) note(await apply(tx, event))
        for (const base of bases) await tx.query(BASE, base)
        for (const { addressKey, balance } of balances) {
          const values = [
            chain,
            addressKey,
            balance,
            read.last.height,
            read.last.hash,
            new Date(),
            randomBytes(18).toString('base64url'),
            secondAboveUsd,
            nativeCodes[chain],
          ]
          note([(await tx.one<{ order_id: string | null }>(BALANCE, values)).order_id])
        }
        for (const [transactionId, hash] of opinions) await tx.query(VERIFIED, [chain, transactionId, hash])
        if (read.blocks.length > 0) await tx.query(KEEP_BLOCKS, blockColumns(chain, read.blocks))
        if (stored === null)
          await tx.query(KEEP_BLOCKS, blockColumns(chain, [{ ...cursor, parent: '', minedAt: new Date() }]))
        const refreshed = await tx.query<{ order_id: string }>(REFRESH, [
          chain,
          read.last.height,
          finalized,
          source.finalDepth,
        ])
        note(refreshed.map((row) => row.order_id))
        // In one order, so that two writers queue up instead of standing in each other's way.
        for (const id of [...changed].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)))
          await tx.query(SETTLE, [id])
        await tx.query(REFRESH_REFUNDS, [chain, read.last.height])
        await tx.query(STATES, [chain])
        await tx.query(PRUNE, [chain, read.last.height - source.windowDepth])
        await tx.query(ADVANCE, [chain, read.last.height, read.last.hash, tip, finalized])
        return changed.size
      })

      for (const height of window.keys()) {
        if (
          height > (ancestor?.height ?? Number.POSITIVE_INFINITY) ||
          height < read.last.height - source.windowDepth
        )
          window.delete(height)
      }
      if (stored === null) window.set(cursor.height, cursor.hash)
      for (const block of read.blocks) window.set(block.height, block.hash)
      if (
        payments > 0 ||
        read.events.some((event) => 'transfers' in event && event.transfers.length + event.spends.length > 0)
      )
        inputs = undefined
      if (payments > 0) hintOutbox()
      return {
        height: read.last.height,
        nodeHeight: tip,
        isBehind: ancestor !== null && read.last.height < tip,
        payments,
      }
    },
  }
}

function blockColumns(
  chain: string,
  blocks: readonly Pick<Block, 'height' | 'hash' | 'parent' | 'minedAt'>[],
) {
  return [
    chain,
    blocks.map((block) => block.height),
    blocks.map((block) => block.hash),
    blocks.map((block) => block.parent),
    blocks.map((block) => block.minedAt),
  ]
}

/** The addresses of a chain, kept in memory and read on from where they were. */
function createAddressBook(db: Database, config: ChainConfig) {
  const family = evmNetworks.includes(config.network) ? 'evm' : config.network
  const all = new Set<string>()
  const ours = new Set<string>()
  const refunds = new Set<string>()
  const scripts = new Map<string, string>()
  /** Given out for a currency of this very chain, in that order. */
  const given: { key: string; reservedAt: number }[] = []
  /** Those of them for its own coin, and when each was last asked for its balance. */
  const native: { key: string; reservedAt: number; askedAt: number }[] = []
  let lastId = 0n

  const add = (set: Set<string>, row: Pick<AddressRow, 'address' | 'address_key'>) => {
    set.add(row.address_key)
    all.add(row.address_key)
    if (config.family === 'bitcoin')
      scripts.set(
        Buffer.from(scriptOfAddress(config.network, config.net, row.address)).toString('hex'),
        row.address_key,
      )
  }

  return {
    async load() {
      const from = lastId > ADDRESS_OVERLAP ? lastId - ADDRESS_OVERLAP : 0n
      for (const row of await db.query<AddressRow>(ADDRESSES, [family, from.toString()])) {
        if (BigInt(row.id) > lastId) lastId = BigInt(row.id)
        if (ours.has(row.address_key)) continue
        add(ours, row)
        if (config.family !== 'evm' || row.network !== config.network) continue
        const entry = { key: row.address_key, reservedAt: row.reserved_at.getTime() }
        given.push(entry)
        if (row.is_native) native.push({ ...entry, askedAt: 0 })
      }
      for (const row of await db.query<AddressRow>(REFUND_ADDRESSES, [config.network])) {
        if (!refunds.has(row.address_key)) add(refunds, row)
      }
    },
    isOurs: (key: string) => ours.has(key),
    isRefund: (key: string) => refunds.has(key),
    /** The addresses whose balance is to be asked for now, at most `max`: by how overdue each is, then the newest. */
    takeDue(max: number): string[] {
      const now = Date.now()
      const due = native.toReversed().flatMap((entry) => {
        const period = entry.reservedAt > now - OPEN_MS ? BALANCE_MS.open : BALANCE_MS.old
        const overdue = (now - entry.askedAt) / period
        return overdue < 1 ? [] : [{ entry, overdue }]
      })
      const taken = due.toSorted((a, b) => b.overdue - a.overdue).slice(0, max)
      for (const { entry } of taken) entry.askedAt = now
      return taken.map(({ entry }) => entry.key)
    },
    watched(
      tokens: ReadonlyMap<string, number>,
      pending: ReadonlySet<string>,
      inputs: ReadonlySet<string>,
    ): Watched {
      const since = Date.now() - OPEN_MS
      const firstOpen = given.findLastIndex((entry) => entry.reservedAt <= since) + 1
      const open = given.slice(firstOpen).map((entry) => entry.key)
      return { addresses: all, open, scripts, tokens, inputs, pending }
    },
  }
}
