import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

export interface OwnOrder {
  id: string
  currency_id: number
  /** Whether the order's state lets the buyer choose what becomes of a late payment. */
  may_choose: boolean
}

/** Locks a buyer's own order in the caller's transaction. Refuses order_unknown, also for an order of somebody else. */
export async function lockOwnOrder(tx: Queryable, userId: string, token: string): Promise<OwnOrder> {
  const order = await tx.maybeOne<OwnOrder>(
    sql`select o.id, o.currency_id, order_allows('choose_late', o.status, o.detail, o.hidden, o.watched) as may_choose
          from orders o
         where o.token = ${token} and o.user_id = ${userId} for update`,
  )
  return order ?? refuse('order_unknown')
}
