import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, onTestFinished, test } from 'vitest'
import { readArchive, writeArchive } from './archive.ts'

const secretKey = 'k'.repeat(43)

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function readAll(path: string, protection: Parameters<typeof readArchive>[1]): Promise<unknown[]> {
  const reader = readArchive(path, protection)
  try {
    const first = await reader.readLine()
    const body: Buffer[] = []
    for await (const chunk of reader.readBody()) body.push(chunk)
    await reader.readEnd()
    return [first, Buffer.concat(body).toString('hex')]
  } finally {
    reader.close()
  }
}

async function writeOne(path: string, body: Buffer, recipients: string[] = []): Promise<void> {
  const writer = writeArchive(path, { secretKey, recipients })
  await writer.writeLine({ first: 1 })
  await writer.writeChunk(body)
  await writer.endBody()
  await writer.close()
}

test('keeps chunks that arrive faster than they are written, and waits for them once', async () => {
  const folder = await makeFolder()
  const warnings: string[] = []
  const note = (warning: Error) => warnings.push(warning.name)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const path = join(folder, 'archive')
  const chunks = Array.from({ length: 200 }, () => randomBytes(16 * 1024))

  const writer = writeArchive(path, { secretKey })
  await writer.writeLine({ first: 1 })
  const waits = new Set(chunks.map((chunk) => writer.writeChunk(chunk)).filter(Boolean))
  expect(waits.size).toBe(1)
  await Promise.all(waits)
  await writer.endBody()
  await writer.writeLine({ last: 2 })
  await writer.close()
  expect(warnings).toEqual([])

  const reader = readArchive(path, { secretKey })
  expect(await reader.readLine()).toEqual({ first: 1 })
  const read: Buffer[] = []
  for await (const chunk of reader.readBody()) read.push(Buffer.from(chunk))
  expect(Buffer.concat(read).equals(Buffer.concat(chunks))).toBe(true)
  expect(await reader.readLine()).toEqual({ last: 2 })
  reader.close()
})

test('rows that come one by one are gathered', async () => {
  const path = join(await makeFolder(), 'archive')
  const rows = Array.from({ length: 10_000 }, (_, n) => Buffer.from(`row ${n}\n`))
  const writer = writeArchive(path, { secretKey })
  await writer.writeLine({ first: 1 })
  for (const row of rows) await writer.writeChunk(row)
  await writer.endBody()
  await writer.close()
  const reader = readArchive(path, { secretKey })
  await reader.readLine()
  const read: Buffer[] = []
  for await (const chunk of reader.readBody()) read.push(Buffer.from(chunk))
  await reader.readEnd()
  reader.close()
  expect(read.length).toBeLessThan(10)
  expect(Buffer.concat(read).equals(Buffer.concat(rows))).toBe(true)
})

test('a chunk of any length comes back', async () => {
  const path = join(await makeFolder(), 'archive')
  const body = randomBytes(3_500_000)
  await writeOne(path, body)
  expect(await readAll(path, { secretKey })).toEqual([{ first: 1 }, body.toString('hex')])
})

test('a changed byte, a cut, a part that was moved or added: each is refused', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'archive')
  await writeOne(path, randomBytes(200_000))
  const good = await readFile(path)
  const frame = 4 + 32 + 65_536
  const start = 17 + 16 + 8
  const frames = [0, 1].map((number) => good.subarray(start + number * frame, start + (number + 1) * frame))
  const changed = [0, 20, 35, start, start + 10, start + 40, good.length - 1].map((at) => {
    const copy = Buffer.from(good)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  })
  const swapped = Buffer.concat([
    good.subarray(0, start),
    ...frames.toReversed(),
    good.subarray(start + 2 * frame),
  ])
  const cut = [
    good.subarray(0, start + 2 * frame),
    good.subarray(0, 30),
    good.subarray(0, -1),
    Buffer.alloc(0),
  ]
  for (const [index, bytes] of [
    ...changed,
    swapped,
    ...cut,
    Buffer.concat([good, frames[0] as Buffer]),
  ].entries()) {
    const other = join(folder, String(index))
    await writeFile(other, bytes)
    await expect(readAll(other, { secretKey }), `file ${index}`).rejects.toThrow(/the file|not a backup/)
  }
})

test('a file of another key is refused, and taken only where that key is said to be lost', async () => {
  const path = join(await makeFolder(), 'archive')
  await writeOne(path, Buffer.from('ab', 'hex'))
  const other = 'x'.repeat(43)
  await expect(readAll(path, { secretKey: other })).rejects.toThrow('another SECRET_KEY')
  expect(await readAll(path, { secretKey: other, takesOtherKey: true })).toEqual([{ first: 1 }, 'ab'])
  await expect(readAll(path, { secretKey, takesOtherKey: true })).rejects.toThrow('leave --lost-key out')
})

test('a length of 4 GB is refused at once, even where whoever knows the key wrote it', async () => {
  const path = join(await makeFolder(), 'archive')
  const inner = gzipSync(
    Buffer.concat([Buffer.from('{"first":1}\n'), Buffer.alloc(4, 0xff), Buffer.alloc(100)]),
  )
  await writeFile(path, sealed(inner))
  await expect(readAll(path, { secretKey })).rejects.toThrow('the file has a part that is too long')
  const frameTooLong = sealed(inner)
  frameTooLong.writeUInt32BE(0x7fff_ffff, 17 + 16 + 8)
  await writeFile(path, frameTooLong)
  await expect(readAll(path, { secretKey })).rejects.toThrow('the file was changed')
})

/** The file's format, written a second time: one frame. */
function sealed(data: Buffer): Buffer {
  const salt = randomBytes(16)
  const key = Buffer.from(hkdfSync('sha256', secretKey, salt, 'presale backup', 32))
  const mac = (...parts: Buffer[]) => createHmac('sha256', key).update(Buffer.concat(parts)).digest()
  const check = mac(Buffer.from('presale backup key check')).subarray(0, 8)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(0x8000_0000 + data.length)
  const tag = mac(Buffer.alloc(8), length, data)
  return Buffer.concat([Buffer.from('presale backup 2\n'), salt, check, length, tag, data])
}

test('what is encrypted for a recipient opens with their private key alone', async () => {
  const path = join(await makeFolder(), 'archive')
  const [identity, stranger] = await Promise.all([generateX25519Identity(), generateX25519Identity()])
  const body = Buffer.from('what nobody else may read '.repeat(10_000))
  await writeOne(path, body, [await identityToRecipient(identity)])
  const bytes = await readFile(path)
  expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
  expect(bytes.includes('nobody else')).toBe(false)
  expect(await readAll(path, { secretKey, identities: [identity] })).toEqual([
    { first: 1 },
    body.toString('hex'),
  ])
  await expect(readAll(path, { secretKey })).rejects.toThrow('name the private key with --identity')
  await expect(readAll(path, { secretKey, identities: [stranger] })).rejects.toThrow("can't be decrypted")
  await writeFile(path, bytes.subarray(0, -10))
  await expect(readAll(path, { secretKey, identities: [identity] })).rejects.toThrow("can't be decrypted")
})
