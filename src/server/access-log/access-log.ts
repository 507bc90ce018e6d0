import { type Queryable, sql } from '../database/database.ts'
import type { OperatorActor } from '../unit-of-work/unit-of-work.ts'

type Person = { readonly userId: string } | { readonly orderId: string }

/** What is opened one by one counts as rows of a list, so that one alarm hears of buyers whichever way they were read. */
const OPENED = 'opened'

/** More than operators look at in an hour; what is forgotten costs a statement, no second entry. */
const REMEMBERED_MAX = 10_000

// Rules: RIGHT-24
/**
 * Writes into the audit log that this operator, or this key of one, reads a buyer's data: one entry an hour. Gives the seconds for which
 * it stands, 0 where nobody has the number.
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

/**
 * Returns the function that logs each access to one route, by users' or orders' numbers. This process remembers until the hour ends
 * what it has logged, so that a repeated access costs nothing. Throws where it can't be logged: what nobody can account for is not shown.
 */
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

/** As many rows of lists of people, read by one operator within a day, are mailed to the owners. */
export const PEOPLE_ALARM = 1000

// Rules: RIGHT-24
/** Counts that this operator reads rows of a list of people, and tells the owners where they are many. */
export async function notePeopleRead(
  db: Queryable,
  actor: OperatorActor,
  list: string,
  rows: number,
): Promise<void> {
  const key = actor.scopes ? (actor.sessionId ?? '') : ''
  await db.query(sql`select note_people_read(${actor.operatorId}, ${key}, ${list}, ${rows}, ${PEOPLE_ALARM})`)
}

/** Writes what was read in the hours that are over into the audit log. */
export async function logPeopleReads(db: Queryable): Promise<void> {
  await db.query(sql`select log_people_reads()`)
}

/**
 * Returns the function that counts the rows of one list by the hour. A row that this process showed the same reader on the same page in the same hour
 * is not counted again: lists refresh themselves.
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
