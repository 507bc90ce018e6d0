import type { BuyerOrder } from '../../shared/api/orders.ts'
import type { OperatorPayment } from '../../shared/api/payments.ts'
import type { Network } from '../../shared/networks.ts'
import type { PaymentState } from '../../shared/payment-states.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { paymentActions } from './payment-actions.ts'
import { type ExplorerUrl, operatorPayment, type PaymentRow, selectPayments } from './payment-rows.ts'

const SETTLE_MAX = 1_000
/** Strangers can send thousands in one transaction. */
const SHOWN_MOST = 100
const LAST_ID = '9223372036854775807'

type ShownPayments = Pick<BuyerOrder, 'payments' | 'others'>

export interface PaymentFilter {
  readonly after?: string | undefined
  readonly limit: number
  readonly toDecide?: boolean | undefined
  readonly state?: PaymentState | undefined
  readonly network?: Network | undefined
  readonly search?: string | undefined
}

export interface ReceivedPaymentsNeeds {
  readonly db: Database
  readonly explorerUrl: ExplorerUrl
}

export class ReceivedPayments {
  readonly actions: ReturnType<typeof paymentActions>
  readonly #db: Database
  readonly #explorerUrl: ExplorerUrl

  constructor({ db, explorerUrl }: ReceivedPaymentsNeeds) {
    this.#db = db
    this.#explorerUrl = explorerUrl
    this.actions = paymentActions(explorerUrl)
  }

  // Rules: ORDER-19
  /**
   * At most 100, oldest first: those that bought or are owed, then those on their way, then the newest.
   * `others` sums up the rest.
   */
  async ofOrder(tx: Queryable, orderId: string): Promise<ShownPayments> {
    const rows = await tx.query<PaymentRow>(
      sql`with shown as materialized (
            select id from payments where order_id = ${orderId}
             order by credited + owed > 0 desc, alive and not confirmed desc, id desc limit ${SHOWN_MOST})
          ${selectPayments} where p.id in (select id from shown) order by p.seen_at, p.id`,
    )
    const payments = rows.map((row) => ({
      id: row.id,
      transactionId: row.transaction_id,
      amount: row.amount,
      currency: row.currency,
      state: row.state,
      confirmations: row.confirmations,
      confirmationsNeeded: row.confirmations_needed,
      seenAt: row.seen_at.toISOString(),
      explorerUrl: this.#explorerUrl(row.chain, row.transaction_id),
    }))
    if (rows.length < SHOWN_MOST) return { payments, others: null }
    const others = await tx.one<NonNullable<ShownPayments['others']>>(
      sql`select count(*)::integer as count,
                 coalesce(sum(p.amount) filter (where p.alive and p.currency_id = o.currency_id), 0)::text as amount,
                 coalesce(sum(p.amount) filter (where p.alive and p.currency_id = o.currency_id
                                                  and p.confirmed and p.credited + p.owed = 0), 0)::text as "tooLittle"
            from payments p join orders o on o.id = p.order_id
           where p.order_id = ${orderId} and p.id <> all(${rows.map(({ id }) => id)}::bigint[])`,
    )
    return { payments, others: others.count === 0 ? null : others }
  }

  // Rules: SETTLE-15
  /**
   * Orders whose settlement failed, at most a thousand, each in its own transaction. One that fails again is
   * put off with its error and blocks no other. Returns the number settled.
   */
  async settleDue(): Promise<number> {
    const due = await this.#db.query<{ id: string }>(
      sql`select id from orders where settle_at <= clock_timestamp() order by settle_at, id limit ${SETTLE_MAX}`,
    )
    let count = 0
    for (const { id } of due) {
      const { settled } = await this.#db.one<{ settled: boolean }>(
        sql`select settle_or_put_off(${id}) as settled`,
      )
      if (settled) count += 1
    }
    return count
  }

  /** Newest first; `toDecide`: without an order or of another asset. */
  async list(filter: PaymentFilter): Promise<{ items: OperatorPayment[]; next: string | null }> {
    const { after, limit, toDecide = null, state = null, network = null } = filter
    const from = after && /^\d{1,18}$/.test(after) ? after : LAST_ID
    const search = filter.search || null
    const rows = await this.#db.query<PaymentRow>(
      sql`${selectPayments}
           where p.id < ${from} and (${toDecide}::boolean is not true or is_to_decide(p))
             and (${state}::text is null or payment_state(p) = ${state}) and (${network}::text is null or p.chain = ${network})
             and (${search}::text is null or p.transaction_id = ${search} or p.address = ${search} or p.order_id::text = ${search})
           order by p.id desc limit ${limit + 1}`,
    )
    const items = rows.slice(0, limit)
    return {
      items: items.map((row) => operatorPayment(row, this.#explorerUrl)),
      next: rows.length > limit ? (items.at(-1)?.id ?? null) : null,
    }
  }
}
