import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readFunctions } from '../src/server/database/functions.ts'
import { readMigrations } from '../src/server/database/migrate.ts'

// The rules of the house for SQL. Each failure names the place, the rule and its fix.

const root = fileURLToPath(new URL('../', import.meta.url))
const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.sql'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(`${root}${path}`))
const textOf = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const inFunctions = paths.filter((path) => path.startsWith('functions/'))
const { functions } = await readFunctions()
const migrations = await readMigrations()

/** The program's files with statements in them. */
const statements = execFileSync('git', ['ls-files', 'src/server/*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !path.endsWith('.test.ts') && existsSync(`${root}${path}`))
  .map(textOf)
  .filter((text) => text.includes('sql`'))

const LINES_MAX = 80
const COLUMNS_MAX = 110
const PARAMETERS_MAX = 6

/** Functions and types that the previous release calls and this one dropped, with the reason why no rolling start misses them. */
const dropped = new Map<string, string>()

function expectNone(found: string[], rule: string, fix: string): void {
  expect(found, `${rule}\nMend: ${fix}\n${found.join('\n')}`).toEqual([])
}

test('a migration never changes again', () => {
  const listed = textOf('migrations/checksums.txt').trim().split('\n')
  expectNone(
    listed.filter((line) => !migrations.some(({ name, checksum }) => line === `${checksum}  ${name}`)),
    'A migration that is listed in migrations/checksums.txt stays as it is, because databases have applied it.',
    'Restore the file and add a new migration.',
  )
  expectNone(
    migrations
      .filter(({ name, checksum }) => !listed.includes(`${checksum}  ${name}`))
      .map(({ name }) => name),
    'Every migration is listed in migrations/checksums.txt.',
    '(cd migrations && sha256sum *.sql > checksums.txt)',
  )
})

/** The last migration of the first release of this line (0.1.0). */
const LINE_BEGAN_WITH = 14
/**
 * Changes that an older release of the line does not notice, because its statements name every written
 * column.
 */
const ADDS = /^(create table|create index|comment on|insert into) |^alter table \w+ add column /
const BINDS_OLDER =
  /^alter .*\b(unique|primary key|check|references)\b|^alter (?!.*\bdefault\b).*\bnot null\b/
const withoutAdding = (text: string) =>
  text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '' && (!ADDS.test(statement) || BINDS_OLDER.test(statement)))

test('within a line migrations only add, so that a roll back starts the older release on the newer tables', () => {
  expect(
    withoutAdding(`create table a (b integer not null); create index c on a (b); comment on table a is 'd';
      alter table orders add column e text; alter table orders add column f integer not null default 0;
      alter table orders add column g integer default 0 not null;`),
  ).toEqual([])
  const changes = [
    'alter table orders add column h integer not null',
    'alter table orders add column i integer check (i > 0)',
    'alter table orders drop column token',
    'alter table orders add constraint j check (true)',
    'create unique index k on orders (token)',
    'drop function l',
    'update orders set token = token',
  ]
  expect(withoutAdding(changes.join(';\n'))).toEqual(changes)
  expectNone(
    migrations
      .filter(({ version }) => version > LINE_BEGAN_WITH)
      .flatMap(({ name, text }) => withoutAdding(text).map((statement) => `${name}: ${statement}`)),
    'A release of the same line (0.1.x) must run on the tables of a later one.',
    'Add beside what is there, or make it a release of the next line (0.2.0).',
  )
})

test('a function stands in a file of its own', () => {
  expectNone(
    migrations.flatMap(({ name, text }) =>
      functionsOf(text)
        .filter((definition) => !isRefusal(definition))
        .map((definition) => `migrations/${name}: ${definition.split('\n')[0]}`),
    ),
    'SQL functions stand in functions/SUBJECT/NAME.sql; in a migration only a trigger function that refuses a change.',
    'Move the function to a file of its own; what a row holds is set by the function that writes it.',
  )
  expectNone(
    inFunctions.filter((path) => (textOf(path).match(/^\s*create /gm) ?? []).length !== 1),
    'A file under functions/ holds one function or type, named like the file.',
    'Give each its own file.',
  )
  const names = functions.map(({ name }) => name)
  expectNone(
    names.filter((name, index) => names.indexOf(name) !== index),
    'A function has one name and one list of parameters.',
    'Name the second one differently: an overloaded function cannot be told from its old self.',
  )
})

test('a release keeps what the previous release calls', () => {
  const today = Object.fromEntries(functions.map(({ name, head }) => [name, head]))
  const folder = 'test/upgrade'
  if (process.env['UPDATE_SIGNATURES']) {
    const called = functions.filter(({ name }) => isCalled(name))
    const types = functions.filter(
      ({ kind, name }) => kind === 'type' && called.some(({ head }) => head.split(/\W+/).includes(name)),
    )
    const { version } = JSON.parse(textOf('package.json')) as { version: string }
    const heads = new Map([...called, ...types].map(({ name, head }) => [name, head]))
    const text = JSON.stringify(Object.fromEntries([...heads].toSorted()), null, 2)
    writeFileSync(`${root}${folder}/${version}.functions.json`, `${text}\n`)
  }
  const [newest = ''] = readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith('.functions.json'))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const kept = JSON.parse(textOf(`${folder}/${newest}`)) as Record<string, string>
  expect(Object.keys(kept)).toContain('approve_orders')
  expectNone(
    Object.entries(kept)
      .filter(([name, head]) => today[name] !== head && !dropped.has(name))
      .map(([name, head]) => `${name}: ${newest} calls ${head}`),
    'During a rolling start the previous release calls the functions of the new one (decision 13).',
    'Keep the function for one release beside one of another name, or name it in `dropped` with the reason.',
  )
  expectNone(
    [...dropped.keys()].filter((name) => kept[name] === undefined || kept[name] === today[name]),
    'What is named as dropped was called by the previous release, and is gone or called otherwise.',
    'Take it out of `dropped`.',
  )
})

test('a table to which nothing but rows is added is locked by nobody', () => {
  const tables = migrations.flatMap(({ text }) =>
    [
      ...text.matchAll(
        /before update(?: or delete)? on (\w+)\s+for each row execute function refuse_change/g,
      ),
    ].map(([, table]) => String(table)),
  )
  expect(tables).toContain('escrows')
  // Brackets contain separate statements, and `of` names another table.
  const locks = new RegExp(
    `\\bfrom\\s+(?:${tables.join('|')})\\b[^;\`()]*\\bfor\\s+(?:no key update|update|key share|share)\\b(?! of)`,
  )
  const lockIn = (text: string) => {
    let flat = text
    for (let before = ''; before !== flat; ) {
      before = flat
      flat = flat.replace(/\([^()]*\)/g, ' ')
    }
    return [text, flat].find((one) => locks.test(one))
  }
  expect(lockIn('select * into e from escrows where id in (1, 2) for update;')).toBeDefined()
  expectNone(
    [
      ...inFunctions.filter((path) => lockIn(textOf(path))),
      ...statements.flatMap((text) => lockIn(text) ?? []),
    ],
    'The role that the server runs as has no right to change such a table, and so none to lock its rows.',
    'Lock a row that stands beside it, or pg_advisory_xact_lock.',
  )
})

test('a part of a text is a number only where there is one', () => {
  const casts = /(?<!nullif\()\bsplit_part\([^()]*\)::/
  expect("split_part(q.address, ':', 8)::numeric").toMatch(casts)
  expectNone(
    [
      ...inFunctions.filter((path) => casts.test(textOf(path))),
      ...statements.flatMap((text) => casts.exec(text) ?? []),
    ],
    'PostgreSQL may compute a condition for rows that another one leaves out, and a text without the part is no number.',
    "nullif(split_part(…), '')::numeric",
  )
})

test('a function is short', () => {
  expectNone(
    inFunctions.filter((path) => textOf(path).trimEnd().split('\n').length > LINES_MAX),
    `A file under functions/ has at most ${LINES_MAX} lines.`,
    'Split the function by what it decides.',
  )
  expectNone(
    inFunctions.flatMap((path) =>
      textOf(path)
        .split('\n')
        .flatMap((line, index) => (line.length > COLUMNS_MAX ? [`${path}:${index + 1}`] : [])),
    ),
    `A line under functions/ has at most ${COLUMNS_MAX} columns.`,
    'Break the line.',
  )
  expectNone(
    functions
      .filter(({ kind, head }) => kind === 'function' && parametersOf(head) > PARAMETERS_MAX)
      .map(({ path }) => `functions/${path}`),
    `A function has at most ${PARAMETERS_MAX} parameters.`,
    'Put what belongs together into a composite type of its own.',
  )
  expectNone(
    inFunctions.filter((path) => !textOf(path).startsWith('-- ')),
    'What a function does, takes and refuses is said above it.',
    'Begin the file with a comment.',
  )
})

test('events, audit entries, outbox rows and rates are each written in one place', () => {
  const writers = {
    outbox: 'functions/outbox/tell_each.sql',
    audit_log: 'functions/audit/write_audits.sql',
    order_events: 'functions/orders/note_order_events.sql',
    currency_rates: 'functions/currencies/note_rate.sql',
  }
  for (const [table, writer] of Object.entries(writers)) {
    expectNone(
      paths.filter((path) => path !== writer && new RegExp(`insert into ${table}\\b`).test(textOf(path))),
      `Only ${writer} inserts into ${table}.`,
      `Call the function of ${writer}.`,
    )
  }
})

/** Whether the program itself calls a function or writes a value of a type; others are called by functions alone. */
function isCalled(name: string): boolean {
  return statements.some((text) => new RegExp(`(\\b${name}\\s*\\(|::\\s*${name}\\b)`).test(text))
}

/** Each definition of a function or procedure in a migration, from its name to the end of its text. */
function functionsOf(text: string): string[] {
  return text.split(/\bcreate (?:or replace )?(?:function|procedure) /i).slice(1)
}

/** A trigger function that refuses a change to a table whatever program runs: it raises, and sets or writes nothing. */
function isRefusal(definition: string): boolean {
  const [text = ''] = /^\w+\(\) returns trigger .*?\$\$;/s.exec(definition) ?? []
  return /\braise exception\b/.test(text) && !/:=|\b(into|insert|update|delete|execute)\b/i.test(text)
}

function parametersOf(head: string): number {
  const list = head.slice(head.indexOf('(') + 1).replaceAll(/\([^()]*\)/g, '')
  const inputs = list.slice(0, list.indexOf(')')).split(',')
  return inputs.filter((one) => one.trim() !== '' && !/^\s*out /.test(one)).length
}
