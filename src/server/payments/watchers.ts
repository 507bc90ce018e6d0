import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { type Database, statement } from '../database/database.ts'
import { RetryableError } from '../refusal.ts'
import { type ChainConfig, defaultConfirmations } from './chain-config.ts'
import type { ChainSource } from './chain-source.ts'
import type { EvmExtras } from './evm/evm-chain.ts'
import { RpcError } from './json-rpc.ts'
import { LeadershipLost, Watcher } from './watcher.ts'

export interface WatchersLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface WatchersOptions {
  readonly db: Database
  readonly chains: readonly ChainConfig[]
  readonly sourceOf: (chain: ChainConfig) => ChainSource & Partial<EvmExtras>
  readonly hintOutbox: () => void
  readonly log: WatchersLog
  /** How often a process that does not lead tries to. */
  readonly tryLockMs?: number
}

/** Follows every configured chain while this process leads it; any number of processes may try. */
export interface Watchers {
  start(): Promise<void>
  /** Ends the pass under way, gives the locks back. */
  stop(): Promise<void>
}

const ENSURE = statement(
  'watchers_ensure_chain',
  'insert into chains (name, family, confirmation_rules) values ($1, $2, $3) on conflict (name) do nothing',
)
const LEAD = statement(
  'watchers_lead',
  'update chains set epoch = epoch + 1, leader = $2, led_since = clock_timestamp() where name = $1 returning epoch::text',
)
const NOTE_ERROR = statement(
  'watchers_note_error',
  `update chains set last_error = $3, last_error_at = clock_timestamp(), failing_since = coalesce(failing_since, clock_timestamp()), stopped = stopped or $4
    where name = $1 and epoch = $2`,
)

/** First half of the advisory locks' key: one lock a chain. */
const LOCK_SPACE = 703_180_211
const TRY_LOCK_MS = 3_000
/** How often the session that holds a lock says that its process runs, and after how long a silence another ends that session. */
const BEAT_MS = 2_000
const SILENT_SECONDS = 10
const ENDING_MS = 200
/**
 * A process that is stopped or cut off keeps its session, and with it the lock: the system below it goes on answering. Ending the session
 * frees the lock; whatever that process still writes is shut out by the epoch. Needs the same database role, as all processes have.
 */
const END_SILENT = `select pg_terminate_backend(l.pid) as ended from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = $1::bigint::oid
    and l.objid = (hashtext($2)::bigint & 4294967295)::oid and l.database = a.datid and a.datname = current_database()
    and a.state = 'idle' and a.state_change < clock_timestamp() - interval '${SILENT_SECONDS} seconds'`
const RECONNECT_MS = 1_000
const BACKOFF_MAX_MS = 60_000
const STOPPED_RETRY_MS = 10_000

export function createWatchers(options: WatchersOptions): Watchers {
  const { db, chains, log } = options
  const stopping = new AbortController()
  const name = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`
  let loops: Promise<void>[] = []

  return {
    async start() {
      await ensureChains(db, chains)
      loops = chains.map((chain) =>
        keepLeading(chain).catch((error: unknown) =>
          log.error({ err: error, chain: chain.network }, 'a watcher ended'),
        ),
      )
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }

  /** One connection a chain: it holds the lock, and losing it loses the lock. */
  async function keepLeading(chain: ChainConfig): Promise<void> {
    while (!stopping.signal.aborted) {
      const client = new Client({
        connectionString: db.url,
        application_name: `presale watcher ${chain.network}`,
        keepAlive: true,
        query_timeout: SILENT_SECONDS * 1_000,
      })
      const lost = new AbortController()
      client.on('error', () => lost.abort())
      client.on('end', () => lost.abort())
      try {
        await client.connect()
        while (!stopping.signal.aborted && !lost.signal.aborted) {
          if (await tryLock(client, chain.network)) {
            await Promise.all([lead(chain, lost), beat(client, lost)])
          } else {
            const hasEnded = await endSilentLeader(client, chain.network)
            await pause(hasEnded ? ENDING_MS : (options.tryLockMs ?? TRY_LOCK_MS), lost.signal)
          }
        }
      } catch (error) {
        if (!stopping.signal.aborted)
          log.warn({ err: error, chain: chain.network }, 'a watcher lost its connection')
      }
      await client.end().catch(() => undefined)
      await pause(RECONNECT_MS)
    }
  }

  /** Says over the session that holds the lock that this process runs, whatever its chain's node does meanwhile. */
  async function beat(client: Client, lost: AbortController): Promise<void> {
    while (!stopping.signal.aborted && !lost.signal.aborted) {
      await pause(BEAT_MS, lost.signal)
      await client.query('select 1').catch(() => lost.abort())
    }
  }

  async function endSilentLeader(client: Client, network: string): Promise<boolean> {
    const { rowCount } = await client.query(END_SILENT, [LOCK_SPACE, network])
    if (rowCount) log.warn({ chain: network }, 'the leader fell silent: its session was ended')
    return Boolean(rowCount)
  }

  /** Passes for as long as the lock is held; the lock itself is kept until the connection ends, also when another leads. */
  async function lead(chain: ChainConfig, lost: AbortController): Promise<void> {
    const { epoch } = await db.one<{ epoch: string }>(LEAD, [chain.network, name])
    log.info({ chain: chain.network, epoch }, 'following')
    const watcher = new Watcher({
      db,
      config: chain,
      source: options.sourceOf(chain),
      hintOutbox: options.hintOutbox,
    })
    let failures = 0
    while (!stopping.signal.aborted && !lost.signal.aborted) {
      const startedAt = Date.now()
      try {
        const { isBehind } = await watcher.pass(epoch)
        failures = 0
        if (!isBehind) await pause(Math.max(0, chain.pollMs - (Date.now() - startedAt)), lost.signal)
      } catch (error) {
        if (error instanceof LeadershipLost) return lost.abort()
        failures += 1
        await noteFailure(chain, epoch, error)
        const wait = isTransient(error)
          ? Math.min(BACKOFF_MAX_MS, chain.pollMs * 2 ** Math.min(failures, 10))
          : STOPPED_RETRY_MS
        await pause(wait, lost.signal)
      }
    }
  }

  /** A fault that may pass is shown and tried again; anything else stops this chain, and only this one. */
  async function noteFailure(chain: ChainConfig, epoch: string, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    const fields = { err: error, chain: chain.network }
    if (isTransient(error)) log.warn(fields, 'the node did not answer')
    else log.error(fields, 'this chain stopped')
    await db
      .query(NOTE_ERROR, [chain.network, epoch, message.slice(0, 500), !isTransient(error)])
      .catch(() => undefined)
  }

  async function pause(ms: number, lost?: AbortSignal): Promise<void> {
    const signal = lost ? AbortSignal.any([stopping.signal, lost]) : stopping.signal
    await delay(ms, undefined, { signal }).catch(() => undefined)
  }
}

/** Makes the rows of the chains that are followed, with the default confirmations. */
export async function ensureChains(db: Database, chains: readonly ChainConfig[]): Promise<void> {
  for (const chain of chains) {
    await db.query(ENSURE, [chain.network, chain.family, JSON.stringify(defaultConfirmations(chain.network))])
  }
}

const isTransient = (error: unknown) => error instanceof RetryableError || error instanceof RpcError

async function tryLock(client: Client, network: string): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>(
    'select pg_try_advisory_lock($1, hashtext($2)) as got',
    [LOCK_SPACE, network],
  )
  return rows[0]?.got ?? false
}
