import { documentBytesMax, imageBytesMax, type Upload } from '../../shared/api/content.ts'
import { type Database, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { EncodedFile } from './encoded-file.ts'
import { encodeImage, imageTypeOf } from './images.ts'

export interface StoredUpload extends Upload {
  readonly id: string
  /** Visitors see something that names it. */
  readonly isPublic: boolean
}

/** A file's part in memory while it is sent. */
const SLICE_BYTES = 512 * 1024

export class Uploads {
  readonly #db: Database

  constructor({ db }: { readonly db: Database }) {
    this.#db = db
  }

  async find(name: string): Promise<StoredUpload | undefined> {
    const row = await this.#db.maybeOne<{
      id: string
      name: string
      media_type: Upload['mediaType']
      size_bytes: number
      sha256: Buffer
      width: number | null
      height: number | null
      is_public: boolean
    }>(
      sql`select id, name, media_type, size_bytes, sha256, width, height,
                 exists (select from announcements a where a.image_id = u.id and a.published_at <= now())
                 or exists (select from documents d where d.upload_id = u.id)
                 or exists (select from document_versions v where v.upload_id = u.id)
                 or exists (select from campaign c where c.settings #>> '{brand,logoUploadId}' = u.name)
                 or exists (select from giveaways g cross join jsonb_array_elements(g.rules -> 'prizes') p
                             where g.published_at is not null and p #>> '{image,name}' = u.name) as is_public
            from uploads u where name = ${name}`,
    )
    return (
      row && {
        id: row.id,
        name: row.name,
        url: uploadUrl(row.name),
        mediaType: row.media_type,
        sizeBytes: row.size_bytes,
        sha256: row.sha256.toString('hex'),
        width: row.width,
        height: row.height,
        isPublic: row.is_public,
      }
    )
  }

  /** Reads each slice when the last was consumed. */
  async *read(file: StoredUpload, from = 0): AsyncGenerator<Buffer> {
    for (let at = from; at < file.sizeBytes; at += SLICE_BYTES) {
      const row = await this.#db.maybeOne<{ slice: Buffer }>(
        sql`select substring(bytes from ${at + 1} for ${SLICE_BYTES}) as slice from uploads where id = ${file.id}`,
      )
      if (!row) throw new Error('the file was deleted while it was sent')
      yield row.slice
    }
  }
}

/** By the actual content: a PDF unchanged, an image re-encoded. */
export async function encodeUpload(bytes: Buffer): Promise<EncodedFile> {
  if (isPdf(bytes)) {
    if (bytes.length > documentBytesMax) refuse('too_large', { bytesMax: documentBytesMax })
    if (!hasPdfEnd(bytes)) refuse('upload_unreadable')
    return { mediaType: 'application/pdf', extension: 'pdf', bytes, width: null, height: null }
  }
  if (!imageTypeOf(bytes)) refuse('upload_type_refused')
  if (bytes.length > imageBytesMax) refuse('too_large', { bytesMax: imageBytesMax })
  return encodeImage(bytes)
}

export function uploadUrl(name: string): string {
  return `/uploads/${name}`
}

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-'
}

/** A truncated file lacks the end mark. */
function hasPdfEnd(bytes: Buffer): boolean {
  return bytes.subarray(-2_048).includes('%%EOF')
}
