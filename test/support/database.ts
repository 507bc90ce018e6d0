import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../src/server/database/database.ts'
import { onDatabase, TEMPLATES } from './database-server.ts'

export interface TestDatabase {
  db: Database
  /** The address for the database's owner. */
  url: string
  /** As the superuser, to damage data. */
  adminUrl: string
  close(): Promise<void>
}

/** Long, because thirty concurrent writers test the result, not the speed. */
const CONNECT_MS = 25_000

export interface TestDatabaseOptions {
  /** Template: the tables (unset), or also the demo campaign. */
  holds?: 'empty' | 'demo'
  poolSizeMax?: number
}

/** Call it at the top of a test file (with `await`); the database is dropped after the file's last test. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const database = await makeTestDatabase(options)
  afterAll(() => database.close())
  return database
}

/** The test must close it. */
export async function makeTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const provided = inject('database')
  const name = `test_${randomBytes(6).toString('hex')}`
  const owner = decodeURIComponent(new URL(provided.url).username)
  const template = TEMPLATES[options.holds ?? 'empty']
  // Copy files, without WAL per page: a quarter of the time without fsync.
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

/** `createTestDatabase` during `work`. */
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
