import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { encodeAbiParameters, type Hex, keccak256, numberToHex, parseAbiParameters } from 'viem'

const path = join(fileURLToPath(new URL('../', import.meta.url)), 'node_modules/.cache/contracts/trees.hex')
const SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 100, 257]
const PROOFS_MAX = 8
const knownTrees = parseAbiParameters([
  'KnownTree[] trees',
  'struct KnownTree { bytes32 root; uint128 total; Row[] rows; }',
  'struct Row { uint256 place; address account; uint256 tokens; bytes32[] proof; }',
])

function rowsOf(size: number): [string, string, string][] {
  return Array.from({ length: size }, (_, place) => {
    const chance = keccak256(numberToHex(size * 1000 + place, { size: 32 }))
    return [String(place), `0x${chance.slice(2, 42)}`, String(BigInt(`0x${chance.slice(50)}`) + 1n)]
  })
}

/** Writes trees with root, sum and some proofs, for test/Trees.t.sol. */
export function writeTrees(): string {
  const trees = SIZES.map((size) => {
    const tree = StandardMerkleTree.of(rowsOf(size), ['uint256', 'address', 'uint256'])
    const listed = [...tree.entries()]
    const step = Math.max(1, Math.floor(size / PROOFS_MAX))
    return {
      root: tree.root as Hex,
      total: listed.reduce((sum, [, [, , tokens]]) => sum + BigInt(tokens), 0n),
      rows: listed
        .filter(([at]) => at % step === 0)
        .map(([at, [place, account, tokens]]) => ({
          place: BigInt(place),
          account: account as Hex,
          tokens: BigInt(tokens),
          proof: tree.getProof(at) as Hex[],
        })),
    }
  })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, encodeAbiParameters(knownTrees, [trees]))
  return path
}
