import type { ApprovalRequestKind } from '../../shared/api/approvals.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { Mailer, OrderMail, OrderMailKind } from '../mail/mail.ts'
import type { OwnerNotice } from '../mail/mail-kinds.ts'

// Rules: WALLET-4
export interface OutboxNeeds {
  database: Database
  mailer: Pick<Mailer, 'sendOrderMails'>
  tellOwners(tx: Queryable, notice: OwnerNotice, by: string, operatorId?: string): Promise<void>
  /** A message and its job for each subscribed webhook. */
  tellWebhooks?(tx: Queryable, events: readonly OutboxRow[]): Promise<void>
  /** A job for each browser of a buyer whose order changed state. */
  tellBrowsers?(tx: Queryable, events: readonly OutboxRow[]): Promise<void>
  /** Adds to the messages of interested operators' channels. */
  tellChannels?(tx: Queryable, events: readonly OutboxRow[]): Promise<void>
}

interface OutboxRow {
  id: string
  kind: string
  order_id: string | null
  user_id: string | null
  payload: {
    code?: string
    wallet?: string
    key?: string
    fields?: string[]
    before?: Record<string, string | null>
    after?: Record<string, string | null>
    by?: string
    action?: string
    refund?: string
    operator?: string
    rows?: string
    list?: string
    /** The debt has an address already. */
    named?: boolean
  }
  /** A Date would lose the microseconds. */
  created_at: string
}

export const OUTBOX_BATCH_MAX = 500
/** PostgreSQL limits notifications to 8,000 bytes. */
const NOTIFY_BYTES_MAX = 7_000

const orderMails: ReadonlyMap<string, OrderMailKind> = new Map<string, OrderMailKind>([
  ['order_created', 'order_created'],
  ['order_approved', 'order_approved'],
  ['order_adjusted', 'order_approved'],
  ['order_rejected', 'order_rejected'],
])
/** They change no public figure. */
const silentKinds: ReadonlySet<string> = new Set([
  'order_created',
  'order_changed',
  'analytics_changed',
  'wallet_announced',
  'payment_to_decide',
  'refund_claimed',
  'approval_waiting',
  'approval_decided',
  'people_read',
])

/** Up to 500 rows in one transaction; an interruption leaves them for later. Safe in several processes. */
export function drainOutbox(needs: OutboxNeeds): Promise<number> {
  return needs.database.transaction(async (tx) => {
    const rows =
      await tx.query<OutboxRow>(sql`delete from outbox where id in (select id from outbox order by id limit ${OUTBOX_BATCH_MAX} for update skip locked)
   returning id, kind, order_id, user_id, payload, created_at::text`)
    if (rows.length === 0) return 0
    rows.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    const mails = rows.flatMap(({ kind, order_id: orderId }) => {
      const mail = orderMails.get(kind)
      return orderId !== null && mail ? [{ kind: mail, orderId }] : []
    })
    const changes = rows.filter((row) => row.kind === 'currency_changed')
    for (const row of changes) await tellOwnersOf(needs, tx, row)
    for (const { kind, payload } of rows)
      if (kind === 'wallet_announced') await tellOwnersOfWallet(needs, tx, payload)
    for (const row of rows) if (row.kind.startsWith('approval_')) await tellOwnersOfAction(needs, tx, row)
    for (const row of rows) if (row.kind === 'people_read') await tellOwnersOfReader(needs, tx, row)
    await needs.mailer.sendOrderMails(tx, [
      ...mails,
      ...refundMails(rows),
      ...(await walletMails(tx, changes)),
    ])
    await needs.tellBrowsers?.(tx, rows)
    await needs.tellChannels?.(tx, rows)
    // Locks the event counter until the commit.
    await needs.tellWebhooks?.(tx, rows)
    await tx.query(
      sql`select pg_notify('live', message) from unnest(${announcements(rows)}::text[]) as message`,
    )
    return rows.length
  })
}

async function tellOwnersOf(needs: OutboxNeeds, tx: Queryable, row: OutboxRow): Promise<void> {
  const { code = '', fields = [], before, after, by = 'system' } = row.payload
  for (const [field, what] of [
    ['address', 'wallet_changed'],
    ['rate_source', 'rate_source_changed'],
  ] as const) {
    if (!fields.includes(field)) continue
    const notice = { what, currency: code, before: before?.[field] ?? '', after: after?.[field] ?? '' }
    await needs.tellOwners(tx, notice, by)
  }
}

/** While buyers still see the wallet marked as new: it may be a thief's. */
function tellOwnersOfWallet(
  needs: OutboxNeeds,
  tx: Queryable,
  { wallet = '', key = '' }: OutboxRow['payload'],
) {
  return needs.tellOwners(tx, { what: 'wallet_announced', wallet, key }, 'system')
}

// Rules: TWO-19
/** A request decided before its first mail sends one mail, or none if rejected. */
async function tellOwnersOfAction(needs: OutboxNeeds, tx: Queryable, row: OutboxRow): Promise<void> {
  const state = row.kind === 'approval_waiting' ? 'waiting' : 'confirmed'
  const found = await tx.maybeOne<{
    action: ApprovalRequestKind
    summary: Record<string, string>
    requester: string
    asked: string
    confirmed: string
    due: Date | null
  }>(sql`select p.kind as action, p.summary, p.requested_by as requester, r.login as asked,
                coalesce(d.login, 'system') as confirmed, p.due_at as due
           from approval_requests p join operators r on r.id = p.requested_by left join operators d on d.id = p.decided_by
          where p.id = ${row.payload.action} and p.state = ${state}`)
  if (!found) return
  const { action, summary, requester, asked, confirmed, due } = found
  if (state === 'waiting')
    await needs.tellOwners(
      tx,
      { what: 'approval_waiting', action, summary, dueAt: due?.toISOString() },
      asked,
      requester,
    )
  else
    await needs.tellOwners(tx, { what: 'approval_confirmed', action, summary, asked }, confirmed, requester)
}

/** An operator who reads many people's data can't do so unnoticed. */
async function tellOwnersOfReader(needs: OutboxNeeds, tx: Queryable, { payload }: OutboxRow): Promise<void> {
  const { operator = '', rows = '', list = '' } = payload
  const { login } = await tx.one<{ login: string }>(sql`select login from operators where id = ${operator}`)
  await needs.tellOwners(tx, { what: 'people_read', login, rows, list }, login)
}

/** One for each paid refund; one per order for new debts and for the named address. */
function refundMails(rows: readonly OutboxRow[]): OrderMail[] {
  const due = new Map<string, OrderMail>()
  const claimed = new Map<string, OrderMail>()
  const paid: OrderMail[] = []
  for (const { kind, order_id: orderId, payload } of rows) {
    if (orderId === null || payload.refund === undefined) continue
    const mail = { orderId, refundId: payload.refund }
    // A debt keeps its address of before it was written off.
    if (kind === 'refund_owed' && payload.named) claimed.set(orderId, { kind: 'refund_claimed', ...mail })
    else if (kind === 'refund_owed') due.set(orderId, { kind: 'refund_due', ...mail })
    else if (kind === 'refund_claimed') claimed.set(orderId, { kind, ...mail })
    else if (kind === 'refund_paid') paid.push({ kind: 'refund_paid', ...mail })
  }
  return [...due.values(), ...claimed.values(), ...paid]
}

/** Mails buyers with an open order, once. */
async function walletMails(tx: Queryable, changes: readonly OutboxRow[]) {
  const moved = changes.filter(({ payload }) => payload.fields?.includes('address'))
  const codes = distinct(moved.map(({ payload }) => payload.code ?? null))
  const orders =
    codes.length > 0
      ? await tx.query<{ id: string }>(sql`select o.id from orders o join currencies c on c.id = o.currency_id
   where c.code = any(${codes}) and o.status = 'pending' and (o.held or o.expires_at > clock_timestamp()) order by o.id`)
      : []
  return orders.map(({ id }) => ({ kind: 'wallet_changed' as const, orderId: id }))
}

/** They invalidate cached settings. */
const settingKinds: ReadonlySet<string> = new Set([
  'campaign_changed',
  'currency_changed',
  'analytics_changed',
])

/** For channel `live`: ids only, each below the size limit, campaign flags once. */
export function announcements(rows: readonly Pick<OutboxRow, 'kind' | 'order_id' | 'user_id'>[]): string[] {
  const orders = distinct(rows.map((row) => row.order_id))
  const users = distinct(rows.map((row) => row.user_id))
  const campaign = rows.some((row) => !silentKinds.has(row.kind))
  const settings = rows.some((row) => settingKinds.has(row.kind))
  const actions = rows.some((row) => row.kind.startsWith('approval_'))
  const messages: string[] = []
  let open = { orders: [] as string[], users: [] as string[], campaign, settings, actions, size: 100 }
  const close = () => {
    const { size: _, ...message } = open
    messages.push(JSON.stringify(message))
    open = { orders: [], users: [], campaign: false, settings: false, actions: false, size: 100 }
  }
  for (const [list, ids] of [
    ['orders', orders],
    ['users', users],
  ] as const) {
    for (const id of ids) {
      const size = id.length + 3
      if (open.size + size > NOTIFY_BYTES_MAX) close()
      open[list].push(id)
      open.size += size
    }
  }
  close()
  return messages
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))]
}
