import type { Role } from '../../shared/roles.ts'
import type { Links, Passkeys, SecondFactors, Sessions } from '../credentials/credentials.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Language, Mail } from '../notices/mail-kinds.ts'

/** The operator behind an authenticated session, as one query gives it. */
export interface OperatorRow {
  operator_id: string
  reference: string
  login: string
  role: Role
  language: Language
}

export interface OperatorNeeds {
  database: Database
  limits: Limits
  sessions: Sessions<OperatorRow>
  links: Links
  secondFactors: SecondFactors
  passkeys: Passkeys
  sendMail(tx: Queryable, mail: Mail): Promise<void>
  publicUrl: string
  /** First segment of the operator area's address, `OPERATOR_PATH`. */
  operatorPath: string
}

/** Who acts, for the audit log: an operator of a request, or null for the command line and the first start. */
export interface By {
  operatorId: string | null
  login: string
  requestId: string | null
}

const insertAudit = statement(
  'operators_audit',
  `insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
   values ($1, $2, 'operator', $3, $4, $5, $6)`,
)

/** One line of the audit log about an operator account: references and roles, no personal data. */
export async function audit(
  tx: Queryable,
  by: By,
  action: string,
  subjectId: string,
  change: { before?: unknown; after?: unknown } = {},
): Promise<void> {
  await tx.query(insertAudit, [
    by.operatorId,
    action,
    subjectId,
    change.before === undefined ? null : JSON.stringify(change.before),
    change.after === undefined ? null : JSON.stringify(change.after),
    by.requestId,
  ])
}
