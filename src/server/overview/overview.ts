import { type ApprovableActionName, actions } from '../../shared/actions.ts'
import type { Attention, Overview } from '../../shared/api/overview.ts'
import type { Name } from '../../shared/languages.ts'
import { plainName } from '../../shared/names.ts'
import { can, type Right, type Role } from '../../shared/roles.ts'
import type { ApprovalRequests } from '../actions/actions.ts'
import { type Campaign, readCampaign } from '../campaign/campaign.ts'
import { isRateStale } from '../currencies/currencies.ts'
import { type Database, fragmentOf, type Queryable, sql } from '../database/database.ts'
import { MAIL_TASKS } from '../mail/mail.ts'
import { viewCondition } from '../orders/orders.ts'
import { DayCounts } from './day-counts.ts'
import { type Range, readRange } from './range.ts'
import { isFromNow, type PaidTo, walletMovesIn } from './wallet-moves.ts'

export interface OverviewNeeds {
  readonly db: Database
  readonly campaign: Pick<Campaign, 'show'>
  readonly pending: Pick<ApprovalRequests, 'waiting'>
  readonly sendsMail: () => Promise<boolean>
  /** A version newer than this program's, if one is known. */
  readonly newerRelease: () => string | null
  /** Other networks lag forever and need no attention. */
  readonly followed: readonly string[]
}

/** A small sale is read anew after a second; a large one spends at most a twentieth of the time on reads. */
const FRESH_MS_MIN = 1_000
const FRESH_MS_MAX = 60_000
const FRESH_PER_READ = 20
const READINGS_MAX = 50
/** Lag in blocks that needs attention; a new or returning chain first catches up. */
const CHAIN_BEHIND_MAX = 20

interface Reading {
  orders: NonNullable<Overview['orders']>
  users: NonNullable<Overview['users']>
  paused: Overview['paused']
  attention: { right: Right | 'any'; item: Attention }[]
  backupDrill: Overview['backupDrill']
  retentionDoneAt: Overview['retentionDoneAt']
  computedAt: string
}

export class OperatorOverview {
  readonly #needs: OverviewNeeds
  readonly #dayCounts = new DayCounts()
  readonly #readings = new SharedReadings<Reading>()
  readonly #ranges = new SharedReadings<Range>()

  constructor(needs: OverviewNeeds) {
    this.#needs = needs
  }

  /** One read serves all roles. */
  async show(role: Role): Promise<Overview> {
    const { orders, users, attention, ...reading } = await this.#readings.get('', () =>
      read(this.#needs, this.#dayCounts),
    )
    return {
      ...reading,
      orders: can(role, 'orders:read') ? orders : null,
      users: can(role, 'users:read') ? users : null,
      attention: attention.filter(({ right }) => right === 'any' || can(role, right)).map(({ item }) => item),
    }
  }

  /** UTC, inclusive; cached like `show`. */
  range(from: string, to: string): Promise<Range> {
    return this.#ranges.get(`${from} ${to}`, () => readRange(this.#needs.db, this.#dayCounts, from, to))
  }
}

/** Equal requests share a read for a second, or 20 times its duration. */
class SharedReadings<Value> {
  readonly #readings = new Map<string, { until: number; value: Promise<Value> }>()

  get(key: string, start: () => Promise<Value>): Promise<Value> {
    const known = this.#readings.get(key)
    if (known && performance.now() < known.until) return known.value
    const startedAt = performance.now()
    const mine = { until: Number.POSITIVE_INFINITY, value: start() }
    this.#readings.set(key, mine)
    const [oldest] = this.#readings.keys()
    if (this.#readings.size > READINGS_MAX && oldest !== undefined) this.#readings.delete(oldest)
    mine.value.then(
      () => {
        const tookMs = performance.now() - startedAt
        mine.until =
          performance.now() + Math.min(FRESH_MS_MAX, Math.max(FRESH_MS_MIN, tookMs * FRESH_PER_READ))
      },
      () => {
        if (this.#readings.get(key) === mine) this.#readings.delete(key)
      },
    )
    return mine.value
  }
}

async function read(
  { db, campaign: reader, pending, sendsMail, newerRelease, followed }: OverviewNeeds,
  dayCounts: DayCounts,
): Promise<Reading> {
  const [orders, attention, campaign] = await Promise.all([
    db.transaction((tx) => readOrders(tx, dayCounts), { isolation: 'repeatable read', readOnly: true }),
    readAttention(db, followed),
    reader.show(),
  ])
  const waiting = await pending.waiting()
  const newer = newerRelease()
  return {
    ...orders,
    backupDrill: await readBackupDrill(db),
    retentionDoneAt: await readRetention(db),
    paused: campaign.pausedAt === null ? null : { at: campaign.pausedAt, reason: campaign.pauseReason },
    attention: [
      ...(campaign.pausedAt === null
        ? []
        : [{ right: 'any' as const, item: about('sale_paused', { since: campaign.pausedAt }) }]),
      ...(newer === null
        ? []
        : [{ right: 'settings:write' as const, item: about('newer_release', { detail: newer }) }]),
      ...((await sendsMail()) ? [] : [{ right: 'settings:write' as const, item: about('mail_unsent', {}) }]),
      ...waiting.map(({ kind, count, since }) => ({
        right: actions[kind].right,
        item: about('second_operator', { subject: kind, count, since }),
      })),
      ...(await waitingWallets(db)),
      ...campaign.stages
        .filter(
          (stage) =>
            ['open', 'paused'].includes(stage.state) &&
            Date.parse(stage.endsAt) - Date.now() < 48 * 3_600_000,
        )
        .map((stage) => ({
          right: 'any' as const,
          item: about('stage_ending', { ...stageNamed(stage.name), since: stage.endsAt }),
        })),
      ...attention,
    ],
    computedAt: new Date().toISOString(),
  }
}

async function readOrders(tx: Queryable, dayCounts: DayCounts): Promise<Pick<Reading, 'orders' | 'users'>> {
  const waiting = await tx.one<{
    waiting: number
    with_payment: number
    oldest: Date | null
    hour: number
    day: number
  }>(sql`select count(*)::integer as waiting,
          (count(*) filter (where created_at > now() - interval '1 hour'))::integer as hour,
          (count(*) filter (where created_at <= now() - interval '1 hour' and created_at > now() - interval '1 day'))::integer as day,
          min(created_at) as oldest,
          (select count(*)::integer from orders o where ${fragmentOf(viewCondition('waiting'))}
              and (o.transaction_id is not null or o.detail <> 'awaiting_payment')) as with_payment
     from orders o where ${fragmentOf(viewCondition('waiting'))}`)
  const received = await tx.query<{
    currency: string
    amount: string
    usd: string
    orders: number
  }>(sql`select currency, sum(amount) as amount, sum(usd) as usd, sum(orders)::integer as orders
     from received_totals group by currency having sum(orders) > 0 order by sum(usd) desc, currency`)
  const days = await readDays(tx, dayCounts)
  const { raised } = await readCampaign(tx)
  return {
    orders: {
      waiting: waiting.waiting,
      waitingWithPayment: waiting.with_payment,
      oldestWaitingAt: waiting.oldest?.toISOString() ?? null,
      waitingAges: {
        hour: waiting.hour,
        day: waiting.day,
        older: waiting.waiting - waiting.hour - waiting.day,
      },
      events: await lastEvents(tx),
      received,
      raisedUsd: raised.usd,
      raisedOnChainUsd: raised.onChainUsd,
      raisedByOperatorUsd: raised.byOperatorUsd,
      days: days.map((day) => ({
        day: day.day,
        orders: day.orders,
        registrations: day.registrations,
        raisedUsd: day.raised,
        raisedOnChainUsd: day.on_chain,
        raisedByOperatorUsd: day.by_operator,
        purchasedTokens: day.purchased,
      })),
    },
    users: await tx.one<{
      total: number
      today: number
    }>(sql`select (select count(*) from users where email_key is not null)::integer as total,
          (select count(*) from users where deleted_at is null
             and created_at >= (now() at time zone 'UTC')::date::timestamp at time zone 'UTC')::integer as today`),
  }
}

/** Newest first. */
async function lastEvents(tx: Queryable): Promise<NonNullable<Overview['orders']>['events']> {
  const rows = await tx.query<{
    order_id: string
    kind: string
    actor: string
    at: Date
    login: string | null
  }>(
    sql`select e.order_id, e.kind, e.actor, e.at, p.login
          from order_events e left join operators p on p.id = e.operator_id order by e.id desc limit 10`,
  )
  return rows.map(({ order_id, kind, actor, at, login }) => ({
    orderId: Number(order_id),
    kind,
    actor: login ? `operator ${login}` : actor,
    at: at.toISOString(),
  }))
}

interface DayRow {
  day: string
  on_chain: string
  by_operator: string
  raised: string
  purchased: string
}

/** 30 days with today. */
async function readDays(tx: Queryable, dayCounts: DayCounts) {
  const days = await tx.query<DayRow>(
    sql`select to_char(d.at, 'YYYY-MM-DD') as day, coalesce(sum(t.raised_on_chain_usd), 0) as on_chain,
               coalesce(sum(t.raised_by_operator_usd), 0) as by_operator,
               coalesce(sum(t.raised_on_chain_usd + t.raised_by_operator_usd), 0) as raised, coalesce(sum(t.purchased_tokens), 0) as purchased
          from generate_series((now() at time zone 'UTC')::date - 29, (now() at time zone 'UTC')::date, interval '1 day') as d(at)
               left join sale_totals t on t.day = d.at::date
         group by d.at order by d.at`,
  )
  const counts = await dayCounts.of(tx, days[0]?.day ?? '', days.at(-1)?.day ?? '')
  return days.map((day) => ({ ...day, orders: 0, registrations: 0, ...counts.get(day.day) }))
}

async function readBackupDrill(db: Database): Promise<Overview['backupDrill']> {
  const drill = await db.maybeOne<{ worked_at: Date; taken_at: Date }>(
    sql`select worked_at, taken_at from backup_drills order by worked_at desc limit 1`,
  )
  if (!drill) return null
  return { workedAt: drill.worked_at.toISOString(), takenAt: drill.taken_at.toISOString() }
}

/** The earliest time since which each table is free of expired data; null: not yet. */
async function readRetention(db: Database): Promise<Overview['retentionDoneAt']> {
  const { done_at } = await db.one<{ done_at: Date | null }>(
    sql`select case when bool_and(done_at is not null) then min(done_at) end as done_at from retention_runs`,
  )
  return done_at?.toISOString() ?? null
}

async function readAttention(db: Database, followed: readonly string[]): Promise<Reading['attention']> {
  const rates = await db.query<{
    code: string
    rate_at: Date
  }>(sql`select k.code, k.rate_at from currencies k
    where k.switched_off_at is null and ${isRateStale} order by k.rate_at limit 50`)
  const jobs = await stuckJobs(db)
  const events = await db.query<{
    since: Date
    count: number
  }>(sql`select min(created_at) as since, count(*)::integer as count from (select created_at from outbox order by id limit 10000) waiting
   having min(created_at) < now() - interval '1 minute'`)
  const payments = await db.one<{
    count: number
    since: Date | null
  }>(sql`select count(*)::integer as count, min(seen_at) as since from payments
    where is_to_decide(payments)`)
  const unsettled = await unsettledOrders(db)
  const refunds = await db.one<{
    count: number
    since: Date | null
    usd: string
    amounts: string | null
  }>(sql`select coalesce(sum(count), 0)::integer as count, min(since) as since, coalesce(sum(usd), 0)::text as usd,
         string_agg(trim_scale(amount)::text || ' ' || currency, ', ' order by usd desc, currency) as amounts
    from (select currency, count(*) as count, min(owed_at) as since, sum(usd) as usd, sum(amount) as amount
            from refunds where state not in ('paid', 'written_off') group by currency) owed`)
  const chains = await db.query<ChainRow>(
    // Failing longer than a minute, many blocks behind, or no longer polled.
    sql`select name, stopped or failing_since < now() - interval '1 minute' as is_failing, coalesce(failing_since, last_error_at) as failing_since,
          last_error, polled_at, greatest(0, node_height - height)::integer as behind
     from chains
    where name = any(${followed}::text[]) and (stopped or failing_since < now() - interval '1 minute' or polled_at < now() - interval '5 minutes'
       or node_height - height > ${CHAIN_BEHIND_MAX}) order by name`,
  )
  const webhooks = await db.query<{
    url: string
    count: number
    since: Date
  }>(sql`select w.url, count(*)::integer as count, min(d.created_at) as since
     from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.created_at > now() - interval '1 day' and (d.state = 'failed' or d.state = 'pending' and d.tries > 1) and w.disabled_at is null
    group by w.url order by w.url`)
  return [
    ...rates.map((row) => ({
      right: 'any' as const,
      item: about('rate_stale', { subject: row.code, since: row.rate_at.toISOString() }),
    })),
    ...jobs,
    ...events.map((row) => ({
      right: 'settings:write' as const,
      item: about('events_waiting', { count: row.count, since: row.since.toISOString() }),
    })),
    ...webhooks.map((row) => ({
      right: 'webhooks:write' as const,
      item: about('webhook_failing', { subject: row.url, count: row.count, since: row.since.toISOString() }),
    })),
    ...waitingMoney('payments_to_decide', payments),
    ...unsettled,
    ...waitingMoney('refunds_due', refunds),
    ...(await reportedComments(db)),
    ...(await waitingGiveaways(db)),
    ...chains.map((row) => ({ right: 'orders:read' as const, item: aboutChain(row) })),
    ...(await unknownBalances(db, followed)),
    ...(await failingDistributors(db)),
    ...(await failingEscrows(db)),
  ]
}

/** Currencies whose payment target changes once a second operator confirms. */
async function waitingWallets(db: Database): Promise<Reading['attention']> {
  const rows = await db.query<{
    kind: ApprovableActionName
    subject: string
    summary: Record<string, string>
    since: Date
  }>(
    sql`select kind, subject_id as subject, summary, requested_at as since from approval_requests
         where state = 'waiting' and expires_at > now() and kind in ('currency.add', 'currency.update', 'currency.evm-wallet', 'currency.wallet')
         order by requested_at, id limit 50`,
  )
  const currencies = await db.query<PaidTo & { code: string }>(
    sql`select code, address, watched from currencies`,
  )
  const now = new Map(currencies.map((currency) => [currency.code, currency]))
  return rows.flatMap(({ kind, subject: asked, summary, since }) =>
    walletMovesIn(asked, summary)
      .filter(({ subject, from }) => isFromNow(kind, from, now.get(subject)))
      .map(({ subject, detail }) => ({
        right: actions[kind].right,
        item: about('wallet_changing', { subject, detail, since: since.toISOString() }),
      })),
  )
}

/** A webhook's retries are shown as a failing webhook instead. */
async function stuckJobs(db: Database): Promise<Reading['attention']> {
  const jobs = await db.query<{ task: string; count: number; since: Date; error: string | null }>(
    // Overdue or failed repeatedly; a lock of hours means a lost process.
    sql`select task_identifier as task, count(*)::integer as count, min(created_at) as since,
          (array_agg(last_error order by updated_at desc) filter (where last_error is not null))[1] as error
     from graphile_worker.jobs
    where attempts > 1 and last_error is not null
       or run_at < now() - interval '5 minutes' and (locked_at is null or locked_at < now() - interval '1 hour')
    group by task_identifier order by task_identifier`,
  )
  return jobs
    .filter((row) => row.task !== 'deliver_webhook')
    .map((row) => ({
      right: 'settings:write' as const,
      item: about((MAIL_TASKS as readonly string[]).includes(row.task) ? 'mail_failing' : 'job_stuck', {
        subject: row.task,
        count: row.count,
        since: row.since.toISOString(),
        detail: row.error?.split('\n')[0]?.slice(0, 300) ?? null,
      }),
    }))
}

/** Due orders whose settlement failed; each is retried. */
async function unsettledOrders(db: Database): Promise<Reading['attention']> {
  const { count, first, error } = await db.one<{ count: number; first: string | null; error: string | null }>(
    sql`select count(*)::integer as count, min(id)::text as first, (array_agg(settle_error order by id))[1] as error
          from orders where settle_at is not null and settle_error is not null`,
  )
  if (count === 0) return []
  const item = about('settlement_failing', { subject: first, count, detail: error?.slice(0, 300) ?? null })
  return [{ right: 'orders:read', item }]
}

/** Also while comments are off: a report waits for a decision. */
async function reportedComments(db: Database): Promise<Reading['attention']> {
  const { count, since } = await db.one<{ count: number; since: Date | null }>(
    sql`select count(distinct r.comment_id)::integer as count, min(r.created_at) as since
          from comment_reports r join comments c on c.id = r.comment_id
         where r.settled_at is null and c.hidden_at is null`,
  )
  if (count === 0) return []
  const item = about('comments_reported', { count, since: since?.toISOString() ?? null })
  return [{ right: 'content:write', item }]
}

/** Giveaways not drawn in time, or with prizes to hand over. */
async function waitingGiveaways(db: Database): Promise<Reading['attention']> {
  const undrawn = await db.query<{ id: string; draw_at: Date }>(
    sql`select g.id::text, g.draw_at from giveaways g join giveaway_lists l on l.giveaway_id = g.id
          left join giveaway_draws d on d.giveaway_id = g.id
         where d.giveaway_id is null and g.draw_at < now() - interval '1 hour' order by g.id`,
  )
  const prizes = await db.one<{ count: number; due: Date | null }>(
    sql`select count(*)::integer as count,
               min(w.confirmed_at + (g.rules ->> 'handOverDays')::integer * interval '24 hours') as due
          from giveaway_winners w join giveaways g on g.id = w.giveaway_id
         where w.confirmed_at is not null and w.handed_at is null`,
  )
  const items = undrawn.map(({ id, draw_at }) =>
    about('giveaway_undrawn', { subject: id, since: draw_at.toISOString() }),
  )
  if (prizes.count > 0)
    items.push(
      about('prizes_to_hand_over', { count: prizes.count, since: prizes.due?.toISOString() ?? null }),
    )
  return items.map((item) => ({ right: 'content:write' as const, item }))
}

/** Live rounds whose distributor does not cover its list, or can't be polled. */
async function failingDistributors(db: Database): Promise<Reading['attention']> {
  const rows = await db.query<{ round: number; fault: string | null; since: Date }>(
    sql`select round, fault, case when fault is null then failing_since else looked_at end as since from delivery_looks
         where fault is not null or failing_since < now() - interval '5 minutes' order by round`,
  )
  return rows.map(({ round, fault, since }) => ({
    right: 'delivery:write' as const,
    item: about('distributor_failing', { subject: String(round), detail: fault, since: since.toISOString() }),
  }))
}

// Rules: DELIVER-12
/** Active escrows that differ from the ledger, or can't be polled. */
async function failingEscrows(db: Database): Promise<Reading['attention']> {
  const rows = await db.query<{ stage: Name; fault: string | null; since: Date }>(
    sql`select coalesce(s.names, to_jsonb(s.name)) as stage, l.fault, case when l.fault is null then l.failing_since else l.looked_at end as since
          from escrow_looks l join escrows e on e.id = l.escrow_id join stages s on s.id = e.stage_id
         where l.fault is not null or l.failing_since < now() - interval '5 minutes' order by e.id`,
  )
  return rows.map(({ stage, fault, since }) => ({
    right: 'delivery:write' as const,
    item: about('escrow_failing', { ...stageNamed(stage), detail: fault, since: since.toISOString() }),
  }))
}

interface ChainRow {
  name: string
  is_failing: boolean | null
  failing_since: Date | null
  last_error: string | null
  polled_at: Date | null
  behind: number | null
}

// Rules: SETTLE-2
/**
 * The node no longer has these addresses' balance at assignment, so coins from contracts there stay unseen.
 */
async function unknownBalances(db: Database, followed: readonly string[]): Promise<Reading['attention']> {
  const rows = await db.query<{ name: string; count: number; since: Date; orders: string | null }>(
    sql`select c.name, count(*)::integer as count, min(a.reserved_at) as since,
               (array_to_string((array_agg('#' || o.id order by o.id) filter (where o.id is not null))[:5], ', ')) as orders
          from wallet_addresses a join currencies k on k.id = a.currency_id join chains c on c.name = k.network
               left join orders o on o.address = a.address
         where c.name = any(${followed}::text[]) and c.family = 'evm' and coalesce(k.token_contract, '') = ''
           and a.base_balance is null and a.escrow_id is null and a.reserved_at < c.polled_at - interval '10 minutes'
         group by c.name order by c.name`,
  )
  return rows.map(({ name, count, since, orders }) => ({
    right: 'orders:read' as const,
    item: about('balances_unknown', { subject: name, count, since: since.toISOString(), detail: orders }),
  }))
}

function aboutChain(row: ChainRow): Attention {
  if (row.is_failing)
    return about('chain_failing', {
      subject: row.name,
      since: row.failing_since?.toISOString() ?? null,
      detail: row.last_error?.split('\n')[0]?.slice(0, 300) ?? null,
    })
  const since = row.polled_at?.toISOString() ?? null
  const count = row.behind !== null && row.behind > CHAIN_BEHIND_MAX ? row.behind : null
  return about('chain_lagging', { subject: row.name, count, since })
}

interface Money {
  count: number
  since: Date | null
  usd?: string | null
  amounts?: string | null
}

function waitingMoney(
  kind: 'payments_to_decide' | 'refunds_due',
  { count, since, usd = null, amounts = null }: Money,
) {
  if (count === 0) return []
  const item = about(kind, { subject: amounts, count, since: since?.toISOString() ?? null, detail: usd })
  return [{ right: 'orders:read' as const, item }]
}

const stageNamed = (name: Name) => ({ subject: plainName(name), name })

function about(kind: Attention['kind'], facts: Partial<Omit<Attention, 'kind'>>): Attention {
  return { kind, subject: null, name: null, count: null, since: null, detail: null, ...facts }
}
