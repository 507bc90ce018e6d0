import { z } from 'zod'
import type { PublicDocument } from '../../shared/api/content.ts'
import {
  documentChange,
  documentInput,
  documentMove,
  documentReplacement,
} from '../../shared/api/content-inputs.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { defineAction, type Published } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import {
  type DocumentRow,
  documentColumns,
  documentOrder,
  listDocuments,
  publicDocument,
} from './documents.ts'
import { requireText } from './required-text.ts'

const byId = z.object({ id: z.number().int() })
const changeInput = documentChange.extend(byId.shape)
const replaceInput = documentReplacement.extend(byId.shape)
const moveInput = documentMove.extend(byId.shape)

export const documentActions = {
  /** Uses an uploaded PDF, once. */
  'document.add': defineAction({
    name: 'document.add',
    input: documentInput,
    publishes: async (_tx, input) => shownOf('*', input),
    execute: addDocument,
  }),
  'document.update': defineAction({
    name: 'document.update',
    input: changeInput,
    publishes: changeOf,
    execute: updateDocument,
  }),
  /** Conflict if it is not at `from`. */
  'document.move': defineAction({ name: 'document.move', input: moveInput, execute: moveDocument }),
  /** The old file stays available. */
  'document.replace': defineAction({
    name: 'document.replace',
    input: replaceInput,
    publishes: changeOf,
    execute: replaceDocument,
  }),
  /** With all its files. */
  'document.remove': defineAction({ name: 'document.remove', input: byId, execute: removeDocument }),
}

const shownOf = (id: string, now: { fileName: string }, before?: unknown): Published => ({
  subject: { type: 'document', id },
  pieces: [{ now, before }],
  summary: { fileName: now.fileName },
})

async function changeOf(
  tx: Queryable,
  { id, revision, ...now }: { readonly id: number; readonly revision: number; readonly fileName: string },
): Promise<Published> {
  const row =
    (await tx.maybeOne<DocumentRow>(
      sql`select ${documentColumns} from documents d join uploads u on u.id = d.upload_id where d.id = ${id}`,
    )) ?? refuse('not_found')
  if (row.revision !== revision) refuse('conflict', { current: publicDocument(row) })
  return shownOf(String(id), now, { title: row.title, fileName: row.file_name })
}

async function addDocument(unit: UnitOfWork, input: z.output<typeof documentInput>): Promise<PublicDocument> {
  requireText(input.title, 'title')
  const file = await takeFile(unit, input.uploadName)
  const fileName = safeFileName(input.fileName)
  const row = await unit.one<DocumentRow>(
    sql`with d as (
          insert into documents (title, file_name, upload_id, operator_id, position)
          values (${JSON.stringify(input.title)}, ${fileName}, ${file.id}, ${unit.actor.operatorId},
                  coalesce((select min(position) - 1 from documents), 0)) returning *)
        select ${documentColumns} from d join uploads u on u.id = d.upload_id`,
  )
  const document = publicDocument(row)
  await unit.audit(
    'document.add',
    { type: 'document', id: row.id },
    { after: { title: input.title, fileName, sha256: document.sha256 } },
  )
  return document
}

async function takeFile(unit: UnitOfWork, name: string): Promise<{ id: string }> {
  const file = await unit.maybeOne<{ id: string; media_type: string; used: boolean }>(
    sql`select u.id, u.media_type, exists (select 1 from documents d where d.upload_id = u.id)
                 or exists (select 1 from document_versions v where v.upload_id = u.id) as used
          from uploads u where u.name = ${name} for update of u`,
  )
  if (!file || file.used) refuse('upload_unknown')
  if (file.media_type !== 'application/pdf') refuse('upload_type_refused')
  return file
}

async function lockDocument(unit: UnitOfWork, id: number, revision: number): Promise<DocumentRow> {
  const row = await unit.maybeOne<DocumentRow>(
    sql`select ${documentColumns} from documents d join uploads u on u.id = d.upload_id
         where d.id = ${id} for update of d`,
  )
  if (!row) refuse('not_found')
  if (row.revision !== revision) refuse('conflict', { current: publicDocument(row) })
  return row
}

async function updateDocument(
  unit: UnitOfWork,
  { id, revision, title, fileName: typed }: z.output<typeof changeInput>,
): Promise<PublicDocument> {
  requireText(title, 'title')
  const before = await lockDocument(unit, id, revision)
  const fileName = safeFileName(typed)
  await unit.query(
    sql`update documents set title = ${JSON.stringify(title)}, file_name = ${fileName}, revision = revision + 1
         where id = ${id}`,
  )
  await unit.audit(
    'document.update',
    { type: 'document', id: String(id) },
    { before: { title: before.title, fileName: before.file_name }, after: { title, fileName } },
  )
  return publicDocument({ ...before, title, file_name: fileName, revision: revision + 1 })
}

async function replaceDocument(
  unit: UnitOfWork,
  { id, revision, uploadName, fileName: typed }: z.output<typeof replaceInput>,
): Promise<PublicDocument> {
  const before = await lockDocument(unit, id, revision)
  const file = await takeFile(unit, uploadName)
  const fileName = safeFileName(typed)
  await unit.query(
    sql`insert into document_versions (upload_id, document_id, file_name, published_at)
        select upload_id, id, file_name, published_at from documents where id = ${id}`,
  )
  await unit.query(
    sql`update documents set upload_id = ${file.id}, file_name = ${fileName}, published_at = clock_timestamp(),
               operator_id = ${unit.actor.operatorId}, revision = revision + 1
         where id = ${id}`,
  )
  const row = await unit.one<DocumentRow>(
    sql`select ${documentColumns} from documents d join uploads u on u.id = d.upload_id where d.id = ${id}`,
  )
  const document = publicDocument(row)
  await unit.audit(
    'document.replace',
    { type: 'document', id: String(id) },
    {
      before: { fileName: before.file_name, sha256: before.sha256.toString('hex') },
      after: { fileName, sha256: document.sha256 },
    },
  )
  return document
}

async function moveDocument(
  unit: UnitOfWork,
  { id, from, to }: z.output<typeof moveInput>,
): Promise<{ items: PublicDocument[] }> {
  // One at a time, so that each sees the last one's result.
  await unit.query(sql`select pg_advisory_xact_lock(hashtext('documents.position'))`)
  const rows = await unit.query<{ id: string }>(sql`select d.id from documents d order by ${documentOrder}`)
  const ids = rows.map((row) => row.id)
  const at = ids.indexOf(String(id))
  if (at < 0) refuse('not_found')
  if (at !== from - 1 || to > ids.length) refuse('conflict')
  ids.splice(to - 1, 0, ...ids.splice(at, 1))
  await unit.query(
    sql`update documents d set position = placed.position
          from unnest(${ids}::bigint[]) with ordinality as placed (id, position)
         where d.id = placed.id and d.position <> placed.position`,
  )
  await unit.audit(
    'document.move',
    { type: 'document', id: String(id) },
    { before: { position: from }, after: { position: to } },
  )
  return { items: await listDocuments(unit) }
}

async function removeDocument(unit: UnitOfWork, { id }: { id: number }): Promise<{ id: number }> {
  const earlier = await unit.query<{ upload_id: string }>(
    sql`delete from document_versions where document_id = ${id} returning upload_id`,
  )
  const gone = await unit.maybeOne<{ title: LocalText; file_name: string; upload_id: string }>(
    sql`delete from documents where id = ${id} returning title, file_name, upload_id`,
  )
  if (!gone) refuse('not_found')
  await unit.query(
    sql`delete from uploads where id = any(${earlier.map(({ upload_id }) => upload_id)}::bigint[])`,
  )
  const file = await unit.one<{ sha256: string }>(
    sql`delete from uploads where id = ${gone.upload_id} returning encode(sha256, 'hex') as sha256`,
  )
  await unit.audit(
    'document.remove',
    { type: 'document', id: String(id) },
    { before: { title: gone.title, fileName: gone.file_name, sha256: file.sha256 } },
  )
  return { id }
}

/** No path, control or reserved characters; ends in `.pdf`. */
function safeFileName(name: string): string {
  const base = name
    .normalize('NFC')
    .replace(/\.pdf$/i, '')
    // oxlint-disable-next-line no-control-regex -- these are the characters that are taken out
    .replace(/[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"*/:<>?\\|;%]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .slice(0, 100)
  return `${base || 'document'}.pdf`
}
