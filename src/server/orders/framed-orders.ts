import { createHash } from 'node:crypto'
import type { FramedOrder } from '../../shared/api/framed-orders.ts'
import { add, writeAmount } from '../../shared/money.ts'
import type { OrderDetail, OrderStatus } from '../../shared/order-states.ts'
import { type Database, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

const ORDERS_MAX = 20

/**
 * For a checkout in a frame on another site, which has no session of the buyer. The frame puts a key's hash
 * into the link; the buyer consents on the site; then the key reads the order.
 */
export class FramedOrders {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  // Rules: TEXT-18
  /** Lets the key with this hash read the order; null revokes it. */
  async tell(userId: string, token: string, keyHash: string | null): Promise<{ isTold: boolean }> {
    // A deletion of the account waits for this lock, so that no row outlives it.
    const order = await this.#db.maybeOne(
      keyHash === null
        ? sql`with own as (select id from orders where token = ${token} and user_id = ${userId}),
                   gone as (delete from framed_orders f using own where f.order_id = own.id)
              select id from own`
        : sql`with buyer as (select id from users where id = ${userId} and deleted_at is null for key share)
              insert into framed_orders (order_id, key_hash)
              select o.id, ${Buffer.from(keyHash, 'base64url')}
                from orders o join buyer on buyer.id = o.user_id where o.token = ${token}
              on conflict (order_id) do update set key_hash = excluded.key_hash, told_at = excluded.told_at
              returning order_id`,
    )
    if (!order) refuse('order_unknown')
    return { isTold: keyHash !== null }
  }

  /** Newest first. */
  async follow(key: string): Promise<FramedOrder[]> {
    const rows = await this.#db.query<{
      id: string
      status: OrderStatus
      detail: OrderDetail
      base_tokens: string
      bonus_tokens: string
      currency: string
      crypto_amount: string
    }>(
      sql`select o.id, o.status, o.detail, o.base_tokens, o.bonus_tokens, o.currency, o.crypto_amount
            from framed_orders f join orders o on o.id = f.order_id
           where f.key_hash = ${createHash('sha256').update(key).digest()}
             and f.told_at > clock_timestamp() - make_interval(days => 30)
           order by o.id desc limit ${ORDERS_MAX}`,
    )
    return rows.map((row) => ({
      number: Number(row.id),
      status: row.status,
      detail: row.detail,
      tokens: writeAmount(add(row.base_tokens, row.bonus_tokens)),
      currency: row.currency,
      amount: row.crypto_amount,
    }))
  }
}
