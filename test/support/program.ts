import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './database-server.ts'
import { makeDiskFolder, makeFolder } from './folders.ts'
import { patienceMs } from './patience.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Program {
  child: ChildProcess
  output(): string
  ended: Promise<number | null>
}

export interface RunningServer extends Program {
  url: string
  dataDir: string
  /** Printed by the first start. */
  ownerLink: string | undefined
  /** By SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

/** Variables passed to programs. */
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env

/** Starts a program with a clean environment. */
export function startProgram(
  args: string[],
  environment: Record<string, string> = {},
  folder = ROOT,
): Program {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, output: () => output, ended }
}

export async function runProgram(
  args: string[],
  environment: Record<string, string> = {},
  folder = ROOT,
): Promise<{ code: number | null; output: string }> {
  const program = startProgram(args, environment, folder)
  return { code: await program.ended, output: program.output() }
}

/** Makes a folder in memory if there is room, unless `where` requires the disk. */
export function makeDataDir(where: 'anywhere' | 'disk' = 'anywhere'): Promise<string> {
  return where === 'disk' ? makeDiskFolder('data') : makeFolder('data')
}

/**
 * Starts a server on a free port, with its own embedded database unless `DATABASE_URL` is set. Ready once it
 * has printed its address. The caller stops it and removes the folder.
 */
export async function startServerProgram(
  environment: Record<string, string> = {},
  dataDir?: string,
  args: readonly string[] = [],
  programFolder = ROOT,
): Promise<RunningServer> {
  const folder = dataDir ?? (await makeDataDir())
  const settings = { PORT: String(await freePort()), DATA_DIR: folder, ...environment }
  const program = startProgram(['dist/server/main.js', ...args], settings, programFolder)
  const { child, ended } = program
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /^Presale: +(\S+)$/m.exec(program.output())?.[1]
      if (found) resolve(found)
    }
    child.stdout?.on('data', look)
    void ended.then((code) => reject(new Error(`the server ended (${code}): ${program.output()}`)))
  })
  return {
    ...program,
    url,
    dataDir: folder,
    ownerLink: /one-time link \(24 h\): (\S+)/.exec(program.output())?.[1],
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export function removeDataDir(path: string): Promise<void> {
  // A stopping database server may still write into it.
  return rm(path, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 })
}

/** Waits for one that is restarting. */
export async function killDatabase(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  for (const deadline = Date.now() + patienceMs; ; ) {
    try {
      process.kill(Number((await readFile(file, 'utf8')).split('\n')[0]), 'SIGKILL')
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await delay(50)
    }
  }
}
