import { z } from 'zod'
import type { CommentReason, OperatorComment } from '../../shared/api/comments.ts'
import { commentReasonInput } from '../../shared/api/comments-inputs.ts'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { readForOperators } from './comment-rows.ts'

const byId = z.object({ id: z.number().int() })
const hideInput = commentReasonInput.extend(byId.shape)

// Rules: TEXT-8
/** What operators do of comments: they never change what somebody wrote. */
export const commentActs = {
  /** Refuses not_found, and conflict where somebody else hid it. */
  'comment.hide': act({ name: 'comment.hide', input: hideInput, perform: hide }),
  /** Refuses not_found, and conflict where it is not hidden. */
  'comment.unhide': act({ name: 'comment.unhide', input: byId, perform: unhide }),
  /** Refuses not_found. */
  'comment.keep': act({ name: 'comment.keep', input: byId, perform: keep }),
}

async function hide(change: Change, { id, reason }: z.output<typeof hideInput>): Promise<OperatorComment> {
  const hidden = await lock(change, id)
  if (hidden) refuse('conflict', { current: await readForOperators(change, id) })
  await change.query(
    sql`update comments set hidden_at = clock_timestamp(), hidden_reason = ${reason}, hidden_by = ${change.by.operatorId}
         where id = ${id}`,
  )
  await settleReports(change, id)
  await change.audit('comment.hide', { type: 'comment', id: String(id) }, { after: { hiddenFor: reason } })
  return readForOperators(change, id)
}

async function unhide(change: Change, { id }: z.output<typeof byId>): Promise<OperatorComment> {
  const reason = await lock(change, id)
  if (!reason) refuse('conflict', { current: await readForOperators(change, id) })
  await change.query(
    sql`update comments set hidden_at = null, hidden_reason = null, hidden_by = null where id = ${id}`,
  )
  await change.audit('comment.unhide', { type: 'comment', id: String(id) }, { before: { hiddenFor: reason } })
  return readForOperators(change, id)
}

async function keep(change: Change, { id }: z.output<typeof byId>): Promise<OperatorComment> {
  await lock(change, id)
  if ((await settleReports(change, id)) > 0)
    await change.audit('comment.keep', { type: 'comment', id: String(id) })
  return readForOperators(change, id)
}

/** Holds the comment; answers why it is hidden. Refuses not_found. */
async function lock(change: Change, id: number): Promise<CommentReason | null> {
  const row = await change.maybeOne<{ hidden_reason: CommentReason | null }>(
    sql`select hidden_reason from comments where id = ${id} for update`,
  )
  return row ? row.hidden_reason : refuse('not_found')
}

async function settleReports(change: Change, id: number): Promise<number> {
  const settled = await change.query(
    sql`update comment_reports set settled_at = clock_timestamp() where comment_id = ${id} and settled_at is null returning user_id`,
  )
  return settled.length
}
