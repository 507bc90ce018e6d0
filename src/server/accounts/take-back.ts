import { emailKey } from '../../shared/mailbox.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { linkPaths, mailedLink } from './addresses.ts'
import type { LockedUser } from './locked-user.ts'
import type { AccountParts } from './parts.ts'
import { onUniqueViolation } from './unique-violation.ts'

/** Open links `l` that take an account back. */
const isOpen = fragment`l.purpose = 'take_back' and l.used_at is null and l.expires_at > now()`

// Rules: ACCOUNT-1
/** Of `users`: its deletion is due, and no open link may still take the account back. */
export const isDeletionDue = fragment`deletion_due_at <= now() and deleted_at is null
  and not exists (select from one_time_links l where l.user_id = users.id and ${isOpen})`

// Rules: RIGHT-40
/**
 * For the mail about a new factor or address; using the link undoes that change. The address must be
 * confirmed: otherwise the link would hand over a stranger's account.
 */
export async function takeBackLink(
  { credentials, publicUrl }: Pick<AccountParts, 'credentials' | 'publicUrl'>,
  tx: Queryable,
  { id, email }: Pick<LockedUser, 'id' | 'email'>,
): Promise<string> {
  const token = await credentials.links.create(tx, 'take_back', { kind: 'user', id }, email)
  return mailedLink(publicUrl, linkPaths.take_back, token)
}

/**
 * Moves the account back to the address that the link was mailed to, and tells the address that it leaves.
 * Throws `email_taken`.
 */
export async function moveBack(
  { sendMail }: Pick<AccountParts, 'sendMail'>,
  tx: Queryable,
  { id, email: left, email_key: key, language, name }: LockedUser,
  email: string,
): Promise<void> {
  if (emailKey(email) === key) return
  await moveEmail(tx, id, email)
  await sendMail(tx, { kind: 'moved_back', to: left, language, name })
}

// Rules: RIGHT-40
/**
 * Revokes take-back links younger than the first one of this address, so a younger address never revokes a
 * link of an older one. `withOwn` includes this address's own links, because a thief may have read one.
 */
export async function endTakeBacks(
  tx: Queryable,
  userId: string,
  email: string,
  withOwn: boolean,
): Promise<void> {
  await tx.query(
    sql`with mine as (select created_at, lower(btrim(email)) = ${emailKey(email)} as is_own, token_hash, used_at
                        from one_time_links where user_id = ${userId} and purpose = 'take_back')
        delete from one_time_links l using mine m
         where l.token_hash = m.token_hash and m.used_at is null
           and case when m.is_own then ${withOwn}
                    else m.created_at > (select min(created_at) from mine where is_own) end`,
  )
}

/** True if an open link may still take the account back. */
export async function mayBeTakenBack(tx: Queryable, { id }: Pick<LockedUser, 'id'>): Promise<boolean> {
  const rows = await tx.query(sql`select from one_time_links l where l.user_id = ${id} and ${isOpen} limit 1`)
  return rows.length > 0
}

/** True if another account may still be moved back to this address. */
export async function isReserved(tx: Queryable, key: string, userId: string | null): Promise<boolean> {
  const { reserved } = await tx.one<{ reserved: boolean }>(
    sql`select exists (select from one_time_links l
                        where ${isOpen} and lower(btrim(l.email)) = ${key}
                          and l.user_id is distinct from ${userId}) as reserved`,
  )
  return reserved
}

/** Returns false if another account has the address or may take it back. */
export async function moveEmail(tx: Queryable, userId: string, email: string): Promise<boolean> {
  const key = emailKey(email)
  const moved = await onUniqueViolation(
    async () =>
      (await isReserved(tx, key, userId))
        ? []
        : tx.query(
            sql`update users set email = ${email}, email_key = ${key}, confirmed_at = now()
             where id = ${userId} and deleted_at is null
               and not exists (select from users o where o.email_key = ${key} and o.id <> ${userId}) returning id`,
          ),
    'email_taken',
  )
  return moved.length > 0
}
