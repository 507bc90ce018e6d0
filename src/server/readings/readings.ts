import type { OperatorBy } from '../changes/changes.ts'
import { type Queryable, sql } from '../database/database.ts'

type Person = { readonly userId: string } | { readonly orderId: string }

/** More than operators look at in an hour; what is forgotten costs a statement, no second entry. */
const REMEMBERED_MAX = 10_000

// Rules: RIGHT-24
/**
 * Notes in the audit log that this operator, or this key of one, reads a buyer's data: one entry an hour. Gives the seconds for which
 * it stands, 0 where nobody has the number.
 */
export async function noteReading(db: Queryable, by: OperatorBy, person: Person): Promise<number> {
  const key = by.scopes ? by.sessionId : null
  const [userId, orderId] = 'userId' in person ? [person.userId, null] : [null, person.orderId]
  const { left } = await db.one<{ left: number }>(
    sql`select note_reading(${by.operatorId}, ${key}, ${userId}, ${orderId}, ${by.requestId}) as left`,
  )
  return left
}

/**
 * What notes the readings of one route, by users' or orders' numbers. This process remembers until the hour ends what it has noted,
 * so that reading again costs nothing. Throws where it can't be noted: what nobody can account for is not shown.
 */
export function readingsOf(
  db: Queryable,
  kind: 'user' | 'order',
): (by: OperatorBy, id: string) => Promise<void> {
  const notedUntil = new Map<string, number>()
  return async (by, id) => {
    const reading = `${by.operatorId} ${by.scopes ? by.sessionId : ''} ${id}`
    const now = performance.now()
    if (now < (notedUntil.get(reading) ?? 0)) return
    const left = await noteReading(db, by, kind === 'user' ? { userId: id } : { orderId: id })
    if (notedUntil.size >= REMEMBERED_MAX) notedUntil.clear()
    notedUntil.set(reading, now + left * 1000)
  }
}
