import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../src/server/database/database.ts'
import { onDatabase } from './database-server.ts'

export interface TestDatabase {
  db: Database
  /** As the role that owns it. */
  url: string
  /** As the superuser, to break things from outside. */
  adminUrl: string
  close(): Promise<void>
}

/**
 * A migrated, empty database of its own, cloned from the run's template. Call it at the top of a test file (with
 * `await`): it is dropped after the file's last test.
 */
export async function createTestDatabase(options: { poolSizeMax?: number } = {}): Promise<TestDatabase> {
  const database = await makeTestDatabase(options)
  afterAll(() => database.close())
  return database
}

/** The same for use inside a test, which closes it. */
export async function makeTestDatabase(options: { poolSizeMax?: number } = {}): Promise<TestDatabase> {
  const provided = inject('database')
  const name = `test_${randomBytes(6).toString('hex')}`
  const owner = decodeURIComponent(new URL(provided.url).username)
  await asAdmin(provided.adminUrl, `create database ${name} template ${provided.template} owner ${owner}`)
  const url = onDatabase(provided.url, name)
  const db = openDatabase({ url, poolSizeMax: options.poolSizeMax })
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

async function asAdmin(adminUrl: string, text: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
