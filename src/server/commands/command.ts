import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, loadEnvFile, readConfig } from '../config.ts'
import { type Connected, connectDatabase } from '../database/connect.ts'
import { Refusal } from '../refusal.ts'
import { StartError } from '../start-error.ts'

export interface CommandNeeds {
  config: Config
  connected: Connected
}

type Work = (needs: CommandNeeds) => Promise<number>

interface Named {
  name: string
  /** For a restore; other commands fail without a database. */
  makesDatabase: boolean
  /** Leaves even a newer program's schema unchanged. */
  leavesTables?: boolean
}

/**
 * Starts and stops the embedded database if it is not running. Sets the exit code to the result; a known
 * error prints one line and exits with 1.
 */
export async function runCommand(named: string | Named, work: Work): Promise<void> {
  // A closed output (`| head -1`) must not end the command.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const command = typeof named === 'string' ? { name: named, makesDatabase: false } : named
  process.exitCode = await withDatabase(command, work).catch((error: unknown) => {
    const isExpected = error instanceof StartError || error instanceof Refusal
    complain(isExpected ? (error as Error).message : String((error as Error).stack))
    return 1
  })
}

async function withDatabase({ name, makesDatabase, leavesTables }: Named, work: Work): Promise<number> {
  loadEnvFile()
  const config = readConfig()
  if (!makesDatabase) refuseNothing(config, name)
  const connected = await connectDatabase(config, {
    mode: 'attach',
    applicationName: `presale ${name}`,
    poolSizeMax: 2,
    leavesTables,
    // Checks of a million orders take long.
    statementTimeoutMs: 30 * 60_000,
  })
  try {
    return await work({ config, connected })
  } finally {
    await connected.close()
  }
}

/** Without the server's settings a command would report on a new, empty database that no order was lost. */
function refuseNothing({ database }: Config, name: string): void {
  if (database.kind === 'external' || existsSync(join(database.dataDir, 'postgres', 'cluster'))) return
  throw new StartError(
    `There is no database in ${database.dataDir}: ${name} needs the settings of the server, DATABASE_URL or DATA_DIR among them`,
  )
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}
