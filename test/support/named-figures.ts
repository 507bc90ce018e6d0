import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Database } from '../../src/server/database/database.ts'
import { statement } from './statement.ts'

/*
 * Figures on pages, mails, API and journal, each with its own query: over postings if the ledger decides it,
 * over settings if operators do. No query uses the product's calculations.
 */

/** A shown figure; `value` has the numbers in its text. */
export interface Said {
  readonly name: string
  readonly surface: string
  readonly text: string
}

interface Figure {
  /** A name, or a pattern whose groups are the query's `$1`, `$2`, … */
  readonly name: string | RegExp
  /** The query returns texts; the figure must show one of them. */
  readonly sql: string
}

const sum = (accounts: string, where = 'true') =>
  `select coalesce(sum(e.amount), 0)::text as value from entries e join postings p on p.id = e.posting_id
     left join orders o on o.id = p.order_id where e.account in (${accounts}) and ${where}`
const ON_CHAIN = "'raised_on_chain'"
const BY_OPERATOR = "'raised_by_operator'"
const RAISED = `${ON_CHAIN}, ${BY_OPERATOR}`
const TOKENS = "'buyer_purchased', 'buyer_bonus', 'buyer_granted'"
const ALLOCATED = "'allocated_purchased', 'allocated_bonus', 'allocated_granted'"
const OF_STAGE = 'o.stage_id = $1::integer'
const OF_DAY = "(p.posted_at at time zone 'UTC')::date = $1::date"
const OF_BUYER = 'e.user_id = (select id from users where email_key = $1)'

/** Approvals not reversed by a later posting. */
const approvals = (account: string) =>
  `select (count(distinct p.order_id) filter (where p.kind = 'order_approved'))::text as value from postings p
    where exists (select from entries e where e.posting_id = p.id and e.account = ${account})
      and not exists (select from postings r where r.order_id = p.order_id and r.kind = 'order_reversed' and r.id > p.id)`

const setting = (name: string, value = `settings ->> '${name}'`): Figure => ({
  name: `settings.${name}`,
  sql: `select ${value} as value from campaign`,
})

/** Sums of the sale, a stage or a day. */
const sums = (name: (field: string) => string | RegExp, where: string): Figure[] => [
  { name: name('raisedUsd'), sql: sum(RAISED, where) },
  { name: name('raisedOnChainUsd'), sql: sum(ON_CHAIN, where) },
  { name: name('raisedByOperatorUsd'), sql: sum(BY_OPERATOR, where) },
  { name: name('purchasedTokens'), sql: sum("'buyer_purchased'", where) },
  { name: name('bonusTokens'), sql: sum("'buyer_bonus'", where) },
]

/** Debts that are not paid or written off. */
const OWED = `select r.currency, r.usd, r.owed_at, e.amount from refunds r
  join lateral (select sum(e.amount) as amount from entries e join postings p on p.id = e.posting_id
                 where e.account = 'refunds_owed' and p.refund_id = r.id) e on e.amount > 0`

const inEscrow = `select coalesce(sum(e.amount), 0) from entries e join postings p on p.id = e.posting_id join orders o on o.id = p.order_id
  where o.escrow_id is not null and e.account in (${TOKENS})`
const inLiveRounds = `select coalesce(sum(e.amount), 0) from entries e join postings p on p.id = e.posting_id
  join delivery_rounds r on r.number = p.round where r.state = 'live' and e.account in (${ALLOCATED})`
const three = (rows: string) =>
  `select concat_ws(' ', trim_scale(sum(a)), trim_scale(sum(b)), trim_scale(sum(c))) as value from (${rows}) as w (a, b, c)`
const way = (account: string, sign = '') =>
  `${sign}coalesce(sum(e.amount) filter (where e.account = '${account}'), 0)`
const ways = (from: string, kind = 'buyer', sign = '') =>
  `select ${way(`${kind}_purchased`, sign)}, ${way(`${kind}_bonus`, sign)}, ${way(`${kind}_granted`, sign)} from ${from}`
const ENTRIES = 'entries e join postings p on p.id = e.posting_id left join orders o on o.id = p.order_id'
const counted = (name: string, sql: string): Figure => ({
  name: `answers/${name}`,
  sql: `select (${sql})::text as value`,
})
const listed = (what: 'coin' | 'token', where = 'true') =>
  `select count(*) from currencies where switched_off_at is null and ${where}
      and (code in ('BTC', 'LTC', 'DOGE', 'ETH', 'BNB', 'SOL', 'TRX', 'XRP')) = ${what === 'coin'}`
const changes = (where: string) => `select count(*) from campaign_changes where ${where}`

const ofSale: Figure[] = [
  { name: 'raised.usd', sql: sum(RAISED) },
  { name: 'raised.onChainUsd', sql: sum(ON_CHAIN) },
  { name: 'raised.byOperatorUsd', sql: sum(BY_OPERATOR) },
  {
    name: 'raised.takeableUsd',
    sql: `select coalesce(sum(o.usd), 0)::text as value from orders o, order_terms t, users u, (select max(ends_at) as at from stages) ends
           where t.id = o.terms_id and u.id = o.user_id and u.deleted_at is null and o.status = 'approved' and t.money_back_days > 0
             and ends.at > now()
             and now() < case o.approved_via when 'operator' then o.approved_at else o.expires_at + interval '1 day' end
                         + t.money_back_days * interval '1 day'`,
  },
  {
    name: 'refundsOverdueUsd',
    sql: `select coalesce(sum(r.usd), 0)::text as value from refunds r
           where r.reason = 'taken_back' and r.paid_at is null and r.state <> 'written_off' and r.owed_at + interval '14 days' < now()`,
  },
  { name: 'purchasedTokens', sql: sum("'buyer_purchased'") },
  { name: 'bonusTokens', sql: sum("'buyer_bonus'") },
  { name: 'grantedTokens', sql: sum("'buyer_granted'") },
  { name: 'allocatedTokens', sql: sum(ALLOCATED) },
  {
    name: 'heldTokens',
    sql: `select ((${sum(TOKENS)})::numeric - (${sum(ALLOCATED)})::numeric)::text as value`,
  },
  { name: 'approvedOrders.onChain', sql: approvals(ON_CHAIN) },
  { name: 'approvedOrders.byOperator', sql: approvals(BY_OPERATOR) },
  { name: 'refundsOwedUsd', sql: `select coalesce(sum(usd), 0)::text as value from (${OWED}) o` },
  {
    name: 'refundsOwedSince',
    sql: `select to_char(min(owed_at) at time zone 'UTC', 'FMMon FMDD, YYYY, FMHH12:MI AM UTC') as value from (${OWED}) o`,
  },
  { name: 'priceUsd', sql: 'select price_usd::text as value from price_changes order by id desc limit 1' },
  {
    name: 'leftTokens',
    sql: `select trunc(least(s.goal_usd - (${sum(RAISED, 'o.stage_id = s.id')})::numeric,
                             (c.settings ->> 'hardCapUsd')::numeric - (${sum(RAISED)})::numeric) / s.price_usd, 6)::text as value
            from stages s, campaign c where now() between s.starts_at and s.ends_at`,
  },
  ...sums((field) => new RegExp(`^stages\\.(\\d+)\\.${field}$`), OF_STAGE),
  ...sums((field) => new RegExp(`^days\\.([\\d-]+)\\.${field}$`), OF_DAY),
  {
    name: /^stages\.(\d+)\.progressPercent$/,
    sql: `select case when w.share < 1 then trunc(w.share, 2) else least(trunc(w.share), 100) end::text as value
            from (select 100 * (${sum(RAISED, OF_STAGE)})::numeric / goal_usd as share from stages where id = $1::integer) w`,
  },
  {
    name: /^stages\.(\d+)\.goalUsd$/,
    sql: 'select goal_usd::text as value from stages where id = $1::integer',
  },
  {
    name: /^stages\.(\d+)\.goalUsdPerPercent$/,
    sql: 'select (goal_usd / 100)::text as value from stages where id = $1::integer',
  },
  {
    name: /^stages\.(\d+)\.priceUsd$/,
    sql: 'select price_usd::text as value from stages where id = $1::integer',
  },
]

const ofSettings: Figure[] = [
  ...[
    'totalSupply',
    'hardCapUsd',
    'softCapUsd',
    'orderMinimumTokens',
    'orderMaximumTokens',
    'orderDefaultTokens',
  ].map((name) => setting(name)),
  {
    name: 'settings.shares',
    sql: `select v.value from campaign, jsonb_array_elements(settings -> 'shares') s,
            lateral (values (s ->> 'percent'), (((s ->> 'percent')::numeric / 100 * (settings ->> 'totalSupply')::numeric)::text)) v (value)
          union all
          select string_agg(s ->> 'percent', ' ' order by (s ->> 'percent')::numeric desc, n) || ' ' || string_agg(s ->> 'percent', ' ' order by (s ->> 'percent')::numeric desc, n)
            from campaign, jsonb_array_elements(settings -> 'shares') with ordinality x (s, n)`,
  },
  {
    name: 'settings.levels',
    sql: `select v.value from campaign, jsonb_array_elements(settings -> 'levels') l,
            lateral (values (l ->> 'bonusPercent'), ((l ->> 'threshold') || ' ' || (l ->> 'bonusPercent'))) v (value)`,
  },
]

const ofOtherSettings: Figure = {
  name: /^settings\.(\w+)$/,
  sql: 'select settings ->> $1 as value from campaign',
}

const ofDelivery: Figure[] = [
  {
    name: /^refunds\/(\w+)\/owed$/,
    sql: `select coalesce(sum(amount), 0)::text as value from (${OWED}) o where currency = $1`,
  },
  {
    name: /^refunds\/(\w+)\/since$/,
    sql: `select to_char(min(owed_at) at time zone 'UTC', 'FMMon FMDD, YYYY, FMHH12:MI AM UTC') as value from (${OWED}) o where currency = $1`,
  },
  { name: /^rounds?\/(\d+)\/(?:tokens|owed|there)$/, sql: sum(ALLOCATED, 'p.round = $1::integer') },
  {
    name: 'rounds/look',
    sql: "select trim_scale(balance / 1e18) || ' ' || trim_scale(claimed / 1e18) as value from delivery_looks",
  },
  {
    name: 'undelivered/owed',
    sql: `select ((${sum(TOKENS)})::numeric - (${inLiveRounds}) - (${inEscrow}))::text as value`,
  },
  { name: 'equation/ledger/tokens', sql: sum(TOKENS) },
  { name: 'equation/ledger/ways', sql: three(ways(ENTRIES)) },
  {
    name: 'equation/held/tokens',
    sql: `select ((${sum(TOKENS)})::numeric - (${sum(ALLOCATED)})::numeric - (${inEscrow}))::text as value`,
  },
  {
    name: 'equation/held/ways',
    sql: three(
      `${ways(`${ENTRIES} where o.escrow_id is null`)} union all ${ways(ENTRIES, 'allocated', '-')}`,
    ),
  },
  {
    name: 'equation/distributor/tokens',
    sql: `select coalesce(sum(e.amount), 0)::text as value from ${ENTRIES} where e.account in (${ALLOCATED}) group by p.round having p.round is not null`,
  },
  {
    name: 'equation/distributor/shown',
    sql: 'select trim_scale((balance + claimed) / 1e18)::text as value from delivery_looks',
  },
  {
    name: 'equation/distributor/ways',
    sql: `select concat_ws(' ', a, b, c) as value from (select trim_scale(${way('allocated_purchased')}), trim_scale(${way('allocated_bonus')}), trim_scale(${way('allocated_granted')}) from ${ENTRIES} where p.round is not null group by p.round) w (a, b, c)`,
  },
  {
    name: /^equation\/escrow\/(?:tokens|shown)$/,
    sql: `select coalesce(sum(e.amount) filter (where e.account in (${TOKENS})), 0)::text as value from escrows x left join orders o on o.escrow_id = x.id left join postings p on p.order_id = o.id left join entries e on e.posting_id = p.id group by x.id`,
  },
  {
    name: 'equation/escrow/ways',
    sql: `select concat_ws(' ', a, b, c) as value from (select trim_scale(${way('buyer_purchased')}), trim_scale(${way('buyer_bonus')}), trim_scale(${way('buyer_granted')}) from escrows x left join orders o on o.escrow_id = x.id left join postings p on p.order_id = o.id left join entries e on e.posting_id = p.id group by x.id) w (a, b, c)`,
  },
  counted('escrows', 'select count(*) from escrows'),
  counted('live_rounds', "select count(*) from delivery_rounds where state = 'live'"),
  counted('other_code', "select count(*) from escrow_looks where fault = 'other_code'"),
  counted(
    'currencies_in_escrow',
    'select count(*) from currencies where switched_off_at is null and in_escrow',
  ),
  counted('currencies_in_escrow_of', 'select count(*) from currencies where switched_off_at is null'),
  counted('coins_in_escrow', listed('coin', 'in_escrow')),
  counted('coins_in_escrow_of', listed('coin')),
  counted('coins_priced', listed('coin')),
  counted('coins_priced_of', listed('coin')),
  counted('tokens_in_escrow', listed('token', 'in_escrow')),
  counted('tokens_in_escrow_of', listed('token')),
  counted('tokens_priced', listed('token')),
  counted('tokens_priced_of', listed('token')),
  counted('book_rules', 'select rules from ledger_checks'),
  counted('broken_rules', 'select jsonb_array_length(broken) from ledger_checks'),
  counted('unasked_rules', 'select jsonb_array_length(unasked) from ledger_checks'),
  counted('price_changes', 'select count(*) - 1 from price_changes'),
  counted('start_changes', changes("setting ~ '^stages.*startsAt$'")),
  counted('end_changes', changes("setting ~ '(^stages.*(endsAt|goalUsd)|hardCapUsd)$'")),
  {
    name: 'answers/starts',
    sql: "select to_char(min(starts_at) at time zone 'UTC', 'FMMonth FMDD, YYYY') as value from stages",
  },
  {
    name: 'answers/ends',
    sql: "select to_char(max(ends_at) at time zone 'UTC', 'FMMonth FMDD, YYYY') as value from stages",
  },
  { name: 'answers/hard_cap', sql: "select settings ->> 'hardCapUsd' as value from campaign" },
]

/** Figures of a stranger's fold of the journal. */
const ofJournal: Figure[] = [
  {
    name: /^refundsOwed\.(\w+)$/,
    sql: `select coalesce(sum(amount), 0)::text as value from (${OWED}) o where currency = $1`,
  },
  {
    name: /^credited\.(\w+)$/,
    sql: 'select sum(p.credited)::text as value from payments p join currencies k on k.id = p.currency_id where k.code = $1',
  },
  {
    name: /^(giveawaysFixedLate|ordersWithoutPayments|paymentsWithoutOrders)$/,
    sql: "select '0' as value where $1 <> ''",
  },
]

/** A buyer's figures, by e-mail address. */
const ofBuyer: Figure[] = [
  { name: /^own\.(.+)\.balanceTokens$/, sql: sum(TOKENS, OF_BUYER) },
  { name: /^own\.(.+)\.purchasedTokens$/, sql: sum("'buyer_purchased'", OF_BUYER) },
  { name: /^own\.(.+)\.bonusTokens$/, sql: sum("'buyer_bonus'", OF_BUYER) },
  { name: /^own\.(.+)\.grantedTokens$/, sql: sum("'buyer_granted'", OF_BUYER) },
  {
    name: /^own\.(.+)\.depositsUsd$/,
    sql: `select (-(${sum("'buyer_deposits'", OF_BUYER)})::numeric)::text as value`,
  },
  {
    name: /^own\.(.+)\.usdtEquivalent$/,
    sql: `select round((${sum(TOKENS, OF_BUYER)})::numeric / rate, 2)::text as value from currencies where code = 'USDT'`,
  },
  {
    name: /^own\.(.+)\.bonusPercent$/,
    sql: `select l ->> 'bonusPercent' as value from campaign, jsonb_array_elements(settings -> 'levels') l
           where (l ->> 'threshold')::numeric <= (${sum(TOKENS, OF_BUYER)})::numeric order by (l ->> 'threshold')::numeric desc limit 1`,
  },
  {
    name: /^own\.(.+)\.nextThreshold$/,
    sql: `select l ->> 'threshold' as value from campaign, jsonb_array_elements(settings -> 'levels') l
           where (l ->> 'threshold')::numeric > (${sum(TOKENS, OF_BUYER)})::numeric order by (l ->> 'threshold')::numeric limit 1`,
  },
]

/** An order's figure by its entries if approved; else by its rate, price and level bonus. */
const order = (field: string, approved: string, asked: string): Figure => ({
  name: new RegExp(`^orders\\.(\\d+)\\.${field}$`),
  sql: `select trim_scale(case when o.status = 'approved' then (${approved}) else ${asked} end)::text as value from orders o where o.id = $1::bigint`,
})
const bought = (accounts: string) =>
  `select coalesce(sum(e.amount), 0) from entries e join postings p on p.id = e.posting_id where p.order_id = o.id and e.account in (${accounts})`
const BASE = '(asked_of(o)).base_tokens'
const BONUS = `round(${BASE} * o.bonus_percent / 100, 6)`
const ofOrders: Figure[] = [
  order('baseTokens', bought("'buyer_purchased'"), BASE),
  order('bonusTokens', bought("'buyer_bonus'"), BONUS),
  order('receiveTokens', bought("'buyer_purchased', 'buyer_bonus'"), `${BASE} + ${BONUS}`),
  order('usd', bought(RAISED), `round(${BASE} * o.price_usd, 2)`),
  order('cryptoAmount', `round((${bought("'buyer_purchased'")}) / o.rate, 6)`, `round(${BASE} / o.rate, 6)`),
]

export const registry: readonly Figure[] = [
  ...ofSale,
  ...ofSettings,
  ofOtherSettings,
  ...ofDelivery,
  ...ofJournal,
  ...ofBuyer,
  ...ofOrders,
]

/** Figures that change between two reads. */
const MOVING = /^(journal\.size|answers\/journal_size|updates\/.*)$/

/** The numbers without currency, grouping and trailing zeros; dates unchanged. */
function numbersOf(text: string): string {
  const plain = text.replaceAll(/[\u202f\u00a0]/g, ' ').trim()
  if (/^[A-Z][a-z]+ \d{1,2}, \d{4}/.test(plain)) return plain
  const numbers = plain.match(/\d[\d,]*(?:\.\d+)?/g) ?? []
  return numbers.map((each) => trimmed(each.replaceAll(',', ''))).join(' ')
}
/** As an English page would write it. Texts with the name of a month are left out. */
export function inEnglish(said: readonly Said[], locale: string): Said[] {
  const sign = Object.fromEntries(
    new Intl.NumberFormat(`${locale}-u-nu-latn`)
      .formatToParts(1_234_567.8)
      .map(({ type, value }) => [type, value]),
  )
  const groups = sign['group'] === '\u00a0' ? /[\u00a0\u202f]/g : (sign['group'] ?? ',')
  return said
    .filter(({ text }) => !/\p{L}{3,} \d{4}|\d{4}.*\d:\d\d/u.test(text.replaceAll(/[\u202f\u00a0]/g, ' ')))
    .map((each) => ({
      ...each,
      text: each.text.replaceAll(groups, '').replaceAll(sign['decimal'] ?? '.', '.'),
    }))
}

const trimmed = (each: string) => (each.includes('.') ? each.replace(/\.?0+$/, '') : each)

/** Lists differences, and names without a query. */
export async function differences(db: Database, said: readonly Said[]): Promise<string[]> {
  const found: string[] = []
  const known = new Map<string, string[] | null>()
  for (const { name, surface, text } of said) {
    if (MOVING.test(name)) continue
    if (!known.has(name)) known.set(name, await ask(db, name))
    const values = known.get(name)
    if (!values) found.push(`${surface}: ${name} has no query`)
    else if (!values.includes(numbersOf(text)))
      found.push(`${surface}: ${name} is ${text}, not ${values.join(' or ')}`)
  }
  return found
}

async function ask(db: Database, asked: string): Promise<string[] | null> {
  for (const [index, { name, sql }] of registry.entries()) {
    const match = typeof name === 'string' ? (name === asked ? [asked] : null) : name.exec(asked)
    if (!match) continue
    const rows = await db.query<{ value: string | null }>(
      statement(`test_named_figure_${index}`, sql),
      match.slice(1),
    )
    return rows.map(({ value }) => numbersOf(value ?? ''))
  }
  return null
}

/** Figures by their elements' names. */
export const figuresOn = (page: Page, surface: string): Promise<Said[]> =>
  page.evaluate(
    (where) =>
      [...document.querySelectorAll<HTMLElement>('[data-figure]')].map((element) => ({
        name: element.dataset['figure'] ?? '',
        surface: where,
        text: element.textContent ?? '',
      })),
    surface,
  )

/** Finds the first group of each pattern, which must match. */
export function figuresIn(text: string, surface: string, patterns: Record<string, RegExp>): Said[] {
  return Object.entries(patterns).map(([name, pattern]) => {
    const found = pattern.exec(text)?.[1]
    if (found === undefined) throw new Error(`${surface} does not say ${name}:\n${text}`)
    return { name, surface, text: found }
  })
}

/** The mails, oldest first. */
export async function mailsTo(folder: string, address: string): Promise<string[]> {
  const files = (await readdir(folder)).toSorted()
  const mails = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return mails
    .filter((mail) => mail.includes(address))
    .map((mail) =>
      mail
        .replaceAll('=\n', '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
}

const voids = new Set('area base br col embed hr img input link meta source track use wbr'.split(' '))
/**
 * Matches dollars, percentages, amounts, counts, and texts that are only a number. A block number says where
 * a figure was read.
 */
const isAmount =
  /[$€]\s?\d|\d\s?%|^\s*\d[\d\s.,+–×]*$|\d\s(?:(?!UTC)[A-Z]{3,6}\b|tokens?\b|orders?\b|buyers?\b|people\b|entries\b|токен|заказ|покупател|человек|люд|запис)/
/** Constants: 100 %, and one coin before its price. */
const constants = /\b100\s?%|^1\s[A-Z]+ = $/

/**
 * Lists amounts except operators' texts, pictures, values of the settings' history, and constants of the
 * rules.
 */
export function namelessAmounts(page: string, rules: readonly string[] = []): string[] {
  const found: string[] = []
  const open: { tag: string; isNamed: boolean }[] = []
  const from = page.slice(page.indexOf('<body')).replaceAll('<!-- -->', '')
  for (const [, close, tag = '', attributes = '', text = ''] of from.matchAll(
    /<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|[^">])*)>|([^<]+)/gi,
  )) {
    if (text) {
      const isSaid = open.some(({ isNamed }) => isNamed)
      const unnamed = rules.reduce((left, rule) => left.replaceAll(rule, ''), text)
      if (!isSaid && isAmount.test(unnamed) && !constants.test(text)) found.push(text)
    } else if (close) {
      while (open.length > 0 && open.pop()?.tag !== tag);
    } else if (!voids.has(tag) && !attributes.endsWith('/')) {
      const isApart = /^(?:script|style|svg|pre|code|time|footer|option|th)$/.test(tag)
      open.push({ tag, isNamed: isApart || /data-(?:figure|past)=/.test(attributes) })
    }
  }
  return found
}
