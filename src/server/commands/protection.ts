import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { Bytes } from './bytes.ts'

// A backup's file proves that its maker knew `SECRET_KEY` and that it is complete and unmodified. Format:
// magic line, 16 bytes of salt, 8 bytes of key id, then frames. A frame has its length (first bit: last
// frame), HMAC-SHA-256 over number, length and data, and at most 64 KiB of data. Each is checked before it is
// unpacked. With recipients the whole file is encrypted with age.

export interface Protection {
  /** Authenticates written files; `otherKeys` are accepted on reading. */
  readonly secretKey: string
  readonly otherKeys?: readonly string[]
  /** On writing: readers' public keys (`age1…`); empty: not encrypted. */
  readonly recipients?: readonly string[]
  /** On reading: private keys (`AGE-SECRET-KEY-1…`) for an encrypted file. */
  readonly identities?: readonly string[]
  /** On reading: accepts only a file with an unknown `SECRET_KEY`, whose origin is unproven. */
  readonly takesOtherKey?: boolean
}

const MAGIC = Buffer.from('presale backup 2\n')
const AGE_MAGIC = 'age-encryption.org/v1'
const SALT_LENGTH = 16
const KEY_CHECK_LENGTH = 8
const TAG_LENGTH = 32
const FRAME_LENGTH_MAX = 65_536
const LAST = 0x8000_0000

export function protect({ secretKey, recipients = [] }: Protection) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    const framed = writeFrames(source, secretKey)
    if (recipients.length === 0) yield* framed
    else yield* encrypt(framed, recipients)
  }
}

/** Yields verified bytes. Throws an `Error` about “the file” at the first modified part. */
export async function* openFile(path: string, protection: Protection): AsyncGenerator<Buffer> {
  const isSealed = await isEncrypted(path)
  const file = createReadStream(path)
  try {
    const source = isSealed ? decrypt(file, protection.identities ?? []) : file
    yield* readFrames(new Bytes(source), protection)
  } finally {
    file.destroy()
  }
}

async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(AGE_MAGIC.length), 0, AGE_MAGIC.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === AGE_MAGIC
  } finally {
    await file.close()
  }
}

async function* writeFrames(source: AsyncIterable<Buffer>, secretKey: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_LENGTH)
  const key = keyOf(secretKey, salt)
  yield Buffer.concat([MAGIC, salt, keyCheckOf(key)])
  const bytes = new Bytes(source)
  for (let number = 0; ; number += 1) {
    const data = await bytes.takeUpTo(FRAME_LENGTH_MAX)
    const isLast = await bytes.isAtEnd()
    const length = Buffer.alloc(4)
    length.writeUInt32BE(((isLast ? LAST : 0) | data.length) >>> 0)
    yield Buffer.concat([length, tagOf(key, number, length, data), data])
    if (isLast) return
  }
}

async function* readFrames(bytes: Bytes, protection: Protection): AsyncGenerator<Buffer> {
  const magic = await bytes.takeUpTo(MAGIC.length)
  if (!magic.equals(MAGIC)) throw new Error('the file is not a backup of this program')
  const salt = await bytes.take(SALT_LENGTH)
  const keyCheck = await bytes.take(KEY_CHECK_LENGTH)
  const known = [protection.secretKey, ...(protection.otherKeys ?? [])].map((each) => keyOf(each, salt))
  const key = known.find((each) => keyCheckOf(each).equals(keyCheck)) ?? keyOf(protection.secretKey, salt)
  const isOwn = keyCheckOf(key).equals(keyCheck)
  if (isOwn === (protection.takesOtherKey ?? false)) {
    throw new Error(
      isOwn
        ? 'the file was made under this SECRET_KEY: leave --lost-key out'
        : 'the file was made under another SECRET_KEY: put that one back',
    )
  }
  for (let number = 0; ; number += 1) {
    const head = await bytes.take(4)
    const word = head.readUInt32BE()
    const length = word & ~LAST
    if (length > FRAME_LENGTH_MAX) throw new Error('the file was changed')
    const tag = await bytes.take(TAG_LENGTH)
    const data = await bytes.take(length)
    const isProved = timingSafeEqual(tag, tagOf(key, number, head, data))
    if (isOwn && !isProved) throw new Error('the file was changed')
    yield data
    if (word & LAST) break
  }
  if (!(await bytes.isAtEnd())) throw new Error('the file goes on after its end')
}

async function* encrypt(
  source: AsyncIterable<Buffer>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  yield* asNode(await encrypter.encrypt(asWeb(Readable.from(source))))
}

async function* decrypt(file: Readable, identities: readonly string[]): AsyncGenerator<Buffer> {
  if (identities.length === 0) throw new Error('the file is encrypted: name the private key with --identity')
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    for await (const piece of asNode(await decrypter.decrypt(asWeb(file)))) yield Buffer.from(piece)
  } catch (error) {
    throw new Error(`the file can't be decrypted: ${(error as Error).message}`, { cause: error })
  }
}

/** The library uses the browser's stream types. */
function asWeb(stream: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>
}

function asNode(stream: globalThis.ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return Readable.fromWeb(stream as unknown as ReadableStream<Uint8Array>)
}

function keyOf(secretKey: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, salt, 'presale backup', 32))
}

function keyCheckOf(key: Buffer): Buffer {
  return createHmac('sha256', key).update('presale backup key check').digest().subarray(0, KEY_CHECK_LENGTH)
}

function tagOf(key: Buffer, number: number, length: Buffer, data: Buffer): Buffer {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(number))
  return createHmac('sha256', key).update(counter).update(length).update(data).digest()
}
