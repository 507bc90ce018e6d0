import { setImmediate } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import { evmChecksum } from '../../shared/addresses.ts'
import { type Leaf, merkleTree, rootOf } from '../../shared/merkle-tree.ts'
import { contentOfList, sha256OfText, type Terms } from '../../shared/round-list.ts'
import { unitsOf } from '../../shared/token-units.ts'

/** From the last unlock until unclaimed tokens can leave (contracts/src/Distributor.sol). */
const LEFTOVER_SECONDS = 365 * 24 * 3600

export interface RoundPlan {
  readonly token: string
  readonly startsAt: Date
  readonly startBps: number
  readonly cliffSeconds: number
  readonly linearSeconds: number
  readonly leftoverTo: string
}

export interface PlanRow {
  readonly token: string
  readonly starts_at: Date
  readonly start_bps: number
  readonly cliff_seconds: number
  readonly linear_seconds: number
  readonly leftover_to: string
}

export const planOf = (row: PlanRow): RoundPlan => ({
  token: evmChecksum(row.token),
  startsAt: row.starts_at,
  startBps: row.start_bps,
  cliffSeconds: row.cliff_seconds,
  linearSeconds: row.linear_seconds,
  leftoverTo: row.leftover_to,
})

/** Amounts are tokens, as in the ledger. */
export interface ListedRound extends RoundPlan {
  readonly round: number
  readonly sale: { readonly name: string; readonly symbol: string }
  readonly network: string
  readonly chainId: number
  readonly cutAt: Date
  readonly frozenAt: Date
  readonly rows: readonly ListedRow[]
}

export interface ListedRow {
  readonly place: number
  readonly address: string
  readonly tokens: string
  readonly purchased: string
  readonly bonus: string
  readonly granted: string
}

export interface RoundFile {
  readonly content: string
  readonly sha256: string
  readonly root: string
  readonly tree: Buffer
}

export function leafOf({ place, address, tokens }: Pick<ListedRow, 'place' | 'address' | 'tokens'>): Leaf {
  return { place, account: address, tokens: unitsOf(tokens) }
}

export function termsOf(plan: RoundPlan, root: string, total: bigint): Terms {
  const start = Math.floor(plan.startsAt.getTime() / 1000)
  return {
    token: plan.token as Address,
    root: root as Hex,
    total,
    start,
    schedule: { startBps: plan.startBps, cliff: plan.cliffSeconds, linear: plan.linearSeconds },
    leftoverTo: plan.leftoverTo as Address,
    leftoverFrom: start + plan.cliffSeconds + plan.linearSeconds + LEFTOVER_SECONDS,
  }
}

// Rules: DELIVER-37
export async function roundFile(round: ListedRound): Promise<RoundFile> {
  const rows = round.rows.map(leafOf)
  const tree = await merkleTree(rows, () => setImmediate())
  const root = rootOf(tree)
  const total = rows.reduce((sum, { tokens }) => sum + tokens, 0n)
  const sumOf = (way: 'purchased' | 'bonus' | 'granted') =>
    round.rows.reduce((sum, row) => sum + unitsOf(row[way]), 0n)
  const content = contentOfList({
    ...round,
    cutAt: round.cutAt.toISOString(),
    frozenAt: round.frozenAt.toISOString(),
    distributor: termsOf(round, root, total),
    ways: { purchased: sumOf('purchased'), bonus: sumOf('bonus'), granted: sumOf('granted') },
    rows,
  })
  return { content, sha256: sha256OfText(content), root, tree: Buffer.from(tree.buffer) }
}
