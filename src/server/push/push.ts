import { timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import type { PushDevice, PushKind } from '../../shared/api/push.ts'
import type { pushConfirmation, pushDeviceInput } from '../../shared/api/push-inputs.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { type Language, localPath, pickText } from '../../shared/languages.ts'
import { buyerLifetimes, isLiveSession } from '../credentials/session-lifetimes.ts'
import { type Database, fragment, type Queryable, sql } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { isNews } from '../news.ts'
import type { Outside } from '../outside/outside.ts'
import { refuse } from '../refusal.ts'
import { hashToken, type Secrets } from '../secrets/secrets.ts'
import { firstLine, type OrderTurn, turnLine } from './push-words.ts'
import { type PushMessage, type PushTarget, Sender } from './sender.ts'

export type { PushMessage, PushTarget, Sent } from './sender.ts'

export interface PushNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly limits: Pick<Limits, 'take'>
  readonly publicUrl: string
  readonly outside?: Outside | undefined
  /** Domains, with subdomains. */
  readonly services: readonly string[]
  readonly log: { info(fields: object, message: string): void }
}

interface OutboxLine {
  readonly kind: string
  readonly order_id: string | null
}

interface FirstPush {
  readonly deviceId: string
}
interface OrderPush {
  readonly deviceId: string
  readonly orderId: string
  readonly turn: OrderTurn
}
interface NewsPush {
  readonly deviceId: string
  readonly announcementId: string
}

interface Addressed {
  readonly id: string
  readonly target_encrypted: Buffer
  readonly language: Language
  readonly site: string
}

const DEVICES_MAX = 10
/** By graphile's backoff of e^attempt seconds the last try is about 2 hours after the first. */
const ATTEMPTS = 10
const NEWS_BATCH = 500
const NEWS_BATCHES_MAX = 100
const USER_AGENT_MAX = 300
/** The service worker opens the order itself. */
const ORDERS_PATH = '/dashboard/my-token'
/** Has the notification settings. */
const PROFILE_PATH = '/dashboard/profile'

const turnsByKind: Readonly<Record<string, OrderTurn>> = {
  order_approved: 'approved',
  order_adjusted: 'approved',
  order_rejected: 'rejected',
  refund_owed: 'refund_due',
  refund_paid: 'refund_paid',
}

const shownColumns = fragment`id, encode(mark, 'hex') as mark, user_agent, tells_orders, news_since is not null as tells_news, created_at, last_sent_at, confirmed_at`

// Rules: TEXT-12
/**
 * Web Push. Each message is a job in the transaction of its cause, sent at least once; a repeat has the same
 * tag, so that the browser shows one.
 */
export class Push {
  readonly tasks: Readonly<
    Record<'push_first' | 'push_order' | 'push_news', (payload: unknown) => Promise<void>>
  >
  readonly sender: Sender
  readonly #needs: PushNeeds

  constructor(needs: PushNeeds) {
    this.#needs = needs
    this.sender = new Sender(needs)
    this.tasks = {
      push_first: (payload) => this.#sendFirst(payload as FirstPush),
      push_order: (payload) => this.#sendOrder(payload as OrderPush),
      push_news: (payload) => this.#sendNews(payload as NewsPush),
    }
  }

  /** Newest first. */
  async list(userId: string): Promise<PushDevice[]> {
    const rows = await this.#needs.db.query<DeviceRow>(
      sql`select ${shownColumns} from push_devices where user_id = ${userId} order by id desc`,
    )
    return rows.map(shown)
  }

  /**
   * Until the browser's session ends. It belongs to the buyer who registered it last, so that two users of
   * one browser don't see each other's orders, and counts once a first message is confirmed, so that nobody
   * can target others.
   */
  async keep(
    by: { readonly userId: string; readonly sessionId: string; readonly userAgent: string },
    { tells, ...target }: z.output<typeof pushDeviceInput>,
  ): Promise<PushDevice> {
    const { db, secrets, limits } = this.#needs
    await limits.take('push_account', by.userId)
    const reason = this.sender.reasonAgainst(target)
    if (reason) refuse('push_address_refused', { reason })
    const mark = hashToken(target.endpoint)
    return db.transaction(async (tx) => {
      // A buyer's browsers are added one after another, and none to an account under deletion.
      const user = await tx.one<{ confirmed_at: Date | null }>(
        sql`select confirmed_at from users where id = ${by.userId} for update`,
      )
      if (!user.confirmed_at) refuse('email_unconfirmed')
      const before = await tx.maybeOne<
        Pick<DeviceRow, 'created_at' | 'confirmed_at'> & { news_since: Date | null }
      >(
        sql`delete from push_devices where mark = ${mark} and user_id = ${by.userId}
            returning news_since, created_at, confirmed_at`,
      )
      await tx.query(
        sql`delete from push_devices where user_id = ${by.userId} and confirmed_at is null
               and created_at < now() - interval '1 hour'`,
      )
      await tx.query(sql`delete from push_devices where mark = ${mark}`)
      const { count } = await tx.one<{ count: number }>(
        sql`select count(*)::integer as count from push_devices where user_id = ${by.userId}`,
      )
      if (count >= DEVICES_MAX) refuse('push_devices_full')
      const { id } = await tx.one<{ id: string }>(
        sql`select nextval(pg_get_serial_sequence('push_devices', 'id')) as id`,
      )
      const sealed = secrets.encrypt('push-target', JSON.stringify(target), id)
      const row = await tx.maybeOne<DeviceRow>(
        sql`insert into push_devices (id, user_id, session_id, mark, target_encrypted, user_agent, tells_orders, news_since, created_at, confirmed_at)
            overriding system value
            select ${id}, ${by.userId}, s.id, ${mark}, ${sealed}, ${by.userAgent.slice(0, USER_AGENT_MAX)},
                   ${tells.includes('orders')},
                   case when ${tells.includes('news')} then coalesce(${before?.news_since ?? null}::timestamptz, clock_timestamp()) end,
                   coalesce(${before?.created_at ?? null}::timestamptz, clock_timestamp()), ${before?.confirmed_at ?? null}::timestamptz
              from user_sessions s where s.id = ${by.sessionId} and s.user_id = ${by.userId}
            returning ${shownColumns}`,
      )
      if (row && !row.confirmed_at)
        await tx.query(
          sql`select graphile_worker.add_job('push_first', json_build_object('deviceId', ${id}::text), max_attempts => 3)`,
        )
      return shown(row ?? refuse('session_ended'))
    })
  }

  /** By the first message's content. A repeat changes nothing. */
  async confirm({ id, proof }: z.output<typeof pushConfirmation>): Promise<void> {
    const { db, secrets } = this.#needs
    const isTrue = secrets
      .macs('push-first', id)
      .some((mac) => timingSafeEqual(mac, Buffer.from(proof, 'base64url')))
    if (!isTrue) refuse('not_found')
    await db.query(
      sql`update push_devices set confirmed_at = coalesce(confirmed_at, clock_timestamp()) where id = ${id}`,
    )
  }

  /** Keeps the browser's messages if the same buyer logs in again. */
  async follow(userId: string, oldToken: string, sessionId: string): Promise<void> {
    await this.#needs.db.query(
      sql`update push_devices d set session_id = ${sessionId} from user_sessions s
           where s.token_hash = ${hashToken(oldToken)} and d.session_id = s.id and d.user_id = ${userId}`,
    )
  }

  /** A repeat changes nothing. */
  async remove(userId: string, id: number): Promise<void> {
    await this.#needs.db.query(sql`delete from push_devices where user_id = ${userId} and id = ${id}`)
  }

  /** In the drainer's transaction: a job for each browser whose buyer wants an order's state. */
  async tell(tx: Queryable, lines: readonly OutboxLine[]): Promise<void> {
    const told = lines.flatMap(({ kind, order_id: orderId }) => {
      const turn = turnsByKind[kind]
      return orderId !== null && turn ? [{ orderId, turn }] : []
    })
    if (told.length === 0) return
    await tx.query(
      sql`select count(*) from graphile_worker.add_jobs(array(
            select ('push_order', json_build_object('deviceId', d.id::text, 'orderId', t.order_id::text, 'turn', t.turn),
                    null, null, ${ATTEMPTS}::integer, concat_ws(' ', 'push_order', d.id, t.order_id, t.turn), null, null
                   )::graphile_worker.job_spec
              from (select distinct order_id, turn
                      from unnest(${told.map(({ orderId }) => orderId)}::bigint[], ${told.map(({ turn }) => turn)}::text[])
                           as given(order_id, turn)) t
              join orders o on o.id = t.order_id join push_devices d
                on d.user_id = o.user_id and d.tells_orders and d.confirmed_at is not null))`,
    )
  }

  /** For each announcement since the browser's registration. */
  async tellNews(): Promise<void> {
    for (let batch = 0; batch < NEWS_BATCHES_MAX; batch += 1)
      if ((await this.#tellSomeNews()) < NEWS_BATCH) return
  }

  async #tellSomeNews(): Promise<number> {
    const added = await this.#needs.db.query(
      sql`with due as (
            select a.id as announcement_id, d.id as device_id
              from announcements a join push_devices d on d.news_since <= a.published_at
             where ${isNews} and d.confirmed_at is not null
               and not exists (select from push_news n where n.announcement_id = a.id and n.device_id = d.id)
             order by a.published_at, d.id limit ${NEWS_BATCH} for key share),
          noted as (
            insert into push_news (announcement_id, device_id) select announcement_id, device_id from due
            on conflict do nothing returning announcement_id, device_id)
          select (graphile_worker.add_job('push_news',
                    json_build_object('announcementId', announcement_id::text, 'deviceId', device_id::text),
                    priority => 10, max_attempts => ${ATTEMPTS})).id from noted`,
    )
    return added.length
  }

  async #sendFirst({ deviceId }: FirstPush): Promise<void> {
    const { db, secrets } = this.#needs
    const device = await db.maybeOne<Addressed>(
      sql`select ${addressed} from push_devices d join user_sessions s on s.id = d.session_id and ${isLive} join users u on u.id = d.user_id
           where d.id = ${deviceId} and d.confirmed_at is null`,
    )
    if (!device) return
    await this.#send(device, {
      body: firstLine(device.language),
      path: PROFILE_PATH,
      tag: 'first',
      confirms: { id: deviceId, proof: secrets.mac('push-first', deviceId).toString('base64url') },
    })
  }

  /** A changed order has its own message; a partly bought one says so. */
  async #sendOrder({ deviceId, orderId, turn }: OrderPush): Promise<void> {
    const device = await this.#needs.db.maybeOne<Addressed & { detail: string }>(
      sql`select ${addressed}, o.detail from push_devices d join user_sessions s on s.id = d.session_id and ${isLive} join users u on u.id = d.user_id join orders o on o.user_id = u.id
           where d.id = ${deviceId} and o.id = ${orderId} and d.tells_orders
             and case ${turn}::text
                 when 'refund_due' then exists (select from refunds r where r.order_id = o.id and r.state not in ('paid', 'written_off'))
                 when 'refund_paid' then exists (select from refunds r where r.order_id = o.id and r.state = 'paid')
                 else ${turn} in (o.status, o.detail) end`,
    )
    if (!device) return
    await this.#send(device, {
      body: turnLine(
        turn === 'approved' && device.detail === 'underpaid' ? 'underpaid' : turn,
        orderId,
        device.language,
      ),
      path: ORDERS_PATH,
      order: orderId,
      tag: `order ${orderId} ${turn}`,
    })
  }

  async #sendNews({ deviceId, announcementId }: NewsPush): Promise<void> {
    const row = await this.#needs.db.maybeOne<Addressed & { title: LocalText }>(
      sql`select ${addressed}, a.title from push_devices d join user_sessions s on s.id = d.session_id and ${isLive} join users u on u.id = d.user_id cross join announcements a
           where d.id = ${deviceId} and a.id = ${announcementId} and a.published_at <= now() and d.news_since is not null`,
    )
    if (!row) return
    await this.#send(row, {
      body: pickText(row.title, row.language).text.trim(),
      path: localPath(row.language, `/updates/${announcementId}`),
      tag: `announcement ${announcementId}`,
    })
  }

  async #send(device: Addressed, message: Omit<PushMessage, 'title' | 'lang'>): Promise<void> {
    const { db, secrets, log } = this.#needs
    const { id, language, site } = device
    const target = JSON.parse(secrets.decrypt('push-target', device.target_encrypted, id)) as PushTarget
    const { outcome, error } = await this.sender.send(target, { title: site, lang: language, ...message })
    if (outcome === 'later') throw new Error(`a push service: ${error}`)
    if (outcome === 'gone') await db.query(sql`delete from push_devices where id = ${id}`)
    else if (outcome === 'refused') log.info({ error }, 'a push service refuses a message')
    else await db.query(sql`update push_devices set last_sent_at = clock_timestamp() where id = ${id}`)
  }
}

const isLive = isLiveSession(buyerLifetimes)
const addressed = fragment`d.id, d.target_encrypted, u.language, coalesce((select settings ->> 'name' from campaign), '') as site`

interface DeviceRow {
  readonly id: string
  readonly mark: string
  readonly user_agent: string
  readonly tells_orders: boolean
  readonly tells_news: boolean
  readonly created_at: Date
  readonly last_sent_at: Date | null
  readonly confirmed_at: Date | null
}

function shown(row: DeviceRow): PushDevice {
  const tells: PushKind[] = []
  if (row.tells_orders) tells.push('orders')
  if (row.tells_news) tells.push('news')
  return {
    id: Number(row.id),
    mark: row.mark,
    device: row.user_agent,
    tells,
    isConfirmed: row.confirmed_at !== null,
    addedAt: row.created_at.toISOString(),
    lastSentAt: row.last_sent_at?.toISOString() ?? null,
  }
}
