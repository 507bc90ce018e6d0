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
  /** Begins with an empty embedded one where there is none, as a restore does; every other command refuses. */
  makesDatabase: boolean
  /** Finds the database as it is, also that of a newer program. */
  leavesTables?: boolean
}

/**
 * Runs a command on the database in use: attaches to one that runs, else starts it and ends it again. What it returns
 * is the exit code; a refusal and a wrong setting are one line and exit code 1.
 */
export async function runCommand(named: string | Named, work: Work): Promise<void> {
  // A reader of the output may close it early (`| head -1`); the command goes on to its end.
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
    // A command has more time than a page, because a check of a million orders takes longer.
    statementTimeoutMs: 30 * 60_000,
  })
  try {
    return await work({ config, connected })
  } finally {
    await connected.close()
  }
}

/** A shell that lacks the server's settings would have its answer from a new, empty database: every acknowledged order is lost there. */
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
