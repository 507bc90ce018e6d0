import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { Client } from 'pg'
import { openDatabase } from '../../src/server/database/database.ts'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { seedCampaign } from '../../src/server/demo/seed.ts'
import { makeFolder } from './folders.ts'

interface ProvidedDatabase {
  /** The superuser's address. */
  adminUrl: string
  /** The address for the role that owns the tests' objects. */
  url: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    database: ProvidedDatabase
  }
}

/** Templates with the tables, or also with the demo campaign. */
export const TEMPLATES = { empty: 'presale_empty', demo: 'presale_demo' } as const

export interface DatabaseServer {
  provided: ProvidedDatabase
  stop(): Promise<void>
}

/** No test on this server cuts the power; tests of durability start their own. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // The log is small, because the folder may be in memory.
  min_wal_size: '32MB',
  max_wal_size: '128MB',
}

/** Starts a server with the templates of all test databases. */
export async function startDatabaseServer(kind: 'embedded' | 'external'): Promise<DatabaseServer> {
  const dataDir = await makeFolder(kind)
  const port = String(await freePort())
  const settings = kind === 'external' ? { ...FAST, listen_addresses: '127.0.0.1', port } : FAST
  const major = kind === 'external' ? 15 : undefined
  const server = await startEmbedded({ dataDir, mode: 'own', settings, major })
  const provided = { adminUrl: server.adminUrl, url: server.ownerUrl }
  if (kind === 'external') {
    // Connects over TCP, as a role that only owns its database.
    provided.adminUrl = overTcp(server.adminUrl, port)
    provided.url = overTcp(server.ownerUrl, port)
  }
  try {
    await makeTemplates(provided.adminUrl, provided.url)
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    provided,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function onDatabase(url: string, name: string): string {
  return url.replace(/(@[^/]+\/)[^?]*/, `$1${name}`)
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => {
    probe.close(resolve)
  })
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function makeTemplates(adminUrl: string, url: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const owner = decodeURIComponent(new URL(url).username)
    await client.query(`create database ${TEMPLATES.empty} owner ${owner}`)
    await migrate(onDatabase(url, TEMPLATES.empty))
    await client.query(`create database ${TEMPLATES.demo} template ${TEMPLATES.empty} owner ${owner}`)
  } finally {
    await client.end()
  }
  const db = openDatabase({ url: onDatabase(url, TEMPLATES.demo), poolSizeMax: 1 })
  await seedCampaign(db, true)
  await db.close()
}

function overTcp(url: string, port: string): string {
  const parsed = new URL(url)
  parsed.hostname = '127.0.0.1'
  parsed.port = port
  parsed.search = ''
  return parsed.href
}
