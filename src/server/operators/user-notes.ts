import type { UserNote } from '../../shared/api/operators.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { By } from './needs.ts'

interface NoteRow {
  id: string
  body: string
  login: string
  created_at: Date
}

const LIST = statement(
  'user_notes_list',
  `select n.id, n.body, o.login, n.created_at from user_notes n join operators o on o.id = n.operator_id
    where n.user_id = $1 order by n.id desc limit 200`,
)
/** Waits for an account that is being made anonymous, and then finds none. */
const LOCK_USER = statement(
  'user_notes_lock_user',
  'select reference from users where id = $1 and deleted_at is null for key share',
)
const ADD = statement(
  'user_notes_add',
  `with added as (insert into user_notes (user_id, operator_id, body) values ($1, $2, $3) returning *)
   select n.id, n.body, o.login, n.created_at from added n join operators o on o.id = n.operator_id`,
)

export async function listUserNotes(db: Queryable, userId: string): Promise<UserNote[]> {
  return (await db.query<NoteRow>(LIST, [userId])).map(noteOf)
}

/**
 * Adds a note in a transaction of its own, audited by its number: the log names people by reference only. `keep` runs last
 * in it. Refuses `user_unknown`, also for an account that was deleted.
 */
export async function addUserNote(
  db: Database,
  by: By,
  userId: string,
  text: string,
  keep: (tx: Queryable, note: UserNote) => Promise<void>,
): Promise<UserNote> {
  return db.transaction(async (tx) => {
    const { reference } =
      (await tx.maybeOne<{ reference: string }>(LOCK_USER, [userId])) ?? refuse('user_unknown')
    const note = noteOf(await tx.one<NoteRow>(ADD, [userId, by.operatorId, text]))
    await recordAudit(tx, {
      operatorId: by.operatorId,
      action: 'user.note',
      subjectType: 'user',
      subjectId: reference,
      after: { note: note.id },
      requestId: by.requestId,
    })
    await keep(tx, note)
    return note
  })
}

function noteOf(row: NoteRow): UserNote {
  return { id: row.id, text: row.body, operator: row.login, at: row.created_at.toISOString() }
}
