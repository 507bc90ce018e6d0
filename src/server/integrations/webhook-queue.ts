import { type Queryable, sql } from '../database/database.ts'
import type { Message } from './events.ts'

/** Task of the job queue: one attempt of one delivery. */
export const DELIVER_TASK = 'deliver_webhook'

/** A delivery and its job for each webhook that is told of a message, or for `onlyId` alone. Returns the deliveries' ids. */
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

/**
 * The job of the next attempt of each delivery, at its `next_attempt_at`. A webhook has a queue of its own, so that a slow receiver keeps
 * only its own messages waiting; mails come first.
 */
export async function queueAttempts(tx: Queryable, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return
  await tx.query(
    sql`select graphile_worker.add_job(${DELIVER_TASK}::text, json_build_object('deliveryId', id::text),
                 queue_name => 'webhook:' || webhook_id, run_at => next_attempt_at,
                 job_key => 'webhook-delivery:' || id, priority => 10::smallint) is not null as queued
          from webhook_deliveries where id = any(${deliveryIds}::bigint[]) order by id`,
  )
}
