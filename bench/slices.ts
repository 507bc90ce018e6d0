// A process for `--against`, which starts one in each of two trees and alternates.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import * as fill from './fill.ts'
import { cpuSeconds, type RunningServer } from './machine.ts'
import { openStage, type Stage, type StageDatabase } from './stage.ts'
import { writeLines, wrk } from './wrk.ts'

const { addBuyers, addOperator, emptyOrders, raiseGoal, tokenOf } = fill

const BUYERS = 20_000
const CONNECTIONS = 32
const SECONDS = 1
const AWAKE_MS = 100
/** Requests only: mails would be sent during the other side's slice. */
const ARGS = ['--only=web']
/** More orders than all slices need. */
const COUNT = 300_000

export interface Slice {
  readonly perSecond: number
  /** Processor time per unit. */
  readonly server: number
  readonly postgres: number
}

interface Load {
  readonly server: RunningServer
  lines(from: number): { script: string; file: string } | undefined
  readonly path: string
  readonly headers?: Record<string, string>
  /** Requests per unit; 1 by default. */
  readonly requests?: number
}

/** Functions of an earlier tree, where an order needs a quote. */
const earlier = fill as unknown as {
  readonly bindQuotes?: (
    client: StageDatabase['client'],
    prefix: string,
    count: number,
    buyers: number,
    isOrdered: true,
  ) => Promise<unknown>
  readonly makeOrders: (client: StageDatabase['client']) => Promise<void>
}

async function unpaidOrders({ client }: StageDatabase): Promise<void> {
  if (!earlier.bindQuotes) return fill.makeOrders(client, COUNT, BUYERS)
  await earlier.bindQuotes(client, 'q', COUNT, BUYERS, true)
  await earlier.makeOrders(client)
}

const LOADS: Record<string, (stage: Stage, database: StageDatabase) => Promise<Load>> = {
  orders,
  approvals,
  table,
  async figures(stage, database) {
    return {
      server: await stage.server(database, { args: ARGS }),
      lines: () => undefined,
      path: '/api/v1/campaign',
    }
  },
}

/** Orders take two requests where an order needs a quote. */
async function orders(stage: Stage, database: StageDatabase): Promise<Load> {
  await emptyOrders(database.client)
  await settled(database, 'users')
  const all = Array.from({ length: COUNT }, (_, n) => `${tokenOf(1 + ((n + 1) % BUYERS))} q${n + 1}`)
  const first = earlier.bindQuotes ? ['quotes'] : []
  return {
    server: await stage.server(database, { args: ARGS }),
    lines: (from) => ({
      script: 'orders.lua',
      file: writeLines(stage.folder, 'orders.txt', [...first, ...all.slice(from)]),
    }),
    path: '',
    requests: 1 + first.length,
  }
}

async function approvals(stage: Stage, database: StageDatabase): Promise<Load> {
  const token = await addOperator(database.client)
  await emptyOrders(database.client)
  await unpaidOrders(database)
  await settled(database, 'users, orders')
  const all = Array.from({ length: COUNT }, (_, n) => String(n + 1))
  return {
    server: await stage.server(database, { args: ARGS }),
    lines: (from) => ({
      script: 'approvals.lua',
      file: writeLines(stage.folder, 'approvals.txt', [token, ...all.slice(from)]),
    }),
    path: '',
  }
}

async function table(stage: Stage, database: StageDatabase): Promise<Load> {
  const token = await addOperator(database.client)
  await emptyOrders(database.client)
  await unpaidOrders(database)
  await settled(database, 'users, orders')
  return {
    server: await stage.server(database, { args: ARGS }),
    lines: () => undefined,
    path: '/api/v1/operator/orders',
    headers: { authorization: `Bearer ${token}` },
  }
}

/** Plans again: a plan for an empty table would scan it even after it grows. */
async function settled({ client }: StageDatabase, filled: string): Promise<void> {
  await client.query(`vacuum analyze ${filled}`)
  await client.query('checkpoint')
}

const stage = await openStage(true)
const database = await stage.database('slices')
await raiseGoal(database.client)
await addBuyers(database.client, BUYERS)
const prepare = LOADS[process.argv[2] ?? '']
if (!prepare) throw new Error(`one of ${Object.keys(LOADS).join(', ')}`)
const { server, lines, path, headers, requests: requestsEach = 1 } = await prepare(stage, database)
let at = 0

/** Stops all, PostgreSQL included, while the other side runs. */
function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of [...treeOf(server.pid), ...treeOf(stage.postgres.pid)]) process.kill(pid, name)
}

function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name)
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (id: number): number[] => [id, ...(children.get(id) ?? []).flatMap(below)]
  return below(pid)
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    // The process has ended.
    return 0
  }
}

async function slice(): Promise<Slice> {
  const spent = { server: cpuSeconds(server.pid), postgres: cpuSeconds(stage.postgres.pid) }
  const result = await wrk({
    url: server.url + path,
    connections: CONNECTIONS,
    seconds: SECONDS,
    lines: lines(at),
    headers,
  })
  if (result.failures > 0) throw new Error(`${result.failures} failures`)
  at += result.requests + CONNECTIONS
  const each = (now: number, then: number) => ((now - then) / result.requests) * requestsEach * 1e6
  return {
    perSecond: result.perSecond / requestsEach,
    server: each(cpuSeconds(server.pid), spent.server),
    postgres: each(cpuSeconds(stage.postgres.pid), spent.postgres),
  }
}

process.on('message', async (asked) => {
  signal('SIGCONT')
  if (asked === 'end') {
    await server.stop()
    await stage.close()
    process.exit(0)
  }
  await delay(AWAKE_MS)
  const measured = await slice()
  signal('SIGSTOP')
  process.send?.(measured)
})
signal('SIGSTOP')
process.send?.('ready')
