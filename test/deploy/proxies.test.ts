import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { ClientHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientFolder } from '../../src/server/pages/static.ts'
import { bearer, password, registerToken } from '../support/api.ts'
import { slowness } from '../support/patience.ts'
import { ask, openHttp2, type Proxy, startCaddy, startNginx } from '../support/proxies.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

// The shipped proxies before a real server.

const folder = mkdtempSync(join(tmpdir(), 'presale-proxies-'))
const FIGURES = '/api/v1/campaign'
const TELL = statement('test_tell', "select pg_notify('live', $1)")
let server: TestServer
let nginx: Proxy
let caddy: Proxy
const sessions: ClientHttp2Session[] = []

beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1' }, { jobs: false })
  const port = Number(new URL(server.url).port)
  ;[nginx, caddy] = await Promise.all([startNginx(folder, port), startCaddy(folder, port)])
})
afterAll(async () => {
  for (const session of sessions) session.destroy()
  await Promise.all([nginx?.stop(), caddy?.stop()])
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(proxy: Proxy, localAddress?: string): Promise<ClientHttp2Session> {
  const session = await openHttp2(proxy.port, localAddress)
  sessions.push(session)
  return session
}

/** The key of everything that nginx keeps. */
function kept(): string[] {
  const files = readdirSync(nginx.cache ?? '', { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.map(
    (file) => /^KEY: (.*)$/m.exec(readFileSync(join(file.parentPath, file.name), 'latin1'))?.[1] ?? '?',
  )
}

describe.each([
  ['nginx', () => nginx],
  ['Caddy', () => caddy],
])('behind %s', (_name, proxyOf) => {
  test('a visitor counts by the address that the proxy heard from, whatever they say', async () => {
    const session = await open(proxyOf(), '127.0.0.77')
    const email = `${crypto.randomUUID()}@example.org`
    await registerToken(server.url, email)
    const signedIn = await ask(session, '/api/v1/session', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.50',
        'x-requested-with': 'presale',
      },
      body: JSON.stringify({ email, password, as: 'token' }),
    })
    expect(signedIn.status).toBe(200)
    const { text } = await ask(session, '/api/v1/account/sessions', {
      headers: bearer(JSON.parse(signedIn.text).token),
    })
    const { items } = JSON.parse(text) as { items: { isCurrent: boolean; network: string }[] }
    expect(items.find((one) => one.isCurrent)?.network).toBe('127.0.0.77')
  })

  test('an event arrives at once on a stream that stays open', async () => {
    const session = await open(proxyOf())
    const stream = session.request({ ':path': '/api/v1/live?campaign=1' }).setEncoding('utf8')
    let heard = ''
    stream.on('data', (chunk: string) => {
      heard += chunk
    })
    await expect.poll(() => heard).toMatch(/^retry/)
    await server.database.db.query(TELL, [JSON.stringify({ campaign: true })])
    // A proxy that gathers would hold these few bytes until the stream ends, 15 minutes later.
    await expect.poll(() => heard).toContain('event: campaign')
    expect(stream.closed).toBe(false)
    stream.destroy()
  })

  test('the figures are the server’s', async () => {
    const session = await open(proxyOf())
    const through = JSON.parse((await ask(session, FIGURES)).text)
    const direct = await (await fetch(server.url + FIGURES)).json()
    expect({ ...through, serverTime: '', computedAt: '' }).toEqual({
      ...direct,
      serverTime: '',
      computedAt: '',
    })
  })

  test('metrics stay this machine’s', async () => {
    expect((await ask(await open(proxyOf()), '/metrics')).status).toBe(404)
  })
})

test('nginx keeps figures for a second, and passes on whoever is signed in', async () => {
  const session = await open(nginx)
  await expect.poll(async () => (await ask(session, FIGURES)).headers['x-cache']).toBe('HIT')
  const first = await ask(session, FIGURES)
  expect(first.headers['cache-control']).toBe('no-cache')
  const { computedAt } = JSON.parse(first.text)
  expect(Date.now() - Date.parse(computedAt)).toBeLessThan(3_000 * slowness)
  await expect
    .poll(async () => JSON.parse((await ask(session, FIGURES)).text).computedAt)
    .not.toBe(computedAt)
  const headers = bearer(await registerToken(server.url))
  expect((await ask(session, FIGURES, { headers })).headers['x-cache']).toBe('BYPASS')
  expect((await ask(session, FIGURES, { headers: { cookie: 'presale=1' } })).headers['x-cache']).toBe(
    'BYPASS',
  )
})

test('more event streams than a distribution’s nginx has connections leave room for requests [RIGHT-25]', async () => {
  const opened: ClientHttp2Session[] = []
  for (let n = 0; n < 12; n += 1) {
    const session = await openHttp2(nginx.port)
    opened.push(session)
    const streams = Array.from({ length: 100 }, () => session.request({ ':path': '/api/v1/live?campaign=1' }))
    const answers = await Promise.all(streams.map((stream) => once(stream, 'response')))
    for (const [answer] of answers) expect(answer[':status']).toBe(200)
  }
  expect(server.context.live.streams).toBe(1_200)
  expect((await ask(await open(nginx), '/api/v1/session')).status).toBe(200)
  for (const session of opened) session.destroy()
})

test('nginx keeps nothing that is about somebody', async () => {
  const session = await open(nginx)
  const email = `${crypto.randomUUID()}@example.org`
  const headers = bearer(await registerToken(server.url, email))
  for (const path of ['/api/v1/account', '/api/v1/orders', '/api/v1/holdings', FIGURES, '/', '/dashboard']) {
    for (let time = 0; time < 2; time += 1) await ask(session, path, { headers })
  }
  expect((await ask(session, '/api/v1/account', { headers })).text).toContain(email)
  expect((await ask(session, '/api/v1/account')).status).toBe(401)
  await ask(session, `${FIGURES}?${'x'.repeat(100)}`)
  await ask(session, FIGURES)
  expect(new Set(kept())).toEqual(new Set([FIGURES]))
})

/** A route with parameters, called by a path that leads to `target` once it is decoded and its dot segments are followed. */
function wayround(route: string, target: string): string {
  const pieces = route.split('/').slice(1)
  const last = pieces.findLastIndex((piece) => /[:*]/.test(piece))
  const filled = pieces.slice(0, last + 1).map((piece) => piece.replace(/:\w+|\*/g, 'a'))
  return `/${filled.join('/')}${'%2f..'.repeat(last + 1)}${target.replaceAll('/', '%2f')}`
}

test('no route puts another answer into nginx’s cache than the one of that name', async () => {
  const session = await open(nginx)
  const [script = ''] = readdirSync(`${clientFolder}/assets`).filter((name) => name.endsWith('.js'))
  const routes = server.paths().filter((path) => /[:*]/.test(path))
  expect(routes.length).toBeGreaterThan(100)
  expect(routes).toEqual(expect.arrayContaining(['/crypto/:file', '/uploads/:name', '/api/v1/orders/:token']))
  for (const target of [FIGURES, `/assets/${script}`]) {
    const expected = await fetch(server.url + target, { headers: { 'accept-encoding': 'identity' } })
    for (const [path, encoding] of routes.flatMap((route) => [
      [wayround(route, target), ''],
      [wayround(route, target).replaceAll('..', '%2e%2E'), 'zz'],
      [wayround(route, target).replaceAll('%2f', '/'), 'gzip'],
    ])) {
      await ask(session, path ?? '', { headers: encoding ? { 'accept-encoding': encoding } : {} })
    }
    const { status, headers, text } = await ask(session, target)
    expect([status, headers['content-type']]).toEqual([200, expected.headers.get('content-type')])
    if (target !== FIGURES) expect(text).toBe(await expected.text())
    for (const route of routes) {
      const { status: direct } = await fetch(server.url + wayround(route, target))
      expect(direct, route).toBe(404)
    }
  }
})

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('behind %s', (name, startProxy) => {
  test.each(['no process', 'a process whose database is away'])(
    '%s: a page for people, JSON for programs',
    async (what) => {
      // As the program answers while its database is away; `no process`: nothing listens.
      const away = createServer((request, response) => {
        const isPage = !request.url?.startsWith('/api/')
        response.writeHead(503, { 'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json' })
        response.end(isPage ? '<!doctype html><h1>away</h1>' : '{"error":{"code":"unavailable"}}')
      })
      await new Promise<void>((resolve) => {
        away.listen(0, '127.0.0.1', resolve)
      })
      const { port } = away.address() as AddressInfo
      if (what === 'no process') await new Promise((resolve) => away.close(resolve))
      const proxy = await startProxy(mkdtempSync(join(folder, name)), port)
      try {
        const session = await open(proxy)
        const page = await ask(session, '/', { headers: { accept: 'text/html,*/*' } })
        expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
        expect(page.text).toMatch(/<h1>/)
        const api = await ask(session, '/api/v1/campaign')
        expect(api.status).toBe(503)
        expect(api.headers['content-type']).toMatch(/^application\/json/)
        expect(JSON.parse(api.text).error.code).toBe('unavailable')
        session.destroy()
      } finally {
        await proxy.stop()
        away.close()
      }
    },
  )
})
