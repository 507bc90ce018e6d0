import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { findHost, type Host, hostUrls } from './primary.ts'

/** A beat, and the silence after it that is too long, are together what a dead or frozen server may cost. */
const BEAT_MS = 750
const SILENT_MS = 2_000
const RECONNECT_MS = 250
/** What was found out of the hosts serves whoever connects at the same time. */
const LOOK_KEEP_MS = 500

export interface LineOptions {
  /** May name several hosts (`hostUrls`). */
  readonly url: string
  readonly onFault?: ((message: string) => void) | undefined
}

type ClientClass = new (config?: ClientConfig) => Client
type Connected = (error: Error | null, client?: Client) => void

/**
 * The way to the database: which of its hosts is the primary now, every connection that is open to it, and a beat. A server that is
 * frozen or cut off keeps connections open and answers nothing; TCP would notice after minutes. Here a connection of its own asks every
 * 750 ms, and after 2 s of silence all connections are cut, so that whoever waited is answered and the next one finds the new primary.
 */
export class Line {
  readonly #options: LineOptions
  readonly #urls: readonly string[]
  /** With the time at which each was opened. */
  readonly #clients = new Map<Client, number>()
  readonly #closing = new AbortController()
  readonly #looks = new Map<boolean, { readonly until: number; readonly host: Promise<Host> }>()
  /** Connections to a standby in the place of a primary. */
  readonly #standIns = new WeakSet<object>()
  #beating: Promise<void> | undefined
  /** The class of the connections, for a pool. */
  readonly Client: ClientClass
  /** The same for a pool that only reads: where no host takes writes, a standby will do. */
  readonly Reader: ClientClass

  constructor(options: LineOptions) {
    this.#options = options
    this.#urls = hostUrls(options.url)
    this.Client = this.#classFor(false)
    this.Reader = this.#classFor(true)
  }

  /** A URL that a client can be made with; which host it really goes to is found when it connects. */
  get url(): string {
    return this.#urls[0] as string
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

  #classFor(orStandby: boolean): ClientClass {
    const open = (client: Client, connect: () => Promise<Client>) => this.#open(client, connect, orStandby)
    return class extends Client {
      override connect(): Promise<Client>
      override connect(callback: Connected): void
      override connect(callback?: Connected): Promise<Client> | void {
        const opened = open(this, () => super.connect())
        if (!callback) return opened
        opened.then((client) => callback(null, client), callback)
      }
    }
  }

  async #open(client: Client, connect: () => Promise<Client>, orStandby: boolean): Promise<Client> {
    if (this.#urls.length > 1) {
      const { url, timeline } = await this.#find(orStandby)
      const { hostname, port } = new URL(url)
      client.host = hostname.replace(/^\[|\]$/g, '')
      client.port = Number(port || 5432)
      if (timeline === '') this.#standIns.add(client)
    }
    this.#clients.set(client, performance.now())
    client.once('end', () => {
      this.#clients.delete(client)
      // Whatever ended it, the next one looks again.
      if (!this.#standIns.has(client)) this.#looks.clear()
    })
    return connect()
  }

  #find(orStandby: boolean): Promise<Host> {
    const now = performance.now()
    const known = this.#looks.get(orStandby)
    if (known && known.until > now) return known.host
    const host = findHost(this.#urls, orStandby)
    this.#looks.set(orStandby, { until: now + LOOK_KEEP_MS, host })
    return host
  }

  async #beat(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const client = this.client({ application_name: 'presale beat', connectionTimeoutMillis: SILENT_MS })
      client.on('error', () => undefined)
      // What can't be reached is told by whoever needs it.
      await client.connect().then(
        () => this.#watch(client),
        () => undefined,
      )
      client.end().catch(() => undefined)
      await delay(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Asks again and again over one connection, until it is gone or silent. */
  async #watch(client: Client): Promise<void> {
    const { signal } = this.#closing
    for (let isHeard = true; isHeard && !signal.aborted; ) {
      await delay(BEAT_MS, undefined, { signal }).catch(() => undefined)
      const askedAt = performance.now()
      let answer: 'answered' | 'gone' | undefined
      const asked = client.query('select 1').then(
        () => (answer = 'answered'),
        () => (answer = 'gone'),
      )
      await Promise.race([asked, silence()])
      isHeard = answer === 'answered'
      if (answer === undefined) this.#cut(askedAt)
    }
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

/** Over after 2 s in which this process could have heard: what stood still itself listens first. */
async function silence(): Promise<void> {
  for (let isOwn = true; isOwn; ) {
    const from = performance.now()
    await delay(SILENT_MS)
    isOwn = performance.now() - from > SILENT_MS * 1.25
    // Timers come before sockets: an answer that has arrived meanwhile is read in these turns.
    await turn()
    await turn()
  }
}
