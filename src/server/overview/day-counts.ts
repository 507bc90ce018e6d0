import { type Queryable, sql } from '../database/database.ts'

interface Counts {
  readonly orders: number
  readonly registrations: number
}

const DAY_MS = 86_400_000
/** Bounds a statement's duration. */
const DAYS_AT_ONCE = 7
const NOTHING: Counts = { orders: 0, registrations: 0 }

/** By day (UTC). Finished days are cached: they are final, because deleted rows stay counted. */
export class DayCounts {
  readonly #closed = new Map<string, Counts>()

  /** Inclusive. */
  async of(db: Queryable, from: string, to: string): Promise<ReadonlyMap<string, Counts>> {
    const days = daysOf(from, to)
    const missing = days.filter((day) => !this.#closed.has(day))
    const counted = new Map<string, Counts>()
    for (let at = 0; at < missing.length; at += DAYS_AT_ONCE)
      for (const { day, ...counts } of await count(db, missing.slice(at, at + DAYS_AT_ONCE)))
        counted.set(day, counts)
    // A transaction may commit after midnight.
    const open = dayOf(Date.now() - DAY_MS)
    for (const [day, counts] of counted) if (day < open) this.#closed.set(day, counts)
    return new Map(days.map((day) => [day, counted.get(day) ?? this.#closed.get(day) ?? NOTHING]))
  }
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) days.push(dayOf(time))
  return days
}

/** By the indexes on time. */
function count(db: Queryable, days: readonly string[]): Promise<(Counts & { day: string })[]> {
  return db.query(
    sql`select to_char(d.day, 'YYYY-MM-DD') as day,
               (select count(*)::integer from orders where created_at >= d.since and created_at < d.until) as orders,
               (select count(*)::integer from users where created_at >= d.since and created_at < d.until)
                 + coalesce(c.swept_accounts, 0)::integer as registrations
          from (select day, day::timestamp at time zone 'UTC' as since, (day + 1)::timestamp at time zone 'UTC' as until
                  from unnest(${days}::date[]) as asked(day)) d
               left join day_counts c on c.day = d.day`,
  )
}
