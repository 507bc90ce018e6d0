import { bytesToHex } from '@noble/hashes/utils.js'
import type { Address, Hex } from 'viem'
import distributor from '../../../contracts/artifacts/Distributor.json' with { type: 'json' }
import factories from '../../../contracts/artifacts/factories.json' with { type: 'json' }
import type { DistributorFault } from '../../shared/api/rounds.ts'
import { type ChainNode, read } from '../../shared/chain-node.ts'
import {
  claimData,
  type DistributorBuild,
  distributorLook,
  placeOf,
  readsOf,
  readsOfRow,
} from '../../shared/distributor-code.ts'
import { type Leaf, leafHash, proofOf } from '../../shared/merkle-tree.ts'
import type { CheckedList } from '../../shared/round-list.ts'
import type { StateRead } from '../../shared/state-read.ts'

const build: DistributorBuild = {
  bytecode: distributor.bytecode as Hex,
  deployedBytecode: distributor.deployedBytecode as Hex,
  immutableReferences: distributor.immutableReferences,
  makers: [factories.deployer as Address, factories.addresses.DistributorFactory as Address],
}

/** Amounts are in the token's smallest units. */
export interface RowLook {
  readonly row: Leaf
  readonly unlocked: bigint
  readonly claimed: bigint
  readonly call: { readonly chainId: number; readonly to: Address; readonly data: Hex }
}

export interface ChainLook {
  readonly address: Address
  readonly height: number
  readonly minedAt: string
  readonly fault: DistributorFault | null
  readonly rows: readonly RowLook[]
}

/** The node belongs to another chain than the list; `chainId` is the node's. */
export class OtherChain extends Error {
  readonly chainId: number
  constructor(chainId: number) {
    super(`chain id ${chainId}`)
    this.chainId = chainId
  }
}

// Rules: DELIVER-38
/**
 * Looks at both addresses derived from the contract's code and the list, in one block. Throws `OtherChain`
 * and the node's own errors.
 */
export async function lookAtRows(
  node: ChainNode,
  { list, sha256, tree }: CheckedList,
  rows: readonly Leaf[],
): Promise<ChainLook> {
  const { distributor: terms, chainId } = list
  const own = Number(await node.request({ method: 'eth_chainId' }))
  if (own !== chainId) throw new OtherChain(own)
  const block = (await node.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as {
    number: Hex
    timestamp: Hex
  }
  const ask = (reads: readonly StateRead[]) => Promise.all(reads.map((one) => read(node, block.number, one)))
  const places = build.makers.map((maker) => placeOf(build, terms, sha256, maker))
  const looks = await Promise.all(
    places.map(async (address) => {
      const answers = await ask(readsOf(terms, address))
      return { address, ...distributorLook(build, terms, answers, { address, sha256 }) }
    }),
  )
  const found = looks.find(({ fault }) => fault !== 'distributor_missing') ?? looks[0]
  if (found?.fault === undefined) throw new Error('the node left an answer out')
  const { address, fault } = found
  const shown = fault === 'distributor_missing' ? [] : rows
  const answers = await ask(
    shown.flatMap((row) => readsOfRow(address, row, `0x${bytesToHex(leafHash(row))}`)),
  )
  return {
    address,
    fault,
    height: Number(block.number),
    minedAt: new Date(Number(block.timestamp) * 1000).toISOString(),
    rows: shown.map((row, at) => ({
      row,
      claimed: numberIn(answers[2 * at]),
      unlocked: numberIn(answers[2 * at + 1]),
      call: { chainId, to: address, data: claimData(row, proofOf(tree, row) ?? []) },
    })),
  }
}

function numberIn(answer: Hex | null | undefined): bigint {
  if (answer?.length !== 66) throw new Error('the node left an answer out')
  return BigInt(answer)
}
