import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { RetryableError } from '../refusal.ts'
import { StartError } from '../start-error.ts'
import { RUNNING_ROLE } from './cluster-folder.ts'
import { type Database, isConnectionLoss, openDatabase } from './database.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { refusePooler } from './pooler.ts'

export interface ConnectOptions {
  /** `own`: a server that serves the embedded folder alone. `attach`: a command, or one of several processes. */
  mode: 'own' | 'attach'
  applicationName: string
  poolSizeMax?: number
  /** Neither migrates nor refuses a database of a newer program: for a restore, which makes the tables itself. */
  leavesTables?: boolean | undefined
  statementTimeoutMs?: number
  /** Of an external database: connections for reading alone (`DatabaseOptions`). */
  readPoolSizeMax?: number
  /** Of an external database: notice within 3 s that it is frozen or cut off. */
  beats?: boolean
  /** How long to wait for an external database that is not there yet. */
  waitMs?: number
  /** Told what is worth a line in the log. */
  onFault?: (message: string, error?: Error) => void
  /** Ends the waiting. */
  signal?: AbortSignal
}

export interface DatabaseOwner {
  url: string
  /** The role that the server runs as, where it is another one. */
  runner: string | undefined
}

export interface Connected {
  db: Database
  /** Who owns the tables, for what changes them: migrations and restores. */
  owner: DatabaseOwner
  /** Names of the migrations that this start applied. */
  migrated: string[]
  close(): Promise<void>
}

/** A command says soon that there is no database; a server waits out a failover, or a reboot of what starts beside it. */
const WAIT_MS = 15_000

/** Opens the database that the configuration names, starting the embedded one where needed, and migrates it. */
export async function connectDatabase(config: Config, options: ConnectOptions): Promise<Connected> {
  const server = await startServer(config, options)
  try {
    const migrated = options.leavesTables
      ? []
      : await whenReachable(options, () => migrate(server.owner.url, { runner: server.owner.runner }))
    const isExternal = config.database.kind === 'external'
    const db = openDatabase({
      url: server.url,
      applicationName: options.applicationName,
      poolSizeMax: options.poolSizeMax,
      readPoolSizeMax: isExternal ? options.readPoolSizeMax : undefined,
      beats: isExternal && options.beats,
      replicaUrl: config.database.kind === 'external' ? config.database.replicaUrl : undefined,
      statementTimeoutMs: options.statementTimeoutMs,
      onConnectionError: (error) =>
        options.onFault?.(`a database connection was lost: ${error.message}`, error),
    })
    const close = async () => {
      await db.close()
      await server.stop()
    }
    return { db, owner: server.owner, migrated, close }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Runs `work`, which must be safe to repeat, until the database is there for it. The reason for waiting is told once. */
export async function whenReachable<T>(
  { waitMs = WAIT_MS, onFault, signal }: Pick<ConnectOptions, 'waitMs' | 'onFault' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + waitMs
  for (let isTold = false; ; isTold = true) {
    try {
      return await work()
    } catch (error) {
      const isAway = isConnectionLoss(error) || error instanceof RetryableError
      if (!isAway || signal?.aborted || Date.now() > deadline) throw error
      if (!isTold) onFault?.(`waiting for the database: ${reasonOf(error)}`)
      await delay(500, undefined, { signal })
    }
  }
}

async function startServer(config: Config, options: ConnectOptions) {
  const { database } = config
  if (database.kind === 'external') {
    const role = await roleOf(database.url, 'DATABASE_URL', options)
    const ownerRole = await roleOf(database.ownerUrl, 'MIGRATE_DATABASE_URL', options)
    const owner = { url: database.ownerUrl, runner: role === ownerRole ? undefined : role }
    return { url: database.url, owner, stop: () => Promise.resolve() }
  }
  const server = await startEmbedded({
    dataDir: database.dataDir,
    mode: options.mode,
    onRestart: options.onFault,
  })
  const owner = { url: server.ownerUrl, runner: RUNNING_ROLE }
  return { url: server.url, owner, stop: () => server.stop() }
}

/** As whom the URL comes in, once it can be reached and nothing on the way breaks what the program does with it. */
async function roleOf(url: string, variable: string, options: ConnectOptions): Promise<string> {
  try {
    return await whenReachable(options, () => refusePooler(url))
  } catch (error) {
    throw new StartError(`The database of ${variable} can't be used: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
