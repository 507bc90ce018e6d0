import { emailKey, mailboxOf } from '../../shared/mailbox.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { Refusal } from '../refusal.ts'
import type { Mail } from './mail-kinds.ts'

/**
 * Proofs of a mailbox, which have their own limits, mails caused only by money or operators, and mails to
 * operators and followers.
 */
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
  'announcement',
  'operator_invitation',
  'operator_link',
  'operator_notice',
  'owner_notice',
  'operator_password_changed',
  'operator_second_factor_changed',
  'api_key_ends',
])

/** A session can cause these as often as it likes, and no approval hangs on them. */
const CAUSED_INSIDE: ReadonlySet<Mail['kind']> = new Set([
  'second_factor_changed',
  'operator_second_factor_changed',
  'email_changing',
  'password_changed',
  'operator_password_changed',
  'taken_back',
  'account_deleting',
  'account_deleted',
  'new_sign_in',
  'failed_attempts',
  'code_used_again',
  'delivery_address_typed',
  'delivery_address_named',
  'delivery_change_withdrawn',
  'order_created',
  'refund_claimed',
])

/** A mail beyond the limit of its account and kind (`key`). It waits so long, and a newer one takes its place. */
export class MailWaits extends Error {
  readonly key: string
  readonly seconds: number

  constructor(key: string, seconds: number) {
    super('enough mails of this kind went to this account')
    this.key = key
    this.seconds = seconds
  }
}

// Rules: TEXT-6
/**
 * The accounts of an unproven mailbox share few mails a day: somebody could register another person's
 * address. Each account keeps some of its own, so that a stranger's account on the same mailbox silences no
 * other. Each gets few of one kind, so that a thief inside buries no mail of another kind. An operator's
 * mails and those of a buyer with the same address are apart. Throws `MailWaits`.
 */
export async function mayMail(
  db: Queryable,
  limits: Pick<Limits, 'take'>,
  { kind, to, isOperators }: Pick<Mail, 'kind' | 'to' | 'isOperators'>,
): Promise<boolean> {
  const key = emailKey(to)
  if (
    !isOperators &&
    !UNCOUNTED.has(kind) &&
    // The account is gone, so nobody knows any more whether its address was proved.
    (kind === 'account_deleted' || (await isUnproved(db, key))) &&
    !(await mayTake(limits, 'unproved_mailbox', mailboxOf(key))) &&
    !(await mayTake(limits, 'unproved_account', key))
  )
    return false
  const account = isOperators ? `operator ${key}` : key
  if (CAUSED_INSIDE.has(kind)) await takeOfKind(limits, `${kind} ${account}`)
  return true
}

async function isUnproved(db: Queryable, key: string): Promise<boolean> {
  const found = await db.query(
    sql`select from users where email_key = ${key} and confirmed_at is null and deleted_at is null`,
  )
  return found.length > 0
}

async function mayTake(
  limits: Pick<Limits, 'take'>,
  name: 'unproved_mailbox' | 'unproved_account',
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

async function takeOfKind(limits: Pick<Limits, 'take'>, subject: string): Promise<void> {
  try {
    await limits.take('account_kind', subject)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new MailWaits(subject, Number(error.details?.['retryAfterSeconds'] ?? 0))
  }
}
