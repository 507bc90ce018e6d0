import type { AuditEntry, AuditFilter } from '../../shared/api/audit.ts'
import type { AuditAction, AuditSubject } from '../../shared/audit-actions.ts'
import { can, type Role } from '../../shared/roles.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'

/** What an operator changed. References only: ids and settings, never a buyer's name, e-mail or phone. */
export interface AuditRecord {
  /** Null where the system itself did it. */
  operatorId: string | null
  action: AuditAction
  subjectType: AuditSubject
  subjectId: string
  before?: unknown
  after?: unknown
  requestId?: string | null
}

export interface AuditReader {
  readonly operatorId: string
  readonly role: Role
}

export interface Audit {
  list(
    reader: AuditReader,
    filter: AuditFilter,
    page: { after?: string | undefined; limit: number },
  ): Promise<{ items: AuditEntry[]; next: string | null }>
  choices(reader: AuditReader): Promise<{ operators: { id: string; login: string }[]; actions: string[] }>
}

/** First parts of the actions about money: with its own entries, all that finance sees. */
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

const RECORD = statement(
  'audit_record',
  `insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

/** Writes an entry in the transaction of the change itself, so that neither is there without the other. */
export async function recordAudit(tx: Queryable, entry: AuditRecord): Promise<void> {
  await tx.query(RECORD, [
    entry.operatorId,
    entry.action,
    entry.subjectType,
    entry.subjectId,
    jsonOf(entry.before),
    jsonOf(entry.after),
    entry.requestId ?? null,
  ])
}

/** The same for whoever changes one kind of subject: by whom and in which request comes with the editor. */
export const auditOf =
  (subjectType: AuditSubject) =>
  (
    tx: Queryable,
    editor: { readonly operatorId: string | null; readonly requestId?: string | null | undefined },
    action: AuditAction,
    subjectId: string,
    before: unknown,
    after: unknown,
  ): Promise<void> =>
    recordAudit(tx, {
      operatorId: editor.operatorId,
      action,
      subjectType,
      subjectId,
      before,
      after,
      requestId: editor.requestId ?? null,
    })

/** Parameters `$1`–`$7` of `AUDIT_WHERE`: the filter, and whose entries the reader may see. */
export function auditFilterValues(reader: AuditReader, filter: AuditFilter): unknown[] {
  const seesAll = can(reader.role, 'audit:read-all')
  return [
    filter.operator ?? null,
    filter.action ?? null,
    filter.subjectType ?? null,
    filter.subjectId ?? null,
    filter.from ?? null,
    filter.until ?? null,
    seesAll ? null : reader.operatorId,
    MONEY_SUBJECTS,
  ]
}

export const AUDIT_WHERE = `
  ($1::bigint is null or a.operator_id = $1)
  and ($2::text is null or a.action = $2 or a.action like replace($2, '_', '\\_') || '.%')
  and ($3::text is null or a.subject_type = $3)
  and ($4::text is null or a.subject_id = $4)
  and ($5::timestamptz is null or a.at >= $5)
  and ($6::timestamptz is null or a.at < $6)
  and ($7::bigint is null or a.operator_id = $7 or split_part(a.action, '.', 1) = any($8::text[]))`

const LIST = statement(
  'audit_list',
  `select a.id, a.at, a.operator_id, o.login, a.action, a.subject_type, a.subject_id, a.before, a.after, a.request_id
     from audit_log a left join operators o on o.id = a.operator_id
    where ${AUDIT_WHERE} and ($9::bigint is null or a.id < $9)
    order by a.id desc limit $10`,
)

/** Walks the index from one action to the next, so that it costs as many steps as there are actions. */
const ACTIONS = statement(
  'audit_actions',
  `with recursive seen as (
     (select action from audit_log order by action using ~<~ limit 1)
     union all
     select (select a.action from audit_log a where a.action ~>~ seen.action order by a.action using ~<~ limit 1)
       from seen where seen.action is not null
   ) select action from seen where action is not null limit 500`,
)
const OPERATORS = statement(
  'audit_operators',
  `select o.id, o.login from operators o
    where exists (select 1 from audit_log a where a.operator_id = o.id) order by o.login limit 500`,
)

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

/** The reading side of the log; nothing here or elsewhere can change an entry. */
export function createAudit({ db }: { db: Database }): Audit {
  return {
    async list(reader, filter, page) {
      const after = page.after && /^\d{1,18}$/.test(page.after) ? page.after : null
      const rows = await db.query<Row>(LIST, [...auditFilterValues(reader, filter), after, page.limit + 1])
      const items = rows.slice(0, page.limit).map(entryFromRow)
      return { items, next: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null }
    },
    async choices(reader) {
      const seesAll = can(reader.role, 'audit:read-all')
      const actions = (await db.query<{ action: string }>(ACTIONS)).map((row) => row.action)
      const operators = await db.query<{ id: string; login: string }>(OPERATORS)
      return {
        operators: seesAll ? operators : operators.filter((operator) => operator.id === reader.operatorId),
        actions: seesAll
          ? actions
          : actions.filter((action) => MONEY_SUBJECTS.includes(action.split('.')[0] ?? '')),
      }
    },
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

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
