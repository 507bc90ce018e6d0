import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { documentTypes, imageTypes, type Upload } from '../../shared/api/content.ts'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { sql } from '../database/database.ts'
import { uploadUrl } from './uploads.ts'

const encodedFile = z.object({
  mediaType: z.enum([...imageTypes, ...documentTypes]),
  extension: z.string(),
  bytes: z.instanceof(Buffer),
  /** Pixels, of images. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
})
/** A file as it will be kept: `encodeUpload` makes it, before a transaction begins. */
export type EncodedFile = z.output<typeof encodedFile>

/** What operators can change of uploads. */
export const uploadActs = {
  /** Keeps a file under a random name. */
  'upload.add': act({ name: 'upload.add', input: encodedFile, perform: addUpload }),
}

async function addUpload(change: Change, file: EncodedFile): Promise<Upload> {
  const { mediaType, bytes, width, height } = file
  const name = `${randomBytes(18).toString('base64url')}.${file.extension}`
  const digest = createHash('sha256').update(bytes).digest()
  await change.query(
    sql`insert into uploads (name, media_type, size_bytes, sha256, width, height, bytes, operator_id)
        values (${name}, ${mediaType}, ${bytes.length}, ${digest}, ${width}, ${height}, ${bytes},
                ${change.by.operatorId})`,
  )
  const facts = { mediaType, sizeBytes: bytes.length, sha256: digest.toString('hex') }
  await change.audit('upload.add', { type: 'upload', id: name }, { after: facts })
  return { name, url: uploadUrl(name), ...facts, width, height }
}
