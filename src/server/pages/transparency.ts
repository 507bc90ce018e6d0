import type {
  FigureKey,
  FrozenRound,
  JournalHead,
  PublicFigure,
  SaleCounts,
  Transparency,
} from '../../shared/public-pages.ts'
import { priceHistory, settingChanges } from '../campaign/campaign.ts'
import { composed, type Database, type Queryable, sql } from '../database/database.ts'
import { readEquation, readRounds } from '../delivery/delivery.ts'
import { readOrigins } from './origins.ts'

/*
 * Each public figure with the query that gives it. The text shown is the text that runs: there is no second version to
 * keep in step. `sale_totals` is the fold of the ledger's approved orders, written in the transaction of each approval;
 * `npm run ledger:check` proves that it agrees with the entries.
 */
interface Query {
  readonly key: FigureKey
  readonly unit: PublicFigure['unit']
  readonly text: string
  readonly ofStage?: boolean
}

const query = (key: FigureKey, unit: PublicFigure['unit'], text: string, ofStage = false): Query => ({
  key,
  unit,
  ofStage,
  text,
})

const QUERIES: readonly Query[] = [
  query(
    'raised',
    'usd',
    'select coalesce(sum(raised_on_chain_usd + raised_by_operator_usd), 0)::text as value\n  from sale_totals',
  ),
  query(
    'raised_on_chain',
    'usd',
    'select coalesce(sum(raised_on_chain_usd), 0)::text as value\n  from sale_totals',
  ),
  query(
    'raised_by_operator',
    'usd',
    'select coalesce(sum(raised_by_operator_usd), 0)::text as value\n  from sale_totals',
  ),
  query(
    'progress',
    'percent',
    `select least(100, floor(100 * coalesce(sum(t.raised_on_chain_usd + t.raised_by_operator_usd), 0) / s.goal_usd))::text as value
  from stages s left join sale_totals t on t.stage_id = s.id
 where s.id = $1
 group by s.goal_usd`,
    true,
  ),
  query(
    'left',
    'usd',
    `select ((select pool_usd from stage_capacity where stage_id = $1)
      + (select coalesce(sum(usd), 0) from capacity_slots where stage_id = $1))::text as value`,
    true,
  ),
  query(
    'orders_on_chain',
    'count',
    'select coalesce(sum(orders_on_chain), 0)::text as value\n  from sale_totals',
  ),
  query(
    'orders_by_operator',
    'count',
    'select coalesce(sum(orders_by_operator), 0)::text as value\n  from sale_totals',
  ),
  query('purchased', 'token', 'select coalesce(sum(purchased_tokens), 0)::text as value\n  from sale_totals'),
  query('bonus', 'token', 'select coalesce(sum(bonus_tokens), 0)::text as value\n  from sale_totals'),
  query(
    'refunds_owed',
    'usd',
    "select coalesce(sum(usd), 0)::text as value\n  from refunds\n where state not in ('paid', 'written_off')",
  ),
  query(
    'refunds_owed_since',
    'moment',
    `select to_char(min(owed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as value
  from refunds
 where state not in ('paid', 'written_off')`,
  ),
  query(
    'granted',
    'token',
    'select coalesce(sum(granted_tokens), 0)::text as value\n  from campaign_capacity',
  ),
  query('allocated', 'token', 'select coalesce(sum(tokens), 0)::text as value\n  from delivery_round_files'),
  query(
    'held_tokens',
    'token',
    `select coalesce(sum(purchased_tokens + bonus_tokens + granted_tokens
                    - allocated_purchased - allocated_bonus - allocated_granted), 0)::text as value
  from holdings`,
  ),
]

/** How many lines of a history stand on the page; older ones are a link away. */
const LINES_SHOWN = 100

/** Where each history begins on the page; left out: with the newest line. */
export interface HistoriesAfter {
  readonly prices?: string | undefined
  readonly changes?: string | undefined
}

/** Runs every query in one snapshot. `stageId` is the stage that the progress is of; without one those are left out. */
export function readTransparency(
  db: Database,
  stageId: number | null,
  readJournal: (tx: Queryable) => Promise<JournalHead | undefined>,
  after: HistoriesAfter = {},
): Promise<Omit<Transparency, 'books'>> {
  return db.transaction(
    async (tx) => {
      const figures: PublicFigure[] = []
      for (const one of QUERIES) {
        if (one.ofStage && stageId === null) continue
        const row = await tx.maybeOne<{ value: string | null }>(
          composed(one.text, one.ofStage ? [stageId] : []),
        )
        const note = one.ofStage ? `\n-- $1 = ${stageId}, the current stage` : ''
        figures.push({
          key: one.key,
          unit: one.unit,
          sql: one.text + note,
          value: row?.value ?? (one.unit === 'moment' ? '' : '0'),
        })
      }
      const { now } = await tx.one<{ now: string }>(
        sql`select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
      )
      return {
        figures,
        computedAt: now,
        journal: (await readJournal(tx)) ?? null,
        equation: await readEquation(tx),
        rounds: await readFrozen(tx),
        prices: await priceHistory(tx, { limit: LINES_SHOWN, after: after.prices }),
        changes: await settingChanges(tx, { limit: LINES_SHOWN, after: after.changes }),
        contracts: await readCounts(tx),
        origins: await readOrigins(tx),
      }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

async function readFrozen(tx: Queryable): Promise<FrozenRound[]> {
  return (await readRounds(tx)).flatMap(({ number, file, look }) => (file ? [{ number, ...file, look }] : []))
}

function readCounts(tx: Queryable): Promise<SaleCounts> {
  return tx.one<SaleCounts>(
    sql`select (select count(*)::integer from escrows) as escrows,
               (select count(*)::integer from delivery_distributors) as rounds,
               ((select count(*) from escrow_looks where fault = 'other_code')
                + (select count(*) from delivery_looks where fault in ('distributor_missing', 'distributor_other_code')))::integer as "otherCode",
               (select count(*)::integer from price_changes where previous_usd is not null) as "priceChanges",
               count(*) filter (where setting like 'stages.%.startsAt')::integer as "startChanges",
               count(*) filter (where setting like 'stages.%.endsAt' or setting like 'stages.%.goalUsd' or setting = 'hardCapUsd')::integer as "endChanges"
          from campaign_changes`,
  )
}
