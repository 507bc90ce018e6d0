/** Buffers the requested bytes and one piece of the source. */
export class Bytes {
  readonly #source: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async take(length: number): Promise<Buffer> {
    const taken = await this.takeUpTo(length)
    if (taken.length < length) throw new Error('the file ends too early')
    return taken
  }

  /** Returns fewer than `length` bytes only at the source's end. */
  async takeUpTo(length: number): Promise<Buffer> {
    const pieces = [this.#held]
    let found = this.#held.length
    while (found < length) {
      const next = await this.#source.next()
      if (next.done) break
      pieces.push(next.value)
      found += next.value.length
    }
    const all = pieces.length === 1 ? this.#held : Buffer.concat(pieces)
    this.#held = all.subarray(length)
    return all.subarray(0, length)
  }

  /** With its line feed; throws if none ends within `lengthMax` bytes. */
  async takeLine(lengthMax: number): Promise<Buffer> {
    for (;;) {
      const end = this.#held.indexOf(10)
      if (end >= 0) return this.take(end + 1)
      if (this.#held.length > lengthMax) throw new Error('the file is not a backup')
      const next = await this.#source.next()
      if (next.done) throw new Error('the file ends too early')
      this.#held = Buffer.concat([this.#held, next.value])
    }
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held.length === 0) {
      const next = await this.#source.next()
      if (next.done) return true
      this.#held = next.value
    }
    return false
  }
}
