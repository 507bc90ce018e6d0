import { emailKey } from '../../shared/mailbox.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { linkPaths, mailedLink } from './addresses.ts'
import { lockUser } from './locked-user.ts'
import { type AccountParts, accountKey, type Language } from './parts.ts'
import { endTakeBacks, moveEmail } from './take-back.ts'

/** An earlier link stops working. */
export async function mailConfirmation(
  parts: AccountParts,
  tx: Queryable,
  user: { id: string; email: string; name: string; language: Language },
): Promise<void> {
  const token = await parts.credentials.links.create(
    tx,
    'confirm_email',
    { kind: 'user', id: user.id },
    user.email,
  )
  await parts.sendMail(tx, {
    kind: 'confirm_email',
    to: user.email,
    language: user.language,
    name: user.name,
    link: mailedLink(parts.publicUrl, linkPaths.confirm_email, token),
  })
}

export async function resendConfirmation(parts: AccountParts, userId: string): Promise<void> {
  await parts.limits.take('confirm_account', userId)
  await parts.db.transaction(async (tx) => {
    const user = (await lockUser(parts, tx, userId)) ?? refuse('session_ended')
    if (user.confirmed_at === null) await mailConfirmation(parts, tx, user)
  })
}

// Rules: RIGHT-38
/**
 * In a session of the account: a stranger may have made it with this mailbox. The mailbox's owner confirms by
 * a password reset, which removes the stranger's changes.
 */
export async function confirmByLink(
  parts: AccountParts,
  token: string,
  userId: string | null,
): Promise<void> {
  const { links } = parts.credentials
  await parts.db.transaction(async (tx) => {
    const moving = await links.useIfOpen(tx, 'change_email', token)
    const { holder, email } = moving ?? (await links.use(tx, 'confirm_email', token))
    if (holder.id !== userId) refuse('not_signed_in')
    if (email === null) return refuse('link_expired')
    const isDone = await (moving
      ? moveEmail(tx, holder.id, email)
      : confirmEmail(tx, holder.id, emailKey(email)))
    if (!isDone) refuse(moving ? 'email_taken' : 'link_expired')
    // Reset links of a former address must not open the account. A confirmation ends a pending change: an
    // unconfirmed address got no mail about it.
    await links.revoke(tx, holder, moving ? ['reset_password', 'confirm_email'] : ['change_email'])
    if (!moving) return
    await endTakeBacks(tx, holder.id, email, false)
    // These networks are known from logins of the address's former owner.
    await parts.limits.forgetNetworks(tx, accountKey(emailKey(email)))
  })
}

/** False if the account's address has changed since. */
export async function confirmEmail(tx: Queryable, userId: string, key: string): Promise<boolean> {
  const confirmed = await tx.query(
    sql`update users set confirmed_at = coalesce(confirmed_at, now())
         where id = ${userId} and email_key = ${key} and deleted_at is null returning id`,
  )
  return confirmed.length > 0
}
