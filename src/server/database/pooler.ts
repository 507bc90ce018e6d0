import type { Client } from 'pg'
import { Line } from './line.ts'

const LOOKS = 5
const ASKED = { options: '-c TimeZone=UTC -c DateStyle=ISO', statement_timeout: 29_000 }

/**
 * Throws for a pooler that pools by statement or transaction (locks, LISTEN and prepared statements belong to
 * a session) or drops session settings.
 */
export async function refusePooler(url: string): Promise<string> {
  const line = new Line({ url })
  const [one, other] = [0, 1].map(() =>
    line.client({ ...ASKED, application_name: 'presale start', query_timeout: 5_000 }),
  ) as [Client, Client]
  try {
    await open(one)
    await open(other)
    const own = await sessionOf(one)
    for (let look = 0; look < LOOKS; look += 1) {
      if ((await sessionOf(other)) === own || (await sessionOf(one)) !== own) {
        throw new Error(
          'a pooler on the way shares sessions between connections (transaction or statement pooling), which breaks locks, LISTEN and ' +
            'prepared statements: set pool_mode = session, or leave it out, as 20 connections a process are all there are',
        )
      }
    }
    return await roleUnder(one)
  } finally {
    await Promise.all([one.end().catch(() => undefined), other.end().catch(() => undefined)])
  }
}

async function open(client: Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    if (!/unsupported startup parameter/.test((error as Error).message)) throw error
    const told = `a pooler on the way refuses the settings of a session (${(error as Error).message})`
    throw new Error(`${told}: leave it out, or follow docs/operating/cluster.md`, { cause: error })
  }
}

async function sessionOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

async function roleUnder(client: Client): Promise<string> {
  const { rows } = await client.query<{ role: string; zone: string; style: string; limit: string }>(
    `select current_user as role, current_setting('TimeZone') as zone, current_setting('DateStyle') as style,
            current_setting('statement_timeout') as limit`,
  )
  const { role = '', zone, style = '', limit } = rows[0] ?? {}
  if (zone === 'UTC' && style.startsWith('ISO') && limit !== '0') return role
  throw new Error(
    `a pooler on the way drops the settings of a session: leave it out, or run alter role "${role}" set timezone = 'UTC', ` +
      `set datestyle = 'ISO', set statement_timeout = '30s', set idle_in_transaction_session_timeout = '30s' (a statement each)`,
  )
}
