import { z } from 'zod'
import type { UserNote } from '../../shared/api/operators.ts'
import { defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { idAfter, type PageOf, type PageQuery, pageOf } from '../keyset.ts'
import { refuse } from '../refusal.ts'

interface NoteRow {
  id: string
  body: string
  login: string
  order_id: string | null
  created_at: Date
}

export const userNoteActions = {
  /**
   * The audit log has the note's number, no personal data. Throws user_unknown, also for a deleted account,
   * and order_unknown.
   */
  'user.note': defineAction({
    name: 'user.note',
    input: z.object({ userId: z.string(), text: z.string(), orderId: z.number().int().optional() }),
    execute: async (unit, { userId, text, orderId }): Promise<UserNote> => {
      // A parallel anonymisation finishes first; then there is no account.
      const user = await unit.maybeOne<{ reference: string }>(
        sql`select reference from users where id = ${userId} and deleted_at is null for key share`,
      )
      if (!user) return refuse('user_unknown')
      if (orderId !== undefined) {
        const order = await unit.maybeOne(
          sql`select id from orders where id = ${orderId} and user_id = ${userId}`,
        )
        if (!order) refuse('order_unknown')
      }
      const row = await unit.one<NoteRow>(
        sql`with added as (insert into user_notes (user_id, order_id, operator_id, body)
                           values (${userId}, ${orderId ?? null}, ${unit.actor.operatorId}, ${text}) returning *)
            select n.id, n.body, o.login, n.order_id, n.created_at from added n join operators o on o.id = n.operator_id`,
      )
      await unit.audit('user.note', { type: 'user', id: user.reference }, { after: { note: row.id } })
      return noteOf(row)
    },
  }),
}

export interface NotesQuery extends PageQuery {
  readonly order?: number | undefined
}

export async function listUserNotes(
  db: Queryable,
  userId: string,
  query: NotesQuery,
): Promise<PageOf<UserNote>> {
  const orderId = query.order ?? null
  const rows = await db.query<NoteRow>(
    sql`select n.id, n.body, o.login, n.order_id, n.created_at from user_notes n join operators o on o.id = n.operator_id
         where n.user_id = ${userId} and (${orderId}::bigint is null or n.order_id = ${orderId})
           and n.id < ${idAfter(query)}::bigint
         order by n.id desc limit ${query.limit + 1}`,
  )
  return pageOf(rows, query.limit, noteOf)
}

function noteOf(row: NoteRow): UserNote {
  return {
    id: row.id,
    text: row.body,
    operator: row.login,
    orderId: row.order_id === null ? null : Number(row.order_id),
    at: row.created_at.toISOString(),
  }
}
