import type { CampaignChange, PublicCampaign, PublicStage } from '../../shared/api/campaign.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { settingsOf } from '../../shared/campaign-settings-inputs.ts'
import { figureQuery, type OrderSums, orderSums, progressPercent } from '../../shared/figures.ts'
import { type Name, publicLocales, type Texts } from '../../shared/languages.ts'
import { compare, writeAmount, writeUsd } from '../../shared/money.ts'
import { fragment, fragmentOf, type Queryable, sql } from '../database/database.ts'
import { idAfter, type PageOf, type PageQuery, pageOf } from '../keyset.ts'
import { refuse } from '../refusal.ts'
import { say, textsOf } from '../texts.ts'

interface StageRow {
  id: number
  name: Name
  goal_usd: string
  price_usd: string
  starts_at: string
  ends_at: string
  first_ends_at: string | null
  sums: OrderSums
  progress_percent: string
  left_tokens: string | null
}

interface DayRow {
  day: string
  sums: OrderSums
}

interface Reading {
  settings: CampaignSettings
  is_demo: boolean
  price_usd: string | null
  paused_at: string | null
  pause_reason: Texts | null
  soft_cap_verdict: PublicCampaign['softCapVerdict']
  soft_cap_waits_for: PublicCampaign['softCapWaitsFor']
  stages: StageRow[]
  approval_minutes: number | null
  days: DayRow[]
  deliveries: PublicCampaign['deliveries']
  sums: OrderSums
  granted_tokens: string
  refunds_owed_usd: string
  takeable_usd: string
  terms: number
  risks: number
  privacy: number
  journal_key: string | null
  now: string
}

/** JSON would turn numerics into floats. */
const SUMS = fragmentOf(
  `json_build_object(${Object.entries(orderSums)
    .map(([name, { value }]) => `'${name}', (${value})::text`)
    .join(', ')})`,
)
const instantOf = (column: string) => fragmentOf(`to_json(${column} at time zone 'UTC') #>> '{}' || 'Z'`)
const SOFT_CAP_VERDICT = fragment`case when c.soft_cap_verdict is not null then json_build_object(
  'verdict', c.soft_cap_verdict, 'at', ${instantOf('c.soft_cap_decided_at')}, 'raisedUsd', c.soft_cap_raised_usd::text,
  'raisedOnChainUsd', c.soft_cap_raised_on_chain_usd::text,
  'raisedByOperatorUsd', (c.soft_cap_raised_usd - c.soft_cap_raised_on_chain_usd)::text) end`
const SOFT_CAP_WAITS_FOR = fragment`select json_build_object(
    'approvalsUntil', ${instantOf('w.approvals_until')}, 'chains', w.chains, 'payments', w.payments, 'latestAt', ${instantOf('w.latest_at')})
  from soft_cap_waits_for(clock_timestamp()) w where w.is_over is not null`
// Escrowed tokens unlock from delivery on.
const DELIVERIES = fragment`select r.number as round, null::jsonb as stage, x.round is not null as "isLive", greatest(r.starts_at, x.live_at) as at,
         r.starts_at + make_interval(secs => r.cliff_seconds + r.linear_seconds) as "unlockedBy"
    from delivery_rounds r left join delivery_distributors x on x.round = r.number
   where r.state <> 'cancelled'
   union all
  select null, coalesce(s.names, to_jsonb(s.name)), l.delivered_at is not null, coalesce(l.delivered_at, e.deliver_by),
         l.delivered_at + make_interval(secs => e.cliff_seconds + e.linear_seconds)
    from escrows e join stages s on s.id = e.stage_id left join escrow_looks l on l.escrow_id = e.id
   where l.delivered_at is not null or (e.deliver_by > clock_timestamp() and l.state is distinct from 'refunding')`
// The last changed orders, because a sale may have any number.
const APPROVAL_MINUTES = fragment`select greatest(1, ceil(extract(epoch from percentile_cont(0.5) within group (order by a.took)) / 60))::integer
    from (select o.approved_at - coalesce(o.sent_at, o.created_at) as took
            from (select * from orders order by updated_at desc, id desc limit 500) o
           where o.status = 'approved' and o.approved_via = 'operator' order by o.approved_at desc limit 20) a having count(*) >= 3`
const PROGRESS = fragmentOf(progressPercent)
const LEFT = fragmentOf(figureQuery('leftTokens', 's.id'))
const GRANTED = fragmentOf(figureQuery('grantedTokens'))
const TAKEABLE = fragmentOf(figureQuery('raised.takeableUsd'))
const REFUNDS_OWED = fragmentOf(figureQuery('refundsOwedUsd'))

/** In one statement, so from one snapshot. */
function readFigures(queryable: Queryable): Promise<Reading | undefined> {
  return queryable.maybeOne<Reading>(sql`select c.settings, c.is_demo, c.price_usd::text, c.pause_reason,
          to_json(c.paused_at at time zone 'UTC') #>> '{}' || 'Z' as paused_at,
          ${SOFT_CAP_VERDICT} as soft_cap_verdict,
          (${SOFT_CAP_WAITS_FOR}) as soft_cap_waits_for,
          to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now,
          (select ${SUMS} from sale_totals) as sums, (${GRANTED}) as granted_tokens, (${REFUNDS_OWED}) as refunds_owed_usd, (${TAKEABLE}) as takeable_usd,
          coalesce((select max(version) from legal_texts where kind = 'terms'), 0) as terms,
          coalesce((select max(version) from legal_texts where kind = 'risks'), 0) as risks,
          coalesce((select max(version) from legal_texts where kind = 'privacy'), 0) as privacy,
          (select vkey from journal_logs order by id desc limit 1) as journal_key,
          coalesce((select json_agg(s order by s.starts_at) from (
            select s.id, coalesce(s.names, to_jsonb(s.name)) as name, s.goal_usd::text, s.price_usd::text, s.starts_at, s.ends_at, s.first_ends_at,
                   ${SUMS} as sums, (${PROGRESS})::text as progress_percent, (${LEFT}) as left_tokens
              from stages s left join sale_totals t on t.stage_id = s.id group by s.id) s), '[]') as stages,
          coalesce((select json_agg(d order by d.day) from (
            select to_char(day, 'YYYY-MM-DD') as day, ${SUMS} as sums
              from sale_totals where day > (clock_timestamp() at time zone 'UTC')::date - 30 group by day) d), '[]') as days,
          (${APPROVAL_MINUTES}) as approval_minutes,
          coalesce((select json_agg(d order by d.at) from (${DELIVERIES}) d), '[]') as deliveries
     from campaign c`)
}

/** A pause without a reason means a sale that is not open yet. */
export function pauseReasonOf(row: Pick<Reading, 'paused_at' | 'pause_reason'>): Texts | null {
  if (row.paused_at === null || row.pause_reason) return row.pause_reason
  return textsOf(publicLocales, (language) => say(language, 'campaign.not_opened'))
}

export async function readCampaign(queryable: Queryable): Promise<PublicCampaign> {
  const row = (await readFigures(queryable)) ?? refuse('not_found')
  const stages = row.stages.map((stage) => publicStage(stage, row))
  const stage =
    stages.find((candidate) => row.now >= candidate.startsAt && row.now < candidate.endsAt) ??
    stages.find((candidate) => candidate.startsAt > row.now) ??
    stages.at(-1) ??
    null
  return {
    settings: settingsOf(row.settings),
    demo: row.is_demo,
    priceUsd: row.price_usd,
    pausedAt: row.paused_at,
    pauseReason: pauseReasonOf(row),
    softCapVerdict: row.soft_cap_verdict,
    softCapWaitsFor: row.soft_cap_waits_for,
    stage,
    stages,
    raised: {
      usd: writeUsd(row.sums.raisedUsd),
      onChainUsd: writeUsd(row.sums.raisedOnChainUsd),
      byOperatorUsd: writeUsd(row.sums.raisedByOperatorUsd),
      takeableUsd: writeUsd(row.takeable_usd),
    },
    ...tokensOf(row.sums),
    grantedTokens: writeAmount(row.granted_tokens),
    refundsOwedUsd: writeUsd(row.refunds_owed_usd),
    approvedOrders: {
      onChain: Number(row.sums.ordersOnChain),
      byOperator: Number(row.sums.ordersByOperator),
    },
    leftTokens: writeAmount(row.stages.find(({ id }) => id === stage?.id)?.left_tokens ?? '0'),
    approvalMinutes: row.approval_minutes,
    days: row.days.map(({ day, sums }) => ({
      day,
      ...raisedOf(sums),
      purchasedTokens: writeAmount(sums.purchasedTokens),
    })),
    deliveries: row.deliveries.map((one) => ({
      ...one,
      at: utc(one.at),
      unlockedBy: one.unlockedBy && utc(one.unlockedBy),
    })),
    legalVersions: { terms: row.terms, risks: row.risks, privacy: row.privacy },
    journalKey: row.journal_key,
    serverTime: row.now,
    computedAt: row.now,
  }
}

const raisedOf = (sums: OrderSums) => ({
  raisedUsd: writeUsd(sums.raisedUsd),
  raisedOnChainUsd: writeUsd(sums.raisedOnChainUsd),
  raisedByOperatorUsd: writeUsd(sums.raisedByOperatorUsd),
})
const tokensOf = (sums: OrderSums) => ({
  purchasedTokens: writeAmount(sums.purchasedTokens),
  bonusTokens: writeAmount(sums.bonusTokens),
})
const utc = (text: string) => new Date(text).toISOString()

function publicStage(stage: StageRow, row: Reading): PublicStage {
  const startsAt = utc(stage.starts_at)
  const endsAt = utc(stage.ends_at)
  return {
    id: stage.id,
    name: stage.name,
    goalUsd: stage.goal_usd,
    priceUsd: stage.price_usd,
    startsAt,
    endsAt,
    firstEndsAt: stage.first_ends_at && utc(stage.first_ends_at),
    state: stageState(stage, row, startsAt, endsAt),
    ...raisedOf(stage.sums),
    progressPercent: stage.progress_percent,
    ...tokensOf(stage.sums),
  }
}

function stageState(stage: StageRow, row: Reading, startsAt: string, endsAt: string): PublicStage['state'] {
  if (row.now < startsAt) return 'upcoming'
  if (compare(stage.sums.raisedUsd, stage.goal_usd) >= 0) return 'goal_reached'
  if (row.now >= endsAt) return 'ended'
  return row.paused_at ? 'paused' : 'open'
}

export async function priceHistory(db: Queryable, query: PageQuery) {
  const rows = await db.query<{
    id: string
    price_usd: string
    previous_usd: string | null
    changed_at: Date
    reason: string
  }>(
    sql`select id, price_usd, previous_usd, changed_at, reason from price_changes
         where id < ${idAfter(query)}::bigint order by id desc limit ${query.limit + 1}`,
  )
  return pageOf(rows, query.limit, (row) => ({
    priceUsd: row.price_usd,
    previousUsd: row.previous_usd,
    at: row.changed_at.toISOString(),
    reason: row.reason,
  }))
}

export async function settingChanges(db: Queryable, query: PageQuery): Promise<PageOf<CampaignChange>> {
  const rows = await db.query<{
    id: string
    setting: string
    before: unknown
    after: unknown
    changed_at: Date
  }>(
    sql`select id, setting, before, after, changed_at from campaign_changes
         where id < ${idAfter(query)}::bigint order by id desc limit ${query.limit + 1}`,
  )
  return pageOf(rows, query.limit, (row) => ({
    setting: row.setting,
    before: row.before,
    after: row.after,
    at: row.changed_at.toISOString(),
  }))
}
