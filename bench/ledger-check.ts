import { spawn } from 'node:child_process'
import { memoryMb, root } from './machine.ts'
import { type Row, shown } from './rows.ts'
import { MANY, MANY_QUICK, manyOrders } from './shops.ts'
import { SECRET_KEY, type Stage } from './stage.ts'

const SECONDS_MAX = 60

/** How long `npm run ledger:check` takes over many orders, four of ten of them paid on a chain. */
export async function measure(stage: Stage): Promise<Row[]> {
  const database = await manyOrders(stage)
  const [before] = (await database.client.query<{ bytes: string }>(TEMPORARY)).rows
  const check = await runCheck(database.url)
  const [after] = (await database.client.query<{ bytes: string }>(TEMPORARY)).rows
  const written = (Number(after?.bytes ?? 0) - Number(before?.bytes ?? 0)) / 1024 / 1024
  return [
    {
      what: `npm run ledger:check at ${stage.quick ? MANY_QUICK.orders : MANY.orders} orders`,
      target: `< ${SECONDS_MAX} s, all rules hold`,
      measured: `${shown(check.seconds, 1)} s`,
      passed: check.status === 0 && check.seconds < SECONDS_MAX,
      runs: 1,
      notes: `memory of the command at most ${shown(check.memoryMb, 0)} MB; PostgreSQL wrote ${shown(written, 0)} MB of temporary files; slowest: ${slowest(check.rules)}`,
    },
  ]
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

/** A rule's line comes when it is answered: the time since the one before is its own. */
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
