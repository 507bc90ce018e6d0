import type { Operator } from '../../shared/api/operators.ts'
import type { Role } from '../../shared/roles.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

export type { Operator }

interface OperatorListRow {
  id: string
  reference: string
  login: string
  role: Role
  email: string | null
  has_password: boolean
  has_second_factor: boolean
  created_at: Date
  last_login_at: Date | null
  disabled_at: Date | null
  revision: number
}

const columns = fragment`o.id, o.reference, o.login, o.role, o.email, o.password_hash is not null as has_password,
  (exists (select from totp_secrets t where t.operator_id = o.id and t.confirmed_at is not null and t.removed_at is null)
   or exists (select from passkeys p where p.operator_id = o.id)) as has_second_factor,
  o.created_at, o.last_login_at, o.disabled_at, o.revision`

export async function listOperators(db: Queryable): Promise<Operator[]> {
  const rows = await db.query<OperatorListRow>(sql`select ${columns} from operators o order by o.id`)
  return rows.map(operatorFromRow)
}

export async function readOperator(db: Queryable, id: string): Promise<Operator> {
  const row = await db.maybeOne<OperatorListRow>(sql`select ${columns} from operators o where o.id = ${id}`)
  return operatorFromRow(row ?? refuse('not_found'))
}

function operatorFromRow(row: OperatorListRow): Operator {
  return {
    id: row.id,
    reference: row.reference,
    login: row.login,
    role: row.role,
    email: row.email,
    hasPassword: row.has_password,
    hasSecondFactor: row.has_second_factor,
    createdAt: row.created_at.toISOString(),
    lastLoginAt: row.last_login_at?.toISOString() ?? null,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    revision: row.revision,
  }
}
