import type { Webhook, WebhookDelivery } from '../../shared/api/integrations.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { idAfter, type PageOf, type PageQuery, pageOf } from '../keyset.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { keepEvents } from './events.ts'
import { type Attempt, type Outside, sendMessage } from './send-message.ts'
import { eventOf, factsOf, type OutboxEvent } from './webhook-messages.ts'
import { queueAttempts, queueMessages } from './webhook-queue.ts'
import {
  type DeliveryRow,
  delivery,
  deliveryColumns,
  readWebhook,
  SECRET_PURPOSE,
  selectWebhooks,
  type WebhookRow,
  webhook,
} from './webhook-rows.ts'

export type { OutboxEvent } from './webhook-messages.ts'

/** Between attempts: nine within a day. */
export const RETRY_SECONDS = [5, 60, 300, 1_800, 7_200, 14_400, 28_800, 32_400] as const
const ATTEMPTS_KEPT = 30

interface DueRow extends DeliveryRow {
  readonly webhook_id: string
  readonly url: string
  readonly disabled: boolean
  readonly secret_encrypted: Buffer
  readonly previous_secret_encrypted: Buffer | null
}

export interface WebhooksNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly outside?: Outside | undefined
}

/** By Standard Webhooks. */
export class Webhooks {
  readonly #db: Database
  readonly #secrets: Secrets
  readonly #outside: Outside | undefined

  constructor({ db, secrets, outside }: WebhooksNeeds) {
    this.#db = db
    this.#secrets = secrets
    this.#outside = outside
  }

  async list(query: PageQuery): Promise<PageOf<Webhook>> {
    const rows = await this.#db.query<WebhookRow>(
      sql`${selectWebhooks} where w.id < ${idAfter(query)}::bigint order by w.id desc limit ${query.limit + 1}`,
    )
    return pageOf(rows, query.limit, webhook)
  }

  /** Newest first. */
  async deliveries(
    id: number,
    page: PageQuery & { readonly state?: WebhookDelivery['state'] | undefined },
  ): Promise<PageOf<WebhookDelivery>> {
    await readWebhook(this.#db, id)
    const state = page.state ?? null
    const rows = await this.#db.query<DeliveryRow>(
      sql`select ${deliveryColumns} from webhook_deliveries d
           where d.webhook_id = ${id} and d.id < ${idAfter(page)}::bigint
             and (${state}::text is null or d.state = ${state}::text)
           order by d.id desc limit ${page.limit + 1}`,
    )
    return pageOf(rows, page.limit, delivery)
  }

  /** In the drainer's transaction, with a delivery and job for each subscribed webhook. */
  async tell(tx: Queryable, events: readonly OutboxEvent[]): Promise<void> {
    const told = events.filter((event) => eventOf(event.kind) !== undefined)
    if (told.length === 0) return
    await queueMessages(tx, await keepEvents(tx, await factsOf(tx, told)))
  }

  /** One attempt; a failure adds the next one's job. */
  async deliver(payload: unknown): Promise<void> {
    const due = await this.#due(deliveryIdOf(payload))
    if (!due) return
    const attempt = await this.#attempt(due)
    await this.#db.transaction(async (tx) => {
      const row = await tx.maybeOne<{ tries: number }>(
        sql`select tries from webhook_deliveries where id = ${due.id} for update`,
      )
      const wait = RETRY_SECONDS[row?.tries ?? 0]
      const isLast = due.disabled || wait === undefined
      const state = attempt.error === null ? 'delivered' : isLast ? 'failed' : 'pending'
      const noted = await noteAttempt(tx, { id: due.id, state, attempt, waitSeconds: wait ?? 0 })
      if (noted && state === 'pending') await queueAttempts(tx, [due.id])
    })
  }

  #due(id: string): Promise<DueRow | undefined> {
    return this.#db.maybeOne<DueRow>(
      sql`select ${deliveryColumns}, d.webhook_id, w.url, w.disabled_at is not null as disabled, w.secret_encrypted,
                 case when w.previous_until > now() then w.previous_secret_encrypted end as previous_secret_encrypted
            from webhook_deliveries d join webhooks w on w.id = d.webhook_id
           where d.id = ${id} and d.state = 'pending'`,
    )
  }

  async #attempt(due: DueRow): Promise<Attempt> {
    const error = 'the webhook is switched off'
    if (due.disabled)
      return { at: new Date().toISOString(), status: null, error, durationMs: 0, response: null }
    const keys = [due.secret_encrypted, due.previous_secret_encrypted].flatMap((sealed) =>
      sealed ? [this.#secrets.decrypt(SECRET_PURPOSE, sealed, due.webhook_id)] : [],
    )
    const message = { id: due.message_id, body: JSON.stringify(due.payload) }
    return sendMessage(due.url, message, keys, this.#outside)
  }
}

interface Noted {
  readonly id: string
  readonly state: WebhookDelivery['state']
  readonly attempt: Attempt
  readonly waitSeconds: number
}

/** True if the delivery was still pending. */
async function noteAttempt(tx: Queryable, { id, state, attempt, waitSeconds }: Noted): Promise<boolean> {
  const noted = await tx.maybeOne(
    sql`update webhook_deliveries set state = ${state}, tries = tries + 1,
               delivered_at = case when ${state}::text = 'delivered' then now() end,
               next_attempt_at = case when ${state}::text = 'pending' then now() + make_interval(secs => ${waitSeconds}) end,
               attempts = (select coalesce(jsonb_agg(a order by n), '[]') from (
                 select a, n from jsonb_array_elements(attempts || ${JSON.stringify([attempt])}::jsonb) with ordinality as e (a, n)
                  order by n desc limit ${ATTEMPTS_KEPT}) kept)
         where id = ${id} and state = 'pending' returning tries`,
  )
  return noted !== undefined
}

function deliveryIdOf(payload: unknown): string {
  const id = (payload as { deliveryId?: unknown } | null)?.deliveryId
  return typeof id === 'string' ? id : '0'
}
