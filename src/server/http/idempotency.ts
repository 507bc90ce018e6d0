import { hash as digest } from 'node:crypto'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

/** SHA-256 of a request's body: the same key with another body is another request. */
export function requestHash(body: unknown): Buffer {
  return digest('sha256', JSON.stringify(body ?? null), 'buffer')
}

/** Actor, route and key: what makes two requests the same one. */
type KeyId = readonly [actor: string, route: string, key: string]

/**
 * Runs `run` once per key; a repeat answers the stored reply. A failure frees the key, so that the caller may try again. A key whose
 * process died in between is taken over after 60 s: then `run` may run a second time, unless it kept its reply (`keep`) in the
 * transaction of its effect. Refuses idempotency_key_reused, idempotency_in_progress.
 */
export async function onceByKey<T>(
  db: Database,
  id: KeyId,
  hash: Buffer,
  run: (keep: (tx: Queryable, reply: unknown) => Promise<void>) => Promise<T>,
): Promise<T> {
  const [actor, route, key] = id
  if (!(await claimKey(db, id, hash))) {
    const known = await db.maybeOne<{ request_hash: Buffer; status: number | null; reply: T | null }>(
      sql`select request_hash, status, reply from idempotency_keys
           where actor = ${actor} and route = ${route} and key = ${key}`,
    )
    if (known && !known.request_hash.equals(hash)) refuse('idempotency_key_reused')
    if (!known || known.status === null) refuse('idempotency_in_progress')
    return known.reply ?? (undefined as T)
  }
  const kept = (queryable: Queryable, reply: unknown) =>
    queryable.maybeOne(
      sql`update idempotency_keys set status = 200, reply = ${JSON.stringify(reply ?? null)}
           where actor = ${actor} and route = ${route} and key = ${key} and status is null returning 1 as kept`,
    )
  let result: T
  try {
    // Who finds the key answered was overtaken: the refusal rolls the second effect back.
    result = await run(async (tx, reply) => {
      if (!(await kept(tx, reply))) refuse('idempotency_in_progress')
    })
  } catch (error) {
    await db
      .query(
        sql`delete from idempotency_keys where actor = ${actor} and route = ${route} and key = ${key} and status is null`,
      )
      .catch(() => {})
    throw error
  }
  // What was done stays done: a reply that can't be kept must not free the key.
  await kept(db, result)
  return result
}

/** Takes the key for this request: where nobody has it, where 24 hours are over, or where the process that had it died a minute ago. */
async function claimKey(db: Database, [actor, route, key]: KeyId, hash: Buffer): Promise<boolean> {
  const claimed = await db.maybeOne(
    sql`insert into idempotency_keys as k (actor, route, key, request_hash) values (${actor}, ${route}, ${key}, ${hash})
        on conflict (actor, route, key) do update
          set started_at = clock_timestamp(), request_hash = excluded.request_hash, reply = null, status = null
        where k.started_at < clock_timestamp() - interval '24 hours'
           or (k.status is null and k.request_hash = excluded.request_hash
               and k.started_at < clock_timestamp() - interval '60 seconds')
        returning 1 as claimed`,
  )
  return claimed !== undefined
}
