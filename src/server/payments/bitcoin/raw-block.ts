import { createHash } from 'node:crypto'

/**
 * Raw blocks have the same form in every fork of Core, unlike JSON: Dogecoin's getblock has no verbosity,
 * Litecoin's JSON differs. Includes segwit (BIP 144), Litecoin's HogEx (LIP 2) and Dogecoin's merge-mining
 * header.
 */
export interface RawTransaction {
  /** Computed on first use. */
  readonly id: string
  /** Outpoints `txid:n`; empty for a coinbase. */
  readonly inputs: readonly string[]
  readonly outputs: readonly { readonly value: bigint; readonly script: Buffer }[]
}

export interface RawBlock {
  readonly hash: string
  readonly parent: string
  readonly minedAt: Date
  readonly transactions: readonly RawTransaction[]
}

const HEADER_BYTES = 80
const AUXPOW_FLAG = 0x100
const SEGWIT_FLAG = 1
const MWEB_FLAG = 8
const NO_TRANSACTION = '0'.repeat(64)

// Rules: SETTLE-20
/** Checks the block against its header. */
export function parseBlock(bytes: Buffer): RawBlock {
  const reader = new Reader(bytes)
  const header = reader.take(HEADER_BYTES)
  const version = header.readUInt32LE(0)
  // Dogecoin's chain id is beside the flag in the version's upper half; Bitcoin's version bits (BIP 9) start
  // with 001.
  if ((version & AUXPOW_FLAG) !== 0 && version >>> 29 !== 1) skipAuxPow(reader)
  const count = reader.varint()
  const transactions: RawTransaction[] = []
  for (let index = 0; index < count; index += 1) transactions.push(readTransaction(reader))
  if (!merkleRoot(transactions.map(({ id }) => id)).equals(header.subarray(36, 68)))
    throw new Error('a block that does not hold what its header says')
  return {
    hash: reversedHex(doubleSha256(header)),
    parent: reversedHex(header.subarray(4, 36)),
    minedAt: new Date(header.readUInt32LE(68) * 1000),
    transactions,
  }
}

export function parseTransaction(bytes: Buffer): RawTransaction {
  return readTransaction(new Reader(bytes))
}

function readTransaction(reader: Reader): RawTransaction {
  const version = reader.take(4)
  let flags = 0
  if (reader.peek() === 0) {
    reader.take(1)
    flags = reader.take(1)[0] ?? 0
  }
  const bodyStart = reader.offset
  const inputs: string[] = []
  const inputCount = reader.varint()
  for (let index = 0; index < inputCount; index += 1) {
    const previous = reversedHex(reader.take(32))
    const position = reader.take(4).readUInt32LE(0)
    reader.take(reader.varint())
    reader.take(4)
    if (previous !== NO_TRANSACTION) inputs.push(`${previous}:${position}`)
  }
  const outputs: { value: bigint; script: Buffer }[] = []
  const outputCount = reader.varint()
  for (let index = 0; index < outputCount; index += 1) {
    const value = reader.take(8).readBigUInt64LE(0)
    outputs.push({ value, script: reader.take(reader.varint()) })
  }
  const bodyEnd = reader.offset
  if ((flags & SEGWIT_FLAG) !== 0) {
    for (let index = 0; index < inputCount; index += 1) {
      const items = reader.varint()
      for (let item = 0; item < items; item += 1) reader.take(reader.varint())
    }
  }
  // One zero byte in a block; in the mempool perhaps data that only Litecoin can read.
  if ((flags & MWEB_FLAG) !== 0 && reader.take(1)[0] !== 0)
    throw new Error('a transaction with data of an extension block')
  const lockTime = reader.take(4)
  const body = reader.bytes.subarray(bodyStart, bodyEnd)
  let id: string | undefined
  return {
    get id() {
      id ??= reversedHex(doubleSha256(version, body, lockTime))
      return id
    },
    inputs,
    outputs,
  }
}

/** The parent chain's coinbase, two Merkle branches and the parent's header (Dogecoin Core, auxpow.h). */
function skipAuxPow(reader: Reader): void {
  readTransaction(reader)
  reader.take(32)
  for (let branch = 0; branch < 2; branch += 1) {
    reader.take(reader.varint() * 32)
    reader.take(4)
  }
  reader.take(HEADER_BYTES)
}

class Reader {
  readonly bytes: Buffer
  offset = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  take(length: number): Buffer {
    const end = this.offset + length
    if (end > this.bytes.length) throw new Error('a block that ends too early')
    const part = this.bytes.subarray(this.offset, end)
    this.offset = end
    return part
  }

  peek(): number {
    return this.bytes[this.offset] ?? -1
  }

  varint(): number {
    const first = this.take(1)[0] ?? 0
    if (first < 0xfd) return first
    if (first === 0xfd) return this.take(2).readUInt16LE(0)
    if (first === 0xfe) return this.take(4).readUInt32LE(0)
    return Number(this.take(8).readBigUInt64LE(0))
  }
}

function doubleSha256(...parts: Buffer[]): Buffer {
  const inner = createHash('sha256')
  for (const part of parts) inner.update(part)
  return createHash('sha256').update(inner.digest()).digest()
}

/** The last id of an odd row is doubled. */
function merkleRoot(ids: readonly string[]): Buffer {
  let row: Buffer[] = ids.map((id) => Buffer.from(Buffer.from(id, 'hex').toReversed()))
  while (row.length > 1) {
    const pairs = row.flatMap((left, at) => (at % 2 === 0 ? [[left, row[at + 1] ?? left]] : []))
    row = pairs.map((pair) => doubleSha256(...pair))
  }
  return row[0] ?? Buffer.alloc(0)
}

/** As hashes are displayed. */
function reversedHex(bytes: Buffer): string {
  return Buffer.from(bytes.toReversed()).toString('hex')
}
