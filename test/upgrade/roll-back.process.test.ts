import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDatabase, sql } from '../../src/server/database/database.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { version } from '../../src/server/version.ts'
import { type ApiCaller, apiOf, registerToken } from '../support/api.ts'
import { freePort } from '../support/database-server.ts'
import { makeDiskFolder } from '../support/folders.ts'
import { makeNextRelease } from '../support/next-release.ts'
import {
  makeDataDir,
  type RunningServer,
  removeDataDir,
  runProgram,
  startServerProgram,
} from '../support/program.ts'
import { until } from '../support/until.ts'

const BUYERS = 4
const EACH = 8
const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1))
const dataDir = await makeDataDir('disk')
const folder = await makeDiskFolder('next-release')
let server: RunningServer | undefined

afterAll(async () => {
  await server?.kill()
  await removeDataDir(dataDir)
  await rm(folder, { recursive: true, force: true })
})

interface Buying {
  isOver: boolean
  /** Numbers of the orders that the server acknowledged. */
  readonly acknowledged: Set<number>
}

/** Orders without a pause, whatever happens to the server meanwhile. */
async function buy(call: ApiCaller, buying: Buying): Promise<void> {
  while (!buying.isOver) {
    try {
      const made = await call<{ number: number }>(
        'POST',
        '/orders',
        { currency: 'USDT', amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true },
        { 'idempotency-key': randomUUID() },
      )
      buying.acknowledged.add(made.number)
    } catch (error) {
      // Nobody listens, the connection broke, or the server is stopping.
      if (!(error instanceof TypeError || /\b503\b|terminated/.test(String(error)))) throw error
      await delay(20)
    }
  }
}

async function withDatabase<T>(work: (db: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const attached = await startEmbedded({ dataDir, mode: 'attach' })
  const db = openDatabase({ url: attached.ownerUrl })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
const active = () =>
  withDatabase((db) => db.one<{ version: string }>(sql`select version from schema_functions`))

test('an upgrade and a roll back lose no acknowledged order while buyers go on ordering', async () => {
  makeNextRelease(folder, next)
  const settings = { RATE_LIMIT: 'off', PORT: String(await freePort()) }
  const start = (program?: string) => startServerProgram(settings, dataDir, [], program)
  server = await start()
  const { url } = server
  const tokens = await Promise.all(Array.from({ length: BUYERS }, () => registerToken(url)))
  const buying: Buying = { isOver: false, acknowledged: new Set() }
  const buyers = tokens.map((token) => buy(apiOf(url, token), buying))
  const more = async () => {
    const wanted = buying.acknowledged.size + EACH
    await until(() => buying.acknowledged.size >= wanted)
  }
  await more()

  expect(await server.stop()).toBe(0)
  const upgradedAt = new Date().toISOString()
  server = await start(folder)
  await more()
  expect(await active()).toEqual({ version: next })

  const activate = () => runProgram(['dist/server/activate-functions.js'], { DATA_DIR: dataDir })
  const refused = await activate()
  expect(refused).toEqual({ code: 1, output: 'A server uses this database: stop it first\n' })
  expect(await server.stop()).toBe(0)
  expect(await activate()).toEqual({ code: 0, output: `The SQL functions of ${version} are active.\n` })
  server = await start()
  await more()
  expect(await active()).toEqual({ version })

  buying.isOver = true
  await Promise.all(buyers)
  const kept = await withDatabase((db) =>
    db.query<{ number: number }>(sql`select id::int as number from orders order by id`),
  )
  const numbers = new Set(kept.map(({ number }) => number))
  expect([...buying.acknowledged].filter((number) => !numbers.has(number))).toEqual([])
  const lost = await runProgram(['dist/server/made-since.js', upgradedAt], { DATA_DIR: dataDir })
  expect(lost.code).toBe(3)
  expect(Number(/orders (\d+)/.exec(lost.output)?.[1])).toBeGreaterThanOrEqual(2 * EACH)
  const proved = await runProgram(['dist/server/ledger-check.js'], { DATA_DIR: dataDir })
  expect(proved.output).toMatch(/All \d+ rules hold/)

  // A backup of the newer tables is one for the newer release, whichever made it.
  const file = join(folder, 'after.presale')
  await runProgram(['dist/server/backup.js', file], { DATA_DIR: dataDir })
  const drill = (program?: string) =>
    runProgram(['dist/server/backup-drill.js', file], { DATA_DIR: dataDir }, program)
  expect((await drill()).output).toContain('was made by a newer version of the program: use that one')
  expect((await drill(folder)).output).toContain('restored into a scratch database')
})

test('back across a line the older release refuses the tables, and restores its own backup over them', async () => {
  await server?.stop()
  const file = join(folder, 'before.presale')
  const older = (command: string, ...args: string[]) =>
    runProgram([`dist/server/${command}.js`, ...args], { DATA_DIR: lineDir })
  const lineDir = await makeDataDir('disk')
  const before = await startServerProgram({}, lineDir)
  await older('backup', file)
  await before.stop()
  const line = await makeDiskFolder('next-line')
  makeNextRelease(line, version.replace(/\d+\.\d+$/, '99.0'))
  const after = await startServerProgram({}, lineDir, [], line)
  await after.stop()
  try {
    const refused = await older('ledger-check')
    expect(refused.output).toContain('restore the backup that was made before the upgrade')
    const restored = await older('restore', file, '--replace')
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining("The ledger's rules hold.") })
    expect(await older('ledger-check')).toMatchObject({ code: 0 })
  } finally {
    await removeDataDir(lineDir)
    await rm(line, { recursive: true, force: true })
  }
})
