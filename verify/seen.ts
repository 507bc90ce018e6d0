import { areEqual, base64FromBytes, bytesFromBase64 } from './bytes.ts'
import { Unchecked } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { type Checkpoint, openCheckpoint, parseVerifierKey, type VerifierKey } from './notes.ts'
import { HASH_BYTES, TILE_WIDTH } from './tree.ts'

export interface FormerKey {
  vkey: string
  until: number
}

/**
 * The state of a log between two checks: key, signed checkpoint, and hashes to locate changed entries: one
 * per full tile, and those of the remaining leaves.
 */
export interface Seen {
  vkey: string
  /** Former keys, each with the longest list it signed. */
  formerKeys: FormerKey[]
  checkpoint: string
  seenAt: string
  tiles: Uint8Array[]
  leaves: Uint8Array[]
}

/** The state file's content. */
export function writeSeen({ tiles, leaves, ...rest }: Seen): string {
  const state = { v: 1, ...rest, tiles: tiles.map(base64FromBytes), leaves: leaves.map(base64FromBytes) }
  return `${JSON.stringify(state, null, 1)}\n`
}

/** Throws if the file is damaged, so that it never counts as a first check. */
export async function readSeen(
  sha256: Sha256,
  text: string,
): Promise<Seen & { key: VerifierKey; former: VerifierKey[]; tree: Checkpoint }> {
  try {
    const { v, vkey, formerKeys = [], checkpoint, seenAt, tiles, leaves } = JSON.parse(text)
    if (v !== 1 || typeof seenAt !== 'string') throw new Error('it is of another version')
    const key = parseVerifierKey(sha256, vkey)
    const tree = await openCheckpoint(checkpoint, key)
    const former = formerKeys.map(({ vkey: replaced, until }: FormerKey) => {
      if (!Number.isSafeInteger(until)) throw new Error('when a key was replaced is missing')
      return { ...parseVerifierKey(sha256, replaced), until }
    })
    const seen = {
      vkey,
      formerKeys,
      checkpoint,
      seenAt,
      tiles: tiles.map(hashFrom),
      leaves: leaves.map(hashFrom),
    }
    if (seen.tiles.length * TILE_WIDTH + seen.leaves.length !== tree.size)
      throw new Error('hashes are missing')
    return { ...seen, key, former, tree }
  } catch (error) {
    throw new Unchecked('The state of the last look can’t be read', { cause: error })
  }
}

function hashFrom(text: string): Uint8Array {
  const hash = bytesFromBase64(text)
  if (hash?.length !== HASH_BYTES) throw new Error('a hash is none')
  return hash
}

export function changedSince(
  seen: Seen,
  now: Pick<Seen, 'tiles'> & { leaves: Uint8Array[] },
): string | undefined {
  const isOther = (a: Uint8Array, b: Uint8Array | undefined) => b !== undefined && !areEqual(a, b)
  const tile = seen.tiles.findIndex((hash, at) => isOther(hash, now.tiles[at]))
  if (tile !== -1)
    return `the first that differ are among entries ${tile * TILE_WIDTH} to ${(tile + 1) * TILE_WIDTH - 1}`
  const leaf = seen.leaves.findIndex((hash, at) => isOther(hash, now.leaves[at]))
  return leaf === -1 ? undefined : `the first that differs is entry ${seen.tiles.length * TILE_WIDTH + leaf}`
}
