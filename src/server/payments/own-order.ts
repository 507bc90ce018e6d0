import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

export interface OwnOrder {
  id: string
  currency_id: number
}

export async function lockOwnOrder(tx: Queryable, userId: string, token: string): Promise<OwnOrder> {
  const order = await tx.maybeOne<OwnOrder>(
    sql`select id, currency_id from orders where token = ${token} and user_id = ${userId} for update`,
  )
  return order ?? refuse('order_unknown')
}
