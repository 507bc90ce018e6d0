import { createHash } from 'node:crypto'

/** The hash covers both children's hashes and sums. */
export interface SumNode {
  readonly hash: Buffer
  /** In millionths of a token; never negative. */
  readonly sum: bigint
}

/** Up to 256 nodes; missing ones at the end are empty. */
export interface SumTile {
  /** Height above the leaves, in steps of eight. */
  readonly level: number
  readonly number: bigint
  readonly nodes: readonly SumNode[]
}

const TILE_HEIGHT = 8
const TILE_WIDTH = 256
const HASH_BYTES = 32
const SUM_BYTES = 16
const NODE_BYTES = HASH_BYTES + SUM_BYTES

const sha256 = (...parts: Uint8Array[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)
const EMPTY: SumNode = { hash: sha256(Buffer.of(2)), sum: 0n }

export const leafNode = (leaf: string, sum: bigint): SumNode => ({
  hash: sha256(LEAF, Buffer.from(leaf)),
  sum,
})

/** Throws for a sum above 16 bytes. */
function bytesOf({ hash, sum }: SumNode): Buffer {
  const bytes = Buffer.alloc(NODE_BYTES)
  hash.copy(bytes)
  bytes.writeBigUInt64BE(sum >> 64n, HASH_BYTES)
  bytes.writeBigUInt64BE(sum & 0xffff_ffff_ffff_ffffn, HASH_BYTES + 8)
  return bytes
}

const joined = (left: SumNode, right: SumNode): SumNode => ({
  hash: sha256(NODE, bytesOf(left), bytesOf(right)),
  sum: left.sum + right.sum,
})

const empties: SumNode[] = [EMPTY]
function emptyOf(height: number): SumNode {
  for (let at = empties.length; at <= height; at += 1) {
    const below = empties[at - 1] ?? EMPTY
    empties.push(joined(below, below))
  }
  return empties[height] ?? EMPTY
}

/** From these nodes to their root, `height` steps higher. */
function levelsOf(nodes: readonly SumNode[], level: number, height: number): SumNode[][] {
  const levels = [[...nodes]]
  for (let step = 0; step < height; step += 1) {
    const below = levels[step] ?? []
    const empty = emptyOf(level + step)
    levels.push(
      Array.from({ length: Math.ceil(below.length / 2) }, (_, at) =>
        joined(below[2 * at] ?? empty, below[2 * at + 1] ?? empty),
      ),
    )
  }
  return levels
}

function depthOf(leaves: bigint): number {
  let depth = 0
  while (1n << BigInt(depth) < leaves) depth += 1
  return depth
}

// Rules: LOG-12
/** Takes ordered leaves; releases each tile once complete. */
export class SumTreeBuilder {
  readonly #open: SumNode[][] = []
  readonly #numbers: bigint[] = []
  readonly #done: SumTile[] = []
  #leaves = 0n

  append(leaf: SumNode): void {
    this.#leaves += 1n
    this.#push(0, leaf)
  }

  finish(): { depth: number; root: SumNode } {
    const depth = depthOf(this.#leaves)
    let tile = 0
    while (depth > (tile + 1) * TILE_HEIGHT) {
      this.#close(tile)
      tile += 1
    }
    const nodes = this.#open[tile] ?? []
    const level = tile * TILE_HEIGHT
    if (nodes.length > 0) this.#done.push({ level, number: this.#numbers[tile] ?? 0n, nodes })
    const root = levelsOf(nodes, level, depth - level).at(-1)?.[0]
    return { depth, root: root ?? emptyOf(depth) }
  }

  /** Returns tiles completed since the last call. */
  take(): SumTile[] {
    return this.#done.splice(0)
  }

  #push(tile: number, node: SumNode): void {
    if (this.#open[tile]?.length === TILE_WIDTH) this.#close(tile)
    const open = (this.#open[tile] ??= [])
    open.push(node)
  }

  #close(tile: number): void {
    const nodes = this.#open[tile] ?? []
    if (nodes.length === 0) return
    const level = tile * TILE_HEIGHT
    const number = this.#numbers[tile] ?? 0n
    this.#done.push({ level, number, nodes })
    this.#open[tile] = []
    this.#numbers[tile] = number + 1n
    const root = levelsOf(nodes, level, TILE_HEIGHT).at(-1)?.[0]
    if (root) this.#push(tile + 1, root)
  }
}

export const packTile = ({ nodes }: SumTile): Buffer => Buffer.concat(nodes.map(bytesOf))

export function unpackTile(bytes: Buffer): SumNode[] {
  return Array.from({ length: bytes.length / NODE_BYTES }, (_, at) => {
    const start = at * NODE_BYTES
    return {
      hash: bytes.subarray(start, start + HASH_BYTES),
      sum: (bytes.readBigUInt64BE(start + HASH_BYTES) << 64n) | bytes.readBigUInt64BE(start + HASH_BYTES + 8),
    }
  })
}

/** From the leaf up. */
export async function sumPath(
  index: bigint,
  depth: number,
  readTile: (level: number, number: bigint) => Promise<readonly SumNode[]>,
): Promise<SumNode[]> {
  const path: SumNode[] = []
  for (let level = 0; level < depth; level += TILE_HEIGHT) {
    const nodes = await readTile(level, index >> BigInt(level + TILE_HEIGHT))
    const height = Math.min(TILE_HEIGHT, depth - level)
    let at = Number((index >> BigInt(level)) % BigInt(TILE_WIDTH))
    levelsOf(nodes, level, height)
      .slice(0, height)
      .forEach((nodesThere, step) => {
        path.push(nodesThere[at ^ 1] ?? emptyOf(level + step))
        at >>= 1
      })
  }
  return path
}
