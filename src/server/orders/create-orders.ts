import { createBatches } from '../database/batches.ts'
import { type Database, sql } from '../database/database.ts'
import { bytesOf, recordsOf } from '../database/records.ts'
import type { PricedPurchase } from './pricing.ts'

/** Fields: see the type order_request. */
export interface NewOrder {
  readonly userId: string
  readonly token: string
  readonly idempotencyKey: string | null
  readonly requestHash: Buffer | null
  readonly declarations: string
  readonly isSent: boolean
  readonly purchase: PricedPurchase
  readonly to: OrderPlace
}

/** A wallet's address, a place in an escrow, or a fixed address. */
export interface OrderPlace {
  readonly place: string
  readonly key: string
  readonly walletId: number | null
  readonly walletIndex: number | null
  readonly orderKey: string | null
}

export interface CreatedOrder {
  readonly refusal: string | null
  readonly order_id: string | null
  readonly order_token: string | null
  readonly order_address: string | null
  readonly crypto_amount: string | null
  readonly order_expires_at: Date | null
  readonly replayed: boolean
}

/** Two writes keep the database busy while the next one gathers; more would shrink each. */
const RUNS_MAX = 2
const BATCH_MAX = 32

export interface OrderWriterOptions {
  readonly batching: boolean
}

/** With `batching` several orders share a statement and commit, and are acknowledged afterwards. */
export function createOrderWriter(
  db: Database,
  { batching }: OrderWriterOptions,
): (order: NewOrder) => Promise<CreatedOrder> {
  const write = (orders: readonly NewOrder[]) => writeOrders(db, orders)
  if (!batching) return async (order) => (await write([order]))[0] as CreatedOrder
  return createBatches({
    run: write,
    sizeMax: BATCH_MAX,
    runsMax: RUNS_MAX,
    keyOf: (order) => order.userId,
  })
}

/** Row n answers order n. */
function writeOrders(db: Database, orders: readonly NewOrder[]): Promise<CreatedOrder[]> {
  return db.query<CreatedOrder>(
    sql`select * from create_orders(${recordsOf(orders.map(fieldsOf))}::order_request[])`,
  )
}

function fieldsOf({ purchase: { row, amounts, heldPercent }, to, ...order }: NewOrder) {
  const { baseTokens, bonusTokens, bonusPercent, usd, cryptoAmount, rate } = amounts
  return [
    order.userId,
    order.token,
    order.idempotencyKey,
    bytesOf(order.requestHash),
    order.declarations,
    String(order.isSent),
    String(row.currency_id),
    String(row.stage_id),
    `(${[baseTokens, bonusTokens, bonusPercent, usd, cryptoAmount, rate].join(',')})`,
    amounts.priceUsd,
    heldPercent,
    amounts.levelKey,
    to.place,
    to.key,
    String(row.watched),
    textOf(to.walletId),
    textOf(to.walletIndex),
    textOf(row.escrow_id),
    to.orderKey,
  ]
}

const textOf = (number: number | null) => (number === null ? null : String(number))
