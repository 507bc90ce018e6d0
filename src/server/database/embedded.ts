import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { StartError } from '../start-error.ts'
import { asUser, findBinaries, type PostgresBinaries, type PostgresUser } from './postgres-binaries.ts'

export interface EmbeddedOptions {
  dataDir: string
  /** `own`: refuses a folder that another process serves. `attach`: uses the one that runs, else starts one. */
  mode: 'own' | 'attach'
  /** More server settings, for tests that need no durability. */
  settings?: Record<string, string>
  /** Makes a new cluster with this PostgreSQL; unset: the newest there is. An existing one keeps its own. */
  major?: number
  /** Told when the server ended without being asked to and is started again. */
  onRestart?: (reason: string) => void
}

export interface EmbeddedPostgres {
  /** For the role that the server runs as: reads and writes rows (`giveRights`), and owns nothing. */
  url: string
  /** For the role that owns the database and its tables: migrations and restores. */
  ownerUrl: string
  /** For the superuser: this file and tests only. */
  adminUrl: string
  attached: boolean
  /** Process id of the database server. */
  pid: number
  /** Ends a server that this process started; leaves one alone that it attached to. */
  stop(): Promise<void>
}

interface Paths {
  /** `DATA_DIR/postgres` */
  base: string
  cluster: string
  /** Files of the three roles' passwords. */
  superuserPassword: string
  ownerPassword: string
  runnerPassword: string
  log: string
  /** Folder of the socket as a client names it, and as the server does. */
  socket: string
  socketOfServer: string
}

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000
const LOG_SIZE_MAX = 10_000_000
/** `sun_path` has 108 bytes on Linux and 104 elsewhere; `/.s.PGSQL.5432` takes 14 of them. */
const SOCKET_FOLDER_LENGTH_MAX = 85
/** Held on the database `postgres` for as long as a process serves the folder. */
const OWNER_LOCK = 7_031_802_115
const SUPERUSER = 'postgres'
const OWNER_ROLE = 'presale'
export const RUNNING_ROLE = 'presale_server'
/**
 * The cluster as another user's process sees it: a descriptor that it inherits. It may not be allowed to walk the path
 * (a folder below a home that only root can enter), and up to version 15 its working folder does not stay put.
 */
const INHERITED_FOLDER = '/proc/self/fd/3'

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

/** What PostgreSQL keeps in its own memory: a part of the machine's, or of the container's, which with many orders holds the pages that a new one reads. */
function sharedMegabytes(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(1_024, Math.max(128, Math.floor(Math.min(totalmem(), limit) / 32 / 2 ** 20)))
}

/**
 * A real PostgreSQL in `DATA_DIR/postgres`, reached through a unix socket that only its user can open. It dies with
 * the process that started it, is started again when it ends by itself, and is served by one process at a time.
 * Refuses (`StartError`) a folder in use, one that can't be read, and one of another major version.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const paths = await preparePaths(options.dataDir)
  const user = await chooseUser(paths)
  const running = await attachTo(paths, options)
  if (running) return running
  const version = await readFile(join(paths.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  const binaries = await findBinaries(
    user,
    version === undefined ? options.major : Number.parseInt(version, 10),
  )
  if (version === undefined) await makeCluster(paths, binaries, user)
  const supervisor = new Supervisor(paths, binaries, user, options)
  await supervisor.start()
  return supervisor
}

class Supervisor implements EmbeddedPostgres {
  readonly attached = false
  url = ''
  ownerUrl = ''
  adminUrl = ''
  readonly #paths: Paths
  readonly #binaries: PostgresBinaries
  readonly #user: PostgresUser | undefined
  readonly #options: EmbeddedOptions
  #child: ChildProcess | undefined
  /** Undefined while its connection, and with it the lock, is lost. */
  #owner: Client | undefined
  #owning: Promise<void> | undefined
  #stopping = false

  constructor(
    paths: Paths,
    binaries: PostgresBinaries,
    user: PostgresUser | undefined,
    options: EmbeddedOptions,
  ) {
    this.#paths = paths
    this.#binaries = binaries
    this.#user = user
    this.#options = options
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  async start(): Promise<void> {
    const secrets = await readSecrets(this.#paths)
    Object.assign(this, urlsFrom(this.#paths, secrets, this.#options.settings?.port))
    try {
      await this.#launch()
      await this.#own()
      await ensureDatabase(this.#owner as Client, secrets)
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#owner?.end().catch(() => undefined)
    await this.#endServer()
    if (this.#paths.socketOfServer !== '.') await rmdir(this.#paths.socket).catch(() => undefined)
  }

  async #endServer(): Promise<void> {
    const child = this.#child
    if (!child || hasEnded(child)) return
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
    })
    child.kill('SIGINT')
    const isEnded = await Promise.race([
      ended.then(() => true),
      delay(STOP_TIMEOUT_MS, false, { ref: false }),
    ])
    if (isEnded) return
    child.kill('SIGQUIT')
    await ended
  }

  async #launch(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS
    await removeForeignPidFile(this.#paths)
    for (;;) {
      const child = await spawnServer(this.#paths, this.#binaries, this.#user, this.#options.settings)
      this.#child = child
      const isUp = await this.#waitUntilUp(child, deadline)
      if (isUp) break
      // Processes of a server that was killed hold its shared memory for a moment after it.
      if (Date.now() > deadline || !(await isBusy(this.#paths))) {
        // One that is only slow would keep every further one from starting.
        await this.#endServer()
        throw await startFailure(this.#paths)
      }
      await delay(200)
    }
    this.#child?.once('exit', (code, signal) => {
      if (!this.#stopping) void this.#restart(`the database server ended (${signal ?? code})`)
    })
  }

  async #waitUntilUp(child: ChildProcess, deadline: number): Promise<boolean> {
    while (Date.now() < deadline) {
      if (hasEnded(child)) return false
      const client = await connectAsSuperuser(this.adminUrl, this.ownerUrl)
      if (client) {
        try {
          if ((await serverPid(this.#paths)) === child.pid) return true
          // Another process's server came first: ours ends in a moment, and what serves the folder is not ours to lock or to stop.
          const holder = await waitForOwner(client)
          if (holder !== undefined) throw inUse(this.#options.dataDir, holder)
        } finally {
          await client.end().catch(() => undefined)
        }
      }
      await delay(20)
    }
    return false
  }

  async #restart(reason: string): Promise<void> {
    for (let attempt = 1; !this.#stopping; attempt += 1) {
      this.#options.onRestart?.(reason)
      try {
        await this.#launch()
        return await this.#ownAgain()
      } catch {
        await delay(Math.min(250 * 2 ** attempt, 10_000))
      }
    }
  }

  /** Takes the lock that says who serves the folder, and takes it again whenever its connection is lost. */
  async #own(): Promise<void> {
    const client = new Client({
      connectionString: this.adminUrl,
      application_name: ownerName(),
      keepAlive: true,
    })
    client.on('error', () => undefined)
    client.once('end', () => {
      if (this.#owner !== client) return
      this.#owner = undefined
      void this.#ownAgain()
    })
    await client.connect()
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      OWNER_LOCK,
    ])
    if (!rows[0]?.taken) {
      const holder = await ownerOf(client)
      await client.end()
      throw inUse(this.#options.dataDir, holder)
    }
    this.#owner = client
  }

  /** However often it is asked for, one takes the lock: a second one would ask for ever for what the first one has. */
  #ownAgain(): Promise<void> {
    this.#owning ??= this.#keepOwning().finally(() => {
      this.#owning = undefined
    })
    return this.#owning
  }

  async #keepOwning(): Promise<void> {
    while (!this.#stopping && !this.#owner) {
      await delay(100)
      await this.#own().catch(() => undefined)
    }
  }
}

/** Attaches to a server that runs, refuses it, or ends it when the process that had started it is gone. */
async function attachTo(paths: Paths, options: EmbeddedOptions): Promise<EmbeddedPostgres | undefined> {
  const isKnown = await stat(paths.superuserPassword).catch(() => undefined)
  if (!isKnown) return undefined
  const urls = urlsFrom(paths, await readSecrets(paths))
  const client = await connectUnlessGone(urls.adminUrl)
  if (!client) return undefined
  try {
    const holder = await waitForOwner(client)
    const pid = await serverPid(paths)
    if (holder === undefined) {
      await endOrphan(pid)
      return undefined
    }
    if (options.mode === 'own') throw inUse(options.dataDir, holder)
    return { ...urls, attached: true, pid, stop: () => Promise.resolve() }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Waits, because the process that has just started the server takes its lock a moment later, on a busy machine a long one: a server that is
 * young is nobody's orphan yet.
 */
async function waitForOwner(client: Client): Promise<string | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const holder = await ownerOf(client)
    if (holder !== undefined) return holder
    if (attempt >= 20 && !(await isYoung(client))) return undefined
    await delay(50)
  }
}

async function isYoung(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ young: boolean }>(
    `select clock_timestamp() - pg_postmaster_start_time() < interval '10 seconds' as young`,
  )
  return rows[0]?.young === true
}

async function ownerOf(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and (l.classid::bigint << 32) + l.objid::bigint = $1`,
    [OWNER_LOCK],
  )
  return rows[0]?.application_name
}

async function endOrphan(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + START_TIMEOUT_MS
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      throw new StartError(
        `The database server of an earlier run (process ${pid}) does not end: end it first`,
      )
    }
    await delay(50)
  }
}

async function preparePaths(dataDir: string): Promise<Paths> {
  try {
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    const base = join(await realpath(dataDir), 'postgres')
    const cluster = join(base, 'cluster')
    const inside = Buffer.byteLength(cluster) <= SOCKET_FOLDER_LENGTH_MAX
    const hash = createHash('sha256').update(cluster).digest('hex').slice(0, 16)
    const outside = join(tmpdir(), `presale-${hash}`)
    return {
      base,
      cluster,
      superuserPassword: join(base, 'superuser-password'),
      ownerPassword: join(base, 'password'),
      runnerPassword: join(base, 'server-password'),
      log: join(base, 'log'),
      socket: inside ? cluster : outside,
      // Relative to the server's working folder, which is the cluster: it may not be allowed to walk the path to it.
      socketOfServer: inside ? '.' : outside,
    }
  } catch (error) {
    throw unreadable(dataDir, error)
  }
}

/** Who runs the database server: the present user; for root the owner of the cluster, else `postgres`, else `nobody`. */
async function chooseUser(paths: Paths): Promise<PostgresUser | undefined> {
  const uid = process.getuid?.()
  const found = await stat(paths.cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw unreadable(dirname(paths.base), error)
  })
  if (uid !== 0) {
    if (found && found.uid !== uid) {
      throw new StartError(
        `The data folder ${dirname(paths.base)} belongs to another user (uid ${found.uid}): start as that user, or as root`,
      )
    }
    return undefined
  }
  if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid }
  const users = await readFile('/etc/passwd', 'utf8')
  for (const name of ['postgres', 'nobody']) {
    const line = users.split('\n').find((entry) => entry.startsWith(`${name}:`))
    const [, , userId, groupId] = line?.split(':') ?? []
    if (userId && groupId) return { uid: Number.parseInt(userId, 10), gid: Number.parseInt(groupId, 10) }
  }
  throw new StartError(
    'PostgreSQL does not run as root, and there is no other user: start as an ordinary user',
  )
}

/** Made beside its place and renamed, so that a start which is cut short leaves nothing half made. */
async function makeCluster(
  paths: Paths,
  binaries: PostgresBinaries,
  user: PostgresUser | undefined,
): Promise<void> {
  const draft = join(paths.base, `cluster-${process.pid}`)
  const secret = join(paths.base, `password-${process.pid}`)
  try {
    await mkdir(draft, { mode: 0o700 })
    const password = await readPassword(paths, paths.superuserPassword)
    await writeFile(secret, `${password}\n`, { mode: 0o600 })
    if (user) {
      await chown(draft, user.uid, user.gid)
      await chown(secret, user.uid, user.gid)
    }
    const input = await open(secret, 'r')
    const folder = await open(draft, 'r')
    const [program, args] = asUser(user, join(binaries.binFolder, 'initdb'), [
      `--pgdata=${user ? INHERITED_FOLDER : draft}`,
      `--username=${SUPERUSER}`,
      '--pwfile=/dev/stdin',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      '--data-checksums',
      '--no-instructions',
    ])
    const result = spawnSync(program, args, {
      cwd: '/',
      stdio: [input.fd, 'pipe', 'pipe', folder.fd],
      encoding: 'utf8',
      env: environment(),
    })
    await input.close()
    await folder.close()
    if (result.status !== 0) {
      const reason = (result.stderr || String(result.error ?? '')).trim().split('\n').at(-1)
      throw new StartError(`The database could not be made in ${dirname(paths.base)}: ${reason}`)
    }
    await rename(draft, paths.cluster)
  } catch (error) {
    // Another process made the cluster first; the lock decides who serves it.
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return
    throw error instanceof StartError ? error : unreadable(dirname(paths.base), error)
  } finally {
    await rm(secret, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

async function spawnServer(
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
    // The database server has a session of its own, so that Ctrl+C ends the program, which then ends the database last.
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

/** The kernel tells the server (fast shutdown) when its parent is gone; where it can't, the next start ends the orphan. */
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

async function ensureDatabase(client: Client, secrets: Secrets): Promise<void> {
  const { rows: roles } = await client.query<{ rolname: string }>('select rolname from pg_roles')
  for (const [role, password] of [
    [OWNER_ROLE, secrets.owner],
    [RUNNING_ROLE, secrets.runner],
  ] as const) {
    if (roles.some(({ rolname }) => rolname === role)) continue
    await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`)
  }
  const { rows } = await client.query('select from pg_database where datname = $1', [OWNER_ROLE])
  if (rows.length === 0) await client.query(`create database ${OWNER_ROLE} owner ${OWNER_ROLE}`)
}

interface Secrets {
  superuser: string
  owner: string
  runner: string
}

async function readSecrets(paths: Paths): Promise<Secrets> {
  return {
    superuser: await readPassword(paths, paths.superuserPassword),
    owner: await readPassword(paths, paths.ownerPassword),
    runner: await readPassword(paths, paths.runnerPassword),
  }
}

async function readPassword(paths: Paths, file: string): Promise<string> {
  try {
    // `wx`: of two first starts one makes the file, and both read it.
    await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unreadable(dirname(paths.base), error)
  }
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(dirname(paths.base), error)
  })
}

function urlsFrom(paths: Paths, secrets: Secrets, port?: string) {
  return {
    url: urlFrom(paths, RUNNING_ROLE, secrets.runner, OWNER_ROLE, port),
    ownerUrl: urlFrom(paths, OWNER_ROLE, secrets.owner, OWNER_ROLE, port),
    adminUrl: urlFrom(paths, SUPERUSER, secrets.superuser, SUPERUSER, port),
  }
}

function urlFrom(paths: Paths, role: string, password: string, database: string, port = '5432'): string {
  return `postgresql://${role}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(paths.socket)}`
}

/**
 * As the superuser. In a folder of an earlier version the superuser still has the password of the owner, and gets one of
 * its own here; its file is there by now, so that a start which is cut short ends the same way.
 */
async function connectAsSuperuser(adminUrl: string, ownerUrl: string): Promise<Client | undefined> {
  try {
    return await connect(adminUrl)
  } catch (error) {
    const shared = new URL(adminUrl)
    shared.password = new URL(ownerUrl).password
    const client = await connect(shared.href).catch(() => undefined)
    if (!client) throw error
    const password = client.escapeLiteral(decodeURIComponent(new URL(adminUrl).password))
    await client.query(`alter role ${SUPERUSER} password ${password}`)
    return client
  }
}

async function connect(url: string): Promise<Client | undefined> {
  const client = new Client({ connectionString: url, application_name: 'presale supervisor' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    // 28: the password is wrong, which waiting does not mend.
    if ((error as { code?: string }).code?.startsWith('28')) throw error
    return undefined
  }
}

/** Waits while a server is coming up or going down; undefined when none listens. */
async function connectUnlessGone(url: string): Promise<Client | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const client = new Client({ connectionString: url, application_name: 'presale supervisor' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(code) || Date.now() > deadline) return undefined
      if (code === 'EACCES' || code.startsWith('28')) {
        throw new StartError(`The running database refuses this user: ${(error as Error).message}`)
      }
      await delay(50)
    }
  }
}

/** The process that serves the folder, by PostgreSQL's own word; NaN where none has said so. */
async function serverPid(paths: Paths): Promise<number> {
  const text = await readFile(join(paths.cluster, PID_FILE), 'utf8').catch(() => '')
  return Number.parseInt(text.split('\n')[0] ?? '', 10)
}

/** Removes a `postmaster.pid` whose number another program has by now, because PostgreSQL would refuse to start. */
async function removeForeignPidFile(paths: Paths): Promise<void> {
  const path = join(paths.cluster, PID_FILE)
  const pid = await serverPid(paths)
  if (Number.isNaN(pid) || !isAlive(pid)) return
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined)
  if (name !== undefined && name.trim() !== 'postgres') await unlink(path)
}

async function isBusy(paths: Paths): Promise<boolean> {
  return /still in use|already exists|is another postmaster/.test(await logTail(paths))
}

async function startFailure(paths: Paths): Promise<StartError> {
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

/** Nothing of the program's own environment (its secrets) reaches the database server. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' }
}

function ownerName(): string {
  return `presale owner ${process.pid}`
}

function inUse(dataDir: string, holder: string | undefined): StartError {
  const pid = /\d+$/.exec(holder ?? '')?.[0]
  return new StartError(
    `The data folder ${dataDir} is in use by another server${pid ? ` (process ${pid})` : ''}: stop it, or set DATA_DIR`,
  )
}

function unreadable(dataDir: string, error: unknown): StartError {
  return new StartError(`The data folder ${dataDir} can't be used: ${(error as Error).message}`)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined
}

/** Whether a process runs; one that has ended counts as ended before its parent has collected it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/.test(readFileIfAny(`/proc/${pid}/stat`))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readFileIfAny(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
