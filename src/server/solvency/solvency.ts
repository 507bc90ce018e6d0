import { compare, subtract } from '../../shared/money.ts'
import type { Solvency as PublicSolvency, SolvencyRow } from '../../shared/public-pages.ts'
import { isYoungerThan } from '../clock.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { readEscrows, readRounds } from '../delivery/delivery.ts'

const FRESH_MS = 10_000
/** Bitcoin has been without a block for two hours. Where the last one that was read is older, its node is silent or lags. */
const LOOK_MS_MAX = 3 * 60 * 60 * 1000

/** What the sale owes and what is there for it: on chain, by the last look, or unknown. */
export class Solvency {
  readonly #db: Database
  #read: { at: number; answer: Promise<PublicSolvency> } | undefined

  constructor({ db }: { db: Database }) {
    this.#db = db
  }

  /** As it was at most ten seconds ago: every public page asks. */
  current(): Promise<PublicSolvency> {
    if (this.#read && isYoungerThan(FRESH_MS, this.#read.at)) return this.#read.answer
    const mine = { at: Date.now(), answer: readSolvency(this.#db) }
    this.#read = mine
    mine.answer.catch(() => {
      if (this.#read === mine) this.#read = undefined
    })
    return mine.answer
  }
}

/** All columns in one snapshot. */
export function readSolvency(db: Database): Promise<PublicSolvency> {
  return db.transaction(
    async (tx) => {
      const { now } = await tx.one<{ now: Date }>(sql`select clock_timestamp() as now`)
      const rows = [
        ...(await readRefunds(tx)),
        ...(await readEscrowed(tx)),
        ...(await readLiveRounds(tx)),
        await readUndelivered(tx),
      ].map((row) => withoutStale(row, now))
      const books = await readBooks(tx)
      return {
        computedAt: now.toISOString(),
        rows,
        books,
        isShort: rows.some(({ state }) => state === 'short'),
        isBroken: (books?.broken.length ?? 0) > 0,
      }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

/** What an old block showed is not what is there now, unless it already fell short. */
function withoutStale(row: SolvencyRow, now: Date): SolvencyRow {
  const isOld = row.at !== null && now.getTime() - Date.parse(row.at) > LOOK_MS_MAX
  if (!isOld || row.state === 'short' || row.state === 'unknown') return row
  return { ...row, there: null, state: 'unknown', why: 'stale' }
}

interface RefundRow {
  code: string
  network: string
  watched: boolean
  has_outputs: boolean
  owed: string
  there: string | null
  height: string | null
  mined_at: Date | null
}

/**
 * Each currency that is accepted, or in which something is owed. What lies at watched addresses is known where a watcher reads
 * spends too: on chains of outputs. Of other chains it reads only what comes in.
 */
async function readRefunds(tx: Queryable): Promise<SolvencyRow[]> {
  const rows = await tx.query<RefundRow>(
    sql`select k.code, k.network, k.watched, c.name is not null as has_outputs, trim_scale(coalesce(r.owed, 0))::text as owed, trim_scale(t.there)::text as there, c.height::text, b.mined_at
          from currencies k
          left join (select currency_id, sum(amount) as owed from refunds where state not in ('paid', 'written_off') group by 1) r
            on r.currency_id = k.id
          left join chains c on k.watched and c.name = k.network and c.family = 'bitcoin'
          left join chain_blocks b on b.chain = c.name and b.height = c.height
          left join lateral (
            select coalesce(sum(p.amount), 0) as there from payments p
             where p.chain = c.name and p.asset = 'native' and p.spent_by is null and p.block_height is not null
               and not p.failed and p.replaced_by is null and p.orphaned_at is null) t on c.height is not null
         where k.switched_off_at is null or r.owed > 0
         order by k.position, k.id`,
  )
  return rows.map((row) => ({
    key: `refunds/${row.code}`,
    kind: 'refunds',
    asset: row.code,
    about: row.network,
    owed: row.owed,
    there: row.there,
    height: row.there === null ? null : Number(row.height),
    at: row.there === null ? null : (row.mined_at?.toISOString() ?? null),
    state: stateOf(row.owed, row.there),
    why: row.there === null ? whyUnknown(row) : null,
  }))
}

const whyUnknown = ({ watched, has_outputs: hasOutputs }: RefundRow) =>
  hasOutputs ? 'no_look' : watched ? 'not_read' : 'manual'

const stateOf = (owed: string, there: string | null) =>
  there === null ? 'unknown' : compare(there, owed) < 0 ? 'short' : 'covered'

/** Money of orders in escrows, and the tokens that escrows owe. A delivered one owes no money any more, one that pays back no tokens. */
async function readEscrowed(tx: Queryable): Promise<SolvencyRow[]> {
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
      ] satisfies SolvencyRow[]
    }
    const isDelivered = look.state === 'delivered'
    const tokens: SolvencyRow = {
      ...base,
      key: `escrow/${address}`,
      kind: 'escrow_tokens',
      asset: null,
      owed: look.state === 'refunding' ? '0' : tokensOwed(look),
      there: look.held,
      state: look.fault ? 'short' : look.locked || isDelivered ? 'covered' : 'not_due',
      why: null,
    }
    const money = isDelivered ? [] : look.money
    return [
      ...money.map(
        ({ currency, paid, held }): SolvencyRow => ({
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
  })
}

const tokensOwed = ({
  state,
  owed,
  promised,
  claimed,
}: {
  state: string | null
  owed: string
  promised: string
  claimed: string
}) => (state === 'delivered' ? subtract(owed, claimed) : promised)

/** The distributors of live rounds: what their lists have that is not claimed, and what lies there. */
async function readLiveRounds(tx: Queryable): Promise<SolvencyRow[]> {
  return (await readRounds(tx)).flatMap(({ number, file, distributor, look }) =>
    file && distributor && look
      ? [
          {
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
          } satisfies SolvencyRow,
        ]
      : [],
  )
}

/** Tokens of buyers that lie in no distributor: no contract is known in which they could be looked for. */
async function readUndelivered(tx: Queryable): Promise<SolvencyRow> {
  const { owed } = await tx.one<{ owed: string }>(
    sql`select trim_scale(
                 coalesce((select sum(purchased_tokens + bonus_tokens + granted_tokens
                                      - allocated_purchased - allocated_bonus - allocated_granted) from holdings), 0)
                 + coalesce((select sum(f.tokens) from delivery_round_files f
                              where not exists (select from delivery_distributors d where d.round = f.round)), 0))::text as owed`,
  )
  return {
    key: 'undelivered',
    kind: 'undelivered',
    asset: null,
    about: null,
    owed,
    there: null,
    height: null,
    at: null,
    state: 'unknown',
    why: 'no_contract',
  }
}

async function readBooks(tx: Queryable): Promise<PublicSolvency['books']> {
  const row = await tx.maybeOne<{
    checked_at: Date
    rules: number
    broken: NonNullable<PublicSolvency['books']>['broken']
  }>(sql`select checked_at, rules, broken from book_checks`)
  return row ? { checkedAt: row.checked_at.toISOString(), rules: row.rules, broken: row.broken } : null
}
