import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pgbenchPath, run } from './machine.ts'

export interface PgbenchResult {
  readonly perSecond: number
  readonly transactions: number
  readonly latencyMs: number
}

/** Runs prepared statements, one transaction per client at a time, in one thread. */
export async function pgbench(options: {
  readonly url: string
  readonly folder: string
  readonly script: string
  readonly clients: number
  readonly seconds: number
}): Promise<PgbenchResult> {
  const file = join(options.folder, 'pgbench.sql')
  writeFileSync(file, options.script)
  const url = new URL(options.url)
  const { out, status } = await run(
    pgbenchPath(),
    [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(options.clients),
      '-j',
      '1',
      '-D',
      'n=-1',
      '-T',
      String(options.seconds),
      '-f',
      file,
    ],
    {
      PGHOST: url.searchParams.get('host') ?? url.hostname,
      PGPORT: url.port,
      PGUSER: url.username,
      PGPASSWORD: url.password,
      PGDATABASE: url.pathname.slice(1),
    },
  )
  const number = (pattern: RegExp) => Number(pattern.exec(out)?.[1] ?? Number.NaN)
  const failed = number(/number of failed transactions: (\d+)/)
  const perSecond = number(/^tps = ([\d.]+)/m)
  if (status !== 0 || failed > 0 || Number.isNaN(perSecond)) throw new Error(`pgbench failed: ${out}`)
  return {
    perSecond,
    transactions: number(/transactions actually processed: (\d+)/),
    latencyMs: number(/latency average = ([\d.]+)/),
  }
}
