import { type Config, loadEnvFile, readConfig } from '../config.ts'
import { type Connected, connectDatabase } from '../database/connect.ts'
import { Refusal } from '../refusal.ts'
import { StartError } from '../start-error.ts'

export interface CommandNeeds {
  config: Config
  connected: Connected
}

/**
 * Runs a command on the database in use: attaches to one that runs, else starts it and ends it again. What it returns
 * is the exit code; a refusal and a wrong setting are one line and exit code 1.
 */
export async function runCommand(
  name: string,
  work: (needs: CommandNeeds) => Promise<number>,
): Promise<void> {
  // A reader of the output may close it early (`| head -1`); the command goes on to its end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.exitCode = await withDatabase(name, work).catch((error: unknown) => {
    const isExpected = error instanceof StartError || error instanceof Refusal
    complain(isExpected ? (error as Error).message : String((error as Error).stack))
    return 1
  })
}

async function withDatabase(name: string, work: (needs: CommandNeeds) => Promise<number>): Promise<number> {
  loadEnvFile()
  const config = readConfig()
  const connected = await connectDatabase(config, {
    mode: 'attach',
    applicationName: `presale ${name}`,
    poolSizeMax: 2,
    // A command has more time than a page, because a check of a million orders takes longer.
    statementTimeoutMs: 30 * 60_000,
  })
  try {
    return await work({ config, connected })
  } finally {
    await connected.close()
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}
