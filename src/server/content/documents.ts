import type { PublicDocument } from '../../shared/api/content.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { type Database, fragment, type Queryable, sql } from '../database/database.ts'
import { uploadUrl } from './uploads.ts'

export interface DocumentRow {
  readonly id: string
  readonly title: LocalText
  readonly file_name: string
  readonly name: string
  readonly size_bytes: number
  readonly sha256: Buffer
  readonly published_at: Date
  readonly revision: number
  readonly earlier: readonly EarlierRow[]
}

interface EarlierRow {
  readonly name: string
  readonly file_name: string
  readonly size_bytes: number
  readonly sha256: string
  readonly published_at: string
  readonly replaced_at: string
}

export const documentColumns = fragment`d.id, d.title, d.file_name, u.name, u.size_bytes, u.sha256, d.published_at, d.revision,
  (select coalesce(json_agg(json_build_object('name', f.name, 'file_name', v.file_name, 'size_bytes', f.size_bytes,
                     'sha256', encode(f.sha256, 'hex'), 'published_at', v.published_at, 'replaced_at', v.replaced_at)
                     order by v.replaced_at desc), '[]')
     from document_versions v join uploads f on f.id = v.upload_id where v.document_id = d.id) as earlier`
export const documentOrder = fragment`d.position, d.published_at desc, d.id desc`

export class Documents {
  readonly #db: Database

  constructor({ db }: { readonly db: Database }) {
    this.#db = db
  }

  /** The upload quota limits their number. */
  list(): Promise<PublicDocument[]> {
    return listDocuments(this.#db)
  }

  async fileNameOf(uploadId: string): Promise<string | undefined> {
    const row = await this.#db.maybeOne<{ file_name: string }>(
      sql`select file_name from documents where upload_id = ${uploadId}
          union all select file_name from document_versions where upload_id = ${uploadId}`,
    )
    return row?.file_name
  }
}

export async function listDocuments(db: Queryable): Promise<PublicDocument[]> {
  const rows = await db.query<DocumentRow>(
    sql`select ${documentColumns} from documents d join uploads u on u.id = d.upload_id
         order by ${documentOrder}`,
  )
  return rows.map(publicDocument)
}

export function publicDocument(row: DocumentRow): PublicDocument {
  return {
    id: Number(row.id),
    title: row.title,
    fileName: row.file_name,
    url: uploadUrl(row.name),
    sizeBytes: row.size_bytes,
    sha256: row.sha256.toString('hex'),
    publishedAt: row.published_at.toISOString(),
    revision: row.revision,
    earlier: row.earlier.map((one) => ({
      fileName: one.file_name,
      url: uploadUrl(one.name),
      sizeBytes: one.size_bytes,
      sha256: one.sha256,
      publishedAt: new Date(one.published_at).toISOString(),
      replacedAt: new Date(one.replaced_at).toISOString(),
    })),
  }
}
