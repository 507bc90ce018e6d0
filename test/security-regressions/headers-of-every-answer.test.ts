import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answersOf } from '../../src/server/http/request-guards.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server.close())

/** All that comes back for bytes on a connection; more is sent once `next` has come true. */
async function said(bytes: string, next?: Promise<string>, { url } = server): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.write(bytes)
  void next?.then((more) => socket.write(more))
  await once(socket, 'close')
  return text.toLowerCase()
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
const post = (length: number, ...headers: string[]) =>
  [
    'POST /api/v1/session HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...headers,
    '',
    '',
  ].join('\r\n')

/** Every answer in these bytes has the headers that keep a browser from reading it as something else. */
function expectHeaders(text: string): void {
  const answers = text.split(/(?=http\/1\.1 \d{3} )/)
  for (const answer of answers)
    for (const header of [
      'x-content-type-options: nosniff',
      'x-frame-options: deny',
      'permissions-policy: camera=(), microphone=(), geolocation=()',
      'referrer-policy: same-origin',
      'cross-origin-opener-policy: same-origin',
    ])
      expect(answer).toContain(header)
}

test.each([
  ['a page', 200, get('/robots.txt')],
  ['an address that can’t be decoded', 400, get('/%')],
  ['an address whose parameter is too long', 400, get(`/api/v1/orders/${'a'.repeat(400)}`)],
  ['an address with an encoded slash', 404, get('/crypto/..%2fassets')],
  ['an address that is too long', 431, get(`/${'a'.repeat(20_000)}`)],
  ['what is not HTTP', 400, 'NOTHING\r\n\r\n'],
  ['two lengths of one body', 400, post(2, 'Content-Length: 3')],
  ['a length beside chunks', 400, post(2, 'Transfer-Encoding: chunked')],
  ['a request without a host', 400, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a wish that no server has', 417, post(2, 'Expect: a-miracle', 'Connection: close')],
  ['headers that are too long', 431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['a body that is too long', 413, post(1_000_000, 'Connection: close')],
])('%s is answered by %i with the headers of every answer', async (_what, status, bytes) => {
  const answer = await said(bytes)
  expect(answer).toMatch(new RegExp(`^http/1\\.1 ${status} `))
  expectHeaders(answer)
})

describe('what comes too slowly', () => {
  let before: [number, number]
  beforeAll(() => {
    const { requestTimeout, headersTimeout } = server.app.server
    before = [requestTimeout, headersTimeout]
    Object.assign(server.app.server, { requestTimeout: 200, headersTimeout: 200 })
  })
  afterAll(() => {
    Object.assign(server.app.server, { requestTimeout: before[0], headersTimeout: before[1] })
  })

  test.each([
    ['a body', post(100) + '{"email":'],
    ['headers', 'GET / HTTP/1.1\r\nHost: localhost\r\n'],
  ])('%s is answered by 408 with the headers of every answer', async (_what, bytes) => {
    const answer = await said(bytes)
    expect(answer).toMatch(/^http\/1\.1 408 /)
    // One answer alone, and the connection is over.
    expect(answer.match(/http\/1\.1 \d/g)).toHaveLength(1)
    expectHeaders(answer)
  })
})

test('what comes while the server ends is answered by 503 with the headers of every answer', async () => {
  const ending = await startServer({}, { jobs: false })
  const arrived = new Promise((resolve) => ending.app.server.once('request', resolve))
  const closed = arrived.then(async () => {
    void ending.app.close()
    await delay(50)
    return `{}${get('/robots.txt')}`
  })
  const answer = await said(post(2), closed, ending)
  expect(answer).toMatch(/^http\/1\.1 4\d\d [^]*http\/1\.1 503 /)
  expectHeaders(answer)
  await ending.close()
})

test('an https site asks browsers for https on its own name, and not on the names below it', async () => {
  const app = fastify(answersOf('https://sale.example.org') as object) as unknown as FastifyInstance
  app.get('/', () => 'x')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  for (const bytes of [get('/'), get('/%'), 'NOTHING\r\n\r\n'])
    expect(await said(bytes, undefined, { url } as TestServer)).toContain(
      'strict-transport-security: max-age=31536000\r\n',
    )
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
