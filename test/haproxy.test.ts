import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { type AddressInfo, createServer as createListener } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill } from '../deploy/cluster/templates.ts'
import { slowness } from './support/patience.ts'

// The visitors' view through deploy/cluster/haproxy.cfg while one of two web processes dies.

const ASKED = 12

let folder = ''
let site = ''
let proxy: ChildProcess | undefined
let steady: Server
let dying: Server
/** Answers its checks, and ends the connection over whatever else it is asked: a process that dies each time. */
let isDying = false
let died = 0

async function listening(answer: RequestListener): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createListener().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = held.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(held.map((server) => once(server.close(), 'close')))
  return ports
}

/** On a connection of its own: over the loss of one that was used before, HAProxy says nothing and closes it. */
async function ask(method: string): Promise<{ status: number | undefined; retryAfter: string | undefined }> {
  const asking = request(site, { method, agent: false }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  await once(response.resume(), 'end')
  return { status: response.statusCode, retryAfter: response.headers['retry-after'] }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presale-haproxy-'))
  steady = await listening((_request, response) => response.end('steady'))
  dying = await listening(({ url, socket }, response) => {
    if (!isDying || url === '/healthz') return response.end('whole')
    died += 1
    socket.destroy()
    return response
  })
  const [sitePort = 0, primaryPort = 0, replicaPort = 0] = await freePorts(3)
  site = `http://127.0.0.1:${sitePort}`
  const file = join(folder, 'haproxy.cfg')
  const text = await fill('haproxy.cfg', {
    siteAddress: '127.0.0.1',
    databaseAddress: '127.0.0.1',
    connectionsMax: 100,
    sitePort,
    primaryPort,
    replicaPort,
    webServers: [steady, dying].map((web, n) => `  server web${n} 127.0.0.1:${portOf(web)} check`).join('\n'),
    databaseServers: '',
  })
  await writeFile(file, text)
  // Not in the PATH of other users than root.
  proxy = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await ask('GET').catch(() => undefined)
    if (answer?.status === 200) return
    await delay(50)
  }
  throw new Error('the proxy did not answer')
})

afterAll(async () => {
  proxy?.kill()
  steady?.close()
  dying?.close()
  await rm(folder, { recursive: true, force: true })
})

test('what only reads is asked of the other process, what writes is the client’s to repeat', async () => {
  isDying = true
  const reads = []
  for (let count = 0; count < ASKED; count += 1) reads.push((await ask('GET')).status)
  expect(reads).toEqual(Array.from({ length: ASKED }, () => 200))
  expect(died).toBeGreaterThan(0)
  died = 0
  const writes = []
  for (let count = 0; count < ASKED; count += 1) writes.push(await ask('POST'))
  // Each reached one process, once.
  const lost = writes.filter(({ status }) => status !== 200)
  expect(died).toBe(lost.length)
  expect(lost.length).toBeGreaterThan(0)
  for (const answer of lost) expect(answer).toEqual({ status: 503, retryAfter: '1' })
  isDying = false
})

test('a process that is gone costs a reader less than a second', async () => {
  dying.closeAllConnections()
  await once(dying.close(), 'close')
  const taken = []
  for (let count = 0; count < ASKED; count += 1) {
    const from = performance.now()
    expect((await ask('GET')).status).toBe(200)
    taken.push(performance.now() - from)
  }
  expect(Math.max(...taken)).toBeLessThan(1_000 * slowness)
})
