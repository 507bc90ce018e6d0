import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readArchive, writeArchive } from './archive.ts'

test('keeps chunks that arrive faster than they are written, and waits for them once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'presale-archive-'))
  const warnings: string[] = []
  const note = (warning: Error) => warnings.push(warning.name)
  process.on('warning', note)
  onTestFinished(async () => {
    process.off('warning', note)
    await rm(folder, { recursive: true })
  })
  const path = join(folder, 'archive')
  const chunks = Array.from({ length: 200 }, () => randomBytes(16 * 1024))

  const writer = writeArchive(path)
  await writer.writeLine({ first: 1 })
  const waits = new Set(chunks.map((chunk) => writer.writeChunk(chunk)).filter(Boolean))
  expect(waits.size).toBe(1)
  await Promise.all(waits)
  await writer.endBody()
  await writer.writeLine({ last: 2 })
  await writer.close()
  expect(warnings).toEqual([])

  const reader = readArchive(path)
  expect(await reader.readLine()).toEqual({ first: 1 })
  const read: Buffer[] = []
  for await (const chunk of reader.readBody()) read.push(Buffer.from(chunk))
  expect(Buffer.concat(read).equals(Buffer.concat(chunks))).toBe(true)
  expect(await reader.readLine()).toEqual({ last: 2 })
  reader.close()
})
