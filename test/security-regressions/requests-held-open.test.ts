import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { charged, keepCosts, SHARED } from '../../src/server/http/costs.ts'
import { handleErrors } from '../../src/server/http/errors.ts'
import { boundOpenRequests } from '../../src/server/http/open-requests.ts'
import { LocalLimits } from '../../src/server/limits/local-limits.ts'
import { until } from '../support/until.ts'

// Answers that nobody takes and bodies that never come were neither counted nor cut off, but for downloads of rows.

const LONG = 'x'.repeat(16 << 20)
const sockets: Socket[] = []
let app: FastifyInstance | undefined
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await app?.close()
})

async function serveLong(times: { stallMaxMs: number; bodyMaxMs: number }): Promise<number> {
  const limits = new LocalLimits({ isOn: true })
  app = fastify({ trustProxy: true })
  handleErrors(app)
  keepCosts(app, limits)
  boundOpenRequests(app, limits, times)
  app.get('/long', SHARED, async (_request, reply) => reply.header('content-encoding', 'br').send(LONG))
  app.get('/short', SHARED, async () => 'short')
  app.post('/form', charged({ bodyBytes: 4_096 }), async () => 'taken')
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as { port: number }).port
}

/** Sends the text of a request and reads the head of its answer alone; `head` is '' until there is one, `isOver` once the connection is. */
function open(port: number, text: string) {
  const seen = { head: '', isOver: false }
  const socket = connect({
    host: '127.0.0.1',
    port,
    onread: {
      buffer: Buffer.alloc(512),
      callback: (read, bytes) => {
        seen.head = Buffer.from(bytes.subarray(0, read)).toString()
        return !seen.head.startsWith('HTTP/1.1 200')
      },
    },
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    seen.isOver = true
  })
  socket.write(text)
  sockets.push(socket)
  return seen
}
const get = (path: string, from: string) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n\r\n`
const post = (from: string) =>
  `POST /form HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{`
/** Connections of a port for which the kernel holds unread bytes, by its own table. */
const heldFor = (port: number) =>
  readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, from, , , queue]) => from?.endsWith(`:${hexOf(port)}`) && !queue?.startsWith('00000000:'))
const hexOf = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
const openConnections = () =>
  new Promise((resolve) => app?.server.getConnections((_error, count) => resolve(count)))

test('of answers that are sent whole, a network has 60 open at once, and another network its own [RIGHT-25]', async () => {
  const port = await serveLong({ stallMaxMs: 60_000, bodyMaxMs: 60_000 })
  const readers = Array.from({ length: 70 }, () => open(port, get('/long', '192.0.2.1')))
  await until(() => readers.every(({ head }) => head !== ''))
  const refused = readers.filter(({ head }) => head.startsWith('HTTP/1.1 429'))
  expect(refused).toHaveLength(10)
  expect(refused[0]?.head).not.toContain('content-encoding')
  const [other, short] = [open(port, get('/long', '192.0.2.2')), open(port, get('/short', '192.0.2.1'))]
  await until(() => other.head !== '' && short.head !== '')
  expect([other.head, short.head].map((head) => head.slice(9, 12))).toEqual(['200', '200'])
})

test('who takes nothing of an answer that is sent whole is cut off [RIGHT-25]', async () => {
  const port = await serveLong({ stallMaxMs: 200, bodyMaxMs: 60_000 })
  open(port, get('/long', '192.0.2.1'))
  await until(async () => (await openConnections()) === 1)
  await until(async () => (await openConnections()) === 0)
  expect(heldFor(port)).toEqual([])
})

test('of requests whose body never comes, a network has 60 open at once, and another network its own [RIGHT-25]', async () => {
  const port = await serveLong({ stallMaxMs: 60_000, bodyMaxMs: 60_000 })
  const senders = Array.from({ length: 70 }, () => open(port, post('192.0.2.1')))
  await until(() => senders.filter(({ head }) => head.startsWith('HTTP/1.1 429')).length === 10)
  const whole = open(port, `${post('192.0.2.2')}"a": 1234}`)
  await until(() => whole.head !== '')
  expect(whole.head.slice(9, 12)).toBe('200')
  expect(senders.filter(({ head }) => head === '')).toHaveLength(60)
})

test('who sends no body for too long is cut off, and counts no longer [RIGHT-25]', async () => {
  const port = await serveLong({ stallMaxMs: 60_000, bodyMaxMs: 200 })
  const senders = Array.from({ length: 60 }, () => open(port, post('192.0.2.1')))
  await until(() => senders.every(({ isOver }) => isOver))
  const whole = open(port, `${post('192.0.2.1')}"a": 1234}`)
  await until(() => whole.head !== '')
  expect(whole.head.slice(9, 12)).toBe('200')
})
