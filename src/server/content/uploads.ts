import { createHash, randomBytes } from 'node:crypto'
import { documentBytesMax, imageBytesMax, type Upload } from '../../shared/api/content.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { encodeImage, imageTypeOf } from './images.ts'

export interface StoredUpload extends Upload {
  readonly id: string
}

const INSERT = statement(
  'uploads_insert',
  `insert into uploads (name, media_type, size_bytes, sha256, width, height, bytes, operator_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
)
const FIND = statement(
  'uploads_find',
  'select id, name, media_type, size_bytes, sha256, width, height from uploads where name = $1',
)
const SLICE = statement(
  'uploads_slice',
  'select substring(bytes from $2 for $3) as slice from uploads where id = $1',
)
const REMOVE_UNUSED = statement(
  'uploads_remove_unused',
  `delete from uploads u
    where u.created_at < now() - make_interval(hours => $1)
      and not exists (select 1 from announcements a where a.image_id = u.id)
      and not exists (select 1 from documents d where d.upload_id = u.id)
      and not exists (select 1 from campaign c where c.settings #>> '{brand,logoUploadId}' = u.name)
   returning 1 as gone`,
)

/** So much of a file is in memory at once while it is sent. */
const SLICE_BYTES = 512 * 1024

/**
 * Stores a file by what its bytes are, whatever it calls itself: a PDF as it is, an image re-encoded. Refuses, in this
 * order, `upload_type_refused`, `too_large`, `upload_unreadable`.
 */
export async function storeUpload(
  db: Queryable,
  bytes: Buffer,
  operatorId: string | null,
): Promise<StoredUpload> {
  if (isPdf(bytes)) {
    if (bytes.length > documentBytesMax) refuse('too_large', { bytesMax: documentBytesMax })
    if (!hasPdfEnd(bytes)) refuse('upload_unreadable')
    return insert(
      db,
      { mediaType: 'application/pdf', extension: 'pdf', bytes, width: null, height: null },
      operatorId,
    )
  }
  if (!imageTypeOf(bytes)) refuse('upload_type_refused')
  if (bytes.length > imageBytesMax) refuse('too_large', { bytesMax: imageBytesMax })
  return insert(db, await encodeImage(bytes), operatorId)
}

export async function findUpload(db: Queryable, name: string): Promise<StoredUpload | undefined> {
  const row = await db.maybeOne<Row>(FIND, [name])
  return row && uploadFromRow(row)
}

/** The file's bytes in slices, each read when the one before it has been taken. */
export async function* readUpload(db: Database, file: StoredUpload, from = 0): AsyncGenerator<Buffer> {
  for (let at = from; at < file.sizeBytes; at += SLICE_BYTES) {
    const row = await db.maybeOne<{ slice: Buffer }>(SLICE, [file.id, at + 1, SLICE_BYTES])
    if (!row) throw new Error('the file was deleted while it was sent')
    yield row.slice
  }
}

/** Deletes files that nothing has named for so many hours. Returns how many. */
export async function removeUnusedUploads(db: Queryable, hours = 24): Promise<number> {
  return (await db.query(REMOVE_UNUSED, [hours])).length
}

interface Row {
  id: string
  name: string
  media_type: Upload['mediaType']
  size_bytes: number
  sha256: Buffer
  width: number | null
  height: number | null
}

function uploadFromRow(row: Row): StoredUpload {
  return {
    id: row.id,
    name: row.name,
    url: uploadUrl(row.name),
    mediaType: row.media_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256.toString('hex'),
    width: row.width,
    height: row.height,
  }
}

export function uploadUrl(name: string): string {
  return `/uploads/${name}`
}

export interface EncodedFile {
  mediaType: Upload['mediaType']
  extension: string
  bytes: Buffer
  width: number | null
  height: number | null
}

async function insert(db: Queryable, file: EncodedFile, operatorId: string | null): Promise<StoredUpload> {
  const name = `${randomBytes(18).toString('base64url')}.${file.extension}`
  const sha256 = createHash('sha256').update(file.bytes).digest()
  const { id } = await db.one<{ id: string }>(INSERT, [
    name,
    file.mediaType,
    file.bytes.length,
    sha256,
    file.width,
    file.height,
    file.bytes,
    operatorId,
  ])
  return uploadFromRow({
    id,
    name,
    media_type: file.mediaType,
    size_bytes: file.bytes.length,
    sha256,
    width: file.width,
    height: file.height,
  })
}

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-'
}

/** A file that was cut off on its way has no end mark. */
function hasPdfEnd(bytes: Buffer): boolean {
  return bytes.subarray(-2_048).includes('%%EOF')
}
