import type { LegalKind, LegalText } from '../../shared/api/content.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type Editor, hasText } from './announcements.ts'

export interface LegalVersion {
  version: number
  body: LocalText
  publishedAt: string
  operator: string | null
  acceptedByOrders: number | null
}

export interface LegalTexts {
  /** The version in force, or the one asked for. Version 0 with empty texts while none is published. */
  show(kind: LegalKind, version?: number): Promise<LegalText>
  versions(kind: LegalKind): Promise<LegalVersion[]>
  /** Publishes the next version if `basedOn` is still the one in force; older ones stay for the orders that name them. */
  publish(kind: LegalKind, basedOn: number, body: LocalText, editor: Editor): Promise<LegalText>
}

const SHOW = statement(
  'legal_texts_show',
  `select version, body, published_at, (select max(version) from legal_texts where kind = $1) as latest
     from legal_texts where kind = $1 and ($2::integer is null or version = $2) order by version desc limit 1`,
)
const VERSIONS = statement(
  'legal_texts_versions',
  `select t.version, t.body, t.published_at, o.login as operator,
          case when t.kind = 'privacy' then null else coalesce(a.orders, 0)::integer end as accepted
     from legal_texts t
     left join operators o on o.id = t.operator_id
     left join (select (declarations ->> ($1 || 'Version'))::integer as version, count(*) as orders
                  from orders where $1 <> 'privacy' group by 1) a on a.version = t.version
    where t.kind = $1 order by t.version desc`,
)
/** Held to the end of the transaction: versions of one kind are published one after another. */
const LOCK = statement(
  'legal_texts_lock',
  `select pg_advisory_xact_lock(hashtext('legal_texts.' || $1::text))`,
)
const LATEST = statement(
  'legal_texts_latest',
  'select coalesce(max(version), 0) as version from legal_texts where kind = $1',
)
const INSERT = statement(
  'legal_texts_insert',
  'insert into legal_texts (kind, version, body, operator_id) values ($1, $2, $3, $4)',
)
const TELL = statement(
  'legal_texts_tell',
  `insert into outbox (kind, payload) values ('campaign_changed', '{}')`,
)

export function createLegalTexts(db: Database, hintOutbox: () => void): LegalTexts {
  const show = (kind: LegalKind, version?: number) => showLegalText(db, kind, version)
  return {
    show,
    async versions(kind) {
      const rows = await db.query<{
        version: number
        body: LocalText
        published_at: Date
        operator: string | null
        accepted: number | null
      }>(VERSIONS, [kind])
      return rows.map((row) => ({
        version: row.version,
        body: row.body,
        publishedAt: row.published_at.toISOString(),
        operator: row.operator,
        acceptedByOrders: row.accepted,
      }))
    },
    async publish(kind, basedOn, body, editor) {
      if (!hasText(body)) refuse('text_required', { field: 'body' })
      const isCurrent = await db.transaction(async (tx) => {
        await tx.query(LOCK, [kind])
        const latest = await tx.one<{ version: number }>(LATEST, [kind])
        if (latest.version !== basedOn) return false
        await tx.query(INSERT, [kind, basedOn + 1, JSON.stringify(body), editor.operatorId])
        await tx.query(TELL)
        await recordAudit(tx, {
          operatorId: editor.operatorId,
          action: 'legal.publish',
          subjectType: 'legal-text',
          subjectId: kind,
          before: { version: basedOn },
          after: { version: basedOn + 1 },
          requestId: editor.requestId ?? null,
        })
        return true
      })
      if (!isCurrent) refuse('conflict', { current: await show(kind) })
      hintOutbox()
      return show(kind)
    },
  }
}

async function showLegalText(db: Queryable, kind: LegalKind, version?: number): Promise<LegalText> {
  const row = await db.maybeOne<{ version: number; body: LocalText; published_at: Date; latest: number }>(
    SHOW,
    [kind, version ?? null],
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
