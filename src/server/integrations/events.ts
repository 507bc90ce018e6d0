import { randomBytes } from 'node:crypto'
import type { SaleEvent, WebhookEvent } from '../../shared/api/integrations.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Told } from './webhook-messages.ts'

/** Equal for all webhooks and attempts. */
export interface Message {
  readonly id: string
  readonly event: WebhookEvent
  readonly payload: string
}

// Rules: RIGHT-30
/**
 * Call it late in the transaction: the counter's row is locked until the commit, so that numbers become
 * visible in order.
 */
export async function keepEvents(tx: Queryable, told: readonly Told[]): Promise<Message[]> {
  if (told.length === 0) return []
  const { first } = await tx.one<{ first: string }>(
    sql`update event_counter set last = last + ${told.length} returning last - ${told.length} + 1 as first`,
  )
  const timestamp = new Date().toISOString()
  const messages = told.map(({ event, data }, index) => {
    const id = `msg_${randomBytes(16).toString('base64url')}`
    const payload = { id, number: Number(first) + index, type: event, timestamp, data }
    return { id, event, payload: JSON.stringify(payload) }
  })
  await tx.query(
    sql`insert into events (number, message_id, event, payload)
        select (e.payload ->> 'number')::bigint, e.payload ->> 'id', e.payload ->> 'type', e.payload
          from unnest(${messages.map(({ payload }) => payload)}::jsonb[]) with ordinality as e (payload, place) order by place`,
  )
  return messages
}

/** Stored events, for programs that must not miss any. */
export class Events {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Default: from the oldest stored event. Throws events_gone if a later event was deleted. */
  async after(after: number | undefined, limit: number): Promise<{ items: SaleEvent[]; last: number }> {
    const rows = await this.#db.query<{ payload: SaleEvent }>(
      sql`select payload from events where number > ${after ?? 0}::bigint order by number limit ${limit}`,
    )
    // Read after the rows, to notice a deletion meanwhile.
    const kept = await this.#db.one<{ first: string | null; last: string }>(
      sql`select (select min(number) from events) as first, last from event_counter`,
    )
    const last = Number(kept.last)
    const first = Number(kept.first ?? last + 1)
    if (after !== undefined && (after + 1 < first || after > last)) refuse('events_gone', { first, last })
    return { items: rows.map(({ payload }) => payload), last }
  }
}
