import type { AuditAction } from '../../shared/audit-actions.ts'
import type { Role } from '../../shared/roles.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Links, Passkeys, SecondFactors, Sessions } from '../credentials/credentials.ts'
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

/** One line of the audit log about an operator account: references and roles, no personal data. */
export async function audit(
  tx: Queryable,
  by: By,
  action: AuditAction,
  subjectId: string,
  change: { before?: unknown; after?: unknown } = {},
): Promise<void> {
  await recordAudit(tx, {
    operatorId: by.operatorId,
    action,
    subjectType: 'operator',
    subjectId,
    ...change,
    requestId: by.requestId,
  })
}
