import type { LegalKind, LegalText } from '../../shared/api/content.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

export interface LegalVersion {
  readonly version: number
  readonly body: LocalText
  readonly publishedAt: string
  readonly operator: string | null
  readonly acceptedByOrders: number | null
}

/** Terms, risks and privacy policy, each in versions that stay for the orders that name them. */
export class LegalTexts {
  readonly #db: Database

  constructor({ db }: { readonly db: Database }) {
    this.#db = db
  }

  /** The version in force, or the one asked for; version 0 with empty texts while none is published. Refuses not_found. */
  show(kind: LegalKind, version?: number): Promise<LegalText> {
    return readLegalText(this.#db, kind, version)
  }

  /** Every version, newest first, with how many orders accepted it. */
  async versions(kind: LegalKind): Promise<LegalVersion[]> {
    const rows = await this.#db.query<{
      version: number
      body: LocalText
      published_at: Date
      operator: string | null
      accepted: number | null
    }>(
      sql`select t.version, t.body, t.published_at, o.login as operator,
                 case when t.kind = 'privacy' then null else coalesce(a.orders, 0)::integer end as accepted
            from legal_texts t
            left join operators o on o.id = t.operator_id
            left join (select (declarations ->> (${kind}::text || 'Version'))::integer as version, count(*) as orders
                         from orders where ${kind}::text <> 'privacy' group by 1) a on a.version = t.version
           where t.kind = ${kind} order by t.version desc`,
    )
    return rows.map((row) => ({
      version: row.version,
      body: row.body,
      publishedAt: row.published_at.toISOString(),
      operator: row.operator,
      acceptedByOrders: row.accepted,
    }))
  }
}

/** The version in force, or the one asked for; version 0 with empty texts while none is published. Refuses not_found. */
export async function readLegalText(db: Queryable, kind: LegalKind, version?: number): Promise<LegalText> {
  const row = await db.maybeOne<{ version: number; body: LocalText; published_at: Date; latest: number }>(
    sql`select version, body, published_at, (select max(version) from legal_texts where kind = ${kind}) as latest
          from legal_texts
         where kind = ${kind} and (${version ?? null}::integer is null or version = ${version ?? null}::integer)
         order by version desc limit 1`,
  )
  if (row)
    return {
      kind,
      version: row.version,
      body: row.body,
      publishedAt: row.published_at.toISOString(),
      latestVersion: row.latest,
    }
  if (version !== undefined) refuse('not_found')
  return { kind, version: 0, body: { en: '', ru: '' }, publishedAt: null, latestVersion: 0 }
}
