import { emailKey, mailboxOf } from '../../shared/mailbox.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { Refusal } from '../refusal.ts'
import type { Mail } from './mail-kinds.ts'

/** Mails that prove a mailbox and have their own limits, and mails caused only by money or operators. */
const UNCOUNTED: ReadonlySet<Mail['kind']> = new Set([
  'confirm_email',
  'change_email',
  'reset_password',
  'debt_link',
  'debt_claimed',
  'follow_confirm',
  'order_approved',
  'order_reversed',
  'order_underpaid',
  'refund_due',
  'refund_claimed',
  'refund_paid',
  'round_announced',
  'giveaway_won',
])

// Rules: TEXT-6
/**
 * Whether a mail may be sent to its address. An unproven mailbox gets few mails a day from any action,
 * because somebody could register another person's address.
 */
export async function mayMail(
  db: Queryable,
  limits: Pick<Limits, 'take'>,
  { kind, to }: Pick<Mail, 'kind' | 'to'>,
): Promise<boolean> {
  if (UNCOUNTED.has(kind)) return true
  const key = emailKey(to)
  const unproved = await db.query(
    sql`select from users where email_key = ${key} and confirmed_at is null and deleted_at is null`,
  )
  if (unproved.length === 0) return true
  try {
    await limits.take('unproved_mailbox', mailboxOf(key))
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
