import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../src/server/database/database.ts'
import { onDatabase, TEMPLATES } from './database-server.ts'

export interface TestDatabase {
  db: Database
  /** As the role that owns it. */
  url: string
  /** As the superuser, to break things from outside. */
  adminUrl: string
  close(): Promise<void>
}

/**
 * A test that writes from thirty sides at once is about what is written, not about how fast: on a machine that stands still for
 * seconds its statements would fail as busy. What a busy database answers has tests of its own.
 */
const CONNECT_MS = 25_000

export interface TestDatabaseOptions {
  /** What is in it: the tables alone (unset), or the demo campaign too. */
  holds?: 'empty' | 'demo'
  poolSizeMax?: number
}

/**
 * A migrated database of its own, cloned from a template of the run. Call it at the top of a test file (with `await`):
 * it is dropped after the file's last test.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const database = await makeTestDatabase(options)
  afterAll(() => database.close())
  return database
}

/** The same for use inside a test, which closes it. */
export async function makeTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const provided = inject('database')
  const name = `test_${randomBytes(6).toString('hex')}`
  const owner = decodeURIComponent(new URL(provided.url).username)
  const template = TEMPLATES[options.holds ?? 'empty']
  // Copied as files, without a line in the WAL for each page: a quarter of the time where nothing is synced.
  await asAdmin(
    provided.adminUrl,
    `create database ${name} template ${template} strategy file_copy owner ${owner}`,
  )
  const url = onDatabase(provided.url, name)
  const db = openDatabase({ url, poolSizeMax: options.poolSizeMax, connectTimeoutMs: CONNECT_MS })
  let closing: Promise<void> | undefined
  const close = async () => {
    await db.close()
    await asAdmin(provided.adminUrl, `drop database if exists ${name} with (force)`)
  }
  return {
    db,
    url,
    adminUrl: onDatabase(provided.adminUrl, name),
    close: () => (closing ??= close()),
  }
}

/** The same for as long as `work` takes. */
export async function withTestDatabase<T>(
  work: (database: TestDatabase) => Promise<T>,
  options: TestDatabaseOptions = {},
): Promise<T> {
  const database = await makeTestDatabase(options)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function asAdmin(adminUrl: string, text: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
