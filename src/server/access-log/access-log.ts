import { type Queryable, sql } from '../database/database.ts'
import type { OperatorActor } from '../unit-of-work/unit-of-work.ts'

type Person = { readonly userId: string } | { readonly orderId: string }

/** Access to single buyers counts as rows of this list, for the same alarm. */
const OPENED = 'opened'

/** Operators open fewer in an hour. */
const REMEMBERED_MAX = 10_000

// Rules: RIGHT-24
/**
 * Logs at most once an hour for this operator or API key. Returns the seconds until the entry's hour ends, 0
 * without such a buyer.
 */
export async function logAccess(db: Queryable, actor: OperatorActor, person: Person): Promise<number> {
  const key = actor.scopes ? actor.sessionId : null
  const [userId, orderId] = 'userId' in person ? [person.userId, null] : [null, person.orderId]
  const { left } = await db.one<{ left: number }>(
    sql`select log_access(${actor.operatorId}, ${key}, ${userId}, ${orderId}, ${actor.requestId}) as left`,
  )
  if (left > 0) await notePeopleRead(db, actor, OPENED, 1)
  return left
}

/** Logs each access to one route once an hour. Throws if logging fails, so that no unlogged data is shown. */
export function accessLogOf(
  db: Queryable,
  kind: 'user' | 'order',
): (actor: OperatorActor, id: string) => Promise<void> {
  const loggedUntil = new Map<string, number>()
  return async (actor, id) => {
    const access = `${actor.operatorId} ${actor.scopes ? actor.sessionId : ''} ${id}`
    const now = performance.now()
    if (now < (loggedUntil.get(access) ?? 0)) return
    const left = await logAccess(db, actor, kind === 'user' ? { userId: id } : { orderId: id })
    if (loggedUntil.size >= REMEMBERED_MAX) loggedUntil.clear()
    loggedUntil.set(access, now + left * 1000)
  }
}

/** Rows of people that one operator reads within a day before the owners get a mail. */
export const PEOPLE_ALARM = 1000

// Rules: RIGHT-24
/** Mails the owners at `PEOPLE_ALARM`. */
export async function notePeopleRead(
  db: Queryable,
  actor: OperatorActor,
  list: string,
  rows: number,
): Promise<void> {
  const key = actor.scopes ? (actor.sessionId ?? '') : ''
  await db.query(sql`select note_people_read(${actor.operatorId}, ${key}, ${list}, ${rows}, ${PEOPLE_ALARM})`)
}

export async function logPeopleReads(db: Queryable): Promise<void> {
  await db.query(sql`select log_people_reads()`)
}

/**
 * Counts rows of one list per hour; those shown again to the same reader on the same page count once, because
 * lists refresh themselves.
 */
export function peopleLogOf(
  db: Queryable,
  list: string,
): (actor: OperatorActor, query: unknown, rows: readonly { readonly id: unknown }[]) => Promise<void> {
  let hour = 0
  const counted = new Map<string, ReadonlySet<unknown>>()
  return async (actor, query, rows) => {
    const now = Math.floor(Date.now() / 3_600_000)
    if (now !== hour || counted.size >= REMEMBERED_MAX) counted.clear()
    hour = now
    const page = `${actor.operatorId} ${actor.scopes ? actor.sessionId : ''} ${JSON.stringify(query)}`
    const known = counted.get(page)
    const ids = rows.map(({ id }) => id).filter((id) => !known?.has(id))
    if (ids.length === 0) return
    await notePeopleRead(db, actor, list, ids.length)
    counted.set(page, new Set([...(known ?? []), ...ids]))
  }
}
