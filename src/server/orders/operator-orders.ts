import { z } from 'zod'
import type { OperatorOrder } from '../../shared/api/orders.ts'
import type { operatorOrderPage, operatorOrderQuery } from '../../shared/api/orders-schemas.ts'
import { add, trimZeros, writeAmount } from '../../shared/money.ts'
import { orderStatuses } from '../../shared/order-states.ts'
import { createBatches } from '../database/batches.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { hidingActs } from './hiding-acts.ts'
import { allowedActions, ORDER_COLUMNS, type OrderPayments, type OrderRow, orderEvents } from './orders.ts'

interface OperatorRow extends OrderRow {
  /** With all its microseconds: a Date has none, and a page that begins at a rounded time loses rows. */
  updated_text: string
  email: string | null
  reference: string
}

const COLUMNS = `${ORDER_COLUMNS}, o.updated_at::text as updated_text, u.email, u.reference`
const FROM = 'orders o join currencies k on k.id = o.currency_id join users u on u.id = o.user_id'

const SHOW = statement('operator_order_show', `select ${COLUMNS} from ${FROM} where o.id = any($1::bigint[])`)
const ENTRIES = statement(
  'operator_order_entries',
  `select p.id as posting, p.kind, e.account, e.asset, e.amount, p.posted_at from postings p join entries e on e.posting_id = p.id
    where p.order_id = $1 order by e.id`,
)
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
const MATCHING_BUYERS = statement(
  'operator_order_matching_buyers',
  `select count(*)::integer as count from (
     select from users where email_key ~>=~ $1 and email_key ~<~ $2 limit ${MATCHING_BUYERS_FEW + 1}) matching`,
)

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
  const columns = sorts[query.sort]
  const direction = query.direction === 'asc' ? 'asc' : 'desc'
  const orderBy = columns.map((column) => `${column} ${direction}`).join(', ')

  const filters: string[] = []
  if (!query.hidden) filters.push('not o.hidden')
  if (query.user) filters.push(`o.user_id = ${bind(query.user)}`)
  if (query.status) filters.push(`o.status = ${bind(query.status)}`)
  const after = readCursor(query.after, query.sort)
  if (after) {
    const bound = after.map((value, index) => `${bind(value)}::${cursorCasts[columns[index] as string]}`)
    filters.push(`(${columns.join(', ')}) ${direction === 'asc' ? '>' : '<'} (${bound.join(', ')})`)
  }
  const limit = bind(query.limit + 1)
  const inOrder = (rows: number | string) => `order by ${orderBy} limit ${rows}`
  const ordersWhere = (...conditions: string[]) =>
    `from orders o where ${[...conditions, ...filters].join(' and ') || 'true'}`
  const branch = (condition: string) => `(select o.id ${ordersWhere(condition)} ${inOrder(limit)})`
  const page = (branches: readonly string[], tables = '') =>
    `${tables} select ${COLUMNS} from ${FROM} where o.id in (${branches.join(' union all ')}) ${inOrder(limit)}`
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
    cross join lateral (select ${columns.join(', ')} ${ordersWhere('o.user_id = matching.id')} ${inOrder(limit)}) o`
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

const orderId = z.string().regex(/^\d{1,18}$/)
/** As PostgreSQL writes it in UTC. */
const time = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/)
const cursors = {
  created: z.tuple([orderId]),
  updated: z.tuple([time, orderId]),
  status: z.tuple([z.enum(orderStatuses), orderId]),
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

export interface OperatorOrders {
  list(query: Query): Promise<{ items: OperatorOrder[]; next: string | null }>
  show(id: string): Promise<z.input<typeof operatorOrderPage>>
  row(id: string): Promise<OperatorOrder>
  /** What operators can change of the lists. */
  readonly acts: typeof hidingActs
}

export function createOperatorOrders(db: Database, payments: OrderPayments): OperatorOrders {
  const maybeFind = createBatches<string, OperatorRow | undefined>({
    async run(ids) {
      const rows = new Map((await db.query<OperatorRow>(SHOW, [ids])).map((found) => [found.id, found]))
      return ids.map((id) => rows.get(id))
    },
    sizeMax: 100,
    runsMax: Number.POSITIVE_INFINITY,
  })
  const find = async (id: string) => (await maybeFind(id)) ?? refuse('order_unknown')
  const row = async (id: string) => operatorOrder(await find(id))

  return {
    row,

    async list(query) {
      const rows = await db.transaction(async (tx) => {
        // Prefix searches want a plan for their own values; a generic one would read the table.
        await tx.query(CUSTOM_PLANS)
        const { text, values } = operatorOrderListSql(query, await matchingBuyers(tx, query.search))
        return tx.query<OperatorRow>(statement(listName(text), text), values)
      })
      const items = rows.slice(0, query.limit)
      const last = items.at(-1)
      return {
        items: items.map(operatorOrder),
        next: rows.length > query.limit && last ? writeCursor(last, query.sort) : null,
      }
    },

    async show(id) {
      const found = await find(id)
      const [events, paid, entries] = await Promise.all([
        orderEvents(db, id),
        payments.ofOrders(db, [id]),
        db.query<{
          posting: string
          kind: string
          account: string
          asset: string
          amount: string
          posted_at: Date
        }>(ENTRIES, [id]),
      ])
      return {
        ...operatorOrder(found),
        bonusPercent: trimZeros(found.bonus_percent),
        priceUsd: found.price_usd,
        rate: found.rate,
        declarations: found.declarations,
        events,
        payments: paid.get(id) ?? [],
        entries: entries.map(({ posted_at, ...entry }) => ({ ...entry, at: posted_at.toISOString() })),
      }
    },

    acts: hidingActs,
  }
}

async function matchingBuyers(tx: Queryable, search: string | undefined): Promise<'few' | 'many'> {
  if (!search) return 'few'
  const { count } = await tx.one<{ count: number }>(MATCHING_BUYERS, emailRange(search))
  return count > MATCHING_BUYERS_FEW ? 'many' : 'few'
}

const CUSTOM_PLANS = statement('set_custom_plans', 'set local plan_cache_mode = force_custom_plan')

/** Texts differ only by sort, filter and search, so there are a few dozen; each gets a name of its own. */
const listNames = new Map<string, string>()
function listName(text: string): string {
  const name = listNames.get(text) ?? `operator_order_list_${listNames.size}`
  listNames.set(text, name)
  return name
}

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
