import type { z } from 'zod'
import type { OperatorOrder, OrderCounts } from '../../shared/api/orders.ts'
import type { operatorOrderPage } from '../../shared/api/orders-schemas.ts'
import { add, trimZeros, writeAmount } from '../../shared/money.ts'
import { createBatches } from '../database/batches.ts'
import { composed, type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { hidingActions } from './hiding-actions.ts'
import {
  cursorAfter,
  emailRange,
  lastLookedThroughSql,
  type OperatorRow,
  type OrderQuery,
  operatorColumns,
  operatorOrderListSql,
  operatorSource,
  type Position,
  viewCondition,
} from './operator-order-list.ts'
import { allowedActions, withheldBy } from './order-rows.ts'
import { type OrderPayments, orderEvents } from './orders.ts'

/** With more matching buyers, orders are scanned instead of each buyer's own. */
const MATCHING_BUYERS_FEW = 2_000
/** Limits a count's cost. */
const COUNTED_MAX = 1_000

export interface OperatorOrdersNeeds {
  readonly db: Database
  readonly payments: OrderPayments
}

export class OperatorOrders {
  readonly actions = hidingActions
  readonly #db: Database
  readonly #payments: OrderPayments
  readonly #find: (id: string) => Promise<OperatorRow | undefined>

  constructor({ db, payments }: OperatorOrdersNeeds) {
    this.#db = db
    this.#payments = payments
    // One statement reads orders decided at once.
    this.#find = createBatches<string, OperatorRow | undefined>({
      run: (ids) => findOrders(db, ids),
      sizeMax: 100,
      runsMax: Number.POSITIVE_INFINITY,
    })
  }

  /** A page may have fewer rows and still a `next`. */
  async list(query: OrderQuery): Promise<{ items: OperatorOrder[]; next: string | null }> {
    const { ids, isCut, end } = await this.#db.transaction(async (tx) => {
      // For prefix searches a generic plan would scan the table.
      await tx.query(sql`set local plan_cache_mode = force_custom_plan`)
      const buyers = query.search ? await matchingBuyers(tx, query.search) : null
      const { text, values } = operatorOrderListSql(query, buyers ?? 'few')
      const found = await tx.query<{ id: string; named?: boolean }>(composed(text, values))
      const named = found.filter((row) => row.named).map(({ id }) => id)
      const listed = found.filter((row) => !row.named).map(({ id }) => id)
      const hasMore = listed.length > query.limit
      return {
        ids: [...new Set(named), ...listed.slice(0, query.limit)],
        isCut: hasMore,
        end: hasMore || buyers === 'few' ? undefined : await lookedThrough(tx, query),
      }
    })
    const rows = await findOrders(this.#db, ids)
    const items = rows.filter((row) => row !== undefined)
    const last = isCut ? items.at(-1) : end
    return { items: items.map(operatorOrder), next: last ? cursorAfter(last, query) : null }
  }

  /** By tab, at most a thousand and one. */
  async counts(): Promise<OrderCounts> {
    const counted = (condition: string) =>
      `(select count(*)::integer from (select from orders o where ${condition} limit ${COUNTED_MAX + 1}) counted)`
    const row = await this.#db.one<Record<keyof OrderCounts, number>>(
      composed(
        `select ${counted(viewCondition('waiting'))} as waiting, ${counted(viewCondition('with_transaction_id'))} as with_transaction_id,
                ${counted(viewCondition('seen'))} as seen, ${counted(viewCondition('odd'))} as odd,
                ${counted(`o.status = 'approved' and not o.hidden`)} as approved, ${counted('not o.hidden')} as all`,
        [],
      ),
    )
    const bounded = (count: number) => ({ count: Math.min(count, COUNTED_MAX), isMore: count > COUNTED_MAX })
    return {
      waiting: bounded(row.waiting),
      with_transaction_id: bounded(row.with_transaction_id),
      seen: bounded(row.seen),
      odd: bounded(row.odd),
      approved: bounded(row.approved),
      all: bounded(row.all),
    }
  }

  async row(id: string): Promise<OperatorOrder> {
    return operatorOrder(await this.#row(id))
  }

  async show(id: string): Promise<z.input<typeof operatorOrderPage>> {
    const found = await this.#row(id)
    const [events, paid, entries, same] = await Promise.all([
      orderEvents(this.#db, id),
      this.#payments.ofOrder(this.#db, id),
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
      ...paid,
      entries,
    }
  }

  async #row(id: string): Promise<OperatorRow> {
    return (await this.#find(id)) ?? refuse('order_unknown')
  }
}

async function findOrders(db: Database, ids: readonly string[]): Promise<(OperatorRow | undefined)[]> {
  const found = await db.query<OperatorRow>(
    sql`select ${operatorColumns} from ${operatorSource} where o.id = any(${ids}::bigint[])`,
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

/** The cheaper plan depends on it. */
async function matchingBuyers(tx: Queryable, search: string | undefined): Promise<'few' | 'many'> {
  if (!search) return 'few'
  const [from, to] = emailRange(search)
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::integer as count from (
          select from users where email_key ~>=~ ${from} and email_key ~<~ ${to} limit ${MATCHING_BUYERS_FEW + 1}) matching`,
  )
  return count > MATCHING_BUYERS_FEW ? 'many' : 'few'
}

/** Undefined at the end. */
function lookedThrough(tx: Queryable, query: OrderQuery): Promise<Position | undefined> {
  const { text, values } = lastLookedThroughSql(query)
  return tx.maybeOne<Position>(composed(text, values))
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
    network: row.network,
    currency: row.currency,
    cryptoAmount: row.crypto_amount,
    askedAmount: row.asked_amount,
    askedTokens: row.asked_tokens,
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
    paidBy: row.paid_by,
    country: countryOf(row.declarations),
    approvedVia: row.approved_via,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    approvedAt: row.approved_at?.toISOString() ?? null,
    actions: allowedActions(row).filter((action) => !(action === 'approve' && approvalWithheldBy(row))),
    withheld: withheldBy(row) ?? approvalWithheldBy(row),
  }
}

/** Why nobody can approve the order, only reject it. */
function approvalWithheldBy(row: OperatorRow) {
  if (row.cap_missed) return 'soft_cap_missed'
  if (row.watched) return 'order_on_chain'
  if (row.status === 'pending' && row.email === null) return 'user_unknown'
  return row.status === 'pending' && row.approval_over ? 'approval_over' : null
}

const countryOf = ({ country }: OperatorRow['declarations']) => (typeof country === 'string' ? country : null)
