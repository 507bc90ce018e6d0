import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type EmbeddedPostgres, startEmbedded } from '../src/server/database/embedded.ts'
import { migrate } from '../src/server/database/migrate.ts'
import { type RunningServer, type ServerOptions, startServer } from './machine.ts'

export const SECRET_KEY = 'a key for benchmarks, which guards nothing at all'

/** The stage has one durable PostgreSQL, databases on it, and the real server. */
export interface Stage {
  readonly quick: boolean
  readonly kills: number
  /** Sets the order of events. */
  readonly seed: number
  readonly folder: string
  readonly postgres: EmbeddedPostgres
  /** Makes a migrated database with the demo campaign. */
  database(name: string): Promise<StageDatabase>
  server(database: StageDatabase, options?: Partial<ServerOptions>): Promise<RunningServer>
  environmentOf(url: string): Record<string, string>
  close(): Promise<void>
}

export interface StageDatabase {
  readonly name: string
  readonly url: string
  readonly adminUrl: string
  /** As the superuser. */
  readonly client: Client
}

interface StageOptions {
  readonly kills?: number
  readonly seed?: number
  /** A folder that keeps its databases for the next run; unset: a temporary one. */
  readonly kept?: string
}

/** `quick` shortens every run. */
export async function openStage(
  quick: boolean,
  { kills = 0, seed = 1, kept }: StageOptions = {},
): Promise<Stage> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'presale-bench-'))
  mkdirSync(folder, { recursive: true })
  // Settings as shipped, plus statement statistics for the notes.
  const settings = {
    shared_preload_libraries: 'pg_stat_statements',
    max_connections: '200',
  }
  const postgres = await startEmbedded({ dataDir: join(folder, 'database'), mode: 'own', settings })
  const databases: StageDatabase[] = []
  const admin = new Client({ connectionString: postgres.adminUrl })
  await admin.connect()

  const environmentOf = (url: string) => ({
    NODE_ENV: 'production',
    DATABASE_URL: url,
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY,
    DEMO: 'on',
  })

  return {
    quick,
    kills,
    seed,
    folder,
    postgres,
    async database(name) {
      const { rows: known } = await admin.query('select from pg_database where datname = $1', [name])
      if (known.length === 0) await admin.query(`create database ${name} owner presale`)
      const url = onDatabase(postgres.ownerUrl, name)
      await migrate(url)
      const adminUrl = onDatabase(postgres.adminUrl, name)
      const client = new Client({ connectionString: adminUrl })
      await client.connect()
      await client.query('create extension if not exists pg_stat_statements')
      const database = { name, url, adminUrl, client }
      databases.push(database)
      // The first start creates the campaign.
      if (known.length === 0) await (await startServer({ environment: environmentOf(url) })).stop()
      return database
    },
    environmentOf,
    server(database, options = {}) {
      return startServer({
        ...options,
        environment: { ...environmentOf(database.url), ...options.environment },
      })
    },
    async close() {
      for (const { client } of databases) await client.end()
      await admin.end()
      await postgres.stop()
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function onDatabase(url: string, name: string): string {
  return url.replace(/(@[^/]*\/)[^?]*/, `$1${name}`)
}
