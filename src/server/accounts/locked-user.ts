import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { openName, type StoredText, storedName } from '../secrets/secrets.ts'
import type { AccountParts, Language } from './parts.ts'

export interface LockedUser {
  id: string
  reference: string
  email: string
  email_key: string
  name: string
  language: Language
  password_hash: string | null
  /** False for a day after a password set without the previous one. */
  password_proves: boolean
  confirmed_at: Date | null
}

export type UserRow = Omit<LockedUser, 'name'> & { name: StoredText }
type Opening = Pick<AccountParts, 'secrets'>

/** Columns of `users u`. */
export const userColumns = fragment`u.id, u.reference, u.email, u.email_key, ${storedName} as name, u.language, u.password_hash,
  coalesce(u.password_proves_from <= clock_timestamp(), true) as password_proves, u.confirmed_at`

export function openUser(parts: Opening, row: UserRow): LockedUser
export function openUser(parts: Opening, row: UserRow | undefined): LockedUser | undefined
export function openUser({ secrets }: Opening, row: UserRow | undefined): LockedUser | undefined {
  return row && { ...row, name: openName(secrets, row) }
}

/** Undefined if deleted. `againstOrders` also blocks rows that refer to the user, such as orders. */
export async function lockUser(
  parts: Opening,
  tx: Queryable,
  userId: string,
  againstOrders = false,
): Promise<LockedUser | undefined> {
  const lock = againstOrders ? fragment`for update` : fragment`for no key update`
  const row = await tx.maybeOne<UserRow>(
    sql`select ${userColumns} from users u where u.id = ${userId} and u.deleted_at is null ${lock}`,
  )
  return openUser(parts, row)
}

/** Undefined if the account was deleted. */
export async function findUser(
  parts: Opening,
  db: Queryable,
  userId: string,
): Promise<LockedUser | undefined> {
  const row = await db.maybeOne<UserRow>(
    sql`select ${userColumns} from users u where u.id = ${userId} and u.deleted_at is null`,
  )
  return openUser(parts, row)
}

export async function findUserByEmail(
  parts: Opening,
  db: Queryable,
  key: string,
): Promise<LockedUser | undefined> {
  const row = await db.maybeOne<UserRow>(
    sql`select ${userColumns} from users u where u.email_key = ${key} and u.deleted_at is null`,
  )
  return openUser(parts, row)
}

/** Throws `session_ended` if the account was deleted. */
export async function readUser(parts: AccountParts, userId: string): Promise<LockedUser> {
  return (await findUser(parts, parts.db, userId)) ?? refuse('session_ended')
}
