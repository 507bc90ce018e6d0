// npm run simulate:coverage -- --steps 50000 --seed 7: Counts the executed statements of PL/pgSQL functions
// (Debian: postgresql-15 and postgresql-15-plpgsql-check). Lists every statement of the money functions that
// no step reached. Fails if one is not listed in defences.ts, or if a listed defence was reached.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { Client } from 'pg'
import { defences, gaps, type Unreached } from './defences.ts'
import { withHolder } from './hold.ts'
import { sequence } from './sequence.ts'

/** Folders of functions/ that the simulation must reach completely. */
const AREAS = ['capacity', 'escrow', 'ledger', 'orders', 'payments', 'referral', 'refunds', 'settlement']

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '50000' }, seed: { type: 'string', default: '1' } },
})
const [steps, seed] = [Number(values.steps), Number(values.seed)]
const PROFILER = '/usr/lib/postgresql/15/lib/plpgsql_check.so'
if (!existsSync(PROFILER)) {
  console.error(`${PROFILER} is missing: install Debian's postgresql-15-plpgsql-check`)
  process.exit(2)
}

interface Statement {
  /** Area and function, as `orders/create_orders`. */
  readonly of: string
  readonly line: number
  readonly text: string
  readonly runs: number
}

await withHolder(
  async (holder, adminUrl) => {
    for (let run = 0; holder.steps < steps; run += 1) {
      const [events = []] = fc.sample(sequence, { seed: seed * 1_000_003 + run, numRuns: 1 })
      const faults = await holder.hold(events)
      if (faults.length > 0) throw new Error(`seed ${seed}, sequence ${run}: ${faults[0]}`)
    }
    report(await countStatements(adminUrl), holder.steps)
  },
  {
    major: 15,
    settings: {
      shared_preload_libraries: 'plpgsql,plpgsql_check',
      'plpgsql_check.profiler': 'on',
      'plpgsql_check.profiler_max_shared_chunks': '50000',
    },
  },
)

async function countStatements(adminUrl: string): Promise<Statement[]> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query('create extension plpgsql_check')
    const found = await Promise.all(
      AREAS.map(async (area) => [area, await readdir(`functions/${area}`)] as const),
    )
    const names = found.flatMap(([area, files]) =>
      files.filter((file) => file.endsWith('.sql')).map((file) => [area, file.slice(0, -4)] as const),
    )
    const counted: Statement[] = []
    for (const [area, name] of names) {
      const { rows } = await client.query<{ lineno: number; runs: string }>(
        `select s.lineno, s.exec_stmts as runs from pg_proc p join pg_language l on l.oid = p.prolang,
                plpgsql_profiler_function_statements_tb(p.oid::regprocedure) s
          where p.proname = $1 and p.pronamespace = 'public'::regnamespace and l.lanname = 'plpgsql' and s.lineno > 0 order by s.stmtid`,
        [name],
      )
      if (rows.length === 0) continue
      const lines = (await readFile(`functions/${area}/${name}.sql`, 'utf8')).split('\n')
      const begin = lines.findIndex((line) => line.includes('$$'))
      for (const { lineno, runs } of rows)
        counted.push({
          of: `${area}/${name}`,
          line: begin + lineno,
          text: (lines[begin + lineno - 1] ?? '').trim(),
          runs: Number(runs),
        })
    }
    return counted
  } finally {
    await client.end()
  }
}

function report(statements: readonly Statement[], done: number): void {
  const unreached = statements.filter(({ runs }) => runs === 0)
  const isOn = (list: readonly Unreached[], statement: Statement) =>
    list.some(({ of, text = '' }) => of === statement.of && statement.text.includes(text))
  const named = unreached.filter((statement) => isOn(defences, statement))
  const toPlay = unreached.filter((statement) => !isOn(defences, statement) && isOn(gaps, statement))
  const missing = unreached.filter((statement) => !isOn(defences, statement) && !isOn(gaps, statement))
  const isReached = (entry: Unreached) => !unreached.some((statement) => isOn([entry], statement))
  for (const { of, line, text } of missing) console.log(`functions/${of}.sql:${line} not reached: ${text}`)
  for (const { of, text } of [...defences, ...gaps].filter(isReached))
    console.log(`functions/${of}.sql was reached, so defences.ts need not name it: ${text ?? 'all of it'}`)
  console.log(
    `seed ${seed}: ${done} steps reached ${statements.length - unreached.length} of ${statements.length} statements; ` +
      `${named.length} are defences, ${toPlay.length} are to be played, ${missing.length} are in no list`,
  )
  if (missing.length > 0 || defences.some(isReached)) process.exitCode = 1
}
