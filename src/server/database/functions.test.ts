import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { makeTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { statement } from '../../../test/support/statement.ts'
import { StartError } from '../start-error.ts'
import { FUNCTIONS_FOLDER, readFunctions } from './functions.ts'
import { MIGRATIONS_FOLDER, migrate } from './migrate.ts'

const shipped = await readFunctions()
const answer = statement('test_function_answer', 'select test_answer() as answer')
const exists = statement('test_function_exists', `select to_regproc($1::text) is not null as is_there`)

let own: TestDatabase
let functions: string
let migrations: string
beforeEach(async () => {
  own = await makeTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'presale-functions-'))
  functions = join(folder, 'functions')
  migrations = join(folder, 'migrations')
  await cp(FUNCTIONS_FOLDER, functions, { recursive: true })
  await cp(MIGRATIONS_FOLDER, migrations, { recursive: true })
  await mkdir(join(functions, 'test'))
  return async () => {
    await own.close()
    await rm(folder, { recursive: true })
  }
})

const write = (name: string, text: string) => writeFile(join(functions, 'test', `${name}.sql`), text)
const writeAnswer = (value: number) =>
  write(
    'test_answer',
    `create or replace function test_answer() returns integer language sql as 'select ${value}'`,
  )
/** A program of this version starts, with the functions as they lie in the folder now. */
const start = (version: string) =>
  migrate(own.url, { version, functionsFolder: functions, folder: migrations })
const answered = async () => (await own.db.one<{ answer: number }>(answer)).answer
const isThere = async (name: string) => (await own.db.one<{ is_there: boolean }>(exists, [name])).is_there

test('a migrated database has the functions of the folder, one of each name, and those of its triggers', async () => {
  const rows = await own.db.query<{ name: string; is_of_trigger: boolean }>(
    statement(
      'test_function_names',
      `select proname::text as name, prorettype = 'trigger'::regtype as is_of_trigger
         from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    ),
  )
  const names = shipped.functions.filter(({ kind }) => kind === 'function').map(({ name }) => name)
  // What only keeps a table as it is stands beside it in the migrations.
  const ours = rows.filter(({ name, is_of_trigger }) => !is_of_trigger || names.includes(name))
  expect(ours.map(({ name }) => name)).toEqual(names.toSorted())
})

test('every function compiles where its body is checked', async () => {
  const client = new Client({ connectionString: own.url })
  await client.connect()
  for (const { kind, text } of shipped.functions) if (kind === 'function') await client.query(text)
  await client.end()
})

test('the highest version wins, whoever starts last', async () => {
  await writeAnswer(2)
  await start('0.2.0')
  expect(await answered()).toBe(2)
  // Of two releases with the same tables the older one starts again while the newer one runs.
  await writeAnswer(1)
  await start('0.1.9')
  expect(await answered()).toBe(2)
  await writeAnswer(10)
  await start('0.10.0')
  expect(await answered()).toBe(10)
  // The same text in a newer release still makes the release the newest.
  await start('1.0.0')
  await writeAnswer(3)
  await start('0.99.0')
  expect(await answered()).toBe(10)
})

test('a roll back brings the older functions back, and keeps what the newer tables may call', async () => {
  await writeAnswer(1)
  await start('0.2.0')
  const older = join(functions, '..', 'older')
  await cp(functions, older, { recursive: true })
  const rollBack = () =>
    migrate(own.url, { version: '0.2.0', functionsFolder: older, folder: migrations, isRollBack: true })
  await write(
    'test_answer',
    `create or replace function test_answer(p_plus bigint default 1) returns bigint language sql as 'select 41 + p_plus'`,
  )
  await write(
    'test_further',
    `create or replace function test_further() returns integer language sql as 'select 1'`,
  )
  await start('0.2.1')
  await rollBack()
  expect(await answered()).toBe(1)
  expect(await isThere('test_further')).toBe(true)
  // The next upgrade still knows that the kept one is its own.
  await rm(join(functions, 'test/test_further.sql'))
  await start('0.2.2')
  expect(await isThere('test_further')).toBe(false)
  expect(await answered()).toBe('42')
})

test('between two releases the last text that was started counts', async () => {
  await writeAnswer(1)
  await start('0.2.0')
  await writeAnswer(2)
  await start('0.2.0')
  expect(await answered()).toBe(2)
})

test('of several processes that start at once with two releases, the newer one is in force', async () => {
  await writeAnswer(1)
  const older = join(functions, '..', 'older')
  await cp(functions, older, { recursive: true })
  await writeAnswer(2)
  await Promise.all([
    start('0.3.0'),
    migrate(own.url, { version: '0.2.0', functionsFolder: older, folder: migrations }),
    start('0.3.0'),
    migrate(own.url, { version: '0.2.0', functionsFolder: older, folder: migrations }),
  ])
  expect(await answered()).toBe(2)
})

test('one that is gone is dropped, one with other parameters replaces its old self', async () => {
  await writeAnswer(1)
  await write(
    'test_gone',
    `create or replace function test_gone() returns integer language sql as 'select 1'`,
  )
  await start('0.2.0')
  expect(await isThere('test_gone')).toBe(true)
  await rm(join(functions, 'test/test_gone.sql'))
  await write(
    'test_answer',
    `create or replace function test_answer(p_plus bigint default 1) returns bigint language sql as 'select 41 + p_plus'`,
  )
  await start('0.3.0')
  expect(await isThere('test_gone')).toBe(false)
  expect(await answered()).toBe('42')
})

test('a type that changed takes along what is made of it and what is called with it', async () => {
  const writeTypes = async (fields: string) => {
    await write('test_a', `create type test_a as (${fields})`)
    await write('test_pair', 'create type test_pair as (one test_a, other test_a)')
    await write(
      'test_answer',
      `-- Counts.
       create or replace function test_answer(p_pairs test_pair[] default array[null]::test_pair[]) returns integer
       language plpgsql as $$
       declare v_pairs test_pair[] := p_pairs; v_one test_a;
       begin v_one := row(1, 2)::test_a; return cardinality(v_pairs) + v_one.b; end $$`,
    )
  }
  await writeTypes('a integer, b integer')
  await start('0.2.0')
  expect(await answered()).toBe(3)
  await writeTypes('b integer, a integer')
  await start('0.3.0')
  expect(await answered()).toBe(2)
})

test('plans on live connections find a replaced function again, in the middle of their work', async () => {
  await writeAnswer(0)
  await start('0.2.0')
  const calling = { goes: true }
  const seen = new Set<number>()
  const calls = Array.from({ length: 4 }, async () => {
    while (calling.goes) seen.add(await answered())
  })
  for (let value = 1; value <= 10; value += 1) {
    await writeAnswer(value)
    await start(`0.2.${value}`)
  }
  await expect.poll(() => seen.has(10)).toBe(true)
  calling.goes = false
  await Promise.all(calls)
})

test('a function that can not be made leaves nothing behind, the migration neither, and names its line', async () => {
  await writeAnswer(1)
  await start('0.2.0')
  await writeAnswer(2)
  await write(
    'test_wrong',
    '-- Wrong.\ncreate or replace function test_wrong() returns integer wrong language sql as $$ $$',
  )
  await writeFile(join(migrations, '9999_grows.sql'), 'create table test_grown (a integer)')
  await expect(start('0.3.0')).rejects.toThrow('functions/test/test_wrong.sql: line 2: ')
  expect(await answered()).toBe(1)
  const table = statement('test_function_table', `select to_regclass('test_grown') as made`)
  expect(await own.db.one(table)).toEqual({ made: null })
})

test('a migration may drop what stands in its way: the functions are made again after it', async () => {
  await write(
    'test_answer',
    `create or replace function test_answer(p_table test_grown default null) returns integer language sql as 'select 1'`,
  )
  await writeFile(join(migrations, '9998_grows.sql'), 'create table test_grown (a integer)')
  await start('0.2.0')
  await writeFile(
    join(migrations, '9999_shrinks.sql'),
    'drop function if exists test_answer; drop table test_grown; create table test_grown (b text)',
  )
  await start('0.2.0')
  expect(await answered()).toBe(1)
})

test('a file that holds something else than its name says is refused', async () => {
  await write(
    'test_other',
    `create or replace function test_another() returns integer language sql as 'select 1'`,
  )
  await expect(start('0.2.0')).rejects.toThrow(
    new StartError(
      'functions/test/test_other.sql has to hold "create or replace function" or "create type" of its own name',
    ),
  )
})
