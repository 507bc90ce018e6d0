import { createHash } from 'node:crypto'
import { parseUnits } from 'viem/utils'
import { canonicalJson } from '../../shared/canonical-json.ts'
import { type Leaf, merkleTree, rootOf } from './round-tree.ts'

/** Of the sold token (contracts/src/SaleToken.sol); the ledger has 6. */
const TOKEN_DECIMALS = 18
/** After everything is unlocked, until what nobody claimed can leave (contracts/src/Distributor.sol). */
const LEFTOVER_SECONDS = 365 * 24 * 3600

/** What a round's list is made of. Amounts are tokens as the ledger has them. */
export interface RoundList {
  readonly round: number
  readonly sale: { readonly name: string; readonly symbol: string }
  readonly network: string
  readonly chainId: number
  readonly token: string
  readonly cutAt: Date
  readonly frozenAt: Date
  readonly startsAt: Date
  readonly startBps: number
  readonly cliffSeconds: number
  readonly linearSeconds: number
  readonly leftoverTo: string
  readonly rows: readonly RoundListRow[]
}

export interface RoundListRow {
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

/** A row as a leaf of the distributor's tree. */
export function leafOf({ place, address, tokens }: Pick<RoundListRow, 'place' | 'address' | 'tokens'>): Leaf {
  return { place, account: address, tokens: parseUnits(tokens, TOKEN_DECIMALS) }
}

/** The file that is published of a round: with all that the distributor is made with, and every row. */
export async function roundFile(list: RoundList): Promise<RoundFile> {
  const leaves = list.rows.map(leafOf)
  const tree = await merkleTree(leaves)
  const root = rootOf(tree)
  const start = Math.floor(list.startsAt.getTime() / 1000)
  const unitsOf = (way: 'purchased' | 'bonus' | 'granted') =>
    String(list.rows.reduce((total, row) => total + parseUnits(row[way], TOKEN_DECIMALS), 0n))
  const content = canonicalJson({
    format: 'presale-round-1',
    sale: list.sale,
    round: list.round,
    network: list.network,
    chainId: list.chainId,
    cutAt: list.cutAt.toISOString(),
    frozenAt: list.frozenAt.toISOString(),
    decimals: TOKEN_DECIMALS,
    distributor: {
      token: list.token,
      root,
      total: String(leaves.reduce((total, { tokens }) => total + tokens, 0n)),
      start,
      schedule: { startBps: list.startBps, cliff: list.cliffSeconds, linear: list.linearSeconds },
      leftoverTo: list.leftoverTo,
      leftoverFrom: start + list.cliffSeconds + list.linearSeconds + LEFTOVER_SECONDS,
    },
    ways: { purchased: unitsOf('purchased'), bonus: unitsOf('bonus'), granted: unitsOf('granted') },
    leaf: ['uint256 place', 'address account', 'uint256 tokens'],
    rows: leaves.map(({ place, account, tokens }) => ({ place, account, tokens: String(tokens) })),
  })
  return { content, sha256: createHash('sha256').update(content).digest('hex'), root, tree }
}
