import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'

/** The heartbeat's interval. A dead or frozen server costs at most this and the silence after it. */
const BEAT_MS = 250
const SILENT_MS = 2_000
/** After this silence a standby answers reads. */
const DOUBT_MS = 300
const RECONNECT_MS = 250

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
 * The connections to a database, and a heartbeat. A server that is frozen or cut off keeps connections open and answers nothing; TCP would
 * notice after minutes. Here a connection of its own asks every 250 ms, and after 2 s of silence all connections are cut, so that
 * callers get an error and the next connection finds the new primary. Reads are told after 300 ms (`untilSilent`), and a standby may answer them.
 */
export class Line {
  readonly #options: LineOptions
  /** With the time at which each was opened. */
  readonly #clients = new Map<Client, number>()
  readonly #closing = new AbortController()
  /** Called when the primary falls silent. */
  readonly #waiting = new Set<() => void>()
  /** Up to where the primary had written its log to disk, at the last heartbeat and at the one before. */
  #positions: readonly [last: string | null, before: string | null] = [null, null]
  #beating: Promise<void> | undefined
  #isSilent = false
  /** The class of the connections, for a pool. */
  readonly Client: ClientClass

  constructor(options: LineOptions) {
    this.#options = options
    this.Client = this.#clientClass()
  }

  get url(): string {
    return this.#options.url
  }

  /** Whether the last heartbeat is unanswered or could not be sent. Without heartbeats a primary is never silent. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /**
   * The position that a standby needs to answer for a silent primary: what the primary had on its disk one heartbeat before it was last
   * heard. The primary may never have sent a standby what it wrote after that. Null if it was never heard.
   */
  get position(): string | null {
    return this.#positions[1]
  }

  /** Resolves when the primary is silent, or when `over` is aborted. */
  async untilSilent(over: AbortSignal): Promise<void> {
    if (this.#isSilent || over.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    over.addEventListener('abort', () => resolve(), { once: true })
    await promise
    this.#waiting.delete(resolve)
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

  #clientClass(): ClientClass {
    const note = (client: Client) => this.#note(client)
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
        note(this)
        const opened = unlessAborted(super.connect(), this.#ended.signal)
        if (!callback) return opened
        opened.then((client) => callback(null, client), callback)
      }
    }
  }

  #note(client: Client): void {
    this.#clients.set(client, performance.now())
    client.once('end', () => this.#clients.delete(client))
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
