import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { type ChainSale, openChainSale } from '../../../test/chains/chain-sale.ts'
import { type Litecoind, startLitecoind } from '../../../test/chains/processes.ts'
import { brokenRules, buy, rules } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { writeJournal } from '../../../test/support/journal.ts'
import { statement } from '../../../test/support/statement.ts'
import { readChains } from '../chain-config.ts'
import { type Queryable } from '../database/database.ts'
import { makeHoldingTrees } from '../journal/holding-trees.ts'
import { announceWallets, type OpenAccount } from '../journal/wallet-trees.ts'
import { checkAside, checkInSnapshot, checkLedger, type LedgerRule } from '../ledger/check.ts'

/** The address of an order that is open still. */
const openAddress = "select o.place from orders o where o.watched and o.detail = 'awaiting_payment'"
const another =
  "insert into users (email, email_key, name, phone, password_hash) values ('other@example.org', 'other@example.org', 'Another', '+10000001', 'x')"

/** The sale is over, and pays back below so many dollars. */
const paysBackBelow = (usd: string) =>
  `update campaign set settings = settings || jsonb_build_object('softCapPolicy', 'refund', 'softCapUsd', '${usd}');
   update stages set starts_at = now() - interval '90 days', ends_at = now() - interval '30 days'`
const reached = `${paysBackBelow('100')}; select decide_soft_cap(clock_timestamp())`

/** By rule: each way in which a hand in the database breaks it. */
const corruptions: Record<string, readonly string[]> = {
  entries_sum_to_zero: [addEntry('min', '1')],
  postings_balance: [`${addEntry('min', '1')}; ${addEntry('max', '-1')}`],
  postings_have_entries: ["insert into postings (kind) values ('grant')"],
  approved_orders_are_credited_once: [
    "update orders set approvals = approvals + 1 where approved_via = 'operator'",
    "update orders set status = 'pending', approved_via = null, approved_at = null where approved_via = 'operator'",
  ],
  credits_match_orders: [
    "update orders set base_tokens = base_tokens + 0.000001 where approved_via = 'operator'",
    "update orders set bonus_tokens = bonus_tokens + 0.000001 where approved_via = 'operator'",
    "update orders set usd = usd + 0.01 where approved_via = 'operator'",
  ],
  entries_belong_to_their_orders: [
    // The whole credit of an order with another buyer.
    `${another}; update entries set user_id = (select max(id) from users) where user_id is not null; update holdings set user_id = (select max(id) from users)`,
    'update postings set user_id = null where order_id is not null',
    "insert into stages (name, goal_usd, price_usd, starts_at, ends_at) values ('Stage 9', 1, 1, now() + interval '9 years', now() + interval '10 years'); update entries set stage_id = (select max(id) from stages) where stage_id is not null",
  ],
  unsettled_orders_are_as_asked: ["update orders set asked = asked_of(orders) where status = 'pending'"],
  addresses_are_the_announced_ones: [
    // An address that its key does not give, of an order that is long over too.
    "update wallet_addresses set address = address || 'x' where wallet_id is not null and index = 0",
    'update wallet_tiles set hashes = substr(hashes, 33) where level = 0',
    'update wallet_announcements set root = sha256(root)',
  ],
  announcements_follow_their_keys: [
    // A next range under the seller's fingerprint, of an address that a thief chose.
    `insert into wallet_announcements (wallet_id, first_index, count, key_hash, seed, size)
       select wallet_id, max(first_index + count), 1, (array_agg(key_hash))[1], (array_agg(seed))[1], 1 from wallet_announcements group by wallet_id;
     insert into wallet_tiles (announcement, level, number, hashes)
       select n.id, 0, 0, leaf_of_address(n, n.first_index, 'thief') from wallet_announcements n where n.count = 1;
     select announce_addresses(n.id, leaf_of_address(n, n.first_index, 'thief')) from wallet_announcements n where n.count = 1`,
    'update wallet_tiles set hashes = overlay(hashes placing sha256(hashes) from 1) where level = 0',
    'update wallet_announcements set seed = sha256(seed)',
  ],
  journal_sums_holdings: [
    'delete from holding_leaves',
    'update holding_leaves set bonus = bonus + 1',
    'update holding_trees set sum = sum + 1',
  ],
  amounts_follow_from_each_other: [
    "update orders set usd = usd + 0.01 where approved_via = 'chain'",
    "update orders set bonus_tokens = bonus_tokens + 0.000001 where approved_via = 'chain'",
    "update orders set asked = row(base_tokens, bonus_tokens + 1, bonus_percent, usd, crypto_amount, rate)::order_amounts where approved_via = 'chain'",
  ],
  room_is_wanted: ["update orders o set room_base = 1 where o.detail = 'awaiting_payment'"],
  totals_fold_the_entries_by_day_and_way: [
    'update sale_totals set day = day - 3',
    'update sale_totals set raised_on_chain_usd = raised_by_operator_usd, raised_by_operator_usd = raised_on_chain_usd',
    'update sale_totals set orders_on_chain = orders_by_operator + 1, orders_by_operator = orders_on_chain - 1',
  ],
  payments_are_accounted_for: [
    // Confirmed money of a rejected order that nobody owes.
    "delete from refunds; update payments set owed = 0; delete from entries where posting_id in (select id from postings where kind like 'refund%'); delete from postings where kind like 'refund%'",
    'update payments set credited = credited / 2 where credited > 0',
    "update orders set status = 'pending', approved_via = null, approved_at = null; update payments set credited = 0",
  ],
  orders_settle_when_they_are_due: [
    "update orders set settle_at = now() - interval '1 hour' where status = 'pending'",
  ],
  holdings_fold_the_entries: [
    'update holdings set purchased_tokens = purchased_tokens + 0.000001',
    'update holdings set bonus_tokens = bonus_tokens + 0.000001',
    'update holdings set granted_tokens = granted_tokens + 0.000001',
    'update holdings set deposits_usd = deposits_usd + 0.01',
    'delete from holdings',
  ],
  totals_fold_the_entries: [
    'update sale_totals set raised_on_chain_usd = raised_on_chain_usd + 0.01',
    'update sale_totals set raised_by_operator_usd = raised_by_operator_usd + 0.01',
    'update sale_totals set purchased_tokens = purchased_tokens + 0.000001',
    'update sale_totals set bonus_tokens = bonus_tokens + 0.000001',
    'update sale_totals set orders_by_operator = orders_by_operator + 1',
  ],
  raised_is_the_sum_of_approved_orders: [
    "update orders set usd = usd + 0.01 where approved_via = 'operator'",
    "update orders set approved_via = 'chain', watched = true where approved_via = 'operator'",
  ],
  received_is_the_sum_of_approved_orders: [
    'update received_totals set amount = amount + 0.000001',
    'update received_totals set usd = usd + 0.01',
    'update received_totals set orders = orders + 1',
    'update received_totals set day = day - 1',
    'delete from received_totals',
    "update orders set crypto_amount = crypto_amount + 1 where approved_via = 'operator'",
  ],
  goals_are_kept: [
    'update stage_capacity set pool_usd = pool_usd - 0.01',
    "update orders set room_usd = room_usd + 0.01, room_base = room_base + 1 where status = 'pending'",
  ],
  caps_are_kept: [
    'update campaign_capacity set pool_usd = pool_usd - 0.01',
    'update campaign_capacity set pool_sale_tokens = pool_sale_tokens - 0.000001',
    'update campaign_capacity set pool_bonus_tokens = pool_bonus_tokens - 0.000001',
  ],
  soft_cap_verdict_follows_the_ledger: [
    `${reached}; update campaign set soft_cap_verdict = 'missed'`,
    `${reached}; update campaign set soft_cap_raised_usd = soft_cap_raised_usd + 0.01`,
    `${reached}; update campaign set soft_cap_raised_on_chain_usd = soft_cap_raised_on_chain_usd - 0.01`,
    `${reached}; update campaign set soft_cap_posting_id = 0`,
    `${reached}; update campaign set soft_cap_decided_at = (select max(ends_at) + interval '24 hours -1 second' from stages)`,
    `${reached}; update campaign set settings = settings || '{"softCapPolicy": "none"}'`,
    `${reached}; update campaign set settings = settings || '{"softCapUsd": "1000000"}'`,
  ],
  soft_cap_is_decided_and_kept: [
    paysBackBelow('100'),
    `${paysBackBelow('1000000')}; select decide_soft_cap(clock_timestamp() - interval '2 hours')`,
  ],
  grants_are_counted: ['update campaign_capacity set granted_tokens = granted_tokens + 0.000001'],
  chain_orders_stand_on_payments: [
    'update payments set credited = 0 where credited > 0',
    'update payments set block_height = null, confirmed = false where credited > 0',
    "update payments set replaced_by = 'another' where credited > 0",
    "update orders set approved_via = 'chain', watched = true where approved_via = 'operator'",
    "update orders set crypto_amount = crypto_amount * 0.99 where approved_via = 'chain'",
  ],
  credited_payments_have_approved_orders: [
    'update payments set order_id = null where credited > 0',
    "update payments set order_id = (select min(id) from orders where status = 'pending') where credited > 0",
  ],
  payments_pay_once: ['update payments set owed = amount - credited + 0.000001'],
  payments_owe_their_refunds: [
    'update payments set owed = owed - 0.000001 where owed > 0',
    "update refunds set state = 'written_off'",
  ],
  refunds_are_in_the_ledger: [
    "update refunds set amount = amount + 0.000001 where state = 'owed'",
    "update refunds set amount = amount + 0.000001 where state = 'paid'",
    "update refunds set state = 'sent' where state = 'paid'",
    "update refunds set currency = 'BTC' where state = 'owed'",
  ],
  refunds_are_paid_by_us: [
    "update refunds set named_at = null where state = 'paid'",
    "update refunds set paid_via = null where state = 'paid'",
    "update refunds set named_at = null, prepared_at = now(), transaction_id = null where state = 'paid'",
  ],
  refund_addresses_have_their_marks: [
    "update refunds set state = 'sent', address_mark = 'another' where state = 'paid'",
    "update refunds set state = 'sent', address_sealed = '\\x02' where state = 'paid'",
  ],
  open_addresses_follow_their_keys: [
    `with a as (update wallet_addresses set address = 'theirs', address_key = 'theirs' where address = (${openAddress}))
     update orders set place = 'theirs' where place = (${openAddress})`,
    `update wallet_addresses set index = index + 100 where address = (${openAddress})`,
    "update orders set place = 'theirs' where watched and status = 'pending'",
    "delete from wallet_addresses where address = (select address from orders where watched and status = 'pending')",
    "update wallets set account_key_sealed = '\\x02'",
  ],
  journal_says_every_row: [
    'delete from journal_entries where place = 2',
    'update journal_entries set row_id = row_id + 1000 where place = 1',
  ],
  journal_says_what_was_booked: [
    "update entries set amount = amount * 2 where account = 'raised_by_operator'",
    "update entries set amount = amount + 0.000001 where account = 'buyer_bonus'",
    "update entries set account = 'raised_by_operator' where account = 'raised_on_chain'",
    "update entries set amount = amount + 0.000001 where account = 'buyer_granted'",
    "update entries set amount = amount * 2 where account = 'refunds_owed'",
    `update journal_entries set entry = replace(entry, '"usd":"900"', '"usd":"900.01"')`,
  ],
  journal_says_its_facts: [
    `update journal_facts set said = said || '{"credited": "9"}' where kind = 'payment.credited'`,
    "delete from journal_facts where kind = 'payment.credited'",
    'update payments set credited = credited - 0.1 where credited > 0.1',
    "update currencies set address = 'elsewhere' where code = 'BTC'",
    `update legal_texts set body = '{"en": "Other", "ru": ""}'`,
    `update journal_entries set entry = replace(entry, '"native"', '"other"')`,
  ],
  journal_names_its_key: ["update journal_logs set vkey = vkey || 'A'"],
  journal_is_its_tree: [
    "update journal_entries set entry = entry || ' ' where place = 1",
    'update journal_tiles set hashes = substr(hashes, 33) where level = 0',
    'delete from journal_entries where place = (select max(place) from journal_entries)',
    'update journal_logs set size = size + 1',
    'delete from journal_checkpoints',
  ],
  own_coins_are_no_payments: [
    `insert into own_coins (chain, transaction_id, output, wallet_id, index, amount, height)
     select chain, transaction_id, output_key::integer, (select id from wallets), 0, amount, block_height from payments where credited > 0`,
    `insert into own_coins (chain, transaction_id, output, wallet_id, index, amount, height, spent_by, spent_height)
     select 'litecoin', 'aa', 0, id, 0, 1, 10, 'bb', 9 from wallets`,
  ],
  purchases_stand_on_what_nodes_show: [
    "update payments set lacking = tstzrange(now() - interval '1 hour', now(), '[]') where credited > 0",
  ],
  addresses_are_given_once: [
    "update orders set place = place || 'x' where watched",
    'update wallets set next_index = next_index - 1',
  ],
  confirmed_payments_have_enough_confirmations: [
    'update payments set confirmations = confirmations_needed - 1 where confirmed',
    'update payments set block_height = null where confirmed',
    'update payments set needs_second = true, verified_hash = null where confirmed',
  ],
}

/** What else stands in the way of such a hand; that these hold is tested where they belong. */
const guards = `
  alter table payments drop constraint payments_spent_once, drop constraint payments_confirmed_in_a_block,
    drop constraint payments_confirmed_deep_enough, drop constraint payments_confirmed_by_its_second;
  alter table campaign disable trigger user;
  alter table postings drop constraint postings_refund_id_fkey;
  alter table entries disable trigger user;
  alter table postings disable trigger user;
  alter table journal_entries disable trigger user;
  alter table journal_facts disable trigger user;
  alter table currencies disable trigger user;
  alter table legal_texts disable trigger user;
  alter table journal_checkpoints disable trigger user`

function addEntry(posting: 'min' | 'max', amount: string): string {
  return `insert into entries (posting_id, account, asset, amount) select ${posting}(id), 'sale_supply', 'TOKEN', ${amount} from postings`
}

const { db } = await createTestDatabase({ holds: 'demo' })
let node: Litecoind
let filled: ChainSale

beforeAll(async () => {
  node = await startLitecoind()
  filled = await openChainSale(
    db,
    readChains({ CHAIN_LITECOIN_RPC_URL: node.url, CHAIN_LITECOIN_NETWORK: 'regtest' }),
  )
  await filled.watch('LTC', 'litecoin', accountOf(ABANDON, "m/84'/1'/0'", 'vpub').publicExtendedKey)
  await fill(filled)
  const open: OpenAccount = (tx, id) => filled.wallets.account(tx, id)
  await announceWallets(db, open, 20)
  await writeJournal(db)
  // A tree of what is held is cut, and made once the journal says where.
  for (let step = 0; step < 2; step += 1) {
    await makeHoldingTrees(db)
    await writeJournal(db)
  }
  expect(await brokenRules(db)).toEqual([])
})
afterAll(() => node.stop())

/** Something of everything that a rule looks at: orders by state, grants, payments, refunds owed and paid. */
async function fill(sale: ChainSale): Promise<void> {
  const { buyer, operatorId } = sale
  await sale.pass('litecoin')
  const paid = await sale.order('LTC', '40')
  const [owed, refunded] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
  for (const order of [owed, refunded]) await sale.reject(order)
  for (const order of [paid, owed, refunded]) await node.send(order.address, '2')
  await mine(sale)
  const to = await node.rpc.call<string>('getnewaddress', '', 'bech32')
  const [claimed] = await sale.refunds.claim(sale.asBuyer, refunded.token, { address: to })
  const transactionId = await node.send(to, '2')
  await sale.execute('refund.sent', { refundId: claimed?.id ?? '', transactionId })
  await mine(sale)
  const byOperator = await buy(sale, buyer, '200')
  await sale.ledger.approve(String(byOperator.number), { operatorId })
  await buy(sale, buyer, '40')
  await sale.order('LTC', '40')
  await sale.ledger.grant({
    userId: buyer,
    amount: '10',
    operatorId,
    reason: 'thanks',
    idempotencyKey: undefined,
    requestHash: Buffer.alloc(0),
  })
  expect(await sale.show(paid)).toMatchObject({ status: 'approved' })
  expect(await sale.show(owed)).toMatchObject({ detail: 'refund_due' })
  expect(await sale.show(refunded)).toMatchObject({ detail: 'refunded' })
}

async function mine(sale: ChainSale): Promise<void> {
  await node.mine(6)
  await sale.pass('litecoin')
}

/** Ends a transaction whose outcome nobody wants. */
class Undone extends Error {
  readonly broken: string[]
  constructor(broken: string[]) {
    super('undone')
    this.broken = broken
  }
}

let count = 0
async function run(tx: Queryable, text: string): Promise<void> {
  for (const part of text.split(';')) await tx.query(statement(`test_corrupt_${(count += 1)}`, part))
}

/** The rules that the check calls broken after `corruption`, which is taken back. */
async function brokenBy(corruption: string): Promise<string[]> {
  const undone = await db
    .transaction(async (tx) => {
      await run(tx, guards)
      await run(tx, corruption)
      throw new Undone((await checkLedger(tx, rules)).map(({ rule }) => rule.name))
    })
    .catch((error: unknown) => error)
  if (!(undone instanceof Undone)) throw undone
  return undone.broken
}

test('a node knows the payment that is credited, and none that the journal says otherwise', async () => {
  const lookUp = filled.lookUp.bind(filled, 'litecoin', node.url)
  expect(await lookUp()).toBe('1 found')
  expect(await lookUp({ transaction: 'ab'.repeat(32) })).toMatch(/no chain knows/)
  expect(await lookUp({ amount: '2.1' })).toBe('0 found; it brought 2, not 2.1')
  expect(await lookUp({ output: '7' })).toMatch(/its output 7 pays nothing/)
  expect(await lookUp({ address: 'another' })).toMatch(/not another/)
  await expect(filled.lookUp('litecoin', 'http://127.0.0.1:1')).rejects.toThrow('did not answer')
})

test('each rule is told when it is asked and what it found, in turn', async () => {
  const told: string[] = []
  await checkInSnapshot(db, rules, {
    begins: ({ name }, place) => told.push(`${place} ${name}`),
    ends: ({ rule, rows }) => told.push(`${rule.name} ${rows.length}`),
  })
  expect(told).toEqual(rules.flatMap(({ name }, place) => [`${place + 1} ${name}`, `${name} 0`]))
})

test('each rule has a hand that breaks it [NUM-4, LOG-1]', () => {
  expect(Object.keys(corruptions).toSorted()).toEqual(rules.map(({ name }) => name).toSorted())
})

test.each(Object.entries(corruptions))(
  '%s is found broken [HOLD-3, HOLD-8, LEDGER-1, SETTLE-1, REFUND-1, RIGHT-18]',
  async (rule, ways) => {
    for (const way of ways) expect(await brokenBy(way), way).toContain(rule)
  },
)

test('what orders take of goals and caps is read by index, and is what all of them together take', async () => {
  const all = `select coalesce(sum(room_usd + usd * n), 0) as usd, coalesce(sum(room_base + base_tokens * n), 0) as sale,
                      coalesce(sum(room_bonus + bonus_tokens * n), 0) as bonus
                 from orders, lateral (select (status = 'approved')::integer as n) bought`
  const taken =
    'select sum(usd) as usd, sum(sale_tokens) as sale, sum(bonus_tokens) as bonus from taken_capacity()'
  const plan: { 'QUERY PLAN': string }[] = []
  const undone = db.transaction(async (tx) => {
    expect(
      await tx.query(statement('same', `select a.* = t.* as same from (${all}) a, (${taken}) t`)),
    ).toEqual([{ same: true }])
    // A few rows are read quicker as a whole: what could be is what counts.
    await tx.query(statement('no_scan', 'set local enable_seqscan = off'))
    plan.push(
      ...(await tx.query<{ 'QUERY PLAN': string }>(statement('plan', `explain (costs off) ${taken}`))),
    )
    throw new Error('taken back')
  })
  await expect(undone).rejects.toThrow('taken back')
  const lines = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(lines.match(/orders_\w+/g)?.toSorted()).toEqual(['orders_held'])
  expect(lines).not.toContain('Seq Scan on orders')
})

test('each check has memory for its sums, and one beside buyers keeps to one core', async () => {
  const sql = `select current_setting('work_mem') as memory, current_setting('max_parallel_workers_per_gather') as workers,
                      current_setting('transaction_isolation') as isolation`
  const asking: LedgerRule[] = [{ name: 'asked', says: '', sql }]
  const [{ workers: usual } = { workers: '' }] = await db.query<{ workers: string }>(statement('usual', sql))
  const asked = { memory: '64MB', isolation: 'repeatable read' }
  expect(await checkInSnapshot(db, asking)).toMatchObject([{ rows: [{ ...asked, workers: usual }] }])
  const aside = await checkAside(db, asking)
  expect(aside).toMatchObject([{ rows: [{ ...asked, workers: '0' }] }])
})
