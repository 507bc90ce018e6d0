import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { findHost, type Host, hostUrls, type Wanted } from './primary.ts'

/** Together the maximum time to notice a dead or frozen server. */
const BEAT_MS = 250
const SILENT_MS = 2_000
/** After this silence, reads may go to a standby. */
const DOUBT_MS = 300
const RECONNECT_MS = 250
/** Concurrent connections share a host search for this long. */
const LOOK_KEEP_MS = 500

const BEAT = `select case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() end::text as lsn`

// Rules: STAGE-8
export interface LineOptions {
  readonly url: string
  readonly onFault?: ((message: string) => void) | undefined
}

type ClientClass = new (config?: ClientConfig) => Client
type Connected = (error: Error | null, client?: Client) => void
type Ended = (error: Error) => void

/**
 * Finds the primary among the database's hosts and sends heartbeats. A frozen or unreachable server keeps
 * connections open without answering, which TCP notices only after minutes. A separate connection queries
 * every 250 ms; after 2 s of silence all connections are cut, so that callers fail and reconnect to the new
 * primary. After 300 ms (`onSilence`) reads may use a standby.
 */
export class Line {
  readonly #options: LineOptions
  readonly #urls: readonly string[]
  /** By client: the time of opening. */
  readonly #clients = new Map<Client, number>()
  readonly #closing = new AbortController()
  readonly #looks = new Map<Wanted, { readonly until: number; readonly host: Promise<Host> }>()
  readonly #standIns = new WeakSet<object>()
  readonly #waiting = new Set<() => void>()
  #positions: readonly [last: string | null, before: string | null] = [null, null]
  #beating: Promise<void> | undefined
  #isSilent = false
  readonly Client: ClientClass
  /** Falls back to a standby without a primary. */
  readonly Reader: ClientClass
  readonly Standby: ClientClass

  constructor(options: LineOptions) {
    this.#options = options
    this.#urls = hostUrls(options.url)
    this.Client = this.#classFor('primary')
    this.Reader = this.#classFor('either')
    this.Standby = this.#classFor('standby')
  }

  /** Constructs a client, which finds its host on connecting. */
  get url(): string {
    return this.#urls[0] as string
  }

  get hasSeveralHosts(): boolean {
    return this.#urls.length > 1
  }

  /** True if the last heartbeat is unanswered; without heartbeats never. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /**
   * The WAL position that a standby must reach to replace a silent primary: the primary's position one
   * heartbeat before its last. Later WAL may never have been sent. Null if no heartbeat was answered.
   */
  get position(): string | null {
    return this.#positions[1]
  }

  /** Calls `tell` once; the returned function cancels. */
  onSilence(tell: () => void): () => void {
    this.#waiting.add(tell)
    return () => this.#waiting.delete(tell)
  }

  /** The client is not yet open. */
  client(config: ClientConfig): Client {
    return new this.Client({
      connectionString: this.url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      ...config,
    })
  }

  beat(): void {
    this.#beating ??= this.#beat()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#beating
  }

  /** Replace such a connection after use. */
  isStandIn(client: object): boolean {
    return this.#standIns.has(client)
  }

  #classFor(wanted: Wanted): ClientClass {
    const open = (client: Client, connect: () => Promise<Client>, signal: AbortSignal) =>
      this.#open(client, connect, { wanted, signal })
    return class extends Client {
      readonly #ended = new AbortController()

      /**
       * Ignores the error event: the failing call reports the loss. A server may end a connection in the same
       * read that opens it, before anyone listens; the event would end the process.
       */
      constructor(config?: ClientConfig) {
        super(config)
        this.on('error', () => undefined)
      }

      /** Also aborts a connection attempt, where the driver would leave the caller waiting for ever. */
      override end(): Promise<void>
      override end(callback: Ended): void
      override end(callback?: Ended): Promise<void> | void {
        this.#ended.abort(new Error('Connection terminated before it was open'))
        return callback ? super.end(callback) : super.end()
      }

      override connect(): Promise<Client>
      override connect(callback: Connected): void
      override connect(callback?: Connected): Promise<Client> | void {
        const opened = unlessAborted(
          open(this, () => super.connect(), this.#ended.signal),
          this.#ended.signal,
        )
        if (!callback) return opened
        opened.then((client) => callback(null, client), callback)
      }
    }
  }

  async #open(
    client: Client,
    connect: () => Promise<Client>,
    { wanted, signal }: { wanted: Wanted; signal: AbortSignal },
  ): Promise<Client> {
    if (this.#urls.length > 1) {
      const { url, timeline } = await this.#find(wanted)
      const { hostname, port } = new URL(url)
      client.host = hostname.replace(/^\[|\]$/g, '')
      client.port = Number(port || 5432)
      if (timeline === '') this.#standIns.add(client)
    }
    signal.throwIfAborted()
    this.#clients.set(client, performance.now())
    client.once('end', () => {
      this.#clients.delete(client)
      // The next connection searches for the primary again.
      if (!this.#standIns.has(client)) this.#looks.clear()
    })
    return connect()
  }

  #find(wanted: Wanted): Promise<Host> {
    const now = performance.now()
    const known = this.#looks.get(wanted)
    if (known && known.until > now) return known.host
    const host = findHost(this.#urls, wanted)
    this.#looks.set(wanted, { until: now + LOOK_KEEP_MS, host })
    return host
  }

  async #beat(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const client = this.client({ application_name: 'presale beat', connectionTimeoutMillis: SILENT_MS })
      // Its users report an unreachable database.
      await client.connect().then(
        () => this.#watch(client),
        () => undefined,
      )
      client.end().catch(() => undefined)
      if (!signal.aborted) this.#fallSilent()
      await delay(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #watch(client: Client): Promise<void> {
    const { signal } = this.#closing
    // The server's end of the connection is noticed without waiting for the next heartbeat.
    const ended = new AbortController()
    client.once('end', () => ended.abort())
    const untilNext = { signal: AbortSignal.any([signal, ended.signal]) }
    for (let isHeard = true; isHeard && !signal.aborted; ) {
      const askedAt = performance.now()
      let answer: 'answered' | 'gone' | undefined
      const asked = client.query<{ lsn: string | null }>(BEAT).then(
        ({ rows }) => {
          answer = 'answered'
          this.#hear(rows[0]?.lsn ?? null)
        },
        () => {
          answer = 'gone'
        },
      )
      const isOver = () => answer !== undefined || signal.aborted
      void silence(DOUBT_MS, isOver).then(() => isOver() || this.#fallSilent())
      await Promise.race([asked, silence(SILENT_MS, isOver)])
      isHeard = answer === 'answered'
      if (isHeard) await delay(BEAT_MS, undefined, untilNext).catch(() => undefined)
      else if (!isOver()) this.#cut(askedAt)
    }
  }

  #hear(position: string | null): void {
    this.#isSilent = false
    this.#positions = [position, this.#positions[0]]
  }

  #fallSilent(): void {
    this.#isSilent = true
    const told = [...this.#waiting]
    this.#waiting.clear()
    for (const tell of told) tell()
  }

  /** Statements on a cut connection fail as a connection loss. */
  #cut(since: number): void {
    const silent = [...this.#clients].filter(([, openedAt]) => openedAt < since)
    this.#options.onFault?.(
      `the database has been silent for ${SILENT_MS} ms: ${silent.length} connections were cut`,
    )
    for (const [client] of silent) client.connection.stream.destroy()
  }
}

/** Rejects with the signal's reason if aborted before `work` settles. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/**
 * Resolves after `ms` in which this process could have received an answer, or once `isOver`. After its own
 * pause the process waits again.
 */
async function silence(ms: number, isOver: () => boolean): Promise<void> {
  for (let isOwn = true; isOwn && !isOver(); ) {
    const from = performance.now()
    await delay(ms, undefined, { ref: false })
    isOwn = performance.now() - from > ms * 1.25
    // Timers run before sockets; these turns read answers that have already arrived.
    await turn()
    await turn()
  }
}
