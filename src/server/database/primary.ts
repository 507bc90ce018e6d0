import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { isConnectionLoss } from './loss.ts'

/** A host that has not answered by then is down, frozen or cut off. */
const LOOK_MS = 1_000
/** A standby is asked again so soon whether it has been promoted. */
const AGAIN_MS = 50
/** How long hosts may be slower than the first primary: a former one that wakes up still believes in itself. */
const GRACE_MS = 150

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/

/** The URL of each host of a URL that may name several, as libpq writes them: `postgres://user@one:5432,two:5432/name`. */
export function hostUrls(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
}

/** `either`: a standby where there is no primary. */
export type Wanted = 'primary' | 'either' | 'standby'

export interface Host {
  readonly url: string
  /** In hexadecimal digits that sort; empty for a standby. */
  readonly timeline: string
}

/**
 * Asks all hosts at the same time and returns the one that takes writes. Where two say that they do, the later timeline is right: it was
 * made by promoting a standby of the other one. Of standbys the first to answer will do. While there is no primary the standbys are asked
 * again, so that one that is promoted is found at once and not after the silence of the former one. Throws a connection loss (57P03) where
 * none will do.
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
  /** Called where the host has answered, whatever it is. */
  readonly tell: () => void
}

/** Asks one host until it is what is wanted or the look is over. */
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
      // Only a standby becomes something else while it is connected to.
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

/** The timeline of a primary; empty of a standby. */
async function timelineOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ timeline: string | null }>(
    `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
  )
  return rows[0]?.timeline ?? ''
}
