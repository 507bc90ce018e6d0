import { type Queryable, sql } from '../database/database.ts'
import type { Message } from './events.ts'

export const DELIVER_TASK = 'deliver_webhook'

/** For each subscribed webhook, or `onlyId`. Returns the deliveries' ids. */
export async function queueMessages(
  tx: Queryable,
  messages: readonly Message[],
  onlyId: number | null = null,
): Promise<string[]> {
  const ids = messages.map(({ id }) => id)
  const events = messages.map(({ event }) => event)
  const payloads = messages.map(({ payload }) => payload)
  const rows = await tx.query<{ id: string }>(
    sql`insert into webhook_deliveries (webhook_id, message_id, event, payload)
        select w.id, m.id, m.event, m.payload
          from unnest(${ids}::text[], ${events}::text[], ${payloads}::jsonb[]) as m (id, event, payload)
          join webhooks w on w.disabled_at is null
           and case when ${onlyId}::bigint is null then m.event = any(w.events) else w.id = ${onlyId}::bigint end
        returning id`,
  )
  const deliveryIds = rows.map(({ id }) => id)
  await queueAttempts(tx, deliveryIds)
  return deliveryIds
}

/** Each webhook has its own queue, so that a slow receiver only delays itself; mails have priority. */
export async function queueAttempts(tx: Queryable, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return
  await tx.query(
    sql`select graphile_worker.add_job(${DELIVER_TASK}::text, json_build_object('deliveryId', id::text),
                 queue_name => 'webhook:' || webhook_id, run_at => next_attempt_at,
                 job_key => 'webhook-delivery:' || id, priority => 10::smallint) is not null as queued
          from webhook_deliveries where id = any(${deliveryIds}::bigint[]) order by id`,
  )
}
