import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Actor } from './unit-of-work.ts'

const KEY = /^key:(\d+)$/

// Rules: RIGHT-8, RIGHT-9
/**
 * Locks the actor's session or API key until the transaction ends. Whoever ends the session or replaces its
 * token waits for this change; a later change throws `session_ended`. Authentication happened earlier,
 * outside the transaction, or on a standby.
 */
export async function holdAccess(tx: Queryable, actor: Actor, isOwnAccount = false): Promise<void> {
  if (actor.kind === 'system' || !actor.sessionId) return
  const key = KEY.exec(actor.sessionId)?.[1]
  const held = await (key
    ? tx.query(
        sql`select from api_keys where id = ${key} and revoked_at is null and (expires_at is null or expires_at > now()) for share`,
      )
    : actor.kind === 'operator'
      ? holdOperator(tx, actor.sessionId, actor.cookie?.hash ?? null, isOwnAccount)
      : holdBuyer(tx, actor.sessionId, actor.cookie?.hash ?? null, isOwnAccount))
  if (held.length === 0) refuse('session_ended')
}

/**
 * A change of the own account may end its session or replace its token; by the stronger lock two such changes
 * queue up instead of deadlocking.
 */
function holdOperator(tx: Queryable, id: string, hash: Buffer | null, isOwn: boolean): Promise<unknown[]> {
  return isOwn
    ? tx.query(
        sql`select from operator_sessions where id = ${id} and token_hash = coalesce(${hash}, token_hash) for update`,
      )
    : tx.query(
        sql`select from operator_sessions where id = ${id} and token_hash = coalesce(${hash}, token_hash) for key share`,
      )
}

function holdBuyer(tx: Queryable, id: string, hash: Buffer | null, isOwn: boolean): Promise<unknown[]> {
  return isOwn
    ? tx.query(
        sql`select from user_sessions where id = ${id} and token_hash = coalesce(${hash}, token_hash) for update`,
      )
    : tx.query(
        sql`select from user_sessions where id = ${id} and token_hash = coalesce(${hash}, token_hash) for key share`,
      )
}
