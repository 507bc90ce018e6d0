import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

/** A row of a published list. */
export interface Leaf {
  readonly place: number
  readonly account: string
  /** In the token's smallest units. */
  readonly tokens: bigint
}

export type Pause = () => Promise<unknown>

const NODE = 32
const HASHES_AT_ONCE = 1_000

const wordOf = (digits: string) => digits.padStart(2 * NODE, '0')

/** Hashes twice, like `leafOf` of contracts/src/Distributor.sol. */
export function leafHash({ place, account, tokens }: Leaf): Uint8Array {
  const words = [place.toString(16), account.slice(2), tokens.toString(16)].map(wordOf)
  return keccak_256(keccak_256(hexToBytes(words.join(''))))
}

// Rules: DELIVER-37
/**
 * The root is first, as in OpenZeppelin's StandardMerkleTree. The leaves are at the end in descending order;
 * each other node hashes its two children in ascending order.
 */
export async function merkleTree(leaves: readonly Leaf[], pause: Pause): Promise<Uint8Array> {
  if (leaves.length === 0) throw new Error('invariant broken: a tree has a leaf')
  const hashes: Uint8Array[] = []
  for (const leaf of leaves) {
    hashes.push(leafHash(leaf))
    if (hashes.length % HASHES_AT_ONCE === 0) await pause()
  }
  hashes.sort((a, b) => compareBytes(b, a))
  const tree = new Uint8Array(NODE * (2 * leaves.length - 1))
  hashes.forEach((hash, at) => tree.set(hash, NODE * (leaves.length - 1 + at)))
  for (let at = leaves.length - 2; at >= 0; at -= 1) {
    tree.set(parentOf(nodeAt(tree, 2 * at + 1), nodeAt(tree, 2 * at + 2)), NODE * at)
    if (at % HASHES_AT_ONCE === 0) await pause()
  }
  return tree
}

/** In hexadecimal. */
export const rootOf = (tree: Uint8Array) => hexOf(nodeAt(tree, 0))

/** The path from the leaf upwards; undefined if the leaf is not in the tree. */
export function proofOf(tree: Uint8Array, leaf: Leaf): `0x${string}`[] | undefined {
  const count = (tree.length / NODE + 1) / 2
  let at = placeInTree(tree, count, leafHash(leaf))
  if (at === undefined) return undefined
  const proof: `0x${string}`[] = []
  while (at > 0) {
    proof.push(hexOf(nodeAt(tree, at % 2 === 0 ? at - 1 : at + 1)))
    at = Math.floor((at - 1) / 2)
  }
  return proof
}

/** The leaves are in descending order. */
function placeInTree(tree: Uint8Array, count: number, hash: Uint8Array): number | undefined {
  let [from, to] = [count - 1, 2 * count - 2]
  while (from <= to) {
    const middle = Math.floor((from + to) / 2)
    const order = compareBytes(nodeAt(tree, middle), hash)
    if (order === 0) return middle
    if (order > 0) from = middle + 1
    else to = middle - 1
  }
  return undefined
}

const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`

const nodeAt = (tree: Uint8Array, at: number) => tree.subarray(NODE * at, NODE * (at + 1))

const parentOf = (one: Uint8Array, other: Uint8Array) =>
  keccak_256(compareBytes(one, other) < 0 ? concatBytes(one, other) : concatBytes(other, one))

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  for (let at = 0; at < NODE; at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
