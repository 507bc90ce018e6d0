import type { CampaignChange, PublicCampaign, PublicStage } from '../../shared/api/campaign.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import type { Name, Texts } from '../../shared/languages.ts'
import {
  add,
  compare,
  divide,
  percentDone,
  roundDownTo,
  smaller,
  sum,
  writeAmount,
  writeUsd,
} from '../../shared/money.ts'
import { retentionOf } from '../../shared/retention.ts'
import { type Queryable, sql } from '../database/database.ts'
import { idAfter, type PageOf, type PageQuery, pageOf } from '../keyset.ts'
import { refuse } from '../refusal.ts'

interface StageRow {
  id: number
  name: Name
  goal_usd: string
  price_usd: string
  starts_at: string
  ends_at: string
  first_ends_at: string | null
  on_chain_usd: string
  by_operator_usd: string
  purchased: string
  bonus: string
  orders_on_chain: string
  orders_by_operator: string
  left_usd: string
}

interface DayRow {
  day: string
  on_chain_usd: string
  by_operator_usd: string
  purchased: string
}

interface Reading {
  settings: CampaignSettings
  is_demo: boolean
  price_usd: string | null
  paused_at: string | null
  pause_reason: Texts | null
  missed_at: string | null
  missed_raised_usd: string | null
  missed_on_chain_usd: string | null
  missed_by_operator_usd: string | null
  stages: StageRow[]
  days: DayRow[]
  left_usd: string
  left_sale: string
  granted: string
  refunds_owed_usd: string
  terms: number
  risks: number
  privacy: number
  journal_key: string | null
  now: string
}

/**
 * Every public figure in one statement, so from one snapshot: totals by stage and by day are the ledger's fold
 * (`sale_totals`), what is left is pool + slots. jsonb would turn numerics into floats, so each goes out as text.
 */
function readFigures(queryable: Queryable): Promise<Reading | undefined> {
  return queryable.maybeOne<Reading>(sql`select c.settings, c.is_demo, c.price_usd::text, c.pause_reason,
          to_json(c.paused_at at time zone 'UTC') #>> '{}' || 'Z' as paused_at,
          to_json(c.soft_cap_missed_at at time zone 'UTC') #>> '{}' || 'Z' as missed_at, c.soft_cap_raised_usd::text as missed_raised_usd,
          c.soft_cap_raised_on_chain_usd::text as missed_on_chain_usd, (c.soft_cap_raised_usd - c.soft_cap_raised_on_chain_usd)::text as missed_by_operator_usd,
          to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now,
          coalesce((select granted_tokens from campaign_capacity), 0)::text as granted,
          (coalesce((select pool_usd from campaign_capacity), 0) + coalesce((select sum(usd) from capacity_slots), 0))::text as left_usd,
          (coalesce((select pool_sale_tokens from campaign_capacity), 0) + coalesce((select sum(sale_tokens) from capacity_slots), 0))::text as left_sale,
          coalesce((select sum(usd) from refunds where state not in ('paid', 'written_off')), 0)::text as refunds_owed_usd,
          coalesce((select max(version) from legal_texts where kind = 'terms'), 0) as terms,
          coalesce((select max(version) from legal_texts where kind = 'risks'), 0) as risks,
          coalesce((select max(version) from legal_texts where kind = 'privacy'), 0) as privacy,
          (select vkey from journal_logs order by id desc limit 1) as journal_key,
          coalesce((select json_agg(s order by s.starts_at) from (
            select s.id, coalesce(s.names, to_jsonb(s.name)) as name, s.goal_usd::text, s.price_usd::text, s.starts_at, s.ends_at, s.first_ends_at,
                   coalesce(sum(t.raised_on_chain_usd), 0)::text as on_chain_usd, coalesce(sum(t.raised_by_operator_usd), 0)::text as by_operator_usd,
                   coalesce(sum(t.purchased_tokens), 0)::text as purchased, coalesce(sum(t.bonus_tokens), 0)::text as bonus,
                   coalesce(sum(t.orders_on_chain), 0)::text as orders_on_chain, coalesce(sum(t.orders_by_operator), 0)::text as orders_by_operator,
                   (coalesce((select pool_usd from stage_capacity k where k.stage_id = s.id), 0)
                     + coalesce((select sum(usd) from capacity_slots k where k.stage_id = s.id), 0))::text as left_usd
              from stages s left join sale_totals t on t.stage_id = s.id group by s.id) s), '[]') as stages,
          coalesce((select json_agg(d order by d.day) from (
            select to_char(day, 'YYYY-MM-DD') as day, sum(raised_on_chain_usd)::text as on_chain_usd,
                   sum(raised_by_operator_usd)::text as by_operator_usd, sum(purchased_tokens)::text as purchased
              from sale_totals where day > (clock_timestamp() at time zone 'UTC')::date - 30 group by day) d), '[]') as days
     from campaign c`)
}

/** Reads all public figures inside `queryable`. */
export async function readCampaign(queryable: Queryable): Promise<PublicCampaign> {
  const row = (await readFigures(queryable)) ?? refuse('not_found')
  const stages = row.stages.map((stage) => publicStage(stage, row))
  const stage =
    stages.find((candidate) => row.now >= candidate.startsAt && row.now < candidate.endsAt) ??
    stages.find((candidate) => candidate.startsAt > row.now) ??
    stages.at(-1) ??
    null
  const total = (pick: (stage: StageRow) => string) => sum(row.stages.map(pick))
  const dollars = (pick: (stage: StageRow) => string) => writeUsd(total(pick))
  const tokens = (pick: (stage: StageRow) => string) => writeAmount(total(pick))
  const onChainUsd = dollars((s) => s.on_chain_usd)
  const byOperatorUsd = dollars((s) => s.by_operator_usd)
  return {
    settings: { ...row.settings, retention: retentionOf(row.settings) },
    demo: row.is_demo,
    priceUsd: row.price_usd,
    pausedAt: row.paused_at,
    pauseReason: row.pause_reason,
    softCapMissed:
      row.missed_at === null
        ? null
        : {
            at: row.missed_at,
            raisedUsd: row.missed_raised_usd ?? '0.00',
            raisedOnChainUsd: row.missed_on_chain_usd ?? '0.00',
            raisedByOperatorUsd: row.missed_by_operator_usd ?? '0.00',
          },
    stage,
    stages,
    raised: { usd: addUsd(onChainUsd, byOperatorUsd), onChainUsd, byOperatorUsd },
    purchasedTokens: tokens((s) => s.purchased),
    bonusTokens: tokens((s) => s.bonus),
    grantedTokens: writeAmount(row.granted),
    refundsOwedUsd: writeUsd(row.refunds_owed_usd),
    approvedOrders: {
      onChain: Number(total((s) => s.orders_on_chain)),
      byOperator: Number(total((s) => s.orders_by_operator)),
    },
    leftTokens: writeAmount(stage ? leftTokens(row, stage.id) : '0'),
    days: row.days.map((day) => ({
      day: day.day,
      raisedUsd: addUsd(day.on_chain_usd, day.by_operator_usd),
      raisedOnChainUsd: writeUsd(day.on_chain_usd),
      raisedByOperatorUsd: writeUsd(day.by_operator_usd),
      purchasedTokens: writeAmount(day.purchased),
    })),
    legalVersions: { terms: row.terms, risks: row.risks, privacy: row.privacy },
    journalKey: row.journal_key,
    serverTime: row.now,
    computedAt: row.now,
  }
}

const addUsd = (a: string, b: string) => writeUsd(add(a, b))
const utc = (text: string) => new Date(text).toISOString()

function publicStage(stage: StageRow, row: Reading): PublicStage {
  const raisedUsd = addUsd(stage.on_chain_usd, stage.by_operator_usd)
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
    state: stageState(stage, row, startsAt, endsAt, raisedUsd),
    raisedUsd,
    raisedOnChainUsd: writeUsd(stage.on_chain_usd),
    raisedByOperatorUsd: writeUsd(stage.by_operator_usd),
    progressPercent: percentDone(raisedUsd, stage.goal_usd),
    purchasedTokens: writeAmount(stage.purchased),
    bonusTokens: writeAmount(stage.bonus),
  }
}

function stageState(
  stage: StageRow,
  row: Reading,
  startsAt: string,
  endsAt: string,
  raisedUsd: string,
): PublicStage['state'] {
  if (row.now < startsAt) return 'upcoming'
  if (compare(raisedUsd, stage.goal_usd) >= 0) return 'goal_reached'
  if (row.now >= endsAt) return 'ended'
  return row.paused_at ? 'paused' : 'open'
}

/** What one more order could take: dollars left of goal and hard cap at the price, but no more than the tokens left to sell. */
function leftTokens(row: Reading, stageId: number): string {
  const stage = row.stages.find((candidate) => candidate.id === stageId)
  if (!stage || !row.price_usd) return '0'
  const byDollars = roundDownTo(divide(smaller(stage.left_usd, row.left_usd), row.price_usd), 6)
  return smaller(byDollars, row.left_sale)
}

/** Every value of the main currency, newest first, page by page. */
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

/** Every change of a setting that buyers rely on, newest first, page by page. */
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
