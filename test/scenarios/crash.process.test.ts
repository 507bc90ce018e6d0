import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/server/database/database.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { operatorToken, password, registerToken } from '../support/api.ts'
import { brokenRules } from '../support/campaign.ts'
import { slowness } from '../support/patience.ts'
import {
  killDatabase,
  makeDataDir,
  type RunningServer,
  removeDataDir,
  startServerProgram,
} from '../support/program.ts'
import {
  approveUntilLost,
  buyUntilLost,
  faultsOf,
  type Load,
  noLoad,
  repeatUnanswered,
  untilReady,
} from '../support/recorded-load.ts'
import { until } from '../support/until.ts'

const BUYERS = 4
const SETTINGS = {
  RATE_LIMIT: 'off',
  OPERATOR_LOGIN: 'owner',
  OPERATOR_PASSWORD: password,
  DEMO: 'on',
}

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean()
})

async function folder(): Promise<string> {
  const path = await makeDataDir('disk')
  cleanups.push(() => removeDataDir(path))
  return path
}

async function startServer(environment: Record<string, string>, dataDir: string): Promise<RunningServer> {
  const server = await startServerProgram({ ...SETTINGS, ...environment }, dataDir)
  cleanups.push(() => server.kill())
  return server
}

const openBuyers = (url: string) => Promise.all(Array.from({ length: BUYERS }, () => registerToken(url)))

const openOperator = (url: string) => operatorToken(url, SETTINGS.OPERATOR_LOGIN)

function startLoad(url: string, buyers: string[], operator: string, load: Load): Promise<unknown> {
  return Promise.all([
    ...buyers.map((token) => buyUntilLost(url, token, load)),
    approveUntilLost(url, operator, load),
  ])
}

/** Every acknowledged order and approval stands exactly once, no other does, and the ledger's rules hold. */
async function expectExactlyOnce(databaseUrl: string, load: Load): Promise<void> {
  expect(await faultsOf(databaseUrl, [load])).toEqual([])
  const db = openDatabase({ url: databaseUrl, poolSizeMax: 1 })
  try {
    expect(await brokenRules(db)).toEqual([])
  } finally {
    await db.close()
  }
}

test('kill -9 of the database, and of both: what had no answer happens once when it is sent again', async () => {
  const dataDir = await folder()
  let server = await startServer({}, dataDir)
  const buyers = await openBuyers(server.url)
  const operator = await openOperator(server.url)
  const load = noLoad()
  for (let round = 0; round < 10; round += 1) {
    const loading = startLoad(server.url, buyers, operator, load)
    // However slow the machine, each round has something to lose.
    const made = load.orders.size + 3
    const approved = load.approved.size + 3
    while (load.orders.size < made || load.approved.size < approved) await delay(10)
    await delay(randomInt(400))
    await killDatabase(dataDir)
    if (round % 2 === 1) {
      await delay(randomInt(50))
      await server.kill()
    }
    await loading
    if (round % 2 === 1) server = await startServer({}, dataDir)
    else await untilReady(server.url)
    await repeatUnanswered(server.url, operator, load)
    const database = await startEmbedded({ dataDir, mode: 'attach' })
    await expectExactlyOnce(database.url, load)
  }
  expect(load.orders.size).toBeGreaterThan(20)
  expect(load.approved.size).toBeGreaterThan(20)
})

test('a database that goes away is 503 with Retry-After, and the server is back when the database is', async () => {
  const databaseDir = await folder()
  let database = await startEmbedded({ dataDir: databaseDir, mode: 'own' })
  cleanups.push(() => database.stop())
  const server = await startServer({ DATABASE_URL: database.ownerUrl }, await folder())
  const buyers = await openBuyers(server.url)
  const operator = await openOperator(server.url)
  const load = noLoad()
  const loading = startLoad(server.url, buyers, operator, load)
  await delay(300)
  await database.stop()
  await loading

  const ask = (path: string) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${buyers[0]}` } })
  for (const path of ['/api/v1/orders', '/api/v1/account', '/readyz']) {
    const reply = await ask(path)
    expect([path, reply.status]).toEqual([path, 503])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    await reply.arrayBuffer()
  }
  expect((await ask('/healthz')).status).toBe(200)

  database = await startEmbedded({ dataDir: databaseDir, mode: 'own' })
  await untilReady(server.url)
  await repeatUnanswered(server.url, operator, load)
  await expectExactlyOnce(database.ownerUrl, load)
  expect(await server.stop()).toBe(0)
})

test('SIGTERM in the middle of a load: what is under way is answered, exit 0 within 15 s', async () => {
  const dataDir = await folder()
  let server = await startServer({}, dataDir)
  const buyers = await openBuyers(server.url)
  const operator = await openOperator(server.url)
  const load = noLoad()
  const loading = startLoad(server.url, buyers, operator, load)
  await until(() => load.orders.size > 0)
  const askedAt = Date.now()
  expect(await server.stop()).toBe(0)
  expect(Date.now() - askedAt).toBeLessThan(15_000 * slowness)
  await loading

  server = await startServer({}, dataDir)
  await repeatUnanswered(server.url, operator, load)
  const database = await startEmbedded({ dataDir, mode: 'attach' })
  await expectExactlyOnce(database.url, load)
})
