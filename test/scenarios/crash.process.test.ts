import { randomInt, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/server/database/database.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { type ApiCaller, ApiFailure, apiOf, operatorToken, password, registerToken } from '../support/api.ts'
import { brokenRules } from '../support/campaign.ts'
import { makeDataDir, type RunningServer, removeDataDir, startServerProgram } from '../support/program.ts'
import { statement } from '../support/statement.ts'

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

/** A request whose answer never came, or came as 503: it may have happened, and is sent again with its key. */
type Unanswered =
  | { kind: 'order'; token: string; key: string; quoteId: string }
  | { kind: 'approval'; number: number }

interface Load {
  /** Number of each acknowledged order, and the key with which it was made. */
  readonly orders: Map<number, string>
  readonly approved: Set<number>
  readonly unanswered: Unanswered[]
}

const noLoad = (): Load => ({ orders: new Map(), approved: new Set(), unanswered: [] })

const openBuyers = (url: string) => Promise.all(Array.from({ length: BUYERS }, () => registerToken(url)))

const openOperator = (url: string) => operatorToken(url, SETTINGS.OPERATOR_LOGIN)

/** Only a broken connection and 503 leave open what happened; any other failure is one of the product. */
function mayHaveHappened(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status === 503
  return error instanceof TypeError || error instanceof SyntaxError
}

const order = (call: ApiCaller, quoteId: string, key: string) =>
  call<{ number: number }>(
    'POST',
    '/orders',
    { quoteId, acceptTerms: true, ageConfirmed: true },
    { 'idempotency-key': key },
  )

async function buyUntilLost(url: string, token: string, load: Load): Promise<void> {
  const call = apiOf(url, token)
  for (;;) {
    const key = randomUUID()
    let quoteId: string | undefined
    try {
      quoteId = (
        await call<{ id: string }>('POST', '/quotes', { currency: 'USDT', amount: '40', unit: 'token' })
      ).id
      load.orders.set((await order(call, quoteId, key)).number, key)
    } catch (error) {
      if (!mayHaveHappened(error)) throw error
      if (quoteId) load.unanswered.push({ kind: 'order', token, key, quoteId })
      return
    }
  }
}

async function approveUntilLost(url: string, token: string, load: Load): Promise<void> {
  const call = apiOf(url, token)
  for (;;) {
    const number = [...load.orders.keys()].find((made) => !load.approved.has(made))
    try {
      if (number === undefined) await call('GET', '/operator/orders?limit=1')
      else {
        await call('POST', `/operator/orders/${number}/approve`, {})
        load.approved.add(number)
      }
    } catch (error) {
      if (!mayHaveHappened(error)) throw error
      if (number !== undefined) load.unanswered.push({ kind: 'approval', number })
      return
    }
  }
}

function startLoad(url: string, buyers: string[], operator: string, load: Load): Promise<unknown> {
  return Promise.all([
    ...buyers.map((token) => buyUntilLost(url, token, load)),
    approveUntilLost(url, operator, load),
  ])
}

/** A connection kept open to the killed server breaks at the first use after it: that is no answer either, so once more. */
async function untilAnswered<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (!mayHaveHappened(error) || attempt === 10) throw error
      await delay(50)
    }
  }
}

/** Sends again what had no answer: each happens now, or had happened, and the answer is the same. */
async function repeatUnanswered(url: string, operator: string, load: Load): Promise<void> {
  for (const request of load.unanswered.splice(0)) {
    if (request.kind === 'approval') {
      await untilAnswered(() =>
        apiOf(url, operator)('POST', `/operator/orders/${request.number}/approve`, {}),
      )
      load.approved.add(request.number)
    } else {
      const call = apiOf(url, request.token)
      const send = () => untilAnswered(() => order(call, request.quoteId, request.key))
      const { number } = await send()
      expect((await send()).number).toBe(number)
      load.orders.set(number, request.key)
    }
  }
}

const STANDING = statement(
  'crash_orders',
  `select o.id, o.idempotency_key as key, o.status,
          (select count(*) from postings p where p.order_id = o.id and p.kind = 'order_approved')::integer as postings
     from orders o order by o.id`,
)

/** Every acknowledged order and approval stands exactly once, no other does, and the ledger's rules hold. */
async function expectExactlyOnce(databaseUrl: string, load: Load): Promise<void> {
  const db = openDatabase({ url: databaseUrl, poolSizeMax: 1 })
  try {
    const rows = await db.query<{ id: string; key: string; status: string; postings: number }>(STANDING)
    expect(new Map(rows.map((row) => [Number(row.id), row.key]))).toEqual(
      new Map([...load.orders].toSorted(([a], [b]) => a - b)),
    )
    for (const row of rows) {
      const isApproved = load.approved.has(Number(row.id))
      expect({ id: row.id, status: row.status, postings: row.postings }).toEqual({
        id: row.id,
        status: isApproved ? 'approved' : 'pending',
        postings: isApproved ? 1 : 0,
      })
    }
    expect(await brokenRules(db)).toEqual([])
  } finally {
    await db.close()
  }
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const status = await untilAnswered(async () => {
      const reply = await fetch(`${url}/readyz`)
      await reply.arrayBuffer()
      return reply.status
    })
    if (status === 200) return
    expect(status).toBe(503)
    if (Date.now() > deadline) throw new Error('the database did not come back')
    await delay(50)
  }
}

async function killDatabase(dataDir: string): Promise<void> {
  const lines = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  process.kill(Number(lines.split('\n')[0]), 'SIGKILL')
}

test('kill -9 of the database, and of both: what had no answer happens once when it is sent again', {
  timeout: 180_000,
}, async () => {
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

test('a database that goes away is 503 with Retry-After, and the server is back when the database is', {
  timeout: 120_000,
}, async () => {
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

test('SIGTERM in the middle of a load: what is under way is answered, exit 0 within 15 s', {
  timeout: 60_000,
}, async () => {
  const dataDir = await folder()
  let server = await startServer({}, dataDir)
  const buyers = await openBuyers(server.url)
  const operator = await openOperator(server.url)
  const load = noLoad()
  const loading = startLoad(server.url, buyers, operator, load)
  await delay(400)
  const askedAt = Date.now()
  expect(await server.stop()).toBe(0)
  expect(Date.now() - askedAt).toBeLessThan(15_000)
  await loading
  expect(load.orders.size).toBeGreaterThan(0)

  server = await startServer({}, dataDir)
  await repeatUnanswered(server.url, operator, load)
  const database = await startEmbedded({ dataDir, mode: 'attach' })
  await expectExactlyOnce(database.url, load)
})
