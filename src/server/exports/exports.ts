import type { Client } from 'pg'
import type { AuditFilter } from '../../shared/api/audit.ts'
import { type CsvText, csvFile, csvLine, joined } from '../../shared/csv.ts'
import { type AuditReader, auditCondition } from '../audit/audit.ts'
import type { Database } from '../database/database.ts'
import type { UsersFilter } from '../ledger/operator-users.ts'
import { filterConditions, type OrderFilter } from '../orders/orders.ts'
import { refuse } from '../refusal.ts'
import {
  openName,
  openPhone,
  type Secrets,
  type StoredText,
  storedName,
  storedPhone,
} from '../secrets/secrets.ts'

interface Query {
  readonly columns: readonly string[]
  readonly text: string
  readonly values: readonly unknown[]
  /** Converts a row whose cells differ from the database's values. */
  readonly open?: (row: readonly unknown[]) => readonly unknown[]
}

const ROWS_A_FETCH = 1_000
/** Parsing would be undone. */
const AS_TEXT = { getTypeParser: () => (text: string) => text }
/** SQL of a time as ISO 8601 in UTC. */
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** Each export holds a connection and a snapshot. */
const RUNNING_MAX = 3
/** A stalled reader loses the connection after this time. */
const STALL_MAX_MS = 120_000

/** Read by cursor from one snapshot in constant memory. */
export class Exports {
  readonly #db: Database
  readonly #secrets: Secrets
  #running = 0

  constructor({ db, secrets }: { db: Database; secrets: Secrets }) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Like the others throws busy_exporting if too many run. */
  users(filter: UsersFilter = {}): AsyncGenerator<string> {
    return this.#stream(usersQuery(this.#secrets, filter))
  }

  transactions(filter: OrderFilter): AsyncGenerator<string> {
    return this.#stream(transactionsQuery(filter))
  }

  /** Hidden orders too. */
  approved(): AsyncGenerator<string> {
    return this.#stream(transactionsQuery({ status: ['approved'], hidden: true }))
  }

  audit(reader: AuditReader, filter: AuditFilter): AsyncGenerator<string> {
    return this.#stream(auditQuery(reader, filter))
  }

  async *#stream(query: Query): AsyncGenerator<string> {
    if (this.#running >= RUNNING_MAX) refuse('busy_exporting')
    this.#running += 1
    let client: Client | undefined
    try {
      // A slow download takes no connection from orders.
      client = await this.#db.reader({
        application_name: 'presale export',
        options: '-c TimeZone=UTC -c DateStyle=ISO',
        statement_timeout: 60_000,
        idle_in_transaction_session_timeout: STALL_MAX_MS,
      })
      yield* readByCursor(client, query)
    } finally {
      this.#running -= 1
      await client?.end().catch(() => undefined)
    }
  }
}

async function* readByCursor(client: Client, query: Query): AsyncGenerator<CsvText> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(`declare rows no scroll cursor for ${query.text}`, [...query.values])
  yield csvFile([query.columns])
  for (;;) {
    const { rows } = await client.query<unknown[]>({
      text: `fetch ${ROWS_A_FETCH} from rows`,
      rowMode: 'array',
      types: AS_TEXT,
    })
    if (rows.length > 0) yield joined(rows.map((row) => csvLine(query.open?.(row) ?? row)))
    if (rows.length < ROWS_A_FETCH) return
  }
}

const usersQuery = (secrets: Secrets, { search, from, to }: UsersFilter): Query => ({
  columns: [
    'id',
    'reference',
    'name',
    'email',
    'phone',
    'balance',
    'purchased',
    'bonus',
    'granted',
    'deposits_usd',
    'registered_at',
    'deleted_at',
  ],
  text: `
    select u.id, u.reference, ${storedName.text}, u.email, ${storedPhone.text},
           coalesce(h.purchased_tokens + h.bonus_tokens + h.granted_tokens, 0), coalesce(h.purchased_tokens, 0),
           coalesce(h.bonus_tokens, 0), coalesce(h.granted_tokens, 0), coalesce(h.deposits_usd, 0), ${iso('u.created_at')}, ${iso('u.deleted_at')}
      from users u left join holdings h on h.user_id = u.id
     where ($1::text is null or u.id::text = $1 or u.reference = $1 or starts_with(u.email_key, lower($1)))
       and ($2::timestamptz is null or u.created_at >= $2) and ($3::timestamptz is null or u.created_at < $3) order by u.id`,
  values: [search || null, from ?? null, to ?? null],
  open: ([id, of, name, email, phone, ...rest]) => {
    const reference = String(of)
    const opened = openName(secrets, { reference, name: name as StoredText })
    return [id, of, opened, email, openPhone(secrets, { reference, phone: phone as StoredText }), ...rest]
  },
})

function transactionsQuery(filter: OrderFilter): Query {
  const values: unknown[] = [filter.search || null]
  const conditions = filterConditions(filter, (value) => `$${values.push(value)}`)
  return {
    columns: [
      'id',
      'order_token',
      'user_reference',
      'email',
      'currency',
      'amount',
      'asked_amount',
      'address',
      'transaction_id',
      'base',
      'asked_base',
      'bonus',
      'amount_to_receive',
      'usd',
      'price_usd',
      'rate',
      'status',
      'detail',
      'approved_via',
      'created_at',
      'updated_at',
      'approved_at',
    ],
    // Like the order table: exact id, token or transaction id, prefix of address or e-mail.
    text: `
      select o.id, o.token, u.reference, u.email, o.currency, o.crypto_amount, (asked_of(o)).crypto_amount,
             o.address, o.transaction_id, o.base_tokens, (asked_of(o)).base_tokens, o.bonus_tokens, o.base_tokens + o.bonus_tokens,
             o.usd, o.price_usd, o.rate, o.status, o.detail, o.approved_via, ${iso('o.created_at')}, ${iso('o.updated_at')},
             ${iso('o.approved_at')}
        from orders o join users u on u.id = o.user_id
       where ${['true', ...conditions].join(' and ')}
         and ($1::text is null or o.id::text = $1 or o.token = $1 or o.transaction_id = $1
              or starts_with(o.address, $1) or starts_with(u.email_key, lower($1)))
       order by o.id desc`,
    values,
  }
}

function auditQuery(reader: AuditReader, filter: AuditFilter): Query {
  const condition = auditCondition(reader, filter)
  return {
    columns: [
      'id',
      'at',
      'operator',
      'action',
      'subject_type',
      'subject_id',
      'before',
      'after',
      'request_id',
    ],
    text: `
      select a.id, ${iso('a.at')}, o.login, a.action, a.subject_type, a.subject_id, a.before, a.after, a.request_id
        from audit_log a left join operators o on o.id = a.operator_id
       where ${condition.text} order by a.id desc`,
    values: condition.values,
  }
}
