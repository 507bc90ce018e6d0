import { areEqual } from './bytes.ts'
import type { Sha256 } from './hash.ts'

// The Merkle tree of RFC 6962, section 2.1.

export const HASH_BYTES = 32
/** A tile holds 2⁸ hashes, so each tile level is eight tree levels higher. */
export const TILE_HEIGHT = 8
export const TILE_WIDTH = 256

export interface Range {
  start: number
  end: number
}

/** The hashes of leaves and of nodes. */
export class TreeHash {
  private readonly sha256: Sha256
  private readonly node = new Uint8Array(1 + 2 * HASH_BYTES)
  private leaf = new Uint8Array(1024)

  constructor(sha256: Sha256) {
    this.sha256 = sha256
    this.node[0] = 1
  }

  ofLeaf(entry: Uint8Array): Uint8Array {
    if (this.leaf.length <= entry.length) this.leaf = new Uint8Array(2 * entry.length + 1)
    this.leaf.set(entry, 1)
    return this.sha256(this.leaf.subarray(0, entry.length + 1))
  }

  ofNode(left: Uint8Array, right: Uint8Array): Uint8Array {
    this.node.set(left, 1)
    this.node.set(right, 1 + HASH_BYTES)
    return this.sha256(this.node)
  }

  /** The hash over neighbouring full subtrees, largest first. */
  ofSubtrees(hashes: readonly Uint8Array[]): Uint8Array {
    const last = hashes.at(-1)
    if (last === undefined) return this.sha256(new Uint8Array())
    return hashes.slice(0, -1).reduceRight((right, left) => this.ofNode(left, right), last)
  }
}

/** A growing tree; keeps its right edge and the hashes of the tiles above level 0. */
export class GrowingTree {
  /** By tile level, from 1: its hashes. */
  readonly levels: Uint8Array[][] = []
  private readonly hash: TreeHash
  private readonly edge: Uint8Array[] = []
  private leaves = 0

  constructor(hash: TreeHash) {
    this.hash = hash
  }

  get size(): number {
    return this.leaves
  }

  append(leaf: Uint8Array): void {
    let node = leaf
    let height = 0
    for (let rest = this.leaves; rest % 2 === 1; rest = (rest - 1) / 2) {
      node = this.hash.ofNode(this.edge.pop() as Uint8Array, node)
      height += 1
      if (height % TILE_HEIGHT === 0) this.levelOf(height / TILE_HEIGHT).push(node)
    }
    this.edge.push(node)
    this.leaves += 1
  }

  root(): Uint8Array {
    return this.hash.ofSubtrees(this.edge)
  }

  private levelOf(level: number): Uint8Array[] {
    this.levels[level] ??= []
    return this.levels[level]
  }
}

/** The largest power of two below `size`, which is at least 2. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** A range's full subtrees, largest first. The range must start where its largest subtree can. */
export function fullSubtreesOf({ start, end }: Range): Range[] {
  const subtrees: Range[] = []
  for (let at = start; at < end; ) {
    let width = 1
    while (at + width * 2 <= end && at % (width * 2) === 0) width *= 2
    subtrees.push({ start: at, end: at + width })
    at += width
  }
  return subtrees
}

/** The ranges of a consistency proof from `oldSize` to `newSize`: 0 < old ≤ new. */
export function consistencyRangesOf(oldSize: number, newSize: number): Range[] {
  const ranges: Range[] = []
  let [start, end] = [0, newSize]
  let isWhole = true
  while (oldSize < end) {
    const middle = start + splitOf(end - start)
    if (oldSize <= middle) {
      ranges.unshift({ start: middle, end })
      end = middle
    } else {
      ranges.unshift({ start, end: middle })
      start = middle
      isWhole = false
    }
  }
  return isWhole ? ranges : [{ start, end }, ...ranges]
}

/** The root by an inclusion proof; undefined if its length is wrong. */
export function rootFromInclusion(
  hash: TreeHash,
  place: { index: number; size: number },
  leaf: Uint8Array,
  proof: readonly Uint8Array[],
): Uint8Array | undefined {
  let { index } = place
  let last = place.size - 1
  if (index < 0 || index > last) return undefined
  let root = leaf
  for (const sibling of proof) {
    if (last === 0) return undefined
    // Past the last full subtree a node has no right sibling and moves up unchanged.
    while (index === last && index % 2 === 0) [index, last] = [index / 2, last / 2]
    root = index % 2 === 1 ? hash.ofNode(sibling, root) : hash.ofNode(root, sibling)
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? root : undefined
}

/**
 * True if the proof connects both roots (RFC 9162, section 2.1.4.2), for 0 < old < new; trees of equal size
 * need the same root.
 */
export function isConsistent(
  hash: TreeHash,
  older: { size: number; root: Uint8Array },
  newer: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (older.size < 1 || older.size > newer.size) return false
  if (older.size === newer.size) return proof.length === 0 && areEqual(older.root, newer.root)
  let node = older.size - 1
  let last = newer.size - 1
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  const path = node === 0 ? [older.root, ...proof] : [...proof]
  let oldRoot = path.shift()
  let newRoot = oldRoot
  for (const sibling of path) {
    if (last === 0 || oldRoot === undefined || newRoot === undefined) return false
    if (node % 2 === 1 || node === last) {
      oldRoot = hash.ofNode(sibling, oldRoot)
      newRoot = hash.ofNode(sibling, newRoot)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else {
      newRoot = hash.ofNode(newRoot, sibling)
    }
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  if (oldRoot === undefined || newRoot === undefined || last !== 0) return false
  return areEqual(oldRoot, older.root) && areEqual(newRoot, newer.root)
}
