import { setTimeout as delay } from 'node:timers/promises'
import type { Client, ClientConfig } from 'pg'

export interface LeaderOptions {
  /** Also names the connection. One process per name and database leads. */
  readonly name: string
  /**
   * Runs while the lock is held. Must return soon after `held` is aborted; returning earlier releases the
   * lock.
   */
  lead(held: AbortSignal): Promise<void>
  readonly listen?: { readonly channel: string; onNotify(): void }
  readonly log: { warn(fields: object, message: string): void }
}

/** Interval of the leader's heartbeat, and of the others' attempts. */
const BEAT_MS = 1_000
const QUERY_MS = 5_000
/** Another process ends the leader's session after this many seconds of silence. */
const SILENT_SECONDS = 10
const RECONNECT_MS = 250

/**
 * Takes the lock `$1`, or ends the session that holds it if that was silent. PostgreSQL keeps the session of
 * a suspended process, whose operating system still answers TCP. All processes need the same database role.
 */
const TRY_LOCK = `with tried as materialized (select pg_try_advisory_lock(hashtextextended($1, 0)) as has_lock)
  select has_lock, case when has_lock then 0 else (
    select count(pg_terminate_backend(l.pid))::int
      from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1
       and l.classid = (hashtextextended($1, 0) >> 32 & 4294967295)::oid
       and l.objid = (hashtextextended($1, 0) & 4294967295)::oid
       and l.database = a.datid and a.datname = current_database()
       and a.state = 'idle' and a.state_change < clock_timestamp() - interval '${SILENT_SECONDS} seconds'
  ) end as ended
  from tried`

/**
 * Each process tries for an advisory lock on its own connection; another takes over within seconds if the
 * leader hangs or loses its connection. A former leader may not know that: check its writes by an epoch, or
 * make them idempotent.
 */
export class Leader {
  readonly #connect: (config: ClientConfig) => Client
  readonly #options: LeaderOptions
  readonly #stopping = new AbortController()
  #loop: Promise<void> | undefined

  /** `connect` returns an unopened connection. */
  constructor(connect: (config: ClientConfig) => Client, options: LeaderOptions) {
    this.#connect = connect
    this.#options = options
  }

  start(): void {
    this.#loop ??= this.#hold()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
  }

  async #hold(): Promise<void> {
    const { signal } = this.#stopping
    const { name } = this.#options
    while (!signal.aborted) {
      const client = this.#connect({ application_name: name, query_timeout: QUERY_MS })
      await this.#follow(client).catch((error: unknown) => {
        if (!signal.aborted) this.#warn({ err: error }, 'the connection of a leader was lost')
      })
      await client.end().catch(() => undefined)
      await pause(RECONNECT_MS, signal)
    }
  }

  async #follow(client: Client): Promise<void> {
    const { listen } = this.#options
    const lost = new AbortController()
    client.on('error', (error) => lost.abort(error))
    client.on('end', () => lost.abort(new Error('the connection ended')))
    const over = AbortSignal.any([this.#stopping.signal, lost.signal])
    await client.connect()
    if (listen) {
      client.on('notification', () => listen.onNotify())
      await client.query(`listen ${client.escapeIdentifier(listen.channel)}`)
      listen.onNotify()
    }
    while (!over.aborted) {
      const hasLock = await this.#tryLock(client)
      if (over.aborted) break
      if (hasLock) return this.#lead(client, over)
      await pause(BEAT_MS, over)
    }
    throw over.reason
  }

  async #lead(client: Client, over: AbortSignal): Promise<void> {
    const ending = new AbortController()
    const held = AbortSignal.any([over, ending.signal])
    const beating = beat(client, held).catch((error: unknown) => ending.abort(error))
    try {
      await this.#options.lead(held)
      if (held.aborted) throw held.reason
    } finally {
      ending.abort()
      await beating
    }
  }

  async #tryLock(client: Client): Promise<boolean> {
    const { rows } = await client.query<{ has_lock: boolean; ended: number }>(TRY_LOCK, [this.#options.name])
    if (rows[0]?.ended) this.#warn({}, 'the leader fell silent: its session was ended')
    return rows[0]?.has_lock ?? false
  }

  #warn(fields: object, message: string): void {
    const { log, name } = this.#options
    log.warn({ ...fields, leader: name }, message)
  }
}

async function beat(client: Client, held: AbortSignal): Promise<void> {
  while (!held.aborted) {
    await pause(BEAT_MS, held)
    if (!held.aborted) await client.query('select 1')
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
