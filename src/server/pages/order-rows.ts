import { type Queryable, sql } from '../database/database.ts'

const batchRows = 5_000

interface Row {
  id: string
  name: string
  day: string
  stage: string
  currency: string
  base: string
  bonus: string
  dollars: string
  approved_via: 'chain' | 'operator'
}

export const orderRowsHead = 'order,day,stage,currency,base,bonus,dollars,approved_by'

/**
 * Every approved order as a line of CSV, by the name that it has in the journal and without anything else by which a buyer could be known.
 * In one snapshot they are those of one length of the journal. Read in batches.
 */
export async function* orderRows(tx: Queryable): AsyncGenerator<string> {
  yield `${orderRowsHead}\r\n`
  for (let after = '0'; ; ) {
    const rows =
      await tx.query<Row>(sql`select o.id, encode(sha256(convert_to(o.token, 'UTF8')), 'hex') as name, to_char(o.approved_at at time zone 'UTC', 'YYYY-MM-DD') as day, s.name as stage, o.currency,
          trim_scale(o.base_tokens)::text as base, trim_scale(o.bonus_tokens)::text as bonus, o.usd::text as dollars, o.approved_via
     from orders o join stages s on s.id = o.stage_id
    where o.status = 'approved' and o.id > ${after}
    order by o.id limit ${batchRows}`)
    if (rows.length > 0) yield rows.map(lineOf).join('')
    const last = rows.at(-1)
    if (!last || rows.length < batchRows) return
    after = last.id
  }
}

function lineOf(row: Row): string {
  const cells = [
    row.name,
    row.day,
    cell(row.stage),
    cell(row.currency),
    row.base,
    row.bonus,
    row.dollars,
    row.approved_via,
  ]
  return `${cells.join(',')}\r\n`
}

/** Quoted where it must be; a leading sign is defused, so that no table program takes a name for a formula. */
export function cell(text: string): string {
  const flat = text.replace(/[\r\n]+/g, ' ')
  const safe = /^[=+\-@\t]/.test(flat) ? `'${flat}` : flat
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
