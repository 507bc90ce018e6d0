import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface Spec {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The user to run as instead of root, which PostgreSQL refuses. */
  readonly user?: string
  /** The file of the network namespace. */
  readonly network?: string | undefined
}

/** Like systemd's `RestartSec=100ms`. */
const RESTART_MS = 100
const HELD_LOOK_MS = 100

/** Runs processes with a log and a pid file each, and restarts them like systemd. */
export class Supervisor {
  readonly #folder: string
  readonly #stopping = new AbortController()
  readonly #kept = new Map<string, { child: ChildProcess | undefined; loop: Promise<void> }>()

  constructor(folder: string) {
    this.#folder = folder
  }

  start(spec: Spec): void {
    const kept = { child: undefined as ChildProcess | undefined, loop: Promise.resolve() }
    this.#kept.set(spec.name, kept)
    kept.loop = this.#keep(spec, kept)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const { child, loop } of [...this.#kept.values()].toReversed()) {
      child?.kill('SIGCONT')
      child?.kill('SIGTERM')
      const forced = setTimeout(() => child?.kill('SIGKILL'), 15_000)
      await loop
      clearTimeout(forced)
    }
  }

  async #keep(spec: Spec, kept: { child: ChildProcess | undefined }): Promise<void> {
    await mkdir(join(this.#folder, 'run'), { recursive: true })
    const { signal } = this.#stopping
    while (!signal.aborted) {
      if (existsSync(heldFile(this.#folder, spec.name))) {
        await delay(HELD_LOOK_MS, undefined, { signal }).catch(() => undefined)
        continue
      }
      const child = launch(this.#folder, spec)
      kept.child = child
      await writeFile(join(this.#folder, 'run', `${spec.name}.pid`), String(child.pid))
      await once(child, 'exit')
      await delay(RESTART_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

/**
 * The child ends with this process by PR_SET_PDEATHSIG, set after the change of user, which would clear it.
 */
function launch(folder: string, { name, command, args, environment, user, network }: Spec): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const isRoot = process.getuid?.() === 0
  const as = isRoot && user ? [`--reuid=${user}`, `--regid=${user}`, '--init-groups'] : []
  const confined = ['setpriv', ...as, '--pdeathsig=KILL', '--', command, ...args]
  const [first = '', ...rest] = network ? ['nsenter', `--net=${network}`, '--', ...confined] : confined
  return spawn(first, rest, {
    env: { PATH: process.env['PATH'], HOME: folder, ...environment },
    stdio: ['ignore', log, log],
  })
}

/** While it exists the process is not restarted. */
const heldFile = (folder: string, name: string) => join(folder, 'run', `${name}.held`)

export async function hold(folder: string, name: string): Promise<void> {
  await writeFile(heldFile(folder, name), '')
}

export async function release(folder: string, name: string): Promise<void> {
  await rm(heldFile(folder, name), { force: true })
}

export async function pidOf(folder: string, name: string): Promise<number | undefined> {
  return running(await readFile(join(folder, 'run', `${name}.pid`), 'utf8').catch(() => ''))
}

/** PostgreSQL's main process and its children, which end together when a machine fails. */
export async function postgresPids(dataFolder: string): Promise<number[]> {
  const main = running(await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => ''))
  if (main === undefined) return []
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(all.map(async (pid) => [Number(pid), await parentOf(pid)] as const))
  return [main, ...parents.filter(([, parent]) => parent === main).map(([pid]) => pid)]
}

async function parentOf(pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function running(text: string): number | undefined {
  const pid = Number.parseInt(text, 10)
  return pid > 0 && existsSync(`/proc/${pid}`) ? pid : undefined
}

/** A process that has already ended needs no signal. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
