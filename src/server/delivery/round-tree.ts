import { setImmediate } from 'node:timers/promises'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** A row of a published list, as a leaf has it. */
export interface Leaf {
  readonly place: number
  /** `0x` and 40 digits. */
  readonly account: string
  /** In the token's smallest units. */
  readonly tokens: bigint
}

const NODE = 32
/** So many hashes are computed before other work of this process has its turn. */
const HASHES_AT_ONCE = 1_000

/** The leaf as `leafOf` of contracts/src/Distributor.sol has it: hashed twice over three words. */
export function leafHash({ place, account, tokens }: Leaf): Uint8Array {
  const words = Buffer.alloc(3 * NODE)
  words.writeUInt32BE(place, NODE - 4)
  words.write(account.slice(2), 2 * NODE - 20, 'hex')
  words.write(tokens.toString(16).padStart(2 * NODE, '0'), 2 * NODE, 'hex')
  return keccak_256(keccak_256(words))
}

/**
 * The nodes of the Merkle tree over these leaves, the root first, as OpenZeppelin's StandardMerkleTree orders them: the sorted leaves
 * stand at the end in falling order, and each other node is the hash of its two children in rising order.
 */
export async function merkleTree(leaves: readonly Leaf[]): Promise<Buffer> {
  if (leaves.length === 0) throw new Error('invariant broken: a tree has a leaf')
  const hashes: Uint8Array[] = []
  for (const leaf of leaves) {
    hashes.push(leafHash(leaf))
    if (hashes.length % HASHES_AT_ONCE === 0) await setImmediate()
  }
  hashes.sort((a, b) => Buffer.compare(b, a))
  const tree = Buffer.alloc(NODE * (2 * leaves.length - 1))
  hashes.forEach((hash, at) => tree.set(hash, NODE * (leaves.length - 1 + at)))
  for (let at = leaves.length - 2; at >= 0; at -= 1) {
    tree.set(parentOf(nodeAt(tree, 2 * at + 1), nodeAt(tree, 2 * at + 2)), NODE * at)
    if (at % HASHES_AT_ONCE === 0) await setImmediate()
  }
  return tree
}

/** The root of a tree, in hexadecimal. */
export const rootOf = (tree: Buffer) => `0x${nodeAt(tree, 0).toString('hex')}`

const nodeAt = (tree: Buffer, at: number) => tree.subarray(NODE * at, NODE * (at + 1))

const parentOf = (one: Buffer, other: Buffer) =>
  keccak_256(Buffer.compare(one, other) < 0 ? Buffer.concat([one, other]) : Buffer.concat([other, one]))
