import { figureKeys, figureQuery, figures, isOfStage } from '../../shared/figures.ts'
import type { FrozenRound, JournalHead, SaleCounts, Transparency } from '../../shared/public-pages.ts'
import { priceHistory, settingChanges } from '../campaign/campaign.ts'
import { composed, type Database, type Queryable, sql } from '../database/database.ts'
import { readEquation, readRounds } from '../delivery/delivery.ts'
import { undeliveredTokens } from '../reserves/reserves.ts'
import { readOrigins } from './origins.ts'

/** Per page. */
const LINES_SHOWN = 100

/** Omitted: from the newest line. */
export interface HistoriesAfter {
  readonly prices?: string | undefined
  readonly changes?: string | undefined
}

/**
 * One snapshot; the displayed SQL is the executed one. Without `stageId` the current stage's figures are
 * omitted.
 */
export function readTransparency(
  db: Database,
  stageId: number | null,
  readJournal: (tx: Queryable) => Promise<JournalHead | undefined>,
  after: HistoriesAfter = {},
): Promise<Omit<Transparency, 'ledgerCheck'>> {
  return db.transaction(
    async (tx) => {
      const shown: Transparency['figures'] = []
      for (const key of figureKeys) {
        const isStage = isOfStage(key)
        if (isStage && stageId === null) continue
        const text = figureQuery(key)
        const row = await tx.maybeOne<{ value: string | null }>(composed(text, isStage ? [stageId] : []))
        const note = isStage ? `\n-- $1 = ${stageId}, the current stage` : ''
        const none = figures[key].unit === 'moment' ? '' : '0'
        shown.push({ key, sql: text + note, value: row?.value ?? none })
      }
      const { now } = await tx.one<{ now: string }>(
        sql`select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
      )
      return {
        figures: shown,
        computedAt: now,
        journal: (await readJournal(tx)) ?? null,
        equation: await readEquation(tx),
        undelivered: await undeliveredTokens(tx),
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
