import { createHash } from 'node:crypto'
import { type Canonical, canonicalJson } from '../../shared/canonical-json.ts'
import { trimZeros } from '../../shared/money.ts'
import { type Queryable, sql } from '../database/database.ts'

// Rules: LOG-3
/** Append-only tables, in reading order. */
export const journalSources = ['campaign_changes', 'price_changes', 'journal_facts', 'postings'] as const
export type JournalSource = (typeof journalSources)[number]

export interface SaidRow {
  readonly source: JournalSource
  readonly rowId: string
  readonly at: Date
  readonly entry: string
}

/** Of a longer value only the hash is recorded. */
const VALUE_BYTES_MAX = 8_192

/**
 * At most `limit` of each source: settings and price by time, because they change under one lock; then facts,
 * then postings. `docs/journal.md` specifies the entries.
 */
export async function readSaid(
  tx: Queryable,
  log: number,
  settled: ReadonlyMap<JournalSource, string>,
  limit: number,
): Promise<SaidRow[]> {
  // Postings come first: later reads then include the terms they depend on.
  const postings = await readPostings(tx, log, settled.get('postings') ?? '0', limit)
  const facts = await readFacts(tx, log, settled.get('journal_facts') ?? '0', limit)
  const terms = await readTerms(tx, log, settled, limit)
  const of = (source: JournalSource) => terms.filter((row) => row.source === source)
  return [...merged(of('campaign_changes'), of('price_changes')), ...facts, ...postings]
}

/** Merges by time; each source keeps its own order, even if a clock was set back. */
function merged(settings: readonly SaidRow[], prices: readonly SaidRow[]): SaidRow[] {
  const rest = [...prices]
  const rows: SaidRow[] = []
  for (const setting of settings) {
    while (rest[0] && rest[0].at < setting.at) rows.push(...rest.splice(0, 1))
    rows.push(setting)
  }
  return [...rows, ...rest]
}

export function entryOf(kind: string, at: string, row: string, fields: Record<string, Canonical>): string {
  return canonicalJson({ v: 1, kind, at, row, ...fields })
}

export function valueOf(value: unknown): Canonical {
  const text = canonicalJson(value as Canonical)
  const bytes = Buffer.byteLength(text)
  if (bytes <= VALUE_BYTES_MAX) return value as Canonical
  return { bytes, sha256: createHash('sha256').update(text).digest('hex') }
}

interface TermsRow {
  readonly source: 'campaign_changes' | 'price_changes'
  readonly id: string
  readonly at: Date
  readonly setting: string
  readonly before: unknown
  readonly after: unknown
  readonly price_usd: string
  readonly previous_usd: string | null
  readonly reason: string
}

/** From one snapshot: no price precedes the setting changed before it. */
async function readTerms(
  tx: Queryable,
  log: number,
  settled: ReadonlyMap<JournalSource, string>,
  limit: number,
): Promise<SaidRow[]> {
  const rows = await tx.query<TermsRow>(
    sql`(select 'campaign_changes' as source, c.id, c.changed_at as at, c.setting, c.before, c.after,
                null::numeric as price_usd, null::numeric as previous_usd, null as reason
           from campaign_changes c
          where c.id > ${settled.get('campaign_changes') ?? '0'}
            and not exists (select from journal_entries j where j.log = ${log} and j.source = 'campaign_changes' and j.row_id = c.id)
          order by c.id limit ${limit})
        union all
        (select 'price_changes', p.id, p.changed_at, null, null, null, p.price_usd, p.previous_usd, p.reason
           from price_changes p
          where p.id > ${settled.get('price_changes') ?? '0'}
            and not exists (select from journal_entries j where j.log = ${log} and j.source = 'price_changes' and j.row_id = p.id)
          order by p.id limit ${limit})`,
  )
  return rows
    .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    .map((row) =>
      row.source === 'campaign_changes'
        ? said(row.source, row.id, 'setting.changed', row.at, {
            setting: row.setting,
            before: valueOf(row.before),
            after: valueOf(row.after),
          })
        : said(row.source, row.id, 'price.changed', row.at, {
            priceUsd: trimZeros(row.price_usd),
            previousUsd: row.previous_usd && trimZeros(row.previous_usd),
            reason: valueOf(row.reason),
          }),
    )
}

interface FactRow {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly said: Readonly<Record<string, Canonical>>
  readonly at: Date
}

/** Written by functions/journal. Facts about places in another log belong to that log only. */
async function readFacts(tx: Queryable, log: number, after: string, limit: number): Promise<SaidRow[]> {
  const rows = await tx.query<FactRow>(
    sql`select f.id, f.kind, f.subject, f.said, f.at from journal_facts f
         where f.id > ${after}
           and (f.kind not in ('holdings.cut', 'holdings.summed') or f.said ->> 'origin' = (select origin from journal_logs where id = ${log}))
           and not exists (select from journal_entries j where j.log = ${log} and j.source = 'journal_facts' and j.row_id = f.id)
         order by f.id limit ${limit}`,
  )
  return rows.map(({ id, kind, subject, said: fields, at }) =>
    said('journal_facts', id, kind, at, { ...fields, subject }),
  )
}

interface PostingRow {
  readonly id: string
  readonly kind: keyof typeof kindsOfPostings
  readonly at: Date
  readonly token: string | null
  readonly approval: number | null
  readonly currency: string | null
  readonly price_usd: string | null
  readonly rate: string | null
  readonly by_operator: boolean
  readonly reverses_id: string | null
  readonly refund_id: string | null
  readonly refund_usd: string | null
  readonly transaction_id: string | null
  readonly asset: string | null
  readonly stage_id: number | null
  readonly base: string
  readonly bonus: string
  readonly granted: string
  readonly on_chain: string | null
  readonly operator_usd: string | null
  readonly owed: string
  readonly friends_token: string | null
  readonly round: number | null
  readonly round_tokens: string | null
  readonly round_root: string | null
  readonly round_sha256: string | null
}

async function readPostings(tx: Queryable, log: number, after: string, limit: number): Promise<SaidRow[]> {
  const rows = await tx.query<PostingRow>(
    sql`select p.id, p.kind, p.posted_at as at, o.token, p.approval, o.currency, p.price_usd, p.rate,
               p.operator_id is not null as by_operator, p.reverses_id, p.refund_id, r.usd as refund_usd, r.transaction_id, e.*,
               w.token as friends_token, p.round, f.tokens as round_tokens, f.root as round_root, f.sha256 as round_sha256
          from postings p
          left join orders o on o.id = p.order_id
          left join refunds r on r.id = p.refund_id
          left join delivery_round_files f on f.round = p.round
          left join referral_decisions d on d.posting_id = p.id
          left join orders w on w.id = d.order_id
         cross join lateral (
           select min(asset) filter (where account = 'refunds_owed') as asset, min(stage_id) as stage_id,
                  coalesce(sum(amount) filter (where account = 'buyer_purchased'), 0) as base,
                  coalesce(sum(amount) filter (where account = 'buyer_bonus'), 0) as bonus,
                  coalesce(sum(amount) filter (where account = 'buyer_granted'), 0) as granted,
                  sum(amount) filter (where account = 'raised_on_chain') as on_chain,
                  sum(amount) filter (where account = 'raised_by_operator') as operator_usd,
                  coalesce(sum(amount) filter (where account = 'refunds_owed'), 0) as owed
             from entries where posting_id = p.id) e
         where p.id > ${after}
           and not exists (select from journal_entries j where j.log = ${log} and j.source = 'postings' and j.row_id = p.id)
         order by p.id limit ${limit}`,
  )
  return rows.map((row) => said('postings', row.id, kindsOfPostings[row.kind], row.at, fieldsOf(row)))
}

const kindsOfPostings = {
  order_approved: 'order.approved',
  order_reversed: 'order.reversed',
  grant: 'grant.added',
  grant_reversed: 'grant.reversed',
  referral: 'referral.credited',
  referral_reversed: 'referral.reversed',
  refund_owed: 'refund.owed',
  refund_paid: 'refund.paid',
  refund_unpaid: 'refund.unpaid',
  refund_written_off: 'refund.written_off',
  round_frozen: 'round.frozen',
} as const

function fieldsOf(row: PostingRow): Record<string, Canonical> {
  switch (row.kind) {
    case 'order_approved':
      return {
        ...orderFields(row),
        currency: row.currency ?? '',
        rate: row.rate && trimZeros(row.rate),
        priceUsd: row.price_usd && trimZeros(row.price_usd),
      }
    case 'order_reversed':
      return { ...orderFields(row), by: row.by_operator ? 'operator' : 'system' }
    case 'grant':
      return { tokens: amount(row.granted) }
    case 'referral':
      return { tokens: amount(row.granted), order: hashOfOrder(row.friends_token ?? '') }
    case 'grant_reversed':
    case 'referral_reversed':
      return { tokens: amount(row.granted), reverses: `postings/${row.reverses_id ?? ''}` }
    case 'round_frozen':
      return {
        round: row.round,
        tokens: amount(row.round_tokens ?? '0'),
        root: row.round_root ?? '',
        sha256: row.round_sha256 ?? '',
      }
    default:
      return {
        refund: row.refund_id ?? '',
        order: row.token && hashOfOrder(row.token),
        currency: row.asset ?? '',
        amount: amount(row.owed),
        usd: amount(row.refund_usd ?? '0'),
        ...(row.kind === 'refund_paid' && { transaction: row.transaction_id }),
      }
  }
}

function orderFields(row: PostingRow): Record<string, Canonical> {
  return {
    order: hashOfOrder(row.token ?? ''),
    approval: row.approval ?? 0,
    stage: row.stage_id,
    way: row.on_chain === null ? 'operator' : 'chain',
    base: amount(row.base),
    bonus: amount(row.bonus),
    usd: amount(row.on_chain ?? row.operator_usd ?? '0'),
  }
}

/** The kind implies the sign. */
const amount = (signed: string) => trimZeros(signed.replace(/^-/, ''))

/** Only the buyer can recognise the hash: an order's token is the secret of its page. */
function hashOfOrder(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function said(
  source: JournalSource,
  rowId: string,
  kind: string,
  at: Date,
  fields: Record<string, Canonical>,
): SaidRow {
  return { source, rowId, at, entry: entryOf(kind, at.toISOString(), `${source}/${rowId}`, fields) }
}
