import type { CommentReason, OperatorComment, PublicComment } from '../../shared/api/comments.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

interface CommentRow {
  readonly id: string
  readonly body: string
  readonly name: string | null
  readonly created_at: Date
  readonly hidden_at: Date | null
  readonly hidden_reason: CommentReason | null
}

// Rules: TEXT-7
export interface PublicRow extends CommentRow {
  readonly is_own: boolean
  readonly is_reported: boolean
}

export interface OperatorRow extends CommentRow {
  readonly announcement_id: string
  readonly title: LocalText
  readonly user_id: string
  readonly hidden_by: string | null
  readonly reports: { reason: CommentReason; count: number }[]
}

const columns = fragment`c.id, c.body, case when c.shows_name then u.nickname end as name, c.created_at, c.hidden_at, c.hidden_reason`

/** `viewer` is a row with the reader's id or null. */
export const selectForViewer = fragment`
  select ${columns}, coalesce(c.user_id = viewer.id, false) as is_own,
         exists (select from comment_reports r where r.comment_id = c.id and r.user_id = viewer.id) as is_reported
    from comments c join users u on u.id = c.user_id`

export const selectForOperators = fragment`
  select ${columns}, c.announcement_id, a.title, c.user_id, o.login as hidden_by,
         coalesce((select jsonb_agg(jsonb_build_object('reason', r.reason, 'count', r.count) order by r.count desc, r.reason)
                     from (select reason, count(*)::integer as count from comment_reports
                            where comment_id = c.id and settled_at is null group by reason) r), '[]') as reports
    from comments c join users u on u.id = c.user_id join announcements a on a.id = c.announcement_id
    left join operators o on o.id = c.hidden_by`

export async function readForOperators(db: Queryable, id: number): Promise<OperatorComment> {
  const row = await db.maybeOne<OperatorRow>(sql`${selectForOperators} where c.id = ${id}`)
  return row ? operatorComment(row) : refuse('not_found')
}

export function publicComment(row: PublicRow): PublicComment {
  const hidden = hiddenOf(row)
  return {
    id: Number(row.id),
    body: hidden ? null : row.body,
    name: hidden ? null : row.name,
    at: row.created_at.toISOString(),
    hidden,
    isOwn: row.is_own,
    isReported: row.is_reported,
  }
}

export function operatorComment(row: OperatorRow): OperatorComment {
  const hidden = hiddenOf(row)
  return {
    id: Number(row.id),
    body: row.body,
    name: row.name,
    at: row.created_at.toISOString(),
    announcement: { id: Number(row.announcement_id), title: row.title },
    userId: Number(row.user_id),
    hidden: hidden && { ...hidden, by: row.hidden_by ?? '' },
    reports: row.reports,
  }
}

function hiddenOf({ hidden_at, hidden_reason }: CommentRow): PublicComment['hidden'] {
  return hidden_at && hidden_reason && { at: hidden_at.toISOString(), reason: hidden_reason }
}
