import { z } from 'zod'
import type { PublicDocument } from '../../shared/api/content.ts'
import { documentInput } from '../../shared/api/content-inputs.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type DocumentRow, documentColumns, publicDocument } from './documents.ts'
import { requireText } from './required-text.ts'

const byId = z.object({ id: z.number().int() })

/** What operators can change of documents. */
export const documentActs = {
  /** Publishes an uploaded PDF; one upload is one document. Refuses text_required, upload_unknown, upload_type_refused. */
  'document.add': act({ name: 'document.add', input: documentInput, perform: addDocument }),
  /** Deletes the document and its file. Refuses not_found. */
  'document.remove': act({ name: 'document.remove', input: byId, perform: removeDocument }),
}

async function addDocument(change: Change, input: z.output<typeof documentInput>): Promise<PublicDocument> {
  requireText(input.title, 'title')
  const file = await change.maybeOne<{ id: string; media_type: string; used: boolean }>(
    sql`select u.id, u.media_type, exists (select 1 from documents d where d.upload_id = u.id) as used
          from uploads u where u.name = ${input.uploadName} for update of u`,
  )
  if (!file || file.used) refuse('upload_unknown')
  if (file.media_type !== 'application/pdf') refuse('upload_type_refused')
  const fileName = safeFileName(input.fileName)
  const row = await change.one<DocumentRow>(
    sql`with d as (
          insert into documents (title, file_name, upload_id, operator_id)
          values (${JSON.stringify(input.title)}, ${fileName}, ${file.id}, ${change.by.operatorId}) returning *)
        select ${documentColumns} from d join uploads u on u.id = d.upload_id`,
  )
  const document = publicDocument(row)
  await change.audit(
    'document.add',
    { type: 'document', id: row.id },
    { after: { title: input.title, fileName, sha256: document.sha256 } },
  )
  return document
}

async function removeDocument(change: Change, { id }: { id: number }): Promise<{ id: number }> {
  const gone = await change.maybeOne<{ title: LocalText; file_name: string; upload_id: string }>(
    sql`delete from documents where id = ${id} returning title, file_name, upload_id`,
  )
  if (!gone) refuse('not_found')
  const file = await change.one<{ sha256: string }>(
    sql`delete from uploads where id = ${gone.upload_id} returning encode(sha256, 'hex') as sha256`,
  )
  await change.audit(
    'document.remove',
    { type: 'document', id: String(id) },
    { before: { title: gone.title, fileName: gone.file_name, sha256: file.sha256 } },
  )
  return { id }
}

/** A name without a path, control or reserved characters, that ends in `.pdf`. */
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
