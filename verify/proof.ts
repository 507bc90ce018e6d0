import { bytesFromText } from './bytes.ts'
import { readNewest } from './check.ts'
import { parseEntry } from './entries.ts'
import { LogFault, Unchecked } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { checkInclusion, type Proven } from './inclusion.ts'
import { type Checkpoint, describeTree, type VerifierKey } from './notes.ts'
import type { Site } from './site.ts'
import { rangeHash, TILE_BYTES_MAX } from './tiles.ts'
import { consistencyRangesOf, isConsistent, TreeHash } from './tree.ts'

/** Checks a proof, and that its entry is of a known kind. */
export async function checkProof(sha256: Sha256, text: string, key: VerifierKey): Promise<Proven> {
  const proven = await checkInclusion(sha256, text, key)
  parseEntry(bytesFromText(proven.entry))
  return proven
}

/**
 * Newest known key `key`. Returns today's checkpoint. A key that nobody has followed can't be trusted on
 * the site's word; only the whole log can confirm it.
 */
export async function checkStillThere(
  site: Site,
  sha256: Sha256,
  key: VerifierKey,
  older: Checkpoint,
): Promise<Checkpoint> {
  const shown = await readNewest(site, sha256)
  if (shown.key.text !== key.text)
    throw new Unchecked(`The site’s journal has another key than ${key.text}. ${lookAtAll(site)}`)
  const newer = shown.checkpoint
  const broken = `The log of today, ${describeTree(newer)}, does not begin with that of the receipt, ${describeTree(older)}.`
  if (newer.size < older.size) throw new LogFault(broken)
  const hash = new TreeHash(sha256)
  const proof = await Promise.all(
    consistencyRangesOf(older.size, newer.size).map((range) =>
      rangeHash(hash, range, newer.size, (tile) => site.tile(tile, TILE_BYTES_MAX)),
    ),
  )
  if (!isConsistent(hash, older, newer, proof)) throw new LogFault(broken)
  return newer
}

/** Advice if a site shows a key that was not followed from the known one. */
export const lookAtAll = ({ url }: Site): string =>
  `Whether that was replaced by its owner is in the whole log: npm run verify -- ${url}`
