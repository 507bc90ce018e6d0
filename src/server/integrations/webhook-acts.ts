import { z } from 'zod'
import type { Webhook, WebhookDelivery } from '../../shared/api/integrations.ts'
import { webhookChange, webhookInput } from '../../shared/api/integrations-inputs.ts'
import { integrationSchemas } from '../../shared/api/integrations-schemas.ts'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { sql } from '../database/database.ts'
import { reasonAgainstUrl } from '../outside/outside.ts'
import { assert, refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { keepEvents } from './events.ts'
import { newSecret } from './send-message.ts'
import { queueAttempts, queueMessages } from './webhook-queue.ts'
import { readDelivery, readWebhook, SECRET_PURPOSE } from './webhook-rows.ts'

/** For so long messages carry a signature by the old secret too. */
const OLD_SECRET_HOURS = 24

const byId = z.object({ id: z.number().int() })
const changeInput = webhookChange.extend(byId.shape)
const byDelivery = integrationSchemas.redeliver.params

/** What operators can change of webhooks and their deliveries. */
export const webhookActs = ({ secrets }: { readonly secrets: Secrets }) => ({
  /** The secret is in this answer only. Refuses webhook_url_refused. */
  'webhook.add': act({
    name: 'webhook.add',
    input: webhookInput,
    perform: (change, input) => addWebhook(change, input, secrets),
  }),
  /** Refuses not_found, webhook_url_refused, conflict. */
  'webhook.update': act({ name: 'webhook.update', input: changeInput, perform: updateWebhook }),
  /** Makes a new secret, which is in this answer only; the old one signs too for a day. Refuses not_found. */
  'webhook.rotate-secret': act({
    name: 'webhook.rotate-secret',
    input: byId,
    perform: (change, { id }) => rotateSecret(change, id, secrets),
  }),
  /** Deletes a webhook with its deliveries. Refuses not_found. */
  'webhook.remove': act({ name: 'webhook.remove', input: byId, perform: removeWebhook }),
  /** Sends a `webhook.test` message, whatever events the webhook is told of. Refuses not_found, also where it is switched off. */
  'webhook.test': act({ name: 'webhook.test', input: byId, perform: testWebhook }),
  /** Sends a kept message again, now and with the same id. Refuses not_found. */
  'webhook.redeliver': act({ name: 'webhook.redeliver', input: byDelivery, perform: redeliver }),
})

async function addWebhook(
  change: Change,
  { url, description, ...input }: z.output<typeof webhookInput>,
  secrets: Secrets,
): Promise<Webhook & { secret: string }> {
  refuseUrl(url)
  const secret = newSecret()
  const events = [...new Set(input.events)]
  // The id comes before the row, because it is part of what the secret is sealed with.
  const { id } = await change.one<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('webhooks', 'id')) as id`,
  )
  await change.query(
    sql`insert into webhooks (id, url, events, description, secret_encrypted, operator_id)
        overriding system value
        values (${id}, ${url}, ${events}, ${description}, ${secrets.encrypt(SECRET_PURPOSE, secret, id)},
                ${change.by.operatorId})`,
  )
  await change.audit('webhook.add', { type: 'webhook', id }, { after: { url, events } })
  return { ...(await readWebhook(change, id)), secret }
}

async function updateWebhook(
  change: Change,
  { id, revision, url, events, description, disabled }: z.output<typeof changeInput>,
): Promise<Webhook> {
  const { revision: current, ...before } = await lockWebhook(change, id)
  refuseUrl(url)
  if (current !== revision) refuse('conflict', { current: await readWebhook(change, id) })
  await change.query(
    sql`update webhooks set url = ${url}, events = ${[...new Set(events)]}, description = ${description},
               disabled_at = case when ${disabled} then coalesce(disabled_at, now()) end, revision = revision + 1
         where id = ${id}`,
  )
  await change.audit('webhook.update', subjectOf(id), { before, after: { url, events, disabled } })
  return readWebhook(change, id)
}

async function rotateSecret(change: Change, id: number, secrets: Secrets): Promise<{ secret: string }> {
  await lockWebhook(change, id)
  const secret = newSecret()
  const sealed = secrets.encrypt(SECRET_PURPOSE, secret, String(id))
  await change.query(
    sql`update webhooks set previous_secret_encrypted = secret_encrypted,
               previous_until = now() + make_interval(hours => ${OLD_SECRET_HOURS}),
               secret_encrypted = ${sealed}, revision = revision + 1
         where id = ${id}`,
  )
  await change.audit('webhook.rotate-secret', subjectOf(id))
  return { secret }
}

async function removeWebhook(change: Change, { id }: { id: number }): Promise<{ id: number }> {
  const before = await change.maybeOne<{ url: string }>(
    sql`delete from webhooks where id = ${id} returning url`,
  )
  if (!before) refuse('not_found')
  await change.audit('webhook.remove', subjectOf(id), { before })
  return { id }
}

async function testWebhook(change: Change, { id }: { id: number }): Promise<WebhookDelivery> {
  const { disabled } = await lockWebhook(change, id)
  if (disabled) refuse('not_found')
  const messages = await keepEvents(change, [{ event: 'webhook.test', data: { text: 'It works.' } }])
  const [deliveryId] = await queueMessages(change, messages, id)
  assert(deliveryId, 'a webhook that is on takes a message')
  await change.audit('webhook.test', subjectOf(id), { after: { delivery: deliveryId } })
  return readDelivery(change, deliveryId)
}

async function redeliver(change: Change, { id }: { id: string }): Promise<WebhookDelivery> {
  const again = await change.maybeOne<{ webhook_id: string }>(
    sql`update webhook_deliveries set state = 'pending', tries = 0, next_attempt_at = now(), delivered_at = null
         where id = ${id} returning webhook_id`,
  )
  if (!again) refuse('not_found')
  await queueAttempts(change, [id])
  await change.audit('webhook.redeliver', subjectOf(again.webhook_id), { after: { delivery: id } })
  return readDelivery(change, id)
}

interface LockedRow {
  readonly url: string
  readonly events: string[]
  readonly disabled: boolean
  readonly revision: number
}

async function lockWebhook(change: Change, id: number): Promise<LockedRow> {
  const row = await change.maybeOne<LockedRow>(
    sql`select url, events, disabled_at is not null as disabled, revision from webhooks
         where id = ${id} for update`,
  )
  return row ?? refuse('not_found')
}

const subjectOf = (id: number | string) => ({ type: 'webhook', id: String(id) }) as const

function refuseUrl(url: string): void {
  const reason = reasonAgainstUrl(url)
  if (reason) refuse('webhook_url_refused', { reason })
}
