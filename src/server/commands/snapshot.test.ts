import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { statement } from '../../../test/support/statement.ts'
import { type Database, openDatabase, sql } from '../database/database.ts'
import { seedCampaign } from '../demo/seed.ts'
import { checkInSnapshot, ledgerRules } from '../ledger/check.ts'
import { writeArchive } from './archive.ts'
import { restoreSnapshot, takeSnapshot } from './snapshot.ts'

const KEY = randomBytes(32).toString('base64url')
const protection = { secretKey: KEY }
const insertUser = statement(
  'test_snapshot_user',
  `insert into users (name, email, email_key) values ($1, $2, $2)`,
)
const addJob = statement('test_snapshot_job', `select graphile_worker.add_job('test_task', '{"a": 1}')`)

const ownerOf = ({ url }: TestDatabase) => ({ url, runner: undefined })

let source: TestDatabase
let folder: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presale-snapshot-'))
  file = join(folder, 'backup')
  source = await makeTestDatabase({ holds: 'demo' })
  await source.db.query(insertUser, ['Tab\there "quoted" \\N Ёж', 'user@example.org'])
  await source.db.query(addJob)
  await source.db.query(
    statement(
      'test_snapshot_upload',
      `insert into uploads (name, media_type, size_bytes, sha256, bytes)
       select repeat('a', 30) || n || '.pdf', 'application/pdf', length(c), sha256(c), c
         from (select n, decode(string_agg(lpad(to_hex((i * n) % 256), 2, '0'), ''), 'hex') as c
                 from generate_series(1, 3) n, generate_series(0, 200000) i group by n) made`,
    ),
  )
})

afterAll(async () => {
  await source.close()
  await rm(folder, { recursive: true })
})

/** A fingerprint of every row of every table that a backup has to keep; the counter of events goes on far above. */
async function fingerprints(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relkind = 'r' and (relnamespace = 'public'::regnamespace and relname not in ('schema_migrations', 'schema_functions', 'event_counter')
        or relnamespace = 'graphile_worker'::regnamespace and relname in ('_private_jobs', '_private_tasks'))`,
  )
  const result: Record<string, string> = {}
  for (const { name } of rows) {
    const { rows: hashes } = await client.query<{ hash: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${name} t`,
    )
    result[name] = hashes[0]?.hash ?? ''
  }
  await client.end()
  return result
}

/** Constraints, indexes and their columns' rules: a load takes some of them off. */
async function keysOf(db: Database): Promise<unknown> {
  return db.query(
    statement(
      `test_snapshot_constraints`,
      `select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as definition, convalidated as holds
         from pg_constraint where connamespace = 'public'::regnamespace
       union all
       select indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid), indisvalid
         from pg_index join pg_class t on t.oid = indrelid where t.relnamespace = 'public'::regnamespace
       union all
       select attrelid::regclass::text, attname, case when attnotnull then 'not null' else 'null' end, true
         from pg_attribute join pg_class t on t.oid = attrelid
        where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and attnum > 0 order by 1, 2, 3`,
    ),
  )
}

test('what was backed up comes back, row for row, and goes on from there', async () => {
  const taken = await takeSnapshot(source.url, file, protection)
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect((await readFile(file)).includes(KEY)).toBe(false)
  const target = await makeTestDatabase()
  try {
    const restored = await restoreSnapshot(ownerOf(target), file, protection, { replaces: false })
    expect(restored).toEqual({ ...taken, leftOut: [] })
    const db = openDatabase({ url: target.url })
    // Numbers that programs may have read after the backup are not given again.
    const lastNumber = sql`select last from event_counter`
    const { last } = await source.db.one<{ last: string }>(lastNumber)
    expect(await db.one(lastNumber)).toEqual({ last: String(Number(last) + 1_000_000) })
    expect(await fingerprints(target.url)).toEqual(await fingerprints(source.url))
    expect(await keysOf(db)).toEqual(await keysOf(source.db))
    expect(await checkInSnapshot(db, ledgerRules)).toEqual([])
    // Sequences go on, references and triggers are in force again.
    await db.query(insertUser, ['New', 'new@example.org'])
    await expect(db.query(statement('test_snapshot_truncate', 'truncate entries'))).rejects.toThrow(/append/)
    const triggers = statement(
      'test_snapshot_triggers',
      `select count(*)::int as off from pg_trigger where tgenabled = 'D'`,
    )
    expect(await db.one(triggers)).toEqual({ off: 0 })
    await db.close()
  } finally {
    await target.close()
  }
})

test('it is one moment, while others write', async () => {
  const insertPair = statement(
    'test_snapshot_pair',
    `insert into users (name, email, email_key)
     select side, side || $1 || '@example.org', side || $1 || '@example.org' from unnest(array['left', 'right']) side`,
  )
  let written = 0
  const others = { write: true }
  const writing = (async () => {
    for (; others.write; written += 1) await source.db.query(insertPair, [String(written)])
  })()
  const path = join(folder, 'moving')
  await takeSnapshot(source.url, path, protection)
  others.write = false
  await writing

  const target = await makeTestDatabase()
  await restoreSnapshot(ownerOf(target), path, protection, { replaces: false })
  const count = statement(
    'test_snapshot_pairs',
    `select count(*) filter (where name = 'left')::int as left, count(*) filter (where name = 'right')::int as right from users`,
  )
  const { left, right } = await target.db.one<{ left: number; right: number }>(count)
  expect(left).toBe(right)
  expect(left).toBeLessThan(written)
  await target.close()
})

test('a backup of another key is refused before anything is touched', async () => {
  await takeSnapshot(source.url, file, protection)
  const target = await makeTestDatabase()
  await seedCampaign(target.db, false)
  const before = await fingerprints(target.url)
  const other = { secretKey: 'x'.repeat(43) }
  await expect(restoreSnapshot(ownerOf(target), file, other, { replaces: true })).rejects.toThrow(
    "can't be used: the file was made under another SECRET_KEY",
  )
  expect(await fingerprints(target.url)).toEqual(before)
  await restoreSnapshot(ownerOf(target), file, { ...other, takesOtherKey: true }, { replaces: true })
  expect(await fingerprints(target.url)).toEqual(await fingerprints(source.url))
  await target.close()
})

test('a database that holds something is refused, unless it is to be replaced', async () => {
  await takeSnapshot(source.url, file, protection)
  const target = await makeTestDatabase()
  await seedCampaign(target.db, false)
  const before = await fingerprints(target.url)
  await expect(restoreSnapshot(ownerOf(target), file, protection, { replaces: false })).rejects.toThrow(
    /is not empty: add --replace/,
  )
  expect(await fingerprints(target.url)).toEqual(before)
  await target.db.close()
  await restoreSnapshot(ownerOf(target), file, protection, { replaces: true })
  expect(await fingerprints(target.url)).toEqual(await fingerprints(source.url))
  await target.close()
})

test('a database that a server uses is refused', async () => {
  await takeSnapshot(source.url, file, protection)
  const target = await makeTestDatabase()
  const server = openDatabase({ url: target.url, applicationName: 'presale server' })
  await server.query(statement('test_snapshot_one', 'select 1'))
  await expect(restoreSnapshot(ownerOf(target), file, protection, { replaces: true })).rejects.toThrow(
    'A server uses this database: stop it first',
  )
  await server.close()
  await target.close()
})

test("somebody's own table in the schema keeps nothing from coming back", async () => {
  await source.db.query(statement('test_own_table', 'create table notes (id serial, note text)'))
  await source.db.query(statement('test_own_row', "insert into notes (note) values ('call them')"))
  const path = join(folder, 'with notes')
  const taken = await takeSnapshot(source.url, path, protection)
  await source.db.query(statement('test_own_end', 'drop table notes'))
  const target = await makeTestDatabase()
  const restored = await restoreSnapshot(ownerOf(target), path, protection, { replaces: true })
  expect(restored).toEqual({
    ...taken,
    tables: taken.tables - 1,
    rows: taken.rows - 1n,
    leftOut: ['public.notes'],
  })
  expect(await fingerprints(target.url)).toEqual(await fingerprints(source.url))
  await target.close()
})

test('a damaged, a cut and a foreign file are refused before anything is touched', async () => {
  const target = await makeTestDatabase()
  await seedCampaign(target.db, false)
  const before = await fingerprints(target.url)
  const refuses = async (name: string) =>
    expect(
      restoreSnapshot(ownerOf(target), join(folder, name), protection, { replaces: true }),
    ).rejects.toThrow(new RegExp(`${name} can't be used: `))
  const good = await readFile(file)
  await writeFile(join(folder, 'cut'), good)
  await truncate(join(folder, 'cut'), good.length - 100)
  const flipped = Buffer.from(good)
  const middle = Math.floor(good.length / 2)
  flipped.writeUInt8((flipped.readUInt8(middle) + 1) % 256, middle)
  await writeFile(join(folder, 'flipped'), flipped)
  await writeFile(join(folder, 'foreign'), 'hello')
  // Whole to gzip's own checksum, and written by somebody who does not know the key.
  await writeFile(
    join(folder, 'forged'),
    gzipSync('{"format":"presale backup 1","migration":1}\n{"rows":{}}\n'),
  )
  for (const name of ['cut', 'flipped', 'foreign', 'forged', 'absent']) await refuses(name)
  expect(await fingerprints(target.url)).toEqual(before)
  await target.close()
})

test('a backup of a version before 0.1.0 is rejected with what to do', async () => {
  const target = await makeTestDatabase()
  const path = join(folder, 'unreleased')
  const archive = writeArchive(path, protection)
  await archive.writeLine({ format: 'presale backup 2', migration: 106, jobsMigration: 1 })
  await archive.writeLine({ sequences: [], rows: {} })
  await archive.close()
  await expect(restoreSnapshot(ownerOf(target), path, protection, { replaces: true })).rejects.toThrow(
    /can't be used: it is not a backup of a release: restore it with the program that made it$/,
  )
  await target.close()
})

test('a file that can not be written leaves nothing behind', async () => {
  await expect(takeSnapshot(source.url, join(folder, 'no/such/folder'), protection)).rejects.toThrow(
    /can't be used: ENOENT/,
  )
})
