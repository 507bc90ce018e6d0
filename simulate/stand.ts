import type { Pool } from 'pg'
import { openRefundAddress, type StoredText, storedRefundAddress } from '../src/server/secrets/secrets.ts'
import { addressKeyOf } from '../src/shared/addresses.ts'
import type { Network } from '../src/shared/networks.ts'
import { testSecrets } from '../test/support/secrets.ts'
import type { GivenLimits, GivenTerms } from './model/settings.ts'

/** The state of the database. Amounts are decimal strings, times milliseconds. */
export interface Stand {
  readonly price: string
  readonly paused: boolean
  readonly two_operators: boolean
  readonly coins: readonly { readonly code: string; readonly rate: string; readonly refusal: string | null }[]
  readonly chains: readonly {
    readonly name: string
    readonly height: number | null
    readonly hash: string | null
    /** Time of the known balances' block, 0 if unknown; null without such addresses. */
    readonly balances: number | null
  }[]
  readonly orders: readonly StandingOrder[]
  readonly payments: readonly StandingPayment[]
  readonly refunds: readonly StandingRefund[]
  readonly grants: readonly {
    readonly id: string
    readonly key: string | null
    readonly reversed: boolean
    /** True if a delivery round has it. */
    readonly listed: boolean
  }[]
  readonly listed: readonly { readonly number: number; readonly base: string; readonly bonus: string }[]
  readonly rounds: readonly { readonly number: number; readonly cut: number }[]
  readonly holdings: readonly { readonly user: string; readonly balance: string; readonly deposits: string }[]
  readonly stages: readonly {
    readonly id: number
    readonly left: string
    readonly on_chain: string
    readonly by_operator: string
    readonly base: string
    readonly bonus: string
    readonly orders: number
  }[]
  readonly left: { readonly usd: string; readonly sale: string; readonly bonus: string }
  readonly limits: GivenLimits
  readonly terms: GivenTerms | null
  readonly links: readonly { readonly user: string; readonly country: string }[]
  readonly friends: readonly { readonly user: string; readonly referrer: string; readonly terms: string }[]
  readonly browsers: readonly { readonly user: string; readonly count: number }[]
  readonly rewards: readonly StandingReward[]
  /** Friends who are the same person as their referrer. */
  readonly found: readonly { readonly user: string; readonly refusal: string }[]
  /** The soft cap in dollars. */
  readonly soft_cap: {
    readonly usd: string | null
    readonly verdict: string | null
    readonly at: number | null
    readonly raised: string | null
  }
  /** The newest final block of each chain. */
  readonly finals: readonly { readonly chain: string; readonly at: number }[]
}

export interface StandingReward {
  readonly order: number
  readonly base: string
  readonly referrer: string
  readonly tokens: string | null
  readonly refusal: string | null
  readonly reversed: boolean
  readonly listed: boolean
}

export interface StandingOrder {
  readonly number: number
  /** The request's idempotency key. */
  readonly key: string | null
  readonly place: string
  readonly status: string
  readonly detail: string
  readonly via: string | null
  /** Room beyond the bought part. */
  readonly room_base: string
  readonly room_bonus: string
  readonly room_usd: string
  readonly stage: number
  readonly base: string
  readonly bonus: string
  readonly usd: string
  readonly price: string
  readonly rate: string
  readonly coins: string
  /** The ordered coins. */
  readonly asked: string
  readonly expires: number
  readonly error: string | null
  readonly sent: boolean
  readonly named: string | null
  /** When the escrow signature expires, in seconds. */
  readonly signed: number | null
  readonly approvals: number
}

export interface StandingPayment {
  readonly id: string
  readonly chain: string
  readonly transaction: string
  readonly key: string
  readonly address: string
  readonly order: number | null
  readonly fault: string | null
  readonly amount: string
  readonly state: string
  readonly height: number | null
  readonly alive: boolean
  readonly confirmed: boolean
  readonly final: boolean
  readonly seen: number
  readonly first: number | null
  readonly mined: number | null
  readonly credited: string
  readonly owed: string
}

export interface StandingRefund {
  readonly id: string
  readonly order: number
  readonly payment: string | null
  readonly amount: string
  readonly usd: string
  readonly state: 'owed' | 'claimed' | 'prepared' | 'sent' | 'paid' | 'written_off'
  readonly via: 'chain' | 'operator' | null
  readonly chain: string
  readonly asset: string
  readonly address: string | null
  readonly transaction: string | null
}

const at = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`
const rows = (query: string) => `(select coalesce(json_agg(r), '[]') from (${query}) r)`
/** Compares a row's xmin: the transaction that wrote the row. */
const isNew = (table: string) => `${table}.xmin::text::bigint >= p_since`

const STAND = `json_build_object(
  'price', (select trim_scale(price_usd)::text from campaign),
  'paused', (select paused_at is not null from campaign),
  'two_operators', (select second_operator from campaign),
  'coins', ${rows(`select code, rate::text, case when switched_off_at is not null then 'currency_off' when paused_at is not null then 'currency_paused' end as refusal from currencies order by id`)},
  'chains', ${rows(`select c.name, c.height, c.hash, max(coalesce(${at('c.balances_read_to')}, 0)) filter (where a.wallet_id is not null) as balances
      from chains c left join currencies k on k.network = c.name and c.family = 'evm' and coalesce(k.token_contract, '') = ''
      left join wallet_addresses a on a.currency_id = k.id group by c.name order by c.name`)},
  'orders', ${rows(`select o.id as number, o.idempotency_key as key, o.place, o.status, o.detail, o.approved_via as via, o.stage_id as stage,
      o.room_base::text, o.room_bonus::text, o.room_usd::text, o.crypto_amount::text as coins,
      o.base_tokens::text as base, o.bonus_tokens::text as bonus, o.usd::text, o.price_usd::text as price, o.rate::text,
      coalesce((o.asked).crypto_amount, o.crypto_amount)::text as asked, ${at('o.expires_at')} as expires,
      o.settle_error as error, o.sent_at is not null as sent, o.transaction_id as named, s.valid_until as signed, o.approvals
      from orders o left join lateral (
        select max(valid_until) as valid_until, bool_or(${isNew('x')}) as is_new from escrow_signatures x where x.order_id = o.id) s on true
      where ${isNew('o')} or s.is_new order by o.id`)},
  'payments', ${rows(`select p.id::text, p.chain, p.transaction_id as transaction, p.output_key as key, a.address_key as address, p.order_id as order, p.fault, p.amount::text, payment_state(p) as state,
      p.block_height as height, p.alive, p.confirmed, p.final_at is not null as final, ${at('p.seen_at')} as seen, ${at('p.first_seen_at')} as first, ${at('p.mined_at')} as mined, p.credited::text, p.owed::text
      from payments p join wallet_addresses a on a.address = p.address where ${isNew('p')} order by p.id`)},
  'refunds', ${rows(`select r.id::text, r.order_id as order, r.payment_id::text as payment, r.amount::text, r.usd::text, r.state, r.paid_via as via, r.chain,
      coalesce(lower(nullif(k.token_contract, '')), 'native') as asset, ${storedRefundAddress.text} as address, r.transaction_id as transaction
      from refunds r join currencies k on k.id = r.currency_id where ${isNew('r')} order by r.id`)},
  'grants', ${rows(`select p.id::text, p.idempotency_key as key, exists (select from postings x where x.reverses_id = p.id) as reversed,
      exists (select from delivery_round_parts d where d.posting_id = p.id) as listed
      from postings p where p.kind = 'grant' order by p.id`)},
  'listed', ${rows(`select order_id as number, sum(purchased_tokens)::text as base, sum(bonus_tokens)::text as bonus
      from delivery_round_parts where order_id is not null group by order_id order by order_id`)},
  'rounds', ${rows(`select number, ${at('cut_at')} as cut from delivery_rounds where state = 'frozen' order by number`)},
  'holdings', ${rows(`select user_id::text as user, (purchased_tokens + bonus_tokens + granted_tokens)::text as balance, deposits_usd::text as deposits
      from holdings order by user_id`)},
  'stages', ${rows(`select s.id, c.pool_usd::text as left,
      coalesce(sum(t.raised_on_chain_usd), 0)::text as on_chain, coalesce(sum(t.raised_by_operator_usd), 0)::text as by_operator,
      coalesce(sum(t.purchased_tokens), 0)::text as base, coalesce(sum(t.bonus_tokens), 0)::text as bonus,
      coalesce(sum(t.orders_on_chain + t.orders_by_operator), 0) as orders
      from stages s join stage_capacity c on c.stage_id = s.id left join sale_totals t on t.stage_id = s.id group by s.id, c.pool_usd order by s.id`)},
  'left', (select json_build_object('usd', pool_usd::text, 'sale', pool_sale_tokens::text, 'bonus', pool_bonus_tokens::text)
      from campaign_capacity),
  'limits', (select json_build_object('orderMaximumTokens', settings ->> 'orderMaximumTokens', 'levels', settings -> 'levels', 'moneyBackDays', coalesce((settings ->> 'moneyBackDays')::integer, 0)) from campaign),
  'terms', (select nullif(settings -> 'referral', 'null') from campaign),
  'links', ${rows(`select user_id::text as user, country from referral_links order by user_id`)},
  'friends', ${rows(`select friend_id::text as user, referrer_id::text as referrer,
      concat_ws(' ', percent::float8, most_tokens_each::float8, most_tokens::float8, array_to_string(countries_excluded, ',')) as terms
      from referrals order by friend_id`)},
  'browsers', ${rows(`select user_id::text as user, count(*) from user_devices group by user_id order by user_id`)},
  'rewards', ${rows(`select d.order_id as order, d.base_tokens::text as base, d.referrer_id::text as referrer, e.amount::text as tokens, d.refusal,
      exists (select from postings v where v.reverses_id = d.posting_id and v.kind = 'referral_reversed') as reversed,
      exists (select from delivery_round_parts k where k.posting_id = d.posting_id) as listed
      from referral_decisions d left join entries e on e.posting_id = d.posting_id and e.account = 'buyer_granted'
      order by d.id`)},
  'found', ${rows(`select friend_id::text as user, refusal from referrals_found order by friend_id`)},
  'soft_cap', (select json_build_object('usd', case when settings ->> 'softCapPolicy' = 'refund' then settings ->> 'softCapUsd' end,
      'verdict', soft_cap_verdict, 'at', ${at('soft_cap_decided_at')}, 'raised', soft_cap_raised_usd::text) from campaign),
  'finals', ${rows(`select c.name as chain, max(${at('b.mined_at')}) as at from chains c
      join chain_blocks b on b.chain = c.name and b.height <= c.finalized_height and b.parent <> '' group by 1 order by 1`)}
)`

/**
 * `next` is the next transaction number. Of orders, payments and refunds only rows written since `p_since`;
 * no rows if nothing was written.
 */
export const STAND_SQL = `
  create function simulated.stand(p_since bigint) returns table (next text, stand json) language plpgsql as $$
  begin
    next := pg_snapshot_xmax(pg_current_snapshot())::text;
    if next::bigint > p_since then
      stand := ${STAND};
    end if;
    return next;
  end $$`

/** Usually reads only new rows. */
export class StandReader {
  readonly #pool: Pool
  #stand: Stand | undefined
  #next = '0'

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** With `isWhole` it reads every row. */
  async read(isWhole: boolean): Promise<Stand> {
    const before = isWhole ? undefined : this.#stand
    const { rows: answer } = await this.#pool.query<{ next: string; stand: Stand | null }>({
      name: 'stand',
      text: 'select next, stand from simulated.stand($1)',
      values: [before ? this.#next : '0'],
    })
    const [{ next, stand }] = answer as [{ next: string; stand: Stand | null }]
    const now = stand && { ...stand, refunds: stand.refunds.map(withAddress) }
    this.#next = next
    this.#stand = before && now ? withChanges(before, now) : (now ?? (before as Stand))
    return this.#stand
  }
}

function withAddress(refund: StandingRefund): StandingRefund {
  const { id, chain, address: stored } = refund
  const address = openRefundAddress(testSecrets, { id, address: stored as unknown as StoredText })
  return { ...refund, address: address === null ? null : addressKeyOf(chain as Network, address) }
}

const withChanges = (before: Stand, now: Stand): Stand => ({
  ...now,
  orders: merged(before.orders, now.orders, ({ number }) => number),
  payments: merged(before.payments, now.payments, ({ id }) => id),
  refunds: merged(before.refunds, now.refunds, ({ id }) => id),
})

function merged<T>(
  before: readonly T[],
  changed: readonly T[],
  idOf: (row: T) => string | number,
): readonly T[] {
  if (changed.length === 0) return before
  const byId = new Map(before.map((row) => [idOf(row), row]))
  for (const row of changed) byId.set(idOf(row), row)
  return [...byId.values()]
}
