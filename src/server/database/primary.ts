import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { isConnectionLoss } from './loss.ts'

const LOOK_MS = 1_000
/** Interval of the checks whether a standby was promoted. */
const AGAIN_MS = 50
/**
 * How long to wait for further hosts after the first primary: a former primary that wakes up still claims the
 * role.
 */
const GRACE_MS = 150

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/

/** Splits a libpq URL with several hosts: `postgres://user@one:5432,two:5432/name`. */
export function hostUrls(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
}

/** `either`: a standby if there is no primary. */
export type Wanted = 'primary' | 'either' | 'standby'

export interface Host {
  readonly url: string
  /** Hexadecimal, sortable; empty for a standby. */
  readonly timeline: string
}

/**
 * Of two primaries, the later timeline is right: it was promoted from a standby of the other. For standbys
 * the first answer wins. Without a primary, queries standbys again, to find a promoted one at once. Throws a
 * connection loss (57P03) if no host fits.
 */
export async function findHost(urls: readonly string[], wanted: Wanted = 'primary'): Promise<Host> {
  const found: Host[] = []
  const faults: unknown[] = []
  const deadline = performance.now() + LOOK_MS
  const isOver = () => found.length > 0 || performance.now() > deadline
  const firsts: Promise<void>[] = []
  const looks = urls.map(async (url) => {
    const first = Promise.withResolvers<void>()
    firsts.push(first.promise)
    try {
      found.push(await look(url, { wanted, isOver, tell: first.resolve }))
    } catch (error) {
      faults.push(error)
      throw error
    } finally {
      first.resolve()
    }
  })
  await Promise.any(looks).catch(() => {
    throw faults.find((fault) => !isConnectionLoss(fault)) ?? nobody(urls, wanted, faults)
  })
  if (wanted !== 'standby') await Promise.race([Promise.all(firsts), delay(GRACE_MS)])
  found.sort((a, b) => (a.timeline < b.timeline ? 1 : -1))
  return found[0] as Host
}

interface Look {
  readonly wanted: Wanted
  readonly isOver: () => boolean
  /** Called once the host has answered. */
  readonly tell: () => void
}

async function look(url: string, { wanted, isOver, tell }: Look): Promise<Host> {
  const client = new Client({
    connectionString: url,
    application_name: 'presale look',
    connectionTimeoutMillis: LOOK_MS,
    query_timeout: LOOK_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    for (;;) {
      const timeline = await timelineOf(client)
      const isStandby = timeline === ''
      tell()
      if (wanted !== (isStandby ? 'primary' : 'standby')) return { url, timeline }
      // Only a standby can change its role while connected.
      if (!isStandby || isOver()) throw unwanted(url, isStandby)
      await delay(AGAIN_MS)
    }
  } finally {
    client.end().catch(() => undefined)
  }
}

function unwanted(url: string, isStandby: boolean): Error {
  const said = `${new URL(url).host} ${isStandby ? 'is a standby' : 'takes writes'}`
  return Object.assign(new Error(said), { code: '57P03' })
}

function nobody(urls: readonly string[], wanted: Wanted, faults: readonly unknown[]): Error {
  const said = faults.map((fault) => (fault as Error).message).join('; ')
  const does = wanted === 'standby' ? 'is a standby' : 'takes writes'
  return Object.assign(new Error(`None of ${urls.length} database hosts ${does}: ${said}`), {
    code: '57P03',
  })
}

async function timelineOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ timeline: string | null }>(
    `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
  )
  return rows[0]?.timeline ?? ''
}
