import {
  type Announcement,
  type OperatorAnnouncement,
  type ReactionKind,
  reactionKinds,
} from '../../shared/api/content.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { uploadUrl } from './uploads.ts'

export interface AnnouncementRow {
  readonly id: string
  readonly title: LocalText
  readonly body: LocalText
  readonly image_name: string | null
  readonly image_width: number | null
  readonly image_height: number | null
  readonly image_alt: LocalText
  readonly pinned: boolean
  readonly published_at: Date | null
  readonly edited_at: Date | null
  readonly reactions: Partial<Record<ReactionKind, number>>
  readonly views: number
}

export interface OperatorAnnouncementRow extends AnnouncementRow {
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly author: string | null
  readonly is_published: boolean
  readonly views_today: number
}

// Rules: TEXT-1
/** The last to appear of those pinned. */
export const idOfPinned = fragment`
  select p.id from announcements p where p.pinned and p.published_at <= now() order by p.published_at desc, p.id desc limit 1`

/** Columns of an announcement `a` with its image `u`. */
export const announcementColumns = fragment`
  a.id, a.title, a.body, u.name as image_name, u.width as image_width, u.height as image_height, a.image_alt,
  a.pinned and (coalesce(a.published_at > now(), true) or a.id = (${idOfPinned})) as pinned,
  a.published_at, a.edited_at,
  coalesce((select jsonb_object_agg(r.kind, r.count) from (
    select kind, count(*)::integer as count from announcement_reactions
     where announcement_id = a.id group by kind) r), '{}') as reactions,
  coalesce((select sum(v.views) from announcement_views v where v.announcement_id = a.id), 0)::integer as views`
export const announcementTables = fragment`announcements a left join uploads u on u.id = a.image_id`

export const selectForOperators = fragment`
  select ${announcementColumns}, a.revision, a.created_at, a.updated_at, o.login as author,
         coalesce(a.published_at <= now(), false) as is_published,
         coalesce((select v.views from announcement_views v
                    where v.announcement_id = a.id and v.day = (now() at time zone 'UTC')::date), 0)::integer as views_today
    from ${announcementTables} left join operators o on o.id = a.operator_id`

export async function readForOperators(db: Queryable, id: number | string): Promise<OperatorAnnouncement> {
  const row = await db.maybeOne<OperatorAnnouncementRow>(sql`${selectForOperators} where a.id = ${id}`)
  return row ? operatorAnnouncement(row) : refuse('not_found')
}

export function announcement(
  row: AnnouncementRow & { readonly own: readonly ReactionKind[]; readonly is_kept: boolean },
): Announcement {
  return {
    ...shownOf(row),
    publishedAt: (row.published_at as Date).toISOString(),
    isKept: row.is_kept,
    ownReactions: reactionKinds.filter((kind) => row.own.includes(kind)),
  }
}

export function operatorAnnouncement(row: OperatorAnnouncementRow): OperatorAnnouncement {
  return {
    ...shownOf(row),
    imageName: row.image_name,
    publishedAt: row.published_at?.toISOString() ?? null,
    state: row.published_at === null ? 'draft' : row.is_published ? 'published' : 'scheduled',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    author: row.author,
    revision: row.revision,
    viewsToday: row.views_today,
  }
}

function shownOf(row: AnnouncementRow) {
  return {
    id: Number(row.id),
    title: row.title,
    body: row.body,
    image: imageOf(row),
    pinned: row.pinned,
    views: row.views,
    editedAt: row.edited_at?.toISOString() ?? null,
    reactions: Object.fromEntries(
      reactionKinds.map((kind) => [kind, row.reactions[kind] ?? 0]),
    ) as Announcement['reactions'],
  }
}

function imageOf(row: AnnouncementRow): Announcement['image'] {
  if (row.image_name === null) return null
  return {
    url: uploadUrl(row.image_name),
    width: row.image_width ?? 0,
    height: row.image_height ?? 0,
    alt: row.image_alt,
  }
}
