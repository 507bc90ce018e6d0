import type { ApprovalRequestKind } from '../../shared/api/approvals.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { Mailer, OrderMail, OrderMailKind } from '../mail/mail.ts'
import type { OwnerNotice } from '../mail/mail-kinds.ts'

// Rules: WALLET-4
export interface OutboxNeeds {
  database: Database
  mailer: Pick<Mailer, 'sendOrderMails'>
  tellOwners(tx: Queryable, notice: OwnerNotice, by: string, operatorId?: string): Promise<void>
  /** Keeps a message, and the job that sends it, for every webhook that is told of such a line. */
  tellWebhooks?(tx: Queryable, events: readonly OutboxRow[]): Promise<void>
  /** Adds a job for every browser of a buyer that is told what their order has come to. */
  tellBrowsers?(tx: Queryable, events: readonly OutboxRow[]): Promise<void>
  /** Adds what happened to the message of every operator's channel that wants it. */
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
    /** Whether an address stands for it already. */
    named?: boolean
  }
  /** As text: a Date would lose the microseconds. */
  created_at: string
}

export const OUTBOX_BATCH_MAX = 500
/** PostgreSQL takes notifications of less than 8,000 bytes. */
const NOTIFY_BYTES_MAX = 7_000

const orderMails: ReadonlyMap<string, OrderMailKind> = new Map<string, OrderMailKind>([
  ['order_created', 'order_created'],
  ['order_approved', 'order_approved'],
  ['order_adjusted', 'order_approved'],
  ['order_rejected', 'order_rejected'],
])
/** Kinds that move no public figure. */
const silentKinds: ReadonlySet<string> = new Set([
  'order_changed',
  'analytics_changed',
  'wallet_announced',
  'payment_to_decide',
  'refund_claimed',
  'approval_waiting',
  'approval_decided',
  'people_read',
])

/**
 * Turns up to 500 rows of the outbox into mail jobs and one live notification, and deletes them, in one transaction:
 * whoever is interrupted leaves the rows to the next. Any number of processes may drain at once. Returns how many.
 */
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
    // Holds the counter of events until the end of the transaction.
    await needs.tellWebhooks?.(tx, rows)
    await tx.query(
      sql`select pg_notify('live', message) from unnest(${announcements(rows)}::text[]) as message`,
    )
    return rows.length
  })
}

/** Owners hear of every wallet and every rate source. */
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

/** Where a thief's wallet comes to stand, owners read of it while buyers still see it marked as new. */
function tellOwnersOfWallet(
  needs: OutboxNeeds,
  tx: Queryable,
  { wallet = '', key = '' }: OutboxRow['payload'],
) {
  return needs.tellOwners(tx, { what: 'wallet_announced', wallet, key }, 'system')
}

// Rules: TWO-19
/**
 * Owners and the requester hear of what waits, and of what was confirmed. What was decided before its first mail could go out is told
 * once, and a refusal, which changed nothing, is not.
 */
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

/** Owners hear of who reads many people, so that a list that leaves in secret does not. */
async function tellOwnersOfReader(needs: OutboxNeeds, tx: Queryable, { payload }: OutboxRow): Promise<void> {
  const { operator = '', rows = '', list = '' } = payload
  const { login } = await tx.one<{ login: string }>(sql`select login from operators where id = ${operator}`)
  await needs.tellOwners(tx, { what: 'people_read', login, rows, list }, login)
}

/** A refund that was paid, each; what became owed of an order and the address named for it, once for all its payments. */
function refundMails(rows: readonly OutboxRow[]): OrderMail[] {
  const due = new Map<string, OrderMail>()
  const claimed = new Map<string, OrderMail>()
  const paid: OrderMail[] = []
  for (const { kind, order_id: orderId, payload } of rows) {
    if (orderId === null || payload.refund === undefined) continue
    const mail = { orderId, refundId: payload.refund }
    // An address that was named before it was written off is named still.
    if (kind === 'refund_owed' && payload.named) claimed.set(orderId, { kind: 'refund_claimed', ...mail })
    else if (kind === 'refund_owed') due.set(orderId, { kind: 'refund_due', ...mail })
    else if (kind === 'refund_claimed') claimed.set(orderId, { kind, ...mail })
    else if (kind === 'refund_paid') paid.push({ kind: 'refund_paid', ...mail })
  }
  return [...due.values(), ...claimed.values(), ...paid]
}

/** Buyers with an open order hear once that the wallet of its currency has changed. */
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

/** Kinds after which what a process keeps of the settings is no longer in force. */
const settingKinds: ReadonlySet<string> = new Set([
  'campaign_changed',
  'currency_changed',
  'analytics_changed',
])

/** What the listeners of channel `live` read: ids only, each message below the limit, the campaign's marks once. */
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
