import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { findHost, type Host, hostUrls, type Wanted } from './primary.ts'

/** A beat, and the silence after it that is too long, are together what a dead or frozen server may cost. */
const BEAT_MS = 250
const SILENT_MS = 2_000
/** After so much of it a standby is asked what can be read there. */
const DOUBT_MS = 300
const RECONNECT_MS = 250
/** What was found out of the hosts serves whoever connects at the same time. */
const LOOK_KEEP_MS = 500

const BEAT = `select case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() end::text as lsn`

// Rules: STAGE-8
export interface LineOptions {
  /** May name several hosts (`hostUrls`). */
  readonly url: string
  readonly onFault?: ((message: string) => void) | undefined
}

type ClientClass = new (config?: ClientConfig) => Client
type Connected = (error: Error | null, client?: Client) => void
type Ended = (error: Error) => void

/**
 * The way to the database: which of its hosts is the primary now, every connection that is open to it, and a beat. A server that is
 * frozen or cut off keeps connections open and answers nothing; TCP would notice after minutes. Here a connection of its own asks every
 * 250 ms, and after 2 s of silence all connections are cut, so that whoever waited is answered and the next one finds the new primary.
 * Whoever only reads is told after 300 ms (`onSilence`), and may ask a standby meanwhile.
 */
export class Line {
  readonly #options: LineOptions
  readonly #urls: readonly string[]
  /** With the time at which each was opened. */
  readonly #clients = new Map<Client, number>()
  readonly #closing = new AbortController()
  readonly #looks = new Map<Wanted, { readonly until: number; readonly host: Promise<Host> }>()
  /** Connections to a standby in the place of a primary. */
  readonly #standIns = new WeakSet<object>()
  /** Who is told when the primary falls silent. */
  readonly #waiting = new Set<() => void>()
  /** Up to where the primary had written its log to disk, at the last beat and at the one before. */
  #positions: readonly [last: string | null, before: string | null] = [null, null]
  #beating: Promise<void> | undefined
  #isSilent = false
  /** The class of the connections, for a pool. */
  readonly Client: ClientClass
  /** The same for a pool that only reads: where no host takes writes, a standby will do. */
  readonly Reader: ClientClass
  /** For a pool that stands in while the primary is silent: connections to standbys alone. */
  readonly Standby: ClientClass

  constructor(options: LineOptions) {
    this.#options = options
    this.#urls = hostUrls(options.url)
    this.Client = this.#classFor('primary')
    this.Reader = this.#classFor('either')
    this.Standby = this.#classFor('standby')
  }

  /** A URL that a client can be made with; which host it really goes to is found when it connects. */
  get url(): string {
    return this.#urls[0] as string
  }

  get hasSeveralHosts(): boolean {
    return this.#urls.length > 1
  }

  /** Whether the last beat is unanswered, or there is nobody to ask. Without beats a primary is never silent. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /**
   * What a standby must have to answer in the place of a silent primary: what that had on its disk one beat before it was last heard. What
   * it wrote after that beat it may have kept to itself, and a standby would be waited for in vain. Null where it was never heard.
   */
  get position(): string | null {
    return this.#positions[1]
  }

  /** Calls `tell` once, when the primary falls silent; what is returned calls it off. */
  onSilence(tell: () => void): () => void {
    this.#waiting.add(tell)
    return () => this.#waiting.delete(tell)
  }

  /** A connection beside the pools, not open yet: for whoever listens, holds a lock or reads for a long time. */
  client(config: ClientConfig): Client {
    return new this.Client({
      connectionString: this.url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      ...config,
    })
  }

  /** Begins to watch over the connections. */
  beat(): void {
    this.#beating ??= this.#beat()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#beating
  }

  /** Whether a connection goes to a standby because there was no primary: after its use it is to be replaced. */
  isStandIn(client: object): boolean {
    return this.#standIns.has(client)
  }

  #classFor(wanted: Wanted): ClientClass {
    const open = (client: Client, connect: () => Promise<Client>, signal: AbortSignal) =>
      this.#open(client, connect, { wanted, signal })
    return class extends Client {
      readonly #ended = new AbortController()

      /**
       * The loss of a connection is told to whoever waits on it, by what fails there. The event beside it would end the process where
       * nobody listens yet: a server may end a connection in the same read that says it is open.
       */
      constructor(config?: ClientConfig) {
        super(config)
        this.on('error', () => undefined)
      }

      /** Who ends a connection that is being opened ends that, too: the driver would leave its caller waiting for ever. */
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
      // Whatever ended it, the next one looks again.
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
      // What can't be reached is told by whoever needs it.
      await client.connect().then(
        () => this.#watch(client),
        () => undefined,
      )
      client.end().catch(() => undefined)
      if (!signal.aborted) this.#fallSilent()
      await delay(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Asks again and again over one connection, until it is gone or silent. */
  async #watch(client: Client): Promise<void> {
    const { signal } = this.#closing
    // A server that ends says so at once: no beat has to be due for that.
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

  /** Ends what was open before `since`; statements under way fail as a connection loss. */
  #cut(since: number): void {
    const silent = [...this.#clients].filter(([, openedAt]) => openedAt < since)
    this.#options.onFault?.(
      `the database has been silent for ${SILENT_MS} ms: ${silent.length} connections were cut`,
    )
    for (const [client] of silent) client.connection.stream.destroy()
  }
}

/** What `work` comes to, or the signal's reason where that comes first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** Over after so long in which this process could have heard, or once it `isOver`: what stood still itself listens first. */
async function silence(ms: number, isOver: () => boolean): Promise<void> {
  for (let isOwn = true; isOwn && !isOver(); ) {
    const from = performance.now()
    await delay(ms, undefined, { ref: false })
    isOwn = performance.now() - from > ms * 1.25
    // Timers come before sockets: an answer that has arrived meanwhile is read in these turns.
    await turn()
    await turn()
  }
}
