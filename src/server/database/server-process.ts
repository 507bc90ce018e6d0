import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, chown, lstat, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../is-alive.ts'
import { StartError } from '../start-error.ts'
import { environment, INHERITED_FOLDER, type Paths } from './cluster-folder.ts'
import { asUser, type PostgresBinaries, type PostgresUser } from './postgres-binaries.ts'

const LOG_SIZE_MAX = 10_000_000

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  cluster_name: 'presale',
  max_connections: '100',
  shared_buffers: `${sharedMegabytes()}MB`,
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  password_encryption: 'scram-sha-256',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  logging_collector: 'off',
}

const PID_FILE = 'postmaster.pid'

/**
 * 1/32 of the memory of the machine or container, 128 MB to 1 GB. With many orders the buffers hold the pages
 * that a new one reads.
 */
function sharedMegabytes(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(1_024, Math.max(128, Math.floor(Math.min(totalmem(), limit) / 32 / 2 ** 20)))
}

export async function spawnServer(
  paths: Paths,
  binaries: PostgresBinaries,
  user: PostgresUser | undefined,
  settings: Record<string, string> = {},
): Promise<ChildProcess> {
  if (paths.socketOfServer !== '.') await makeSocketFolder(paths.socket, user)
  await turnLogOver(paths.log)
  const log = await open(paths.log, 'a', 0o600)
  const flags = Object.entries({ ...SETTINGS, unix_socket_directories: paths.socketOfServer, ...settings })
  const args = [
    '-D',
    user ? INHERITED_FOLDER : paths.cluster,
    ...flags.flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ]
  const [program, programArgs] = withParent(user, join(binaries.binFolder, 'postgres'), args)
  const cluster = await open(paths.cluster, 'r')
  const child = spawn(program, programArgs, {
    cwd: '/',
    // In its own session: Ctrl+C ends the program first, which then stops the server.
    detached: true,
    stdio: ['ignore', log.fd, log.fd, cluster.fd],
    env: environment(),
  })
  child.on('error', () => undefined)
  await log.close()
  await cluster.close()
  return child
}

let hasPdeathsig: boolean | undefined

/**
 * The kernel stops the server (fast shutdown) when its parent ends; if unsupported, the next start stops the
 * orphan.
 */
function withParent(user: PostgresUser | undefined, program: string, args: string[]): [string, string[]] {
  hasPdeathsig ??= spawnSync('setpriv', ['--pdeathsig=INT', 'true']).status === 0
  const [command, commandArgs] = asUser(user, program, args)
  if (!hasPdeathsig) return [command, commandArgs]
  return user
    ? [command, ['--pdeathsig=INT', ...commandArgs]]
    : ['setpriv', ['--pdeathsig=INT', '--', program, ...args]]
}

async function makeSocketFolder(path: string, user: PostgresUser | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const owner = user?.uid ?? process.getuid?.()
  const found = await lstat(path)
  const isOwn = found.isDirectory() && (found.uid === owner || found.uid === process.getuid?.())
  if (!isOwn) throw new StartError(`${path} belongs to somebody else: choose a DATA_DIR with a shorter path`)
  await chmod(path, 0o700)
  if (user) await chown(path, user.uid, user.gid)
}

export async function serverPid(paths: Paths): Promise<number> {
  const text = await readFile(join(paths.cluster, PID_FILE), 'utf8').catch(() => '')
  return Number.parseInt(text.split('\n')[0] ?? '', 10)
}

/** Its process id was reused by another program; PostgreSQL would not start. */
export async function removeForeignPidFile(paths: Paths): Promise<void> {
  const path = join(paths.cluster, PID_FILE)
  const pid = await serverPid(paths)
  if (Number.isNaN(pid) || !isAlive(pid)) return
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined)
  if (name !== undefined && name.trim() !== 'postgres') await unlink(path)
}

export async function isBusy(paths: Paths): Promise<boolean> {
  return /still in use|already exists|is another postmaster/.test(await logTail(paths))
}

export async function startFailure(paths: Paths): Promise<StartError> {
  const line = (await logTail(paths))
    .split('\n')
    .findLast((entry) => /(FATAL|PANIC|could not|error)/.test(entry))
  const reason = line?.replace(/^.*?(FATAL|PANIC): +/, '') ?? 'it did not answer'
  return new StartError(`The database server did not start: ${reason} (see ${paths.log})`)
}

async function logTail(paths: Paths): Promise<string> {
  const text = await readFile(paths.log, 'utf8').catch(() => '')
  return text.slice(-2_000)
}

async function turnLogOver(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found && found.size > LOG_SIZE_MAX) await rename(path, `${path}.1`)
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined
}
