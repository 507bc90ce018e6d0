import type { Round } from '../../shared/api/rounds.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

interface RoundRow {
  number: number
  state: Round['state']
  network: Round['network']
  cut_at: Date
  freeze_from: Date
  starts_at: Date
  start_bps: number
  cliff_seconds: number
  linear_seconds: number
  leftover_to: string
  announced_at: Date
  frozen_at: Date | null
  row_count: number
  tokens: string
  purchased: string
  bonus: string
  granted: string
  root: string
  sha256: string
}

const selectRounds = fragment`select r.number, r.state, r.network, r.cut_at, r.freeze_from, r.starts_at, r.start_bps, r.cliff_seconds, r.linear_seconds,
    r.leftover_to, r.announced_at, f.frozen_at, f.row_count, f.tokens::text, f.purchased::text, f.bonus::text, f.granted::text, f.root, f.sha256
  from delivery_rounds r left join delivery_round_files f on f.round = r.number`

/** The newest first. */
export async function readRounds(db: Queryable): Promise<Round[]> {
  return (await db.query<RoundRow>(sql`${selectRounds} order by r.number desc`)).map(roundFromRow)
}

/** Refuses `round_unknown`. */
export async function readRound(db: Queryable, number: number): Promise<Round> {
  const row = await db.maybeOne<RoundRow>(sql`${selectRounds} where r.number = ${number}`)
  return roundFromRow(row ?? refuse('round_unknown'))
}

function roundFromRow(row: RoundRow): Round {
  return {
    number: row.number,
    state: row.state,
    network: row.network,
    cutAt: row.cut_at.toISOString(),
    freezeFrom: row.freeze_from.toISOString(),
    startsAt: row.starts_at.toISOString(),
    startBps: row.start_bps,
    cliffSeconds: row.cliff_seconds,
    linearSeconds: row.linear_seconds,
    leftoverTo: row.leftover_to,
    announcedAt: row.announced_at.toISOString(),
    file: row.frozen_at && {
      frozenAt: row.frozen_at.toISOString(),
      rows: row.row_count,
      tokens: row.tokens,
      purchasedTokens: row.purchased,
      bonusTokens: row.bonus,
      grantedTokens: row.granted,
      root: row.root,
      sha256: row.sha256,
    },
  }
}
