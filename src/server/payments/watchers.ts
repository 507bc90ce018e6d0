import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { defaultConfirmations } from '../../shared/networks.ts'
import type { ChainConfig } from '../chain-config.ts'
import { type Database, sql } from '../database/database.ts'
import type { Leader } from '../database/leader.ts'
import { RetryableError } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { ChainStopped } from './chain-follower.ts'
import type { ChainSource } from './chain-source.ts'
import type { EvmExtras } from './evm/evm-chain.ts'
import { RpcError } from './json-rpc.ts'
import { LeadershipLost, type PassResult, Watcher } from './watcher.ts'

// Rules: SETTLE-18, SETTLE-26
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
  /** Of `chains`, if they may change at run time. */
  readonly nodes?: { refresh(): Promise<void>; onChange(listener: () => void): void }
  readonly hintOutbox: () => void
  readonly log: WatchersLog
}

interface Loop {
  readonly chain: ChainConfig
  readonly leader: Leader
  /** When another configuration replaces this one. */
  readonly replaced: AbortController
  /** The loop competes for leadership, after the loop it replaces has ended. */
  readonly started: Promise<void>
}

const BACKOFF_MAX_MS = 60_000
const STOPPED_RETRY_MS = 10_000

/** Follows every configured chain that this process leads; any number of processes may compete. */
export class Watchers {
  readonly #needs: WatchersNeeds
  readonly #name = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`
  readonly #loops = new Map<string, Loop>()
  /** They still use a replaced node. */
  readonly #left = new Set<Promise<unknown>>()
  #isStopping = false

  constructor(needs: WatchersNeeds) {
    this.#needs = needs
  }

  async start(): Promise<void> {
    const { db, chains, nodes } = this.#needs
    await ensureChains(db, chains)
    nodes?.onChange(() => this.#follow())
    this.#follow()
  }

  /** Starts a loop for each configured chain; ends those whose node was replaced. */
  #follow(): void {
    if (this.#isStopping) return
    const { chains } = this.#needs
    for (const loop of this.#loops.values()) if (!chains.includes(loop.chain)) loop.replaced.abort()
    for (const chain of chains) {
      const before = this.#loops.get(chain.network)
      if (before?.chain !== chain) this.#loops.set(chain.network, this.#startLoop(chain, before))
    }
  }

  #startLoop(chain: ChainConfig, before: Loop | undefined): Loop {
    const { db, log } = this.#needs
    const replaced = new AbortController()
    const leader = db.leader({
      name: `presale watcher ${chain.network}`,
      lead: (held) => this.#lead(chain, held, replaced.signal),
      log,
    })
    replaced.signal.addEventListener('abort', () => void leader.stop())
    const started = (before ? endOf(before) : Promise.resolve()).then(() => leader.start())
    return { chain, leader, replaced, started }
  }

  /** Ends the current pass and releases the locks. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all([...this.#loops.values()].map(endOf))
    await Promise.allSettled(this.#left)
  }

  /** Runs passes while the lock is held. */
  async #lead(chain: ChainConfig, held: AbortSignal, replaced: AbortSignal): Promise<void> {
    const { epoch } = await this.#needs.db.one<{ epoch: string }>(
      sql`update chains set epoch = epoch + 1, leader = ${this.#name}, led_since = clock_timestamp()
           where name = ${chain.network} returning epoch::text`,
    )
    // A node change raises the epoch too: nodes read after taking the epoch are current.
    await this.#needs.nodes?.refresh()
    if (held.aborted) return
    this.#needs.log.info({ chain: chain.network, epoch }, 'following')
    const watcher = new Watcher({
      db: this.#needs.db,
      secrets: this.#needs.secrets,
      config: chain,
      source: this.#needs.sourceOf(chain),
      hintOutbox: this.#needs.hintOutbox,
    })
    let failures = 0
    while (!held.aborted) {
      const startedAt = performance.now()
      try {
        const result = await this.#unlessReplaced(watcher.pass(epoch), replaced)
        if (!result) return
        if (failures > 0) this.#needs.log.info({ chain: chain.network, failures }, 'the node answers again')
        failures = 0
        const { isBehind, reorganisedAbove: above, height } = result
        if (above !== null)
          this.#needs.log.warn({ chain: chain.network, above, height }, 'the chain was reorganised')
        if (!isBehind) await pause(Math.max(0, chain.pollMs - (performance.now() - startedAt)), held)
      } catch (error) {
        if (error instanceof LeadershipLost) return
        failures += 1
        await this.#noteFailure(chain, epoch, error)
        const wait =
          error instanceof ChainStopped
            ? STOPPED_RETRY_MS
            : Math.min(BACKOFF_MAX_MS, chain.pollMs * 2 ** Math.min(failures, 10))
        await pause(wait, held)
      }
    }
  }

  /** Null once this chain's node was replaced. The epoch check rejects a late result of the old node. */
  async #unlessReplaced(pass: Promise<PassResult>, replaced: AbortSignal): Promise<PassResult | null> {
    const over = new AbortController()
    const left = once(replaced, 'abort', { signal: over.signal }).then(() => null)
    try {
      const result = replaced.aborted ? null : await Promise.race([pass, left])
      if (result) return result
      const late = pass.catch(() => undefined).finally(() => this.#left.delete(late))
      this.#left.add(late)
      return null
    } finally {
      over.abort()
      left.catch(() => undefined)
    }
  }

  /**
   * An error that needs an operator's decision stops this chain only; others are shown and retried. A stop's
   * first reason stays.
   */
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

async function endOf({ leader, started }: Loop): Promise<void> {
  await Promise.all([leader.stop(), started])
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

/** With default confirmations. */
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
