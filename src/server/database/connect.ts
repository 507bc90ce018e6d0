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
  /** `own`: the only server of the embedded folder. `attach`: a command, or one of several processes. */
  mode: 'own' | 'attach'
  applicationName: string
  poolSizeMax?: number
  /** Skips migration and version check, for a restore. */
  leavesTables?: boolean | undefined
  statementTimeoutMs?: number
  readPoolSizeMax?: number
  beats?: boolean
  waitMs?: number
  onFault?: (message: string, error?: Error) => void
  signal?: AbortSignal
}

export interface DatabaseOwner {
  url: string
  runner: string | undefined
}

export interface Connected {
  db: Database
  owner: DatabaseOwner
  migrated: string[]
  close(): Promise<void>
}

/** For a command; a server waits longer, through a failover or reboot. */
const WAIT_MS = 15_000

/** Starts the embedded database if needed. */
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

/** `work` must be idempotent. Reports the reason once. */
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
