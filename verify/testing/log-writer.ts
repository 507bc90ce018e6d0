import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

// A simple log for tests by its specifications, independent of the verifier.

const WIDTH = 256

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export function leafHash(entry: Uint8Array): Buffer {
  return sha256(Uint8Array.of(0), entry)
}

/** RFC 6962, section 2.1: the Merkle tree hash of leaf hashes. */
export function treeHash(leaves: readonly Buffer[], start = 0, end = leaves.length): Buffer {
  if (start === end) return sha256()
  if (end - start === 1) return leaves[start] as Buffer
  let split = 1
  while (split * 2 < end - start) split *= 2
  return sha256(
    Uint8Array.of(1),
    treeHash(leaves, start, start + split),
    treeHash(leaves, start + split, end),
  )
}

export function inclusionProof(
  leaves: readonly Buffer[],
  index: number,
  start = 0,
  end = leaves.length,
): Buffer[] {
  if (end - start <= 1) return []
  let split = 1
  while (split * 2 < end - start) split *= 2
  const middle = start + split
  if (index < middle) return [...inclusionProof(leaves, index, start, middle), treeHash(leaves, middle, end)]
  return [...inclusionProof(leaves, index, middle, end), treeHash(leaves, start, middle)]
}

/** RFC 6962, section 2.1.2: from the first `old` leaves to all. */
export function consistencyProof(leaves: readonly Buffer[], old: number): Buffer[] {
  const proof = (start: number, end: number, isWhole: boolean): Buffer[] => {
    if (old === end) return isWhole ? [] : [treeHash(leaves, start, end)]
    let split = 1
    while (split * 2 < end - start) split *= 2
    const middle = start + split
    if (old <= middle) return [...proof(start, middle, isWhole), treeHash(leaves, middle, end)]
    return [...proof(middle, end, false), treeHash(leaves, start, middle)]
  }
  return proof(0, leaves.length, true)
}

export interface LogKey {
  privateKey: KeyObject
  vkey: string
}

export function makeKey(name: string, kind = 1): LogKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const key = Buffer.concat([Uint8Array.of(kind), raw])
  const id = sha256(Buffer.from(`${name}\n`), key).subarray(0, 4)
  return { privateKey, vkey: `${name}+${id.toString('hex')}+${key.toString('base64')}` }
}

/** Adds a witness's line, whose key is `makeKey(name, 4)`, to a note. */
export function cosigned(note: string, { privateKey, vkey }: LogKey, seconds: number): string {
  const [name = '', id = ''] = vkey.split('+')
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1)
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(seconds))
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), privateKey)
  return `${note}— ${name} ${Buffer.concat([Buffer.from(id, 'hex'), time, signature]).toString('base64')}\n`
}

/** JSON with sorted names, which is canonical for the tests' data. */
export function jsonOf(value: unknown): string {
  const sorted = (inner: unknown): unknown =>
    inner === null || typeof inner !== 'object' || Array.isArray(inner)
      ? Array.isArray(inner)
        ? inner.map(sorted)
        : inner
      : Object.fromEntries(
          Object.entries(inner)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, field]) => [name, sorted(field)]),
        )
  return JSON.stringify(sorted(value))
}

export class LogWriter {
  readonly origin: string
  key: LogKey
  entries: Buffer[] = []
  private leaves: Buffer[] = []
  /** The checkpoints at which keys were replaced. */
  readonly rotations: string[] = []
  /** Sizes with a signed checkpoint; only these have partial tiles. */
  readonly signed = new Set<number>()
  /** Files served instead of the log's; null: missing. */
  readonly instead = new Map<string, Uint8Array | null>()

  constructor(origin = 'sale.example/journal', key = makeKey(origin)) {
    this.origin = origin
    this.key = key
  }

  append(...entries: unknown[]): void {
    for (const entry of entries) this.appendBytes(Buffer.from(jsonOf(entry)))
  }

  appendBytes(bytes: Buffer): void {
    this.entries.push(bytes)
    this.leaves.push(leafHash(bytes))
  }

  rewritten(change: (entries: Record<string, unknown>[]) => unknown[]): LogWriter {
    const other = new LogWriter(this.origin, this.key)
    other.append(...change(this.entries.map((entry) => JSON.parse(entry.toString()))))
    return other
  }

  leavesAt(size: number): Buffer[] {
    return this.leaves.slice(0, size)
  }

  checkpoint(size = this.entries.length): string {
    this.signed.add(size)
    return this.note(`${this.origin}\n${size}\n${treeHash(this.leavesAt(size)).toString('base64')}\n`)
  }

  note(text: string): string {
    const [name, id = ''] = this.key.vkey.split('+')
    const signature = sign(null, Buffer.from(text), this.key.privateKey)
    const line = Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')
    return `${text}\n\u2014 ${name} ${line}\n`
  }

  /** Replaces the key, with an entry; by default both keys sign the change. */
  rekey(at: string, next = makeKey(this.origin), signers?: readonly LogKey[]): void {
    const previous = this.key
    const number = this.rotations.length + 1
    this.append({
      v: 1,
      kind: 'journal.rekeyed',
      at,
      row: `journal/${number}`,
      previous: previous.vkey,
      vkey: next.vkey,
    })
    const [signed = '', ...more] = (signers ?? [previous, next]).map((key) => {
      this.key = key
      return this.checkpoint()
    })
    this.rotations.push(signed + more.map((note) => note.slice(note.lastIndexOf('\n\n') + 2)).join(''))
    this.key = next
  }

  proof(index: number, size = this.entries.length): string {
    const hashes = inclusionProof(this.leavesAt(size), index).map((hash) => hash.toString('base64'))
    const extra = `extra ${this.entries[index]?.toString('base64')}`
    return `${['c2sp.org/tlog-proof@v1', extra, `index ${index}`, ...hashes].join('\n')}\n\n${this.checkpoint(size)}`
  }

  /** A file below `/journal/`. */
  file(path: string): Uint8Array | undefined {
    const instead = this.instead.get(path)
    if (instead !== undefined) return instead ?? undefined
    if (path === 'checkpoint') return Buffer.from(this.checkpoint())
    if (path === 'vkey') return Buffer.from(`${this.key.vkey}\n`)
    const [, number] = /^rotation\/(\d+)$/.exec(path) ?? []
    if (number !== undefined) {
      const note = this.rotations[Number(number) - 1]
      return note === undefined ? undefined : Buffer.from(note)
    }
    const [, level = '', place = '', partial] =
      /^tile\/(entries|\d+)\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d+))?$/.exec(path) ?? []
    if (level === '') return undefined
    const index = Number(place.replaceAll(/[x/]/g, ''))
    return this.tile(level, index, partial === undefined ? WIDTH : Number(partial))
  }

  private tile(level: string, index: number, width: number): Uint8Array | undefined {
    const span = level === 'entries' ? 1 : WIDTH ** Number(level)
    const start = index * WIDTH
    const isServed = [...this.signed].some((size) => {
      const hashes = Math.floor(size / span)
      return width === WIDTH ? hashes >= start + WIDTH : hashes - start === width
    })
    if (!isServed) return undefined
    const places = Array.from({ length: width }, (_, at) => start + at)
    if (level !== 'entries') {
      return Buffer.concat(places.map((at) => treeHash(this.leaves, at * span, (at + 1) * span)))
    }
    return bundleOf(places.map((at) => this.entries[at] as Buffer))
  }
}

export function bundleOf(entries: readonly Buffer[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => [Uint8Array.of(Math.floor(entry.length / 256), entry.length % 256), entry]),
  )
}
