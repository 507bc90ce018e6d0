import type { ChildProcess } from 'node:child_process'
import { readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import {
  chooseUser,
  makeCluster,
  OWNER_ROLE,
  type Paths,
  preparePaths,
  RUNNING_ROLE,
  readSecrets,
  type Secrets,
  SUPERUSER,
  urlsFrom,
} from './cluster-folder.ts'
import { clientOf, findServed, inUse, ownFolder, START_TIMEOUT_MS, waitForOwner } from './folder-owner.ts'
import { findBinaries, type PostgresBinaries, type PostgresUser } from './postgres-binaries.ts'
import {
  hasEnded,
  isBusy,
  removeForeignPidFile,
  serverPid,
  spawnServer,
  startFailure,
} from './server-process.ts'

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

const STOP_TIMEOUT_MS = 10_000

/**
 * A real PostgreSQL in `DATA_DIR/postgres`, reached through a unix socket that only its user can open. It dies with
 * the process that started it, is started again when it ends by itself, and is served by one process at a time.
 * Refuses (`StartError`) a folder in use, one that can't be read, and one of another major version.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const paths = await preparePaths(options.dataDir)
  const user = await chooseUser(paths)
  const served = await findServed(paths)
  if (served) {
    if (options.mode === 'own') throw inUse(options.dataDir, served.owner)
    return { ...served.urls, attached: true, pid: served.pid, stop: () => Promise.resolve() }
  }
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
    for (;;) {
      // A process that was itself stopped past the deadline looks once more: its server may be long up.
      const isLastLook = Date.now() >= deadline
      if (hasEnded(child)) return false
      const client = await connectAsSuperuser(this.adminUrl, this.ownerUrl)
      if (client) {
        try {
          if ((await serverPid(this.#paths)) === child.pid) return true
          // Another process's server came first: ours ends in a moment, and what serves the folder is not ours to lock or to stop.
          const owner = await waitForOwner(client)
          if (owner !== undefined) throw inUse(this.#options.dataDir, owner)
        } finally {
          await client.end().catch(() => undefined)
        }
      }
      if (isLastLook) return false
      await delay(20)
    }
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
    const client = await ownFolder(this.adminUrl, this.#options.dataDir)
    client.once('end', () => {
      this.#owner = undefined
      void this.#ownAgain()
    })
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
  const client = clientOf(url)
  try {
    await client.connect()
    return client
  } catch (error) {
    // 28: the password is wrong, which waiting does not fix.
    if ((error as { code?: string }).code?.startsWith('28')) throw error
    return undefined
  }
}
