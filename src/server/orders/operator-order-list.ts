import { z } from 'zod'
import type { operatorOrderQuery } from '../../shared/api/orders-schemas.ts'
import { type OrderView, orderStatuses } from '../../shared/order-states.ts'
import { fragment } from '../database/database.ts'
import { type OrderRow, orderColumns } from './order-rows.ts'

export interface OperatorRow extends OrderRow {
  /** With all their microseconds: a Date has none, and a page that begins at a rounded time loses rows. */
  created_text: string
  updated_text: string
  email: string | null
  reference: string
  paid_by: string | null
  /** The sale ended below its soft cap: all payments are owed back, and no order is approved any more. */
  cap_missed: boolean
  /** It is too late for operators to approve it. */
  approval_over: boolean
}

/** The first payment's transaction stands beside the one that the buyer named. */
export const operatorColumns = fragment`${orderColumns}, o.created_at::text as created_text, o.updated_at::text as updated_text,
  u.email, u.reference, (select p.transaction_id from payments p where p.order_id = o.id order by p.id limit 1) as paid_by,
  exists (select from campaign where soft_cap_verdict = 'missed') as cap_missed, approval_is_over(o.expires_at, clock_timestamp()) as approval_over`
export const operatorSource = fragment`orders o join currencies k on k.id = o.currency_id join users u on u.id = o.user_id`

export type OrderQuery = z.output<typeof operatorOrderQuery>
export type OrderFilter = Omit<OrderQuery, 'after' | 'limit' | 'sort' | 'direction'>

const undecidedPayments = 'select p.order_id from payments p where p.final_at is null'

/**
 * What each tab shows. The state of an order is worked out, so each first names, by an index, the few orders that can have one of its
 * states: a page, and a count up to a thousand, cost the same at any number of orders.
 */
const views: Record<OrderView, string> = {
  waiting: `o.id in (select w.id from orders w where w.status = 'pending' and w.expires_at > clock_timestamp()
                     union all select w.id from orders w where w.held union all ${undecidedPayments})
            and o.status = 'pending' and not o.hidden and o.sent_at is not null and o.detail not in ('expired', 'refund_due', 'refunded')`,
  with_transaction_id: `o.status = 'pending' and not o.hidden and o.transaction_id is not null and o.detail not in ('refund_due', 'refunded')`,
  seen: `o.id in (${undecidedPayments}) and o.status = 'pending' and not o.hidden and o.detail in ('seen', 'confirming')`,
  odd: `o.id in (select r.order_id from refunds r where r.state not in ('paid', 'written_off') union all ${undecidedPayments}
                 union all select p.order_id from payments p where p.credited > 0 and (not p.alive or p.block_height is null))
        and not o.hidden and o.detail in ('overpaid', 'under_review', 'refund_due')`,
}

/** The condition of a tab, of orders `o`. */
export const viewCondition = (view: OrderView): string => views[view]

/** Columns that order the table, last one the unique id; each has an index. Orders of some days go by when they were made. */
const sorts = {
  created: ['o.id'],
  dated: ['o.created_at', 'o.id'],
  updated: ['o.updated_at', 'o.id'],
  status: ['o.status', 'o.id'],
} as const satisfies Record<OrderQuery['sort'] | 'dated', readonly string[]>
type Sort = keyof typeof sorts

const sortOf = ({ sort, from, to }: OrderQuery): Sort => (sort === 'created' && (from || to) ? 'dated' : sort)

/** The one status whose orders go by the index of statuses, also where they are in the order of their ids. */
const indexedStatus = (query: OrderQuery): string | undefined => {
  const { status, view } = query
  const sort = sortOf(query)
  const isIndexed = sort === 'status' || (sort === 'created' && !view)
  return isIndexed && status?.length === 1 ? status[0] : undefined
}

const casts: Record<string, string> = {
  'o.created_at': 'timestamptz',
  'o.updated_at': 'timestamptz',
  'o.status': 'text',
  'o.id': 'bigint',
}

/** Filters that no index serves look through so many orders for a page; it says where the next one goes on. */
export const ORDERS_LOOKED_THROUGH = 4_000
/** Sorts behind every text that begins with the prefix. */
const HIGHEST = '\u{10FFFF}'
export const emailRange = (search: string) => [search.toLowerCase(), search.toLowerCase() + HIGHEST]

type Bind = (value: unknown) => string

/** Every condition of a filter but its search, of orders `o`. */
export function filterConditions(filter: OrderFilter, bind: Bind): string[] {
  const { view, status, hidden, user, search, from, to, currency, usdMin, usdMax, via, level, country } =
    filter
  const where: (string | false | undefined)[] = [
    view ? viewCondition(view) : !hidden && 'not o.hidden',
    // Nobody has anything to do about an order of which nobody said that it is paid.
    !view && user === undefined && !search && 'o.sent_at is not null',
    user !== undefined && `o.user_id = ${bind(user)}`,
    status && statusCondition(status, bind),
    from && `o.created_at >= ${bind(from)}::timestamptz`,
    to && `o.created_at < ${bind(to)}::timestamptz`,
    currency && `o.currency = ${bind(currency)}`,
    usdMin && `o.usd >= ${bind(usdMin)}::numeric`,
    usdMax && `o.usd <= ${bind(usdMax)}::numeric`,
    via && `o.approved_via = ${bind(via)}`,
    country && `o.declarations ->> 'country' = ${bind(country)}`,
    level && `o.level_key = ${bind(level)}`,
  ]
  return where.filter((condition): condition is string => Boolean(condition))
}

const statusCondition = (status: readonly string[], bind: Bind) =>
  status.length === 1 ? `o.status = ${bind(status[0])}` : `o.status = any(${bind(status)}::text[])`

/** The conditions that the index of the sort serves; the others are asked of what it gives. */
function indexedConditions(query: OrderQuery, bind: Bind): string[] {
  const { view, status, user, from, to } = query
  const sort = sortOf(query)
  const where: (string | false | undefined)[] = [
    user !== undefined && `o.user_id = ${bind(user)}`,
    sort === 'created' && view && viewCondition(view),
    // Of several the index of one is no help where it is not the order; the one is in the bounds of the page.
    sort === 'status' && status && status.length > 1 && statusCondition(status, bind),
    sort === 'dated' && from && `o.created_at >= ${bind(from)}::timestamptz`,
    sort === 'dated' && to && `o.created_at < ${bind(to)}::timestamptz`,
  ]
  return where.filter((condition): condition is string => Boolean(condition))
}

interface Statement {
  text: string
  values: unknown[]
}

/** What the statements of one page share: values, order, and where the page begins. */
function pageParts(query: OrderQuery) {
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value)}`
  const sort = sortOf(query)
  const status = indexedStatus(query)
  const columns = status ? sorts.status : sorts[sort]
  const direction = query.direction === 'asc' ? 'asc' : 'desc'
  const orderBy = `order by ${columns.map((column) => `${column} ${direction}`).join(', ')}`
  const cursor = readCursor(query.after, sort)
  const after = cursor && status ? [status, cursor.at(-1)] : cursor
  const bound = after?.map((value, index) => `${bind(value)}::${casts[columns[index] as string]}`)
  const begins = bound
    ? [`(${columns.join(', ')}) ${direction === 'asc' ? '>' : '<'} (${bound.join(', ')})`]
    : []
  const ordersWhere = (conditions: readonly string[]) =>
    `from orders o where ${[...conditions, ...begins, ...statusBounds(status, after ? direction : undefined, bind)].join(' and ') || 'true'}`
  return { values, bind, columns, orderBy, ordersWhere }
}

/**
 * Keeps a page to one status, which is a side of its index: by bounds, because with an equation PostgreSQL may go through the ids of all
 * orders instead, and after a rush the newest hundred thousand of them are in another status. The side on which a later page begins
 * (in this direction) has its bound already.
 */
function statusBounds(status: string | undefined, begun: 'asc' | 'desc' | undefined, bind: Bind): string[] {
  if (!status) return []
  const sides = [...(begun === 'asc' ? [] : ['>=']), ...(begun === 'desc' ? [] : ['<='])]
  return sides.map((side) => `o.status ${side} ${bind(status)}::text`)
}

/**
 * SQL and values of the ids of one page. A search is for an exact id, token or transaction id, or for the beginning of an address or an e-mail:
 * one indexed branch each, cut to the page before the branches are put together, so none is read whole. Where `many` buyers' e-mails begin with
 * it, it is a filter like others: a page looks through so many orders and says where the next one goes on, after what the text names exactly.
 */
export function operatorOrderListSql(query: OrderQuery, buyers: 'few' | 'many'): Statement {
  const { values, bind, columns, orderBy, ordersWhere } = pageParts(query)
  const limit = bind(query.limit + 1)
  const inOrder = (rows: number | string) => `${orderBy} limit ${rows}`
  const filters = filterConditions(query, bind)
  const lookedThrough = (conditions: readonly string[], joined = '') =>
    `select o.id from (select o.* ${ordersWhere(indexedConditions(query, bind))} ${inOrder(ORDERS_LOOKED_THROUGH)}) o ${joined}
      where ${conditions.join(' and ') || 'true'} ${inOrder(limit)}`
  const { search } = query
  if (!search) return { text: lookedThrough(filters), values }

  const text = bind(search)
  const exact = [`o.token = ${text}`, `o.transaction_id = ${text}`]
  if (isTransactionId(search)) exact.push(ofPayment(bind(search.toLowerCase())))
  if (/^\d{1,18}$/.test(search)) exact.push(`o.id = ${text}::bigint`)
  const address = `o.address ~>=~ ${text} and o.address ~<~ ${bind(search + HIGHEST)}`
  const [from, to] = emailRange(search).map(bind)
  const matches = `u.email_key ~>=~ ${from} and u.email_key ~<~ ${to}`
  const branch = (condition: string) =>
    `(select o.id ${ordersWhere([condition, ...filters])} ${inOrder(limit)})`
  if (buyers === 'many') {
    const named = exact.join(' or ')
    const found = lookedThrough(
      [...filters, `(${address} or ${matches})`, `(${named}) is not true`],
      'join users u on u.id = o.user_id',
    )
    const first = query.after
      ? []
      : exact.map((condition) => `select id, true as named from ${branch(condition)} o`)
    return { text: [...first, `select id, false from (${found}) o`].join(' union all '), values }
  }
  const ofMatching = `select o.id from (select u.id from users u where ${matches}) matching cross join lateral
    (select ${columns.join(', ')} ${ordersWhere(['o.user_id = matching.id', ...filters])} ${inOrder(limit)}) o`
  const branches = [...[...exact, address].map(branch), `(${ofMatching} ${inOrder(limit)})`]
  return {
    text: `select o.id from orders o where o.id in (${branches.join(' union all ')}) ${inOrder(limit)}`,
    values,
  }
}

/** Chains name transactions by 32 bytes in hexadecimal; other networks' ids stand as they are written. */
const isTransactionId = (text: string) => /^(0x)?[0-9a-f]{64}$/i.test(text)

/** Orders that a transaction paid or paid back. By chain, because the keys of payments and refunds begin with it. */
const ofPayment = (id: string) =>
  `o.id = any(array(select m.order_id from chains c cross join lateral (
      select p.order_id from payments p where p.chain = c.name and p.transaction_id = ${id}
      union all select r.order_id from refunds r where r.chain = c.name and r.transaction_id = ${id}) m))`

/** SQL of the last order that a page without a search looks through: none where it looked through all that there are. */
export function lastLookedThroughSql(query: OrderQuery): Statement {
  const { values, bind, orderBy, ordersWhere } = pageParts(query)
  const text = `select o.id, o.status, o.created_at::text as created_text, o.updated_at::text as updated_text
    ${ordersWhere(indexedConditions(query, bind))} ${orderBy} offset ${ORDERS_LOOKED_THROUGH - 1} limit 1`
  return { text, values }
}

/** The sort values after which the page begins; a mangled cursor is the first page. */
function readCursor(after: string | undefined, sort: Sort): string[] | undefined {
  if (!after) return undefined
  const parts = cursors[sort].safeParse(parseJson(Buffer.from(after, 'base64url').toString()))
  return parts.success ? parts.data : undefined
}

const idText = z.string().regex(/^\d{1,18}$/)
/** As PostgreSQL writes it in UTC. */
const time = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/)
const cursors = {
  created: z.tuple([idText]),
  dated: z.tuple([time, idText]),
  updated: z.tuple([time, idText]),
  status: z.tuple([z.enum(orderStatuses), idText]),
} as const satisfies Record<Sort, z.ZodType>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Position = Pick<OperatorRow, 'id' | 'status' | 'created_text' | 'updated_text'>

/** Where the page after this order begins. */
export function cursorAfter(row: Position, query: OrderQuery): string {
  const parts: Record<Sort, string[]> = {
    created: [row.id],
    dated: [row.created_text, row.id],
    updated: [row.updated_text, row.id],
    status: [row.status, row.id],
  }
  return Buffer.from(JSON.stringify(parts[sortOf(query)])).toString('base64url')
}
