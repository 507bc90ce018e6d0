import { z } from 'zod'
import type { Webhook, WebhookDelivery } from '../../shared/api/integrations.ts'
import { webhookChange, webhookInput } from '../../shared/api/integrations-inputs.ts'
import { integrationSchemas } from '../../shared/api/integrations-schemas.ts'
import { defineAction } from '../actions/actions.ts'
import { sql } from '../database/database.ts'
import { reasonAgainstUrl } from '../outside/outside.ts'
import { assert, refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { keepEvents } from './events.ts'
import { newSecret } from './send-message.ts'
import { queueAttempts, queueMessages } from './webhook-queue.ts'
import { readDelivery, readWebhook, SECRET_PURPOSE } from './webhook-rows.ts'

/** The old secret also signs for this long. */
const OLD_SECRET_HOURS = 24

const byId = z.object({ id: z.number().int() })
const changeInput = webhookChange.extend(byId.shape)
const byDelivery = integrationSchemas.redeliver.params

export const webhookActions = ({ secrets }: { readonly secrets: Secrets }) => ({
  /** Only this answer has the secret. */
  'webhook.add': defineAction({
    name: 'webhook.add',
    input: webhookInput,
    execute: (unit, input) => addWebhook(unit, input, secrets),
  }),
  'webhook.update': defineAction({ name: 'webhook.update', input: changeInput, execute: updateWebhook }),
  /** Only this answer has the new secret; the old one also signs for a day. */
  'webhook.rotate-secret': defineAction({
    name: 'webhook.rotate-secret',
    input: byId,
    execute: (unit, { id }) => rotateSecret(unit, id, secrets),
  }),
  /** With its deliveries. */
  'webhook.remove': defineAction({ name: 'webhook.remove', input: byId, execute: removeWebhook }),
  /** Whatever its events, but not while it is disabled. */
  'webhook.test': defineAction({ name: 'webhook.test', input: byId, execute: testWebhook }),
  /** With the same id. */
  'webhook.redeliver': defineAction({ name: 'webhook.redeliver', input: byDelivery, execute: redeliver }),
})

async function addWebhook(
  unit: UnitOfWork,
  { url, description, ...input }: z.output<typeof webhookInput>,
  secrets: Secrets,
): Promise<Webhook & { secret: string }> {
  refuseUrl(url)
  const secret = newSecret()
  const events = [...new Set(input.events)]
  const { id } = await unit.one<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('webhooks', 'id')) as id`,
  )
  await unit.query(
    sql`insert into webhooks (id, url, events, description, secret_encrypted, operator_id)
        overriding system value
        values (${id}, ${url}, ${events}, ${description}, ${secrets.encrypt(SECRET_PURPOSE, secret, id)},
                ${unit.actor.operatorId})`,
  )
  await unit.audit('webhook.add', { type: 'webhook', id }, { after: { url, events } })
  return { ...(await readWebhook(unit, id)), secret }
}

async function updateWebhook(
  unit: UnitOfWork,
  { id, revision, url, events, description, disabled }: z.output<typeof changeInput>,
): Promise<Webhook> {
  const { revision: current, ...before } = await lockWebhook(unit, id)
  refuseUrl(url)
  if (current !== revision) refuse('conflict', { current: await readWebhook(unit, id) })
  await unit.query(
    sql`update webhooks set url = ${url}, events = ${[...new Set(events)]}, description = ${description},
               disabled_at = case when ${disabled} then coalesce(disabled_at, now()) end, revision = revision + 1
         where id = ${id}`,
  )
  await unit.audit('webhook.update', subjectOf(id), { before, after: { url, events, disabled } })
  return readWebhook(unit, id)
}

async function rotateSecret(unit: UnitOfWork, id: number, secrets: Secrets): Promise<{ secret: string }> {
  await lockWebhook(unit, id)
  const secret = newSecret()
  const sealed = secrets.encrypt(SECRET_PURPOSE, secret, String(id))
  await unit.query(
    sql`update webhooks set previous_secret_encrypted = secret_encrypted,
               previous_until = now() + make_interval(hours => ${OLD_SECRET_HOURS}),
               secret_encrypted = ${sealed}, revision = revision + 1
         where id = ${id}`,
  )
  await unit.audit('webhook.rotate-secret', subjectOf(id))
  return { secret }
}

async function removeWebhook(unit: UnitOfWork, { id }: { id: number }): Promise<{ id: number }> {
  const before = await unit.maybeOne<{ url: string }>(
    sql`delete from webhooks where id = ${id} returning url`,
  )
  if (!before) refuse('not_found')
  await unit.audit('webhook.remove', subjectOf(id), { before })
  return { id }
}

async function testWebhook(unit: UnitOfWork, { id }: { id: number }): Promise<WebhookDelivery> {
  const { disabled } = await lockWebhook(unit, id)
  if (disabled) refuse('not_found')
  const messages = await keepEvents(unit, [{ event: 'webhook.test', data: { text: 'It works.' } }])
  const [deliveryId] = await queueMessages(unit, messages, id)
  assert(deliveryId, 'a webhook that is on takes a message')
  await unit.audit('webhook.test', subjectOf(id), { after: { delivery: deliveryId } })
  return readDelivery(unit, deliveryId)
}

async function redeliver(unit: UnitOfWork, { id }: { id: string }): Promise<WebhookDelivery> {
  const again = await unit.maybeOne<{ webhook_id: string }>(
    sql`update webhook_deliveries set state = 'pending', tries = 0, next_attempt_at = now(), delivered_at = null
         where id = ${id} returning webhook_id`,
  )
  if (!again) refuse('not_found')
  await queueAttempts(unit, [id])
  await unit.audit('webhook.redeliver', subjectOf(again.webhook_id), { after: { delivery: id } })
  return readDelivery(unit, id)
}

interface LockedRow {
  readonly url: string
  readonly events: string[]
  readonly disabled: boolean
  readonly revision: number
}

async function lockWebhook(unit: UnitOfWork, id: number): Promise<LockedRow> {
  const row = await unit.maybeOne<LockedRow>(
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
