import { expect, test } from 'vitest'
import { type ChainSale, letPass, setRate } from '../../../test/chains/chain-sale.ts'
import { type PaperChain, withPaperChain } from '../../../test/chains/paper-chain.ts'
import { setGoal } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { freezeNow } from '../../../test/support/rounds.ts'
import { statement } from '../../../test/support/statement.ts'

// 40 tokens cost 2 LTC at $90: 20 tokens a coin, $4.50 a token. The smallest order is 40 tokens, a chain asks for 6 blocks.

type Order = Awaited<ReturnType<ChainSale['order']>>

const owed = async ({ sale }: PaperChain, order: Order) =>
  (await sale.refunds.ofOrder(order.userId, order.token)).map(({ amount, reason, state }) => [
    amount,
    reason,
    state,
  ])
/** One block for what is below $1,000, and six for what is not. */
const askMoreFrom1000Usd = (sale: ChainSale) =>
  sale.sql(
    'rules',
    `update chains set confirmation_rules = '[{"belowUsd": "1000", "confirmations": 1}, {"belowUsd": null, "confirmations": 6}]'`,
  )
const endStage = (sale: ChainSale) =>
  sale.sql(
    'end_stage',
    "update stages set starts_at = now() - interval '40 days', ends_at = now() - interval '1 hour'",
  )

test('what is too little buys nothing and is not owed; what comes later buys by its own rate [SETTLE-9, LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '1000')
    await chain.pay(order, '0.0001')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'awaiting_payment' })
    await letPass(sale, order, '2 hours')
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'expired' })
    expect(await sale.sql('states', 'select payment_state(payments) as state from payments')).toEqual([
      { state: 'too_little' },
    ])
    // The coin has halved: what comes now buys half.
    await setRate(sale, '10')
    await chain.pay(order, '50')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      detail: 'credited',
      baseTokens: '500.000000',
      rate: '10',
    })
    expect(await owed(chain, order)).toEqual([])
  }))

test('what is too little completes an order, and is owed back with it [SETTLE-9, SETTLE-12]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '1000')
    await chain.pay(order, '49.99')
    await chain.pay(order, '0.01')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '1000.000000' })
    await sale.reject(order)
    expect((await owed(chain, order)).map(([amount]) => amount)).toEqual(['49.99', '0.01'])
  }))

test('a rest that comes after the expiry buys by its own rate [SETTLE-9, LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '1000')
    await chain.pay(order, '45')
    await chain.mine(5)
    await letPass(sale, order, '2 hours')
    await setRate(sale, '10')
    await chain.pay(order, '5')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '950.000000' })
    expect(await owed(chain, order)).toEqual([])
    // Once the sale is paused, it is owed.
    await sale.sql('paused', 'update campaign set paused_at = now()')
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      detail: 'overpaid',
      baseTokens: '950.000000',
    })
    expect(await owed(chain, order)).toEqual([['2', 'late', 'owed']])
    await sale.sql('resumed', 'update campaign set paused_at = null')
  }))

test('a part buys as soon as it is counted, and the rest by the expiry completes the order [SETTLE-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '1000')
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      detail: 'underpaid',
      baseTokens: '40.000000',
    })
    await chain.pay(order, '43')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ detail: 'underpaid', baseTokens: '900.000000' })
    await letPass(sale, order, '2 hours')
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      detail: 'credited',
      baseTokens: '900.000000',
    })
  }))

test('largest order and levels are those of when the order was made [SETTLE-10, BONUS-2]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await sale.sql(
      'other_terms',
      `update campaign set settings = settings || jsonb_build_object('orderMaximumTokens', '50', 'levels',
         (select jsonb_agg(level || '{"bonusPercent": "0"}') from jsonb_array_elements(settings -> 'levels') level))`,
    )
    await chain.pay(order, '5')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      baseTokens: '100.000000',
      bonusTokens: '5.000000',
    })
  }))

test('what comes in time after the approval buys more: the order is approved anew for all of it [SETTLE-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.mine()
    await chain.pay(order, '1')
    await chain.mine(5)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '60.000000' })
    expect(await owed(chain, order)).toEqual([])
    expect((await sale.show(order)).events.map(({ kind }) => kind)).not.toContain('payment_lost')
    // The chain takes the second one back for good.
    await chain.reorg(6)
    await chain.mine(5)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
  }))

test('what comes after the approval buys as far as there is room, the rest is owed [SETTLE-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '200')
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.mine(6)
    await chain.pay(order, '1')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      baseTokens: '44.444444',
      usd: '200.00',
    })
    expect(await owed(chain, order)).toEqual([['0.7777778', 'cap_reached', 'owed']])
  }))

test('tokens in a delivery round stay there, and what comes then buys more [SETTLE-10, DELIVER-29]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.mine(6)
    await chain.mine(95)
    await freezeNow(sale, sale.buyer)
    const more = await chain.pay(order, '1')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '60.000000' })
    await chain.reorg(6, [more])
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
    expect(await owed(chain, order)).toEqual([])
    await expect(sale.reject(order)).rejects.toEqual(refused('tokens_allocated'))
  }))

test('fewer blocks above a payment undo nothing that it bought [SETTLE-16]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.mine(6)
    await chain.reorg(3)
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      detail: 'credited',
      payments: [{ confirmations: 3 }],
    })
    await chain.mine(3)
    expect(await sale.sql('once', 'select approvals from orders')).toEqual([{ approvals: 1 }])
  }))

test('what bought late stays bought, whatever the settings say later of how old a rate may be [LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '2 hours')
    await sale.sql(
      'of_a_feed',
      `update currency_rates set from_at = from_at - interval '3 hours', source = 'feed', read_at = now() - interval '3 minutes'`,
    )
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
    await sale.sql('fresher', `update campaign set settings = settings || '{"feedRateMaxMinutes": 1}'`)
    await sale.sql('again', 'select settle_order($1)', [order.number])
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
  }))

test('a block that only counts settles nothing: a first, a deciding and a final one do', () =>
  withPaperChain(async ({ sale, pay, mine }) => {
    const order = await sale.order('LTC', '40')
    await pay(order, '2')
    const settled: number[] = []
    for (let block = 0; block < 8; block += 1) settled.push(await mine())
    expect(settled).toEqual([1, 0, 0, 0, 0, 1, 0, 0])
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    expect([await mine(91), await mine(), await mine()]).toEqual([0, 1, 0])
  }))

test('a late payment above the largest order buys the largest order, and the rest is owed [LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'small_orders',
      `update campaign set settings = jsonb_set(settings, '{orderMaximumTokens}', '"100"')`,
    )
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '2 hours')
    await chain.pay(order, '50')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '100.000000' })
    expect(await owed(chain, order)).toEqual([['45', 'overpaid', 'owed']])
  }))

test('of several rates and prices at one moment the last is in force', () =>
  withPaperChain(async ({ sale }) => {
    for (const rate of ['30', '10', '40'])
      await sale.sql(
        'rate_then',
        `insert into currency_rates (currency_id, rate, main_usd, reason, from_at)
         select id, $1, 4.5, 'test', '2100-01-01Z' from currencies where code = 'LTC'`,
        [rate],
      )
    for (const price of ['5', '3', '6'])
      await sale.sql(
        'price_then',
        "insert into price_changes (price_usd, reason, changed_at) values ($1, 'test', '2100-01-01Z')",
        [price],
      )
    const inForce = await sale.sql(
      'rate_now',
      "select trim_scale(r.rate)::text as rate, trim_scale(r.price_usd)::text as price from currencies k, rate_at(k.id, '2100-01-01Z') r where k.code = 'LTC'",
    )
    expect(inForce).toEqual([{ rate: '40', price: '6' }])
  }))

test('parts need the confirmations of their sum [SETTLE-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await askMoreFrom1000Usd(sale)
    const order = await sale.order('LTC', '40')
    for (let part = 0; part < 20; part += 1) await chain.pay(order, '11')
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await chain.mine(5)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '4400.000000' })
  }))

test('a part that is bought stays bought, and the next one waits for what their sum asks for [SETTLE-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await askMoreFrom1000Usd(sale)
    const order = await sale.order('LTC', '120')
    await chain.pay(order, '3')
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '60.000000' })
    await chain.pay(order, '9')
    await chain.mine(5)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '60.000000' })
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '240.000000' })
  }))

test('what no block holds yet has none of them wait', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await askMoreFrom1000Usd(sale)
    const order = await sale.order('LTC', '120')
    await chain.pay(order, '6')
    await chain.pay(order, '6', 'waiting')
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '120.000000' })
  }))

test('a payment needs what its order’s own price asks for, whatever the price is by then [SETTLE-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await askMoreFrom1000Usd(sale)
    const order = await sale.order('LTC', '40')
    await sale.sql('price', 'update campaign set price_usd = 45')
    await chain.pay(order, '2')
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
  }))

test('a refund that was paid by word stays paid, whatever a reorg does with its payment [REFUND-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await sale.reject(order)
    const payment = await chain.pay(order, '2')
    await chain.mine(6)
    const [refund] = await sale.sql<{ id: string }>(
      'claim',
      "update refunds set state = 'claimed', address = 'theirs', address_key = 'theirs', claimed_at = now() returning id::text",
    )
    await sale.sql('by_word', `select pay_refund_by_word($1, 'sending')`, [refund?.id])
    const paid = [['2', 'order_rejected', 'paid']]
    expect(await owed(chain, order)).toEqual(paid)
    await chain.reorg(6)
    expect(await owed(chain, order)).toEqual(paid)
    await chain.include(payment)
    await chain.mine(6)
    expect(await owed(chain, order)).toEqual(paid)
    expect(await sale.show(order)).toMatchObject({ detail: 'refunded' })
    // What operators said, no chain showed.
    const saying = await sale.sql<{ actor: string; id: string }>(
      'saying',
      "select actor, details ->> 'transactionId' as id from order_events where kind = 'refund_paid' order by id",
    )
    expect(saying).toEqual([{ actor: 'operator', id: 'sending' }])
  }))

test('a payment that a block executed with more needs what it is now', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await askMoreFrom1000Usd(sale)
    const order = await sale.order('LTC', '40')
    const payment = await chain.pay(order, '2', 'waiting')
    await chain.include(payment, '220')
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await chain.mine(5)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '4400.000000' })
  }))

test('parts wait for the second node that their sum asks for [SETTLE-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    for (let part = 0; part < 2; part += 1) await chain.pay(order, '11')
    await chain.mine(50)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await sale.sql('verified', 'update payments set verified_hash = block_hash')
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '440.000000' })
  }, '1000'))

test('an order that can’t be settled is put off with its error, and the others settle [SETTLE-15]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [broken, sound] = [await sale.order('LTC', '200'), await sale.order('LTC', '200')]
    // A trigger that refuses one order's approval stands for whatever nobody thought of.
    await sale.sql(
      'refuse_function',
      `create function test_refuse() returns trigger language plpgsql as $$ begin raise exception 'nobody thought of it'; end $$`,
    )
    await sale.sql(
      'refuse',
      `create trigger test_refuse before update on orders for each row
         when (new.status = 'approved' and new.id = ${broken.number}) execute function test_refuse()`,
    )
    for (const order of [broken, sound]) await chain.pay(order, '5')
    await chain.mine(5)
    await sale.sql('counted', 'update payments set confirmed = true, confirmations = 6')
    await sale.sql('due', 'update orders set settle_at = now()')
    await sale.settleDue()
    expect(await sale.show(sound)).toMatchObject({ status: 'approved' })
    const failed = () =>
      sale.sql(
        'failed',
        `select settle_failures as failures, settle_error as error, settle_at > now() as "isPutOff" from orders where id = $1`,
        [broken.number],
      )
    expect(await failed()).toEqual([{ failures: 1, error: 'nobody thought of it', isPutOff: true }])
    // In a watcher's pass it stops nobody else's payment either.
    await sale.sql('in_a_pass', 'select settle_or_put_off($1)', [broken.number])
    expect(await failed()).toEqual([{ failures: 2, error: 'nobody thought of it', isPutOff: true }])
    // The money came: nobody is asked to send it, and the order can't be hidden.
    expect(await sale.show(broken)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await letPass(sale, broken, '2 hours')
    expect(await sale.show(broken)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await sale.sql('fixed', 'drop trigger test_refuse on orders')
    await sale.settleDue()
    expect(await sale.show(broken)).toMatchObject({ status: 'approved' })
    expect(await failed()).toEqual([{ failures: 0, error: null, isPutOff: null }])
  }))

test('a late payment leaves no capacity behind when one of two payments is lost', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '30 hours')
    await chain.pay(order, '5')
    await chain.mine(1)
    const lost = await chain.pay(order, '3')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '160.000000' })
    await chain.reorg(6, [lost])
    await chain.mine(7)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '100.000000' })
    expect(await sale.broken()).toEqual([])
  }))

test('a reorg after the credit tells nobody that the order was rejected [SETTLE-16]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.mine(6)
    await sale.sql('told', 'delete from outbox')
    await chain.reorg(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'under_review' })
    const kinds = (await sale.sql<{ kind: string }>('kinds', 'select distinct kind from outbox')).map(
      ({ kind }) => kind,
    )
    expect(kinds.toSorted()).toEqual(['order_changed', 'order_undone'])
    const { events } = await sale.show(order)
    expect(events.map(({ kind }) => kind)).not.toContain('rejected')
  }))

test('webhooks hear of an approval once, of each change of what is bought, and of its end [ORDER-18]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const told = async () =>
      (
        await sale.sql<{ kind: string }>(
          'told_of_orders',
          "with told as (delete from outbox returning id, kind) select kind from told where kind <> 'order_changed' order by id",
        )
      ).map(({ kind }) => kind)
    const order = await sale.order('LTC', '40')
    await told()
    const first = await chain.pay(order, '1')
    await chain.mine(6)
    expect(await told()).toEqual(['order_created', 'order_approved'])
    const second = await chain.pay(order, '1')
    await chain.mine(6)
    expect(await told()).toEqual(['order_adjusted'])
    await chain.mine(6)
    expect(await told()).toEqual([])
    await chain.reorg(12, [second])
    expect(await told()).toEqual(['order_adjusted'])
    await chain.reorg(6, [first])
    expect(await told()).toEqual(['order_undone'])
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await told()).toEqual(['order_approved'])
    await sale.reject(order)
    expect(await told()).toEqual(['order_rejected', 'refund_owed'])
  }))

test('an order whose payment is gone for good is as if nothing had been paid, and expires [SETTLE-16]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const spent = await chain.pay(order, '2')
    await chain.mine(6)
    await chain.reorg(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'under_review' })
    await chain.reorg(1, [spent])
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'awaiting_payment' })
    await letPass(sale, order, '2 hours')
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'expired' })
    await sale.sql('settle_again', 'select settle_order($1)', [order.number])
    expect(await sale.show(order)).toMatchObject({ detail: 'expired' })
    // Nor is one under review that no node has had for a day.
    const forgotten = await sale.order('LTC', '40')
    await chain.pay(forgotten, '2')
    await chain.mine(6)
    await chain.reorg(6)
    await letPass(sale, forgotten, '30 hours')
    expect(await sale.show(forgotten)).toMatchObject({ detail: 'under_review' })
    await sale.sql('nobody_has_it', "select note_mempool('litecoin', '{}', '{}')")
    await sale.sql('a_day', "update payments set missing_since = missing_since - interval '25 hours'")
    await chain.mine(1)
    expect(await sale.show(forgotten)).toMatchObject({ status: 'pending', detail: 'expired' })
    // Nor one whose sender has used the number of its transaction since.
    const overtaken = await sale.order('LTC', '40')
    const transactionId = await chain.pay(overtaken, '2')
    await chain.mine(6)
    await chain.reorg(6)
    await sale.sql('overtaken', "select note_mempool('litecoin', array[$1], null)", [transactionId])
    expect(await sale.show(overtaken)).toMatchObject({ detail: 'awaiting_payment' })
  }))

test('an order whose first payment lost its first block may see it again, and asks for no other one [SETTLE-16]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const little = await sale.order('LTC', '40')
    const id = await chain.pay(order, '2')
    await chain.pay(little, '0.0001')
    await chain.mine(1)
    await chain.reorg(1)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'under_review' })
    // Anybody may send a little.
    expect(await sale.show(little)).toMatchObject({ detail: 'awaiting_payment' })
    await chain.include(id)
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
  }))

test('a refund that the chain took back leaves the order as it was decided', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [reversed, rejected] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
    await sale.reject(rejected)
    for (const order of [reversed, rejected]) await chain.pay(order, '2')
    await chain.mine(6)
    await sale.ledger.reject(String(reversed.number), { operatorId: sale.operatorId, reason: 'sanctions' })
    for (const order of [reversed, rejected])
      expect(await sale.show(order)).toMatchObject({ status: 'rejected', detail: 'refund_due' })
    await chain.reorg(6)
    expect(await sale.show(reversed)).toMatchObject({ status: 'rejected', detail: 'reversed' })
    expect(await sale.show(rejected)).toMatchObject({ status: 'rejected', detail: 'rejected_by_operator' })
    expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00', count: 0 })
  }))

test('an order says how it was decided once what it owes is paid back, and what it owes once the chain takes that back [REFUND-13]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [more, reversed] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
    // What came in another coin and is owed back is none of its money.
    await chain.pay(reversed, '1')
    await sale.sql('in_another_coin', "update payments set fault = 'wrong_asset'")
    await chain.mine(6)
    await sale.execute('payment.refund', { paymentId: '1' })
    for (const order of [more, reversed]) await chain.pay(order, '2')
    await chain.mine(6)
    await sale.ledger.reject(String(reversed.number), { operatorId: sale.operatorId })
    await letPass(sale, more, '2 hours')
    await sale.sql('paused', 'update campaign set paused_at = now()')
    await chain.pay(more, '5')
    await chain.mine(14)
    const shown = async () => [(await sale.show(more)).detail, (await sale.show(reversed)).detail]
    const send = async () => {
      await sale.sql(
        'send_refunds',
        `update refunds set state = 'sent', address = 'theirs', address_key = 'theirs', claimed_at = now(), named_at = now(),
                transaction_id = 'sending ' || id, block_height = 1021`,
      )
      await sale.sql('refunds_are_paid', `select refresh_refunds('litecoin', 1026)`)
    }
    expect(await shown()).toEqual(['overpaid', 'refund_due'])
    await send()
    expect(await shown()).toEqual(['credited', 'refunded'])
    await chain.reorg(6)
    expect(await shown()).toEqual(['overpaid', 'refund_due'])
    await chain.mine(6)
    await send()
    expect(await shown()).toEqual(['credited', 'refunded'])
  }))

test('a transaction that its block executes with another amount pays no refund [REFUND-5]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await sale.reject(order)
    await chain.pay(order, '2')
    await chain.mine(20)
    await sale.sql(
      'claim_and_send',
      `update refunds set state = 'sent', address = 'theirs', address_key = 'theirs', claimed_at = now(), named_at = now(),
              transaction_id = 'sending', output_key = '0'`,
    )
    const show = (amount: string, height: number | null) =>
      sale.sql(
        'show_sending',
        `select record_refund_sending(row('litecoin', 'sending', '0', 'theirs', 'native', $1, $2, null, null, false, '{}', null)::chain_transfer, null)`,
        [amount, height],
      )
    await show('2', null)
    await show('1.98', 1_007)
    await sale.sql('refund_is_paid', `select refresh_refunds('litecoin', 1026)`)
    expect(await owed(chain, order)).toEqual([['2', 'order_rejected', 'sent']])
    // Operators see what it brought.
    const brought = () => sale.sql('brought', 'select transaction_id as id, amount from refund_transfers')
    expect(await brought()).toEqual([{ id: 'sending', amount: '1.98' }])
    await show('2', 1_008)
    await sale.sql('refund_is_paid', `select refresh_refunds('litecoin', 1026)`)
    expect(await owed(chain, order)).toEqual([['2', 'order_rejected', 'paid']])
    expect(await brought()).toEqual([])
  }))

/** A pause, or its end, with its line of the public history. */
function pauses(isPaused: boolean): string {
  const [before, after] = isPaused ? ['null', "'true'"] : ["'true'", 'null']
  return `do $$ begin
    update campaign set paused_at = ${isPaused ? 'now()' : 'null'};
    insert into campaign_changes (setting, before, after) values ('paused', ${before}, ${after});
  end $$`
}

test.each([
  ['the sale is paused', pauses(true), pauses(false)],
  [
    'a token has another price',
    "insert into price_changes (price_usd, previous_usd, reason) values (9, 4.5, 'test')",
    "insert into price_changes (price_usd, previous_usd, reason) values (4.5, 9, 'test')",
  ],
  [
    'its currency is paused',
    "update currencies set paused_at = now() where code = 'LTC'",
    'update currencies set paused_at = null',
  ],
  [
    'its currency is switched off',
    "update currencies set switched_off_at = now() where code = 'LTC'",
    'update currencies set switched_off_at = null',
  ],
  [
    'its currency has no wallet',
    "update currencies set watched = false, address = '' where code = 'LTC'",
    "update currencies set watched = true where code = 'LTC'",
  ],
])('what is paid late while %s is owed back, also when it is judged afterwards [LATE-1]', (_, stop, start) =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [late, bought] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
    for (const order of [late, bought]) await letPass(sale, order, '30 hours')
    await sale.sql('stop', stop)
    await chain.pay(late, '2')
    await sale.sql('start', start)
    await chain.pay(bought, '2')
    await sale.sql('stop_again', stop)
    await chain.mine(6)
    expect(await sale.show(late)).toMatchObject({ status: 'pending', detail: 'refund_due' })
    expect(await sale.show(bought)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
  }),
)

test('what is paid late while another stage is open is owed back [LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '30 hours')
    await endStage(sale)
    await sale.sql(
      'second_stage',
      `insert into stages (name, goal_usd, price_usd, starts_at, ends_at, price_applied_at)
       values ('Stage 2', 1000000, 4.5, now() - interval '1 minute', now() + interval '30 days', now())`,
    )
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refund_due' })
  }))

test('tokens are rounded half up', () =>
  withPaperChain(async (chain) => {
    const order = await chain.sale.order('LTC', '40')
    await setRate(chain.sale, '0.222222222222')
    const odd = await chain.sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.pay(odd, '270.0000005')
    await chain.mine(6)
    expect(await chain.sale.show(odd)).toMatchObject({ status: 'approved', baseTokens: '60.000000' })
  }))

test('a payment that failed pays its order once another block executes it, and only then counts as sent [ORDER-13]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const payment = await chain.pay(order, '2', 'failed')
    await chain.mine()
    expect((await sale.show(order)).sentAt).toBeNull()
    await chain.reorg(1)
    await chain.include(payment)
    await chain.mine(5)
    expect(await sale.show(order)).toMatchObject({ detail: 'confirming', sentAt: expect.any(String) })
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
  }))

test('coins that a balance showed count once, though their transfer is shown after all [SETTLE-2]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await sale.sql('base', 'update wallet_addresses set base_balance = 0, base_sent = 0')
    const balanceIs = (balance: string) =>
      sale.sql(
        'balance',
        `select record_balance(row('litecoin', 1001, 'block 1001', null, clock_timestamp(), null)::chain_blocks, $1, $2, 0, null)`,
        [order.address, balance],
      )
    // The node says that the transfer failed, but its coins are there, and a little that a contract sent.
    const payment = await chain.pay(order, '2', 'failed')
    await balanceIs('2.5')
    await chain.include(payment)
    await balanceIs('2.5')
    await chain.mine(6)
    const amounts = await sale.sql('standing', 'select amount::text from payments where alive order by id')
    expect(amounts).toEqual([{ amount: '2.5' }])
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '50.000000' })
  }))

test('an order takes the tokens that its payments in blocks buy, and gives back what the chain takes away [HOLD-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '60')
    const shown = async () => {
      const [row] = await sale.sql<{ room: string; detail: string }>(
        'room',
        'select trim_scale(o.room_base)::text as room, o.detail from orders o where o.id = $1',
        [order.number],
      )
      return [row?.room, row?.detail]
    }
    const little = await chain.pay(order, '0.1', 'waiting')
    expect(await shown()).toEqual(['0', 'seen'])
    await chain.include(little)
    await chain.mine()
    expect(await shown()).toEqual(['2', 'confirming'])
    const rest = await chain.pay(order, '2.9', 'waiting')
    await chain.mine()
    expect(await shown()).toEqual(['2', 'confirming'])
    await chain.include(rest)
    await chain.mine()
    expect(await shown()).toEqual(['60', 'confirming'])
    expect(await sale.broken()).toEqual([])
    await chain.reorg(1, [rest])
    await chain.mine()
    expect(await shown()).toEqual(['2', 'confirming'])
  }))

test('a payment has the room that is left when a block holds it, the rest of it is owed [HOLD-4, SETTLE-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '400')
    const [first, second] = [await sale.order('LTC', '60'), await sale.order('LTC', '50')]
    await chain.pay(second, '2.5')
    await chain.pay(first, '3')
    await chain.mine(6)
    expect([await sale.show(second), await sale.show(first)]).toMatchObject([
      { status: 'approved', baseTokens: '50.000000' },
      { status: 'approved', detail: 'overpaid', baseTokens: '38.888888', usd: '175.00' },
    ])
    expect(await owed(chain, first)).toEqual([['1.0555556', 'cap_reached', 'owed']])
  }))

test('an order whose payment covers it keeps its place past its expiry while that is awaited [HOLD-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '600')
    const order = await sale.order('LTC', '100')
    await chain.pay(order, '4.5')
    await chain.mine(1)
    await letPass(sale, order, '2 hours')
    expect(await sale.show(order)).toMatchObject({ held: true, detail: 'confirming' })
    // Others may not take what it was promised.
    await expect(sale.order('LTC', '60')).rejects.toEqual(refused('cap_reached'))
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '90.000000' })
  }))

test('what a spent input and a coin’s transfer read does not grow with the payments that are not final', () =>
  withPaperChain(async ({ sale }) => {
    const order = await sale.order('LTC', '40')
    // On a busy chain: those of the last quarter of an hour, all confirmed and credited.
    await sale.sql(
      'not_final',
      `insert into payments (chain, transaction_id, output_key, address, asset, amount, block_height, block_hash, inputs, confirmations_needed, confirmations,
                             seen_at, first_seen_at, confirmed, credited)
       select 'litecoin', 'busy ' || n, '0', 'somewhere ' || n, 'native', 1, 1000, 'block 1000', array['in:busy ' || n], 1, 1, now(), now(), true, 1
         from generate_series(1, 2000) n`,
    )
    // A sale that has just begun: nothing counted its rows yet.
    const rows = await sale.db.transaction(async (tx) => {
      const read = statement(
        'test_payments_read',
        `select (idx_tup_fetch + seq_tup_read)::integer as rows from pg_stat_xact_user_tables where relname = 'payments'`,
      )
      await tx.query(statement('test_by_index', 'set local enable_seqscan = off'))
      const before = await tx.one<{ rows: number }>(read)
      await tx.query(
        statement(
          'test_transfer',
          `select order_id from record_transfer(row('litecoin', 'new', '0', $1, 'native', '2', 1001, 'block 1001', clock_timestamp(), false,
                    array['in:new'], null)::chain_transfer, null)`,
        ),
        [order.address],
      )
      await tx.query(
        statement(
          'test_spend',
          `select record_spend('litecoin', 'in:new', 'new', 1001), raise_payment_needs('litecoin')`,
        ),
      )
      return (await tx.one<{ rows: number }>(read)).rows - before.rows
    })
    expect(rows).toBeLessThan(50)
    await sale.sql('forgotten', "delete from payments where transaction_id like 'busy %'")
  }))

test('what a block reads grows with the payments to one order, not with their square', () =>
  withPaperChain(async ({ sale }) => {
    const order = await sale.order('LTC', '40')
    await sale.sql(
      'dust',
      `insert into payments (chain, transaction_id, output_key, address, asset, currency_id, amount, order_id, user_id, block_height, block_hash,
                             inputs, confirmations_needed, seen_at)
       select 'litecoin', 'dust', n, o.address, 'native', o.currency_id, 0.0001, o.id, o.user_id, 1000, 'block 1000', array['in:dust'], 1, now()
         from orders o, generate_series(1, 400) n where o.id = $1`,
      [order.number],
    )
    const rows = await sale.db.transaction(async (tx) => {
      const read = statement(
        'test_dust_read',
        `select sum(idx_tup_fetch + seq_tup_read)::integer as rows from pg_stat_xact_user_tables`,
      )
      const before = await tx.one<{ rows: number }>(read)
      await tx.query(
        statement(
          'test_dust_pass',
          `select raise_payment_needs('litecoin'), refresh_payments('litecoin', 1001, 120), settle_order(${order.number})`,
        ),
      )
      return (await tx.one<{ rows: number }>(read)).rows - before.rows
    })
    expect(rows).toBeLessThan(400 * 60)
    await sale.sql('dust_gone', "delete from payments where transaction_id = 'dust'")
  }))

test('what was received is what was bought with, to the last decimal of the coin [NUM-2]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [part, full] = [await sale.order('LTC', '400'), await sale.order('LTC', '40')]
    await chain.pay(part, '0.0200005')
    // A cent is missing.
    await chain.pay(full, '1.99990007')
    await chain.mine(6)
    expect(await sale.show(full)).toMatchObject({ baseTokens: '40.000000', cryptoAmount: '1.99990007' })
    expect(await sale.sql('received', 'select sum(amount)::text as amount from received_totals')).toEqual([
      { amount: '2.01990057' },
    ])
  }))

test('cents of a payment that find no room are no debt [SETTLE-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await setGoal(sale, '135')
    await chain.pay(order, '1.50013')
    await chain.mine(6)
    expect(await owed(chain, order)).toEqual([])
    expect(await sale.show(order)).toMatchObject({ baseTokens: '30.000000', cryptoAmount: '1.500130' })
    expect(await sale.show(order)).toMatchObject({ usd: '135.00', payments: [{ state: 'credited' }] })
    // It stands as it was, though there is room again.
    await setGoal(sale, '1000')
    await chain.mine(1)
    await sale.sql('settle_again', 'select settle_order($1)', [order.number])
    expect(await sale.show(order)).toMatchObject({ usd: '135.00', payments: [{ state: 'credited' }] })
  }))
