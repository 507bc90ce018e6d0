import type { FigureOrigins, OriginEntry } from '../../shared/public-pages.ts'
import { type Queryable, sql } from '../database/database.ts'

const KINDS = {
  grants: ['grant', 'grant_reversed', 'referral', 'referral_reversed'],
  refunds: ['refund_owed', 'refund_paid', 'refund_unpaid', 'refund_written_off'],
  rounds: ['round_frozen'],
} as const

// Rules: LOG-18
/** The newest entry behind each public figure; null before the journal's beginning. */
export async function readOrigins(tx: Queryable): Promise<FigureOrigins | null> {
  const { log } = await tx.one<{ log: number | null }>(sql`select max(id) as log from journal_logs`)
  if (log === null) return null
  const orders = await tx.maybeOne<OriginEntry>(
    sql`select j.place, j.entry from journal_entries j join postings p on p.id = j.row_id
         where j.log = ${log} and j.source = 'postings' and p.kind in ('order_approved', 'order_reversed')
         order by j.row_id desc limit 1`,
  )
  const price = await tx.maybeOne<OriginEntry>(
    sql`select place, entry from journal_entries where log = ${log} and source = 'price_changes' order by row_id desc limit 1`,
  )
  const settings = await tx.query<OriginEntry & { setting: string }>(
    sql`select distinct on (c.setting) c.setting, j.place, j.entry
          from campaign_changes c
          join journal_entries j on j.log = ${log} and j.source = 'campaign_changes' and j.row_id = c.id
         order by c.setting, c.id desc`,
  )
  return {
    orders: orders ?? null,
    grants: await readSeldom(tx, log, KINDS.grants),
    refunds: await readSeldom(tx, log, KINDS.refunds),
    rounds: await readSeldom(tx, log, KINDS.rounds),
    price: price ?? null,
    settings: Object.fromEntries(settings.map(({ setting, place, entry }) => [setting, { place, entry }])),
  }
}

/** By a partial index without orders. */
async function readSeldom(tx: Queryable, log: number, kinds: readonly string[]): Promise<OriginEntry | null> {
  const found = await tx.maybeOne<OriginEntry>(
    sql`select n.place, n.entry
          from unnest(${[...kinds]}::text[]) k(kind)
         cross join lateral (
           select p.id, j.place, j.entry
             from postings p join journal_entries j on j.log = ${log} and j.source = 'postings' and j.row_id = p.id
            where p.kind = k.kind and p.kind not in ('order_approved', 'order_reversed')
            order by p.id desc limit 1) n
         order by n.id desc limit 1`,
  )
  return found ?? null
}
