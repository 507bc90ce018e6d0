import { areEqual } from './bytes.ts'
import { LogFault } from './fault.ts'
import { fullSubtreesOf, HASH_BYTES, type Range, TILE_HEIGHT, TILE_WIDTH, type TreeHash } from './tree.ts'

// Tiles and entry bundles: c2sp.org/tlog-tiles.

export interface Tile {
  level: number | 'entries'
  index: number
  /** How many of its 256 places are filled at some size. */
  width: number
}

/** 256 times a two-byte length and the largest entry it allows. */
export const BUNDLE_BYTES_MAX = TILE_WIDTH * (2 + 65_535)
export const TILE_BYTES_MAX = TILE_WIDTH * HASH_BYTES

/** `tile/0/x001/x234/067`, and `.p/` with the width for a partial tile. */
export function pathOf({ level, index, width }: Tile): string {
  const parts: string[] = []
  for (let rest = index; parts.length === 0 || rest > 0; rest = Math.floor(rest / 1000)) {
    parts.unshift(`${parts.length > 0 ? 'x' : ''}${String(rest % 1000).padStart(3, '0')}`)
  }
  return `tile/${level}/${parts.join('/')}${width < TILE_WIDTH ? `.p/${width}` : ''}`
}

/** Entries below one hash of a level. */
const spanOf = (level: number) => TILE_WIDTH ** level

/** How many hashes of a level a tree has. */
export function hashesAt(level: number, size: number): number {
  return Math.floor(size / spanOf(level))
}

/** The tile `index` of a level in a tree of `size` entries. */
export function tileAt(level: number, index: number, size: number): Tile {
  return { level, index, width: Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH) }
}

/** Every tile above level 0 of a tree. */
export function upperTilesOf(size: number): (Tile & { level: number })[] {
  const tiles: (Tile & { level: number })[] = []
  for (let level = 1; hashesAt(level, size) > 0; level++) {
    const count = Math.ceil(hashesAt(level, size) / TILE_WIDTH)
    for (let index = 0; index < count; index++) tiles.push({ ...tileAt(level, index, size), level })
  }
  return tiles
}

/** A tile's hashes; more than its width if the full tile was served. */
export function hashesOf(tile: Tile, bytes: Uint8Array): Uint8Array[] {
  if (bytes.length !== tile.width * HASH_BYTES && bytes.length !== TILE_BYTES_MAX) {
    throw new LogFault(`${pathOf(tile)} has ${bytes.length} bytes instead of ${tile.width * HASH_BYTES}.`)
  }
  return Array.from({ length: tile.width }, (_, at) => bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES))
}

/** A bundle's entries; more than its width if the full one was served. */
export function entriesOf(tile: Tile, bytes: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const start = at + 2
    const end = start + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
    if (end > bytes.length) {
      throw new LogFault(`${pathOf(tile)} is cut in entry ${tile.index * TILE_WIDTH + entries.length}.`)
    }
    entries.push(bytes.subarray(start, end))
    at = end
  }
  if (entries.length !== tile.width && entries.length !== TILE_WIDTH) {
    throw new LogFault(`${pathOf(tile)} holds ${entries.length} entries instead of ${tile.width}.`)
  }
  return entries.slice(0, tile.width)
}

/** Checks that tiles above level 0 match the entries. */
export function checkUpperTile(
  tile: Tile & { level: number },
  bytes: Uint8Array,
  levels: readonly Uint8Array[][],
): void {
  hashesOf(tile, bytes).forEach((hash, at) => {
    const place = tile.index * TILE_WIDTH + at
    if (areEqual(hash, levels[tile.level]?.[place] ?? new Uint8Array())) return
    const start = place * spanOf(tile.level)
    throw new LogFault(
      `${pathOf(tile)} does not have the hash of the entries ${start} to ${start + spanOf(tile.level) - 1} at its place ${at}.`,
    )
  })
}

/** The hash over a range of a tree of `size` entries, from its tiles. */
export async function rangeHash(
  hash: TreeHash,
  range: Range,
  size: number,
  read: (tile: Tile) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const subtrees = await Promise.all(
    fullSubtreesOf(range).map(async ({ start, end }) => {
      const height = Math.log2(end - start)
      const level = Math.floor(height / TILE_HEIGHT)
      const first = start / spanOf(level)
      const tile = tileAt(level, Math.floor(first / TILE_WIDTH), size)
      const at = first % TILE_WIDTH
      let row = hashesOf(tile, await read(tile)).slice(at, at + (end - start) / spanOf(level))
      while (row.length > 1) row = pairsOf(row).map(([left, right]) => hash.ofNode(left, right))
      return row[0] as Uint8Array
    }),
  )
  return hash.ofSubtrees(subtrees)
}

function pairsOf(row: readonly Uint8Array[]): [Uint8Array, Uint8Array][] {
  return Array.from(
    { length: row.length / 2 },
    (_, at) => [row[2 * at], row[2 * at + 1]] as [Uint8Array, Uint8Array],
  )
}
