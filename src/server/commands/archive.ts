import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

// A backup's file: gzip over JSON lines, each of which may be followed by a body of length-prefixed chunks that ends
// with an empty one. Gzip's own checksum finds a damaged file, its end marker one that is cut short.

export interface ArchiveWriter {
  writeLine(value: unknown): Promise<void>
  /** Returns a promise only when there is something to wait for. */
  writeChunk(chunk: Buffer): Promise<void> | undefined
  endBody(): Promise<void>
  close(): Promise<void>
}

export interface ArchiveReader {
  readLine<T>(): Promise<T>
  /** The body that follows the line just read; to be read to its end. */
  readBody(): AsyncIterable<Buffer>
  close(): void
}

const LINE_LENGTH_MAX = 10_000_000

export function writeArchive(path: string): ArchiveWriter {
  const gzip = createGzip({ level: 6 })
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  gzip.pipe(file)
  const isDone = finished(file)
  // The next write, or close, throws the error; here it is only kept from being unheard.
  isDone.catch(() => undefined)
  file.on('error', () => gzip.destroy())
  gzip.on('error', () => file.destroy())
  // All writers share one wait, because the database's connection brings several chunks before it pauses.
  let drained: Promise<void> | undefined
  const write = (buffer: Buffer): Promise<void> | undefined => {
    if (gzip.write(buffer)) return undefined
    drained ??= Promise.race([once(gzip, 'drain').then(() => undefined), isDone]).finally(() => {
      drained = undefined
    })
    return drained
  }
  return {
    async writeLine(value) {
      await write(Buffer.from(`${JSON.stringify(value)}\n`))
    },
    writeChunk(chunk) {
      if (chunk.length === 0) return undefined
      return write(Buffer.concat([lengthOf(chunk.length), chunk]))
    },
    async endBody() {
      await write(lengthOf(0))
    },
    async close() {
      gzip.end()
      await isDone
    },
  }
}

export function readArchive(path: string): ArchiveReader {
  const file = createReadStream(path)
  const stream = file.pipe(createGunzip())
  file.on('error', (error) => stream.destroy(error))
  const source = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let buffer: Buffer = Buffer.alloc(0)

  async function more(): Promise<void> {
    const next = await source.next()
    if (next.done) throw new Error('the file ends too early')
    buffer = buffer.length === 0 ? next.value : Buffer.concat([buffer, next.value])
  }
  async function take(length: number): Promise<Buffer> {
    while (buffer.length < length) await more()
    const taken = buffer.subarray(0, length)
    buffer = buffer.subarray(length)
    return taken
  }
  return {
    async readLine<T>() {
      let end = buffer.indexOf(10)
      while (end < 0) {
        if (buffer.length > LINE_LENGTH_MAX) throw new Error('the file is not a backup')
        await more()
        end = buffer.indexOf(10)
      }
      const line = await take(end + 1)
      return JSON.parse(line.toString('utf8')) as T
    },
    async *readBody() {
      for (;;) {
        const length = (await take(4)).readUInt32BE()
        if (length === 0) return
        yield await take(length)
      }
    },
    close() {
      file.destroy()
      stream.destroy()
    },
  }
}

function lengthOf(length: number): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(length)
  return prefix
}
