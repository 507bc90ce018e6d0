import { expect, it } from 'vitest'
import { actionsOf, currenciesOf, executorOf } from '../../../test/support/actions.ts'
import { addBuyer, buy, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, headerServer } from '../../../test/support/header-server.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { statement } from '../../../test/support/statement.ts'
import type { Overview, OverviewRange } from '../../shared/api/overview.ts'
import { sql } from '../database/database.ts'
import { OperatorOverview } from '../overview/overview.ts'
import { PageViews } from '../overview/page-views.ts'
import { Retention } from '../retention/retention.ts'
import { mountOverview } from './overview.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const sale = await openSale(db)
const { campaign } = sale
const all = { ...campaign.actions, ...currenciesOf(db).actions }
const ownerId = await addOperator(db, 'owner', 'owner')
const execute = executorOf(db, all, ownerId)
const { pending } = actionsOf(db, all)

const followed = ['bitcoin', 'ethereum', 'base', 'polygon']

/** Each asks anew: what is shown is kept for 10 s. */
async function overview(role: string, sendsMail = true, newer: string | null = null): Promise<Overview> {
  const app = headerServer(db, (server) =>
    mountOverview(
      server,
      new OperatorOverview({
        db,
        campaign,
        pending,
        sendsMail: async () => sendsMail,
        newerRelease: () => newer,
        followed,
      }),
    ),
  )
  const response = await app.inject({
    url: '/api/v1/operator/overview',
    headers: { 'x-operator': `${ownerId}:${role}` },
  })
  expect(response.statusCode).toBe(200)
  return response.json()
}
const run = (name: string, text: string) => db.query(statement(`test_overview_${name}`, text))

it('counts what waits and adds up what came in, by currency and day', async () => {
  const buyer = await addBuyer(db)
  const first = await buy(sale, buyer, '40', 'USDT')
  await buy(sale, buyer, '100', 'BTC')
  const third = await buy(sale, buyer, '200', 'USDT')
  for (const order of [first, third]) await sale.ledger.approve(String(order.number), { operatorId: ownerId })
  await run('transaction', `update orders set transaction_id = 'abcdefgh' where status = 'pending'`)
  const { orders, users, attention } = await overview('owner')
  expect(orders).toMatchObject({
    waiting: 1,
    waitingWithPayment: 1,
    waitingAges: { hour: 1, day: 0, older: 0 },
    raisedUsd: '1080.00',
    raisedByOperatorUsd: '1080.00',
  })
  expect(orders?.received).toEqual([{ currency: 'USDT', amount: '1080.000000', usd: '1080.00', orders: 2 }])
  expect(orders?.days).toHaveLength(30)
  expect(orders?.days.at(-1)).toMatchObject({ orders: 3, registrations: 1, raisedUsd: '1080.00' })
  expect(orders?.events.slice(0, 2).map(({ kind, orderId }) => [kind, orderId])).toEqual([
    ['approved', third.number],
    ['approved', first.number],
  ])
  expect(users).toEqual({ total: 1, today: 1 })
  expect(attention).toEqual([])
})

it('tells of any days what was seen, registered, ordered and raised', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const views = new PageViews({ db, onFault: (error) => expect.fail(String(error)) })
  const app = headerServer(db, (server) =>
    mountOverview(
      server,
      new OperatorOverview({
        db,
        campaign,
        pending,
        sendsMail: async () => true,
        newerRelease: () => null,
        followed,
      }),
    ),
  )
  const range = async (from: string, to: string, role = 'owner') => {
    const headers = { 'x-operator': `${ownerId}:${role}` }
    return app.inject({ url: `/api/v1/operator/overview/range?from=${from}&to=${to}`, headers })
  }
  const before = await range('2000-01-01', '2000-01-02')
  expect(before.json<OverviewRange>()).toMatchObject({
    countedSince: null,
    raisedBeforeUsd: '0',
    raisedBeforeOnChainUsd: '0',
    raisedBeforeByOperatorUsd: '0',
    received: [],
  })
  expect(before.json<OverviewRange>().days.map(({ day, orders }) => [day, orders])).toEqual([
    ['2000-01-01', 0],
    ['2000-01-02', 0],
  ])

  // Two pages.
  views.count()
  views.count()
  await views.close()
  // An account that registered today and is gone.
  await run('gone', `insert into users (name, deleted_at) values ('', now() - interval '1 year')`)
  const retention = new Retention({ db })
  expect(await retention.sweep('users')).toBe(1)
  const { days, received, countedSince } = (await range(today, today)).json<OverviewRange>()
  expect(countedSince).toBe(today)
  expect(days).toEqual([
    {
      day: today,
      pageViews: 2,
      registrations: 2,
      orders: 3,
      paidOrders: 2,
      raisedOnChainUsd: '0.00',
      raisedByOperatorUsd: '1080.00',
    },
  ])
  expect(received).toEqual([{ currency: 'USDT', amount: '1080.000000', usd: '1080.00', orders: 2 }])
  expect((await range('2000-01-01', today)).json<OverviewRange>().days).toHaveLength(1_100)
  // What was raised before is told with its two parts, as everywhere.
  expect((await range('2100-01-01', '2100-01-02')).json<OverviewRange>()).toMatchObject({
    raisedBeforeUsd: '1080.00',
    raisedBeforeOnChainUsd: '0.00',
    raisedBeforeByOperatorUsd: '1080.00',
  })
  expect((await range(today, today, 'content')).statusCode).toBe(403)
  expect((await range('yesterday', today)).statusCode).toBe(422)
})

it('says when a backup was last restored on trial', async () => {
  const moment = '2026-01-02T03:04:05.000Z'
  await run(
    'drill',
    `insert into backup_drills (worked_at, taken_at, rows) values ('${moment}', '${moment}', 1)`,
  )
  expect((await overview('content')).backupDrill).toEqual({ workedAt: moment, takenAt: moment })
})

it('shows a role no more than it may read', async () => {
  const { orders, users } = await overview('content')
  expect([orders, users]).toEqual([null, null])
  expect((await overview('support')).orders).not.toBeNull()
})

it('names what needs somebody [SETTLE-15, DELIVER-12, DELIVER-33]', async () => {
  await run(
    'rates',
    `update currencies set rate_source = 'feed', rate_at = now() - interval '1 hour' where code = 'SOL'`,
  )
  await run(
    'mail',
    `select graphile_worker.add_job('send_mail', '{}'::json, run_at => now() + interval '1 hour')`,
  )
  await run(
    'mail_failed',
    `update graphile_worker._private_jobs set attempts = 3, last_error = 'ECONNREFUSED' || chr(10) || 'at stack'`,
  )
  await run(
    'job',
    `select graphile_worker.add_job('something', '{}'::json, run_at => now() - interval '1 hour')`,
  )
  await run('outbox', `update outbox set created_at = now() - interval '10 minutes'`)
  await run('two', `update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  await execute('currency.evm-wallet', { address: '0x52908400098527886E0F7030069857D2E4169EE7' }).catch(
    () => {},
  )
  await execute('campaign.pause', {
    paused: true,
    previousPausedAt: null,
    reason: { en: 'Checking', ru: '' },
  })
  await run(
    'chains',
    `insert into chains (name, family, confirmation_rules, stopped, last_error, last_error_at, height, node_height, polled_at) values
       ('bitcoin', 'bitcoin', '[]', true, 'a reorg below what was final', now(), 10, 10, now()),
       ('ethereum', 'evm', '[]', false, null, null, 10, 500, now()),
       ('base', 'evm', '[]', false, null, null, 10, 10, now() - interval '1 hour'),
       ('polygon', 'evm', '[]', false, null, null, 10, 12, now()),
       -- Nobody follows this one any more.
       ('cronos', 'evm', '[]', false, null, null, 10, 10, now() - interval '1 hour')`,
  )
  await run(
    'payments',
    `with p as (insert into payments (chain, transaction_id, output_key, address, asset, amount, seen_at, fault, failed, confirmations_needed)
       values ('bitcoin', 't1', '0', 'a', 'native', 1, now(), 'unmatched', false, 1),
              ('bitcoin', 't2', '0', 'a', 'native', 1, now(), 'unmatched', true, 1) returning id)
     insert into refunds (payment_id, user_id, currency_id, chain, currency, amount, usd, reason, state)
     select min(p.id), (select min(id) from users), (select min(id) from currencies), 'bitcoin', 'BTC', 0.5, 12.50, 'test', s.state
       from p cross join (values ('owed'), ('written_off')) s (state) group by s.state`,
  )
  // What an escrow gave back is decided.
  await run(
    'returned',
    `insert into payments (chain, transaction_id, output_key, address, asset, amount, seen_at, fault, returned_by, returned_height, confirmations_needed)
     values ('ethereum', 't3', '0', 'a', 'native', 1, now(), 'returned', '0xaa', 5, 1)`,
  )
  await run(
    'unsettled',
    `update orders set settle_at = now() + interval '1 minute', settle_error = 'no such stage'
      where id = (select min(id) from orders)`,
  )
  await run(
    'distributors',
    `with r as (insert into delivery_rounds (number, state, cut_at, freeze_from, starts_at, start_bps, cliff_seconds, linear_seconds, leftover_to)
       select n, 'live', now(), now(), now(), 0, 0, 0, '0x' || repeat('1', 40) from generate_series(1, 3) n returning number),
     d as (insert into delivery_distributors (round, address, chain_id, code_hash, height, block_hash, mined_at, balance, claimed, second_node)
       select number, '0x' || repeat(number::text, 40), 1, '0x' || repeat('1', 64), 1, '0x' || repeat('1', 64), now(), 1, 0, false from r returning round)
     insert into delivery_looks (round, height, block_hash, mined_at, balance, claimed, fault, looked_at, failure, failing_since)
       select round, 1, '0x', now(), 1, 0, case round when 1 then 'distributor_short' end, now(),
              case round when 1 then null else 'node_silent' end, case round when 2 then now() - interval '1 hour' when 3 then now() end from d`,
  )
  await run(
    'escrows',
    `with e as (insert into escrows (stage_id, chain, chain_id, address, token, seller, treasury, cap_tokens, closes_at, deliver_by,
                            review_seconds, locks_first, start_bps, cliff_seconds, linear_seconds, assets, quote_key, code_hash, height,
                            block_hash, mined_at, second_node)
       select min(id), (array['ethereum', 'base', 'polygon'])[substr(a, 3, 1)::integer], 1, a, a, a, a, 1000, now() + interval '30 days', now() + interval '60 days', 86400, true, 10000, 0, 0,
              array[a], a, '0x' || repeat('1', 64), 1, '0x' || repeat('1', 64), now(), false
         from stages cross join (select '0x' || repeat(n::text, 40) as a from generate_series(1, 3) n) a group by a order by a returning id, address)
     insert into escrow_looks (escrow_id, height, block_hash, mined_at, state, locked, owed, claimed, balance, fault, failure, failing_since)
       select id, 1, '0x', now(), 'open', true, 0, 0, 0, case when address like '0x1%' then 'short' end,
              case when address like '0x1%' then null else 'nodes_disagree' end,
              case when address like '0x2%' then now() - interval '1 hour' when address like '0x3%' then now() end from e`,
  )
  // Two reports of one comment are one to look at; what is hidden or kept waits for nobody.
  await run(
    'reports',
    `with a as (insert into announcements (title, body, published_at) values ('{"en": "News", "ru": ""}', '{"en": "News", "ru": ""}', now()) returning id),
     c as (insert into comments (announcement_id, user_id, body, shows_name, hidden_at, hidden_reason, hidden_by)
       select a.id, (select min(id) from users), w.body, false, case w.body when 'hidden' then now() end,
              case w.body when 'hidden' then 'spam' end, case w.body when 'hidden' then (select min(id) from operators) end
         from a cross join (values ('open'), ('kept'), ('hidden')) w (body) returning id, body)
     insert into comment_reports (comment_id, user_id, reason, settled_at)
       select c.id, u.id, 'spam', case c.body when 'kept' then now() end
         from c cross join (select id from users order by id limit 2) u`,
  )
  // Two giveaways are closed: one waits for its draw, the other for two of its prizes.
  await run(
    'giveaways',
    `with g as (insert into giveaways (rules, published_at, sha256, opens_at, closes_at, draw_at)
       select '{"handOverDays": 30}', now() - interval '9 days', a.sha256, now() - interval '9 days', now() - interval '8 days',
              now() - interval '7 days' from (values ('drawn'), ('undrawn')) a (sha256) returning id, sha256),
     l as (insert into giveaway_lists (giveaway_id, fixed_at, commitments, root)
       select id, now() - interval '8 days', '{}', '' from g returning giveaway_id),
     d as (insert into giveaway_draws (giveaway_id, signature, commitments)
       select l.giveaway_id, '', '{}' from l join g on g.id = l.giveaway_id where g.sha256 = 'drawn' returning giveaway_id)
     insert into giveaway_winners (giveaway_id, place, prize, user_id, shown_as, told_at, confirm_by, confirmed_at, handed_at, evidence)
       select d.giveaway_id, w.place, w.place, (select min(id) from users), 'a***', now() - interval '6 days', now() + interval '1 day',
              case when w.place < 4 then date_trunc('day', now()) - w.place * interval '1 day' end,
              case when w.place = 3 then now() end, case when w.place = 3 then 'handed over by hand' end
         from d cross join (values (1), (2), (3), (4)) w (place)`,
  )
  await run(
    'stage',
    `update stages set ends_at = now() + interval '3 hours', names = jsonb_build_object('en', name, 'ru', 'Этап 1')`,
  )
  const { attention, paused } = await overview('owner')
  expect(attention.map((item) => [item.kind, item.subject, item.detail])).toEqual([
    ['sale_paused', null, null],
    ['second_operator', 'currency.evm-wallet', null],
    [
      'wallet_changing',
      'ERC-20',
      expect.stringMatching(/^ETH, USDT,.*: 0x\w{40} → 0x52908400098527886E0F7030069857D2E4169EE7$/),
    ],
    ['stage_ending', 'Stage 1', null],
    ['rate_stale', 'SOL', null],
    ['mail_failing', 'send_mail', 'ECONNREFUSED'],
    ['job_stuck', 'something', null],
    ['events_waiting', null, null],
    ['payments_to_decide', null, null],
    ['settlement_failing', '1', 'no such stage'],
    ['refunds_due', '0.5 BTC', '12.50'],
    ['comments_reported', null, null],
    ['giveaway_undrawn', '2', null],
    ['prizes_to_hand_over', null, null],
    ['chain_lagging', 'base', null],
    ['chain_failing', 'bitcoin', 'a reorg below what was final'],
    ['chain_lagging', 'ethereum', null],
    ['distributor_failing', '1', 'distributor_short'],
    ['distributor_failing', '2', null],
    ['escrow_failing', 'Stage 1', 'short'],
    ['escrow_failing', 'Stage 1', null],
  ])
  // In each language, so that a page says it in its own.
  expect(attention.flatMap(({ name }) => name ?? [])).toEqual(
    Array.from({ length: 3 }, () => ({ en: 'Stage 1', ru: 'Этап 1' })),
  )
  expect(attention.find(({ kind }) => kind === 'payments_to_decide')?.count).toBe(1)
  expect(attention.find(({ kind }) => kind === 'comments_reported')?.count).toBe(1)
  const prizes = attention.find(({ kind }) => kind === 'prizes_to_hand_over')
  const dayStart = (await db.one<{ at: Date }>(sql`select date_trunc('day', now()) as at`)).at.getTime()
  expect(prizes).toMatchObject({ count: 2, since: new Date(dayStart + 28 * 86_400_000).toISOString() })
  expect(attention.filter(({ kind }) => kind === 'chain_lagging').map(({ count }) => count)).toEqual([
    null,
    490,
  ])
  expect(paused?.reason).toEqual({ en: 'Checking', ru: '' })
  const kindsFor = async (role: string) =>
    (await overview(role, false, '0.2.0')).attention.map(({ kind }) => kind)
  expect(await kindsFor('owner')).toEqual(expect.arrayContaining(['mail_unsent', 'newer_release']))
  expect(await kindsFor('content')).toEqual([
    'sale_paused',
    'stage_ending',
    'rate_stale',
    'comments_reported',
    'giveaway_undrawn',
    'prizes_to_hand_over',
  ])
})

it('says of no wallet that it changes from what it is not any more, or from where nothing is paid to', async () => {
  const moves = async () =>
    (await overview('owner')).attention
      .filter(({ kind, subject }) => kind === 'wallet_changing' && subject !== 'ERC-20')
      .map(({ subject, detail }) => [subject, detail])
  const { address } = await db.one<{ address: string }>(
    sql`select address from currencies where code = 'BTC'`,
  )
  const next = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  await run('two_ask', `update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  await expect(execute('currency.update', [{ code: 'BTC', address: next }])).rejects.toEqual(
    refused('second_operator_required'),
  )
  expect(await moves()).toEqual([['BTC', `${address} → ${next}`]])
  await run('moved', `update currencies set address = address || 'x' where code = 'BTC'`)
  expect(await moves()).toEqual([])
  await run(
    'watched',
    `with w as (insert into wallets (name, family, script, net, account_key) values ('w', 'bitcoin', 'p2wpkh', 'main', 'k') returning id)
     update currencies set address = left(address, -1), watched = true, wallet_id = w.id from w where code = 'BTC'`,
  )
  expect(await moves()).toEqual([])
})
