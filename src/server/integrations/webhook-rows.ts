import type { Webhook, WebhookDelivery, WebhookEvent } from '../../shared/api/integrations.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Attempt } from './send-message.ts'

/** Sealed with the webhook's id. */
export const SECRET_PURPOSE = 'webhook-secret'

export interface WebhookRow {
  readonly id: string
  readonly url: string
  readonly events: WebhookEvent[]
  readonly description: string
  readonly disabled_at: Date | null
  readonly created_at: Date
  readonly revision: number
  readonly last_state: WebhookDelivery['state'] | null
  readonly last_at: Date | null
}

export interface DeliveryRow {
  readonly id: string
  readonly message_id: string
  readonly event: WebhookEvent
  readonly payload: object
  readonly state: WebhookDelivery['state']
  readonly attempts: Attempt[]
  readonly next_attempt_at: Date | null
  readonly created_at: Date
  readonly delivered_at: Date | null
}

/** With their last attempted delivery. */
export const selectWebhooks = fragment`
  select w.id, w.url, w.events, w.description, w.disabled_at, w.created_at, w.revision,
         l.state as last_state, l.created_at as last_at
    from webhooks w left join lateral (
      select state, created_at from webhook_deliveries
       where webhook_id = w.id and attempts <> '[]' order by id desc limit 1) l on true`

export const deliveryColumns = fragment`
  d.id, d.message_id, d.event, d.payload, d.state, d.attempts, d.next_attempt_at, d.created_at, d.delivered_at`

export async function readWebhook(db: Queryable, id: number | string): Promise<Webhook> {
  const row = await db.maybeOne<WebhookRow>(sql`${selectWebhooks} where w.id = ${id}`)
  return webhook(row ?? refuse('not_found'))
}

export async function readDelivery(db: Queryable, id: string): Promise<WebhookDelivery> {
  const row = await db.maybeOne<DeliveryRow>(
    sql`select ${deliveryColumns} from webhook_deliveries d where d.id = ${id}`,
  )
  return delivery(row ?? refuse('not_found'))
}

export function webhook(row: WebhookRow): Webhook {
  return {
    id: Number(row.id),
    url: row.url,
    events: row.events,
    description: row.description,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    revision: row.revision,
    lastDelivery:
      row.last_state && row.last_at ? { state: row.last_state, at: row.last_at.toISOString() } : null,
  }
}

export function delivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    messageId: row.message_id,
    event: row.event,
    payload: row.payload,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    deliveredAt: row.delivered_at?.toISOString() ?? null,
  }
}
