import type { Role } from '../../shared/roles.ts'
import { endRequestsOf } from '../actions/actions.ts'
import type { Credentials, Sessions } from '../credentials/credentials.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Language, Mail } from '../mail/mail-kinds.ts'
import type { UnitOfWork, UnitsOfWork } from '../unit-of-work/unit-of-work.ts'

export interface OperatorRow {
  operator_id: string
  reference: string
  login: string
  role: Role
  language: Language
  /** The role needs a second factor and the session has none: only own-access routes are open. */
  lacks_second_factor: boolean
}

export interface OperatorParts {
  readonly db: Database
  readonly units: UnitsOfWork
  readonly credentials: Credentials
  readonly limits: Limits
  readonly sessions: Sessions<OperatorRow>
  readonly publicUrl: string
  /** First path segment of the operators' area, `OPERATOR_PATH`. */
  readonly operatorPath: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
  revokeKeysOf(unit: UnitOfWork, operatorId: string): Promise<void>
  countKeysOf(tx: Queryable, operatorId: string): Promise<number>
}

export const operatorSubject = (id: string) => ({ type: 'operator', id }) as const

// Rules: RIGHT-8
/**
 * Ends the operator's sessions but one (null: all), API keys, approval requests, factors that are not on yet,
 * and open links that the operator made for others.
 */
export async function endAccess(
  { sessions, credentials, revokeKeysOf }: Pick<OperatorParts, 'sessions' | 'credentials' | 'revokeKeysOf'>,
  unit: UnitOfWork,
  operatorId: string,
  exceptSession: string | null = null,
): Promise<void> {
  await sessions.endOthers(unit, operatorId, exceptSession)
  await revokeKeysOf(unit, operatorId)
  await endRequestsOf(unit, operatorId)
  await credentials.secondFactors.removeBegun(unit, { kind: 'operator', id: operatorId })
  await unit.query(
    sql`delete from one_time_links l using audit_log a
         where l.purpose = 'operator_invitation' and l.used_at is null and l.operator_id <> ${operatorId}
           and a.subject_type = 'operator' and a.subject_id = l.operator_id::text and a.at >= l.created_at
           and a.action in ('operator.invite', 'operator.renew-link') and a.operator_id = ${operatorId}`,
  )
}
