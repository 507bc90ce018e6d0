import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { LiveEventName } from '../../shared/api/live.ts'
import type { OrderDetail, OrderStatus } from '../../shared/order-states.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { type Database, statement } from '../database/database.ts'

/** What the outbox drainer announces on channel `live`: ids, never rows. */
interface Announcement {
  readonly orders?: readonly string[]
  readonly users?: readonly string[]
  /** A public figure may have moved. */
  readonly campaign?: boolean
  /** Settings, legal texts, prices or currencies changed. */
  readonly settings?: boolean
  readonly actions?: boolean
}

export type Audience = { userId: string } | { operator: true } | { campaign: true }

const CHANGED_ORDERS = statement(
  'live_orders',
  'select id, user_id, token, status, detail from orders where id = any($1::bigint[])',
)
const HEARTBEAT_MS = 20_000
const RECONNECT_MS = 500
const FIGURES_GATHER_MS = 100
/** Then a stream ends and its page asks again: an ended session or a lost right hears no more than this. Spread by a fifth. */
const STREAM_MAX_MS = 15 * 60_000
/** A stream that does not drain is closed; its page reconnects and reads afresh. */
const BUFFERED_MAX = 64 * 1024

export interface Live {
  /** Adds a response, whose headers are sent, to who is told. Leaves when the response closes. */
  join(response: ServerResponse, audiences: readonly Audience[]): void
  start(): void
  stop(): Promise<void>
  readonly streams: number
}

/**
 * Fans out what changed to event streams: one listening connection a process, one write a stream. After a change of
 * settings by any process it calls `forgetSettings`, before anybody is told.
 */
export function createLive(
  db: Database,
  campaign: Campaign,
  forgetSettings: () => void,
  onFault: (error: unknown) => void,
): Live {
  const byUser = new Map<string, Set<ServerResponse>>()
  const operators = new Set<ServerResponse>()
  const visitors = new Set<ServerResponse>()
  /** Every stream with the time at which it ends. */
  const all = new Map<ServerResponse, number>()
  let stopped = false
  let listener: Client | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let figuresDue: NodeJS.Timeout | undefined

  const send = (streams: Iterable<ServerResponse> | undefined, event: LiveEventName, data: unknown) => {
    // Bytes once, not once a stream.
    const text = Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    for (const stream of streams ?? []) {
      if (stream.writableLength > BUFFERED_MAX) stream.destroy()
      else stream.write(text)
    }
  }

  const announce = async ({
    orders = [],
    users = [],
    campaign: figures,
    settings,
    actions,
  }: Announcement) => {
    if (settings) forgetSettings()
    if (orders.length > 0 && (byUser.size > 0 || operators.size > 0)) {
      const rows = await db.query<{
        id: string
        user_id: string
        token: string
        status: OrderStatus
        detail: OrderDetail
      }>(CHANGED_ORDERS, [orders])
      for (const row of rows)
        send(byUser.get(row.user_id), 'order', {
          number: Number(row.id),
          token: row.token,
          status: row.status,
          detail: row.detail,
        })
      send(operators, 'orders', { ids: orders.map(Number) })
    }
    if (actions) send(operators, 'actions', { changed: true })
    for (const userId of users) send(byUser.get(userId), 'holdings', { changed: true })
    if (figures) tellVisitors()
  }

  /** However many orders are approved, the figures are read and told a few times a second. */
  const tellVisitors = () => {
    figuresDue ??= setTimeout(() => {
      figuresDue = undefined
      if (visitors.size > 0) sendFigures().catch(onFault)
    }, FIGURES_GATHER_MS)
  }

  const sendFigures = async () => {
    const { raised, stage } = await campaign.refresh()
    send(visitors, 'campaign', {
      raisedUsd: raised.usd,
      raisedOnChainUsd: raised.onChainUsd,
      raisedByOperatorUsd: raised.byOperatorUsd,
      progressPercent: stage?.progressPercent ?? '0',
    })
  }

  /** After a gap: what changed while nobody listened is read afresh by every page. */
  const tellAll = () => {
    forgetSettings()
    for (const streams of byUser.values()) send(streams, 'holdings', { changed: true })
    send(operators, 'orders', { ids: [] })
    send(operators, 'actions', { changed: true })
    tellVisitors()
  }

  const listen = async () => {
    while (!stopped) {
      const client = new Client({
        connectionString: db.url,
        application_name: 'presale live',
        keepAlive: true,
      })
      try {
        const gone = new Promise<void>((resolve) => {
          client.on('error', (error) => {
            onFault(error)
            resolve()
          })
          client.on('end', resolve)
        })
        client.on('notification', ({ payload }) => {
          announce(JSON.parse(payload ?? '{}') as Announcement).catch(onFault)
        })
        await client.connect()
        await client.query('listen live')
        listener = client
        tellAll()
        await gone
      } catch (error) {
        onFault(error)
      }
      client.end().catch(() => {})
      if (!stopped) await delay(RECONNECT_MS)
    }
  }

  return {
    get streams() {
      return all.size
    },

    join(response, audiences) {
      const sets = audiences.map((audience) => {
        if ('operator' in audience) return operators
        if ('campaign' in audience) return visitors
        const streams = byUser.get(audience.userId) ?? new Set()
        byUser.set(audience.userId, streams)
        return streams
      })
      all.set(response, Date.now() + STREAM_MAX_MS + randomInt(STREAM_MAX_MS / 5))
      for (const set of sets) set.add(response)
      response.on('close', () => {
        all.delete(response)
        for (const set of sets) set.delete(response)
        for (const audience of audiences) {
          if ('userId' in audience && byUser.get(audience.userId)?.size === 0) byUser.delete(audience.userId)
        }
      })
      response.write('retry: 2000\n\n')
    },

    start() {
      void listen()
      heartbeat = setInterval(() => {
        const now = Date.now()
        for (const [stream, endsAt] of all) {
          if (endsAt <= now) stream.end()
          else stream.write(': \n\n')
        }
      }, HEARTBEAT_MS)
      heartbeat.unref()
    },

    async stop() {
      stopped = true
      clearInterval(heartbeat)
      clearTimeout(figuresDue)
      for (const stream of all.keys()) stream.end()
      await listener?.end().catch(() => {})
    },
  }
}
