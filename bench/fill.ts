import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { addressAt } from '../src/server/payments/account-keys.ts'
import { Secrets, sealPerson } from '../src/server/secrets/secrets.ts'
import { ABANDON, accountOf } from '../test/chains/account-keys.ts'
import type { Range } from './bulk.ts'
import { SECRET_KEY } from './stage.ts'

const ORDER = { tokens: '40', bonus: '2', percent: '5', usd: '180.00', price: '4.50' }

/** A token as in the SQL below: 256 unguessable bits. */
export function tokenOf(buyer: number): string {
  return `us_${createHash('sha256').update(`buyer ${buyer}`).digest('base64url')}`
}

/** Ten million orders must leave more than half: a nearly sold-out stage would be another measurement. */
const GOAL_USD = '19000000000'
const HARD_CAP_USD = '20000000000'
const SET_CAPACITY = `select set_capacity(${HARD_CAP_USD}, 450000000, 100000000)`

/** Raises goal and caps, which stay enforced. */
export async function raiseGoal(client: Client): Promise<void> {
  await client.query("update stages set goal_usd = $1, ends_at = clock_timestamp() + interval '30 days'", [
    GOAL_USD,
  ])
  await client.query(
    "update campaign set settings = jsonb_set(settings, '{hardCapUsd}', to_jsonb($1::text))",
    [HARD_CAP_USD],
  )
  await client.query(SET_CAPACITY)
}

/** Buyers of one statement. */
const BUYERS_AT_ONCE = 10_000

/** Seals the addresses, because the server would otherwise do it during a measurement. */
export async function addBuyers(client: Client, count: number): Promise<void> {
  const secrets = new Secrets({ keys: [SECRET_KEY] })
  for (let from = 1; from <= count; from += BUYERS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(BUYERS_AT_ONCE, count + 1 - from) }, (_, at) => from + at)
    const references = numbers.map((n) => `u_${n.toString(16).padStart(16, '0')}`)
    const sealed = numbers.map((n, at) =>
      sealPerson(secrets, references[at] ?? '', { name: `Buyer ${n}`, phone: `+1555${n}` }),
    )
    await client.query(
      `insert into users (reference, email, email_key, name, name_sealed, phone_sealed, password_hash, created_at)
       select b.reference, 'buyer' || n || '@example.org', 'buyer' || n || '@example.org', '', b.name, b.phone, 'none',
              now() - make_interval(secs => $5 - n)
         from unnest($1::integer[], $2::text[], $3::bytea[], $4::bytea[]) as b(n, reference, name, phone) order by n`,
      [numbers, references, sealed.map(({ name }) => name), sealed.map(({ phone }) => phone), count],
    )
  }
  await client.query(
    `insert into user_sessions (token_hash, user_id, kind, expires_at)
     select sha256(('us_' || rtrim(translate(encode(sha256(('buyer ' || u.n)::bytea), 'base64'), '+/', '-_'), '='))::bytea),
            u.id, 'token', now() + interval '30 days'
       from (select id, substr(email, 6, position('@' in email) - 6) as n from users where email like 'buyer%@example.org') u`,
  )
  await client.query('analyze users, user_sessions')
}

/** Writes without triggers: the data is consistent by construction. */
async function unchecked(client: Client, write: () => Promise<unknown>): Promise<void> {
  await client.query("set session_replication_role = 'replica'")
  await write()
  await client.query('reset session_replication_role')
}

/** The operator's session has just logged in. */
export async function addOperator(client: Client, role = 'finance'): Promise<string> {
  const token = `ops_${createHash('sha256').update(`operator ${role}`).digest('base64url')}`
  await client.query(
    `with added as (insert into operators (login, role) values ($1, $2) returning id)
     insert into operator_sessions (token_hash, operator_id, kind, expires_at)
     select sha256($3::bytea), id, 'token', now() + interval '12 hours' from added`,
    [`bench-${role}`, role, token],
  )
  return token
}

/** Empties the tables, so that each run starts equal. */
export async function emptyOrders(client: Client): Promise<void> {
  await client.query("set session_replication_role = 'replica'")
  await client.query(
    'truncate orders, order_events, outbox, postings, entries, holdings, sale_totals, received_totals, audit_log restart identity cascade',
  )
  await client.query('truncate graphile_worker._private_jobs')
  await client.query('reset session_replication_role')
  await client.query(SET_CAPACITY)
}

interface OrdersOptions {
  /** True: 70 % are approved, 10 % rejected, 3 % have a transaction id; `postApprovals` then credits them. */
  readonly areDecided?: boolean
  /** True: four of seven approved orders are paid at their own address (`payByChain`). */
  readonly arePaid?: boolean
  /** These numbers instead of 1 to `count`. */
  readonly range?: Range
}

/**
 * Makes orders of all buyers in turn, with the server's amounts for 40 tokens. Decided orders spread over the
 * last 90 days.
 */
export async function makeOrders(
  client: Client,
  count: number,
  buyers: number,
  { areDecided = false, arePaid = false, range }: OrdersOptions = {},
): Promise<void> {
  await unchecked(client, () =>
    client.query(
      `insert into orders (id, token, user_id, currency_id, currency, stage_id, base_tokens, bonus_tokens, bonus_percent, held_percent,
                           level_key, terms_id, crypto_amount, usd, price_usd, rate, place, watched, declarations, idempotency_key, request_hash,
                           status, approvals, approved_via, approved_at, transaction_id, created_at, updated_at, sent_at, expires_at)
       select g.n, substr(md5('order ' || g.n), 1, 24), u.id, k.id, k.code, s.id, $3, $4, $5, $5, 'bronze', t.id, $6, $6, $7, k.rate,
              case when d.watched then 'rltc1' || md5('paid ' || g.n) else k.address end, d.watched,
              '{"acceptTerms": true, "termsVersion": 1, "risksVersion": 1, "ageConfirmed": true}', 'made-' || g.n, sha256(g.n::text::bytea),
              d.status,
              case when d.status = 'approved' then 1 else 0 end,
              case when d.status = 'approved' and d.watched then 'chain' when d.status = 'approved' then 'operator' end,
              case when d.status = 'approved' then d.at + interval '1 hour' end,
              case when $8 and g.n % 100 in (4, 5, 8) then md5(g.n::text) end,
              d.at, case when d.status = 'pending' then d.at else d.at + interval '1 hour' end, d.at, now() + interval '1 day'
         from generate_series($1::integer, $2::integer) g(n)
         join (select id, row_number() over (order by id) as n from users order by id limit $10) u on u.n = 1 + g.n % $10
         cross join (select id, code, rate, address from currencies where code = 'USDT') k
         cross join (select id from stages order by id limit 1) s
         cross join (select terms_of_now() as id) t
         cross join lateral (
           select case when not $8 or g.n % 10 >= 8 then 'pending' when g.n % 10 < 7 then 'approved' else 'rejected' end as status,
                  $9 and g.n % 10 < 4 as watched,
                  case when $8 then now() - make_interval(secs => 7776000.0 * (1 + $11 - g.n) / $11) else clock_timestamp() end as at) d
        order by g.n`,
      [
        range?.from ?? 1,
        range?.to ?? count,
        ORDER.tokens,
        ORDER.bonus,
        ORDER.percent,
        ORDER.usd,
        ORDER.price,
        areDecided,
        arePaid,
        buyers,
        count,
      ],
    ),
  )
  if (range === undefined) await countOrders(client)
}

/** Counts the orders and the room left in goal and caps. */
export async function countOrders(client: Client): Promise<void> {
  await client.query("select setval(pg_get_serial_sequence('orders', 'id'), (select max(id) from orders))")
  await client.query(SET_CAPACITY)
}

const accountKey = () => accountOf(ABANDON, "m/84'/1'/9'", 'xpub').publicExtendedKey
const walletOf = () => ({ family: 'litecoin', key: accountKey(), script: 'p2wpkh', net: 'regtest' }) as const

/** Adds a wallet and the paying chain. */
export async function addWallet(client: Client, orders: number): Promise<void> {
  const { family, key, script, net } = walletOf()
  await client.query(
    "insert into chains (name, family, confirmation_rules) values ('litecoin', 'bitcoin', $1) on conflict do nothing",
    [JSON.stringify([{ belowUsd: null, confirmations: 6, finalized: false }])],
  )
  await client.query(
    `insert into wallets (family, name, account_key, script, net, next_index) values ($1, 'bench', $2, $3, $4, $5)`,
    [family, key, script, net, FIRST_PAID_INDEX + orders + 1],
  )
}

/** Lower indexes are for open orders, whose addresses really derive from the key. */
const FIRST_PAID_INDEX = 1_000_000

/** Pays each order once. Call it before `postApprovals`. */
export async function payByChain(client: Client, { from, to }: Range): Promise<void> {
  await unchecked(client, async () => {
    await client.query(
      `insert into wallet_addresses (wallet_id, index, address, address_key, reserved_at)
       select w.id, $3 + o.id, o.address, o.address, now() from wallets w, orders o
        where w.name = 'bench' and o.id between $1 and $2 and o.watched and o.status = 'approved' order by o.id`,
      [from, to, FIRST_PAID_INDEX],
    )
    // Write what the disabled trigger would write.
    await client.query(
      `with paid as (
         insert into payments as p (chain, transaction_id, output_key, address, asset, currency_id, amount, order_id, user_id, block_height,
                                    block_hash, seen_at, first_seen_at, mined_at, confirmations, confirmations_needed, confirmed, final_at, credited)
         select 'litecoin', md5('payment ' || o.id), '0', o.address, 'native', o.currency_id, o.crypto_amount, o.id, o.user_id, o.id,
                md5('block ' || o.id), o.created_at, o.created_at, o.created_at, 100, 6, true, o.approved_at, o.crypto_amount
           from orders o where o.id between $1 and $2 and o.watched and o.status = 'approved' order by o.id
         returning p.id, p as payment)
       insert into journal_facts (kind, subject, said)
       select 'payment.credited', 'payments/' || id, payment_fact(payment) from paid`,
      [from, to],
    )
  })
}

/** Orders open at one time: thousands a day, an hour each. */
const OPEN_WATCHED = 2_000

/** Gives the newest pending orders derived addresses. */
export async function watchOpenOrders(client: Client): Promise<void> {
  const open = await client.query<{ id: string }>(
    "select id from orders where status = 'pending' order by id desc limit $1",
    [OPEN_WATCHED],
  )
  const wallet = walletOf()
  const values = [open.rows.map(({ id }) => id), open.rows.map((_, index) => addressAt(wallet, index))]
  const watched = 'unnest($1::bigint[], $2::text[]) with ordinality w(id, address, n)' as const
  await unchecked(client, async () => {
    await client.query(
      `update orders o set watched = true, place = w.address, transaction_id = null from ${watched} where o.id = w.id`,
      values,
    )
    await client.query(
      `insert into wallet_addresses (wallet_id, index, address, address_key, reserved_at)
       select b.id, w.n - 1, w.address, w.address, now() from wallets b, ${watched} where b.name = 'bench'`,
      values,
    )
  })
}

/** Writes entries like approve_orders. */
export async function postApprovals(client: Client, { from, to }: Range): Promise<void> {
  await unchecked(client, () =>
    client.query(
      `with posted as (
         insert into postings (kind, order_id, approval, user_id, operator_id, posted_at)
         select 'order_approved', o.id, 1, o.user_id, (select min(id) from operators), o.approved_at
           from orders o where o.status = 'approved' and o.id between $1 and $2 order by o.id
         returning id, order_id)
       insert into entries (posting_id, account, user_id, stage_id, asset, amount)
       select p.id, case when a.account <> 'raised' then a.account when o.approved_via = 'chain' then 'raised_on_chain' else 'raised_by_operator' end,
              case when a.account like 'buyer%' then o.user_id end, o.stage_id, a.asset,
              a.sign * case a.kind when 'base' then o.base_tokens when 'bonus' then o.bonus_tokens else o.usd end
         from posted p join orders o on o.id = p.order_id and o.id between $1 and $2
        cross join (values ('sale_supply', 'TOKEN', 'base', -1), ('buyer_purchased', 'TOKEN', 'base', 1), ('bonus_supply', 'TOKEN', 'bonus', -1),
                           ('buyer_bonus', 'TOKEN', 'bonus', 1), ('buyer_deposits', 'USD', 'usd', -1), ('raised', 'USD', 'usd', 1))
                   as a(account, asset, kind, sign)
        order by p.id`,
      [from, to],
    ),
  )
}

/** Sums holdings and totals like approve_orders. */
export async function sumApprovals(client: Client): Promise<void> {
  await unchecked(client, async () => {
    await client.query(
      `insert into holdings (user_id, purchased_tokens, bonus_tokens, deposits_usd)
       select user_id, sum(base_tokens), sum(bonus_tokens), sum(usd) from orders where status = 'approved' group by user_id`,
    )
    await client.query(
      `insert into sale_totals (stage_id, day, raised_by_operator_usd, raised_on_chain_usd, purchased_tokens, bonus_tokens,
                                orders_by_operator, orders_on_chain)
       select stage_id, (approved_at at time zone 'UTC')::date, coalesce(sum(usd) filter (where approved_via = 'operator'), 0),
              coalesce(sum(usd) filter (where approved_via = 'chain'), 0), sum(base_tokens), sum(bonus_tokens),
              count(*) filter (where approved_via = 'operator'), count(*) filter (where approved_via = 'chain')
         from orders where status = 'approved' group by 1, 2`,
    )
    await client.query(
      `insert into received_totals (currency, day, amount, usd, orders)
       select currency, (created_at at time zone 'UTC')::date, sum(crypto_amount), sum(usd), count(*)
         from orders where status = 'approved' group by 1, 2`,
    )
  })
}
