import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Actor } from './unit-of-work.ts'

const KEY = /^key:(\d+)$/

// Rules: RIGHT-9
/**
 * Holds the session or key that asks until the transaction ends, so that a change counts only while what it was asked by lasts: whoever ends
 * a session, with a password, a role or an account, waits for what it is just changing and finds that, and what it asked before and does
 * later is refused `session_ended`. Who asked was found outside of the transaction, a moment or a slow password check before, and while the
 * primary is silent by a standby.
 */
export async function holdAccess(tx: Queryable, actor: Actor, isOwnAccount = false): Promise<void> {
  if (actor.kind === 'system' || !actor.sessionId) return
  const key = KEY.exec(actor.sessionId)?.[1]
  const held = await (key
    ? tx.query(
        sql`select from api_keys where id = ${key} and revoked_at is null and (expires_at is null or expires_at > now()) for share`,
      )
    : actor.kind === 'operator'
      ? holdOperator(tx, actor.sessionId, isOwnAccount)
      : holdBuyer(tx, actor.sessionId, isOwnAccount))
  if (held.length === 0) refuse('session_ended')
}

/** What changes the own account may end the session that asks: one after another, where two would wait for each other. */
function holdOperator(tx: Queryable, id: string, isOwnAccount: boolean): Promise<unknown[]> {
  return isOwnAccount
    ? tx.query(sql`select from operator_sessions where id = ${id} for no key update`)
    : tx.query(sql`select from operator_sessions where id = ${id} for key share`)
}

function holdBuyer(tx: Queryable, id: string, isOwnAccount: boolean): Promise<unknown[]> {
  return isOwnAccount
    ? tx.query(sql`select from user_sessions where id = ${id} for no key update`)
    : tx.query(sql`select from user_sessions where id = ${id} for key share`)
}
