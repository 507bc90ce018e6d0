import { composed, type Database, isPassingFault, type Queryable, sql } from '../database/database.ts'

// Rules: HOLD-3, HOLD-8, LEDGER-1, REFUND-10, SETTLE-1
/** The query returns rows that break the rule; no rows prove it. */
export interface LedgerRule {
  readonly name: string
  readonly says: string
  /** Frequent jobs maintain it; may fail while they don't run. */
  readonly byJobs?: true
  readonly sql: string
  /** For what SQL can't filter; default: all rows break the rule. */
  readonly breaks?: (row: never) => boolean
}

/** Broken, or could not be checked. */
export interface BrokenRule {
  readonly rule: LedgerRule
  readonly rows: Record<string, unknown>[]
  readonly fault?: string
}

/** Called for each rule, because checking a million orders takes long. */
export interface CheckProgress {
  readonly begins?: (rule: LedgerRule, place: number) => void
  /** Without rows and fault the rule holds. */
  readonly ends?: (asked: BrokenRule) => void
}

const ROWS_MAX = 100

export const ledgerRules: readonly LedgerRule[] = [
  {
    name: 'entries_sum_to_zero',
    says: 'The sum of all entries per asset is 0.',
    sql: 'select asset, sum(amount) as sum from entries group by asset having sum(amount) <> 0',
  },
  {
    name: 'postings_balance',
    says: 'The entries of each posting sum to 0 in each asset.',
    sql: 'select posting_id, asset, sum(amount) as sum from entries group by posting_id, asset having sum(amount) <> 0',
  },
  {
    name: 'postings_have_entries',
    says: 'No posting is empty.',
    sql: 'select p.id from postings p where not exists (select 1 from entries e where e.posting_id = p.id)',
  },
  {
    name: 'approved_orders_are_credited_once',
    says: 'An approved order has one more approval than reversals in the ledger, any other as many.',
    sql: `select o.id, o.status, count(p.id) filter (where p.kind = 'order_approved') as approved, count(p.id) filter (where p.kind = 'order_reversed') as reversed
            from orders o left join postings p on p.order_id = o.id and p.kind in ('order_approved', 'order_reversed')
           group by o.id
          having count(p.id) filter (where p.kind = 'order_approved') - count(p.id) filter (where p.kind = 'order_reversed')
                 <> case when o.status = 'approved' then 1 else 0 end
              or count(p.id) filter (where p.kind = 'order_approved') <> o.approvals`,
  },
  {
    name: 'credits_match_orders',
    says: 'What the ledger holds of an order is its base, its bonus and its dollars while approved, else 0.',
    sql: `select o.id, o.status, sum(e.amount) filter (where e.account = 'buyer_purchased') as purchased,
                 sum(e.amount) filter (where e.account = 'buyer_bonus') as bonus, sum(e.amount) filter (where e.account in ('raised_on_chain', 'raised_by_operator')) as raised
            from orders o join postings p on p.order_id = o.id and p.kind in ('order_approved', 'order_reversed')
            join entries e on e.posting_id = p.id and e.account in ('buyer_purchased', 'buyer_bonus', 'raised_on_chain', 'raised_by_operator')
           group by o.id
          having sum(e.amount) filter (where e.account = 'buyer_purchased') <> case when o.status = 'approved' then o.base_tokens else 0 end
              or sum(e.amount) filter (where e.account = 'buyer_bonus') <> case when o.status = 'approved' then o.bonus_tokens else 0 end
              or sum(e.amount) filter (where e.account in ('raised_on_chain', 'raised_by_operator')) <> case when o.status = 'approved' then o.usd else 0 end`,
  },
  {
    name: 'entries_belong_to_their_orders',
    says: "An order's postings and entries are its buyer's, what stands of them is in its stage, and what was taken back is taken back in its own stage.",
    sql: `select p.order_id, p.id as posting_id, e.stage_id,
                 case when p.user_id is distinct from o.user_id or e.user_id <> o.user_id then 'of another buyer' else 'in another stage' end as fault
            from postings p join orders o on o.id = p.order_id join entries e on e.posting_id = p.id
           where p.user_id is distinct from o.user_id or e.user_id <> o.user_id
              or (p.kind in ('order_approved', 'order_reversed') and o.status = 'approved' and p.approval = o.approvals
                  and e.stage_id is distinct from o.stage_id)
          union all
          select p.order_id, min(p.id), e.stage_id, 'in another stage'
            from postings p join orders o on o.id = p.order_id join entries e on e.posting_id = p.id
           where p.kind in ('order_approved', 'order_reversed') and not (o.status = 'approved' and p.approval = o.approvals)
           group by p.order_id, p.approval, e.account, e.stage_id
          having sum(e.amount) <> 0`,
  },
  {
    name: 'unsettled_orders_are_as_asked',
    says: 'An order has the amounts that its buyer asked for until it is settled at others.',
    sql: `select id as order_id, status, approvals, asked::text from orders
           where asked is not null and (status = 'pending' or approvals = 0 or (approved_via = 'operator' and approvals = 1))`,
  },
  {
    name: 'amounts_follow_from_each_other',
    says: 'Dollars are base × price to the cent, and the bonus is base × its per cent to a millionth, of each order, as asked and as settled.',
    sql: `select kind, id, base_tokens, bonus_tokens, bonus_percent, usd, price_usd
            from (select 'order' as kind, id::text as id, base_tokens, bonus_tokens, bonus_percent, usd, price_usd from orders
                  union all select 'asked', id::text, (asked).base_tokens, (asked).bonus_tokens, (asked).bonus_percent, (asked).usd, price_usd from orders where asked is not null) amounts
           where usd <> round(base_tokens * price_usd, 2) or bonus_tokens <> round(base_tokens * bonus_percent / 100, 6)`,
  },
  {
    name: 'room_is_wanted',
    says: 'An order has room that it has not bought with only while a payment of it in a block is not counted, or what was signed of it may still be paid into an escrow, or it could not be settled.',
    sql: `select o.id as order_id, o.status, o.detail, o.room_usd, o.room_base, o.room_bonus from orders o
           where o.held and o.settle_error is null and not may_be_paid_in_escrow(o.id)
             and not exists (select from payments p where p.order_id = o.id and p.alive and p.block_height is not null and not p.confirmed)`,
  },
  {
    name: 'holdings_fold_the_entries',
    says: 'Each buyer’s holdings are the sum of that buyer’s entries, and none is negative.',
    sql: `with fold as (
            select user_id, coalesce(sum(amount) filter (where account = 'buyer_purchased'), 0) as purchased,
                   coalesce(sum(amount) filter (where account = 'buyer_bonus'), 0) as bonus,
                   coalesce(sum(amount) filter (where account = 'buyer_granted'), 0) as granted,
                   coalesce(-sum(amount) filter (where account = 'buyer_deposits'), 0) as deposits
              from entries where user_id is not null group by user_id)
          select coalesce(f.user_id, h.user_id) as user_id, f.purchased, h.purchased_tokens, f.bonus, h.bonus_tokens, f.granted, h.granted_tokens, f.deposits, h.deposits_usd
            from fold f full join holdings h on h.user_id = f.user_id
           where coalesce(f.purchased, 0) <> coalesce(h.purchased_tokens, 0) or coalesce(f.bonus, 0) <> coalesce(h.bonus_tokens, 0)
              or coalesce(f.granted, 0) <> coalesce(h.granted_tokens, 0) or coalesce(f.deposits, 0) <> coalesce(h.deposits_usd, 0)`,
  },
  {
    name: 'totals_fold_the_entries',
    says: 'The public totals of each stage are the sum of its entries.',
    sql: `with fold as (
            select stage_id, coalesce(sum(amount) filter (where account = 'raised_on_chain'), 0) as on_chain,
                   coalesce(sum(amount) filter (where account = 'raised_by_operator'), 0) as by_operator,
                   coalesce(sum(amount) filter (where account = 'buyer_purchased'), 0) as purchased,
                   coalesce(sum(amount) filter (where account = 'buyer_bonus'), 0) as bonus
              from entries where stage_id is not null group by stage_id),
          totals as (
            select stage_id, sum(raised_on_chain_usd) as on_chain, sum(raised_by_operator_usd) as by_operator, sum(purchased_tokens) as purchased,
                   sum(bonus_tokens) as bonus, sum(orders_on_chain + orders_by_operator) as orders from sale_totals group by stage_id)
          select s.id as stage_id, f.on_chain, t.on_chain as shown_on_chain, f.by_operator, t.by_operator as shown_by_operator, t.orders
            from stages s left join fold f on f.stage_id = s.id left join totals t on t.stage_id = s.id
           where coalesce(f.on_chain, 0) <> coalesce(t.on_chain, 0) or coalesce(f.by_operator, 0) <> coalesce(t.by_operator, 0)
              or coalesce(f.purchased, 0) <> coalesce(t.purchased, 0) or coalesce(f.bonus, 0) <> coalesce(t.bonus, 0)
              or coalesce(t.orders, 0) <> (select count(*) from orders o where o.stage_id = s.id and o.status = 'approved')`,
  },
  {
    name: 'totals_fold_the_entries_by_day_and_way',
    says: 'The public totals of each day are what was posted on it (UTC), by the way of the approval.',
    sql: `with posted as (
            select e.stage_id, (p.posted_at at time zone 'UTC')::date as day,
                   coalesce(sum(e.amount) filter (where e.account = 'raised_on_chain'), 0) as on_chain,
                   coalesce(sum(e.amount) filter (where e.account = 'raised_by_operator'), 0) as by_operator,
                   coalesce(sum(e.amount) filter (where e.account = 'buyer_purchased'), 0) as purchased,
                   coalesce(sum(e.amount) filter (where e.account = 'buyer_bonus'), 0) as bonus,
                   coalesce(sum(case p.kind when 'order_approved' then 1 else -1 end) filter (where e.account = 'raised_on_chain'), 0) as orders_on_chain,
                   coalesce(sum(case p.kind when 'order_approved' then 1 else -1 end) filter (where e.account = 'raised_by_operator'), 0) as orders_by_operator
              from postings p join entries e on e.posting_id = p.id
             where p.kind in ('order_approved', 'order_reversed') group by 1, 2),
          shown as (
            select stage_id, day, sum(raised_on_chain_usd) as on_chain, sum(raised_by_operator_usd) as by_operator, sum(purchased_tokens) as purchased,
                   sum(bonus_tokens) as bonus, sum(orders_on_chain) as orders_on_chain, sum(orders_by_operator) as orders_by_operator
              from sale_totals group by stage_id, day)
          select coalesce(p.stage_id, s.stage_id) as stage_id, coalesce(p.day, s.day)::text as day, p.on_chain, s.on_chain as shown_on_chain,
                 p.by_operator, s.by_operator as shown_by_operator
            from posted p full join shown s on s.stage_id = p.stage_id and s.day = p.day
           where (coalesce(p.on_chain, 0), coalesce(p.by_operator, 0), coalesce(p.purchased, 0), coalesce(p.bonus, 0), coalesce(p.orders_on_chain, 0), coalesce(p.orders_by_operator, 0))
              <> (coalesce(s.on_chain, 0), coalesce(s.by_operator, 0), coalesce(s.purchased, 0), coalesce(s.bonus, 0), coalesce(s.orders_on_chain, 0), coalesce(s.orders_by_operator, 0))`,
  },
  {
    name: 'raised_is_the_sum_of_approved_orders',
    says: 'Raised is the sum of the dollars of approved orders, by how they were approved.',
    sql: `select s.id as stage_id, coalesce(o.usd, 0) as orders_usd, coalesce(t.usd, 0) as shown_usd
            from stages s
            left join (select stage_id, sum(usd) as usd, sum(usd) filter (where approved_via = 'chain') as on_chain from orders where status = 'approved' group by stage_id) o on o.stage_id = s.id
            left join (select stage_id, sum(raised_on_chain_usd + raised_by_operator_usd) as usd, sum(raised_on_chain_usd) as on_chain from sale_totals group by stage_id) t on t.stage_id = s.id
           where coalesce(o.usd, 0) <> coalesce(t.usd, 0) or coalesce(o.on_chain, 0) <> coalesce(t.on_chain, 0)`,
  },
  {
    name: 'received_is_the_sum_of_approved_orders',
    says: 'What was received in each currency is the sum of its approved orders, by the day on which they were made.',
    sql: `select coalesce(o.currency, t.currency) as currency, coalesce(o.day, t.day) as day, o.amount, t.amount as shown_amount,
                 o.usd, t.usd as shown_usd, o.orders, t.orders as shown_orders
            from (select currency, (created_at at time zone 'UTC')::date as day, sum(crypto_amount) as amount, sum(usd) as usd, count(*) as orders
                    from orders where status = 'approved' group by 1, 2) o
            full join (select currency, day, sum(amount) as amount, sum(usd) as usd, sum(orders) as orders
                         from received_totals group by 1, 2) t on t.currency = o.currency and t.day = o.day
           where (coalesce(o.amount, 0), coalesce(o.usd, 0), coalesce(o.orders, 0)) <> (coalesce(t.amount, 0), coalesce(t.usd, 0), coalesce(t.orders, 0))`,
  },
  {
    name: 'goals_are_kept',
    says: 'For each stage: pool + what orders bought and have room for = goal, to the cent.',
    sql: `select s.id as stage_id, s.goal_usd, c.pool_usd, o.taken from stages s
            join stage_capacity c on c.stage_id = s.id
            left join (select stage_id, sum(room_usd + case status when 'approved' then usd else 0 end) as taken from orders where held or status = 'approved' group by stage_id) o on o.stage_id = s.id
           where s.goal_usd <> c.pool_usd + coalesce(o.taken, 0)`,
  },
  {
    name: 'caps_are_kept',
    says: 'Pool + what orders bought and have room for (+ grants) = hard cap, sold share and bonus share.',
    sql: `with limits as (
            select (settings ->> 'hardCapUsd')::numeric as usd,
                   round((settings ->> 'totalSupply')::numeric * (select (s ->> 'percent')::numeric from jsonb_array_elements(settings -> 'shares') s where s ->> 'key' = settings ->> 'soldShare') / 100, 6) as sale,
                   round((settings ->> 'totalSupply')::numeric * (select (s ->> 'percent')::numeric from jsonb_array_elements(settings -> 'shares') s where s ->> 'key' = settings ->> 'bonusShare') / 100, 6) as bonus
              from campaign),
          taken as (select coalesce(sum(room_usd + usd * n), 0) as usd, coalesce(sum(room_base + base_tokens * n), 0) as sale, coalesce(sum(room_bonus + bonus_tokens * n), 0) as bonus
                      from orders, lateral (select (status = 'approved')::integer as n) bought where held or status = 'approved')
          select 'campaign_capacity' as place, l.usd as cap_usd, c.pool_usd + t.usd as kept_usd, l.sale as cap_sale, c.pool_sale_tokens + t.sale as kept_sale,
                 l.bonus as cap_bonus, c.pool_bonus_tokens + t.bonus + c.granted_tokens as kept_bonus
            from limits l, campaign_capacity c, taken t
           where l.usd <> c.pool_usd + t.usd or l.sale <> c.pool_sale_tokens + t.sale
              or l.bonus <> c.pool_bonus_tokens + t.bonus + c.granted_tokens`,
  },
  {
    name: 'soft_cap_verdict_follows_the_ledger',
    says: 'A verdict about the soft cap is of a sale that pays back below it and in which somebody ordered, comes 24 hours after its end at the earliest, and says what the postings that it counted raised.',
    sql: `select v.* from (
            select c.soft_cap_verdict as verdict, c.soft_cap_decided_at as decided_at, c.settings ->> 'softCapPolicy' as policy,
                   c.settings ->> 'softCapUsd' as soft_cap_usd, c.soft_cap_raised_usd as said_usd, c.soft_cap_raised_on_chain_usd as said_on_chain_usd,
                   (select max(ends_at) from stages) as ended_at, exists (select from orders) as has_orders, raised.*
              from campaign c cross join lateral (
                select coalesce(sum(e.amount), 0) as usd, coalesce(sum(e.amount) filter (where e.account = 'raised_on_chain'), 0) as on_chain_usd
                  from entries e where e.account in ('raised_on_chain', 'raised_by_operator') and e.posting_id <= c.soft_cap_posting_id) raised
             where c.soft_cap_verdict is not null) v
           where policy <> 'refund' or not has_orders or coalesce(decided_at < ended_at + interval '24 hours', true)
              or said_usd <> usd or said_on_chain_usd <> on_chain_usd or (verdict = 'reached') <> (usd >= soft_cap_usd::numeric)`,
  },
  {
    name: 'soft_cap_is_decided_and_kept',
    byJobs: true,
    says: 'There is a verdict about the soft cap 5 minutes after nothing is waited for; an hour after the cap was missed no order is approved.',
    sql: `select null as order_id, w.latest_at, 'not decided' as fault from soft_cap_waits_for(clock_timestamp() - interval '5 minutes') w
           where w.is_over and exists (select from orders)
          union all
          select o.id, c.soft_cap_decided_at, 'kept' from orders o, campaign c
           where c.soft_cap_verdict = 'missed' and c.soft_cap_decided_at < clock_timestamp() - interval '1 hour'
             and o.status = 'approved'`,
  },
  {
    name: 'grants_are_counted',
    says: 'Granted tokens as counted are the sum of grants less their reversals.',
    sql: `select 'campaign_capacity' as place, c.granted_tokens, coalesce(sum(e.amount), 0) as posted from campaign_capacity c left join entries e on e.account = 'buyer_granted'
           group by c.granted_tokens having c.granted_tokens <> coalesce(sum(e.amount), 0)`,
  },
]

/** With ten million orders the slowest rule takes minutes. */
const RULE_MS_MAX = 30 * 60_000

/** See `checkLedger`. */
export function checkInSnapshot(
  db: Database,
  rules: readonly LedgerRule[],
  told: CheckProgress = {},
): Promise<BrokenRule[]> {
  return db.transaction(
    async (tx) => {
      await tx.query(inMemory)
      return checkLedger(tx, rules, told)
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

/**
 * Beside running orders: at most one core, a separate connection, no time limit. `signal` aborts, for example
 * when the server stops.
 */
export function checkAside(
  db: Database,
  rules: readonly LedgerRule[],
  signal?: AbortSignal,
): Promise<BrokenRule[]> {
  return db.readLong(
    async (tx) => {
      await tx.query(inMemory)
      await tx.query(sql`select set_config('max_parallel_workers_per_gather', '0', true)`)
      return checkLedger(tx, rules)
    },
    { applicationName: 'presale ledger check', statementMsMax: RULE_MS_MAX, signal },
  )
}

/** Large sums and joins need no temporary files. */
const inMemory = sql`select set_config('work_mem', '64MB', true)`

/** Returns broken rules with up to 100 rows each, and rules that could not be checked. */
export async function checkLedger(
  tx: Queryable,
  rules: readonly LedgerRule[],
  told: CheckProgress = {},
): Promise<BrokenRule[]> {
  const broken: BrokenRule[] = []
  for (const [place, rule] of rules.entries()) {
    told.begins?.(rule, place + 1)
    const asked = await askApart(tx, rule)
    told.ends?.(asked)
    if (asked.rows.length > 0 || asked.fault !== undefined) broken.push(asked)
  }
  return broken
}

// Rules: LOG-25
/** An error ends neither the transaction nor later rules. */
async function askApart(tx: Queryable, rule: LedgerRule): Promise<BrokenRule> {
  await tx.query(sql`savepoint before_rule`)
  try {
    const rows = await readBroken(tx, rule)
    await tx.query(sql`release savepoint before_rule`)
    return { rule, rows }
  } catch (error) {
    // Says nothing about the rule; the whole check is repeated or fails.
    if (isPassingFault(error)) throw error
    await tx.query(sql`rollback to savepoint before_rule`)
    return { rule, rows: [], fault: error instanceof Error ? error.message : String(error) }
  }
}

async function readBroken(
  queryable: Queryable,
  { sql: text, breaks }: LedgerRule,
): Promise<Record<string, unknown>[]> {
  if (!breaks) return queryable.query(composed(`select * from (${text}) broken limit ${ROWS_MAX}`, []))
  const rows = await queryable.query<never>(composed(text, []))
  return rows.filter(breaks).slice(0, ROWS_MAX)
}
