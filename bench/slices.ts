// Answers slices of load on request of another process: `--against` starts one in each of two trees and alternates.
import { addBuyers, addOperator, bindQuotes, emptyOrders, makeOrders, raiseGoal, tokenOf } from './fill.ts'
import { cpuSeconds, type RunningServer } from './machine.ts'
import { openStage, type Stage, type StageDatabase } from './stage.ts'
import { writeLines, wrk } from './wrk.ts'

const BUYERS = 20_000
const CONNECTIONS = 32
const SECONDS = 1
/** More than all slices of a run use up. */
const COUNT = 150_000

export interface Slice {
  readonly perSecond: number
  /** Microseconds of processor time a request. */
  readonly server: number
  readonly postgres: number
}

interface Load {
  readonly server: RunningServer
  /** The requests from the `from`th on. */
  lines(from: number): { script: string; file: string } | undefined
  readonly path: string
}

const LOADS: Record<string, (stage: Stage, database: StageDatabase) => Promise<Load>> = {
  orders: (stage, database) => orders(stage, database, 'on'),
  'orders-alone': (stage, database) => orders(stage, database, 'off'),
  approvals,
  async figures(stage, database) {
    return { server: await stage.server(database), lines: () => undefined, path: '/api/v1/campaign' }
  },
}

async function orders(stage: Stage, database: StageDatabase, batching: 'on' | 'off'): Promise<Load> {
  await emptyOrders(database.client)
  await bindQuotes(database.client, 'q', COUNT, BUYERS)
  await settled(database)
  const all = Array.from({ length: COUNT }, (_, n) => `${tokenOf(1 + ((n + 1) % BUYERS))} q${n + 1}`)
  return {
    server: await stage.server(database, { environment: { ORDER_BATCHING: batching } }),
    lines: (from) => ({
      script: 'orders.lua',
      file: writeLines(stage.folder, 'orders.txt', all.slice(from)),
    }),
    path: '',
  }
}

async function approvals(stage: Stage, database: StageDatabase): Promise<Load> {
  const token = await addOperator(database.client)
  await emptyOrders(database.client)
  await bindQuotes(database.client, 'q', COUNT, BUYERS, true)
  await makeOrders(database.client)
  await settled(database)
  const all = Array.from({ length: COUNT }, (_, n) => String(n + 1))
  return {
    server: await stage.server(database),
    lines: (from) => ({
      script: 'approvals.lua',
      file: writeLines(stage.folder, 'approvals.txt', [token, ...all.slice(from)]),
    }),
    path: '',
  }
}

async function settled({ client }: StageDatabase): Promise<void> {
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

const stage = await openStage(true)
const database = await stage.database('slices')
await raiseGoal(database.client)
await addBuyers(database.client, BUYERS)
const prepare = LOADS[process.argv[2] ?? '']
if (!prepare) throw new Error(`one of ${Object.keys(LOADS).join(', ')}`)
const { server, lines, path } = await prepare(stage, database)
let at = 0

process.on('message', async (asked) => {
  if (asked === 'end') {
    await server.stop()
    await stage.close()
    process.exit(0)
  }
  const spent = { server: cpuSeconds(server.pid), postgres: cpuSeconds(stage.postgres.pid) }
  const result = await wrk({
    url: server.url + path,
    connections: CONNECTIONS,
    seconds: SECONDS,
    lines: lines(at),
  })
  if (result.failures > 0) throw new Error(`${result.failures} failures`)
  at += result.requests + CONNECTIONS
  const each = (now: number, then: number) => ((now - then) / result.requests) * 1e6
  const slice: Slice = {
    perSecond: result.perSecond,
    server: each(cpuSeconds(server.pid), spent.server),
    postgres: each(cpuSeconds(stage.postgres.pid), spent.postgres),
  }
  process.send?.(slice)
})
process.send?.('ready')
