import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { migrate } from '../../src/server/database/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser's URL of the run's PostgreSQL, and the role that owns what the tests make. */
    database: { adminUrl: string; url: string; template: string }
  }
}

export const TEMPLATE = 'presale_template'

export interface DatabaseServer {
  provided: { adminUrl: string; url: string; template: string }
  stop(): Promise<void>
}

/** Tests of what is said, not of what survives a power cut: those start a durable server of their own. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** One PostgreSQL for a run, with the migrated template that every test database is cloned from. */
export async function startDatabaseServer(kind: 'embedded' | 'external'): Promise<DatabaseServer> {
  const dataDir = await mkdtemp(join(tmpdir(), `presale-test-${kind}-`))
  const port = String(await freePort())
  const settings = kind === 'external' ? { ...FAST, listen_addresses: '127.0.0.1', port } : FAST
  const major = kind === 'external' ? 15 : undefined
  const server = await startEmbedded({ dataDir, mode: 'own', settings, major })
  const provided = { adminUrl: server.adminUrl, url: server.url, template: TEMPLATE }
  if (kind === 'external') {
    // The way an operator's DATABASE_URL reaches it: over TCP, as a role that owns its database and nothing else.
    provided.adminUrl = overTcp(server.adminUrl, port)
    provided.url = overTcp(server.url, port)
  }
  try {
    await makeTemplate(provided.adminUrl, provided.url)
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

/** The same role and password on another database of the same server. */
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

async function makeTemplate(adminUrl: string, url: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  const owner = decodeURIComponent(new URL(url).username)
  await client.query(`create database ${TEMPLATE} owner ${owner}`)
  await client.end()
  await migrate(onDatabase(url, TEMPLATE))
}

function overTcp(url: string, port: string): string {
  const parsed = new URL(url)
  parsed.hostname = '127.0.0.1'
  parsed.port = port
  parsed.search = ''
  return parsed.href
}
