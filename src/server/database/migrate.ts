import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runMigrations } from 'graphile-worker'
import { type Client, Pool } from 'pg'
import { StartError } from '../start-error.ts'
import { FUNCTIONS_FOLDER, isSameLine, lineOf, putInForce, readFunctions } from './functions.ts'
import { Line } from './line.ts'
import { giveRights } from './rights.ts'

export interface Migration {
  version: number
  name: string
  checksum: string
  text: string
}

interface Applied {
  version: number
  name: string
  checksum: string
}

export interface MigrateOptions {
  folder?: string
  functionsFolder?: string
  /** Default: that of package.json. */
  version?: string
  /**
   * Installs no functions, which fit only the newest tables. A restore first migrates an empty database to
   * its file's version.
   */
  versionMax?: number
  isRollBack?: boolean
  /** The role that the server runs as, if it does not migrate (`giveRights`). */
  runner?: string
}

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** Arbitrary. Migrations hold this lock on a separate connection. */
const LOCK_KEY = 7_031_802_114
const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/
const SERVER_VERSION_MIN = 150_000
/** Checksum of the first migration before 0.1.0; its databases cannot be upgraded. */
const UNRELEASED_FIRST = 'c8548bb6ceaf521f7f54182eddc7001c157cac7377a9b5f1d8c709e52c75f0ff'
/** Backups omit these tables. */
const OWN_TABLES = `
  create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  );
  create table if not exists schema_functions (
    id integer primary key default 1 check (id = 1),
    version text not null,
    checksum text not null,
    heads jsonb not null,
    put_at timestamptz not null default now()
  )`

/**
 * Under an advisory lock; any number of processes may call it at once. Creates the job queue's tables first,
 * because migrations refer to them; applies migrations and functions in one transaction, so that new tables
 * never meet old functions. Returns the applied migrations.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(options.folder ?? MIGRATIONS_FOLDER)
  const functions = await readFunctions(options.functionsFolder ?? FUNCTIONS_FOLDER, options.version)
  const line = new Line({ url })
  const client = line.client({ application_name: 'presale migrate' })
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
    await client.query(OWN_TABLES)
    const { rows } = await client.query<Applied>(
      'select version, name, checksum from schema_migrations order by version',
    )
    const { rows: inForce } = await client.query<{ version: string }>('select version from schema_functions')
    refuseHistory(migrations, rows, isSameLine(inForce[0]?.version ?? '', functions.version))
    const versions = new Set(rows.map((row) => row.version))
    const pending = migrations.filter(
      (migration) =>
        !versions.has(migration.version) && migration.version <= (options.versionMax ?? Infinity),
    )
    await migrateQueue(line)
    await client.query('begin')
    try {
      for (const migration of pending) await apply(client, migration)
      if (options.versionMax === undefined)
        await putInForce(client, functions, {
          hasMigrated: pending.length > 0,
          isRollBack: options.isRollBack,
        })
      if (options.runner !== undefined) await giveRights(client, options.runner)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
    return pending.map((migration) => migration.name)
  } finally {
    // Ending the session releases the lock.
    await client.end()
  }
}

/** Gaps in the numbers are allowed. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const versions = names.map((name) => Number.parseInt(FILE_NAME.exec(name)?.[1] ?? '', 10))
  return Promise.all(
    names.map(async (name, index) => {
      const version = versions[index] ?? Number.NaN
      const previous = versions[index - 1] ?? 0
      if (!(version > previous)) {
        throw new StartError(
          `migrations/${name} is out of order: expected ${String(previous + 1).padStart(4, '0')}_name.sql or later`,
        )
      }
      const text = await readFile(join(folder, name), 'utf8')
      return { version, name, checksum: createHash('sha256').update(text).digest('hex'), text }
    }),
  )
}

/** The queue needs a pool, which hides lost connections. */
async function migrateQueue(line: Line): Promise<void> {
  const pool = new Pool({
    Client: line.Client,
    connectionString: line.url,
    max: 1,
    application_name: 'presale migrate',
  })
  pool.on('error', () => undefined)
  // The queue warns without a listener on the pool, although each connection has its own.
  pool.on('connect', (client) => client.on('error', () => undefined))
  await runMigrations({ pgPool: pool }).finally(() => pool.end())
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::integer as number, current_setting('server_version') as version`,
  )
  const server = rows[0]
  if (server && server.number < SERVER_VERSION_MIN) {
    throw new StartError(`PostgreSQL ${server.version} is too old: 15 or newer is needed`)
  }
}

function refuseHistory(migrations: Migration[], applied: Applied[], isOfLine: boolean): void {
  const newest = migrations.at(-1)?.version ?? 0
  if (applied.some(({ checksum }) => checksum === UNRELEASED_FIRST)) {
    throw new StartError(
      'The database was made by a version before 0.1.0, which no release can upgrade: ' +
        'start with an empty database (another DATA_DIR or DATABASE_URL), or keep using the program that made it',
    )
  }
  for (const row of applied) {
    const file = migrations.find((migration) => migration.version === row.version)
    // A later release of this line has only added to the tables.
    if (!file && row.version > newest && isOfLine) continue
    if (!file) {
      throw new StartError(
        `The database has ${row.name}, which this version of the program does not know: ` +
          'use a newer program, or restore the backup that was made before the upgrade',
      )
    }
    if (file.checksum !== row.checksum) {
      throw new StartError(
        `migrations/${file.name} was changed after it had been applied: restore the file and add a new one`,
      )
    }
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.text)
  } catch (error) {
    throw new Error(`migrations/${migration.name}: ${lineOf(error, migration.text)}`, { cause: error })
  }
  await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
    migration.version,
    migration.name,
    migration.checksum,
  ])
}
