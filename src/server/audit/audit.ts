import type { AuditEntry, AuditFilter } from '../../shared/api/audit.ts'
import { can, type Right, type Role } from '../../shared/roles.ts'
import { composed, type Database, sql } from '../database/database.ts'

export interface AuditReader {
  readonly operatorId: string
  readonly role: Role
  /** An API key's subset of the role's rights. */
  readonly scopes?: readonly Right[] | undefined
}

// Rules: RIGHT-27
const seesAll = ({ role, scopes }: AuditReader) =>
  can(role, 'audit:read-all') && (!scopes || scopes.includes('audit:read-all'))

/** Prefixes of actions; finance sees these and its own entries. */
const MONEY_SUBJECTS = [
  'order',
  'grant',
  'refund',
  'payment',
  'currency',
  'price',
  'rate',
  'wallet',
  'action',
]

/** SQL condition on audit_log `a`; uses `$1` to `$8`. */
export function auditCondition(
  reader: AuditReader,
  filter: AuditFilter,
): { text: string; values: unknown[] } {
  return {
    text: `
  ($1::bigint is null or a.operator_id = $1)
  and ($2::text is null or a.action = $2 or a.action like replace($2, '_', '\\_') || '.%')
  and ($3::text is null or a.subject_type = $3)
  and ($4::text is null or a.subject_id = $4)
  and ($5::timestamptz is null or a.at >= $5)
  and ($6::timestamptz is null or a.at < $6)
  and ($7::bigint is null or a.operator_id = $7 or split_part(a.action, '.', 1) = any($8::text[]))`,
    values: [
      filter.operator ?? null,
      filter.action ?? null,
      filter.subjectType ?? null,
      filter.subjectId ?? null,
      filter.from ?? null,
      filter.until ?? null,
      seesAll(reader) ? null : reader.operatorId,
      MONEY_SUBJECTS,
    ],
  }
}

interface Row {
  id: string
  at: Date
  operator_id: string | null
  login: string | null
  action: string
  subject_type: string
  subject_id: string
  before: unknown
  after: unknown
  request_id: string | null
}

export class Audit {
  readonly #db: Database

  constructor({ db }: { db: Database }) {
    this.#db = db
  }

  /** Newest first. */
  async list(
    reader: AuditReader,
    filter: AuditFilter,
    page: { after?: string | undefined; limit: number },
  ): Promise<{ items: AuditEntry[]; next: string | null }> {
    const after = page.after && /^\d{1,18}$/.test(page.after) ? page.after : null
    const condition = auditCondition(reader, filter)
    const rows = await this.#db.query<Row>(
      composed(
        `select a.id, a.at, a.operator_id, o.login, a.action, a.subject_type, a.subject_id, a.before, a.after, a.request_id
           from audit_log a left join operators o on o.id = a.operator_id
          where ${condition.text} and ($9::bigint is null or a.id < $9) order by a.id desc limit $10`,
        [...condition.values, after, page.limit + 1],
      ),
    )
    const items = rows.slice(0, page.limit).map(entryFromRow)
    return { items, next: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null }
  }

  /** For the filter: those in the log that the reader may see. */
  async choices(
    reader: AuditReader,
  ): Promise<{ operators: { id: string; login: string }[]; actions: string[] }> {
    const isWhole = seesAll(reader)
    const rows = await this.#db.query<{ action: string }>(
      // From action to action through the index: the cost grows with the number of actions only.
      sql`with recursive seen as (
            (select action from audit_log order by action using ~<~ limit 1)
            union all
            select (select a.action from audit_log a where a.action ~>~ seen.action order by a.action using ~<~ limit 1)
              from seen where seen.action is not null
          ) select action from seen where action is not null limit 500`,
    )
    const operators = await this.#db.query<{ id: string; login: string }>(
      sql`select o.id, o.login from operators o
           where exists (select 1 from audit_log a where a.operator_id = o.id) order by o.login limit 500`,
    )
    const actions = rows.map((row) => row.action)
    const isAboutMoney = (action: string) => MONEY_SUBJECTS.includes(action.split('.')[0] ?? '')
    return {
      operators: isWhole ? operators : operators.filter((operator) => operator.id === reader.operatorId),
      actions: isWhole ? actions : actions.filter(isAboutMoney),
    }
  }
}

function entryFromRow(row: Row): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    operator: row.operator_id === null ? null : { id: row.operator_id, login: row.login ?? '' },
    action: row.action,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    before: row.before,
    after: row.after,
    requestId: row.request_id,
  }
}
