import { once } from 'node:events'
import { connect } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardRequests } from '../../src/server/http/request-guards.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server.close())

/** All that comes back for bytes on a connection. */
async function said(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.write(bytes)
  await once(socket, 'close')
  return text.toLowerCase()
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`

test.each([
  ['a page', get('/robots.txt')],
  ['an address that can’t be decoded', get('/%')],
  ['an address whose parameter is too long', get(`/api/v1/orders/${'a'.repeat(400)}`)],
  ['an address with an encoded slash', get('/crypto/..%2fassets')],
  ['what is not HTTP', 'NOTHING\r\n\r\n'],
  ['headers that are too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
])(
  '%s is answered with the headers that keep a browser from reading it as something else',
  async (_what, bytes) => {
    const answer = await said(bytes)
    expect(answer).toMatch(/^http\/1\.1 [2-4]\d\d /)
    for (const header of [
      'x-content-type-options: nosniff',
      'x-frame-options: deny',
      'permissions-policy: camera=(), microphone=(), geolocation=()',
      'referrer-policy: same-origin',
      'cross-origin-opener-policy: same-origin',
    ])
      expect(answer).toContain(header)
  },
)

test('an https site asks browsers for https on its own name, and not on the names below it', async () => {
  const app = fastify() as unknown as FastifyInstance
  guardRequests(app, 'https://sale.example.org')
  app.get('/', () => 'x')
  const { headers } = await app.inject('/')
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
  await app.close()
})

test.each(['/crypto/..%2fcoin.svg', '/crypto/%2E%2e/coin.svg', '/uploads/a%5cb', '/a/../coin.svg', '/a/..'])(
  'a path that reads otherwise once it is decoded is not found: %s',
  async (path) => {
    expect(await said(get(path))).toMatch(/^http\/1\.1 404 /)
  },
)

test('a coin without an icon is drawn as the neutral one, which no cache keeps under its name', async () => {
  const [named, other, wrong] = await Promise.all(
    ['btc.svg', 'nosuchcoin.svg', 'no such.svg'].map((name) => fetch(`${server.url}/crypto/${name}`)),
  )
  expect([named?.status, named?.headers.get('cache-control')]).toEqual([200, 'public, max-age=86400'])
  expect([other?.status, other?.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(wrong?.status).toBe(404)
})
