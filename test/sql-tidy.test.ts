import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readFunctions } from '../src/server/database/functions.ts'
import { readMigrations } from '../src/server/database/migrate.ts'

// The rules of the house for SQL. Each failure names the place, the rule and its mend.

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

const LINES_MAX = 80
const COLUMNS_MAX = 110
const PARAMETERS_MAX = 6

function expectNone(found: string[], rule: string, mend: string): void {
  expect(found, `${rule}\nMend: ${mend}\n${found.join('\n')}`).toEqual([])
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

test('a function stands in a file of its own', () => {
  expectNone(
    migrations.flatMap(({ name, text }) =>
      functionsOf(text)
        .filter((definition) => !isRefusal(definition) && !isGone(definition))
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
    audit_log: 'functions/audit/write_audit.sql',
    order_events: 'functions/orders/note_order_event.sql',
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

/** Each definition of a function or procedure in a migration, from its name to the end of its text. */
function functionsOf(text: string): string[] {
  return text.split(/\bcreate (?:or replace )?(?:function|procedure) /i).slice(1)
}

/** A trigger function that refuses a change to a table whatever program runs: it raises, and sets or writes nothing. */
function isRefusal(definition: string): boolean {
  const [text = ''] = /^\w+\(\) returns trigger .*?\$\$;/s.exec(definition) ?? []
  return /\braise exception\b/.test(text) && !/:=|\b(into|insert|update|delete|perform)\b/i.test(text)
}

/** A later migration has dropped it. */
function isGone(definition: string): boolean {
  const [name] = definition.split('(')
  return migrations.some(({ text }) => text.includes(`drop function ${name}()`))
}

function parametersOf(head: string): number {
  const list = head.slice(head.indexOf('(') + 1).replaceAll(/\([^()]*\)/g, '')
  const inputs = list.slice(0, list.indexOf(')')).split(',')
  return inputs.filter((one) => one.trim() !== '' && !/^\s*out /.test(one)).length
}
