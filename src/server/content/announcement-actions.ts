import { z } from 'zod'
import type { OperatorAnnouncement } from '../../shared/api/content.ts'
import { announcementInput } from '../../shared/api/content-inputs.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { noTexts } from '../../shared/texts.ts'
import { defineAction, type Published } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { idOfPinned, readForOperators } from './announcement-rows.ts'
import { requireText } from './required-text.ts'

type Input = z.output<typeof announcementInput>

const byId = z.object({ id: z.number().int() })
const changeInput = announcementInput.extend({ ...byId.shape, revision: z.number().int() })

// Rules: TEXT-2, TEXT-3
/** A pinned announcement unpins the last when it appears. */
export const announcementActions = {
  'announcement.add': defineAction({
    name: 'announcement.add',
    input: announcementInput,
    publishes: async (_tx, input) => shownOf(input, '*'),
    execute: addAnnouncement,
  }),
  'announcement.update': defineAction({
    name: 'announcement.update',
    input: changeInput,
    publishes: changeOf,
    execute: updateAnnouncement,
  }),
  'announcement.remove': defineAction({
    name: 'announcement.remove',
    input: byId,
    execute: removeAnnouncement,
  }),
}

/** A draft shows nothing. */
function shownOf(
  { title, body, image, publishedAt }: Input,
  id: string,
  before?: unknown,
): Published | undefined {
  if (publishedAt === null) return undefined
  return {
    subject: { type: 'announcement', id },
    pieces: [{ now: { title, body, image }, before }],
    appearsAt: publishedAt,
  }
}

async function changeOf(tx: Queryable, input: z.output<typeof changeInput>): Promise<Published | undefined> {
  const stands = await readForOperators(tx, input.id)
  if (stands.revision !== input.revision) refuse('conflict', { current: stands })
  const { title, body, image, imageName, publishedAt } = stands
  const before = { title, body, image: image && { name: imageName, alt: image.alt } }
  // A link that appears after the sale's opening is judged as one.
  const isLater = publishedAt === null || (input.publishedAt ?? '') > publishedAt
  return shownOf(input, String(input.id), isLater ? undefined : before)
}

/** A publication can't be backdated. */
async function addAnnouncement(unit: UnitOfWork, input: Input): Promise<OperatorAnnouncement> {
  requireTexts(input)
  const imageId = await imageIdOf(unit, input)
  if (input.pinned) await settlePins(unit)
  const { id } = await unit.one<{ id: string }>(
    sql`insert into announcements (title, body, image_id, image_alt, pinned, published_at, operator_id)
        values (${JSON.stringify(input.title)}, ${JSON.stringify(input.body)}, ${imageId}, ${imageAltOf(input)},
                ${input.pinned}, case when ${input.publishedAt}::timestamptz is not null
                                      then greatest(${input.publishedAt}::timestamptz, now()) end,
                ${unit.actor.operatorId}) returning id`,
  )
  if (input.pinned) await unpinOthers(unit, id)
  return tell(unit, 'announcement.add', id, { after: input })
}

async function updateAnnouncement(
  unit: UnitOfWork,
  { id, revision, ...input }: z.output<typeof changeInput>,
): Promise<OperatorAnnouncement> {
  requireTexts(input)
  await settlePins(unit)
  const { revision: current, ...before } = await lockAnnouncement(unit, id)
  if (current !== revision) refuse('conflict', { current: await readForOperators(unit, id) })
  const imageId = await imageIdOf(unit, input)
  const [title, body] = [JSON.stringify(input.title), JSON.stringify(input.body)]
  // An unpublished text may return changed, below the same comments.
  await unit.query(
    sql`insert into announcement_texts (announcement_id, revision, title, body)
        select id, revision, title, body from announcements
         where id = ${id} and published_at <= now()
           and (title <> ${title}::jsonb or body <> ${body}::jsonb
                or not coalesce(${input.publishedAt}::timestamptz <= now(), false))`,
  )
  await unit.query(
    sql`update announcements set
          edited_at = case when (published_at <= now() or exists (select from announcement_texts t where t.announcement_id = ${id}))
                            and (title <> ${title}::jsonb or body <> ${body}::jsonb or image_id is distinct from ${imageId}::bigint)
                           then now() else edited_at end,
          title = ${title}, body = ${body}, image_id = ${imageId}, image_alt = ${imageAltOf(input)},
          pinned = ${input.pinned},
          published_at = case when ${input.publishedAt}::timestamptz is null then null
                              when published_at <= now() and ${input.publishedAt}::timestamptz <= now() then published_at
                              else greatest(${input.publishedAt}::timestamptz, now()) end,
          revision = revision + 1, updated_at = now()
        where id = ${id}`,
  )
  if (input.pinned) await unpinOthers(unit, String(id))
  return tell(unit, 'announcement.update', String(id), { before, after: input })
}

async function tell(
  unit: UnitOfWork,
  action: 'announcement.add' | 'announcement.update',
  id: string,
  { after, ...before }: { before?: object; after: Input },
): Promise<OperatorAnnouncement> {
  const stands = await readForOperators(unit, id)
  const dated = { ...after, publishedAt: stands.publishedAt }
  await unit.audit(action, { type: 'announcement', id }, { ...before, after: dated })
  return stands
}

async function removeAnnouncement(unit: UnitOfWork, { id }: { id: number }): Promise<{ id: number }> {
  await settlePins(unit)
  const before = await lockAnnouncement(unit, id)
  await unit.query(sql`delete from announcements where id = ${id}`)
  await unit.audit('announcement.remove', { type: 'announcement', id: String(id) }, { before })
  return { id }
}

interface LockedRow {
  readonly revision: number
  readonly title: LocalText
  readonly body: LocalText
  readonly image_id: string | null
  readonly pinned: boolean
  readonly published_at: Date | null
}

async function lockAnnouncement(unit: UnitOfWork, id: number): Promise<LockedRow> {
  const row = await unit.maybeOne<LockedRow>(
    sql`select revision, title, body, image_id, pinned, published_at from announcements
         where id = ${id} for update`,
  )
  return row ?? refuse('not_found')
}

/**
 * A pin that a later announcement replaced must not return when that is unpinned. One change of pins at a
 * time, before any row is locked.
 */
async function settlePins(unit: UnitOfWork): Promise<void> {
  await unit.query(sql`select pg_advisory_xact_lock(hashtext('announcements.pinned'))`)
  await unit.query(
    sql`update announcements set pinned = false where pinned and published_at <= now() and id <> (${idOfPinned})`,
  )
}

/** Once `id` is published. Scheduled ones keep their pin until they appear. */
async function unpinOthers(unit: UnitOfWork, id: string): Promise<void> {
  await unit.query(
    sql`update announcements set pinned = false, revision = revision + 1, updated_at = now()
         where pinned and published_at <= now() and id <> ${id}
           and exists (select from announcements p where p.id = ${id} and p.published_at <= now())`,
  )
}

async function imageIdOf(unit: UnitOfWork, { image }: Input): Promise<string | null> {
  if (!image) return null
  const row = await unit.maybeOne<{ id: string }>(
    sql`select id from uploads where name = ${image.name} and media_type like 'image/%'`,
  )
  return row?.id ?? refuse('upload_unknown')
}

function imageAltOf({ image }: Input): string {
  return JSON.stringify(image?.alt ?? noTexts)
}

function requireTexts({ title, body }: Input): void {
  requireText(title, 'title')
  requireText(body, 'body')
}
