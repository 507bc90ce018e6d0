import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'
import { type Database, isConnectionLoss, openDatabase, sql } from './database.ts'
import { RUNNING_ROLE, startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

export interface ConnectOptions {
  /** `own`: a server that serves the embedded folder alone. `attach`: a command, or one of several processes. */
  mode: 'own' | 'attach'
  applicationName: string
  poolSizeMax?: number
  statementTimeoutMs?: number
  /** Told what is worth a line in the log. */
  onFault?: (message: string) => void
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

const EXTERNAL_WAIT_MS = 15_000

/** Opens the database that the configuration names, starting the embedded one where needed, and migrates it. */
export async function connectDatabase(config: Config, options: ConnectOptions): Promise<Connected> {
  const server = await startServer(config, options)
  try {
    const migrated = await migrate(server.owner.url, { runner: server.owner.runner })
    const db = openDatabase({
      url: server.url,
      applicationName: options.applicationName,
      poolSizeMax: options.poolSizeMax,
      statementTimeoutMs: options.statementTimeoutMs,
      onConnectionError: (error) => options.onFault?.(`a database connection was lost: ${error.message}`),
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

async function startServer(config: Config, options: ConnectOptions) {
  const { database } = config
  if (database.kind === 'external') {
    const role = await waitForExternal(database.url, 'DATABASE_URL')
    const ownerRole = await waitForExternal(database.ownerUrl, 'MIGRATE_DATABASE_URL')
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

/**
 * Waits a moment for a database that starts at the same time (after a reboot, in a composition of containers). Answers as
 * whom the URL comes in.
 */
async function waitForExternal(url: string, variable: string): Promise<string> {
  const probe = openDatabase({ url, poolSizeMax: 1 })
  const deadline = Date.now() + EXTERNAL_WAIT_MS
  try {
    for (;;) {
      try {
        return (await probe.one<{ role: string }>(sql`select current_user as role`)).role
      } catch (error) {
        if (!isConnectionLoss(error) || Date.now() > deadline) {
          throw new StartError(`The database of ${variable} can't be used: ${reasonOf(error)}`)
        }
        await delay(500)
      }
    }
  } finally {
    await probe.close()
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
