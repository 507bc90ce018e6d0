import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'
import { type Database, isConnectionLoss, openDatabase } from './database.ts'
import { startEmbedded } from './embedded.ts'
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

export interface Connected {
  db: Database
  /** As the superuser where the database is embedded, else the same as `db.url`. */
  adminUrl: string
  /** Names of the migrations that this start applied. */
  migrated: string[]
  close(): Promise<void>
}

const EXTERNAL_WAIT_MS = 15_000

/** Opens the database that the configuration names, starting the embedded one where needed, and migrates it. */
export async function connectDatabase(config: Config, options: ConnectOptions): Promise<Connected> {
  const server = await startServer(config, options)
  try {
    const migrated = await migrate(server.url)
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
    return { db, adminUrl: server.adminUrl, migrated, close }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function startServer(config: Config, options: ConnectOptions) {
  const { database } = config
  if (database.kind === 'external') {
    await waitForExternal(database.url)
    return { url: database.url, adminUrl: database.url, stop: () => Promise.resolve() }
  }
  return startEmbedded({ dataDir: database.dataDir, mode: options.mode, onRestart: options.onFault })
}

/** Waits a moment for a database that starts at the same time (after a reboot, in a composition of containers). */
async function waitForExternal(url: string): Promise<void> {
  const probe = openDatabase({ url, poolSizeMax: 1 })
  const deadline = Date.now() + EXTERNAL_WAIT_MS
  try {
    for (;;) {
      try {
        const client = await probe.pool.connect()
        client.release()
        return
      } catch (error) {
        if (!isConnectionLoss(error) || Date.now() > deadline) {
          throw new StartError(`The database of DATABASE_URL can't be used: ${reasonOf(error)}`)
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
