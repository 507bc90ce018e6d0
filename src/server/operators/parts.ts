import type { Role } from '../../shared/roles.ts'
import type { Changes } from '../changes/changes.ts'
import type { Credentials, Sessions } from '../credentials/credentials.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Language, Mail } from '../notices/mail-kinds.ts'

/** The operator behind an authenticated session, as one query gives it. */
export interface OperatorRow {
  operator_id: string
  reference: string
  login: string
  role: Role
  language: Language
  /** The role needs a second factor and none is on: only the own access is open. */
  lacks_second_factor: boolean
}

/** What the files of this folder work with. */
export interface OperatorParts {
  readonly db: Database
  readonly changes: Changes
  readonly credentials: Credentials
  readonly limits: Limits
  readonly sessions: Sessions<OperatorRow>
  readonly publicUrl: string
  /** First segment of the operator area's address, `OPERATOR_PATH`. */
  readonly operatorPath: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

/** An operator as the audit log names one: a reference, no personal data. */
export const operatorSubject = (id: string) => ({ type: 'operator', id }) as const
