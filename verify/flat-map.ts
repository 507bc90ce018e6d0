const FIRST_SLOTS = 1024
/** A record never spans two pieces, so growing copies nothing. */
const PIECE = 2 ** 24
const PIECES_MAX = 256
const LENGTH_BYTES = 2
const LENGTH_MAX = 0xff_ff
const FNV_PRIME = 16_777_619

/**
 * A map of short texts in a few flat pieces of memory. A normal map with a million entries needs a million
 * objects each for keys and values, and about twice the memory.
 */
export class FlatMap {
  private count = 0
  /** By key hash: the record's index plus one, or 0. */
  private slots = new Uint32Array(FIRST_SLOTS)
  /** By index: the record's start. A record is key and value, each after its length. */
  private starts = new Uint32Array(FIRST_SLOTS / 2)
  private readonly pieces: Uint8Array[] = []
  /** Within the last piece. */
  private end = PIECE
  /** A random seed, so that a log's author can't choose colliding keys. */
  private readonly seed = crypto.getRandomValues(new Uint32Array(1))[0] as number
  private readonly key = new Uint8Array(LENGTH_MAX)
  private readonly value = new Uint8Array(LENGTH_MAX)
  private readonly encoder = new TextEncoder()
  private readonly decoder = new TextDecoder()

  get(key: string): string | undefined {
    const place = this.slots[this.slotOf(this.key, this.encode(key, this.key))] as number
    return place === 0 ? undefined : this.valueAt(this.starts[place - 1] as number)
  }

  /** Replaces an existing text; its old memory is not reused. */
  set(key: string, value: string): void {
    const keyLength = this.encode(key, this.key)
    const slot = this.slotOf(this.key, keyLength)
    const known = this.slots[slot] as number
    const start = this.write(keyLength, this.encode(value, this.value))
    if (known > 0) {
      this.starts[known - 1] = start
      return
    }
    this.starts[this.count] = start
    this.count += 1
    this.slots[slot] = this.count
    if (this.count * 2 === this.slots.length) this.grow()
  }

  *entries(): Generator<[key: string, value: string]> {
    for (let place = 0; place < this.count; place++) {
      const start = this.starts[place] as number
      yield [this.textAt(start), this.valueAt(start)]
    }
  }

  private encode(text: string, into: Uint8Array): number {
    const { read, written } = this.encoder.encodeInto(text, into)
    if (read < text.length) throw tooLong()
    return written
  }

  private pieceOf(start: number): Uint8Array {
    return this.pieces[Math.floor(start / PIECE)] as Uint8Array
  }

  private valueAt(start: number): string {
    return this.textAt(start + LENGTH_BYTES + lengthAt(this.pieceOf(start), start % PIECE))
  }

  /** The key or value at its length's position. */
  private textAt(start: number): string {
    const piece = this.pieceOf(start)
    const from = (start % PIECE) + LENGTH_BYTES
    return this.decoder.decode(piece.subarray(from, from + lengthAt(piece, start % PIECE)))
  }

  /** The key's slot, or the free one for it. */
  private slotOf(key: Uint8Array, length: number): number {
    const mask = this.slots.length - 1
    let slot = hashOf(key, length, this.seed) & mask
    for (; ; slot = (slot + 1) & mask) {
      const place = this.slots[slot] as number
      if (place === 0 || this.isKeyAt(this.starts[place - 1] as number, key, length)) return slot
    }
  }

  private isKeyAt(start: number, key: Uint8Array, length: number): boolean {
    const piece = this.pieceOf(start)
    const at = start % PIECE
    if (lengthAt(piece, at) !== length) return false
    for (let byte = 0; byte < length; byte++) if (piece[at + LENGTH_BYTES + byte] !== key[byte]) return false
    return true
  }

  private write(keyLength: number, valueLength: number): number {
    const needed = 2 * LENGTH_BYTES + keyLength + valueLength
    if (this.end + needed > PIECE) {
      if (this.pieces.length === PIECES_MAX) throw tooLong()
      this.pieces.push(new Uint8Array(PIECE))
      this.end = 0
    }
    const piece = this.pieces.at(-1) as Uint8Array
    const start = (this.pieces.length - 1) * PIECE + this.end
    for (const [bytes, length] of [
      [this.key, keyLength],
      [this.value, valueLength],
    ] as const) {
      piece[this.end] = length >> 8
      piece[this.end + 1] = length
      piece.set(bytes.subarray(0, length), this.end + LENGTH_BYTES)
      this.end += LENGTH_BYTES + length
    }
    return start
  }

  private grow(): void {
    this.slots = new Uint32Array(this.slots.length * 2)
    const starts = new Uint32Array(this.starts.length * 2)
    starts.set(this.starts)
    this.starts = starts
    const mask = this.slots.length - 1
    for (let place = 0; place < this.count; place++) {
      const start = starts[place] as number
      const piece = this.pieceOf(start)
      const at = start % PIECE
      const key = piece.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + lengthAt(piece, at))
      let slot = hashOf(key, key.length, this.seed) & mask
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask
      this.slots[slot] = place + 1
    }
  }
}

const tooLong = () => new RangeError('The log is too long to be folded here.')

const lengthAt = (piece: Uint8Array, at: number) => (piece[at] as number) * 256 + (piece[at + 1] as number)

/** FNV-1a over the key with a seed. */
function hashOf(key: Uint8Array, length: number, seed: number): number {
  let hash = seed
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ (key[at] as number), FNV_PRIME)
  return (hash ^ (hash >>> 15)) >>> 0
}
