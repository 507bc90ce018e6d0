import type { BuyerOrder } from '../../shared/api/orders.ts'
import type { OperatorPayment } from '../../shared/api/payments.ts'
import type { Network } from '../../shared/networks.ts'
import type { PaymentState } from '../../shared/payment-states.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { BuyerActor, UnitOfWork, UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { lockOwnOrder } from './own-order.ts'
import { paymentActions } from './payment-actions.ts'
import { type ExplorerUrl, operatorPayment, type PaymentRow, selectPayments } from './payment-rows.ts'

const SETTLE_MAX = 1_000
const LAST_ID = '9223372036854775807'

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
  readonly units: UnitsOfWork
  readonly explorerUrl: ExplorerUrl
}

/** What the chains showed of payments to our addresses. */
export class ReceivedPayments {
  readonly actions: ReturnType<typeof paymentActions>
  readonly #db: Database
  readonly #units: UnitsOfWork
  readonly #explorerUrl: ExplorerUrl

  constructor({ db, units, explorerUrl }: ReceivedPaymentsNeeds) {
    this.#db = db
    this.#units = units
    this.#explorerUrl = explorerUrl
    this.actions = paymentActions(explorerUrl)
  }

  /** What the chains show for these orders, by order id. */
  async ofOrders(tx: Queryable, orderIds: readonly string[]): Promise<Map<string, BuyerOrder['payments']>> {
    const byOrder = new Map<string, BuyerOrder['payments']>()
    if (orderIds.length === 0) return byOrder
    const rows = await tx.query<PaymentRow>(
      sql`${selectPayments} where p.order_id = any(${orderIds}::bigint[]) order by p.order_id, p.seen_at, p.id`,
    )
    for (const row of rows) {
      const list = byOrder.get(row.order_id ?? '') ?? []
      list.push({
        id: row.id,
        transactionId: row.transaction_id,
        amount: row.amount,
        currency: row.currency,
        state: row.state,
        confirmations: row.confirmations,
        confirmationsNeeded: row.confirmations_needed,
        seenAt: row.seen_at.toISOString(),
        explorerUrl: this.#explorerUrl(row.chain, row.transaction_id),
      })
      byOrder.set(row.order_id ?? '', list)
    }
    return byOrder
  }

  // Rules: SETTLE-15
  /**
   * Settles orders whose windows have ended, at most a thousand, each in a transaction of its own: one that fails is put off with its
   * error, for operators to see, and stops no other. Returns how many were settled.
   */
  async settleDue(): Promise<number> {
    const due = await this.#db.query<{ id: string }>(
      sql`select id from orders where settle_at <= clock_timestamp() order by settle_at, id limit ${SETTLE_MAX}`,
    )
    let count = 0
    for (const { id } of due)
      try {
        const { settled } = await this.#db.one<{ settled: boolean }>(
          sql`select settle_due_order(${id}) as settled`,
        )
        if (settled) count += 1
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        await this.#db.query(sql`select put_settlement_off(${id}, ${reason})`)
      }
    return count
  }

  /** Newest first; `toDecide` for those that belong to no order or are of another asset. */
  async list(filter: PaymentFilter): Promise<{ items: OperatorPayment[]; next: string | null }> {
    const { after, limit, toDecide = null, state = null, network = null } = filter
    const from = after && /^\d{1,18}$/.test(after) ? after : LAST_ID
    const search = filter.search || null
    const rows = await this.#db.query<PaymentRow>(
      sql`${selectPayments}
           where p.id < ${from} and (${toDecide}::boolean is not true or is_to_decide(p))
             and (${state}::text is null or p.state = ${state}) and (${network}::text is null or p.chain = ${network})
             and (${search}::text is null or p.transaction_id = ${search} or p.address = ${search} or p.order_id::text = ${search})
           order by p.id desc limit ${limit + 1}`,
    )
    const items = rows.slice(0, limit)
    return {
      items: items.map((row) => operatorPayment(row, this.#explorerUrl)),
      next: rows.length > limit ? (items.at(-1)?.id ?? null) : null,
    }
  }

  // Rules: LATE-2
  /**
   * For a payment that came too late: tokens at today's rate, or the money back. Refuses order_unknown, order_state, sale_paused,
   * currency_off, currency_paused, rate_stale, stage_closed.
   */
  chooseLate(
    actor: BuyerActor,
    token: string,
    choice: 'tokens' | 'refund',
  ): Promise<Pick<BuyerOrder, 'number' | 'token' | 'status' | 'detail'>> {
    return this.#units.run(actor, async (unit) => {
      const order = await lockOwnOrder(unit, actor.userId, token)
      if (!order.may_choose) refuse('order_state')
      if (choice === 'tokens') await refuseUnsellable(unit, order.currency_id)
      await unit.query(
        sql`update orders set late_choice = ${choice}, late_choice_at = clock_timestamp(), updated_at = clock_timestamp()
             where id = ${order.id}`,
      )
      await unit.noteOrderEvent(order.id, 'late_choice', { choice })
      await unit.query(sql`select settle_order(${order.id})`)
      const shown = await unit.one<Pick<BuyerOrder, 'token' | 'status' | 'detail'>>(
        sql`select token, status, detail from orders where id = ${order.id}`,
      )
      return { number: Number(order.id), ...shown }
    })
  }
}

async function refuseUnsellable(unit: UnitOfWork, currencyId: number): Promise<void> {
  const now = await unit.one<{
    sale_paused: boolean
    off: boolean
    paused: boolean
    fresh: boolean
    open: boolean
  }>(
    sql`select c.paused_at is not null as sale_paused, k.switched_off_at is not null as off, k.paused_at is not null as paused,
               r.rate is not null as fresh,
               exists (select 1 from stages where starts_at <= clock_timestamp() and ends_at > clock_timestamp()) as open
          from campaign c, currencies k, rate_at(${currencyId}, clock_timestamp()) r where k.id = ${currencyId}`,
  )
  if (now.sale_paused) refuse('sale_paused')
  if (now.off) refuse('currency_off')
  if (now.paused) refuse('currency_paused')
  if (!now.fresh) refuse('rate_stale')
  if (!now.open) refuse('stage_closed')
}
