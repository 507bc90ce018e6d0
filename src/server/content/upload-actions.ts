import { createHash, randomBytes } from 'node:crypto'
import type { Upload } from '../../shared/api/content.ts'
import { defineAction } from '../actions/actions.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type EncodedFile, encodedFile } from './encoded-file.ts'
import { uploadUrl } from './uploads.ts'

export const uploadActions = {
  /** Stores a file under a random name. */
  'upload.add': defineAction({ name: 'upload.add', input: encodedFile, execute: addUpload }),
}

/** For one operator and for all. Unused files are deleted after a day. */
export const uploadQuotas = {
  own: { filesMax: 500, bytesMax: 1024 ** 3 },
  all: { filesMax: 2_000, bytesMax: 4 * 1024 ** 3 },
} as const

interface Kept {
  readonly files: number
  readonly bytes: number
}

// Rules: RIGHT-33
export function checkQuota(kept: Readonly<Record<keyof typeof uploadQuotas, Kept>>, sizeBytes: number): void {
  for (const whose of ['own', 'all'] as const) {
    const { filesMax, bytesMax } = uploadQuotas[whose]
    const { files, bytes } = kept[whose]
    if (files >= filesMax || bytes + sizeBytes > bytesMax)
      refuse('uploads_full', { limit: `uploads_${whose}`, filesMax, bytesMax })
  }
}

async function readKept(unit: UnitOfWork): Promise<Record<keyof typeof uploadQuotas, Kept>> {
  await unit.query(sql`select pg_advisory_xact_lock(hashtextextended('uploads', 0))`)
  const row = await unit.one<{ own_files: number; own_bytes: number; files: number; bytes: number }>(
    sql`select count(*)::int as files, coalesce(sum(size_bytes), 0)::float8 as bytes,
               count(*) filter (where is_own)::int as own_files,
               coalesce(sum(size_bytes) filter (where is_own), 0)::float8 as own_bytes
          from (select size_bytes, operator_id is not distinct from ${unit.actor.operatorId}::bigint as is_own from uploads) u`,
  )
  return { own: { files: row.own_files, bytes: row.own_bytes }, all: { files: row.files, bytes: row.bytes } }
}

async function addUpload(unit: UnitOfWork, file: EncodedFile): Promise<Upload> {
  const { mediaType, bytes, width, height } = file
  checkQuota(await readKept(unit), bytes.length)
  const name = `${randomBytes(18).toString('base64url')}.${file.extension}`
  const digest = createHash('sha256').update(bytes).digest()
  await unit.query(
    sql`insert into uploads (name, media_type, size_bytes, sha256, width, height, bytes, operator_id)
        values (${name}, ${mediaType}, ${bytes.length}, ${digest}, ${width}, ${height}, ${bytes},
                ${unit.actor.operatorId})`,
  )
  const facts = { mediaType, sizeBytes: bytes.length, sha256: digest.toString('hex') }
  await unit.audit('upload.add', { type: 'upload', id: name }, { after: facts })
  return { name, url: uploadUrl(name), ...facts, width, height }
}
