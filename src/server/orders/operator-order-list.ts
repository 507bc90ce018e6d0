import { z } from 'zod'
import type { operatorOrderQuery } from '../../shared/api/orders-schemas.ts'
import { type OrderView, orderStatuses } from '../../shared/order-states.ts'
import { fragment } from '../database/database.ts'
import { type OrderRow, orderColumns } from './order-rows.ts'

export interface OperatorRow extends OrderRow {
  /** With microseconds, which a Date lacks: a page from a rounded time would lose rows. */
  created_text: string
  updated_text: string
  email: string | null
  reference: string
  paid_by: string | null
  /** Payments are owed back, no order is approved. */
  cap_missed: boolean
  /** Operators can no longer approve it. */
  approval_over: boolean
}

/** `paid_by`: the first payment's transaction, beside the buyer's own. */
export const operatorColumns = fragment`${orderColumns}, o.created_at::text as created_text, o.updated_at::text as updated_text,
  u.email, u.reference, (select p.transaction_id from payments p where p.order_id = o.id order by p.id limit 1) as paid_by,
  exists (select from campaign where soft_cap_verdict = 'missed') as cap_missed, approval_is_over(o.expires_at, clock_timestamp()) as approval_over`
export const operatorSource = fragment`orders o join currencies k on k.id = o.currency_id join users u on u.id = o.user_id`

export type OrderQuery = z.output<typeof operatorOrderQuery>
export type OrderFilter = Omit<OrderQuery, 'after' | 'limit' | 'sort' | 'direction'>

const undecidedPayments = 'select p.order_id from payments p where p.final_at is null'

/**
 * By tab. An order's state is computed, so each condition first selects candidates by index; pages and counts
 * up to a thousand cost the same at any number of orders.
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

export const viewCondition = (view: OrderView): string => views[view]

/** The unique id last; each has an index. A range of days sorts by creation. */
const sorts = {
  created: ['o.id'],
  dated: ['o.created_at', 'o.id'],
  updated: ['o.updated_at', 'o.id'],
  status: ['o.status', 'o.id'],
} as const satisfies Record<OrderQuery['sort'] | 'dated', readonly string[]>
type Sort = keyof typeof sorts

const sortOf = ({ sort, from, to }: OrderQuery): Sort => (sort === 'created' && (from || to) ? 'dated' : sort)

/** The status whose index part serves the list. */
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

/** Per page when no index serves the filter; the page returns where the next one starts. */
export const ORDERS_LOOKED_THROUGH = 4_000
/** Sorts behind every text with the prefix. */
const HIGHEST = '\u{10FFFF}'
export const emailRange = (search: string) => [search.toLowerCase(), search.toLowerCase() + HIGHEST]

type Bind = (value: unknown) => string

/** Conditions on orders `o`, without the search. */
export function filterConditions(filter: OrderFilter, bind: Bind): string[] {
  const { view, status, hidden, user, search, from, to, currency } = filter
  const { usdMin, usdMax, via, mailbox, level, country } = filter
  const where: (string | false | undefined)[] = [
    view ? viewCondition(view) : !hidden && 'not o.hidden',
    !view && user === undefined && !search && 'o.sent_at is not null',
    user !== undefined && `o.user_id = ${bind(user)}`,
    status && statusCondition(status, bind),
    from && `o.created_at >= ${bind(from)}::timestamptz`,
    to && `o.created_at < ${bind(to)}::timestamptz`,
    currency && `o.currency = ${bind(currency)}`,
    usdMin && `o.usd >= ${bind(usdMin)}::numeric`,
    usdMax && `o.usd <= ${bind(usdMax)}::numeric`,
    via && `o.approved_via = ${bind(via)}`,
    mailbox &&
      `exists (select from users b where b.id = o.user_id and (b.confirmed_at is not null) = ${bind(mailbox === 'confirmed')}::boolean)`,
    country && `o.declarations ->> 'country' = ${bind(country)}`,
    level && `o.level_key = ${bind(level)}`,
  ]
  return where.filter((condition): condition is string => Boolean(condition))
}

const statusCondition = (status: readonly string[], bind: Bind) =>
  status.length === 1 ? `o.status = ${bind(status[0])}` : `o.status = any(${bind(status)}::text[])`

/** Served by the sort's index; the others filter its rows. */
function indexedConditions(query: OrderQuery, bind: Bind): string[] {
  const { view, status, user, from, to } = query
  const sort = sortOf(query)
  const where: (string | false | undefined)[] = [
    user !== undefined && `o.user_id = ${bind(user)}`,
    sort === 'created' && view && viewCondition(view),
    // Several statuses can't use one's index; a single one is in the page's bounds.
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
 * For one status, a part of its index. By bounds: with equality PostgreSQL may scan all orders by id, and
 * after a rush the newest hundred thousand have another status. A later page already has one of the bounds.
 */
function statusBounds(status: string | undefined, begun: 'asc' | 'desc' | undefined, bind: Bind): string[] {
  if (!status) return []
  const sides = [...(begun === 'asc' ? [] : ['>=']), ...(begun === 'desc' ? [] : ['<='])]
  return sides.map((side) => `o.status ${side} ${bind(status)}::text`)
}

/**
 * A search matches an exact id, token or transaction id, or the beginning of an address or e-mail. Each is an
 * indexed branch limited to the page. If `many` buyers' e-mails match, the search is a filter instead: a page
 * scans a fixed number of orders after the exact matches and returns where the next one starts.
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

/** Chains use 32 bytes in hex; other ids compare as written. */
const isTransactionId = (text: string) => /^(0x)?[0-9a-f]{64}$/i.test(text)

/** Paid or refunded; by chain, because the indexes begin with it. */
const ofPayment = (id: string) =>
  `o.id = any(array(select m.order_id from chains c cross join lateral (
      select p.order_id from payments p where p.chain = c.name and p.transaction_id = ${id}
      union all select r.order_id from refunds r where r.chain = c.name and r.transaction_id = ${id}) m))`

/** The last order that a page without a search scans; no row if it scanned all. */
export function lastLookedThroughSql(query: OrderQuery): Statement {
  const { values, bind, orderBy, ordersWhere } = pageParts(query)
  const text = `select o.id, o.status, o.created_at::text as created_text, o.updated_at::text as updated_text
    ${ordersWhere(indexedConditions(query, bind))} ${orderBy} offset ${ORDERS_LOOKED_THROUGH - 1} limit 1`
  return { text, values }
}

/** A malformed cursor means the first page. */
function readCursor(after: string | undefined, sort: Sort): string[] | undefined {
  if (!after) return undefined
  const parts = cursors[sort].safeParse(parseJson(Buffer.from(after, 'base64url').toString()))
  return parts.success ? parts.data : undefined
}

const idText = z.string().regex(/^\d{1,18}$/)
/** PostgreSQL's format, in UTC. */
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

export function cursorAfter(row: Position, query: OrderQuery): string {
  const parts: Record<Sort, string[]> = {
    created: [row.id],
    dated: [row.created_text, row.id],
    updated: [row.updated_text, row.id],
    status: [row.status, row.id],
  }
  return Buffer.from(JSON.stringify(parts[sortOf(query)])).toString('base64url')
}
