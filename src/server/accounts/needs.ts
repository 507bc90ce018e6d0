import type { Client, Links, Passkeys, SecondFactors, Sessions } from '../credentials/credentials.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Mail } from '../notices/mail-kinds.ts'

export type Language = 'en' | 'ru'
export type PhonePolicy = 'required' | 'optional' | 'not_asked'

/** The buyer behind an authenticated session, as one query gives it. */
export interface BuyerRow {
  user_id: string
  reference: string
  email: string
  name: string
  language: Language
  is_confirmed: boolean
}

export interface AccountNeeds {
  database: Database
  limits: Limits
  sessions: Sessions<BuyerRow>
  links: Links
  secondFactors: SecondFactors
  passkeys: Passkeys
  /** Adds a job in the transaction: the mail is sent if and only if it commits. */
  sendMail(tx: Queryable, mail: Mail): Promise<void>
  publicUrl: string
}

export type { Client }
