import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { endSilent } from './silent-leader.ts'

export interface LeaderOptions {
  /** A connection of its own. */
  connect(): Client
  /** The advisory lock that the leader holds for as long as its connection lives. */
  lockKey: bigint
  /** Channel that wakes every process, leader or not. */
  channel: string
  onNotify(): void
  /** Called when leadership is gained; `stop` of what it returns is called when it is lost. */
  lead(): { stop(): Promise<void> }
  onFault(error: unknown): void
}

const RETRY_MS = 1_000
const RECONNECT_MS = 250

/**
 * One connection a process: listens on the channel and tries for the lock. Losing the connection loses the lock, and
 * another process takes over within seconds; so does a process that stands still.
 */
export class Leader {
  readonly #options: LeaderOptions
  readonly #stopping = new AbortController()
  #loop: Promise<void> | undefined

  constructor(options: LeaderOptions) {
    this.#options = options
  }

  start(): void {
    this.#loop ??= this.#hold()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
  }

  /** One connection after the other, until it is stopped. */
  async #hold(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const client = this.#options.connect()
      await this.#follow(client)
      await client.end().catch(() => undefined)
      if (!signal.aborted) await pause(RECONNECT_MS, signal)
    }
  }

  /** Listens, and leads while the lock is held, until the connection is gone. */
  async #follow(client: Client): Promise<void> {
    const { signal } = this.#stopping
    const { lockKey, channel, onNotify, lead, onFault } = this.#options
    let leading: { stop(): Promise<void> } | undefined
    try {
      const gone = new Promise<'gone'>((resolve) => {
        client.on('error', (error) => {
          onFault(error)
          resolve('gone')
        })
        client.on('end', () => resolve('gone'))
      })
      client.on('notification', () => onNotify())
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      onNotify()
      let isGone = false
      while (!signal.aborted && !isGone) {
        // Who leads says so too: a session that is silent belongs to a process that stands still.
        if (leading) await client.query('select 1')
        else if (await tryLock(client, lockKey)) leading = lead()
        else await endSilent(client, lockKey)
        isGone = (await Promise.race([gone, pause(RETRY_MS, signal)])) === 'gone'
      }
    } catch (error) {
      if (!signal.aborted) onFault(error)
    }
    await leading?.stop()
  }
}

async function tryLock(client: Client, key: bigint): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
    key.toString(),
  ])
  return rows[0]?.got ?? false
}

async function pause(ms: number, signal: AbortSignal): Promise<'waited'> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
  return 'waited'
}
