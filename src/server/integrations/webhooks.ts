import { randomBytes } from 'node:crypto'
import {
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEvents,
} from '../../shared/api/integrations.ts'
import { auditOf } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { reasonAgainstUrl } from './public-address.ts'
import { type Attempt, newSecret, type Outside, sendMessage } from './send-message.ts'

interface Editor {
  readonly operatorId: string
  readonly requestId?: string | null
}
interface WebhookInput {
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly description: string
}
/** A line of the outbox, as the drainer takes it. */
export interface OutboxEvent {
  readonly kind: string
  readonly order_id: string | null
  readonly user_id: string | null
  readonly payload: object
}

export const DELIVER_TASK = 'deliver_webhook'
/** Seconds from one attempt to the next: nine attempts within a day. */
export const RETRY_SECONDS = [5, 60, 300, 1_800, 7_200, 14_400, 28_800, 32_400] as const
/** How long messages carry a signature by the old secret too. */
const OLD_SECRET_HOURS = 24
const ATTEMPTS_KEPT = 30
const KEPT_DAYS = 30
const PURPOSE = 'webhook-secret'

/** Webhooks by the Standard Webhooks scheme: every message is kept, signed, retried for a day, and can be sent again. */
export interface Webhooks {
  list(): Promise<Webhook[]>
  /** Refuses `webhook_url_refused`. The secret is in this answer only. */
  add(input: WebhookInput, editor: Editor): Promise<Webhook & { secret: string }>
  update(
    id: number,
    revision: number,
    input: WebhookInput & { disabled: boolean },
    editor: Editor,
  ): Promise<Webhook>
  rotateSecret(id: number, editor: Editor): Promise<{ secret: string }>
  remove(id: number, editor: Editor): Promise<void>
  /** Sends a `webhook.test` message, whatever events the webhook is told of. */
  test(id: number): Promise<WebhookDelivery>
  deliveries(
    id: number,
    page: { after?: string | undefined; limit: number; state?: WebhookDelivery['state'] | undefined },
  ): Promise<{ items: WebhookDelivery[]; next: string | null }>
  redeliver(deliveryId: string): Promise<WebhookDelivery>
  /** In the drainer's transaction: a delivery and its job for every webhook that is told of an event of these lines. */
  tell(tx: Queryable, events: readonly OutboxEvent[]): Promise<void>
  /** Task `deliver_webhook`: one attempt, and the job of the next one where it fails. */
  deliver(payload: unknown): Promise<void>
  /** Deletes deliveries older than 30 days. */
  sweep(): Promise<number>
}

interface WebhookRow {
  id: string
  url: string
  events: WebhookEvent[]
  description: string
  disabled_at: Date | null
  created_at: Date
  revision: number
  last_state: WebhookDelivery['state'] | null
  last_at: Date | null
}
interface DeliveryRow {
  id: string
  message_id: string
  event: WebhookEvent
  payload: object
  state: WebhookDelivery['state']
  attempts: Attempt[]
  next_attempt_at: Date | null
  created_at: Date
  delivered_at: Date | null
}
interface DueRow extends DeliveryRow {
  webhook_id: string
  url: string
  disabled: boolean
  secret_encrypted: Buffer
  previous_secret_encrypted: Buffer | null
}

const COLUMNS = `w.id, w.url, w.events, w.description, w.disabled_at, w.created_at, w.revision, l.state as last_state, l.created_at as last_at`
const FROM = `from webhooks w left join lateral (
  select state, created_at from webhook_deliveries where webhook_id = w.id and attempts <> '[]' order by id desc limit 1) l on true`
const LIST = statement('webhooks_list', `select ${COLUMNS} ${FROM} order by w.id desc limit 200`)
const SHOW = statement('webhooks_show', `select ${COLUMNS} ${FROM} where w.id = $1`)
const LOCK = statement(
  'webhooks_lock',
  'select url, events, description, disabled_at is not null as disabled, revision, secret_encrypted from webhooks where id = $1 for update',
)
/** The id comes first: it is part of what the secret is sealed with. */
const NEXT_ID = statement(
  'webhooks_next_id',
  `select nextval(pg_get_serial_sequence('webhooks', 'id')) as id`,
)
const INSERT = statement(
  'webhooks_insert',
  `insert into webhooks (id, url, events, description, secret_encrypted, operator_id)
   overriding system value values ($1, $2, $3, $4, $5, $6)`,
)
const UPDATE = statement(
  'webhooks_update',
  `update webhooks set url = $2, events = $3, description = $4,
          disabled_at = case when $5 then coalesce(disabled_at, now()) end, revision = revision + 1 where id = $1`,
)
const ROTATE = statement(
  'webhooks_rotate',
  `update webhooks set previous_secret_encrypted = secret_encrypted, previous_until = now() + make_interval(hours => $3),
          secret_encrypted = $2, revision = revision + 1 where id = $1`,
)
const REMOVE = statement('webhooks_remove', 'delete from webhooks where id = $1 returning url')
const ANY = statement('webhooks_any', 'select 1 from webhooks where disabled_at is null limit 1')

const addJob = (id: string, webhookId: string, runAt: string) => `
  graphile_worker.add_job('${DELIVER_TASK}', json_build_object('deliveryId', ${id}::text), queue_name => 'webhook:' || ${webhookId},
    run_at => ${runAt}, job_key => 'webhook-delivery:' || ${id}, priority => 10::smallint)`
/** One queue a webhook: a slow receiver keeps only its own messages waiting, behind mails. */
const TELL = statement(
  'webhooks_tell',
  `with new as (
     insert into webhook_deliveries (webhook_id, message_id, event, payload)
     select w.id, m.id, m.event, m.payload
       from unnest($1::text[], $2::text[], $3::jsonb[]) as m (id, event, payload)
       join webhooks w on w.disabled_at is null and (m.event = any(w.events) or w.id = $4::bigint)
      where $4::bigint is null or w.id = $4
     returning id, webhook_id)
   select id, ${addJob('id', 'webhook_id', 'now()')} is not null as queued from new`,
)
const ORDERS = statement(
  'webhooks_orders',
  `select o.id, o.status, o.detail, o.currency, o.crypto_amount, o.base_tokens, o.bonus_tokens, o.usd, o.approved_via, u.reference,
          o.created_at, o.updated_at
     from orders o join users u on u.id = o.user_id where o.id = any($1::bigint[])`,
)
const USERS = statement('webhooks_users', 'select id, reference from users where id = any($1::bigint[])')

const PAYMENTS = statement(
  'webhooks_payments',
  `select p.id, p.chain, p.transaction_id as "transactionId", p.address, k.code as currency, p.asset, p.amount,
          p.fault, p.order_id as "orderId", p.seen_at as "seenAt"
     from payments p left join currencies k on k.id = p.currency_id where p.id = any($1::bigint[])`,
)
const REFUNDS = statement(
  'webhooks_refunds',
  `select r.id, r.payment_id as "paymentId", r.order_id as "orderId", u.reference as user, r.chain, r.currency, r.amount, r.usd,
          r.reason, r.state, r.transaction_id as "transactionId", r.owed_at as "owedAt", r.paid_at as "paidAt"
     from refunds r join users u on u.id = r.user_id where r.id = any($1::bigint[])`,
)

const DELIVERY =
  'd.id, d.message_id, d.event, d.payload, d.state, d.attempts, d.next_attempt_at, d.created_at, d.delivered_at'
const DELIVERIES = statement(
  'webhooks_deliveries',
  `select ${DELIVERY} from webhook_deliveries d
    where d.webhook_id = $1 and ($2::bigint is null or d.id < $2) and ($3::text is null or d.state = $3) order by d.id desc limit $4`,
)
const SHOW_DELIVERY = statement(
  'webhooks_show_delivery',
  `select ${DELIVERY} from webhook_deliveries d where d.id = $1`,
)
const DUE = statement(
  'webhooks_due',
  `select ${DELIVERY}, d.webhook_id, w.url, w.disabled_at is not null as disabled, w.secret_encrypted,
          case when w.previous_until > now() then w.previous_secret_encrypted end as previous_secret_encrypted
     from webhook_deliveries d join webhooks w on w.id = d.webhook_id where d.id = $1 and d.state = 'pending'`,
)
const NOTE_ATTEMPT = statement(
  'webhooks_note_attempt',
  `update webhook_deliveries set state = $2, tries = tries + 1, delivered_at = case when $2 = 'delivered' then now() end,
          next_attempt_at = case when $2 = 'pending' then now() + make_interval(secs => $4) end,
          attempts = (select coalesce(jsonb_agg(a order by n), '[]') from (
            select a, n from jsonb_array_elements(attempts || $3::jsonb) with ordinality as e (a, n) order by n desc limit ${ATTEMPTS_KEPT}) kept)
    where id = $1 and state = 'pending' returning tries`,
)
const TRIES = statement('webhooks_tries', 'select tries from webhook_deliveries where id = $1 for update')
const RETRY = statement(
  'webhooks_retry',
  `select ${addJob('id', 'webhook_id', 'next_attempt_at')} is not null as queued from webhook_deliveries where id = $1`,
)
const AGAIN = statement(
  'webhooks_again',
  `update webhook_deliveries set state = 'pending', tries = 0, next_attempt_at = now(), delivered_at = null where id = $1 returning id`,
)
const SWEEP = statement(
  'webhooks_sweep',
  `delete from webhook_deliveries where created_at < now() - interval '${KEPT_DAYS} days' returning 1 as gone`,
)

export interface WebhooksOptions {
  readonly db: Database
  readonly secrets: Secrets
  readonly outside?: Outside
}

export function createWebhooks({ db, secrets, outside }: WebhooksOptions): Webhooks {
  const show = async (id: number | string) =>
    webhookFromRow((await db.maybeOne<WebhookRow>(SHOW, [id])) ?? refuse('not_found'))
  const showDelivery = async (id: string) =>
    deliveryFromRow((await db.maybeOne<DeliveryRow>(SHOW_DELIVERY, [id])) ?? refuse('not_found'))
  const open = (sealed: Buffer, id: string) => secrets.decrypt(PURPOSE, sealed, id)

  return {
    async list() {
      return (await db.query<WebhookRow>(LIST)).map(webhookFromRow)
    },

    async add(input, editor) {
      refuseUrl(input.url)
      const secret = newSecret()
      const id = await db.transaction(async (tx) => {
        const next = await tx.one<{ id: string }>(NEXT_ID)
        const sealed = secrets.encrypt(PURPOSE, secret, next.id)
        const events = [...new Set(input.events)]
        await tx.query(INSERT, [next.id, input.url, events, input.description, sealed, editor.operatorId])
        await audit(tx, editor, 'webhook.add', next.id, undefined, { url: input.url, events })
        return next.id
      })
      return { ...(await show(id)), secret }
    },

    async update(id, revision, input, editor) {
      const isCurrent = await db.transaction(async (tx) => {
        const before =
          (await tx.maybeOne<{ url: string; events: string[]; disabled: boolean; revision: number }>(LOCK, [
            id,
          ])) ?? refuse('not_found')
        refuseUrl(input.url)
        if (before.revision !== revision) return false
        const { url, events, disabled } = input
        await tx.query(UPDATE, [id, url, [...new Set(events)], input.description, disabled])
        const was = { url: before.url, events: before.events, disabled: before.disabled }
        await audit(tx, editor, 'webhook.update', String(id), was, { url, events, disabled })
        return true
      })
      return isCurrent ? show(id) : refuse('conflict', { current: await show(id) })
    },

    rotateSecret(id, editor) {
      return db.transaction(async (tx) => {
        if (!(await tx.maybeOne(LOCK, [id]))) refuse('not_found')
        const secret = newSecret()
        await tx.query(ROTATE, [id, secrets.encrypt(PURPOSE, secret, String(id)), OLD_SECRET_HOURS])
        await audit(tx, editor, 'webhook.rotate-secret', String(id), undefined, undefined)
        return { secret }
      })
    },

    async remove(id, editor) {
      await db.transaction(async (tx) => {
        const gone = (await tx.maybeOne<{ url: string }>(REMOVE, [id])) ?? refuse('not_found')
        await audit(tx, editor, 'webhook.remove', String(id), gone, undefined)
      })
    },

    async test(id) {
      const hook = await show(id)
      if (hook.disabledAt !== null) refuse('not_found')
      const message = messageOf('webhook.test', { text: 'It works.' })
      const row = await db.one<{ id: string }>(TELL, [[message.id], [message.event], [message.payload], id])
      return showDelivery(row.id)
    },

    async deliveries(id, page) {
      await show(id)
      const after = page.after && /^\d{1,18}$/.test(page.after) ? page.after : null
      const rows = await db.query<DeliveryRow>(DELIVERIES, [id, after, page.state ?? null, page.limit + 1])
      const items = rows.slice(0, page.limit)
      return {
        items: items.map(deliveryFromRow),
        next: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null,
      }
    },

    async redeliver(deliveryId) {
      await db.transaction(async (tx) => {
        if (!(await tx.maybeOne(AGAIN, [deliveryId]))) refuse('not_found')
        await tx.query(RETRY, [deliveryId])
      })
      return showDelivery(deliveryId)
    },

    async tell(tx, events) {
      const told = events.filter((event) => eventOf(event.kind) !== undefined)
      if (told.length === 0 || !(await tx.maybeOne(ANY))) return
      const messages = await messagesOf(tx, told)
      await tx.query(TELL, [
        messages.map((message) => message.id),
        messages.map((message) => message.event),
        messages.map((message) => message.payload),
        null,
      ])
    },

    async deliver(payload) {
      const due = await db.maybeOne<DueRow>(DUE, [deliveryIdOf(payload)])
      if (!due) return
      const keys = [due.secret_encrypted, due.previous_secret_encrypted].flatMap((sealed) =>
        sealed ? [open(sealed, due.webhook_id)] : [],
      )
      const attempt = due.disabled
        ? {
            at: new Date().toISOString(),
            status: null,
            error: 'the webhook is switched off',
            durationMs: 0,
            response: null,
          }
        : await sendMessage(due.url, { id: due.message_id, body: JSON.stringify(due.payload) }, keys, outside)
      await db.transaction(async (tx) => {
        const { tries } = (await tx.maybeOne<{ tries: number }>(TRIES, [due.id])) ?? { tries: 0 }
        const wait = RETRY_SECONDS[tries]
        const state =
          attempt.error === null ? 'delivered' : due.disabled || wait === undefined ? 'failed' : 'pending'
        const noted = await tx.maybeOne(NOTE_ATTEMPT, [due.id, state, JSON.stringify([attempt]), wait ?? 0])
        if (noted && state === 'pending') await tx.query(RETRY, [due.id])
      })
    },

    async sweep() {
      return (await db.query(SWEEP)).length
    },
  }
}

/** `order_approved` → `order.approved`, where there is such an event. */
function eventOf(kind: string): WebhookEvent | undefined {
  const name = kind.replace('_', '.')
  return webhookEvents.find((event) => event === name && event !== 'webhook.test')
}

interface NewMessage {
  id: string
  event: WebhookEvent
  payload: string
}

function messageOf(event: WebhookEvent, data: object): NewMessage {
  const payload = JSON.stringify({ type: event, timestamp: new Date().toISOString(), data })
  return { id: `msg_${randomBytes(16).toString('base64url')}`, event, payload }
}

/** What is told: figures and public references as they are now, never a name, an e-mail or an order's secret token. */
async function messagesOf(tx: Queryable, events: readonly OutboxEvent[]): Promise<NewMessage[]> {
  const orderIds = events.flatMap((event) => (event.order_id === null ? [] : [event.order_id]))
  const orders = new Map(
    orderIds.length === 0
      ? []
      : (await tx.query<OrderRow>(ORDERS, [orderIds])).map((order) => [order.id, orderData(order)] as const),
  )
  const userIds = events.flatMap((event) => (event.user_id === null ? [] : [event.user_id]))
  const users = new Map(
    userIds.length === 0
      ? []
      : (await tx.query<{ id: string; reference: string }>(USERS, [userIds])).map(
          (user) => [user.id, user.reference] as const,
        ),
  )
  const money = await moneyOf(tx, events)
  return events.flatMap((event) => {
    const name = eventOf(event.kind)
    if (!name) return []
    const fact = money.get(keyOf(event))
    if (fact) return [messageOf(name, fact)]
    if (event.order_id !== null)
      return [messageOf(name, orders.get(event.order_id) ?? { id: event.order_id })]
    if (event.user_id !== null) return [messageOf(name, { user: users.get(event.user_id) ?? null })]
    return [messageOf(name, event.payload)]
  })
}

type MoneyPayload = { payment?: string; refund?: string }
const keyOf = ({ payload }: OutboxEvent) => {
  const { payment, refund } = payload as MoneyPayload
  return payment ? `payment ${payment}` : refund ? `refund ${refund}` : ''
}

/** The payments and refunds that the lines name, by `keyOf`; amounts of coins as the chain shows them. */
async function moneyOf(tx: Queryable, events: readonly OutboxEvent[]): Promise<Map<string, object>> {
  const idsOf = (of: keyof MoneyPayload) =>
    events.flatMap(({ payload }) => (payload as MoneyPayload)[of] ?? [])
  const money = new Map<string, object>()
  for (const [of, sql] of [
    ['payment', PAYMENTS],
    ['refund', REFUNDS],
  ] as const) {
    const ids = idsOf(of)
    if (ids.length === 0) continue
    for (const row of await tx.query<{ id: string }>(sql, [ids])) money.set(`${of} ${row.id}`, row)
  }
  return money
}

interface OrderRow {
  id: string
  status: string
  detail: string
  currency: string
  crypto_amount: string
  base_tokens: string
  bonus_tokens: string
  usd: string
  approved_via: string | null
  reference: string
  created_at: Date
  updated_at: Date
}

function orderData(order: OrderRow): object {
  return {
    id: Number(order.id),
    status: order.status,
    detail: order.detail,
    currency: order.currency,
    cryptoAmount: order.crypto_amount,
    baseTokens: order.base_tokens,
    bonusTokens: order.bonus_tokens,
    usd: order.usd,
    approvedVia: order.approved_via,
    user: order.reference,
    createdAt: order.created_at.toISOString(),
    updatedAt: order.updated_at.toISOString(),
  }
}

function refuseUrl(url: string): void {
  const reason = reasonAgainstUrl(url)
  if (reason) refuse('webhook_url_refused', { reason })
}

function deliveryIdOf(payload: unknown): string {
  const id = (payload as { deliveryId?: unknown } | null)?.deliveryId
  return typeof id === 'string' ? id : '0'
}

const audit = auditOf('webhook')

function webhookFromRow(row: WebhookRow): Webhook {
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

function deliveryFromRow(row: DeliveryRow): WebhookDelivery {
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
