import { hash as digest } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Caller } from './serve.ts'

/** SHA-256 of body and path parameters. A key with other values is a conflict. */
export function requestHash(body: unknown, params?: unknown): Buffer {
  return digest('sha256', JSON.stringify(params === undefined ? (body ?? null) : [params, body]), 'buffer')
}

/** Equal keys of different owners are different keys. */
export function ownerOfKey(caller: Caller, ip: string): string {
  if (caller.kind === 'buyer') return `buyer:${caller.userId}`
  if (caller.kind === 'operator') return `operator:${caller.operatorId}`
  return `network:${ip}`
}

type KeyId = readonly [actor: string, route: string, key: string]

// Rules: ORDER-8
/**
 * A repeat returns the stored reply; a failure frees the key for a retry. A dead process's key can be taken
 * over after 60 s: `run` may then run twice, unless it stored its reply (`keep`) in the transaction of its
 * effect.
 */
export async function onceByKey<T>(
  db: Database,
  id: KeyId,
  hash: Buffer,
  run: (keep: (tx: Queryable, reply: unknown) => Promise<void>) => Promise<T>,
): Promise<T> {
  const claim = await claimKey(db, id, hash)
  if (claim === undefined) {
    const known = await replyOf<T>(db, id, hash)
    return known ? known.reply : refuseInProgress()
  }
  const kept = (queryable: Queryable, reply: unknown) => keepReply(queryable, id, reply)
  let result: T
  try {
    // Another request was faster; throwing rolls this effect back.
    result = await run(async (tx, reply) => {
      if (!(await kept(tx, reply))) refuseInProgress()
    })
  } catch (error) {
    await freeKey(db, id, claim)
    throw error
  }
  // The effect is committed: a failure to store the reply must not free the key.
  await kept(db, result)
  return result
}

/** Undefined without one. */
async function replyOf<T>(
  db: Queryable,
  [actor, route, key]: KeyId,
  hash: Buffer,
): Promise<{ reply: T } | undefined> {
  const known = await db.maybeOne<{
    request_hash: Buffer
    status: number | null
    reply: T | null
    old: boolean
  }>(
    sql`select request_hash, status, reply, started_at < clock_timestamp() - interval '24 hours' as old
          from idempotency_keys where actor = ${actor} and route = ${route} and key = ${key}`,
  )
  if (!known || known.old) return undefined
  if (!known.request_hash.equals(hash)) refuse('idempotency_key_reused')
  return known.status === null ? undefined : { reply: known.reply ?? (undefined as T) }
}

function refuseInProgress(): never {
  return refuse('idempotency_in_progress', { retryAfterSeconds: 2 })
}

/** A key's first reply only. */
function keepReply(queryable: Queryable, [actor, route, key]: KeyId, reply: unknown) {
  return queryable.maybeOne(
    sql`update idempotency_keys set status = 200, reply = ${JSON.stringify(reply ?? null)}
         where actor = ${actor} and route = ${route} and key = ${key} and status is null returning 1 as kept`,
  )
}

/** Unless another request has claimed the key. Without a database, keeps trying in the background. */
async function freeKey(db: Database, [actor, route, key]: KeyId, claim: string): Promise<void> {
  const free = () =>
    db.query(
      sql`delete from idempotency_keys where actor = ${actor} and route = ${route} and key = ${key} and status is null
           and started_at = ${claim}::timestamptz`,
    )
  await free().catch(async () => {
    void whileAway(free)
  })
}

/** Every half second for a minute; then the key can be taken over anyway. */
async function whileAway(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    await delay(500, undefined, { ref: false })
    const isDone = await work().then(
      () => true,
      () => false,
    )
    if (isDone) return
  }
}

/**
 * A free key, one older than 24 hours, or one that the same request left unanswered for 60 s. Returns the
 * claim's time in microseconds, undefined if taken.
 */
async function claimKey(
  db: Queryable,
  [actor, route, key]: KeyId,
  hash: Buffer,
): Promise<string | undefined> {
  const claimed = await db.maybeOne<{ since: string }>(
    sql`insert into idempotency_keys as k (actor, route, key, request_hash) values (${actor}, ${route}, ${key}, ${hash})
        on conflict (actor, route, key) do update
          set started_at = clock_timestamp(), request_hash = excluded.request_hash, reply = null, status = null
        where k.started_at < clock_timestamp() - interval '24 hours'
           or (k.status is null and k.request_hash = excluded.request_hash
               and k.started_at < clock_timestamp() - interval '60 seconds')
        returning started_at::text as since`,
  )
  return claimed?.since
}
