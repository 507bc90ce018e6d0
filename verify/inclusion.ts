import { areEqual, bytesFromBase64, textFromBytes } from './bytes.ts'
import { LogFault } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { type Checkpoint, describeTree, openCheckpoint, type VerifierKey } from './notes.ts'
import { HASH_BYTES, rootFromInclusion, TreeHash } from './tree.ts'

// Receipts: c2sp.org/tlog-proof, with the entry as extra data.

const HEADER = 'c2sp.org/tlog-proof@v1'

export interface Proven {
  index: number
  /** The entry's JSON. */
  entry: string
  checkpoint: Checkpoint
}

interface Proof {
  entry: Uint8Array
  index: number
  hashes: Uint8Array[]
  /** The signed checkpoint. */
  note: string
}

function parseProof(text: string): Proof {
  const end = text.indexOf('\n\n')
  const [header, extra = '', place = '', ...path] = text.slice(0, end).split('\n')
  if (end === -1 || header !== HEADER)
    throw new LogFault(`This is no proof: its first line is not ${HEADER}.`)
  const entry = bytesFromBase64(/^extra (.+)$/.exec(extra)?.[1] ?? '')
  if (entry === undefined || entry.length === 0)
    throw new LogFault('The proof does not hold its entry as extra data.')
  const index = Number(/^index (0|[1-9]\d{0,15})$/.exec(place)?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(index)) throw new LogFault(`The proof has no index: “${place}”.`)
  const hashes = path.map((line) => {
    const hash = bytesFromBase64(line)
    if (hash?.length !== HASH_BYTES) throw new LogFault(`The proof has a line that is no hash: “${line}”.`)
    return hash
  })
  return { entry, index, hashes, note: text.slice(end + 2) }
}

/**
 * Whatever the entry's content; throws a LogFault with the reason if the log with this key did not sign a
 * tree with it.
 */
export async function checkInclusion(sha256: Sha256, text: string, key: VerifierKey): Promise<Proven> {
  const { entry, index, hashes, note } = parseProof(text)
  const checkpoint = await openCheckpoint(note, key)
  const { size } = checkpoint
  const hash = new TreeHash(sha256)
  const root = rootFromInclusion(hash, { index, size }, hash.ofLeaf(entry), hashes)
  if (root === undefined || !areEqual(root, checkpoint.root)) {
    throw new LogFault(`The entry is not number ${index} of ${describeTree(checkpoint)}.`)
  }
  const said = textFromBytes(entry)
  if (said === undefined) throw new LogFault(`Entry ${index} is no text in UTF-8.`)
  return { index, entry: said, checkpoint }
}
