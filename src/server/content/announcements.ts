import type { Announcement, OperatorAnnouncement, ReactionKind } from '../../shared/api/content.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import type { EarlierText } from '../../shared/public-pages.ts'
import { type Database, fragment, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import {
  type AnnouncementRow,
  announcement,
  announcementColumns,
  announcementTables,
  idOfPinned,
  type OperatorAnnouncementRow,
  operatorAnnouncement,
  readForOperators,
  selectForOperators,
} from './announcement-rows.ts'

type Reactions = Pick<Announcement, 'id' | 'reactions' | 'ownReactions'>
type Kept = Pick<Announcement, 'id' | 'isKept'>
interface Row extends AnnouncementRow {
  readonly own: ReactionKind[]
  readonly is_kept: boolean
}

const selectForViewer = fragment`
  select ${announcementColumns},
         coalesce((select array_agg(r.kind) from announcement_reactions r
                    where r.announcement_id = a.id and r.user_id = viewer.id), '{}') as own,
         exists (select from bookmarks b where b.announcement_id = a.id and b.user_id = viewer.id) as is_kept
    from ${announcementTables}`

// Rules: TEXT-1
export class Announcements {
  readonly #db: Database

  constructor({ db }: { readonly db: Database }) {
    this.#db = db
  }

  // Rules: TEXT-4
  /** The pinned one is separate, on the first page only; a search lists it among the others. */
  async feed(
    page: {
      readonly after?: string | undefined
      readonly limit: number
      readonly words?: string | undefined
      /** The reader's bookmarks; none for a visitor. */
      readonly kept?: boolean | undefined
    },
    userId: string | null,
  ): Promise<{ pinned: Announcement | null; items: Announcement[]; next: string | null }> {
    const after = cursorOf(page.after)
    const words = searched(page.words)
    const isChosen = words !== null || page.kept === true
    const rows = await this.#db.query<Row>(
      sql`${selectForViewer} cross join (select ${userId}::bigint as id) viewer
           where a.published_at <= now()
             and (${isChosen} or a.id is distinct from (${idOfPinned}))
             and (${words}::text is null or a.words @@ websearch_to_tsquery('russian', ${words}))
             and (not ${page.kept === true} or exists (
                   select from bookmarks b where b.announcement_id = a.id and b.user_id = viewer.id))
             and (${after?.at ?? null}::timestamptz is null
                  or (a.published_at, a.id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::bigint))
           order by a.published_at desc, a.id desc limit ${page.limit + 1}`,
    )
    const pinned = after || isChosen ? undefined : await this.#pinned(userId)
    const items = rows.slice(0, page.limit)
    const last = items.at(-1)
    return {
      pinned: pinned ? announcement(pinned) : null,
      items: items.map(announcement),
      next: rows.length > page.limit && last ? `${last.published_at?.toISOString()}_${last.id}` : null,
    }
  }

  /** Drafts and scheduled ones are `not_found`. */
  async show(id: number, userId: string | null): Promise<Announcement> {
    const row = await this.#db.maybeOne<Row>(
      sql`${selectForViewer} cross join (select ${userId}::bigint as id) viewer
           where a.id = ${id} and a.published_at <= now()`,
    )
    return row ? announcement(row) : refuse('not_found')
  }

  async isPublished(id: number): Promise<boolean> {
    const found = await this.#db.maybeOne(
      sql`select from announcements where id = ${id} and published_at <= now()`,
    )
    return found !== undefined
  }

  // Rules: TEXT-2
  /** Newest first. None if the text returned unchanged after being unpublished. */
  async earlier(id: number): Promise<EarlierText[]> {
    const rows = await this.#db.query<{ title: LocalText; body: LocalText; replaced_at: Date }>(
      sql`select t.title, t.body, t.replaced_at from announcement_texts t join announcements a on a.id = t.announcement_id
           where a.id = ${id} and a.published_at <= now()
             and not (t.title = a.title and t.body = a.body
                      and t.revision = (select max(revision) from announcement_texts n where n.announcement_id = a.id))
           order by t.revision desc limit 20`,
    )
    return rows.map(({ title, body, replaced_at }) => ({ title, body, until: replaced_at.toISOString() }))
  }

  /** Newest first, up to a site map's limit in two languages. */
  async addresses(): Promise<{ id: string; changedAt: Date }[]> {
    return this.#db.query(
      sql`select id, coalesce(edited_at, published_at) as "changedAt" from announcements
           where published_at <= now() order by published_at desc, id desc limit 20000`,
    )
  }

  /** A repeat changes nothing. */
  async react(id: number, kind: ReactionKind, userId: string): Promise<Reactions> {
    await this.#db.query(
      sql`insert into announcement_reactions (announcement_id, kind, user_id)
          select id, ${kind}, ${userId} from announcements where id = ${id} and published_at <= now()
          on conflict do nothing`,
    )
    return this.#reactions(id, userId)
  }

  async unreact(id: number, kind: ReactionKind, userId: string): Promise<Reactions> {
    await this.#db.query(
      sql`delete from announcement_reactions
           where announcement_id = ${id} and kind = ${kind} and user_id = ${userId}`,
    )
    return this.#reactions(id, userId)
  }

  // Rules: TEXT-19
  /** A repeat changes nothing. */
  async keep(id: number, userId: string): Promise<Kept> {
    // A deletion of the account locks its row: the bookmark is deleted with it or never made.
    await this.#db.query(
      sql`with keeper as (select id from users where id = ${userId} and deleted_at is null for key share)
          insert into bookmarks (user_id, announcement_id)
          select keeper.id, a.id from keeper, announcements a where a.id = ${id} and a.published_at <= now()
          on conflict do nothing`,
    )
    return this.#kept(id, userId)
  }

  async unkeep(id: number, userId: string): Promise<Kept> {
    await this.#db.query(sql`delete from bookmarks where user_id = ${userId} and announcement_id = ${id}`)
    return this.#kept(id, userId)
  }

  async listAll(page: {
    readonly after?: string | undefined
    readonly limit: number
    readonly words?: string | undefined
  }): Promise<{ items: OperatorAnnouncement[]; next: string | null }> {
    const words = searched(page.words)
    const after = page.after && /^\d{1,18}$/.test(page.after) ? page.after : null
    const rows = await this.#db.query<OperatorAnnouncementRow>(
      sql`${selectForOperators} where (${after}::bigint is null or a.id < ${after}::bigint)
             and (${words}::text is null or a.words @@ websearch_to_tsquery('russian', ${words}))
           order by a.id desc limit ${page.limit + 1}`,
    )
    const items = rows.slice(0, page.limit)
    return {
      items: items.map(operatorAnnouncement),
      next: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null,
    }
  }

  showAny(id: number): Promise<OperatorAnnouncement> {
    return readForOperators(this.#db, id)
  }

  #pinned(userId: string | null): Promise<Row | undefined> {
    return this.#db.maybeOne<Row>(
      sql`${selectForViewer} cross join (select ${userId}::bigint as id) viewer
           where a.id = (${idOfPinned})`,
    )
  }

  async #kept(id: number, userId: string): Promise<Kept> {
    return { id, isKept: (await this.show(id, userId)).isKept }
  }

  async #reactions(id: number, userId: string): Promise<Reactions> {
    const { reactions, ownReactions } = await this.show(id, userId)
    return { id, reactions, ownReactions }
  }
}

/** The column `words` lacks Spanish accents and the dots of the Russian letter U+0451. */
const ACCENTS = /(?<=[aeiou])\u0301|(?<=[u\u0435])\u0308|(?<=n)\u0303/g

/** Normalised like the column `words`: lower case, no accents. */
function searched(typed: string | undefined): string | null {
  const words = typed?.replaceAll('\0', '').trim().toLowerCase()
  return words?.normalize('NFD').replaceAll(ACCENTS, '').normalize('NFC') || null
}

/** `{time}_{id}`; any other text means the first page. */
function cursorOf(text: string | undefined): { at: string; id: string } | undefined {
  const match = /^(\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)_(\d{1,18})$/.exec(text ?? '')
  return match?.[1] && match[2] && !Number.isNaN(Date.parse(match[1]))
    ? { at: match[1], id: match[2] }
    : undefined
}
