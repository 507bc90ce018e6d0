import type { LegalKind, LegalText } from '../../shared/api/content.ts'
import type { CampaignSettings, LocalText } from '../../shared/campaign-settings.ts'
import { settingsOf } from '../../shared/campaign-settings-inputs.ts'
import { noTexts } from '../../shared/texts.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { draftLegalText } from './legal-drafts.ts'

// Rules: TEXT-20
export interface LegalVersion {
  readonly version: number
  readonly body: LocalText
  readonly publishedAt: string
  readonly operator: string | null
  readonly acceptedByOrders: number | null
}

type Counts = ReadonlyMap<number, number>

/** Orders up to `upTo` that accepted each version; later orders don't change it. */
interface Counted {
  readonly upTo: string
  readonly counts: Counts
}

/** No order's transaction takes this long: older orders are complete. */
const OVER_AFTER = '5 minutes'

/** Terms, risks and privacy policy; versions stay for their orders. */
export class LegalTexts {
  readonly #db: Database
  readonly #counted = new Map<LegalKind, Counted>()

  constructor({ db }: { readonly db: Database }) {
    this.#db = db
  }

  show(kind: LegalKind, version?: number): Promise<LegalText> {
    return readLegalText(this.#db, kind, version)
  }

  async draft(kind: LegalKind): Promise<{ body: LocalText }> {
    const { settings, least } = await this.#db.one<{ settings: CampaignSettings; least: string }>(
      sql`select settings, (settlement_rules()).least_usd as least from campaign`,
    )
    return { body: draftLegalText(kind, settingsOf(settings), least) }
  }

  /** Newest first, with the number of accepting orders. */
  async versions(kind: LegalKind): Promise<LegalVersion[]> {
    const rows = await this.#db.query<{
      version: number
      body: LocalText
      published_at: Date
      operator: string | null
    }>(
      sql`select t.version, t.body, t.published_at, o.login as operator
            from legal_texts t left join operators o on o.id = t.operator_id
           where t.kind = ${kind} order by t.version desc`,
    )
    const accepted = kind === 'privacy' ? null : await this.#accepted(kind)
    return rows.map((row) => ({
      version: row.version,
      body: row.body,
      publishedAt: row.published_at.toISOString(),
      operator: row.operator,
      acceptedByOrders: accepted && (accepted.get(row.version) ?? 0),
    }))
  }

  /** Counts orders since the last call; only the first reads all. */
  async #accepted(kind: LegalKind): Promise<Counts> {
    const known = this.#counted.get(kind) ?? { upTo: '0', counts: new Map<number, number>() }
    const rows = await this.#db.query<{ version: number | null; over: number; open: number; up_to: string }>(
      sql`with last as (
            select coalesce((select id from orders where created_at < now() - ${OVER_AFTER}::interval
                              order by created_at desc, id desc limit 1), 0) as id),
          accepted as (
            select (o.declarations ->> (${kind}::text || 'Version'))::integer as version, o.id <= last.id as is_over
              from orders o, last where o.id > ${known.upTo}::bigint)
          select a.version, (count(*) filter (where a.is_over))::integer as over, (count(*) filter (where not a.is_over))::integer as open,
                 greatest(last.id, ${known.upTo}::bigint)::text as up_to
            from last left join accepted a on true group by a.version, last.id`,
    )
    const over = added(known.counts, new Map(rows.map((row) => [row.version ?? 0, row.over])))
    this.#counted.set(kind, { upTo: rows[0]?.up_to ?? known.upTo, counts: over })
    return added(over, new Map(rows.map((row) => [row.version ?? 0, row.open])))
  }
}

function added(counts: Counts, more: Counts): Counts {
  const versions = new Set([...counts.keys(), ...more.keys()])
  return new Map(
    [...versions].map((version) => [version, (counts.get(version) ?? 0) + (more.get(version) ?? 0)]),
  )
}

/** Version 0 with empty texts if none is published. */
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
  return { kind, version: 0, body: noTexts, publishedAt: null, latestVersion: 0 }
}
