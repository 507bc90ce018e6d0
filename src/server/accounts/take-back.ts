import { emailKey } from '../../shared/mailbox.ts'
import { type Queryable, sql } from '../database/database.ts'
import { linkPaths, mailedLink } from './addresses.ts'
import type { LockedUser } from './locked-user.ts'
import type { AccountParts } from './parts.ts'
import { onUniqueViolation } from './unique-violation.ts'

// Rules: RIGHT-40
/**
 * A link for the mail that tells of a new second factor or address: a reset that takes back what the mail is about. The address must be
 * proved: else a stranger's account would come with it.
 */
export async function takeBackLink(
  { credentials, publicUrl }: Pick<AccountParts, 'credentials' | 'publicUrl'>,
  tx: Queryable,
  { id, email }: Pick<LockedUser, 'id' | 'email'>,
): Promise<string> {
  const token = await credentials.links.create(tx, 'take_back', { kind: 'user', id }, email)
  return mailedLink(publicUrl, linkPaths.take_back, token)
}

/** Moves the account back to the address that the link was mailed to. Refuses `email_taken`. */
export async function moveBack(tx: Queryable, user: LockedUser, email: string): Promise<void> {
  if (emailKey(email) !== user.email_key) await moveEmail(tx, user.id, email)
}

// Rules: RIGHT-40
/**
 * Ends the links that take the account back and are younger than the first one of this address. A younger address therefore never ends a
 * link of an older one. `withOwn`: those of this address too, because a thief may have read one.
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

/** Whether the account may still be moved back to another address. */
export async function mayMoveBack(
  tx: Queryable,
  { id, email_key: key }: Pick<LockedUser, 'id' | 'email_key'>,
): Promise<boolean> {
  const rows = await tx.query(
    sql`select from one_time_links
         where user_id = ${id} and purpose = 'take_back' and used_at is null and expires_at > now()
           and lower(btrim(email)) <> ${key} limit 1`,
  )
  return rows.length > 0
}

/** Whether another account may still be moved back to this address: nobody else registers it meanwhile. */
export async function isReserved(tx: Queryable, key: string, userId: string | null): Promise<boolean> {
  const { reserved } = await tx.one<{ reserved: boolean }>(
    sql`select exists (select from one_time_links
                        where purpose = 'take_back' and lower(btrim(email)) = ${key} and used_at is null
                          and expires_at > now() and user_id is distinct from ${userId}) as reserved`,
  )
  return reserved
}

/** Whether nobody else has the address meanwhile, or may take it back. */
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
