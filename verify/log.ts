import { areEqual } from './bytes.ts'
import { LogFault } from './fault.ts'
import type { Site } from './site.ts'
import {
  BUNDLE_BYTES_MAX,
  checkUpperTile,
  entriesOf,
  hashesOf,
  TILE_BYTES_MAX,
  tileAt,
  upperTilesOf,
} from './tiles.ts'
import { GrowingTree, TILE_WIDTH, type TreeHash } from './tree.ts'

/** Tiles and bundles downloaded in parallel. */
const AHEAD = 6

/** Yields the promises in order, starting a few in advance. */
async function* inOrder<T>(count: number, begin: (index: number) => Promise<T>): AsyncGenerator<T> {
  const begun: Promise<T>[] = []
  for (let next = 0, index = 0; index < count; index++) {
    for (; next < count && next < index + AHEAD; next++) {
      const one = begin(next)
      // After a fault, later promises may fail unheard.
      one.catch(() => undefined)
      begun.push(one)
    }
    yield await (begun.shift() as Promise<T>)
  }
}

export interface Leaf {
  index: number
  bytes: Uint8Array
  hash: Uint8Array
}

/** From the start. Throws a LogFault if an entry does not match its level 0 tile. */
export async function* readLeaves(site: Site, hash: TreeHash, size: number): AsyncGenerator<Leaf[]> {
  const tiles = inOrder(Math.ceil(size / TILE_WIDTH), async (index) => {
    const tile = tileAt(0, index, size)
    const bundle = { ...tile, level: 'entries' as const }
    const [hashes, entries] = await Promise.all([
      site.tile(tile, TILE_BYTES_MAX),
      site.tile(bundle, BUNDLE_BYTES_MAX),
    ])
    return { first: index * TILE_WIDTH, hashes: hashesOf(tile, hashes), entries: entriesOf(bundle, entries) }
  })
  for await (const { first, hashes, entries } of tiles) {
    yield entries.map((bytes, at) => {
      const leaf = { index: first + at, bytes, hash: hash.ofLeaf(bytes) }
      if (areEqual(leaf.hash, hashes[at] as Uint8Array)) return leaf
      throw new LogFault(`Entry ${leaf.index} is not the one whose hash stands in its tile.`)
    })
  }
}

/** Checks that tiles above level 0 follow from the leaves, because proofs use them. */
export async function checkUpperTiles(site: Site, tree: GrowingTree): Promise<void> {
  const tiles = upperTilesOf(tree.size)
  const answers = inOrder(tiles.length, (index) =>
    site.tile(tiles[index] as (typeof tiles)[number], TILE_BYTES_MAX),
  )
  let index = 0
  for await (const bytes of answers) {
    checkUpperTile(tiles[index] as (typeof tiles)[number], bytes, tree.levels)
    index += 1
  }
}
