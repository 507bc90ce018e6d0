import { z } from 'zod'
import type { OperatorOrder } from '../../shared/api/orders.ts'
import type { operatorOrderPage, operatorOrderQuery } from '../../shared/api/orders-schemas.ts'
import { add, trimZeros, writeAmount } from '../../shared/money.ts'
import { orderStatuses } from '../../shared/order-states.ts'
import { createBatches } from '../database/batches.ts'
import { composed, type Database, fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { hidingActs } from './hiding-acts.ts'
import { allowedActions, type OrderRow, orderColumns } from './order-rows.ts'
import { type OrderPayments, orderEvents } from './orders.ts'

interface OperatorRow extends OrderRow {
  /** With all its microseconds: a Date has none, and a page that begins at a rounded time loses rows. */
  updated_text: string
  email: string | null
  reference: string
}

const columns = fragment`${orderColumns}, o.updated_at::text as updated_text, u.email, u.reference`
const source = fragment`orders o join currencies k on k.id = o.currency_id join users u on u.id = o.user_id`

type Query = z.output<typeof operatorOrderQuery>

/** Sort orders of the table: the columns that order it, last one the unique id. `status` and `id` have an index together. */
const sorts = {
  created: ['o.id'],
  updated: ['o.updated_at', 'o.id'],
  status: ['o.status', 'o.id'],
} as const satisfies Record<Query['sort'], readonly string[]>

const cursorCasts: Record<string, string> = {
  'o.updated_at': 'timestamptz',
  'o.status': 'text',
  'o.id': 'bigint',
}

/** Above so many buyers whose e-mail begins with the search, the newest orders are looked through before each buyer's own are. */
const MATCHING_BUYERS_FEW = 2_000
const ORDERS_LOOKED_THROUGH = 4_000
/** Sorts behind every text that begins with the prefix. */
const HIGHEST = '\u{10FFFF}'
const emailRange = (search: string) => [search.toLowerCase(), search.toLowerCase() + HIGHEST]

/**
 * SQL and values of one page. A search is for an exact id, token or transaction id, or for the beginning of an address or an e-mail:
 * one indexed branch each, cut to the page before the branches are put together, so none is read whole.
 */
export function operatorOrderListSql(
  query: Query,
  buyers: 'few' | 'many',
): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const order = sorts[query.sort]
  const direction = query.direction === 'asc' ? 'asc' : 'desc'
  const orderBy = order.map((column) => `${column} ${direction}`).join(', ')

  const filters: string[] = []
  if (!query.hidden) filters.push('not o.hidden')
  if (query.user) filters.push(`o.user_id = ${bind(query.user)}`)
  if (query.status) filters.push(`o.status = ${bind(query.status)}`)
  const after = readCursor(query.after, query.sort)
  if (after) {
    const bound = after.map((value, index) => `${bind(value)}::${cursorCasts[order[index] as string]}`)
    filters.push(`(${order.join(', ')}) ${direction === 'asc' ? '>' : '<'} (${bound.join(', ')})`)
  }
  const limit = bind(query.limit + 1)
  const inOrder = (rows: number | string) => `order by ${orderBy} limit ${rows}`
  const ordersWhere = (...conditions: string[]) =>
    `from orders o where ${[...conditions, ...filters].join(' and ') || 'true'}`
  const branch = (condition: string) => `(select o.id ${ordersWhere(condition)} ${inOrder(limit)})`
  const page = (branches: readonly string[], tables = '') =>
    `${tables} select ${columns.text} from ${source.text} where o.id in (${branches.join(' union all ')}) ${inOrder(limit)}`
  const { search } = query
  if (!search) return { text: page([branch('true')]), values }

  const branches = [
    branch(`o.token = ${bind(search)}`),
    branch(`o.transaction_id = ${bind(search)}`),
    branch(`o.address ~>=~ ${bind(search)} and o.address ~<~ ${bind(search + HIGHEST)}`),
  ]
  if (/^\d{1,18}$/.test(search)) branches.push(branch(`o.id = ${bind(search)}`))
  const [from, to] = emailRange(search).map(bind)
  const matching = `(select id from users where email_key ~>=~ ${from} and email_key ~<~ ${to})`
  const ofMatching = `select o.id from ${matching} matching
    cross join lateral (select ${order.join(', ')} ${ordersWhere('o.user_id = matching.id')} ${inOrder(limit)}) o`
  // Matches that lie dense fill the page from the newest orders alone; only where they don't is each buyer asked for.
  const newest = `with newest as (select o.id from (select o.* ${ordersWhere()} ${inOrder(ORDERS_LOOKED_THROUGH)}) o
    where o.user_id in ${matching} ${inOrder(limit)})`
  return buyers === 'few'
    ? { text: page([...branches, `(${ofMatching} ${inOrder(limit)})`]), values }
    : {
        text: page(
          [
            ...branches,
            'select id from newest',
            `(${ofMatching} where (select count(*) from newest) < ${limit} ${inOrder(limit)})`,
          ],
          newest,
        ),
        values,
      }
}

/** The sort values after which the page begins; a mangled cursor is the first page. */
function readCursor(after: string | undefined, sort: Query['sort']): string[] | undefined {
  if (!after) return undefined
  const parts = cursors[sort].safeParse(parseJson(Buffer.from(after, 'base64url').toString()))
  return parts.success ? parts.data : undefined
}

const idText = z.string().regex(/^\d{1,18}$/)
/** As PostgreSQL writes it in UTC. */
const time = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/)
const cursors = {
  created: z.tuple([idText]),
  updated: z.tuple([time, idText]),
  status: z.tuple([z.enum(orderStatuses), idText]),
} as const satisfies Record<Query['sort'], z.ZodType>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function writeCursor(row: OperatorRow, sort: Query['sort']): string {
  const parts =
    sort === 'updated' ? [row.updated_text, row.id] : sort === 'status' ? [row.status, row.id] : [row.id]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

export interface OperatorOrdersNeeds {
  readonly db: Database
  readonly payments: OrderPayments
}

/** The table of orders, one order, and what takes orders off the default lists. */
export class OperatorOrders {
  /** What operators can change of the lists. */
  readonly acts = hidingActs
  readonly #db: Database
  readonly #payments: OrderPayments
  readonly #find: (id: string) => Promise<OperatorRow | undefined>

  constructor({ db, payments }: OperatorOrdersNeeds) {
    this.#db = db
    this.#payments = payments
    // However many orders are decided at once, one statement reads them all.
    this.#find = createBatches<string, OperatorRow | undefined>({
      run: (ids) => findOrders(db, ids),
      sizeMax: 100,
      runsMax: Number.POSITIVE_INFINITY,
    })
  }

  /** One page of the table; `next` is where the following one begins. */
  async list(query: Query): Promise<{ items: OperatorOrder[]; next: string | null }> {
    const rows = await this.#db.transaction(async (tx) => {
      // Prefix searches want a plan for their own values; a generic one would read the table.
      await tx.query(sql`set local plan_cache_mode = force_custom_plan`)
      const { text, values } = operatorOrderListSql(query, await matchingBuyers(tx, query.search))
      return tx.query<OperatorRow>(composed(text, values))
    })
    const items = rows.slice(0, query.limit)
    const last = items.at(-1)
    return {
      items: items.map(operatorOrder),
      next: rows.length > query.limit && last ? writeCursor(last, query.sort) : null,
    }
  }

  /** One row of the table. Refuses order_unknown. */
  async row(id: string): Promise<OperatorOrder> {
    return operatorOrder(await this.#row(id))
  }

  /** One order with its events, payments and entries. Refuses order_unknown. */
  async show(id: string): Promise<z.input<typeof operatorOrderPage>> {
    const found = await this.#row(id)
    const [events, paid, entries, same] = await Promise.all([
      orderEvents(this.#db, id),
      this.#payments.ofOrders(this.#db, [id]),
      readEntries(this.#db, id),
      this.#db.query<{ id: string }>(
        sql`select other.id from orders o join orders other on other.transaction_id = o.transaction_id and other.id <> o.id
             where o.id = ${id} order by other.id limit 100`,
      ),
    ])
    return {
      ...operatorOrder(found),
      bonusPercent: trimZeros(found.bonus_percent),
      priceUsd: found.price_usd,
      rate: found.rate,
      sameTransaction: same.map((other) => Number(other.id)),
      declarations: found.declarations,
      events,
      payments: paid.get(id) ?? [],
      entries,
    }
  }

  async #row(id: string): Promise<OperatorRow> {
    return (await this.#find(id)) ?? refuse('order_unknown')
  }
}

async function findOrders(db: Database, ids: readonly string[]): Promise<(OperatorRow | undefined)[]> {
  const found = await db.query<OperatorRow>(
    sql`select ${columns} from ${source} where o.id = any(${ids}::bigint[])`,
  )
  const rows = new Map(found.map((row) => [row.id, row]))
  return ids.map((id) => rows.get(id))
}

async function readEntries(db: Database, orderId: string) {
  const entries = await db.query<{
    posting: string
    kind: string
    account: string
    asset: string
    amount: string
    posted_at: Date
  }>(
    sql`select p.id as posting, p.kind, e.account, e.asset, e.amount, p.posted_at
          from postings p join entries e on e.posting_id = p.id where p.order_id = ${orderId} order by e.id`,
  )
  return entries.map(({ posted_at, ...entry }) => ({ ...entry, at: posted_at.toISOString() }))
}

/** Whether few or many buyers' e-mails begin with the search; which plan is cheaper depends on that. */
async function matchingBuyers(tx: Queryable, search: string | undefined): Promise<'few' | 'many'> {
  if (!search) return 'few'
  const [from, to] = emailRange(search)
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::integer as count from (
          select from users where email_key ~>=~ ${from} and email_key ~<~ ${to} limit ${MATCHING_BUYERS_FEW + 1}) matching`,
  )
  return count > MATCHING_BUYERS_FEW ? 'many' : 'few'
}

/** An order as the table shows it. */
export function operatorOrder(row: OperatorRow): OperatorOrder {
  return {
    id: Number(row.id),
    token: row.token,
    status: row.status,
    detail: row.detail,
    hidden: row.hidden,
    held: row.held,
    watched: row.watched,
    currency: row.currency,
    cryptoAmount: row.crypto_amount,
    address: row.address,
    email: row.email ?? '',
    userId: Number(row.user_id),
    userReference: row.reference,
    baseTokens: row.base_tokens,
    bonusTokens: row.bonus_tokens,
    receiveTokens: writeAmount(add(row.base_tokens, row.bonus_tokens)),
    usd: row.usd,
    stageId: row.stage_id,
    transactionId: row.transaction_id,
    approvedVia: row.approved_via,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    approvedAt: row.approved_at?.toISOString() ?? null,
    actions: allowedActions(row),
  }
}
