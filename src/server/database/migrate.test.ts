import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createTestDatabase, makeTestDatabase } from '../../../test/support/database.ts'
import { statement } from '../../../test/support/statement.ts'
import { StartError } from '../start-error.ts'
import { sql } from './database.ts'
import { MIGRATIONS_FOLDER, migrate, readMigrations } from './migrate.ts'

const { db, url } = await createTestDatabase()
const applied = statement('test_applied', 'select name from schema_migrations order by version')
const shipped = await readMigrations()

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presale-migrations-'))
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true })
  return () => rm(folder, { recursive: true })
})

async function add(name: string, text: string): Promise<string> {
  const version = ((await readMigrations(folder)).at(-1)?.version ?? 0) + 1
  const file = `${String(version).padStart(4, '0')}_${name}.sql`
  await writeFile(join(folder, file), text)
  return file
}

test('all of them are applied, once', async () => {
  expect(await migrate(url)).toEqual([])
  expect(await db.query(applied)).toEqual(shipped.map(({ name }) => ({ name })))
})

test('one that fails leaves nothing behind and names its line', async () => {
  const file = await add('fails', 'create table test_half (a int);\nselect nothing_there();')
  await expect(migrate(url, { folder })).rejects.toThrow(
    `migrations/${file}: line 2: function nothing_there()`,
  )
  expect(await db.one(statement('test_half', `select to_regclass('test_half') as made`))).toEqual({
    made: null,
  })
})

test('racing processes apply each of them once; then a changed, a lost and a stray one are refused', async () => {
  const file = await add('grows', 'create table test_grown (a int)')
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate(url, { folder })))
  expect(results.flat()).toEqual([file])

  await writeFile(join(folder, file), 'create table test_grown (a int, b int)')
  await expect(migrate(url, { folder })).rejects.toThrow(
    new StartError(
      `migrations/${file} was changed after it had been applied: restore the file and add a new one`,
    ),
  )
  // A program of another line (0.2 for 0.1.x) may have changed what this one reads; one of this line only added.
  expect(await migrate(url)).toEqual([])
  await expect(migrate(url, { version: '0.0.9' })).rejects.toThrow(
    new StartError(
      `The database has ${file}, which this version of the program does not know: use a newer program, or restore the backup that was made before the upgrade`,
    ),
  )
  await writeFile(join(folder, '0001_stray.sql'), '')
  await expect(migrate(url, { folder })).rejects.toThrow(/^migrations\/0001_stray.sql is out of order/)
})

test('a database of a version before 0.1.0 is rejected with what to do, and stays as it is', async () => {
  const own = await makeTestDatabase()
  try {
    // As its 90 migrations recorded themselves: the first and the last one.
    await own.db.query(sql`delete from schema_migrations`)
    await own.db.query(
      sql`insert into schema_migrations (version, name, checksum)
          values (1, '0001_people.sql', 'c8548bb6ceaf521f7f54182eddc7001c157cac7377a9b5f1d8c709e52c75f0ff'),
                 (106, '0106_credited_from.sql', 'ab')`,
    )
    await expect(migrate(own.url)).rejects.toThrow(
      new StartError(
        'The database was made by a version before 0.1.0, which no release can upgrade: start with an empty database (another DATA_DIR or DATABASE_URL), or keep using the program that made it',
      ),
    )
    expect(await own.db.query(applied)).toEqual([
      { name: '0001_people.sql' },
      { name: '0106_credited_from.sql' },
    ])
  } finally {
    await own.close()
  }
})
