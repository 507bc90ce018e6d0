import { createHash } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../src/server/database/database.ts'
import { Retention } from '../src/server/retention/retention.ts'
import { addBuyers, addOperator, raiseGoal, tokenOf } from './fill.ts'
import { checksOf } from './ledger-check.ts'
import { cpuSeconds, memoryMb, type RunningServer, type WatchedRun, watchedRun } from './machine.ts'
import { kindsOfPage, tableRow } from './operator-table.ts'
import { median, type Row, shown } from './rows.ts'
import { GROWN, grownShop, MANY_QUICK } from './shops.ts'
import type { Stage, StageDatabase } from './stage.ts'
import { writeLines, wrk } from './wrk.ts'

const BUYERS = 20_000
const ORDERS_PER_SECOND_MAX = 6_000

/** A database of ten million orders, and an empty one. */
interface Grown {
  readonly stage: Stage
  readonly orders: number
  readonly database: StageDatabase
  readonly empty: StageDatabase
}

interface Spent {
  readonly seconds: number
  /** Processor time. */
  readonly server: number
  readonly postgres: number
}

/** Parts by name: `BENCH_GROWTH=overview,saving` repeats single ones. */
const PARTS: Record<string, (grown: Grown) => Promise<Row[]>> = {
  ready,
  orders,
  approvals,
  figures,
  tables,
  users,
  overview,
  saving,
  legal,
  exports: exportsAsCsv,
  retention,
  ledgerCheck,
  backup,
}

/**
 * Measures what could grow with the number of orders, by processor time: other programs affect wall-clock
 * time.
 */
export async function measure(stage: Stage): Promise<Row[]> {
  const database = await grownShop(stage)
  const empty = await stage.database('beside')
  await raiseGoal(empty.client)
  const known = await empty.client.query("select from users where email = 'buyer1@example.org'")
  if (known.rows.length === 0) await addBuyers(empty.client, BUYERS)
  const grown = { stage, orders: stage.quick ? MANY_QUICK.orders : GROWN.orders, database, empty }
  const rows: Row[] = []
  for (const name of process.env['BENCH_GROWTH']?.split(',') ?? Object.keys(PARTS)) {
    const part = PARTS[name]
    if (!part) throw new Error(`growth has no part ${name}: ${Object.keys(PARTS).join(', ')}`)
    for (const row of await part(grown)) {
      console.log(`  ${row.what}: ${row.measured}; ${row.notes ?? ''}`)
      rows.push({ ...row, what: `${row.what}, at ${grown.orders.toLocaleString('en')} orders` })
    }
  }
  return rows
}

async function spent(
  stage: Stage,
  server: RunningServer | undefined,
  work: () => Promise<unknown>,
): Promise<Spent> {
  const of = () => ({ server: server ? cpuSeconds(server.pid) : 0, postgres: cpuSeconds(stage.postgres.pid) })
  const before = of()
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  const after = of()
  return { seconds, server: after.server - before.server, postgres: after.postgres - before.postgres }
}

const processor = ({ server, postgres }: Spent) =>
  `processor: server ${shown(server)} s, PostgreSQL ${shown(postgres)} s`

async function withServer<T>(
  { stage, database }: Pick<Grown, 'stage' | 'database'>,
  work: (server: RunningServer) => Promise<T>,
) {
  const server = await stage.server(database, { args: ['--only', 'web'] })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

async function operatorOf({ client }: StageDatabase, role = 'owner'): Promise<string> {
  const { rows } = await client.query('select from operators where login = $1', [`bench-${role}`])
  if (rows.length === 0) return addOperator(client, role)
  await client.query(
    "update operator_sessions set authenticated_at = now(), last_seen_at = now(), expires_at = now() + interval '12 hours'",
  )
  return `ops_${createHash('sha256').update(`operator ${role}`).digest('base64url')}`
}

type Ask = (path: string, body?: unknown, method?: string) => Promise<Response>

const asking =
  (server: RunningServer, token: string): Ask =>
  async (path, body, method = body === undefined ? 'GET' : 'PUT') => {
    const reply = await fetch(`${server.url}/api/v1/operator${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply
  }

async function ready({ stage, database }: Grown): Promise<Row[]> {
  const taken: number[] = []
  let memory = 0
  for (let round = 0; round < 3; round += 1) {
    const server = await stage.server(database, { args: ['--only', 'web'] })
    taken.push(server.readyMs / 1000)
    memory = Math.max(memory, memoryMb(server.pid))
    await server.stop()
  }
  return [
    row(
      'ready after the start of a web process',
      `${shown(median(taken))} s`,
      3,
      `resident ${shown(memory, 0)} MB`,
    ),
  ]
}

const row = (what: string, measured: string, runs: number, notes: string): Row => ({
  what,
  target: '–',
  measured,
  runs,
  notes,
})

/** Alternates both sides. */
async function orders(grown: Grown): Promise<Row[]> {
  const seconds = grown.stage.quick ? 2 : 6
  const sides = { empty: [] as Load[], grown: [] as Load[] }
  for (let round = 0; round < 3; round += 1)
    for (const side of round % 2 === 0 ? (['empty', 'grown'] as const) : (['grown', 'empty'] as const)) {
      const database = side === 'grown' ? grown.database : grown.empty
      const prefix = `${side}${Date.now()}n`
      const count = seconds * ORDERS_PER_SECOND_MAX
      await database.client.query('checkpoint')
      const lines = Array.from(
        { length: count },
        (_, n) => `${tokenOf(1 + ((n + 1) % BUYERS))} ${prefix}${n + 1}`,
      )
      const file = writeLines(grown.stage.folder, 'growth-orders.txt', lines)
      sides[side].push(await loaded(grown.stage, database, 'orders.lua', file, seconds))
    }
  return [against('orders made over HTTP, 32 connections, batched', sides)]
}

/** Approves the orders of the part before. */
async function approvals(grown: Grown): Promise<Row[]> {
  const seconds = grown.stage.quick ? 2 : 5
  const sides = { empty: [] as Load[], grown: [] as Load[] }
  for (let round = 0; round < 3; round += 1)
    for (const side of round % 2 === 0 ? (['empty', 'grown'] as const) : (['grown', 'empty'] as const)) {
      const database = side === 'grown' ? grown.database : grown.empty
      const { rows } = await database.client.query<{ id: string }>(
        "select id from orders where status = 'pending' and expires_at > now() and idempotency_key like $1 order by id desc limit $2",
        [`key-${side}%`, seconds * 4_000],
      )
      const token = await operatorOf(database)
      const file = writeLines(grown.stage.folder, 'growth-approvals.txt', [
        token,
        ...rows.map(({ id }) => id),
      ])
      await database.client.query('checkpoint')
      sides[side].push(await loaded(grown.stage, database, 'approvals.lua', file, seconds))
    }
  return [against('approvals over HTTP, 32 connections', sides)]
}

interface Load {
  readonly perSecond: number
  readonly p99Ms: number
  readonly server: number
  readonly postgres: number
  readonly memory: number
}

async function loaded(
  stage: Stage,
  database: StageDatabase,
  script: string,
  file: string,
  seconds: number,
): Promise<Load> {
  return withServer({ stage, database }, async (server) => {
    let result: Awaited<ReturnType<typeof wrk>> | undefined
    const used = await spent(stage, server, async () => {
      result = await wrk({ url: server.url, connections: 32, seconds, lines: { script, file } })
    })
    if (!result || result.failures > 0) throw new Error(`${script}: ${result?.failures} failures`)
    const each = (value: number) => (value / (result?.requests ?? 1)) * 1e6
    const memory = memoryMb(server.pid, 'most')
    return { ...result, server: each(used.server), postgres: each(used.postgres), memory }
  })
}

function against(what: string, { empty, grown }: { empty: Load[]; grown: Load[] }): Row {
  const middle = (side: Load[], of: (load: Load) => number, digits = 0) => shown(median(side.map(of)), digits)
  const ratios = grown.map((load, n) => load.postgres / (empty[n]?.postgres ?? Number.NaN))
  return {
    what: `${what}: processor time of PostgreSQL ÷ on an empty database`,
    target: '≤ 1.3',
    measured: shown(median(ratios)),
    passed: median(ratios) <= 1.3,
    runs: ratios.length,
    values: ratios,
    notes: `PostgreSQL ${middle(grown, (l) => l.postgres)} against ${middle(empty, (l) => l.postgres)} µs, server ${middle(grown, (l) => l.server)} against ${middle(empty, (l) => l.server)} µs each; ${middle(grown, (l) => l.perSecond)} against ${middle(empty, (l) => l.perSecond)} a second, p99 ${middle(grown, (l) => l.p99Ms, 1)} against ${middle(empty, (l) => l.p99Ms, 1)} ms; server resident at most ${middle(grown, (l) => l.memory)} MB`,
  }
}

async function figures(grown: Grown): Promise<Row[]> {
  const one = (database: StageDatabase) =>
    withServer({ stage: grown.stage, database }, async (server) => {
      const taken: number[] = []
      // Wait, because the cache lasts a second.
      for (let n = 0; n < 8; n += 1) {
        await new Promise((resolve) => setTimeout(resolve, 1_100))
        const used = await spent(grown.stage, server, async () =>
          (await fetch(`${server.url}/api/v1/campaign`)).text(),
        )
        taken.push(used.seconds * 1000)
      }
      return median(taken)
    })
  const [many, few] = [await one(grown.database), await one(grown.empty)]
  return [
    row('public figures, read anew', `${shown(many, 1)} ms`, 8, `${shown(few, 1)} ms on an empty database`),
  ]
}

async function tables({ stage, database }: Grown): Promise<Row[]> {
  const token = await operatorOf(database)
  return withServer({ stage, database }, async (server) => [
    await tableRow({
      ask: async (path) =>
        (await asking(server, token)(path.startsWith('/') ? path : `/orders?${path}`)).json() as never,
      times: stage.quick ? 20 : 60,
      what: "operators' orders table, p99 of the slowest kind of page",
      queries: kindsOfPage,
    }),
  ])
}

async function users({ stage, database }: Grown): Promise<Row[]> {
  const token = await operatorOf(database)
  return withServer({ stage, database }, async (server) => [
    await tableRow({
      ask: async (path) => (await asking(server, token)(path)).json() as never,
      times: stage.quick ? 20 : 60,
      what: "operators' users table, p99 of the slowest kind of page",
      queries: async () => ({
        'first page': ['/users', '/users?limit=100'],
        'later pages': ['/users?after=500000', '/users?after=1000&limit=100'],
        'whole e-mail': ['/users?search=buyer777%40example.org', '/users?search=BUYER12345%40example.org'],
        'beginning of an e-mail': ['/users?search=buyer123', '/users?search=buyer77777'],
        'beginning of every e-mail': ['/users?search=b', '/users?search=buyer'],
        reference: ['/users?search=u_0000000000000064'],
        number: ['/users?search=4711', '/users?search=999'],
        'nothing fits': ['/users?search=nobody'],
      }),
    }),
  ])
}

async function overview({ stage, database }: Grown): Promise<Row[]> {
  const token = await operatorOf(database)
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const paths: [string, string][] = [
    ['overview, the first reading of a process', '/overview'],
    ['overview of one day', `/overview/range?from=${day(1)}&to=${day(1)}`],
    ['overview of 7 days', `/overview/range?from=${day(7)}&to=${day(0)}`],
    ['overview of 30 days', `/overview/range?from=${day(30)}&to=${day(0)}`],
    ['overview of all 91 days', `/overview/range?from=${day(91)}&to=${day(0)}`],
  ]
  return withServer({ stage, database }, async (server) => {
    const rows: Row[] = []
    for (const [what, path] of paths)
      rows.push(await askedOnce(stage, server, what, () => asking(server, token)(path)))
    // Wait, because the cache lasts a minute.
    await new Promise((resolve) => setTimeout(resolve, 61_000))
    rows.push(
      await askedOnce(stage, server, 'overview, read again', () => asking(server, token)('/overview')),
    )
    rows.push(
      await askedOnce(stage, server, 'overview of all 91 days, read again', () =>
        asking(server, token)(`/overview/range?from=${day(91)}&to=${day(0)}`),
      ),
    )
    return rows
  })
}

async function askedOnce(
  stage: Stage,
  server: RunningServer,
  what: string,
  ask: () => Promise<Response>,
): Promise<Row> {
  const used = await spent(stage, server, async () => (await ask()).text())
  return row(what, `${shown(used.seconds)} s`, 1, processor(used))
}

/** The effect on buyers when saving settings applies the caps again. */
async function saving({ stage, database }: Grown): Promise<Row[]> {
  const token = await operatorOf(database)
  return withServer({ stage, database }, async (server) => {
    const ask = asking(server, token)
    const taken: Spent[] = []
    for (let round = 0; round < 3; round += 1) {
      const { revision, settings } = (await (await ask('/campaign')).json()) as {
        revision: number
        settings: Record<string, unknown>
      }
      const orderDefaultTokens = settings['orderDefaultTokens'] === '41' ? '42' : '41'
      taken.push(
        await spent(stage, server, () =>
          ask('/campaign', { revision, settings: { ...settings, orderDefaultTokens } }),
        ),
      )
    }
    const seconds = median(taken.map((one) => one.seconds))
    const used = taken[1] as Spent
    return [
      row(
        "saving the campaign's settings, pools locked meanwhile",
        `${shown(seconds)} s`,
        3,
        processor(used),
      ),
    ]
  })
}

async function legal({ stage, database }: Grown): Promise<Row[]> {
  const token = await operatorOf(database)
  return withServer({ stage, database }, async (server) => {
    const ask = () => asking(server, token)('/legal/terms')
    return [
      await askedOnce(stage, server, 'versions of the terms with how many orders accepted each', ask),
      await askedOnce(stage, server, 'the same again', ask),
    ]
  })
}

async function exportsAsCsv({ stage, database }: Grown): Promise<Row[]> {
  const token = await operatorOf(database)
  return withServer({ stage, database }, async (server) => {
    const idle = memoryMb(server.pid)
    const rows: Row[] = []
    for (const [what, path] of [
      ['all orders as CSV', '/exports/transactions.csv'],
      ['all buyers as CSV', '/exports/users.csv'],
    ] as const) {
      let bytes = 0
      let lines = 0
      const used = await spent(stage, server, async () => {
        for await (const part of (await asking(server, token)(path)).body ?? []) {
          bytes += part.length
          for (const byte of part) if (byte === 10) lines += 1
        }
      })
      const each = (value: number) => shown((value / lines) * 1e6, 1)
      rows.push(
        row(
          what,
          `${shown(used.seconds, 1)} s`,
          1,
          `${lines} lines, ${shown(bytes / 1e6, 0)} MB; a line: server ${each(used.server)} µs, PostgreSQL ${each(used.postgres)} µs; server resident at most ${shown(memoryMb(server.pid, 'most'), 0)} MB, ${shown(idle, 0)} before`,
        ),
      )
    }
    return rows
  })
}

/** The job without expired data, and with a day's worth of it. */
async function retention({ stage, database }: Grown): Promise<Row[]> {
  const db = openDatabase({ url: database.url, applicationName: 'presale benchmark of retention' })
  const job = new Retention({ db })
  try {
    const nothing = await spent(stage, undefined, () => job.run())
    const count = 50_000
    await database.client.query(
      `insert into events (number, message_id, event, payload, created_at)
       select -n, 'old ' || n, 'order.created', '{}', now() - interval '90 days' from generate_series(1, $1::integer) n`,
      [count],
    )
    const some = await spent(stage, undefined, () => job.run())
    const removed = (await job.runs()).filter((run) => ['events', 'webhook_deliveries'].includes(run.table))
    return [
      row(
        'the job that removes what is old, nothing to remove',
        `${shown(nothing.seconds, 1)} s`,
        1,
        processor(nothing),
      ),
      row(
        `the same with ${count} old events`,
        `${shown(some.seconds, 1)} s`,
        1,
        `${processor(some)}; removed so far: ${removed.map((run) => `${run.table} ${run.removed}`).join(', ')}`,
      ),
    ]
  } finally {
    await db.close()
  }
}

async function ledgerCheck({ database, orders: count }: Grown): Promise<Row[]> {
  return checksOf(database, count)
}

async function backup(grown: Grown): Promise<Row[]> {
  const { stage, database } = grown
  const file = join(stage.folder, 'growth.backup')
  const backedUp = await commandRow(stage, 'npm run backup', ['dist/server/backup.js', file], database)
  const size = `${shown(statSync(file).size / 1e6, 0)} MB`
  const rows: Row[] = [{ ...backedUp, notes: `${size}; ${backedUp.notes}` }]
  if (process.env['BENCH_RESTORE'] !== 'off') rows.push(await restore(grown, file))
  rmSync(file)
  return rows
}

async function restore({ stage, database }: Grown, file: string): Promise<Row> {
  const target = await stage.database(`restored_${Date.now()}`)
  try {
    const command = ['dist/server/restore.js', file, '--replace']
    return await commandRow(stage, 'npm run restore, rules included', command, target)
  } finally {
    await target.client.end()
    await database.client.query(`drop database ${target.name}`)
  }
}

async function commandRow(
  stage: Stage,
  what: string,
  args: readonly string[],
  { url }: StageDatabase,
): Promise<Row> {
  let ran: WatchedRun | undefined
  const used = await spent(stage, undefined, async () => {
    ran = await watchedRun([process.execPath, ...args], stage.environmentOf(url))
  })
  if (!ran) throw new Error(`${what} did not run`)
  const { out, status } = ran
  if (status !== 0) console.log(out)
  const told = status === 0 ? out.split('\n')[0] : out.trim().split('\n').slice(0, 3).join(' ')
  return {
    ...row(
      what,
      `${shown(ran.seconds, 0)} s`,
      1,
      `processor: the command ${shown(ran.processor, 1)} s, PostgreSQL ${shown(used.postgres, 1)} s; memory at most ${shown(ran.memoryMb, 0)} MB; exit ${status}: ${told}`,
    ),
    passed: status === 0,
  }
}
