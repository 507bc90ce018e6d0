import { z } from 'zod'
import type { CommentReason, OperatorComment } from '../../shared/api/comments.ts'
import { commentReasonInput } from '../../shared/api/comments-inputs.ts'
import { defineAction } from '../actions/actions.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { readForOperators } from './comment-rows.ts'

const byId = z.object({ id: z.number().int() })
const hideInput = commentReasonInput.extend(byId.shape)

// Rules: TEXT-8
export const commentActions = {
  'comment.hide': defineAction({ name: 'comment.hide', input: hideInput, execute: hide }),
  'comment.unhide': defineAction({ name: 'comment.unhide', input: byId, execute: unhide }),
  'comment.keep': defineAction({ name: 'comment.keep', input: byId, execute: keep }),
}

async function hide(unit: UnitOfWork, { id, reason }: z.output<typeof hideInput>): Promise<OperatorComment> {
  const hidden = await lock(unit, id)
  if (hidden) refuse('conflict', { current: await readForOperators(unit, id) })
  await unit.query(
    sql`update comments set hidden_at = clock_timestamp(), hidden_reason = ${reason}, hidden_by = ${unit.actor.operatorId}
         where id = ${id}`,
  )
  await settleReports(unit, id)
  await unit.audit('comment.hide', { type: 'comment', id: String(id) }, { after: { hiddenFor: reason } })
  return readForOperators(unit, id)
}

async function unhide(unit: UnitOfWork, { id }: z.output<typeof byId>): Promise<OperatorComment> {
  const reason = await lock(unit, id)
  if (!reason) refuse('conflict', { current: await readForOperators(unit, id) })
  await unit.query(
    sql`update comments set hidden_at = null, hidden_reason = null, hidden_by = null where id = ${id}`,
  )
  await unit.audit('comment.unhide', { type: 'comment', id: String(id) }, { before: { hiddenFor: reason } })
  return readForOperators(unit, id)
}

async function keep(unit: UnitOfWork, { id }: z.output<typeof byId>): Promise<OperatorComment> {
  await lock(unit, id)
  if ((await settleReports(unit, id)) > 0)
    await unit.audit('comment.keep', { type: 'comment', id: String(id) })
  return readForOperators(unit, id)
}

async function lock(unit: UnitOfWork, id: number): Promise<CommentReason | null> {
  const row = await unit.maybeOne<{ hidden_reason: CommentReason | null }>(
    sql`select hidden_reason from comments where id = ${id} for update`,
  )
  return row ? row.hidden_reason : refuse('not_found')
}

async function settleReports(unit: UnitOfWork, id: number): Promise<number> {
  const settled = await unit.query(
    sql`update comment_reports set settled_at = clock_timestamp() where comment_id = ${id} and settled_at is null returning user_id`,
  )
  return settled.length
}
