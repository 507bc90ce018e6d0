import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { LiveEventName } from '../../shared/api/live.ts'
import type { OrderDetail, OrderStatus } from '../../shared/order-states.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Database, sql } from '../database/database.ts'
import { countOpen } from '../limits/limits.ts'

/** The drainer's message on channel `live`: ids, never rows. */
interface Announcement {
  readonly orders?: readonly string[]
  readonly users?: readonly string[]
  /** A public figure may have changed. */
  readonly campaign?: boolean
  readonly settings?: boolean
  readonly actions?: boolean
  /** Ended sessions and keys (`key:ID`). */
  readonly sessions?: readonly string[]
  /** With a new token: a copy of the old one may have opened a stream. */
  readonly renewed?: readonly string[]
}

export type Audience = { userId: string } | { operator: true } | { campaign: true }

/** Per process: a stream costs a socket, some buffers and a write per event. */
const STREAMS_MAX = 20_000
// Rules: RIGHT-25
/** Enough for an office behind one address. */
export const STREAMS_NETWORK_MAX = 200
const HEARTBEAT_MS = 20_000
const RECONNECT_MS = 500
/** Visitors get at most ten updates a second. */
const FIGURES_APART_MS = 100
/** A browser waits this long before it opens an ended stream again. */
const RETRY_MS = 2_000
/**
 * After this time a stream's page reconnects, so that an expired session or lost right ends. Varied by a
 * fifth.
 */
const STREAM_MAX_MS = 15 * 60_000
/** A stream with more unsent bytes is closed; its page refreshes. */
const BUFFERED_MAX = 64 * 1024

export interface LiveNeeds {
  readonly db: Database
  readonly campaign: Campaign
  /** When any process changed settings, before listeners are notified. */
  readonly forgetSettings: () => void
  readonly onFault: (error: unknown) => void
  readonly limits?: boolean
}

/** One listening connection per process, one write per stream. */
export class Live {
  readonly #needs: LiveNeeds
  readonly #byUser = new Map<string, Set<ServerResponse>>()
  readonly #operators = new Set<ServerResponse>()
  readonly #visitors = new Set<ServerResponse>()
  readonly #all = new Map<ServerResponse, number>()
  readonly #bySession = new Map<string, Set<ServerResponse>>()
  /** Their streams may still be opening. */
  #ended = new Set<string>()
  readonly #open = countOpen({ name: 'streams', network: STREAMS_NETWORK_MAX, all: STREAMS_MAX })
  readonly #stopping = new AbortController()
  #listening: Promise<void> | undefined
  #listener: Client | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #figuresDue: NodeJS.Timeout | undefined
  /** By the monotonic clock. */
  #figuresReadAt = -FIGURES_APART_MS

  constructor(needs: LiveNeeds) {
    this.#needs = needs
  }

  get streams(): number {
    return this.#all.size
  }

  admit(network: string): void {
    if (!this.#needs.limits) return
    this.#open.refuseWhenFull(network)
  }

  // Rules: RIGHT-41
  /** Headers are sent already. Leaves when the response closes; the session's end ends the response. */
  join(response: ServerResponse, audiences: readonly Audience[], network: string, sessionId?: string): void {
    if (sessionId !== undefined && this.#ended.has(sessionId)) {
      response.end()
      return
    }
    const leave = this.#open.open(network)
    const sets = audiences.map((audience) => this.#setOf(audience))
    const ofSession = sessionId === undefined ? undefined : setIn(this.#bySession, sessionId)
    ofSession?.add(response)
    this.#all.set(response, Date.now() + STREAM_MAX_MS + randomInt(STREAM_MAX_MS / 5))
    for (const set of sets) set.add(response)
    response.on('close', () => {
      this.#all.delete(response)
      leave()
      for (const set of sets) set.delete(response)
      ofSession?.delete(response)
      if (sessionId !== undefined && ofSession?.size === 0) this.#bySession.delete(sessionId)
      for (const audience of audiences) {
        if ('userId' in audience && this.#byUser.get(audience.userId)?.size === 0)
          this.#byUser.delete(audience.userId)
      }
    })
    response.write(`retry: ${RETRY_MS}\n\n`)
  }

  start(): void {
    this.#listening = this.#listen()
    this.#heartbeat = setInterval(() => {
      const now = Date.now()
      this.#ended = new Set()
      for (const [stream, endsAt] of this.#all) {
        if (endsAt <= now) stream.end()
        else stream.write(': \n\n')
      }
    }, HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#heartbeat)
    clearTimeout(this.#figuresDue)
    for (const stream of this.#all.keys()) stream.end()
    await this.#listener?.end().catch(() => {})
    await this.#listening
  }

  #setOf(audience: Audience): Set<ServerResponse> {
    if ('operator' in audience) return this.#operators
    if ('campaign' in audience) return this.#visitors
    return setIn(this.#byUser, audience.userId)
  }

  /** Reports invalid messages, which other users of the database may send. */
  async #hear(payload = '{}'): Promise<void> {
    await this.#announce(JSON.parse(payload) as Announcement)
  }

  async #announce(announcement: Announcement): Promise<void> {
    const {
      orders = [],
      users = [],
      campaign: figures,
      settings,
      actions,
      sessions = [],
      renewed = [],
    } = announcement
    for (const id of [...sessions, ...renewed]) {
      this.#ended.add(id)
      for (const stream of this.#bySession.get(id) ?? []) stream.end()
    }
    // Longer than a stream takes to open, shorter than a browser waits before the next one.
    if (renewed.length > 0)
      setTimeout(() => {
        for (const id of renewed) this.#ended.delete(id)
      }, RETRY_MS / 2).unref()
    if (settings) this.#needs.forgetSettings()
    if (orders.length > 0 && (this.#byUser.size > 0 || this.#operators.size > 0)) {
      for (const row of await readOrders(this.#needs.db, orders))
        send(this.#byUser.get(row.user_id), 'order', {
          number: Number(row.id),
          token: row.token,
          status: row.status,
          detail: row.detail,
        })
      send(this.#operators, 'orders', { ids: orders.map(Number) })
    }
    if (actions) send(this.#operators, 'actions', { changed: true })
    for (const userId of users) send(this.#byUser.get(userId), 'holdings', { changed: true })
    if (figures) this.#tellVisitors()
  }

  /** Reads figures at once after a pause; in a rush every `FIGURES_APART_MS`. */
  #tellVisitors(): void {
    const waitMs = Math.max(0, this.#figuresReadAt + FIGURES_APART_MS - performance.now())
    this.#figuresDue ??= setTimeout(() => {
      this.#figuresDue = undefined
      this.#figuresReadAt = performance.now()
      if (this.#visitors.size > 0) this.#sendFigures().catch(this.#needs.onFault)
    }, waitMs)
  }

  async #sendFigures(): Promise<void> {
    const { raised, stage } = await this.#needs.campaign.refresh()
    send(this.#visitors, 'campaign', {
      raised,
      stage: stage && { id: stage.id, progressPercent: stage.progressPercent },
    })
  }

  /** After a connection gap every page refreshes its data and checks its session. */
  #tellAll(): void {
    this.#needs.forgetSettings()
    for (const streams of this.#byUser.values()) send(streams, 'holdings', { changed: true })
    send(this.#operators, 'orders', { ids: [] })
    send(this.#operators, 'actions', { changed: true })
    for (const streams of this.#bySession.values()) for (const stream of streams) stream.end()
    this.#tellVisitors()
  }

  async #listen(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const client = this.#needs.db.client({ application_name: 'presale live', query_timeout: 5_000 })
      try {
        await this.#listenOn(client)
      } catch (error) {
        this.#needs.onFault(error)
      }
      client.end().catch(() => {})
      await delay(RECONNECT_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #listenOn(client: Client): Promise<void> {
    const { onFault } = this.#needs
    const gone = new Promise<void>((resolve) => {
      client.on('error', (error) => {
        onFault(error)
        resolve()
      })
      client.on('end', resolve)
    })
    client.on('notification', ({ payload }) => {
      this.#hear(payload).catch(onFault)
    })
    await client.connect()
    await client.query('listen live')
    if (this.#stopping.signal.aborted) return
    this.#listener = client
    this.#tellAll()
    await gone
  }
}

function setIn(sets: Map<string, Set<ServerResponse>>, key: string): Set<ServerResponse> {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set)
  return set
}

function send(streams: Iterable<ServerResponse> | undefined, event: LiveEventName, data: unknown): void {
  const bytes = Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  for (const stream of streams ?? []) {
    if (stream.writableLength > BUFFERED_MAX) stream.destroy()
    else stream.write(bytes)
  }
}

interface OrderRow {
  id: string
  user_id: string
  token: string
  status: OrderStatus
  detail: OrderDetail
}

function readOrders(db: Database, ids: readonly string[]): Promise<OrderRow[]> {
  return db.query<OrderRow>(
    sql`select o.id, o.user_id, o.token, o.status, o.detail from orders o where o.id = any(${ids}::bigint[])`,
  )
}
