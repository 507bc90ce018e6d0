import { type Database, statement } from '../database/database.ts'

/** One call of the SQL function create_order. */
export interface NewOrder {
  readonly userId: string
  readonly quoteId: string
  readonly token: string
  readonly idempotencyKey: string | null
  readonly requestHash: Buffer | null
  /** What the buyer declared, as JSON text. */
  readonly declarations: string
  readonly openLimit: number | null
}

export interface CreatedOrder {
  readonly refusal: string | null
  readonly order_id: string | null
  readonly order_token: string | null
  readonly order_address: string | null
  readonly order_expires_at: Date | null
  readonly replayed: boolean
}

const CREATE = statement('order_create', 'select * from create_order($1, $2, $3, $4, $5, $6, $7)')

/** The same for several orders: one commit, and each acknowledged after it. */
const CREATE_BATCH = statement(
  'order_create_batch',
  `select r.* from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::jsonb[], $7::integer[])
                   with ordinality as b(user_id, quote_id, token, idempotency_key, request_hash, declarations, open_limit, position),
          lateral create_order(b.user_id, b.quote_id, b.token, b.idempotency_key, b.request_hash, b.declarations, b.open_limit) r
    order by b.position`,
)

const values = (order: NewOrder) => [
  order.userId,
  order.quoteId,
  order.token,
  order.idempotencyKey,
  order.requestHash,
  order.declarations,
  order.openLimit,
]

/** Batches under way at once, and orders in one. Few connections keep their slots warm; the rest wait and ride together. */
const FLIGHTS_MAX = 3
const BATCH_MAX = 32

const byBuyer = (a: Waiting, b: Waiting) =>
  a.order.userId < b.order.userId ? -1 : a.order.userId > b.order.userId ? 1 : 0

interface Waiting {
  order: NewOrder
  resolve: (created: CreatedOrder) => void
  reject: (error: unknown) => void
}

/**
 * Writes orders. With `batching`, an order that finds all flights taken waits for the next one and shares its commit; an idle
 * server writes each at once. A batch that fails as a whole is written order by order, so that nobody pays for a neighbour.
 */
export function createOrderWriter(
  db: Database,
  batching: boolean,
): (order: NewOrder) => Promise<CreatedOrder> {
  const writeOne = (order: NewOrder) => db.one<CreatedOrder>(CREATE, values(order))
  if (!batching) return writeOne

  const queue: Waiting[] = []
  let flights = 0

  const fly = async (batch: Waiting[]) => {
    flights += 1
    try {
      if (batch.length === 1) await settle(batch[0] as Waiting)
      else await writeTogether(batch)
    } finally {
      flights -= 1
      depart()
    }
  }

  const settle = (waiting: Waiting) => writeOne(waiting.order).then(waiting.resolve, waiting.reject)

  const writeTogether = async (batch: Waiting[]) => {
    const columns = [0, 1, 2, 3, 4, 5, 6].map((column) => batch.map(({ order }) => values(order)[column]))
    try {
      const rows = await db.query<CreatedOrder>(CREATE_BATCH, columns)
      batch.forEach((waiting, index) => waiting.resolve(rows[index] as CreatedOrder))
    } catch {
      for (const waiting of batch) await settle(waiting)
    }
  }

  const depart = () => {
    // By buyer, so that two batches take their buyers' locks in one order.
    while (flights < FLIGHTS_MAX && queue.length > 0) void fly(queue.splice(0, BATCH_MAX).toSorted(byBuyer))
  }

  return (order) =>
    new Promise((resolve, reject) => {
      queue.push({ order, resolve, reject })
      // One turn of the event loop gathers what arrived together.
      if (queue.length === 1) setImmediate(depart)
    })
}
