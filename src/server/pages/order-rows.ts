import { type CsvText, csvLine, joined } from '../../shared/csv.ts'
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

const columns = ['order', 'day', 'stage', 'currency', 'base', 'bonus', 'dollars', 'approved_by']

// Rules: WORD-4
export const orderRowsHead = csvLine(columns)

/**
 * All approved orders, identified only by their journal name. One snapshot matches one size of the journal.
 */
export async function* orderRows(tx: Queryable): AsyncGenerator<CsvText> {
  yield orderRowsHead
  for (let after = '0'; ; ) {
    const rows =
      await tx.query<Row>(sql`select o.id, encode(sha256(convert_to(o.token, 'UTF8')), 'hex') as name, to_char(o.approved_at at time zone 'UTC', 'YYYY-MM-DD') as day, s.name as stage, o.currency,
          trim_scale(o.base_tokens)::text as base, trim_scale(o.bonus_tokens)::text as bonus, o.usd::text as dollars, o.approved_via
     from orders o join stages s on s.id = o.stage_id
    where o.status = 'approved' and o.id > ${after}
    order by o.id limit ${batchRows}`)
    if (rows.length > 0) yield joined(rows.map(lineOf))
    const last = rows.at(-1)
    if (!last || rows.length < batchRows) return
    after = last.id
  }
}

function lineOf(row: Row): CsvText {
  return csvLine([
    row.name,
    row.day,
    inOneLine(row.stage),
    inOneLine(row.currency),
    row.base,
    row.bonus,
    row.dollars,
    row.approved_via,
  ])
}

const inOneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')
