import type { Language } from '../../shared/languages.ts'
import type { Client, Credentials, Sessions } from '../credentials/credentials.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { Secrets } from '../secrets/secrets.ts'

export type { Language }
export type PhonePolicy = 'required' | 'optional' | 'not_asked'

export interface BuyerRow {
  user_id: string
  reference: string
  email: string
  language: Language
  is_confirmed: boolean
}

export interface AccountParts {
  readonly db: Database
  readonly credentials: Credentials
  readonly secrets: Secrets
  readonly limits: Limits
  readonly sessions: Sessions<BuyerRow>
  readonly publicUrl: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
  noteReferral?: ((tx: Queryable, userId: string, code: string | undefined) => Promise<void>) | undefined
}

export type { Client }

/** For limits and known networks of a buyer. */
export function accountKey(key: string): string {
  return `user:${key}`
}

// Rules: RIGHT-8
/** All sessions but one (null: all), and second factors that are not on yet. */
export async function endAccess(
  { sessions, credentials }: Pick<AccountParts, 'sessions' | 'credentials'>,
  tx: Queryable,
  userId: string,
  exceptSession: string | null,
): Promise<void> {
  await sessions.endOthers(tx, userId, exceptSession)
  await credentials.secondFactors.removeBegun(tx, { kind: 'user', id: userId })
}
