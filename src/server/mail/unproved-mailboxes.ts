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

/** Mails that a session of the account can cause as often as it likes, and that no approval hangs on. */
const CAUSED_INSIDE: ReadonlySet<Mail['kind']> = new Set([
  'second_factor_changed',
  'operator_second_factor_changed',
  'email_changing',
  'password_changed',
  'operator_password_changed',
  'taken_back',
  'account_deleting',
  'new_sign_in',
  'failed_attempts',
  'code_used_again',
  'delivery_address_typed',
  'delivery_address_named',
  'delivery_change_withdrawn',
  'order_created',
  'refund_claimed',
])

// Rules: TEXT-6
/**
 * Whether a mail may be sent to its address. An unproven mailbox gets few mails a day from any action,
 * because somebody could register another person's address. Each mailbox gets few of one kind, so that a thief
 * inside buries no mail of another kind.
 */
export async function mayMail(
  db: Queryable,
  limits: Pick<Limits, 'take'>,
  { kind, to }: Pick<Mail, 'kind' | 'to'>,
): Promise<boolean> {
  const key = emailKey(to)
  const mailbox = mailboxOf(key)
  if (
    !UNCOUNTED.has(kind) &&
    (await isUnproved(db, key)) &&
    !(await mayTake(limits, 'unproved_mailbox', mailbox))
  )
    return false
  return !CAUSED_INSIDE.has(kind) || mayTake(limits, 'mailbox_kind', `${kind} ${mailbox}`)
}

async function isUnproved(db: Queryable, key: string): Promise<boolean> {
  const found = await db.query(
    sql`select from users where email_key = ${key} and confirmed_at is null and deleted_at is null`,
  )
  return found.length > 0
}

async function mayTake(
  limits: Pick<Limits, 'take'>,
  name: 'unproved_mailbox' | 'mailbox_kind',
  subject: string,
): Promise<boolean> {
  try {
    await limits.take(name, subject)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
