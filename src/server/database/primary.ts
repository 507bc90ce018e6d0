import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { isConnectionLoss } from './loss.ts'

/** A host that has not answered by then is down, frozen or cut off. */
const LOOK_MS = 1_500
/** How long hosts may be slower than the first primary: a former one that wakes up still believes in itself. */
const GRACE_MS = 150

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/

/** The URL of each host of a URL that may name several, as libpq writes them: `postgres://user@one:5432,two:5432/name`. */
export function hostUrls(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
}

/**
 * Asks all hosts at the same time and returns the URL of the one that takes writes. Where two say that they do, the later timeline is
 * right: it was made by promoting a standby of the other one. Throws a connection loss (57P03) where none does.
 */
export async function findPrimary(urls: readonly string[]): Promise<string> {
  const found: { url: string; timeline: string }[] = []
  const faults: unknown[] = []
  const looks = urls.map(async (url) => {
    try {
      found.push({ url, timeline: await timelineOf(url) })
    } catch (error) {
      faults.push(error)
      throw error
    }
  })
  await Promise.any(looks).catch(() => {
    throw faults.find((fault) => !isConnectionLoss(fault)) ?? nobody(urls, faults)
  })
  await Promise.race([Promise.allSettled(looks), delay(GRACE_MS)])
  found.sort((a, b) => (a.timeline < b.timeline ? 1 : -1))
  return (found[0] as { url: string }).url
}

function nobody(urls: readonly string[], faults: readonly unknown[]): Error {
  const said = faults.map((fault) => (fault as Error).message).join('; ')
  return Object.assign(new Error(`None of ${urls.length} database hosts takes writes: ${said}`), {
    code: '57P03',
  })
}

/** The timeline of a primary, in hexadecimal digits that sort. A standby is refused as a connection loss. */
async function timelineOf(url: string): Promise<string> {
  const client = new Client({
    connectionString: url,
    application_name: 'presale look',
    connectionTimeoutMillis: LOOK_MS,
    query_timeout: LOOK_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: string | null }>(
      `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
    )
    const timeline = rows[0]?.timeline
    if (timeline) return timeline
    throw Object.assign(new Error(`${new URL(url).host} is a standby`), { code: '57P03' })
  } finally {
    client.end().catch(() => undefined)
  }
}
