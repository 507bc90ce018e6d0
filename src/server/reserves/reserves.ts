import { evmChecksum } from '../../shared/addresses.ts'
import { tokensStillOwed } from '../../shared/escrow-tokens.ts'
import { add, compare, subtract, sum } from '../../shared/money.ts'
import type { Reserves as PublicReserves, ReservesRow } from '../../shared/public-pages.ts'
import { isYoungerThan } from '../clock.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { readEscrows, readRounds } from '../delivery/delivery.ts'

const FRESH_MS = 10_000
/** Bitcoin has been without a block for two hours; a node with an older block is silent or lags. */
const LOOK_MS_MAX = 3 * 60 * 60 * 1000
/** The check runs hourly. */
const LEDGER_CHECK_MS_MAX = 2 * 60 * 60 * 1000

/** Debts and their coverage on chain by the last poll, or unknown. */
export class Reserves {
  readonly #db: Database
  #read: { at: number; answer: Promise<PublicReserves> } | undefined

  constructor({ db }: { db: Database }) {
    this.#db = db
  }

  /** At most ten seconds old; every public page reads it. */
  current(): Promise<PublicReserves> {
    if (this.#read && isYoungerThan(FRESH_MS, this.#read.at)) return this.#read.answer
    const mine = { at: Date.now(), answer: readReserves(this.#db) }
    this.#read = mine
    mine.answer.catch(() => {
      if (this.#read === mine) this.#read = undefined
    })
    return mine.answer
  }
}

// Rules: LOG-19
export function readReserves(db: Database): Promise<PublicReserves> {
  return db.transaction(
    async (tx) => {
      const { now } = await tx.one<{ now: Date }>(sql`select clock_timestamp() as now`)
      const rows = [
        ...(await readRefunds(tx)),
        ...(await readEscrowed(tx)),
        ...(await readLiveRounds(tx)),
        await readUndelivered(tx),
      ].map((row) => withoutStale(row, now))
      const ledgerCheck = await readLedgerCheck(tx, now)
      return {
        computedAt: now.toISOString(),
        rows,
        ledgerCheck,
        isShort: rows.some(({ state }) => state === 'short'),
        isBroken: (ledgerCheck?.broken.length ?? 0) > 0,
      }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

/** A row whose block is too old becomes unknown (`stale`), unless it was short already. */
function withoutStale(row: ReservesRow, now: Date): ReservesRow {
  const isOld = row.at !== null && now.getTime() - Date.parse(row.at) > LOOK_MS_MAX
  if (!isOld || row.state === 'short' || row.state === 'unknown') return row
  const { declared: _, ...rest } = row
  return { ...rest, there: null, state: 'unknown', why: 'stale' }
}

interface RefundRow {
  code: string
  network: string
  /** Lower case; `native` for the native coin. */
  contract: string
  watched: boolean
  family: 'bitcoin' | 'evm' | null
  owed: string
  since: Date | null
  there: string | null
  height: string | null
  mined_at: Date | null
  failure: string | null
  declared: string | null
  declared_addresses: string[] | null
  later: string | null
  /** No known `SECRET_KEY` decrypts a wallet's key, so its change was not read. */
  change_unread: boolean
}

/**
 * All accepted currencies, and those with debts. On Bitcoin-family chains watchers also read spends, so the
 * database has the balance of the sale's and change addresses at the last block. On EVM chains watchers read
 * balances in a final block.
 */
async function readRefunds(tx: Queryable): Promise<ReservesRow[]> {
  const rows = await tx.query<RefundRow>(
    sql`select k.code, k.network, coalesce(nullif(lower(k.token_contract), ''), 'native') as contract, k.watched, c.family, trim_scale(coalesce(r.owed, 0))::text as owed, r.since,
               trim_scale(case c.family when 'evm' then l.balance else t.there end)::text as there,
               (case c.family when 'evm' then l.height else c.height end)::text as height,
               case c.family when 'evm' then l.mined_at else b.mined_at end as mined_at, l.failure,
               trim_scale(l.declared)::text as declared, l.declared_addresses, trim_scale(n.later)::text as later,
               c.family = 'bitcoin' and exists (select 1 from wallets w where w.family = c.name and w.change_unread_from is not null)
                 as change_unread
          from currencies k
          left join (select currency_id, sum(amount) as owed, min(owed_at) as since from refunds where state not in ('paid', 'written_off') group by 1) r
            on r.currency_id = k.id
          left join chains c on k.watched and c.name = k.network
          left join chain_blocks b on c.family = 'bitcoin' and b.chain = c.name and b.height = c.height
          left join lateral (
            select coalesce(sum(o.amount), 0) as there from (
              select p.amount from payments p
               where p.chain = c.name and p.asset = 'native' and p.spent_height is null and p.block_height is not null
                 and not p.failed and p.replaced_by is null and p.orphaned_at is null
              union all
              select n.amount from own_coins n where n.chain = c.name and n.spent_height is null) o) t on c.family = 'bitcoin' and c.height is not null
          left join holding_looks l
            on c.family = 'evm' and l.chain = c.name and l.asset = coalesce(nullif(lower(k.token_contract), ''), 'native')
          left join lateral (
            select coalesce(sum(p.amount), 0) as later from payments p
             where p.chain = l.chain and p.asset = l.asset and p.output_key <> 'paid' and not p.failed and p.replaced_by is null
               and p.orphaned_at is null and (p.block_height > l.height or p.recorded_at >= l.looked_at)) n on l.height is not null
         where k.switched_off_at is null or r.owed > 0
         order by k.position, k.id`,
  )
  return byAsset(rows).map((row) => {
    const why = whyUnknown(row)
    const isKnown = why === null
    return {
      key: `refunds/${row.code}`,
      kind: 'refunds',
      asset: row.code,
      about: row.network,
      owed: row.owed,
      since: row.since?.toISOString() ?? null,
      there: isKnown ? row.there : null,
      height: isKnown ? Number(row.height) : null,
      at: isKnown ? (row.mined_at?.toISOString() ?? null) : null,
      state: stateOf(row.owed, isKnown ? row.there : null),
      why,
      ...(isKnown && row.declared_addresses?.length
        ? { declared: { amount: row.declared ?? '0', addresses: row.declared_addresses.map(evmChecksum) } }
        : {}),
    }
  })
}

/** The same coins cover the debts of all watched currencies of an asset. */
function byAsset(rows: readonly RefundRow[]): RefundRow[] {
  const assets = Map.groupBy(rows, ({ code, network, contract, watched }) =>
    watched ? `${network} ${contract}` : code,
  )
  return [...assets.values()].map((twins) => ({
    ...(twins[0] as RefundRow),
    code: twins.map(({ code }) => code).join(', '),
    owed: sum(twins.map(({ owed }) => owed)),
    since: twins.map(({ since }) => since).reduce((a, b) => (a && b ? (a < b ? a : b) : (a ?? b))),
  }))
}

// Rules: LOG-20
/**
 * Null for a known balance. After a failed poll the previous balance counts until it is stale.
 * `nodes_disagree` and `too_many_addresses` make it unknown at once.
 */
function whyUnknown(row: RefundRow): ReservesRow['why'] {
  const { watched, family, owed, there, failure, later } = row
  if (!watched || family === null) return 'manual'
  if (failure === 'nodes_disagree' || failure === 'too_many_addresses') return failure
  if (there === null) return failure === null ? 'no_look' : 'not_read'
  // `owed` is current, `there` as of the last block read. A gap that later payments cover is `not_final`, not
  // short.
  if (compare(there, owed) >= 0) return null
  if (row.change_unread) return 'change_unread'
  return compare(add(there, later ?? '0'), owed) >= 0 ? 'not_final' : null
}

const stateOf = (owed: string, there: string | null) =>
  there === null ? 'unknown' : compare(there, owed) < 0 ? 'short' : 'covered'

/** A delivered escrow owes no money, a refunding one no tokens. */
async function readEscrowed(tx: Queryable): Promise<ReservesRow[]> {
  return (await readEscrows(tx)).flatMap(({ address, look }) => {
    const base = { about: address, height: look?.height ?? null, at: look?.minedAt ?? null }
    if (!look || look.state === null) {
      const state = look ? 'short' : 'unknown'
      const why = look ? 'other_code' : 'no_look'
      return [
        {
          ...base,
          key: `escrow/${address}`,
          kind: 'escrow_tokens',
          asset: null,
          owed: null,
          there: null,
          state,
          why,
        },
      ] satisfies ReservesRow[]
    }
    const isDelivered = look.state === 'delivered'
    const owed = tokensStillOwed(look)
    const tokens: ReservesRow = {
      ...base,
      key: `escrow/${address}`,
      kind: 'escrow_tokens',
      asset: null,
      owed,
      there: look.held,
      state: look.fault ? 'short' : compare(look.held, owed) < 0 ? 'not_due' : 'covered',
      why: null,
    }
    const money = isDelivered ? [] : look.money
    const rows: ReservesRow[] = [
      ...money.map(
        ({ currency, paid, held }): ReservesRow => ({
          ...base,
          key: `escrow/${address}/${currency}`,
          kind: 'escrow_money',
          asset: currency,
          owed: paid,
          there: held,
          state: stateOf(paid, held),
          why: null,
        }),
      ),
      tokens,
    ]
    return look.failure === 'nodes_disagree' ? rows.map(inDoubt) : rows
  })
}

// Rules: DELIVER-12
/** Two nodes now disagree. A row that was already short stays short. */
function inDoubt(row: ReservesRow): ReservesRow {
  return row.state === 'short' ? row : { ...row, there: null, state: 'unknown', why: 'nodes_disagree' }
}

/** Unclaimed tokens of live rounds against their distributors' balance. */
async function readLiveRounds(tx: Queryable): Promise<ReservesRow[]> {
  return (await readRounds(tx)).flatMap(({ number, file, distributor, look }) => {
    if (!file || !distributor || !look) return []
    const row: ReservesRow = {
      key: `round/${number}`,
      kind: 'round',
      asset: null,
      about: String(number),
      owed: subtract(file.tokens, look.claimed),
      there: look.held,
      height: look.height,
      at: look.minedAt,
      state: look.fault
        ? 'short'
        : compare(look.held, subtract(file.tokens, look.claimed)) < 0
          ? 'not_due'
          : 'covered',
      why: null,
    }
    return [look.failure === 'nodes_disagree' ? inDoubt(row) : row]
  })
}

/** Buyers' tokens that no distributor or escrow owes, so no contract can show them. */
export async function undeliveredTokens(tx: Queryable): Promise<string> {
  const { owed } = await tx.one<{ owed: string }>(
    sql`select trim_scale(
                 coalesce((select sum(purchased_tokens + bonus_tokens + granted_tokens
                                      - allocated_purchased - allocated_bonus - allocated_granted) from holdings), 0)
                 - coalesce((select sum(purchased + bonus) from orders_in_escrows()), 0)
                 + coalesce((select sum(f.tokens) from delivery_round_files f
                              where not exists (select from delivery_distributors d where d.round = f.round)), 0))::text as owed`,
  )
  return owed
}

async function readUndelivered(tx: Queryable): Promise<ReservesRow> {
  return {
    key: 'undelivered',
    kind: 'undelivered',
    asset: null,
    about: null,
    owed: await undeliveredTokens(tx),
    there: null,
    height: null,
    at: null,
    state: 'unknown',
    why: 'no_contract',
  }
}

async function readLedgerCheck(tx: Queryable, now: Date): Promise<PublicReserves['ledgerCheck']> {
  const row = await tx.maybeOne<{
    checked_at: Date
    rules: number
    broken: NonNullable<PublicReserves['ledgerCheck']>['broken']
    unasked: NonNullable<PublicReserves['ledgerCheck']>['unasked']
  }>(sql`select checked_at, rules, broken, unasked from ledger_checks`)
  if (!row) return null
  const { checked_at, ...said } = row
  const isOld = now.getTime() - checked_at.getTime() > LEDGER_CHECK_MS_MAX
  return { checkedAt: checked_at.toISOString(), isOld, ...said }
}
