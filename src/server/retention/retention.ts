import { type Period, type RetentionDays, retentionOf } from '../../shared/retention.ts'
import { composed, type Database, type Queryable, sql } from '../database/database.ts'
import { type Aging, agingTables } from './tables.ts'

const BATCH = 1_000
/** Per table; the rest follows in the next run. */
const BATCHES_MAX = 50
const FIRST_PLACE = '(0,0)'

/** `doneAt`: when no expired row was left, null: not yet. */
export interface RetentionRun {
  readonly table: string
  readonly doneAt: Date | null
  readonly removed: number
}

/**
 * Removes expired rows (`tables.ts`) in batches of one transaction each: a kill loses nothing. Safe in
 * several processes.
 */
export class Retention {
  readonly #db: Database

  constructor({ db }: { readonly db: Database }) {
    this.#db = db
  }

  /** A table's failure does not stop the others; the first error is thrown at the end. */
  async run(at?: Date): Promise<void> {
    const faults: unknown[] = []
    for (const { table } of agingTables)
      await this.sweep(table, at).catch((error: unknown) => faults.push(error))
    if (faults.length > 0) throw faults[0]
  }

  /** By the database's clock or at `at`. */
  async sweep(table: string, at?: Date): Promise<number> {
    const aging = agingTables.find((known) => known.table === table)
    if (!aging) throw new Error(`nothing of ${table} ages`)
    const seconds = secondsOf(aging, await readDays(this.#db))
    const size = aging.batch ?? BATCH
    let removed = 0
    let place = FIRST_PLACE
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      const { found, gone, last } = await this.#db.transaction((tx) =>
        removeBatch(tx, aging, { seconds, at, size, place }),
      )
      removed += gone
      place = last
      if (found === size) continue
      await this.#db.query(
        sql`insert into retention_runs (table_name, done_at) values (${table}, clock_timestamp())
            on conflict (table_name) do update set done_at = excluded.done_at`,
      )
      break
    }
    return removed
  }

  async runs(): Promise<RetentionRun[]> {
    const rows = await this.#db.query<{ table_name: string; done_at: Date | null; removed: string }>(
      sql`select table_name, done_at, removed from retention_runs order by table_name`,
    )
    return rows.map((row) => ({ table: row.table_name, doneAt: row.done_at, removed: Number(row.removed) }))
  }
}

export async function countOlder(
  tx: Queryable,
  days: RetentionDays,
  asked: readonly Period[],
): Promise<Partial<Record<Period, number>>> {
  const counts: Partial<Record<Period, number>> = {}
  for (const aging of agingTables) {
    const { period } = aging
    if (typeof period !== 'string' || !asked.includes(period)) continue
    const { count } = await tx.one<{ count: number }>(
      composed(`select count(*)::integer as count from ${aging.table} t where ${dueOf(aging)}`, [
        secondsOf(aging, days),
        null,
      ]),
    )
    counts[period] = (counts[period] ?? 0) + count
  }
  return counts
}

interface Batch {
  readonly seconds: number
  readonly at: Date | undefined
  readonly size: number
  /** A resumed batch starts after this row. */
  readonly place: string
}

// Rules: RIGHT-29
/** Locks expired rows, skipping locked ones, and checks again: a new reference would have locked the row. */
async function removeBatch(
  tx: Queryable,
  aging: Aging,
  { seconds, at, size, place: from }: Batch,
): Promise<{ found: number; gone: number; last: string }> {
  const { table } = aging
  const due = dueOf(aging)
  const locked = await tx.query<{ place: string }>(
    composed(
      `select t.ctid::text as place from ${table} t where ${due} ${aging.isReadOn ? 'and t.ctid > $4::tid' : ''}
        limit $3 for update skip locked`,
      [seconds, at ?? null, size, ...(aging.isReadOn ? [from] : [])],
    ),
  )
  const last = locked.at(-1)?.place ?? from
  if (locked.length === 0) return { found: 0, gone: 0, last }
  const places = locked.map(({ place }) => place)
  const { gone } = await tx.one<{ gone: number }>(
    composed(removalOf(aging, `t.ctid = any($3::tid[]) and ${due}`), [seconds, at ?? null, places, table]),
  )
  return { found: locked.length, gone, last }
}

/** Of the rows of `which`; counts them by day if asked, and records their number in the same transaction. */
function removalOf({ table, set, counted }: Aging, which: string): string {
  const made = counted ? 't.created_at' : '1'
  return `with gone as (
      ${set ? `update ${table} t set ${set}` : `delete from ${table} t`} where ${which} returning ${made}),
    ${
      counted
        ? `counted as (
      insert into day_counts as d (day, ${counted})
      select (created_at at time zone 'UTC')::date, count(*) from gone group by 1 order by 1
      on conflict (day) do update set ${counted} = d.${counted} + excluded.${counted}),`
        : ''
    }
    noted as (
      insert into retention_runs as r (table_name, removed) select $4::text, count(*) from gone
      on conflict (table_name) do update set removed = r.removed + excluded.removed)
    select count(*)::integer as gone from gone`
}

/** SQL: `t` is older than `$1` seconds at `$2`, default now. */
function dueOf({ since, where }: Aging): string {
  const isOld = `${since} < coalesce($2::timestamptz, now()) - make_interval(secs => $1)`
  return where ? `${isOld} and ${where}` : isOld
}

function secondsOf({ period }: Aging, days: RetentionDays): number {
  return typeof period === 'string' ? days[period] * 86_400 : period.hours * 3_600
}

async function readDays(db: Queryable): Promise<RetentionDays> {
  const row = await db.maybeOne<{ settings: { retention?: Partial<RetentionDays> } }>(
    sql`select settings from campaign`,
  )
  return retentionOf(row?.settings ?? {})
}
