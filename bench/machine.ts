import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))

/** `getconf CLK_TCK`, which is the same on all of Node's Linux platforms. */
const TICKS_PER_SECOND = 100

/** Processor time with descendants, ended ones included. */
export function cpuSeconds(pid: number): number {
  const children = new Map<number, number[]>()
  const ticks = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    if (!fields) continue
    const parent = Number(fields[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    ticks.set(Number(name), Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]))
  }
  const sum = (id: number): number =>
    (ticks.get(id) ?? 0) + (children.get(id) ?? []).reduce((total, child) => total + sum(child), 0)
  return sum(pid) / TICKS_PER_SECOND
}

function endedCpuSeconds(): number {
  const fields = statOf('self') ?? []
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

/** The fields from the third on, because the second may contain spaces. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** The resident memory. */
export function memoryMb(pid: number, when: 'now' | 'most' = 'now'): number {
  const name = when === 'now' ? 'VmRSS' : 'VmHWM'
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? Number.NaN) / 1024
}

export function describeMachine(): string {
  const memory = /^MemTotal:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
  const kernel = readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim()
  return `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(Number(memory) / 1024 / 1024)} GB, Linux ${kernel}, Node ${process.versions.node}`
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => {
    probe.close(resolve)
  })
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export interface RunningServer {
  readonly pid: number
  readonly port: number
  readonly url: string
  /** The time to the first 200 of /readyz. */
  readonly readyMs: number
  stop(): Promise<void>
}

export interface ServerOptions {
  /** A command such as `npm start`. */
  command?: readonly [string, ...string[]]
  args?: readonly string[]
  environment: Record<string, string>
}

/** Starts the server as `npm start` does; waits until it is ready. */
export async function startServer({
  command,
  args = [],
  environment,
}: ServerOptions): Promise<RunningServer> {
  const port = await freePort()
  const [program, ...rest] = command ?? [process.execPath, 'scripts/run.mjs', 'start', ...args]
  const startedAt = performance.now()
  const child = spawn(program, rest, {
    cwd: root,
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      said = (said + data.toString()).slice(-4000)
    })
  }
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(`${url}/readyz`))) {
    if (child.exitCode !== null || performance.now() - startedAt > 60_000) {
      throw new Error(`the server did not start: ${said}`)
    }
    await delay(10)
  }
  const readyMs = performance.now() - startedAt
  return { pid: child.pid ?? 0, port, url, readyMs, stop: () => stopProcess(child) }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const reply = await fetch(url)
    await reply.arrayBuffer()
    return reply.status === 200
  } catch {
    return false
  }
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => {
    child.once('exit', resolve)
  })
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(late)
}

export interface Ran {
  readonly out: string
  readonly status: number
}

export function run(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  /** Called ten times a second. */
  watch?: (pid: number) => void,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const watching = watch && setInterval(() => child.exitCode === null && watch(child.pid ?? 0), 100)
    let out = ''
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString()
    })
    child.stderr.on('data', (data: Buffer) => {
      out += data.toString()
    })
    child.on('error', reject)
    child.on('close', (status) => {
      clearInterval(watching)
      resolve({ out, status: status ?? 1 })
    })
  })
}

export interface WatchedRun extends Ran {
  readonly seconds: number
  readonly processor: number
  /** The maximum. */
  readonly memoryMb: number
}

export async function watchedRun(
  [program, ...args]: readonly [string, ...string[]],
  environment: Record<string, string>,
): Promise<WatchedRun> {
  const startedAt = performance.now()
  const endedBefore = endedCpuSeconds()
  let most = 0
  const ran = await run(program, args, environment, (pid) => {
    most = Math.max(most, memoryMb(pid, 'most') || 0)
  })
  return {
    ...ran,
    seconds: (performance.now() - startedAt) / 1000,
    processor: endedCpuSeconds() - endedBefore,
    memoryMb: most,
  }
}

/** Debian installs pgbench in a folder of the newest PostgreSQL. */
export function pgbenchPath(): string {
  const servers = '/usr/lib/postgresql'
  const versions = readdirSync(servers).toSorted((a, b) => Number(b) - Number(a))
  const version = versions.find((name) => readdirSync(join(servers, name, 'bin')).includes('pgbench'))
  if (!version) throw new Error('pgbench is not installed: apt-get install postgresql')
  return join(servers, version, 'bin/pgbench')
}
