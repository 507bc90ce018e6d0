import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { migrate } from './migrate.ts'

const role = `test_runner_${randomBytes(4).toString('hex')}`
const password = randomBytes(12).toString('hex')

let database: TestDatabase
let server: Client

async function asAdmin(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: database.adminUrl })
  await client.connect()
  for (const text of statements) await client.query(text)
  await client.end()
}

beforeAll(async () => {
  database = await makeTestDatabase({ holds: 'demo' })
  await asAdmin(`create role ${role} login password '${password}'`)
  await migrate(database.url, { runner: role })
  const url = new URL(database.url)
  url.username = role
  url.password = password
  server = new Client({ connectionString: url.href })
  await server.connect()
})

afterAll(async () => {
  await server.end()
  await asAdmin(`drop owned by ${role}`, `drop role ${role}`)
  await database.close()
})

const appendOnly = ['entries', 'postings', 'audit_log', 'user_notes']

test('the role that the server runs as reads and writes rows, and adds and takes jobs', async () => {
  await server.query(
    `insert into users (name, email, email_key) values ('A', 'a@example.org', 'a@example.org')`,
  )
  await server.query(`update users set name = 'B' where email_key = 'a@example.org'`)
  await server.query(`delete from users where email_key = 'a@example.org'`)
  await server.query(`select graphile_worker.add_job('test_rights', '{}')`)
  const { rowCount } = await server.query('delete from graphile_worker._private_jobs')
  expect(rowCount).toBeGreaterThan(0)
  // A trigger refuses this of some rows only.
  await server.query('update giveaways set rules = rules where published_at is null')
  await server.query('select version from schema_migrations')
  await server.query("select write_audit(null, 'campaign.pause', 'campaign', '1', '{}', null)")
})

test.each([
  ...appendOnly.flatMap((table) => [
    `alter table ${table} disable trigger all`,
    `alter table ${table} add column extra text`,
    `drop table ${table} cascade`,
    `truncate ${table} cascade`,
    `alter table ${table} owner to current_user`,
  ]),
  'drop trigger entries_append_only on entries',
  'create or replace function refuse_change() returns trigger language plpgsql as $$begin return new; end$$',
  'update entries set amount = 0',
  'update postings set reason = null',
  "update audit_log set action = ''",
  "update user_notes set body = 'x'",
  'delete from entries',
  'delete from postings',
  'delete from audit_log',
  'set session_replication_role = replica',
  'create table mine (id integer)',
  'create schema mine',
  'create or replace function settle_order(bigint) returns void language sql as $$$$',
  'delete from schema_migrations',
  'delete from graphile_worker.migrations',
  'drop schema public cascade',
  'create role another superuser',
  "copy users to program 'cat'",
  "select pg_read_file('/etc/passwd')",
])('it is not allowed to: %s', async (text) => {
  await expect(server.query(text)).rejects.toMatchObject({ code: '42501' })
})

test('its rights are given again where some are missing, and left alone otherwise', async () => {
  const states = async () =>
    (
      await server.query<{ acl: string }>(
        `select xmin || relname || relacl::text as acl from pg_class where relacl is not null`,
      )
    ).rows
  const before = await states()
  await migrate(database.url, { runner: role })
  expect(await states()).toEqual(before)
  await asAdmin(`revoke select on users from ${role}`, `grant update on entries to ${role}`)
  await migrate(database.url, { runner: role })
  await server.query('select from users limit 1')
  await expect(server.query('update entries set amount = 0')).rejects.toMatchObject({ code: '42501' })
})
