// Measures speed, memory and size in one run (SPEC section 9) and prints a table and JSON.
// npm run bench -- [--quick] [--only orders,approvals,…] [--kills 1000] [--seed N] [--out FILE] [--write]
// npm run bench -- --only growth --kept FOLDER 10,000,000 orders, kept in the folder
// npm run bench -- --against REF [--only orders,…] this tree against an earlier commit
import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { COMPARED, compareWith } from './against.ts'
import { describeMachine, root } from './machine.ts'
import { type Section, tableOf, verdictOf } from './rows.ts'
import { openStage } from './stage.ts'

const SECTIONS: Record<string, () => Promise<{ measure: Section }>> = {
  orders: () => import('./orders.ts'),
  approvals: () => import('./approvals.ts'),
  figures: () => import('./figures.ts'),
  streams: () => import('./streams.ts'),
  memory: () => import('./memory.ts'),
  'operator-table': () => import('./operator-table.ts'),
  'start-up': () => import('./start-up.ts'),
  sizes: () => import('./sizes.ts'),
  landing: () => import('./landing.ts'),
  'legacy-api': () => import('./legacy-api.ts'),
  'ledger-check': () => import('./ledger-check.ts'),
  kills: () => import('./kills.ts'),
  strangers: () => import('./strangers.ts'),
  verify: () => import('./verify.ts'),
  failover: () => import('./failover.ts'),
  'load-day': () => import('./load-day.ts'),
  growth: () => import('./growth.ts'),
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    against: { type: 'string' },
    kills: { type: 'string' },
    seed: { type: 'string' },
    kept: { type: 'string' },
    out: { type: 'string', default: join(root, 'test-results', 'bench.json') },
  },
})
const known = values.against ? COMPARED : Object.keys(SECTIONS)
/** Sections that run only if named. */
const BY_NAME = ['kills', 'failover', 'load-day', 'growth']
const chosen = values.only?.split(',') ?? known.filter((name) => !BY_NAME.includes(name))
const unknown = chosen.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown section ${unknown.join(', ')}: one of ${known.join(', ')}`)
  process.exit(1)
}

const startedAt = new Date()
console.log(`${describeMachine()}; ${startedAt.toISOString()}${values.quick ? '; quick' : ''}\n`)
if (values.against) {
  console.log(tableOf(await compareWith(values.against, chosen)))
  process.exit(0)
}
const stage = await openStage(values.quick, {
  kills: Number(values.kills ?? (values.quick ? 20 : 1_000)),
  seed: Number(values.seed ?? randomInt(2 ** 31)),
  kept: values.kept && resolve(values.kept),
})
const rows = []
try {
  for (const name of chosen) {
    console.log(`— ${name}`)
    const section = await SECTIONS[name]?.()
    const measured = (await section?.measure(stage)) ?? []
    rows.push(...measured)
    console.log(`${tableOf(measured)}\n`)
  }
} finally {
  await stage.close()
}
console.log(tableOf(rows))
console.log(`\n${verdictOf(rows)}`)
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(
  values.out,
  `${JSON.stringify({ machine: describeMachine(), startedAt, endedAt: new Date(), quick: values.quick, rows }, null, 2)}\n`,
)
console.log(values.out)
if (values.write) {
  const file = join(root, 'docs', 'performance.md')
  const about = `${describeMachine()}; ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC${values.quick ? '; a quick run' : ''}.`
  const table = `<!-- table -->\n${about}\n\n${tableOf(rows, false)}\n<!-- /table -->`
  // A `$` in figures is no replacement pattern.
  const text = readFileSync(file, 'utf8').replace(/<!-- table -->[\s\S]*<!-- \/table -->/, () => table)
  writeFileSync(file, text)
}
