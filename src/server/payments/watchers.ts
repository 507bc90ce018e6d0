import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { defaultConfirmations } from '../../shared/networks.ts'
import type { ChainConfig } from '../chain-config.ts'
import { type Database, sql } from '../database/database.ts'
import { RetryableError } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { ChainStopped } from './chain-follower.ts'
import type { ChainSource } from './chain-source.ts'
import type { EvmExtras } from './evm/evm-chain.ts'
import { RpcError } from './json-rpc.ts'
import { LeadershipLost, type PassResult, Watcher } from './watcher.ts'

// Rules: SETTLE-19, SETTLE-27
export interface WatchersLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface WatchersNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly chains: readonly ChainConfig[]
  readonly sourceOf: (chain: ChainConfig) => ChainSource & Partial<EvmExtras>
  /** Where `chains` come from when they may change while the program runs. */
  readonly nodes?: { refresh(): Promise<void>; onChange(listener: () => void): void }
  readonly hintOutbox: () => void
  readonly log: WatchersLog
  /** How often a process that does not lead tries to. */
  readonly tryLockMs?: number
}

/** The watcher of one chain as one configuration names its nodes. */
interface Loop {
  readonly chain: ChainConfig
  readonly ending: AbortController
  readonly done: Promise<void>
}

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

/** Follows every configured chain while this process leads it; any number of processes may try. */
export class Watchers {
  readonly #needs: WatchersNeeds
  readonly #stopping = new AbortController()
  readonly #name = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`
  readonly #loops = new Map<string, Loop>()
  /** Passes that still ask a node which is no longer named. */
  readonly #left = new Set<Promise<unknown>>()

  constructor(needs: WatchersNeeds) {
    this.#needs = needs
  }

  async start(): Promise<void> {
    const { db, chains, nodes } = this.#needs
    await ensureChains(db, chains)
    nodes?.onChange(() => this.#follow())
    this.#follow()
  }

  /** A loop for each chain as it is configured now: one whose node is another ends before the next one begins. */
  #follow(): void {
    if (this.#stopping.signal.aborted) return
    const { chains, log } = this.#needs
    for (const loop of this.#loops.values()) if (!chains.includes(loop.chain)) loop.ending.abort()
    for (const chain of chains) {
      const running = this.#loops.get(chain.network)
      if (running?.chain === chain) continue
      const ending = new AbortController()
      const stop = AbortSignal.any([this.#stopping.signal, ending.signal])
      const done = (running?.done ?? Promise.resolve())
        .then(() => this.#keepLeading(chain, stop))
        .catch((error: unknown) => log.error({ err: error, chain: chain.network }, 'a watcher ended'))
      this.#loops.set(chain.network, { chain, ending, done })
    }
  }

  /** Ends the pass under way, gives the locks back. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([...this.#loops.values()].map(({ done }) => done))
    await Promise.allSettled(this.#left)
  }

  /** One connection a chain: it holds the lock, and losing it loses the lock. */
  async #keepLeading(chain: ChainConfig, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const client = this.#needs.db.client({
        application_name: `presale watcher ${chain.network}`,
        query_timeout: SILENT_SECONDS * 1_000,
      })
      const lost = new AbortController()
      client.on('error', () => lost.abort())
      client.on('end', () => lost.abort())
      try {
        await client.connect()
        while (!stop.aborted && !lost.signal.aborted) {
          if (await tryLock(client, chain.network)) {
            await Promise.all([this.#lead(chain, lost, stop), this.#beat(client, lost, stop)])
          } else {
            const hasEnded = await this.#endSilentLeader(client, chain.network)
            await pause(hasEnded ? ENDING_MS : (this.#needs.tryLockMs ?? TRY_LOCK_MS), stop, lost.signal)
          }
        }
      } catch (error) {
        if (!stop.aborted)
          this.#needs.log.warn({ err: error, chain: chain.network }, 'a watcher lost its connection')
      }
      await client.end().catch(() => undefined)
      await pause(RECONNECT_MS, stop)
    }
  }

  /** Says over the session that holds the lock that this process runs, whatever its chain's node does meanwhile. */
  async #beat(client: Client, lost: AbortController, stop: AbortSignal): Promise<void> {
    while (!stop.aborted && !lost.signal.aborted) {
      await pause(BEAT_MS, stop, lost.signal)
      await client.query('select 1').catch(() => lost.abort())
    }
  }

  async #endSilentLeader(client: Client, network: string): Promise<boolean> {
    const { rowCount } = await client.query(END_SILENT, [LOCK_SPACE, network])
    if (rowCount) this.#needs.log.warn({ chain: network }, 'the leader fell silent: its session was ended')
    return Boolean(rowCount)
  }

  /** Passes for as long as the lock is held; the lock itself is kept until the connection ends, also when another leads. */
  async #lead(chain: ChainConfig, lost: AbortController, stop: AbortSignal): Promise<void> {
    const { epoch } = await this.#needs.db.one<{ epoch: string }>(
      sql`update chains set epoch = epoch + 1, leader = ${this.#name}, led_since = clock_timestamp()
           where name = ${chain.network} returning epoch::text`,
    )
    // A change of the node takes the epoch too: whoever has it and reads the nodes after that reads what counts.
    await this.#needs.nodes?.refresh()
    if (stop.aborted) return
    this.#needs.log.info({ chain: chain.network, epoch }, 'following')
    const watcher = new Watcher({
      db: this.#needs.db,
      secrets: this.#needs.secrets,
      config: chain,
      source: this.#needs.sourceOf(chain),
      hintOutbox: this.#needs.hintOutbox,
    })
    let failures = 0
    while (!stop.aborted && !lost.signal.aborted) {
      const startedAt = performance.now()
      try {
        const result = await this.#unlessReplaced(watcher.pass(epoch), stop)
        failures = 0
        if (!result) return
        const { isBehind } = result
        if (!isBehind)
          await pause(Math.max(0, chain.pollMs - (performance.now() - startedAt)), stop, lost.signal)
      } catch (error) {
        if (error instanceof LeadershipLost) return lost.abort()
        failures += 1
        await this.#noteFailure(chain, epoch, error)
        const wait =
          error instanceof ChainStopped
            ? STOPPED_RETRY_MS
            : Math.min(BACKOFF_MAX_MS, chain.pollMs * 2 ** Math.min(failures, 10))
        await pause(wait, stop, lost.signal)
      }
    }
  }

  /** A node that is no longer named is not waited for: whatever it still says is shut out by the epoch. Null where that happened. */
  async #unlessReplaced(pass: Promise<PassResult>, stop: AbortSignal): Promise<PassResult | null> {
    const over = new AbortController()
    const ended = once(stop, 'abort', { signal: over.signal }).then(() => null)
    try {
      const result = stop.aborted ? null : await Promise.race([pass, ended])
      if (result || this.#stopping.signal.aborted) return await pass
      const left = pass.catch(() => undefined).finally(() => this.#left.delete(left))
      this.#left.add(left)
      return null
    } finally {
      over.abort()
      ended.catch(() => undefined)
    }
  }

  /** What a person has to decide stops this chain, and only this one; anything else is shown and tried again. The first reason to stop stays. */
  async #noteFailure(chain: ChainConfig, epoch: string, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    const fields = { err: error, chain: chain.network }
    const isStop = error instanceof ChainStopped
    if (isStop) this.#needs.log.error(fields, 'this chain stopped')
    else if (isOfNode(error)) this.#needs.log.warn(fields, 'the node did not answer')
    else this.#needs.log.error(fields, 'a look at the chain failed')
    await this.#needs.db
      .query(
        sql`update chains set last_error = ${message.slice(0, 500)}, last_error_at = clock_timestamp(),
                   failing_since = coalesce(failing_since, clock_timestamp()), stopped = ${isStop}
             where name = ${chain.network} and epoch = ${epoch} and not stopped`,
      )
      .catch(() => undefined)
  }
}

async function pause(ms: number, stop: AbortSignal, lost?: AbortSignal): Promise<void> {
  const signal = lost ? AbortSignal.any([stop, lost]) : stop
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

/** Makes the rows of the chains that are followed, with the default confirmations. */
export async function ensureChains(db: Database, chains: readonly ChainConfig[]): Promise<void> {
  for (const chain of chains) {
    const rules = JSON.stringify(defaultConfirmations(chain.network))
    await db.query(
      sql`insert into chains (name, family, confirmation_rules) values (${chain.network}, ${chain.family}, ${rules})
          on conflict (name) do nothing`,
    )
  }
}

const isOfNode = (error: unknown) => error instanceof RetryableError || error instanceof RpcError

async function tryLock(client: Client, network: string): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>(
    'select pg_try_advisory_lock($1, hashtext($2)) as got',
    [LOCK_SPACE, network],
  )
  return rows[0]?.got ?? false
}
