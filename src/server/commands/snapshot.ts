import { rename, rm } from 'node:fs/promises'
import { type Client, escapeIdentifier } from 'pg'
import type { DatabaseOwner } from '../database/connect.ts'
import { copyIn, copyOut } from '../database/copy.ts'
import { Line as DatabaseLine } from '../database/line.ts'
import { migrate, readMigrations } from '../database/migrate.ts'
import { StartError } from '../start-error.ts'
import { readArchive, writeArchive } from './archive.ts'
import type { Protection } from './protection.ts'

const FORMAT = 'presale backup 3'
/** The format before 0.1.0, with unknown migrations. */
const UNRELEASED_FORMAT = 'presale backup 2'
/** Unsent messages belong to the snapshot. */
const JOB_TABLES = ['_private_job_queues', '_private_tasks', '_private_jobs']
/** A restore skips as many addresses of a wallet as were ever assigned, at least these. */
const PASSED_OVER_MIN = 1_000
/** More events than a sale emits between backup and restore. */
const NUMBERS_PASSED_OVER = 1_000_000
const SERVER_APPLICATIONS = /^presale (server|web|jobs|watchers|live|owner)/

interface Header {
  format: string
  takenAt: string
  /** A restore first migrates an empty database to it. */
  migration: number
  jobsMigration: number
}

interface TableLine {
  table: { schema: string; name: string; columns: string[] }
}

interface EndLine {
  sequences: { schema: string; name: string; value: string }[]
  rows: Record<string, string>
}

type Line = TableLine | EndLine

export interface SnapshotResult {
  tables: number
  rows: bigint
  takenAt: string
}

export interface RestoreResult extends SnapshotResult {
  /** Tables that no migration created. */
  leftOut: string[]
}

/** Only this user can read the file. */
export async function takeSnapshot(
  url: string,
  path: string,
  protection: Protection,
): Promise<SnapshotResult> {
  const draft = `${path}.partial`
  await rm(draft, { force: true })
  const client = await connect(url)
  try {
    await client.query('begin isolation level repeatable read read only')
    const header: Header = { format: FORMAT, ...(await readVersions(client)) }
    const archive = writeArchive(draft, protection)
    await archive.writeLine(header)
    const tables = await readTables(client)
    const rows: EndLine['rows'] = {}
    for (const table of tables) {
      await archive.writeLine({ table } satisfies TableLine)
      await copyOut(client, `copy ${source(table)} to stdout`, archive.writeChunk)
      await archive.endBody()
      rows[nameOf(table)] = await countRows(client, table)
    }
    await archive.writeLine({ sequences: await readSequences(client), rows } satisfies EndLine)
    await archive.close()
    await rename(draft, path)
    return { tables: tables.length, rows: total(rows), takenAt: header.takenAt }
  } catch (error) {
    await rm(draft, { force: true })
    throw fileFault(error, path)
  } finally {
    await client.end()
  }
}

/**
 * Loads a snapshot, except tables that no migration created. First verifies the whole file. Fails if a server
 * uses the database, if it holds data unless `replaces`, or if the file is of a newer program. Loads and
 * checks rows in one transaction as the tables' owner, then runs later migrations and installs this program's
 * functions. Ends sessions, links, challenges and API keys, which may have been revoked since, unless
 * `keepsAccess`. Wallets skip addresses that may have been assigned since; an announced round is cancelled.
 */
export async function restoreSnapshot(
  { url, runner }: DatabaseOwner,
  path: string,
  protection: Protection,
  options: { replaces: boolean; keepsAccess?: boolean },
): Promise<RestoreResult> {
  const header = await verifyFile(path, protection)
  const known = (await readMigrations()).at(-1)?.version ?? 0
  if (header.migration > known)
    throw new StartError(`${path} was made by a newer version of the program: use that one`)
  const client = await connect(url)
  try {
    await refuseUsed(client, options.replaces)
    await emptyDatabase(client)
    await migrate(url, { versionMax: header.migration })
    const { jobsMigration } = await readVersions(client)
    if (jobsMigration !== header.jobsMigration) {
      throw new StartError(
        `${path} was made with another version of the job queue: restore it with the program that made it`,
      )
    }
    const { rows, leftOut } = await load(client, path, protection, options.keepsAccess ?? false)
    await migrate(url, { runner })
    await client.query('analyze')
    return { tables: Object.keys(rows).length, rows: total(rows), takenAt: header.takenAt, leftOut }
  } finally {
    await client.end()
  }
}

// Rules: RIGHT-8
async function endAccess(client: Client): Promise<void> {
  await client.query('update operator_channels set proven_at = null, code_expires_at = null')
  await client.query(
    `with buyers as (delete from user_sessions), operators as (delete from operator_sessions),
          links as (delete from one_time_links), challenges as (delete from passkey_challenges)
     update api_keys set revoked_at = now() where revoked_at is null`,
  )
}

// Rules: WALLET-7
/** A buyer may still pay an address assigned after the backup. */
async function passOverAddresses(client: Client): Promise<void> {
  await client.query(
    'update wallets set next_index = next_index + greatest(next_index, $1) where checked_at is not null',
    [PASSED_OVER_MIN],
  )
}

// Rules: DELIVER-30
/** The round may have been finalized after the backup; a second list would assign the tokens twice. */
async function cancelRounds(client: Client): Promise<void> {
  await client.query("update delivery_rounds set state = 'cancelled' where state = 'announced'")
}

// Rules: RIGHT-30
/** Numbers of later events must not be reused: programs may have read them. */
async function passOverNumbers(client: Client): Promise<void> {
  await client.query('update event_counter set last = last + $1', [NUMBERS_PASSED_OVER])
}

async function verifyFile(path: string, protection: Protection): Promise<Header> {
  const archive = readArchive(path, protection)
  try {
    const header = await archive.readLine<Header>()
    if (header.format === UNRELEASED_FORMAT)
      throw new Error('it is not a backup of a release: restore it with the program that made it')
    if (header.format !== FORMAT) throw new Error('it is not a backup of this program')
    for (;;) {
      const line = await archive.readLine<Line>()
      if ('rows' in line) {
        await archive.readEnd()
        return header
      }
      for await (const chunk of archive.readBody()) void chunk
    }
  } catch (error) {
    throw fileFault(error, path)
  } finally {
    archive.close()
  }
}

async function load(
  client: Client,
  path: string,
  protection: Protection,
  keepsAccess: boolean,
): Promise<{ rows: EndLine['rows']; leftOut: string[] }> {
  const archive = readArchive(path, protection)
  const leftOut: string[] = []
  await client.query('begin')
  try {
    await archive.readLine<Header>()
    const keys = await takeForeignKeysOff(client)
    const indexes = Map.groupBy(await takeIndexesOff(client), ({ table }) => table)
    const tables = await readTables(client)
    // Triggers react to new events, not past ones.
    for (const table of tables) {
      if (table.schema === 'public') await client.query(`alter table ${quoted(table)} disable trigger user`)
      await client.query(`delete from ${quoted(table)}`)
    }
    for (;;) {
      const line = await archive.readLine<Line>()
      if ('rows' in line) {
        await archive.readEnd()
        // Foreign keys need their targets' indexes.
        await bringBack(client, [...[...indexes.values()].flat(), ...keys])
        await finishLoad(client, line, tables)
        if (!keepsAccess) await endAccess(client)
        await passOverAddresses(client)
        await cancelRounds(client)
        await passOverNumbers(client)
        await client.query('commit')
        const rows = Object.entries(line.rows).filter(([name]) => !leftOut.includes(name))
        return { rows: Object.fromEntries(rows), leftOut }
      }
      if (!tables.some((table) => nameOf(table) === nameOf(line.table))) {
        leftOut.push(nameOf(line.table))
        for await (const chunk of archive.readBody()) void chunk
        continue
      }
      await copyIn(
        client,
        `copy ${quoted(line.table)} (${columnsOf(line.table)}) from stdin`,
        archive.readBody(),
      )
      // The rows are still cached.
      await bringBack(client, indexes.get(line.table.name) ?? [])
      indexes.delete(line.table.name)
    }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    archive.close()
  }
}

async function finishLoad(client: Client, end: EndLine, tables: TableLine['table'][]): Promise<void> {
  for (const { schema, name, value } of end.sequences) {
    // A skipped table's sequence does not exist.
    await client.query('select setval(to_regclass(format($1, $2::text, $3::text)), $4)', [
      '%I.%I',
      schema,
      name,
      value,
    ])
  }
  for (const table of tables) {
    const count = await countRows(client, table)
    const expected = end.rows[nameOf(table)] ?? '0'
    if (count !== expected) throw new Error(`${nameOf(table)} has ${count} rows instead of ${expected}`)
    if (table.schema === 'public') await client.query(`alter table ${quoted(table)} enable trigger user`)
  }
  // The jobs' process belongs to the other database.
  await client.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null')
  await client.query('update graphile_worker._private_job_queues set locked_at = null, locked_by = null')
}

interface TakenOff {
  readonly table: string
  readonly again: string
}

/** Rows arrive table by table; recreating the keys checks all references. */
async function takeForeignKeysOff(client: Client): Promise<TakenOff[]> {
  return takeOff(
    client,
    `select conrelid::regclass::text as table, format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as again
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
}

/**
 * Call after `takeForeignKeysOff`. Building an index at once sorts once; row-by-row updates grow slower with
 * size.
 */
async function takeIndexesOff(client: Client): Promise<TakenOff[]> {
  return takeOff(
    client,
    `select t.relname::text as table,
            case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
                 else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as off,
            case when c.oid is null then pg_get_indexdef(i.indexrelid)
                 else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as again
       from pg_index i
       join pg_class t on t.oid = i.indrelid and t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
       left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x')
      order by t.relname, i.indexrelid`,
  )
}

async function takeOff(client: Client, query: string): Promise<TakenOff[]> {
  const { rows } = await client.query<TakenOff & { off: string }>(query)
  for (const { off } of rows) await client.query(off)
  return rows
}

async function bringBack(client: Client, taken: readonly TakenOff[]): Promise<void> {
  // Enough for sorts in memory.
  await client.query(`set local maintenance_work_mem = '256MB'`)
  for (const { again } of taken) await client.query(again)
}

export async function refuseServed(url: string): Promise<void> {
  const client = await connect(url)
  await refuseUsed(client, true).finally(() => client.end())
}

async function refuseUsed(client: Client, replaces: boolean): Promise<void> {
  const { rows: others } = await client.query<{ application_name: string }>(
    'select application_name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  if (others.some((other) => SERVER_APPLICATIONS.test(other.application_name))) {
    throw new StartError('A server uses this database: stop it first')
  }
  const { rows } = await client.query<{ has_tables: boolean }>(
    `select exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r') as has_tables`,
  )
  if (!rows[0]?.has_tables || replaces) return
  const { rows: held } = await client.query<{ holds: boolean }>(
    'select exists (select from campaign) or exists (select from users) or exists (select from operators) as holds',
  )
  if (held[0]?.holds) {
    throw new StartError('The database is not empty: add --replace to delete what it holds, or use another')
  }
}

async function emptyDatabase(client: Client): Promise<void> {
  await client.query('drop schema if exists graphile_worker cascade')
  await client.query('drop schema if exists public cascade')
  await client.query('create schema public')
}

async function readVersions(
  client: Client,
): Promise<Pick<Header, 'takenAt' | 'migration' | 'jobsMigration'>> {
  const { rows } = await client.query<{ taken_at: Date; migration: number; jobs_migration: number }>(
    `select now() as taken_at, (select max(version) from schema_migrations) as migration,
            (select max(id) from graphile_worker.migrations) as jobs_migration`,
  )
  const row = rows[0]
  if (!row) throw new Error('no versions')
  return { takenAt: row.taken_at.toISOString(), migration: row.migration, jobsMigration: row.jobs_migration }
}

async function readTables(client: Client): Promise<TableLine['table'][]> {
  const { rows } = await client.query<TableLine['table']>(
    `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind = 'r'
        and (n.nspname = 'public' and c.relname not in ('schema_migrations', 'schema_functions')
             or n.nspname = 'graphile_worker' and c.relname = any($1))
      group by n.nspname, c.relname
      order by n.nspname desc, array_position($1, c.relname::text), c.relname`,
    [JOB_TABLES],
  )
  return rows
}

async function readSequences(client: Client): Promise<EndLine['sequences']> {
  const { rows } = await client.query<EndLine['sequences'][number]>(
    `select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
      where schemaname in ('public', 'graphile_worker') and last_value is not null`,
  )
  return rows
}

async function countRows(client: Client, table: TableLine['table']): Promise<string> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoted(table)}`)
  return rows[0]?.count ?? '0'
}

async function connect(url: string): Promise<Client> {
  const client = new DatabaseLine({ url }).client({ application_name: 'presale snapshot' })
  await client.connect()
  return client
}

function quoted(table: { schema: string; name: string }): string {
  return `${escapeIdentifier(table.schema)}.${escapeIdentifier(table.name)}`
}

function columnsOf(table: TableLine['table']): string {
  return table.columns.map((column) => escapeIdentifier(column)).join(', ')
}

function source(table: TableLine['table']): string {
  return `${quoted(table)} (${columnsOf(table)})`
}

function nameOf(table: { schema: string; name: string }): string {
  return `${table.schema}.${table.name}`
}

function total(rows: Record<string, string>): bigint {
  return Object.values(rows).reduce((sum, count) => sum + BigInt(count), 0n)
}

function fileFault(error: unknown, path: string): Error {
  const { code, message } = error as NodeJS.ErrnoException
  const isOfFile =
    code?.startsWith('Z_') || /^(ENOENT|EACCES|EISDIR|ENOTDIR|ENOSPC|EROFS|EEXIST)$/.test(code ?? '')
  if (isOfFile || /the file|not a backup|JSON/.test(message)) {
    return new StartError(`${path} can't be used: ${message}`)
  }
  return error as Error
}
