const HASH_BYTES = 32
const LENGTH_BYTES = 2
const FIRST_SLOTS = 1024
const FIRST_ARENA = 65_536
const ARENA_MAX = 2 ** 32

/**
 * A map from SHA-256 in hexadecimal to short texts of ASCII, in a few flat pieces of memory: a million entries of an ordinary map are a
 * million objects each of keys and values, of which the engine keeps twice as much as it needs.
 */
export class TextsByHash {
  private count = 0
  /** By the hash's first bytes: the place of the key plus one, or 0. */
  private slots = new Uint32Array(FIRST_SLOTS)
  private keys = new Uint8Array((FIRST_SLOTS / 2) * HASH_BYTES)
  /** By place: where in the arena the text begins, behind its length. */
  private starts = new Uint32Array(FIRST_SLOTS / 2)
  private arena = new Uint8Array(FIRST_ARENA)
  private end = 0
  private readonly key = new Uint8Array(HASH_BYTES)

  get(hash: string): string | undefined {
    this.readKey(hash)
    const place = this.slots[this.slotOf(this.key)] as number
    if (place === 0) return undefined
    const start = this.starts[place - 1] as number
    const length = (this.arena[start] as number) * 256 + (this.arena[start + 1] as number)
    return String.fromCharCode(...this.arena.subarray(start + LENGTH_BYTES, start + LENGTH_BYTES + length))
  }

  /** Replaces a text that is there; its old place in memory stays as it was. */
  set(hash: string, text: string): void {
    this.readKey(hash)
    const slot = this.slotOf(this.key)
    const known = this.slots[slot] as number
    const start = this.write(text)
    if (known > 0) {
      this.starts[known - 1] = start
      return
    }
    this.keys.set(this.key, this.count * HASH_BYTES)
    this.starts[this.count] = start
    this.count += 1
    this.slots[slot] = this.count
    if (this.count * 2 === this.slots.length) this.grow()
  }

  private readKey(hash: string): void {
    for (let at = 0; at < HASH_BYTES; at++) {
      this.key[at] = (nibble(hash.charCodeAt(2 * at)) << 4) | nibble(hash.charCodeAt(2 * at + 1))
    }
  }

  /** The slot of a key, or the free one where it belongs. */
  private slotOf(key: Uint8Array): number {
    const mask = this.slots.length - 1
    let slot = firstSlot(key, mask)
    for (; ; slot = (slot + 1) & mask) {
      const place = this.slots[slot] as number
      if (place === 0 || this.isKeyAt(place - 1, key)) return slot
    }
  }

  private isKeyAt(place: number, key: Uint8Array): boolean {
    const start = place * HASH_BYTES
    for (let at = 0; at < HASH_BYTES; at++) if (this.keys[start + at] !== key[at]) return false
    return true
  }

  private write(text: string): number {
    const start = this.end
    const end = start + LENGTH_BYTES + text.length
    if (text.length > 0xff_ff || end > ARENA_MAX)
      throw new RangeError('The log is too long to be folded here.')
    while (end > this.arena.length) this.arena = grown(this.arena, new Uint8Array(this.arena.length * 2))
    this.arena[start] = text.length >> 8
    this.arena[start + 1] = text.length
    for (let at = 0; at < text.length; at++) this.arena[start + LENGTH_BYTES + at] = text.charCodeAt(at)
    this.end = end
    return start
  }

  private grow(): void {
    this.slots = new Uint32Array(this.slots.length * 2)
    this.keys = grown(this.keys, new Uint8Array(this.keys.length * 2))
    this.starts = grown(this.starts, new Uint32Array(this.starts.length * 2))
    for (let place = 0; place < this.count; place++) {
      const key = this.keys.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)
      this.slots[this.slotOf(key)] = place + 1
    }
  }
}

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

function firstSlot(key: Uint8Array, mask: number): number {
  let word = 0
  for (let at = 0; at < 4; at++) word = (word << 8) | (key[at] as number)
  return word & mask
}

/** The value of a lower-case hexadecimal digit. */
function nibble(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57
}
