import { type WebhookEvent, webhookEvents } from '../../shared/api/integrations.ts'
import { shownAddress } from '../../shared/escrow-places.ts'
import { type Queryable, sql } from '../database/database.ts'

export interface OutboxEvent {
  readonly kind: string
  readonly order_id: string | null
  readonly user_id: string | null
  readonly payload: object
}

export interface Told {
  readonly event: WebhookEvent
  readonly data: object
}

/** `order_approved` → `order.approved`; undefined without such an event. */
export function eventOf(kind: string): WebhookEvent | undefined {
  const name = kind.replace('_', '.')
  return webhookEvents.find((event) => event === name && event !== 'webhook.test')
}

/** Current figures and public references, never a name, e-mail or secret token. */
export async function factsOf(tx: Queryable, events: readonly OutboxEvent[]): Promise<Told[]> {
  const orders = await ordersById(
    tx,
    events.flatMap((event) => event.order_id ?? []),
  )
  const references = await referencesById(
    tx,
    events.flatMap((event) => event.user_id ?? []),
  )
  const money = await moneyByKey(tx, events)
  const factOf = ({ order_id: order, user_id: user, payload }: OutboxEvent): object => {
    if (order !== null) return orders.get(order) ?? { id: order }
    return user === null ? payload : { user: references.get(user) ?? null }
  }
  return events.flatMap((event) => {
    const name = eventOf(event.kind)
    if (!name) return []
    return [{ event: name, data: money.get(keyOf(event)) ?? factOf(event) }]
  })
}

async function referencesById(tx: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<{ id: string; reference: string }>(
    sql`select id, reference from users where id = any(${ids}::bigint[])`,
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

async function ordersById(tx: Queryable, ids: readonly string[]): Promise<Map<string, object>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<OrderRow>(
    sql`select o.id, o.status, o.detail, o.currency, o.crypto_amount, o.base_tokens, o.bonus_tokens, o.usd,
               (asked_of(o)).crypto_amount as asked_amount, (asked_of(o)).base_tokens as asked_tokens, o.approved_via, u.reference, o.created_at, o.updated_at
          from orders o join users u on u.id = o.user_id where o.id = any(${ids}::bigint[])`,
  )
  return new Map(rows.map((row) => [row.id, orderFacts(row)]))
}

interface OrderRow {
  readonly id: string
  readonly status: string
  readonly detail: string
  readonly currency: string
  readonly crypto_amount: string
  readonly asked_amount: string
  readonly asked_tokens: string
  readonly base_tokens: string
  readonly bonus_tokens: string
  readonly usd: string
  readonly approved_via: string | null
  readonly reference: string
  readonly created_at: Date
  readonly updated_at: Date
}

function orderFacts(order: OrderRow): object {
  return {
    id: Number(order.id),
    status: order.status,
    detail: order.detail,
    currency: order.currency,
    cryptoAmount: order.crypto_amount,
    askedAmount: order.asked_amount,
    askedTokens: order.asked_tokens,
    baseTokens: order.base_tokens,
    bonusTokens: order.bonus_tokens,
    usd: order.usd,
    approvedVia: order.approved_via,
    user: order.reference,
    createdAt: order.created_at.toISOString(),
    updatedAt: order.updated_at.toISOString(),
  }
}

interface MoneyPayload {
  readonly payment?: string
  readonly refund?: string
}

function keyOf({ payload }: OutboxEvent): string {
  const { payment, refund } = payload as MoneyPayload
  return payment ? `payment ${payment}` : refund ? `refund ${refund}` : ''
}

/** Payments and refunds of the events, by `keyOf`; amounts as on the chain. */
async function moneyByKey(tx: Queryable, events: readonly OutboxEvent[]): Promise<Map<string, object>> {
  const payloads = events.map(({ payload }) => payload as MoneyPayload)
  const payments = payloads.flatMap(({ payment }) => payment ?? [])
  const refunds = payloads.flatMap(({ refund }) => refund ?? [])
  const money = new Map<string, object>()
  if (payments.length > 0) {
    const rows = await tx.query<{ id: string; address: string }>(
      sql`select p.id, p.chain, p.transaction_id as "transactionId", p.address, k.code as currency, p.asset,
                 p.amount, p.fault, p.order_id as "orderId", p.seen_at as "seenAt"
            from payments p left join currencies k on k.id = p.currency_id
           where p.id = any(${payments}::bigint[])`,
    )
    for (const row of rows) money.set(`payment ${row.id}`, { ...row, address: shownAddress(row.address) })
  }
  if (refunds.length > 0) {
    const rows = await tx.query<{ id: string }>(
      sql`select r.id, r.payment_id as "paymentId", r.order_id as "orderId", u.reference as user, r.chain,
                 r.currency, r.amount, r.usd, r.reason, r.state, r.transaction_id as "transactionId",
                 r.owed_at as "owedAt", r.paid_at as "paidAt"
            from refunds r join users u on u.id = r.user_id where r.id = any(${refunds}::bigint[])`,
    )
    for (const row of rows) money.set(`refund ${row.id}`, row)
  }
  return money
}
