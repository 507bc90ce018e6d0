import { areEqual, base64FromBytes, bytesFromBase64 } from './bytes.ts'
import { Unchecked } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { type Checkpoint, openCheckpoint, parseVerifierKey, type VerifierKey } from './notes.ts'
import { HASH_BYTES, TILE_WIDTH } from './tree.ts'

/** A key that was replaced, and how many entries the list had then. */
export interface FormerKey {
  vkey: string
  until: number
}

/**
 * What is kept of a log between two looks: its key, its signed checkpoint, and enough hashes to say which entries are not what
 * they were, the one over each full tile and those of the leaves behind the last.
 */
export interface Seen {
  vkey: string
  /** Those before, from which a receipt may be, each with the longest list that it signed. */
  formerKeys: FormerKey[]
  checkpoint: string
  seenAt: string
  tiles: Uint8Array[]
  leaves: Uint8Array[]
}

/** What a state file holds. */
export function writeSeen({ tiles, leaves, ...rest }: Seen): string {
  const state = { v: 1, ...rest, tiles: tiles.map(base64FromBytes), leaves: leaves.map(base64FromBytes) }
  return `${JSON.stringify(state, null, 1)}\n`
}

/** Reads a state file again; one that is damaged is never taken for a first look. */
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

/** The first entries that are not what they were, as a sentence names them; undefined where all that can be compared are. */
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
