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
  /** `own`: throws if another process serves the folder. `attach`: uses a running server, else starts one. */
  mode: 'own' | 'attach'
  settings?: Record<string, string>
  /** Version of a new cluster; unset: the newest available. */
  major?: number
  onRestart?: (reason: string) => void
}

export interface EmbeddedPostgres {
  /** Its role reads and writes rows (`giveRights`) and owns nothing. */
  url: string
  /** For migrations and restores. */
  ownerUrl: string
  /** For this file and tests only. */
  adminUrl: string
  attached: boolean
  pid: number
  /** Leaves an attached server running. */
  stop(): Promise<void>
}

const STOP_TIMEOUT_MS = 10_000

/**
 * Runs PostgreSQL in `DATA_DIR/postgres` on a unix socket that only its user can open. The server ends with
 * its process and is restarted after a crash.
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
  /** Undefined while its connection, and so the lock, is lost. */
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
      // Processes of a killed server keep its shared memory for a moment.
      if (Date.now() > deadline || !(await isBusy(this.#paths))) {
        // A merely slow server would block every further start.
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
      // This process may have been suspended past the deadline, so it checks once more.
      const isLastLook = Date.now() >= deadline
      if (hasEnded(child)) return false
      const client = await connectAsSuperuser(this.adminUrl, this.ownerUrl)
      if (client) {
        try {
          if ((await serverPid(this.#paths)) === child.pid) return true
          // Another process's server was first; it must not be locked or stopped.
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

  /** Takes the owner's lock, and again after each loss of its connection. */
  async #own(): Promise<void> {
    const client = await ownFolder(this.adminUrl, this.#options.dataDir)
    client.once('end', () => {
      this.#owner = undefined
      void this.#ownAgain()
    })
    this.#owner = client
  }

  /** Once at a time: a second attempt would wait for ever for the first one's lock. */
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
 * In a folder of an earlier version the superuser still has the owner's password and gets its own here. The
 * password file exists before, so an interrupted start can be repeated.
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
    // Class 28 (wrong password): waiting does not help.
    if ((error as { code?: string }).code?.startsWith('28')) throw error
    return undefined
  }
}
