import type { Round } from '../../shared/api/rounds.ts'
import { tokensOf } from '../../shared/token-units.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type PlanRow, planOf, termsOf } from './round-file.ts'

interface RoundRow extends PlanRow {
  number: number
  state: Round['state']
  network: Round['network']
  cut_at: Date
  freeze_from: Date
  announced_at: Date
  frozen_at: Date | null
  row_count: number
  tokens: string
  purchased: string
  bonus: string
  granted: string
  root: string
  sha256: string
  address: string | null
  chain_id: string
  code_hash: string
  height: string
  block_hash: string
  second_node: boolean
  live_at: Date
  look: LookRow | null
}

/** From `to_jsonb`, numbers as text. */
interface LookRow {
  height: number
  block_hash: string
  mined_at: string
  balance: string
  claimed: string
  fault: NonNullable<Round['look']>['fault']
  looked_at: string
  failure: string | null
  failing_since: string | null
}

const selectRounds = fragment`select r.number, r.state, r.network, r.token, r.cut_at, r.freeze_from, r.starts_at, r.start_bps, r.cliff_seconds, r.linear_seconds,
    r.leftover_to, r.announced_at, f.frozen_at, f.row_count, f.tokens::text, f.purchased::text, f.bonus::text, f.granted::text, f.root, f.sha256,
    d.address, d.chain_id, d.code_hash, d.height, d.block_hash, d.second_node, d.live_at,
    to_jsonb(l) || jsonb_build_object('balance', l.balance::text, 'claimed', l.claimed::text) as look
  from delivery_rounds r left join delivery_round_files f on f.round = r.number left join delivery_distributors d on d.round = r.number
    left join delivery_looks l on l.round = r.number`

export async function readRounds(db: Queryable): Promise<Round[]> {
  return (await db.query<RoundRow>(sql`${selectRounds} order by r.number desc`)).map(roundFromRow)
}

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
    distributor:
      row.address === null
        ? null
        : {
            address: row.address,
            chainId: Number(row.chain_id),
            codeHash: row.code_hash,
            height: Number(row.height),
            blockHash: row.block_hash,
            secondNode: row.second_node,
            liveAt: row.live_at.toISOString(),
          },
    look: row.look && shownLook(row, row.look),
  }
}

function shownLook(row: RoundRow, look: LookRow): NonNullable<Round['look']> {
  const { leftoverFrom } = termsOf(planOf(row), row.root, 0n)
  const iso = (moment: string) => new Date(moment).toISOString()
  return {
    height: look.height,
    blockHash: look.block_hash,
    minedAt: iso(look.mined_at),
    lookedAt: iso(look.looked_at),
    held: tokensOf(BigInt(look.balance)),
    claimed: tokensOf(BigInt(look.claimed)),
    leftoverFrom: new Date(leftoverFrom * 1000).toISOString(),
    fault: look.fault,
    failure: look.failure,
    failingSince: look.failing_since && iso(look.failing_since),
  }
}
