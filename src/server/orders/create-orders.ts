import { createBatches } from '../database/batches.ts'
import { type Database, sql } from '../database/database.ts'
import { bytesOf, recordsOf } from '../database/records.ts'

/** One request to the SQL function create_orders. */
export interface NewOrder {
  readonly userId: string
  readonly quoteId: string
  readonly token: string
  readonly idempotencyKey: string | null
  readonly requestHash: Buffer | null
  /** What the buyer declared, as JSON text. */
  readonly declarations: string
}

export interface CreatedOrder {
  readonly refusal: string | null
  readonly order_id: string | null
  readonly order_token: string | null
  readonly order_address: string | null
  readonly order_expires_at: Date | null
  readonly replayed: boolean
}

/** Two writes under way keep the database busy while the next one gathers; more make each of them smaller. */
const RUNS_MAX = 2
const BATCH_MAX = 32

export interface OrderWriterOptions {
  /** Off: each order is a write of its own. */
  readonly batching: boolean
  /** Unpaid orders that one buyer may have; null: any number. */
  readonly openLimit: number | null
}

/** Writes orders; with `batching` several share a statement and its commit, and each is acknowledged after it. */
export function createOrderWriter(
  db: Database,
  { batching, openLimit }: OrderWriterOptions,
): (order: NewOrder) => Promise<CreatedOrder> {
  const write = (orders: readonly NewOrder[]) => writeOrders(db, orders, openLimit)
  if (!batching) return async (order) => (await write([order]))[0] as CreatedOrder
  return createBatches({
    run: write,
    sizeMax: BATCH_MAX,
    runsMax: RUNS_MAX,
    keyOf: (order) => order.userId,
  })
}

/** Row n of the answer is order n's. */
function writeOrders(
  db: Database,
  orders: readonly NewOrder[],
  openLimit: number | null,
): Promise<CreatedOrder[]> {
  const requests = recordsOf(
    orders.map(({ userId, quoteId, token, idempotencyKey, requestHash, declarations }) => [
      userId,
      quoteId,
      token,
      idempotencyKey,
      bytesOf(requestHash),
      declarations,
    ]),
  )
  return db.query<CreatedOrder>(sql`select * from create_orders(${requests}::order_request[], ${openLimit})`)
}
