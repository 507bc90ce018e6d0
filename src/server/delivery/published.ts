import type { Address } from 'viem'
import type { Round } from '../../shared/api/rounds.ts'
import { type DistributorLook, distributorLook, readsOf } from '../../shared/distributor-code.ts'
import type { Network } from '../../shared/networks.ts'
import type { Terms } from '../../shared/round-list.ts'
import { unitsOf } from '../../shared/token-units.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import type { StateLook } from '../payments/evm/evm-looks.ts'
import { refuse } from '../refusal.ts'
import type { AddressParts } from './address-rows.ts'
import { distributorBuild } from './distributor.ts'
import { type PlanRow, planOf, termsOf } from './round-file.ts'

export interface Published {
  readonly number: number
  readonly state: Round['state']
  readonly network: Network
  readonly chainId: number
  readonly sha256: string
  readonly terms: Terms
}

export interface LiveRound extends Published {
  readonly address: Address
  /** The evidence's block. */
  readonly height: number
  /** The last reading's block. */
  readonly lookedHeight: number
  readonly blockHash: string
  readonly codeHash: string
}

interface PublishedRow extends PlanRow {
  number: number
  state: Round['state']
  network: Network
  chain_id: string
  root: string
  sha256: string
  tokens: string
}

const columns = fragment`r.*, f.root, f.sha256, f.tokens::text
  from delivery_rounds r left join delivery_round_files f on f.round = r.number`

export async function readPublished(tx: Queryable, number: number): Promise<Published> {
  const row = await tx.maybeOne<PublishedRow>(sql`select ${columns} where r.number = ${number}`)
  if (!row) return refuse('round_unknown')
  return row.root === null ? refuse('round_state') : published(row)
}

export async function readLive(tx: Queryable): Promise<LiveRound[]> {
  const rows = await tx.query<
    PublishedRow & {
      address: Address
      height: string
      looked_height: string
      block_hash: string
      code_hash: string
    }
  >(
    sql`select d.address, d.height, greatest(d.height, (select l.height from delivery_looks l where l.round = d.round)) as looked_height,
               d.block_hash, d.code_hash, ${columns} join delivery_distributors d on d.round = r.number order by r.number`,
  )
  return rows.map((row) => ({
    ...published(row),
    address: row.address,
    height: Number(row.height),
    lookedHeight: Number(row.looked_height),
    blockHash: row.block_hash,
    codeHash: row.code_hash,
  }))
}

export async function hasLiveRounds(tx: Queryable): Promise<boolean> {
  const { live } = await tx.one<{ live: boolean }>(
    sql`select exists (select from delivery_distributors) as live`,
  )
  return live
}

function published(row: PublishedRow): Published {
  return {
    number: row.number,
    state: row.state,
    network: row.network,
    chainId: Number(row.chain_id),
    sha256: row.sha256,
    terms: termsOf(planOf(row), row.root, unitsOf(row.tokens)),
  }
}

export type Seen = StateLook & DistributorLook

export async function lookAt(
  { looks }: Pick<AddressParts, 'looks'>,
  round: Published & Partial<Pick<LiveRound, 'codeHash'>>,
  address: Address,
  which: 'final' | 'latest',
): Promise<Seen> {
  const look = await looks.look(round, readsOf(round.terms, address), which)
  const shown = distributorLook(distributorBuild(), round.terms, look.answers, { ...round, address })
  return { ...look, ...(shown ?? refuse('node_silent')) }
}
