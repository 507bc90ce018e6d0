import type { z } from 'zod'
import type { Announcement, OperatorAnnouncement, ReactionKind } from '../../shared/api/content.ts'
import { reactionKinds } from '../../shared/api/content.ts'
import type { announcementInput } from '../../shared/api/content-inputs.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { auditOf } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { uploadUrl } from './uploads.ts'

type Input = z.output<typeof announcementInput>

/** Who edits, for the audit log. */
export interface Editor {
  readonly operatorId: string | null
  readonly requestId?: string | null
}

export interface Announcements {
  /** Published ones. The pinned one comes apart and only with the first page. */
  feed(
    page: { after?: string | undefined; limit: number },
    userId: string | null,
  ): Promise<{
    pinned: Announcement | null
    items: Announcement[]
    next: string | null
  }>
  /** Refuses `not_found` for drafts and scheduled ones too. */
  show(id: number, userId: string | null): Promise<Announcement>
  /** Once per buyer and kind. */
  react(
    id: number,
    kind: ReactionKind,
    userId: string,
  ): Promise<Pick<Announcement, 'id' | 'reactions' | 'ownReactions'>>
  unreact(
    id: number,
    kind: ReactionKind,
    userId: string,
  ): Promise<Pick<Announcement, 'id' | 'reactions' | 'ownReactions'>>
  listAll(page: {
    after?: string | undefined
    limit: number
  }): Promise<{ items: OperatorAnnouncement[]; next: string | null }>
  showAny(id: number): Promise<OperatorAnnouncement>
  /** `beforeCommit` sees what was added in the transaction that adds it. */
  add(
    input: Input,
    editor: Editor,
    beforeCommit?: (tx: Queryable, added: OperatorAnnouncement) => Promise<void>,
  ): Promise<OperatorAnnouncement>
  update(id: number, revision: number, input: Input, editor: Editor): Promise<OperatorAnnouncement>
  remove(id: number, editor: Editor): Promise<void>
}

interface Row {
  id: string
  title: LocalText
  body: LocalText
  image_name: string | null
  image_width: number | null
  image_height: number | null
  image_alt: LocalText
  pinned: boolean
  published_at: Date | null
  edited_at: Date | null
  reactions: Partial<Record<ReactionKind, number>>
  own: ReactionKind[]
}
interface OperatorRow extends Row {
  revision: number
  created_at: Date
  updated_at: Date
  author: string | null
  is_published: boolean
}

const COLUMNS = `
  a.id, a.title, a.body, u.name as image_name, u.width as image_width, u.height as image_height, a.image_alt,
  a.pinned, a.published_at, a.edited_at,
  coalesce((select jsonb_object_agg(r.kind, r.count) from (
    select kind, count(*)::integer as count from announcement_reactions where announcement_id = a.id group by kind) r), '{}') as reactions`
const OWN = `
  coalesce((select array_agg(r.kind) from announcement_reactions r
    where r.announcement_id = a.id and r.user_id = $1), '{}') as own`
const FROM = 'from announcements a left join uploads u on u.id = a.image_id'

const FEED = statement(
  'announcements_feed',
  `select ${COLUMNS}, ${OWN} ${FROM}
    where a.published_at <= now() and not a.pinned
      and ($2::timestamptz is null or (a.published_at, a.id) < ($2, $3::bigint))
    order by a.published_at desc, a.id desc limit $4`,
)
const PINNED = statement(
  'announcements_pinned',
  `select ${COLUMNS}, ${OWN} ${FROM} where a.pinned and a.published_at <= now()`,
)
const SHOW = statement(
  'announcements_show',
  `select ${COLUMNS}, ${OWN} ${FROM} where a.id = $2 and a.published_at <= now()`,
)
const OPERATOR_COLUMNS = `${COLUMNS}, '{}'::text[] as own, a.revision, a.created_at, a.updated_at, o.login as author,
  coalesce(a.published_at <= now(), false) as is_published`
const OPERATOR_FROM = `${FROM} left join operators o on o.id = a.operator_id`
const LIST_ALL = statement(
  'announcements_list_all',
  `select ${OPERATOR_COLUMNS} ${OPERATOR_FROM} where $1::bigint is null or a.id < $1 order by a.id desc limit $2`,
)
const SHOW_ANY = statement(
  'announcements_show_any',
  `select ${OPERATOR_COLUMNS} ${OPERATOR_FROM} where a.id = $1`,
)
const LOCK = statement(
  'announcements_lock',
  `select revision, title, body, image_id, pinned, published_at from announcements where id = $1 for update`,
)
/** Two pins at once queue up here instead of meeting at the unique index. */
const LOCK_PIN = statement(
  'announcements_lock_pin',
  `select pg_advisory_xact_lock(hashtext('announcements.pinned'))`,
)
const UNPIN = statement(
  'announcements_unpin',
  'update announcements set pinned = false, revision = revision + 1, updated_at = now() where pinned and id is distinct from $1 returning id',
)
const INSERT = statement(
  'announcements_insert',
  `insert into announcements (title, body, image_id, image_alt, pinned, published_at, operator_id)
   values ($1, $2, $3, $4, $5, $6, $7) returning id`,
)
const UPDATE = statement(
  'announcements_update',
  `update announcements set
     edited_at = case when published_at <= now() and (title <> $2::jsonb or body <> $3::jsonb or image_id is distinct from $4::bigint)
                      then now() else edited_at end,
     title = $2, body = $3, image_id = $4, image_alt = $5, pinned = $6, published_at = $7,
     revision = revision + 1, updated_at = now()
   where id = $1`,
)
const REMOVE = statement('announcements_remove', 'delete from announcements where id = $1 returning id')
const IMAGE = statement(
  'announcements_image',
  `select id from uploads where name = $1 and media_type like 'image/%'`,
)
const REACT = statement(
  'announcements_react',
  `insert into announcement_reactions (announcement_id, kind, user_id)
   select id, $2, $3 from announcements where id = $1 and published_at <= now()
   on conflict do nothing`,
)
const UNREACT = statement(
  'announcements_unreact',
  'delete from announcement_reactions where announcement_id = $1 and kind = $2 and user_id = $3',
)

export function createAnnouncements(db: Database): Announcements {
  const showAny = async (id: number | string, queryable: Queryable = db) => {
    const row = await queryable.maybeOne<OperatorRow>(SHOW_ANY, [id])
    return row ? operatorFromRow(row) : refuse('not_found')
  }
  const show = async (id: number, userId: string | null) => {
    const row = await db.maybeOne<Row>(SHOW, [userId, id])
    return row ? fromRow(row) : refuse('not_found')
  }
  const reactionsOf = async (id: number, userId: string) => {
    const { reactions, ownReactions } = await show(id, userId)
    return { id, reactions, ownReactions }
  }

  return {
    show,
    showAny: (id) => showAny(id),
    async feed(page, userId) {
      const after = cursorFromText(page.after)
      const rows = await db.query<Row>(FEED, [userId, after?.at ?? null, after?.id ?? null, page.limit + 1])
      const pinned = after ? undefined : await db.maybeOne<Row>(PINNED, [userId])
      const items = rows.slice(0, page.limit)
      const last = items.at(-1)
      return {
        pinned: pinned ? fromRow(pinned) : null,
        items: items.map(fromRow),
        next: rows.length > page.limit && last ? `${last.published_at?.toISOString()}_${last.id}` : null,
      }
    },
    async react(id, kind, userId) {
      await db.query(REACT, [id, kind, userId])
      return reactionsOf(id, userId)
    },
    async unreact(id, kind, userId) {
      await db.query(UNREACT, [id, kind, userId])
      return reactionsOf(id, userId)
    },
    async listAll(page) {
      const after = page.after && /^\d{1,18}$/.test(page.after) ? page.after : null
      const rows = await db.query<OperatorRow>(LIST_ALL, [after, page.limit + 1])
      const items = rows.slice(0, page.limit)
      return {
        items: items.map(operatorFromRow),
        next: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null,
      }
    },
    async add(input, editor, beforeCommit) {
      refuseEmpty(input)
      return db.transaction(async (tx) => {
        const imageId = await imageOf(tx, input)
        if (input.pinned) await unpin(tx, null)
        const row = await tx.one<{ id: string }>(INSERT, [
          JSON.stringify(input.title),
          JSON.stringify(input.body),
          imageId,
          JSON.stringify(input.image?.alt ?? { en: '', ru: '' }),
          input.pinned,
          input.publishedAt,
          editor.operatorId,
        ])
        await audit(tx, editor, 'announcement.add', row.id, undefined, input)
        const added = await showAny(row.id, tx)
        await beforeCommit?.(tx, added)
        return added
      })
    },
    async update(id, revision, input, editor) {
      refuseEmpty(input)
      const isCurrent = await db.transaction(async (tx) => {
        if (input.pinned) await unpin(tx, id)
        const before = await tx.maybeOne<{ revision: number }>(LOCK, [id])
        if (!before) refuse('not_found')
        if (before.revision !== revision) return false
        const imageId = await imageOf(tx, input)
        await tx.query(UPDATE, [
          id,
          JSON.stringify(input.title),
          JSON.stringify(input.body),
          imageId,
          JSON.stringify(input.image?.alt ?? { en: '', ru: '' }),
          input.pinned,
          input.publishedAt,
        ])
        const { revision: _, ...was } = before
        await audit(tx, editor, 'announcement.update', String(id), was, input)
        return true
      })
      return isCurrent ? showAny(id) : refuse('conflict', { current: await showAny(id) })
    },
    async remove(id, editor) {
      await db.transaction(async (tx) => {
        const before = (await tx.maybeOne<object>(LOCK, [id])) ?? refuse('not_found')
        await tx.query(REMOVE, [id])
        await audit(tx, editor, 'announcement.remove', String(id), before, undefined)
      })
    },
  }
}

async function unpin(tx: Queryable, exceptId: number | null): Promise<void> {
  await tx.query(LOCK_PIN)
  await tx.query(UNPIN, [exceptId])
}

async function imageOf(tx: Queryable, input: Input): Promise<string | null> {
  if (!input.image) return null
  const row = await tx.maybeOne<{ id: string }>(IMAGE, [input.image.name])
  return row?.id ?? refuse('upload_unknown')
}

function refuseEmpty(input: Input): void {
  if (!hasText(input.title)) refuse('text_required', { field: 'title' })
  if (!hasText(input.body)) refuse('text_required', { field: 'body' })
}

export function hasText(text: LocalText): boolean {
  return text.en.trim() !== '' || text.ru.trim() !== ''
}

const audit = auditOf('announcement')

/** `{time}_{id}`; anything else starts from the first page. */
function cursorFromText(text: string | undefined): { at: string; id: string } | undefined {
  const match = /^(\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)_(\d{1,18})$/.exec(text ?? '')
  return match?.[1] && match[2] && !Number.isNaN(Date.parse(match[1]))
    ? { at: match[1], id: match[2] }
    : undefined
}

function countsFrom(reactions: Row['reactions']): Announcement['reactions'] {
  return Object.fromEntries(
    reactionKinds.map((kind) => [kind, reactions[kind] ?? 0]),
  ) as Announcement['reactions']
}

function imageFrom(row: Row): Announcement['image'] {
  if (row.image_name === null) return null
  return {
    url: uploadUrl(row.image_name),
    width: row.image_width ?? 0,
    height: row.image_height ?? 0,
    alt: row.image_alt,
  }
}

function fromRow(row: Row): Announcement {
  return {
    id: Number(row.id),
    title: row.title,
    body: row.body,
    image: imageFrom(row),
    pinned: row.pinned,
    publishedAt: (row.published_at as Date).toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    reactions: countsFrom(row.reactions),
    ownReactions: reactionKinds.filter((kind) => row.own.includes(kind)),
  }
}

function operatorFromRow(row: OperatorRow): OperatorAnnouncement {
  return {
    id: Number(row.id),
    title: row.title,
    body: row.body,
    image: imageFrom(row),
    imageName: row.image_name,
    pinned: row.pinned,
    publishedAt: row.published_at?.toISOString() ?? null,
    editedAt: row.edited_at?.toISOString() ?? null,
    reactions: countsFrom(row.reactions),
    state: row.published_at === null ? 'draft' : row.is_published ? 'published' : 'scheduled',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    author: row.author,
    revision: row.revision,
  }
}
