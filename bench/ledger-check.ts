import { spawn } from 'node:child_process'
import { hourlyRules } from '../src/server/commands/rules.ts'
import { openDatabase } from '../src/server/database/database.ts'
import { runLedgerCheck } from '../src/server/ledger/ledger-check.ts'
import { cpuSeconds, memoryMb, root } from './machine.ts'
import { type Row, shown } from './rows.ts'
import { MANY, MANY_QUICK, manyOrders } from './shops.ts'
import { SECRET_KEY, type Stage, type StageDatabase } from './stage.ts'

/** The limit for up to a million orders; every row is read, so it grows with their number. */
const SECONDS_MAX = 60
const mostSeconds = (orders: number) => SECONDS_MAX * Math.max(1, orders / MANY.orders)

/** Checks many orders, 40 % of them paid on a chain; also the cost of a server's hourly check. */
export async function measure(stage: Stage): Promise<Row[]> {
  return checksOf(await manyOrders(stage), stage.quick ? MANY_QUICK.orders : MANY.orders)
}

/** Measures a database of so many orders. */
export async function checksOf(database: StageDatabase, orders: number): Promise<Row[]> {
  const [check, written] = await writing(database, () => runCheck(database.url))
  return [
    {
      what: `npm run ledger:check at ${orders} orders`,
      target: `< ${mostSeconds(orders)} s, all rules hold`,
      measured: `${shown(check.seconds, 1)} s`,
      passed: check.status === 0 && check.seconds < mostSeconds(orders),
      runs: 1,
      notes: `memory of the command at most ${shown(check.memoryMb, 0)} MB; PostgreSQL wrote ${shown(written, 0)} MB of temporary files; slowest: ${slowest(check.rules)}`,
    },
    await hourly(database, orders),
  ]
}

/** The check that runs beside the buyers' requests. */
async function hourly(database: StageDatabase, orders: number): Promise<Row> {
  const db = openDatabase({ url: database.url })
  const startedAt = performance.now()
  const most = { processor: 0, memory: 0 }
  const watch = setInterval(() => {
    database.client
      .query<{ pid: number }>(
        "select pid from pg_stat_activity where application_name = 'presale ledger check'",
      )
      .then(({ rows }) => {
        for (const { pid } of rows) {
          most.processor = Math.max(most.processor, cpuSeconds(pid))
          most.memory = Math.max(most.memory, memoryMb(pid, 'most') || 0)
        }
      })
      .catch(() => undefined)
  }, 500)
  const [, written] = await writing(database, () => runLedgerCheck(db, hourlyRules))
  const seconds = (performance.now() - startedAt) / 1_000
  clearInterval(watch)
  await db.close()
  const { rows } = await database.client.query<{ broken: string; unasked: string }>(
    'select broken::text, unasked::text from ledger_checks',
  )
  const said = `${rows[0]?.broken} broken, ${rows[0]?.unasked} not asked`
  return {
    what: `the server's hourly ledger check at ${orders} orders: processor time of PostgreSQL`,
    target: `< ${mostSeconds(orders)} s`,
    measured: `${shown(most.processor, 1)} s`,
    passed: most.processor < mostSeconds(orders) && said === '[] broken, [] not asked',
    runs: 1,
    notes: `${shown(seconds, 1)} s on one core; its connection took at most ${shown(most.memory, 0)} MB, shared buffers included; PostgreSQL wrote ${shown(written, 0)} MB of temporary files; ${said}`,
  }
}

async function writing<T>({ client }: StageDatabase, work: () => Promise<T>): Promise<[T, number]> {
  const bytes = async () => Number((await client.query<{ bytes: string }>(TEMPORARY)).rows[0]?.bytes ?? 0)
  const before = await bytes()
  const result = await work()
  return [result, ((await bytes()) - before) / 1024 / 1024]
}

const TEMPORARY = 'select temp_bytes as bytes from pg_stat_database where datname = current_database()'

const slowest = (rules: readonly { name: string; seconds: number }[]) =>
  rules
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 3)
    .map(({ name, seconds }) => `${name} ${shown(seconds, 1)} s`)
    .join(', ')

interface Check {
  readonly status: number
  readonly seconds: number
  readonly memoryMb: number
  readonly rules: readonly { readonly name: string; readonly seconds: number }[]
}

/** A rule prints its line when done, so the time since the previous line is its own. */
function runCheck(url: string): Promise<Check> {
  const child = spawn(process.execPath, ['dist/server/ledger-check.js'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url, SECRET_KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const startedAt = performance.now()
  let since = startedAt
  let most = 0
  const rules: { name: string; seconds: number }[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    most = Math.max(most, memoryMb(child.pid ?? 0, 'most') || 0)
    for (const [, name = ''] of text.matchAll(/^(?:holds|broken) +(\w+):/gm)) {
      const now = performance.now()
      rules.push({ name, seconds: (now - since) / 1_000 })
      console.log(`  ${name}: ${shown((now - since) / 1_000, 1)} s`)
      since = now
    }
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) =>
      resolve({
        status: status ?? 1,
        seconds: (performance.now() - startedAt) / 1_000,
        memoryMb: most,
        rules,
      }),
    )
  })
}
