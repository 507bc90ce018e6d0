import { type ChildProcess, fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { addBuyers, raiseGoal, tokenOf } from './fill.ts'
import { memoryMb, type RunningServer, root } from './machine.ts'
import { percentile, type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'
import { measureUnits, OWNER } from './strangers-units.ts'

const IDLE = 9_000
const REGISTRATIONS_PER_SECOND = 500
const PASSWORDS_PER_SECOND = 1_000
const ORDERS_PER_SECOND = 10

interface Report {
  readonly silent: number
  readonly lines: number
  /** Answers by status; and requests not sent because all connections were busy. */
  readonly counts: Readonly<Record<string, number>>
}

/**
 * 10,000 connections, 9,000 of them idle, registrations and wrong passwords from 50 networks named by a
 * trusted proxy.
 */
export async function measure(stage: Stage): Promise<Row[]> {
  const seconds = stage.quick ? 20 : 90
  const buyers = seconds * ORDERS_PER_SECOND + 1_000
  const database = await stage.database('strangers')
  await raiseGoal(database.client)
  await addBuyers(database.client, buyers)
  // With a hash a wrong password costs the usual time.
  await database.client.query('update users set password_hash = $1', [UNKNOWN_PASSWORD])
  await database.client.query("insert into operators (login, role, password_hash) values ($1, 'owner', $2)", [
    OWNER.login,
    await hash(OWNER.password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
  ])
  const server = await stage.server(database, { environment: { TRUST_PROXY: '1' } })
  const asked = [server.port, IDLE, REGISTRATIONS_PER_SECOND, PASSWORDS_PER_SECOND].map(String)
  const crowd = fork(join(root, 'bench', 'strangers-crowd.ts'), asked)
  try {
    const unitRows = await measureUnits(server)
    const calm = await orderAway(server, 0, 30)
    crowd.send('connect')
    while ((await reportOf(crowd)).silent < IDLE) await delay(500)
    crowd.send('attack')
    const memory = watchMemory(server)
    const before = await reportOf(crowd)
    const taken = await orderAway(server, 30, seconds * ORDERS_PER_SECOND - 30)
    const after = await reportOf(crowd)
    const memoryMax = memory.stop()
    return [...unitRows, ...rowsOf(calm, taken, memoryMax, before, after, seconds)]
  } finally {
    crowd.kill()
    await server.stop()
  }
}

const UNKNOWN_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IG9mIDE2Yg$0000000000000000000000000000000000000000000'

function rowsOf(
  calm: Orders,
  { taken, failures }: Orders,
  memoryMax: number,
  before: Report,
  after: Report,
  seconds: number,
): Row[] {
  const statuses = Object.entries(after.counts)
    .map(([what, count]) => [what, count - (before.counts[what] ?? 0)] as const)
    .filter(([, count]) => count > 0)
  const answered = statuses.filter(([what]) => /^\d/.test(what)).reduce((sum, [, count]) => sum + count, 0)
  const p99 = percentile(taken, 0.99)
  const about = statuses.map(([what, count]) => `${what}: ${count}`).join(', ')
  return [
    {
      what: 'an honest order while strangers flood, p99',
      target: '< 1,000 ms',
      measured: `${shown(p99, 0)} ms`,
      passed: p99 < 1_000 && failures.length === 0,
      runs: taken.length,
      notes: `${failures.length} refused${failures[0] ? ` (${failures[0].slice(0, 100)})` : ''}; median ${shown(percentile(taken, 0.5), 0)} ms, slowest ${shown(Math.max(...taken), 0)} ms; before the flood ${shown(percentile(calm.taken, 0.5), 0)} ms; ${after.silent.toLocaleString('en')} silent connections and ${after.lines} that ask; ${shown(answered / seconds, 0)} strangers’ requests answered a second (${about})`,
    },
    {
      what: 'memory of the server meanwhile',
      target: '< 400 MB',
      measured: `${shown(memoryMax, 0)} MB`,
      passed: memoryMax < 400,
      runs: 1,
      notes: 'the most of a look each half second, resident',
    },
  ]
}

function reportOf(crowd: ChildProcess): Promise<Report> {
  return new Promise((resolve, reject) => {
    if (!crowd.connected) reject(new Error('the strangers went away'))
    crowd.once('message', (message) => resolve(message as Report))
    crowd.send('report')
  })
}

function watchMemory({ pid }: RunningServer): { stop(): number } {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, memoryMb(pid))
  }, 500)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

interface Orders {
  /** Milliseconds of each order. */
  readonly taken: readonly number[]
  /** Why other orders failed. */
  readonly failures: readonly string[]
}

/** Orders ten a second, independently of earlier answers. */
async function orderAway({ port }: RunningServer, first: number, count: number): Promise<Orders> {
  const agent = new Agent({ keepAlive: true })
  const taken: number[] = []
  const failures: string[] = []
  const orders: Promise<unknown>[] = []
  for (let n = 0; n < count; n += 1) {
    const made = orderOnce(agent, port, 1 + first + n)
    orders.push(
      made.then(
        (ms) => taken.push(ms),
        (error: Error) => failures.push(error.message),
      ),
    )
    await delay(1_000 / ORDERS_PER_SECOND)
  }
  await Promise.all(orders)
  agent.destroy()
  return { taken, failures }
}

async function orderOnce(agent: Agent, port: number, buyer: number): Promise<number> {
  const startedAt = performance.now()
  await post(agent, port, buyer, '/orders', {
    currency: 'USDT',
    amount: '40',
    unit: 'token',
    acceptTerms: true,
    termsVersion: 1,
    risksVersion: 1,
    ageConfirmed: true,
  })
  return performance.now() - startedAt
}

function post(
  agent: Agent,
  port: number,
  buyer: number,
  path: string,
  body: object,
): Promise<{ id?: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${tokenOf(buyer)}`,
      'idempotency-key': `strangers-${path.slice(1)}-${buyer}`,
      'x-forwarded-for': `198.51.100.${1 + (buyer % 250)}`,
    }
    const sent = request({ agent, port, path: `/api/v1${path}`, method: 'POST', headers }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (part: string) => {
        text += part
      })
      reply.on('end', () =>
        (reply.statusCode ?? 500) < 300
          ? resolve(JSON.parse(text))
          : reject(new Error(`${path} answered ${reply.statusCode}: ${text}`)),
      )
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
