import type { z } from 'zod'
import { addressesAcross, addressesIn } from '../../shared/addresses-in-texts.ts'
import type {
  CommentReason,
  commentViews,
  OperatorComment,
  PublicComment,
} from '../../shared/api/comments.ts'
import type { commentInput } from '../../shared/api/comments-inputs.ts'
import { foreignLinks } from '../../shared/links-in-texts.ts'
import type { PageComments } from '../../shared/public-pages.ts'
import { type Database, sql } from '../database/database.ts'
import { refuseField } from '../invalid-input.ts'
import type { Limits } from '../limits/limits.ts'
import { refuse } from '../refusal.ts'
import { commentActions } from './comment-actions.ts'
import {
  type OperatorRow,
  operatorComment,
  type PublicRow,
  publicComment,
  selectForOperators,
  selectForViewer,
} from './comment-rows.ts'

/** The number of an account's newest comments on an announcement that are searched with a new one. */
const OWN_MAX = 30

export interface CommentsNeeds {
  readonly db: Database
  readonly limits: Pick<Limits, 'take'>
  /** Comments may link to the site alone. */
  readonly publicUrl: string
}

// Rules: TEXT-5
export class Comments {
  readonly actions = commentActions
  readonly #db: Database
  readonly #limits: Pick<Limits, 'take'>
  readonly #publicUrl: string

  constructor({ db, limits, publicUrl }: CommentsNeeds) {
    this.#db = db
    this.#limits = limits
    this.#publicUrl = publicUrl
  }

  /** Newest first; hidden ones have no text. Throws not_found. */
  async list(
    announcementId: number,
    { before, limit }: { readonly before?: number | undefined; readonly limit: number },
    userId: string | null,
  ): Promise<{ isOn: boolean; items: PublicComment[]; next: number | null }> {
    const isOn = await this.#isOn(announcementId)
    if (!isOn) return { isOn, items: [], next: null }
    const rows = await this.#db.query<PublicRow>(
      sql`${selectForViewer} cross join (select ${userId}::bigint as id) viewer
           where c.announcement_id = ${announcementId} and (${before ?? null}::bigint is null or c.id < ${before ?? null}::bigint)
           order by c.id desc limit ${limit + 1}`,
    )
    const items = rows.slice(0, limit).map(publicComment)
    return { isOn, items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
  }

  /** Null while comments are off. Throws not_found. */
  async forPage(
    announcementId: number,
    before: number | undefined,
    userId: string | null,
  ): Promise<PageComments | null> {
    const { isOn, items, next } = await this.list(announcementId, { before, limit: 30 }, userId)
    if (!isOn) return null
    const reader =
      userId === null
        ? undefined
        : await this.#db.maybeOne<{ nickname: string | null }>(
            sql`select nickname from users where id = ${userId}`,
          )
    return { items, next, nickname: reader?.nickname ?? null }
  }

  /**
   * The same text again is the same comment. Throws comments_off, not_found, comment_unconfirmed,
   * too_many_requests, invalid input for a text with an address or foreign link.
   */
  async add(
    announcementId: number,
    userId: string,
    { body, showsName }: z.output<typeof commentInput>,
  ): Promise<PublicComment> {
    const words = plainWords(body)
    if (words === '') refuseField('body', 'text_missing')
    if (!(await this.#isOn(announcementId))) refuse('comments_off')
    const author = await this.#db.maybeOne(
      sql`select from users where id = ${userId} and confirmed_at is not null`,
    )
    if (!author) refuse('comment_unconfirmed')
    await this.#limits.take('comment_account', userId)
    await this.#refuseWayToPay(announcementId, userId, words)
    // A deletion of the account locks its row, so the comment is either deleted with it or never made.
    const made = await this.#db.maybeOne<{ id: string }>(
      sql`with author as (
            select id from users where id = ${userId} and deleted_at is null and confirmed_at is not null for key share)
          insert into comments (announcement_id, user_id, body, shows_name)
          select a.id, author.id, ${words}, ${showsName} from author, announcements a, campaign p
           where a.id = ${announcementId} and a.published_at <= now() and (p.settings ->> 'comments')::boolean
          on conflict (announcement_id, user_id, md5(body)) do update set shows_name = excluded.shows_name
          returning id`,
    )
    if (!made) return refuse('not_found')
    const row = await this.#db.one<PublicRow>(
      sql`${selectForViewer} cross join (select ${userId}::bigint as id) viewer where c.id = ${made.id}`,
    )
    return publicComment(row)
  }

  // Rules: TEXT-5
  /** An address or link on the sale's own page looks like the seller's, also in several comments. */
  async #refuseWayToPay(announcementId: number, userId: string, body: string): Promise<void> {
    const texts = [{ language: null, text: body }]
    const earlier = await this.#db.query<{ text: string }>(
      sql`select body as text from comments where announcement_id = ${announcementId} and user_id = ${userId}
           order by id desc limit ${OWN_MAX}`,
    )
    const beside = earlier.filter(({ text }) => text !== body).map(({ text }) => ({ language: null, text }))
    const isFound = addressesIn(texts).length > 0 || addressesAcross(texts, beside).length > 0
    if (isFound || foreignLinks(texts, [], this.#publicUrl).length > 0) refuseField('body', 'way_to_pay')
  }

  /** Also while comments are off. Throws not_found. */
  async remove(id: number, userId: string): Promise<{ id: number }> {
    const removed = await this.#db.maybeOne(
      sql`delete from comments where id = ${id} and user_id = ${userId} returning id`,
    )
    return removed ? { id } : refuse('not_found')
  }

  /** One report per buyer. Throws too_many_requests, comments_off, not_found. */
  async report(id: number, userId: string, reason: CommentReason): Promise<{ id: number }> {
    await this.#limits.take('comment_report_account', userId)
    const comment = await this.#db.maybeOne<{ announcement_id: number }>(
      sql`select announcement_id::int from comments where id = ${id} and hidden_at is null`,
    )
    if (!comment) return refuse('not_found')
    if (!(await this.#isOn(comment.announcement_id))) refuse('comments_off')
    await this.#db.query(
      sql`with reporter as (select id from users where id = ${userId} and deleted_at is null for key share)
          insert into comment_reports (comment_id, user_id, reason)
          select c.id, reporter.id, ${reason} from reporter, comments c where c.id = ${id} and c.hidden_at is null
          on conflict do nothing`,
    )
    return { id }
  }

  /** Newest first. */
  async listForOperators(
    view: (typeof commentViews)[number],
    { after, limit }: { readonly after?: number | undefined; readonly limit: number },
  ): Promise<{ items: OperatorComment[]; next: string | null }> {
    const rows = await this.#db.query<OperatorRow>(
      sql`${selectForOperators}
           where (${after ?? null}::bigint is null or c.id < ${after ?? null}::bigint)
             and case ${view}::text
                   when 'reported' then c.hidden_at is null
                     and exists (select from comment_reports r where r.comment_id = c.id and r.settled_at is null)
                   when 'hidden' then c.hidden_at is not null
                   else true end
           order by c.id desc limit ${limit + 1}`,
    )
    const items = rows.slice(0, limit).map(operatorComment)
    return { items, next: rows.length > limit ? String(items.at(-1)?.id) : null }
  }

  /** Throws not_found for an unpublished announcement. */
  async #isOn(announcementId: number): Promise<boolean> {
    const row = await this.#db.maybeOne<{ is_on: boolean }>(
      sql`select coalesce((p.settings ->> 'comments')::boolean, false) as is_on from campaign p
           where exists (select from announcements where id = ${announcementId} and published_at <= now())`,
    )
    return row ? row.is_on : refuse('not_found')
  }
}

/**
 * Removes invisible and direction-changing characters, repeated empty lines, and excessive marks on a letter.
 * Returns an empty string if nothing visible is left.
 */
function plainWords(text: string): string {
  const words = text
    .replaceAll(/\r\n?/g, '\n')
    // Joiners and the emoji variation selector are part of scripts and emoji.
    .replaceAll(/(?!\n|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu, '')
    .replaceAll(/([\p{M}\u200c\u200d]{4})[\p{M}\u200c\u200d]+/gu, '$1')
    .replaceAll(/\n{3,}/g, '\n\n')
    .toWellFormed()
    .trim()
  return /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(words) ? words : ''
}
