import { areEqual, base64FromBytes, bytesFromBase64, bytesFromText, hexFromBytes } from './bytes.ts'
import { LogFault } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { HASH_BYTES } from './tree.ts'

// Signed notes, checkpoints and cosignatures of witnesses: c2sp.org/signed-note, c2sp.org/tlog-checkpoint and
// c2sp.org/tlog-cosignature.

const ED25519 = 1
const COSIGNATURE = 4
const TIME_BYTES = 8
const KEY_ID_BYTES = 4
const PUBLIC_KEY_BYTES = 32
/** More than a note with sixteen signatures of the largest kind. */
const NOTE_LENGTH_MAX = 200_000

export interface VerifierKey {
  name: string
  id: Uint8Array
  publicKey: Uint8Array
  text: string
  /** For a replaced key: the list's length then, beyond which it signs nothing, whoever has the key. */
  until?: number
}

export interface Checkpoint {
  origin: string
  size: number
  root: Uint8Array
  /** The whole note, with all signatures. */
  text: string
}

function isKeyName(name: string): boolean {
  return name !== '' && !/[\s+\p{White_Space}]/u.test(name)
}

/** The first bytes of SHA-256 over name, newline, signature kind and key. */
function keyIdOf(sha256: Sha256, name: string, key: Uint8Array): Uint8Array {
  const named = bytesFromText(`${name}\n`)
  const bytes = new Uint8Array(named.length + key.length)
  bytes.set(named)
  bytes.set(key, named.length)
  return sha256(bytes).slice(0, KEY_ID_BYTES)
}

/** Parses `<name>+<hex of the id>+<base64 of kind and key>` of an Ed25519 key. */
export function parseVerifierKey(sha256: Sha256, text: string): VerifierKey {
  return parseKey(sha256, text, ED25519)
}

/** Parses a witness's key, which signs a checkpoint with its time. */
export function parseWitnessKey(sha256: Sha256, text: string): VerifierKey {
  return parseKey(sha256, text, COSIGNATURE)
}

function parseKey(sha256: Sha256, text: string, kind: number): VerifierKey {
  const [, name = '', id = '', encoded = ''] = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/.exec(text) ?? []
  const key = bytesFromBase64(encoded)
  if (!isKeyName(name) || key?.length !== 1 + PUBLIC_KEY_BYTES || key[0] !== kind) {
    const of = kind === COSIGNATURE ? 'witness' : 'signed note'
    throw new LogFault(`“${text}” is no Ed25519 verifier key of a ${of}.`)
  }
  const expected = keyIdOf(sha256, name, key)
  if (hexFromBytes(expected) !== id) {
    throw new LogFault(`The verifier key ${text} should have the id ${hexFromBytes(expected)}.`)
  }
  return { name, id: expected, publicKey: key.slice(1), text }
}

interface Signature {
  name: string
  id: Uint8Array
  signature: Uint8Array
}

function parseSignature(line: string): Signature {
  const [, name = '', encoded = ''] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? []
  const bytes = bytesFromBase64(encoded)
  if (!isKeyName(name) || bytes === undefined || bytes.length <= KEY_ID_BYTES) {
    throw new LogFault(`The note has a signature line of the wrong form: “${line}”.`)
  }
  return { name, id: bytes.slice(0, KEY_ID_BYTES), signature: bytes.slice(KEY_ID_BYTES) }
}

function splitNote(note: string): { text: string; signatures: Signature[] } {
  if (note.length > NOTE_LENGTH_MAX) throw new LogFault('The note is too long.')
  if (note.split('').some((character) => character < ' ' && character !== '\n')) {
    throw new LogFault('The note holds a control character.')
  }
  const end = note.lastIndexOf('\n\n')
  const lines = note.slice(end + 2)
  if (end === -1 || !lines.endsWith('\n')) throw new LogFault('The note has no signatures.')
  return { text: note.slice(0, end + 1), signatures: lines.slice(0, -1).split('\n').map(parseSignature) }
}

/** The first of these keys named in a text's signature lines, valid or not. */
export function signerOf(text: string, keys: readonly VerifierKey[]): VerifierKey | undefined {
  const lines = text.split('\n').filter((line) => line.startsWith('\u2014 '))
  const named = lines.map(parseSignature)
  return keys.find((key) => named.some(({ name, id }) => name === key.name && areEqual(id, key.id)))
}

/** Ignores other keys' signatures; this key's must be valid. */
export async function openNote(note: string, key: VerifierKey): Promise<string> {
  const { text, signatures } = splitNote(note)
  const own = signatures.filter(({ name, id }) => name === key.name && areEqual(id, key.id))
  if (own.length === 0) {
    const signers = signatures.map(({ name, id }) => `${name}+${hexFromBytes(id)}`).join(', ')
    throw new LogFault(`The note is not signed by ${key.name}+${hexFromBytes(key.id)}, but by ${signers}.`)
  }
  for (const { signature } of own) {
    if (!(await isSignedBy(key, text, signature)))
      throw new LogFault(`The signature of ${key.text} under the note is wrong.`)
  }
  return text
}

async function isSignedBy(key: VerifierKey, text: string, signature: Uint8Array): Promise<boolean> {
  const { subtle } = crypto
  const verifier = await subtle.importKey('raw', new Uint8Array(key.publicKey), 'Ed25519', false, ['verify'])
  return subtle.verify('Ed25519', verifier, new Uint8Array(signature), new Uint8Array(bytesFromText(text)))
}

// Rules: LOG-28
/** Each witness once, with the time (POSIX seconds). Throws for an invalid signature of one of them. */
export async function cosignersOf(
  note: string,
  witnesses: readonly VerifierKey[],
): Promise<{ key: VerifierKey; seconds: bigint }[]> {
  const { text, signatures } = splitNote(note)
  const found: { key: VerifierKey; seconds: bigint }[] = []
  for (const { name, id, signature } of signatures) {
    const key = witnesses.find((one) => one.name === name && areEqual(one.id, id))
    if (key === undefined || found.some((earlier) => earlier.key === key)) continue
    const seconds = signature.slice(0, TIME_BYTES).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
    const signed = `cosignature/v1\ntime ${seconds}\n${text}`
    if (!(await isSignedBy(key, signed, signature.slice(TIME_BYTES))))
      throw new LogFault(`The cosignature of ${key.text} under the checkpoint is wrong.`)
    found.push({ key, seconds })
  }
  return found
}

// Rules: LOG-16
/** Opens a checkpoint signed by the log's key, whose name is the log's origin. */
export async function openCheckpoint(note: string, key: VerifierKey): Promise<Checkpoint> {
  const lines = (await openNote(note, key)).slice(0, -1).split('\n')
  const [origin = '', sizeText = '', rootText = ''] = lines
  const root = bytesFromBase64(rootText)
  const size = /^(?:0|[1-9]\d{0,15})$/.test(sizeText) ? Number(sizeText) : Number.NaN
  if (lines.includes('') || !Number.isSafeInteger(size) || root?.length !== HASH_BYTES) {
    throw new LogFault(`The log signed what is no checkpoint: “${lines.join(' / ')}”.`)
  }
  if (origin !== key.name) {
    throw new LogFault(`The checkpoint is of the log ${origin}, its key of ${key.name}.`)
  }
  if (key.until !== undefined && size > key.until)
    throw new LogFault(
      `The key ${key.text} was replaced at the end of ${key.until} entries, and signed a list of ${size}.`,
    )
  return { origin, size, root, text: note }
}

/** Describes a size and a root. */
export function describeTree({ size, root }: { size: number; root: Uint8Array }): string {
  return `${size} entries with the root ${base64FromBytes(root)}`
}
