import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { until } from './support/until.ts'

const PROGRAM = fileURLToPath(new URL('../deploy/cluster/wake.ts', import.meta.url))
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** etcd's version 2 API: the lease, its next change, and the requested switchover. */
async function openEtcd(holder: string) {
  const state = { holder: holder as string | undefined, candidate: undefined as string | undefined, index: 7 }
  const waiting: (() => void)[] = []
  const node = () => ({ value: state.holder, modifiedIndex: state.index })
  const url = await listen((request, response) => {
    const send = (body: object) =>
      response.setHeader('x-etcd-index', String(state.index)).end(JSON.stringify(body))
    if (request.url?.includes('wait=true')) {
      expect(request.url).toContain(`waitIndex=${state.index + 1}`)
      waiting.push(() => send({ node: node() }))
    } else if (request.url?.endsWith('/failover')) {
      const value = JSON.stringify({ leader: 'node1', member: state.candidate })
      send(state.candidate ? { node: { value, modifiedIndex: 1 } } : { errorCode: 100 })
    } else send(state.holder ? { node: node() } : { errorCode: 100 })
  })
  const change = async (next: string | undefined) => {
    await until(() => waiting.length > 0)
    state.holder = next
    state.index += 1
    for (const tell of waiting.splice(0)) tell()
    await until(() => waiting.length > 0)
  }
  return { url, state, change }
}

async function openPatroni() {
  const woken: string[] = []
  const url = await listen((request, response) => {
    woken.push(`${request.method} ${request.url}`)
    response.end('{}')
  })
  return { url, woken }
}

function start(name: string, patroni: string, ...etcd: string[]): void {
  const child = spawn(process.execPath, [PROGRAM, name, patroni, ...etcd], { stdio: 'ignore' })
  closing.push(() => child.kill('SIGKILL'))
}

test('Patroni is woken when the lease ends and when another one takes it, and asks another etcd where one is gone', async () => {
  const [etcd, patroni] = [await openEtcd('node1'), await openPatroni()]
  start('node2', patroni.url, 'http://127.0.0.1:1', etcd.url)
  await until(() => patroni.woken.length === 1)
  // Renewed: nothing is new.
  await etcd.change('node1')
  expect(patroni.woken).toHaveLength(1)
  await etcd.change(undefined)
  expect(patroni.woken).toHaveLength(2)
  await etcd.change('node3')
  expect(patroni.woken).toEqual(Array.from({ length: 3 }, () => 'PATCH /config'))
  await etcd.change('node2')
  expect(patroni.woken).toHaveLength(3)
})

test.each(['node2', 'node3'])(
  'in a switchover to node2 %s is woken when it can do something',
  async (name) => {
    const [etcd, patroni] = [await openEtcd('node1'), await openPatroni()]
    etcd.state.candidate = 'node2'
    start(name, patroni.url, etcd.url)
    await until(() => patroni.woken.length === 1)
    await etcd.change(undefined)
    expect(patroni.woken).toHaveLength(name === 'node2' ? 2 : 1)
    await etcd.change('node2')
    expect(patroni.woken).toHaveLength(2)
  },
)
