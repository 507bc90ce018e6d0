import { type Database, type Queryable, sql } from '../database/database.ts'
import type { MailWaits } from './unproved-mailboxes.ts'

/** By graphile's backoff of e^attempt seconds the last try is about 45 hours after the first. */
export const MAIL_ATTEMPTS = 12

export const MAIL_TASKS = ['send_mail', 'order_mail', 'order_mails', 'announcement_mail'] as const

export class NoMailServer extends Error {
  constructor() {
    super('no mail server is set')
  }
}

/** Then the mail's purpose has expired; other mails are always sent. */
const USEFUL_HOURS: Readonly<Record<string, number>> = {
  confirm_email: 7 * 24,
  change_email: 24,
  reset_password: 1,
  debt_link: 1,
  order_created: 1,
  delivery_address_typed: 24,
  follow_confirm: 7 * 24,
  operator_invitation: 24,
  operator_link: 24,
}

/**
 * `waiting` without a mail server, `given_up` after a permanent rejection or the last try; null if the mail
 * is retried. A failed login or connection is no rejection.
 */
export function endOfTries(error: unknown, isLast: boolean): 'waiting' | 'given_up' | null {
  if (error instanceof NoMailServer) return 'waiting'
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown }
  const isPermanent = typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600
  const isAboutMail = ['EENVELOPE', 'EMESSAGE'].includes(String(code))
  return isLast || (isPermanent && isAboutMail) ? 'given_up' : null
}

/** The content stays sealed. */
export async function parkMail(db: Database, id: string, task: string, payload: unknown): Promise<void> {
  await db.query(
    sql`insert into parked_mails (id, task, payload) values (${id}, ${task}, ${JSON.stringify(payload)})
        on conflict (id) do nothing`,
  )
}

// Rules: TEXT-6
/**
 * Queues a mail for later. `nth` is the id of its first job: a mail with a greater one takes the place of one
 * with the same key, because the newest says what counts.
 */
export async function postponeMail(
  db: Database,
  task: string,
  mail: { readonly nth: string },
  { key, seconds }: MailWaits,
): Promise<void> {
  const place = `newest ${key}`
  await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`)
    await tx.query(
      sql`select graphile_worker.add_job(${task}, ${JSON.stringify(mail)}::json, job_key => ${place},
                   run_at => now() + make_interval(secs => ${seconds}), max_attempts => ${MAIL_ATTEMPTS})
           where not exists (select from graphile_worker._private_jobs
                              where key = ${place} and (payload ->> 'nth')::bigint > ${mail.nth}::bigint)`,
    )
  })
}

/** One (`id`), or all that wait for a mail server. Abandons useless ones. Returns the number to send. */
export async function releaseMails(tx: Queryable, id: string | null): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`with gone as (
          delete from parked_mails p using mail_deliveries d
           where d.id = p.id and case when ${id}::bigint is null then d.state = 'waiting' else p.id = ${id}::bigint end
          returning p.id, p.task, p.payload,
            p.parked_at < now() - make_interval(hours => (${JSON.stringify(USEFUL_HOURS)}::jsonb ->> d.kind)::integer) as useless
        ), dropped as (
          update mail_deliveries d set state = 'given_up', error = 'too old to be of use' from gone g
           where d.id = g.id and g.useless is true
        )
        select count(graphile_worker.add_job(
                 task, (payload || jsonb_build_object('delivery', id::text))::json, max_attempts => ${MAIL_ATTEMPTS}))::integer
               as count
          from gone where useless is not true`,
  )
  return count
}

export async function hurryMails(tx: Queryable): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::integer as count from graphile_worker.reschedule_jobs(
          array(select id from graphile_worker.jobs
                 where task_identifier = any(${[...MAIL_TASKS]}) and attempts > 0 and locked_at is null),
          run_at => now())`,
  )
  return count
}
