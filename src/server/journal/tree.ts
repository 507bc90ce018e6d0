import { createHash } from 'node:crypto'

export const TILE_WIDTH = 256
export const HASH_BYTES = 32
const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

/** RFC 6962, section 2.1. */
export function leafHash(entry: Buffer): Buffer {
  return createHash('sha256').update(LEAF).update(entry).digest()
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest()
}

export const emptyRoot = () => createHash('sha256').digest()

export interface TilePlace {
  readonly level: number
  readonly number: bigint
}

export interface Tile extends TilePlace {
  readonly hashes: Buffer
}

/** The partial last tile of each level of a tree of `size` leaves. */
export function growingTiles(size: bigint): TilePlace[] {
  const places: TilePlace[] = []
  for (let level = 0, width = size; width > 0n; level++, width /= BigInt(TILE_WIDTH))
    if (width % BigInt(TILE_WIDTH) > 0n) places.push({ level, number: width / BigInt(TILE_WIDTH) })
  return places
}

/** RFC 6962 in tiles (C2SP tlog-tiles). Holds only partial tiles; full ones never change. */
export class GrowingTree {
  #size: bigint
  /** The partial tile of each level. */
  readonly #edge: Buffer[][]
  readonly #changed = new Map<string, TilePlace & { readonly row: readonly Buffer[] }>()

  /** `tiles` must be those of `growingTiles(size)`. */
  constructor(size: bigint, tiles: readonly Tile[]) {
    this.#size = size
    this.#edge = []
    for (const { level, hashes } of tiles) this.#edge[level] = split(hashes)
  }

  get size(): bigint {
    return this.#size
  }

  append(leaf: Buffer): void {
    this.#push(0, leaf, this.#size)
    this.#size += 1n
  }

  /** Hashes perfect subtrees together from the smallest on the right. */
  root(): Buffer {
    let root: Buffer | undefined
    for (let level = 0; level < this.#edge.length; level++)
      for (const perfect of perfectTrees(this.#edge[level] ?? []).toReversed())
        root = root ? nodeHash(perfect, root) : perfect
    return root ?? emptyRoot()
  }

  /** Tiles changed since the construction. */
  changed(): Tile[] {
    return [...this.#changed.values()].map(({ level, number, row }) => ({
      level,
      number,
      hashes: Buffer.concat(row),
    }))
  }

  /** A full tile becomes a hash of the level above. */
  #push(level: number, hash: Buffer, place: bigint): void {
    const hashes = (this.#edge[level] ??= [])
    hashes.push(hash)
    const number = place / BigInt(TILE_WIDTH)
    this.#changed.set(`${level}/${number}`, { level, number, row: hashes })
    if (hashes.length < TILE_WIDTH) return
    this.#edge[level] = []
    const [whole] = perfectTrees(hashes)
    if (whole) this.#push(level + 1, whole, number)
  }
}

export function split(hashes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < hashes.length; at += HASH_BYTES) parts.push(hashes.subarray(at, at + HASH_BYTES))
  return parts
}

/** Roots of perfect subtrees, largest first. */
function perfectTrees(leaves: readonly Buffer[]): Buffer[] {
  const roots: Buffer[] = []
  for (let at = 0, width = TILE_WIDTH; width >= 1; width /= 2)
    if (leaves.length & width) {
      roots.push(perfectRoot(leaves.slice(at, at + width)))
      at += width
    }
  return roots
}

export function perfectRoot(row: readonly Buffer[]): Buffer {
  let nodes = row
  while (nodes.length > 1) {
    const above: Buffer[] = []
    for (let at = 0; at + 1 < nodes.length; at += 2)
      above.push(nodeHash(nodes[at] as Buffer, nodes[at + 1] as Buffer))
    nodes = above
  }
  return nodes[0] as Buffer
}
