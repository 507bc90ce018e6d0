import { type Database, sql } from '../database/database.ts'
import { tileReader } from './log-rows.ts'
import { inclusionProof } from './proofs.ts'

const LOOKED_THROUGH = 100

interface Place {
  readonly log: number
  readonly place: string
  readonly entry: string
}

/** Read in one statement, because a key may be replaced between two. */
export interface SignedProof {
  readonly proof: string
  readonly vkey: string
}

// Rules: LOG-7
/**
 * C2SP tlog-proof: entry, index, hashes up to the root, and a signed checkpoint with cosignatures. Null if
 * the order is not approved or not recorded yet.
 */
export async function receiptOf(
  db: Database,
  witnesses: readonly string[],
  orderToken: string,
): Promise<SignedProof | null> {
  const found = await db.maybeOne<Place>(
    sql`select j.log, j.place, j.entry
          from orders o
          join postings p on p.order_id = o.id and p.kind = 'order_approved' and p.approval = o.approvals
          join journal_entries j on j.log = (select max(id) from journal_logs) and j.source = 'postings' and j.row_id = p.id
         where o.token = ${orderToken} and o.status = 'approved'`,
  )
  return found ? proofOf(db, witnesses, found) : null
}

export async function proofOf(
  db: Database,
  witnesses: readonly string[],
  found: Place,
): Promise<SignedProof> {
  const { size, note, vkey } = await readCheckpoint(db, witnesses, found)
  const path = await inclusionProof(BigInt(found.place), BigInt(size), tileReader(db, found.log))
  const lines = [
    'c2sp.org/tlog-proof@v1',
    `extra ${Buffer.from(found.entry).toString('base64')}`,
    `index ${found.place}`,
    ...path.map((hash) => hash.toString('base64')),
    '',
    note,
  ]
  return { proof: lines.join('\n'), vkey }
}

/** Of the newest checkpoints with the entry and today's key, the one with the most cosignatures. */
function readCheckpoint(
  db: Database,
  witnesses: readonly string[],
  { log, place }: Place,
): Promise<{ size: string; note: string; vkey: string }> {
  return db.one<{ size: string; note: string; vkey: string }>(
    sql`with rekeyed as (select coalesce(max(place) + 1, 0) as size from journal_entries where log = ${log} and source = 'journal' and row_id > 0)
        select c.size, c.note || coalesce(w.lines, '') as note, (select vkey from journal_logs where id = ${log}) as vkey
          from journal_checkpoints c
          left join (select size, count(*) as count, string_agg(line, '' order by witness) as lines
                       from (select size, witness, line from journal_cosignatures
                              where log = ${log} and size > ${place} and size >= (select size from rekeyed) and witness = any(${witnesses})
                              order by size desc limit ${LOOKED_THROUGH}) newest
                      group by size) w on w.size = c.size
         where c.log = ${log} and (w.size is not null or c.size = (select size from journal_logs where id = ${log}))
         order by coalesce(w.count, 0) desc, c.size desc limit 1`,
  )
}
