import fastify from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { keepCosts } from '../../src/server/http/costs.ts'
import { budgets, LocalLimits, type Spending } from '../../src/server/limits/local-limits.ts'
import { createLog } from '../../src/server/log.ts'
import { Refusal } from '../../src/server/refusal.ts'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

// Some answers were made outside of the one place that charges: the legacy API, pages, feeds. One network could ask them for anything.

const COPY_ORDERS = (columns: string) =>
  statement(
    'test_copy_orders',
    `insert into orders (id, token, ${columns})
     select nextval(pg_get_serial_sequence('orders', 'id')), o.token || n, ${columns.replaceAll(/\w+/g, 'o.$&')}
       from (select * from orders limit 1) o, generate_series(2, $1) n`,
  )
const COLUMNS = statement(
  'test_columns_of_orders',
  `select string_agg(column_name, ',') as names from information_schema.columns
    where table_name = 'orders' and is_generated = 'NEVER'
      and column_name not in ('id', 'token', 'idempotency_key', 'request_hash')`,
)

let server: TestServer
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, { jobs: false })
})
// Fails where a request took more than its route declares.
afterAll(() => server?.close())
afterEach(() => vi.restoreAllMocks())

const ask = (path: string, init: RequestInit = {}, from = '192.0.2.9') =>
  fetch(server.url + path, {
    redirect: 'manual',
    ...init,
    headers: { 'x-forwarded-for': from, ...init.headers },
  })
const legacy = (method: string, file: string, body: object, from?: string) =>
  sendJson(method, `${server.url}/api/controllers/${file}`, body, { 'x-forwarded-for': from ?? '192.0.2.9' })

test('a route that declares no cost is not mounted [RIGHT-25]', () => {
  const app = fastify()
  keepCosts(app, new LocalLimits({ isOn: true }))
  expect(() => app.get('/free', async () => 'free')).toThrow('GET /free declares no cost')
})

test('every path that the server knows, and any other, is charged to the network that asks [RIGHT-25]', async () => {
  const paths = server.paths().filter((path) => path !== '/api/v1/live')
  expect(paths.length).toBeGreaterThan(200)
  const uncharged: string[] = []
  const asked = [
    ...paths.map((path) => path.replaceAll(/:\w+/g, '1').replace('*', 'x')),
    '/nothing-here',
    '/%72egister',
  ]
  for (const [n, path] of asked.entries()) {
    const from = `198.51.${Math.floor(n / 250)}.${n % 250}`
    const taken = vi.spyOn(server.context.localLimits, 'take')
    await (await ask(path, {}, from)).arrayBuffer()
    const isCharged = taken.mock.calls.some(
      ([network, cost]) => network === from && (cost as Spending).requests,
    )
    if (!isCharged) uncharged.push(path)
    taken.mockRestore()
  }
  expect(uncharged).toEqual([])
})

test('a network that has spent its requests is refused everywhere, before its body is read [RIGHT-25]', async () => {
  const from = '203.0.113.1'
  server.context.localLimits.take(from, { requests: budgets.requests.network.burst }, Date.now() + 60_000)
  for (const path of [
    '/',
    '/register',
    '/updates.xml',
    '/sitemap.xml',
    '/api/openapi.json',
    '/journal/checkpoint',
    '/nothing',
  ])
    expect([path, (await ask(path, {}, from)).status]).toEqual([path, 429])
  expect((await legacy('POST', 'users.php', {}, from)).status).toBe(429)
  expect((await ask('/', {}, '203.0.113.2')).status).toBe(200)
})

test('passwords of the legacy API are paid from the budget of hashes, whoever sends them [RIGHT-25]', async () => {
  const from = '203.0.113.3'
  const token = await registerToken(server.url, 'ann@example.org')
  server.context.localLimits.take(from, { hashes: budgets.hashes.network.burst }, Date.now() + 60_000)
  const refused = async (method: string, file: string, body: object) => {
    const { status } = await legacy(method, file, body, from)
    expect([method, file, status]).toEqual([method, file, 429])
  }
  await refused('PUT', 'users.php', { token, pass: 'gravel and violets and oats' })
  await refused('POST', 'users.php', { type: 'login', email: 'ann@example.org', pass: password })
  await refused('POST', 'admin.php', { login: 'owner', password })
})

test('an account changes its password five times an hour, each with a mail, by either API [RIGHT-25]', async () => {
  const token = await registerToken(server.url, 'eve@example.org')
  const change = async (n: number) =>
    (await legacy('PUT', 'users.php', { token, pass: `gravel and violets and oats ${n}` }, '203.0.113.4'))
      .status
  const statuses = []
  for (let n = 0; n < 6; n += 1) statuses.push(await change(n))
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('what is long without compression is charged as a file, and a feed is written once for everybody [RIGHT-25]', async () => {
  const from = '203.0.113.5'
  server.context.localLimits.take(from, { downloads: budgets.downloads.network.burst }, Date.now() + 600_000)
  const plain = { headers: { 'accept-encoding': 'identity' } }
  expect((await ask('/api/openapi.json', plain, from)).status).toBe(429)
  expect((await ask('/api/docs', plain, from)).status).toBe(429)
  expect((await ask('/claim.html', plain, from)).status).toBe(429)
  for (const path of ['/api/openapi.json', '/api/docs'])
    expect((await ask(path, { headers: { 'accept-encoding': 'br' } }, from)).status).toBe(200)
  const feed = vi.spyOn(server.context.content.announcements, 'feed')
  const feeds = await Promise.all(Array.from({ length: 20 }, () => ask('/updates.xml')))
  expect(feeds.every(({ status }) => status === 200)).toBe(true)
  expect(feed.mock.calls.length).toBeLessThan(3)
})

test('a visitor sends the legacy API 4 kB, an operator 64 kB [RIGHT-25]', async () => {
  const text = 'x'.repeat(5_000)
  expect((await legacy('POST', 'users.php', { type: 'login', text })).status).toBe(413)
  expect((await legacy('PUT', 'cryptos.php', { text })).status).toBe(401)
  expect((await legacy('PUT', 'cryptos.php', { text: text.repeat(14) })).status).toBe(413)
})

test('own orders come from the legacy API by 100, the latest first asked for [RIGHT-25]', async () => {
  const token = await registerToken(server.url, 'bob@example.org')
  const order = { currency: 'USDT', amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true }
  expect((await sendJson('POST', `${server.url}/api/v1/orders`, order, bearer(token))).status).toBe(200)
  const [{ names } = { names: '' }] = await server.context.db.query<{ names: string }>(COLUMNS)
  await server.context.db.query(COPY_ORDERS(names), [250])
  const own = async (query: string) => {
    const reply = await ask(`/api/controllers/transactions.php${query}`, { headers: bearer(token) })
    return ((await reply.json()) as { transactions: { id: string }[] }).transactions.map(({ id }) =>
      Number(id),
    )
  }
  const latest = await own('')
  const before = await own(`?before=${latest[0]}`)
  const first = await own(`?before=${before[0]}`)
  expect([latest.length, before.length, first.length]).toEqual([100, 100, 50])
  expect([...first, ...before, ...latest]).toEqual([...first, ...before, ...latest].toSorted((a, b) => a - b))
})

test('forms of other sites and limits that one site reaches from many networks are a line a second [RIGHT-35]', async () => {
  const lines: { event?: string }[] = []
  const log = createLog('silent')
  vi.spyOn(log, 'info').mockImplementation((line: unknown) => void lines.push(line as object))
  const logged = await startServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, { jobs: false, log })
  const send = (path: string, from: string) =>
    fetch(logged.url + path, { method: 'POST', headers: { 'x-forwarded-for': from } })
  for (let n = 0; n < 20; n += 1) await send('/claim', '192.0.2.9')
  vi.spyOn(logged.context.localLimits, 'take').mockImplementation(() => {
    throw new Refusal('too_many_requests', { limit: 'requests_network' })
  })
  for (let n = 0; n < 20; n += 1) await send('/claim', `2001:db8:9:${n}::1`)
  await logged.close()
  const of = (event: string) => lines.filter((line) => line.event === event)
  // The first at once, and the rest by the second.
  for (const event of ['cross_site_refused', 'limit_reached']) {
    expect(of(event).length).toBeGreaterThan(0)
    expect(of(event).length).toBeLessThan(6)
  }
})

test('a page has one spelling: another one is not found, and nothing is drawn for it [RIGHT-25]', async () => {
  const reads = vi.spyOn(server.app, 'inject')
  for (const path of ['/%72egister', '/r%65gister', '/%6Cogin', '/ru/logi%6e', '/login%2Fx'])
    expect([path, (await ask(path)).status]).toEqual([path, 404])
  expect(reads).not.toHaveBeenCalled()
  expect((await ask('/register')).status).toBe(200)
})
