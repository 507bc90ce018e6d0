import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './machine.ts'

export interface WrkResult {
  readonly perSecond: number
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Failed answers or broken connections. */
  readonly failures: number
}

interface WrkOptions {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** Lines of which a thread makes its requests; the run stops when they are used up. */
  readonly lines?: { readonly script: string; readonly file: string }
  readonly headers?: Record<string, string>
}

/** Runs wrk in one thread, which leaves the processors to the server. */
export async function wrk({
  url,
  connections,
  seconds,
  lines,
  headers = {},
}: WrkOptions): Promise<WrkResult> {
  const { out, status } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    '-s',
    join(root, 'bench', lines?.script ?? 'get.lua'),
    url,
    ...(lines ? ['--', lines.file] : []),
  ])
  const json = /^RESULT (\{.*\})$/m.exec(out)?.[1]
  if (status !== 0 || !json) throw new Error(`wrk failed: ${out}`)
  const result = JSON.parse(json) as {
    requests: number
    us: number
    p50: number
    p99: number
    max: number
    failures: number
  }
  return {
    perSecond: (result.requests / result.us) * 1e6,
    requests: result.requests,
    p50Ms: result.p50 / 1000,
    p99Ms: result.p99 / 1000,
    maxMs: result.max / 1000,
    failures: result.failures,
  }
}

export function writeLines(folder: string, name: string, lines: readonly string[]): string {
  const file = join(folder, name)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}
