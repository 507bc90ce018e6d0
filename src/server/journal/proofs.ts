import { HASH_BYTES, nodeHash, perfectRoot, split, TILE_WIDTH, type TilePlace } from './tree.ts'

// Proofs of RFC 6962, sections 2.1.1 and 2.1.2, from tiles.

export const PROOF_HASHES_MAX = 63
/** Each tile level is eight tree levels higher. */
const TILE_HEIGHT = 8n

/** `end` is excluded. */
interface Range {
  readonly start: bigint
  readonly end: bigint
}

export type ReadTiles = (places: readonly TilePlace[]) => Promise<ReadonlyMap<string, Buffer>>

export const tileName = ({ level, number }: TilePlace) => `${level}/${number}`

/** Proves that the tree of `oldSize` entries is a prefix of that of `newSize`. */
export function consistencyProof(oldSize: bigint, newSize: bigint, read: ReadTiles): Promise<Buffer[]> {
  if (oldSize === 0n || oldSize === newSize) return Promise.resolve([])
  const ranges: Range[] = []
  let [start, end] = [0n, newSize]
  while (oldSize < end) {
    const middle = start + splitOf(end - start)
    const isLeft = oldSize <= middle
    ranges.unshift(isLeft ? { start: middle, end } : { start, end: middle })
    if (isLeft) end = middle
    else start = middle
  }
  // The caller knows the old root.
  return hashesOf(start === 0n ? ranges : [{ start, end }, ...ranges], read)
}

/** From the entry's sibling up to the root's child. */
export function inclusionProof(place: bigint, size: bigint, read: ReadTiles): Promise<Buffer[]> {
  const ranges: Range[] = []
  let [start, end] = [0n, size]
  while (end - start > 1n) {
    const middle = start + splitOf(end - start)
    const isLeft = place < middle
    ranges.unshift(isLeft ? { start: middle, end } : { start, end: middle })
    if (isLeft) end = middle
    else start = middle
  }
  return hashesOf(ranges, read)
}

/** From a leaf and its path (RFC 9162, section 2.1.3.2). */
export function rootOf(place: bigint, size: bigint, leaf: Buffer, path: readonly Buffer[]): Buffer {
  let [at, last, hash] = [place, size - 1n, leaf]
  for (const sibling of path) {
    const isRight = at % 2n === 1n || at === last
    hash = isRight ? nodeHash(sibling, hash) : nodeHash(hash, sibling)
    while (isRight && at % 2n === 0n && at !== 0n) [at, last] = [at / 2n, last / 2n]
    ;[at, last] = [at / 2n, last / 2n]
  }
  return hash
}

/** The largest power of two below `width`, which is at least 2. */
function splitOf(width: bigint): bigint {
  let power = 1n
  while (power * 2n < width) power *= 2n
  return power
}

/** Also how many of the tile's hashes the perfect subtree covers. */
function placeOf({ start, end }: Range): TilePlace & { readonly at: number; readonly count: number } {
  let level = 0n
  while (end - start >= 1n << (TILE_HEIGHT * (level + 1n))) level += 1n
  const span = 1n << (TILE_HEIGHT * level)
  const first = start / span
  const width = BigInt(TILE_WIDTH)
  return {
    level: Number(level),
    number: first / width,
    at: Number(first % width),
    count: Number((end - start) / span),
  }
}

/** Largest first. The range must start where its largest one can. */
function perfectRanges({ start, end }: Range): Range[] {
  const ranges: Range[] = []
  for (let at = start; at < end; ) {
    let width = 1n
    while (at + width * 2n <= end && at % (width * 2n) === 0n) width *= 2n
    ranges.push({ start: at, end: at + width })
    at += width
  }
  return ranges
}

async function hashesOf(ranges: readonly Range[], read: ReadTiles): Promise<Buffer[]> {
  const places = ranges.map((range) => perfectRanges(range).map(placeOf))
  const tiles = await read(places.flat())
  return places.map((parts) =>
    parts
      .map((part) => {
        const hashes = tiles
          .get(tileName(part))
          ?.subarray(part.at * HASH_BYTES, (part.at + part.count) * HASH_BYTES)
        if (hashes?.length !== part.count * HASH_BYTES) throw new Error(`tile ${tileName(part)} lacks hashes`)
        return perfectRoot(split(hashes))
      })
      .reduceRight((right, left) => nodeHash(left, right)),
  )
}

export interface TreeHead {
  readonly size: bigint
  readonly root: Buffer
}

// Rules: LOG-30
/** True if the proof leads from the older tree to the newer (RFC 9162, section 2.1.4.2). */
export function isConsistent(older: TreeHead, newer: TreeHead, proof: readonly Buffer[]): boolean {
  if (older.size === 0n) return proof.length === 0
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root)
  if (older.size > newer.size) return false
  let node = older.size - 1n
  let last = newer.size - 1n
  while (node % 2n === 1n) [node, last] = [node / 2n, last / 2n]
  const [first, ...path] = node === 0n ? [older.root, ...proof] : proof
  if (!first) return false
  let [oldRoot, newRoot] = [first, first]
  for (const sibling of path) {
    if (last === 0n) return false
    if (node % 2n === 1n || node === last) {
      oldRoot = nodeHash(sibling, oldRoot)
      newRoot = nodeHash(sibling, newRoot)
      while (node % 2n === 0n && node !== 0n) [node, last] = [node / 2n, last / 2n]
    } else {
      newRoot = nodeHash(newRoot, sibling)
    }
    node /= 2n
    last /= 2n
  }
  return last === 0n && oldRoot.equals(older.root) && newRoot.equals(newer.root)
}
