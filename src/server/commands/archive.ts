import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { pipeline as pipelineOf, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Bytes } from './bytes.ts'
import { openFile, type Protection, protect } from './protection.ts'

// A backup before protection: gzip over JSON lines, each optionally followed by a body of length-prefixed
// chunks that ends with an empty one.

export interface ArchiveWriter {
  writeLine(value: unknown): Promise<void>
  /** A promise only if the caller must wait. */
  writeChunk(chunk: Buffer): Promise<void> | undefined
  endBody(): Promise<void>
  close(): Promise<void>
}

export interface ArchiveReader {
  readLine<T>(): Promise<T>
  /** The body follows the last line; read it to its end. */
  readBody(): AsyncIterable<Buffer>
  /** Throws unless the file ends here: anything further is no part of a backup. */
  readEnd(): Promise<void>
  close(): void
}

const LINE_LENGTH_MAX = 10_000_000
/** Longer chunks are split, so that readers can reject excessive lengths. */
const CHUNK_LENGTH_MAX = 1_000_000
/** Rows are collected, because a write to gzip costs more than many rows. */
const CHUNK_LENGTH = 64 * 1024

export function writeArchive(path: string, protection: Protection): ArchiveWriter {
  const gzip = createGzip({ level: 6 })
  const isDone = pipeline(gzip, protect(protection), createWriteStream(path, { mode: 0o600, flags: 'wx' }))
  // The next write or close throws the error.
  isDone.catch(() => undefined)
  // The database delivers several chunks before it pauses; their writers share one wait.
  let drained: Promise<void> | undefined
  const write = (buffer: Buffer): Promise<void> | undefined => {
    if (gzip.write(buffer)) return undefined
    drained ??= Promise.race([once(gzip, 'drain').then(() => undefined), isDone]).finally(() => {
      drained = undefined
    })
    return drained
  }
  let gathered: Buffer[] = []
  let length = 0
  const writeGathered = () => {
    const chunk = Buffer.concat([lengthOf(length), ...gathered])
    gathered = []
    length = 0
    return write(chunk)
  }
  return {
    async writeLine(value) {
      await write(Buffer.from(`${JSON.stringify(value)}\n`))
    },
    writeChunk(chunk) {
      let waiting: Promise<void> | undefined
      const most = CHUNK_LENGTH_MAX - CHUNK_LENGTH
      for (let at = 0; at < chunk.length; at += most) {
        const part = chunk.subarray(at, at + most)
        gathered.push(part)
        length += part.length
        if (length >= CHUNK_LENGTH) waiting = writeGathered()
      }
      return waiting
    },
    async endBody() {
      if (length > 0) await writeGathered()
      await write(lengthOf(0))
    },
    async close() {
      gzip.end()
      await isDone
    },
  }
}

/** The next read throws every error of the file, including tampering. */
export function readArchive(path: string, protection: Protection): ArchiveReader {
  const gunzip = createGunzip()
  pipelineOf(Readable.from(openFile(path, protection)), gunzip, () => undefined)
  const bytes = new Bytes(gunzip)
  return {
    async readLine<T>() {
      return JSON.parse((await bytes.takeLine(LINE_LENGTH_MAX)).toString('utf8')) as T
    },
    async *readBody() {
      for (;;) {
        const length = (await bytes.take(4)).readUInt32BE()
        if (length === 0) return
        if (length > CHUNK_LENGTH_MAX) throw new Error('the file has a part that is too long')
        yield await bytes.take(length)
      }
    },
    async readEnd() {
      if (!(await bytes.isAtEnd())) throw new Error('the file goes on after its end')
    },
    close() {
      gunzip.destroy()
    },
  }
}

function lengthOf(length: number): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(length)
  return prefix
}
