import { hash as digest } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Caller } from './serve.ts'

/** SHA-256 of a request's body and of what its path names: the same key with another of either is another request. */
export function requestHash(body: unknown, params?: unknown): Buffer {
  return digest('sha256', JSON.stringify(params === undefined ? (body ?? null) : [params, body]), 'buffer')
}

/** Whose a key is: the same word of another buyer, operator or network is another key. */
export function ownerOfKey(caller: Caller, ip: string): string {
  if (caller.kind === 'buyer') return `buyer:${caller.userId}`
  if (caller.kind === 'operator') return `operator:${caller.operatorId}`
  return `network:${ip}`
}

/** Its owner, route and key: what makes two requests the same one. */
type KeyId = readonly [actor: string, route: string, key: string]

// Rules: ORDER-10
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
  const claim = await claimKey(db, id, hash)
  if (claim === undefined) {
    const known = await replyOf<T>(db, id, hash)
    return known ? known.reply : refuseInProgress()
  }
  const kept = (queryable: Queryable, reply: unknown) => keepReply(queryable, id, reply)
  let result: T
  try {
    // Who finds the key answered was overtaken: the refusal rolls the second effect back.
    result = await run(async (tx, reply) => {
      if (!(await kept(tx, reply))) refuseInProgress()
    })
  } catch (error) {
    await freeKey(db, id, claim)
    throw error
  }
  // What was done stays done: a reply that can't be kept must not free the key.
  await kept(db, result)
  return result
}

/** What the key's request was answered; undefined where it has not been yet. Refuses idempotency_key_reused. */
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

/** Only the first reply of a key is kept. */
function keepReply(queryable: Queryable, [actor, route, key]: KeyId, reply: unknown) {
  return queryable.maybeOne(
    sql`update idempotency_keys set status = 200, reply = ${JSON.stringify(reply ?? null)}
         where actor = ${actor} and route = ${route} and key = ${key} and status is null returning 1 as kept`,
  )
}

/**
 * Lets the caller try again; where the database is away, as soon as it is there again, without keeping the caller waiting. Who has taken the
 * key meanwhile keeps it.
 */
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

/** Tries every half second until it works, for a minute: then the key is taken over anyway. */
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
 * Takes the key for this request: where nobody has it, where 24 hours are over, or where the process that had it died a minute ago. Answers
 * since when it has it, to the microsecond; undefined where somebody else has it.
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
