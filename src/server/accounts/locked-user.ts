import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Language } from './parts.ts'

/** What a change of an account has to know of it. */
export interface LockedUser {
  id: string
  email: string
  email_key: string
  name: string
  language: Language
  password_hash: string | null
  confirmed_at: Date | null
}

const columns = fragment`id, email, email_key, name, language, password_hash, confirmed_at`

/** Locks the account against other changes of it; undefined where it was deleted. */
export function lockUser(tx: Queryable, userId: string): Promise<LockedUser | undefined> {
  return tx.maybeOne<LockedUser>(
    sql`select ${columns} from users where id = ${userId} and deleted_at is null for no key update`,
  )
}

/** Refuses `session_ended` where the account was deleted. */
export async function readUser(db: Queryable, userId: string): Promise<LockedUser> {
  const user = await db.maybeOne<LockedUser>(
    sql`select ${columns} from users where id = ${userId} and deleted_at is null`,
  )
  return user ?? refuse('session_ended')
}
