import { appendFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addBuyer } from '../../../test/support/campaign.ts'
import { makeFolder } from '../../../test/support/folders.ts'
import { startServer } from '../../../test/support/server.ts'
import { RetryableError } from '../refusal.ts'
import { compareWitness, OrderWitness } from './witness.ts'

test('names each acknowledged order that is not there, or is there as another one, and nothing else [ORDER-9]', async () => {
  const server = await startServer({}, { jobs: false })
  const folder = await makeFolder('witness')
  const { db } = server.database
  try {
    const witness = new OrderWitness(folder)
    const userId = await addBuyer(db)
    const { orders } = server.context
    const buy = () =>
      orders.create({
        userId,
        purchase: { currency: 'USDT', amount: '40', unit: 'token' },
        declarations: {},
        idempotencyKey: undefined,
        requestHash: Buffer.alloc(32),
      })
    const [kept, other] = [await buy(), await buy()]
    await witness.note(String(kept.number), kept.token)
    await witness.note('424242', 'a token of a lost timeline')
    await witness.note(String(other.number), 'the token that this number had in a lost timeline')
    witness.close()
    const path = join(folder, (await readdir(folder))[0] ?? '')
    const report = await compareWitness(db, path)
    expect(report.acknowledged).toBe(3)
    expect(report.lost.map(({ number }) => number)).toEqual(['424242', String(other.number)])
    await appendFile(path, '7 cut')
    expect((await compareWitness(db, path)).lost).toHaveLength(2)
    await appendFile(path, '\nand more\n')
    await expect(compareWitness(db, path)).rejects.toThrow('line 4 is no acknowledgement')
    // The program notes what it acknowledges where its database is another machine's.
    const own = join(server.context.config.dataDir, 'witness')
    const noted = await compareWitness(db, join(own, (await readdir(own))[0] ?? ''))
    expect(noted).toEqual({ acknowledged: 2, lost: [] })
  } finally {
    await rm(folder, { recursive: true, force: true })
    await server.close()
  }
})

test('where the disk takes no line, the order is not acknowledged yet', async () => {
  const folder = await makeFolder('witness')
  const taken = join(folder, 'taken')
  await appendFile(taken, '')
  await expect(new OrderWitness(taken).note('1', 'token')).rejects.toThrow(RetryableError)
  await rm(folder, { recursive: true })
})

test('a line that a loss of power cut short takes the next one not with it [ORDER-9]', async () => {
  const folder = await makeFolder('witness')
  const path = join(folder, `orders-${new Date().toISOString().slice(0, 10)}.log`)
  await appendFile(path, '7 cut')
  const witness = new OrderWitness(folder)
  await witness.note('8', 'token')
  witness.close()
  const nothing = { query: async () => [] }
  const { acknowledged, lost } = await compareWitness(nothing, path)
  expect([acknowledged, lost.map(({ number }) => number)]).toEqual([1, ['8']])
  await rm(folder, { recursive: true })
})
