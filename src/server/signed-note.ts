import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'

// C2SP signed-note, tlog-checkpoint and tlog-cosignature.

/** `cosignature` signs the note with the time at which a checkpoint was seen. */
const KINDS = { log: 1, cosignature: 4 } as const
export type KeyKind = keyof typeof KINDS

const KEY_ID_BYTES = 4
const PUBLIC_KEY_BYTES = 32
const TIME_BYTES = 8
const ROOT_BYTES = 32
/** DER prefix of an Ed25519 public key. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
/** Sixteen signatures of the largest kind need less. */
export const NOTE_BYTES_MAX = 200_000

export interface NoteKey {
  readonly name: string
  readonly kind: KeyKind
  readonly id: Buffer
  readonly publicKey: Buffer
  /** In signed-note format. */
  readonly vkey: string
}

/** `text` is the signed text. */
export interface Checkpoint {
  readonly origin: string
  readonly size: bigint
  readonly root: Buffer
  readonly text: string
}

/** PKCS #8 in base64. */
export function newNoteKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
}

export class NoteSigner {
  readonly #key: KeyObject
  readonly #own: NoteKey

  /** `key`: of `newNoteKey`. */
  constructor(name: string, key: string, kind: KeyKind = 'log') {
    this.#key = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })
    const spki = createPublicKey(this.#key).export({ type: 'spki', format: 'der' })
    this.#own = noteKey(name, kind, spki.subarray(SPKI_HEAD.length))
  }

  get vkey(): string {
    return this.#own.vkey
  }

  signCheckpoint(size: bigint, root: Buffer): string {
    const text = `${this.#own.name}\n${size}\n${root.toString('base64')}\n`
    return this.signAlso(`${text}\n`)
  }

  signAlso(note: string): string {
    const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
    return `${note}${this.#line(sign(null, Buffer.from(text), this.#key))}`
  }

  /** The line says: at this time, the log's newest seen tree was that of `text`. */
  cosign(text: string, at: Date): string {
    const seconds = Math.floor(at.getTime() / 1000)
    const time = Buffer.alloc(TIME_BYTES)
    time.writeBigUInt64BE(BigInt(seconds))
    return this.#line(Buffer.concat([time, sign(null, Buffer.from(cosigned(text, seconds)), this.#key)]))
  }

  #line(signature: Buffer): string {
    return `— ${this.#own.name} ${Buffer.concat([this.#own.id, signature]).toString('base64')}\n`
  }
}

const cosigned = (text: string, seconds: number | bigint) => `cosignature/v1\ntime ${seconds}\n${text}`

function noteKey(name: string, kind: KeyKind, publicKey: Buffer): NoteKey {
  const key = Buffer.concat([Buffer.from([KINDS[kind]]), publicKey])
  const id = createHash('sha256').update(`${name}\n`).update(key).digest().subarray(0, KEY_ID_BYTES)
  return { name, kind, id, publicKey, vkey: `${name}+${id.toString('hex')}+${key.toString('base64')}` }
}

/** Undefined for another kind or text. */
export function parseNoteKey(text: string, kind: KeyKind): NoteKey | undefined {
  const [, name = '', encoded = ''] = /^([^+]+)\+[0-9a-f]{8}\+(.+)$/.exec(text) ?? []
  const key = Buffer.from(encoded, 'base64')
  if (!isKeyName(name) || key.length !== 1 + PUBLIC_KEY_BYTES || key[0] !== KINDS[kind]) return undefined
  const parsed = noteKey(name, kind, key.subarray(1))
  return parsed.vkey === text ? parsed : undefined
}

const isKeyName = (name: string) => name !== '' && !/[\s+\p{White_Space}\p{Cc}]/u.test(name)

interface SignatureLine {
  readonly name: string
  readonly id: Buffer
  readonly signature: Buffer
  /** Includes the newline. */
  readonly line: string
}

/** Undefined for an invalid note. */
export function splitNote(note: string): { text: string; signatures: SignatureLine[] } | undefined {
  if (note.length > NOTE_BYTES_MAX || holdsControlCharacter(note)) return undefined
  const end = note.lastIndexOf('\n\n')
  if (end === -1) return undefined
  const signatures = parseSignatures(note.slice(end + 2))
  return signatures && { text: note.slice(0, end + 1), signatures }
}

function holdsControlCharacter(note: string): boolean {
  for (const character of note) if (character < ' ' && character !== '\n') return true
  return false
}

/** Parses at least one line; undefined if a line is invalid. */
export function parseSignatures(lines: string): SignatureLine[] | undefined {
  if (!lines.endsWith('\n')) return undefined
  const signatures: SignatureLine[] = []
  for (const line of lines.slice(0, -1).split('\n')) {
    const [, name = '', encoded = ''] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? []
    const bytes = bytesOf(encoded)
    if (!isKeyName(name) || !bytes || bytes.length <= KEY_ID_BYTES) return undefined
    signatures.push({
      name,
      id: bytes.subarray(0, KEY_ID_BYTES),
      signature: bytes.subarray(KEY_ID_BYTES),
      line: `${line}\n`,
    })
  }
  return signatures
}

/** Undefined if not in canonical form. */
export function bytesOf(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 ? bytes : undefined
}

/** Undefined if the text is no checkpoint. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const lines = text.slice(0, -1).split('\n')
  const [origin = '', size = '', encoded = ''] = lines
  const root = bytesOf(encoded)
  if (!text.endsWith('\n') || lines.includes('') || root?.length !== ROOT_BYTES) return undefined
  const parsed = parseSize(size)
  return parsed === undefined ? undefined : { origin, size: parsed, root, text }
}

/** Decimal without leading zeros, below 2^63; else undefined. */
export function parseSize(text: string): bigint | undefined {
  if (!/^(?:0|[1-9]\d{0,18})$/.test(text)) return undefined
  const size = BigInt(text)
  return size < 2n ** 63n ? size : undefined
}

// Rules: LOG-28
/**
 * Verifies the first line of each key; undefined if one is invalid. Skips other keys and repeats: anybody can
 * copy lines, and each verification costs time. A cosignature has a time.
 */
export function verifiedLines(
  text: string,
  signatures: readonly SignatureLine[],
  keys: readonly NoteKey[],
): { line: string; key: NoteKey; at: Date | null }[] | undefined {
  const found: { line: string; key: NoteKey; at: Date | null }[] = []
  for (const one of signatures) {
    const key = keys.find(({ name, id }) => name === one.name && id.equals(one.id))
    if (!key || found.some((earlier) => earlier.key === key)) continue
    const at = verifiedTime(text, one.signature, key)
    if (at === undefined) return undefined
    found.push({ line: one.line, key, at })
  }
  return found
}

/** Null for a valid signature without time; undefined if invalid. */
function verifiedTime(text: string, signature: Buffer, key: NoteKey): Date | null | undefined {
  const spki = Buffer.concat([SPKI_HEAD, key.publicKey])
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  if (key.kind === 'log') return verify(null, Buffer.from(text), publicKey, signature) ? null : undefined
  if (signature.length <= TIME_BYTES) return undefined
  const seconds = signature.readBigUInt64BE()
  const isGood = verify(null, Buffer.from(cosigned(text, seconds)), publicKey, signature.subarray(TIME_BYTES))
  // Later times are beyond the range of Date.
  return isGood && seconds <= 8_640_000_000_000n ? new Date(Number(seconds) * 1000) : undefined
}
