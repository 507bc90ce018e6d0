import type { z } from 'zod'
import type { PublicDocument } from '../../shared/api/content.ts'
import type { documentInput } from '../../shared/api/content-inputs.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Database, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type Editor, hasText } from './announcements.ts'
import { uploadUrl } from './uploads.ts'

export interface Documents {
  list(): Promise<PublicDocument[]>
  /** Publishes an uploaded PDF; one upload is one document. */
  add(input: z.output<typeof documentInput>, editor: Editor): Promise<PublicDocument>
  /** Deletes the document and its file. */
  remove(id: number, editor: Editor): Promise<void>
  /** The name under which the file of an upload is saved; undefined where it is no document. */
  fileNameOf(uploadId: string): Promise<string | undefined>
}

interface Row {
  id: string
  title: LocalText
  file_name: string
  name: string
  size_bytes: number
  sha256: Buffer
  published_at: Date
}

const COLUMNS = 'd.id, d.title, d.file_name, u.name, u.size_bytes, u.sha256, d.published_at'
const LIST = statement(
  'documents_list',
  `select ${COLUMNS} from documents d join uploads u on u.id = d.upload_id order by d.published_at desc, d.id desc limit 200`,
)
const UPLOAD = statement(
  'documents_upload',
  `select u.id, u.media_type, exists (select 1 from documents d where d.upload_id = u.id) as used
     from uploads u where u.name = $1 for update of u`,
)
const INSERT = statement(
  'documents_insert',
  `with d as (insert into documents (title, file_name, upload_id, operator_id) values ($1, $2, $3, $4) returning *)
   select ${COLUMNS} from d join uploads u on u.id = d.upload_id`,
)
const REMOVE = statement(
  'documents_remove',
  'delete from documents where id = $1 returning title, file_name, upload_id',
)
const REMOVE_FILE = statement(
  'documents_remove_file',
  `delete from uploads where id = $1 returning encode(sha256, 'hex') as sha256`,
)
const FILE_NAME = statement('documents_file_name', 'select file_name from documents where upload_id = $1')

export function createDocuments(db: Database): Documents {
  return {
    async list() {
      return (await db.query<Row>(LIST)).map(fromRow)
    },
    add(input, editor) {
      if (!hasText(input.title)) refuse('text_required', { field: 'title' })
      return db.transaction(async (tx) => {
        const file = await tx.maybeOne<{ id: string; media_type: string; used: boolean }>(UPLOAD, [
          input.uploadName,
        ])
        if (!file || file.used) refuse('upload_unknown')
        if (file.media_type !== 'application/pdf') refuse('upload_type_refused')
        const fileName = safeFileName(input.fileName)
        const row = await tx.one<Row>(INSERT, [
          JSON.stringify(input.title),
          fileName,
          file.id,
          editor.operatorId,
        ])
        const document = fromRow(row)
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'document.add',
          subjectType: 'document',
          subjectId: row.id,
          after: { title: input.title, fileName, sha256: document.sha256 },
          requestId: editor.requestId ?? null,
        })
        return document
      })
    },
    remove(id, editor) {
      return db.transaction(async (tx) => {
        const gone = await tx.maybeOne<{ title: LocalText; file_name: string; upload_id: string }>(REMOVE, [
          id,
        ])
        if (!gone) refuse('not_found')
        const file = await tx.one<{ sha256: string }>(REMOVE_FILE, [gone.upload_id])
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'document.remove',
          subjectType: 'document',
          subjectId: String(id),
          before: { title: gone.title, fileName: gone.file_name, sha256: file.sha256 },
          requestId: editor.requestId ?? null,
        })
      })
    },
    async fileNameOf(uploadId) {
      return (await db.maybeOne<{ file_name: string }>(FILE_NAME, [uploadId]))?.file_name
    },
  }
}

/** A name without a path, control or reserved characters, that ends in `.pdf`. */
export function safeFileName(name: string): string {
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

function fromRow(row: Row): PublicDocument {
  return {
    id: Number(row.id),
    title: row.title,
    fileName: row.file_name,
    url: uploadUrl(row.name),
    sizeBytes: row.size_bytes,
    sha256: row.sha256.toString('hex'),
    publishedAt: row.published_at.toISOString(),
  }
}
