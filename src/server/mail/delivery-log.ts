import type { MailDelivery } from '../../shared/api/mail-templates.ts'
import { maskEmail } from '../../shared/mask-email.ts'
import { type Database, sql } from '../database/database.ts'
import type { Mail } from './mail-kinds.ts'

export interface Tried {
  readonly jobId: string
  readonly mail: Pick<Mail, 'kind' | 'language' | 'to'>
  /** 0: the default text. */
  readonly textVersion: number
}

const ERROR_MAX = 300

/** With a failure's reason. Addresses are masked, also within the reason. */
export async function noteDelivery(
  db: Database,
  { jobId, mail, textVersion }: Tried,
  state: MailDelivery['state'],
  error?: string,
): Promise<void> {
  const masked = maskEmail(mail.to)
  const reason = error === undefined ? null : reasonOf(error, mail.to, masked)
  await db.query(
    sql`insert into mail_deliveries (id, kind, language, text_version, addressee, state, error)
        values (${jobId}, ${mail.kind}, ${mail.language}, ${textVersion}, ${masked}, ${state}, ${reason})
        on conflict (id) do update
           set state = excluded.state, error = excluded.error, text_version = excluded.text_version, tries = mail_deliveries.tries + 1,
               last_tried_at = now()`,
  )
}

/** Not retried, although its delivery is uncertain. */
export async function noteGivenUp(db: Database, jobId: string): Promise<void> {
  await db.query(sql`update mail_deliveries set state = 'given_up' where id = ${jobId} and state = 'failing'`)
}

function reasonOf(error: string, address: string, masked: string): string {
  // A mail server may lower the case.
  const written = new RegExp(address.replace(/[^\w@]/g, '\\$&'), 'gi')
  const clear = error.replace(written, () => masked).replace(/\p{Cc}+/gu, ' ')
  return clear.trim().slice(0, ERROR_MAX) || 'unknown'
}

export interface DeliveryQuery {
  readonly after?: string | undefined
  readonly limit: number
  readonly state?: MailDelivery['state'] | undefined
}

export async function readDeliveries(
  db: Database,
  { after, limit, state = undefined }: DeliveryQuery,
): Promise<{ items: MailDelivery[]; next: string | null }> {
  const from = after && /^\d{1,18}$/.test(after) ? after : null
  const rows = await db.query<{
    id: string
    kind: MailDelivery['kind']
    language: MailDelivery['language']
    text_version: number
    addressee: string
    state: MailDelivery['state']
    tries: number
    error: string | null
    first_tried_at: Date
    last_tried_at: Date
  }>(
    sql`select * from mail_deliveries
         where (${from}::bigint is null or id < ${from}::bigint)
           and (${state ?? null}::text is null or state = ${state ?? null}::text)
         order by id desc limit ${limit + 1}`,
  )
  const items = rows.slice(0, limit).map((row) => ({
    id: row.id,
    kind: row.kind,
    language: row.language,
    textVersion: row.text_version,
    to: row.addressee,
    state: row.state,
    tries: row.tries,
    error: row.error,
    firstTriedAt: row.first_tried_at.toISOString(),
    lastTriedAt: row.last_tried_at.toISOString(),
  }))
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
