import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { isAlive } from '../is-alive.ts'
import { StartError } from '../start-error.ts'
import { type Paths, readSecrets, urlsFrom } from './cluster-folder.ts'
import { serverPid } from './server-process.ts'

export const START_TIMEOUT_MS = 60_000
/** Held on the database `postgres` while a process serves the folder. */
const OWNER_LOCK = 7_031_802_115

export interface Served {
  urls: ReturnType<typeof urlsFrom>
  pid: number
  owner: string
}

/** Returns undefined if no server runs. Stops a server whose process is gone. */
export async function findServed(paths: Paths): Promise<Served | undefined> {
  const isKnown = await stat(paths.superuserPassword).catch(() => undefined)
  if (!isKnown) return undefined
  const urls = urlsFrom(paths, await readSecrets(paths))
  const client = await connectUnlessGone(urls.adminUrl)
  if (!client) return undefined
  try {
    const owner = await waitForOwner(client)
    const pid = await serverPid(paths)
    if (owner !== undefined) return { urls, pid, owner }
    await endOrphan(pid)
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Holds the lock for the life of the connection. */
export async function ownFolder(adminUrl: string, dataDir: string): Promise<Client> {
  const client = clientOf(adminUrl, `presale owner ${process.pid}`)
  await client.connect()
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    OWNER_LOCK,
  ])
  if (rows[0]?.taken) return client
  const owner = await ownerOf(client)
  await client.end()
  throw inUse(dataDir, owner)
}

export function inUse(dataDir: string, owner: string | undefined): StartError {
  const pid = /\d+$/.exec(owner ?? '')?.[0]
  return new StartError(
    `The data folder ${dataDir} is in use by another server${pid ? ` (process ${pid})` : ''}: stop it, or set DATA_DIR`,
  )
}

/** Ignores the loss event; the next query fails. */
export function clientOf(url: string, name = 'presale supervisor'): Client {
  const client = new Client({ connectionString: url, application_name: name, keepAlive: true })
  client.on('error', () => undefined)
  return client
}

/**
 * Waits, because a process takes the lock a moment after it starts the server. A young server is therefore no
 * orphan.
 */
export async function waitForOwner(client: Client): Promise<string | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const owner = await ownerOf(client)
    if (owner !== undefined) return owner
    if (attempt >= 20 && !(await isYoung(client))) return undefined
    await delay(50)
  }
}

async function isYoung(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ young: boolean }>(
    `select clock_timestamp() - pg_postmaster_start_time() < interval '10 seconds' as young`,
  )
  return rows[0]?.young === true
}

async function ownerOf(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and (l.classid::bigint << 32) + l.objid::bigint = $1`,
    [OWNER_LOCK],
  )
  return rows[0]?.application_name
}

async function endOrphan(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + START_TIMEOUT_MS
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      throw new StartError(
        `The database server of an earlier run (process ${pid}) does not end: end it first`,
      )
    }
    await delay(50)
  }
}

/** Waits while a server starts or stops; undefined if none listens. */
async function connectUnlessGone(url: string): Promise<Client | undefined> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const client = clientOf(url)
    try {
      await client.connect()
      return client
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(code) || Date.now() > deadline) return undefined
      if (code === 'EACCES' || code.startsWith('28')) {
        throw new StartError(`The running database refuses this user: ${(error as Error).message}`)
      }
      await delay(50)
    }
  }
}
