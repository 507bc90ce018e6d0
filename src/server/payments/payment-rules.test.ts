import { expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { type ChainSale, letPass, letRefundsBeDue, setRate } from '../../../test/chains/chain-sale.ts'
import { type PaperChain, withPaperChain } from '../../../test/chains/paper-chain.ts'
import { buy } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { allOfRefundAddress, Secrets, sealRefundAddress } from '../secrets/secrets.ts'
import { addressAt, readAccountKey } from './account-keys.ts'
import { createSource } from './chain-access.ts'
import { LeadershipLost, Watcher } from './watcher.ts'

// Payments and refunds by the functions that a watcher calls, on a chain that the test writes. 40 tokens cost 2 LTC: 20 tokens a
// coin, $4.50 a token. A payment needs 6 blocks.

type Order = Awaited<ReturnType<ChainSale['order']>>
interface RefundRow {
  readonly id: string
  readonly state: string
}

/** An address that is none of the sale's. */
const elsewhere = (() => {
  const key = accountOf(ABANDON, "m/84'/1'/4242'", 'vpub').publicExtendedKey
  return addressAt(readAccountKey(key, { family: 'litecoin', net: 'regtest' }), 0)
})()

const paymentsOf = ({ sale }: PaperChain) =>
  sale.sql<{ state: string; credited: string; owed: string; failed: boolean }>(
    'rules_payments',
    'select payment_state(payments) as state, trim_scale(credited)::text as credited, trim_scale(owed)::text as owed, failed from payments order by id',
  )
const refundsOf = async ({ sale }: PaperChain, order: Order) =>
  sale.sql<RefundRow>(
    'rules_refunds',
    'select id::text, state from refunds where order_id = $1 order by id',
    [order.number],
  )

/** A transfer as a chain shows it, of anything to anybody. */
const record = (
  { sale }: PaperChain,
  transfer: { id: string; to: string; amount: string; asset?: string; height: number; minedAt?: string },
) =>
  sale.sql(
    'rules_record',
    `select * from record_transfer(
       row('litecoin', $1::text, '0', $2, $3, $4, $5::bigint, 'block ' || $5::bigint, clock_timestamp() + $6::interval, false,
           array['in:' || $1::text], null)::chain_transfer, null)`,
    [
      transfer.id,
      transfer.to,
      transfer.asset ?? 'native',
      transfer.amount,
      transfer.height,
      transfer.minedAt ?? '0',
    ],
  )

/** A transfer of ours to a buyer's address: it spends the first payment. */
const send = ({ sale }: PaperChain, amount: string, height: number | null = null) =>
  sale.sql<{ id: string | null }>(
    'rules_send',
    `select refund_id as id from record_refund_sending(
       row('litecoin', 'f00d', '0', $1, 'native', $2, $3::bigint, 'block ' || $3::bigint, clock_timestamp(), false,
           array[(select transaction_id || ':' || output_key from payments order by id limit 1)], null)::chain_transfer, null)`,
    [allOfRefundAddress(testSecrets, 'litecoin', elsewhere), amount, height],
  )

/** The block in which that transfer of ours lies. */
const sendIn = async (chain: PaperChain, amount: string, height: number) => {
  await chain.sale.sql(
    'rules_spend',
    `select record_spend('litecoin', transaction_id || ':' || output_key, 'f00d', $1) from payments order by id limit 1`,
    [height],
  )
  return send(chain, amount, height)
}

/** 2 LTC of a rejected order are owed, and its buyer has named an address. */
async function claimed(chain: PaperChain): Promise<Order> {
  const { sale } = chain
  const order = await sale.order('LTC', '40')
  await sale.reject(order)
  await chain.pay(order, '2')
  await chain.mine(6)
  await sale.refunds.claim(sale.asBuyer, order.token, { address: elsewhere })
  expect(await refundsOf(chain, order)).toMatchObject([{ state: 'claimed' }])
  return order
}

test('a boundary’s dollars need what larger payments need', () =>
  withPaperChain(async ({ sale }) => {
    await sale.sql(
      'rules_boundary',
      `update chains set confirmation_rules = '[{"belowUsd": "1000", "confirmations": 1}, {"belowUsd": null, "confirmations": 6}]'`,
    )
    const needed = await sale.sql(
      'rules_needed',
      `select c.needed from unnest('{999.99,1000,1000.01}'::numeric[]) usd, confirmations_needed('litecoin', usd) c`,
    )
    expect(needed).toEqual([{ needed: 1 }, { needed: 6 }, { needed: 6 }])
  }))

test('what an address got before it was reserved is none of the order’s', () =>
  withPaperChain(async (chain) => {
    const order = await chain.sale.order('LTC', '40')
    await record(chain, { id: 'aa', to: order.address, amount: '2', height: 1_000, minedAt: '-1 hour' })
    expect(await paymentsOf(chain)).toEqual([])
    await record(chain, { id: 'bb', to: order.address, amount: '2', height: 1_001 })
    expect(await paymentsOf(chain)).toHaveLength(1)
    await chain.mine(6)
    expect(await chain.sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
  }))

test('of several payments the oldest is credited first, and the rest of the newest is owed', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'rules_maximum',
      `update campaign set settings = jsonb_set(settings, '{orderMaximumTokens}', '"60"')`,
    )
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '60.000000' })
    expect(await paymentsOf(chain)).toMatchObject([
      { credited: '2', owed: '0' },
      { credited: '1', owed: '1' },
    ])
  }))

test('a payment that no node has had for a day has failed, and its order goes', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2', 'waiting')
    expect(await sale.show(order)).toMatchObject({ detail: 'seen' })
    await sale.sql('rules_missing', "select note_mempool('litecoin', '{}', '{}')")
    const pass = async (interval: string) => {
      await sale.sql('rules_longer', 'update payments set missing_since = missing_since - $1::interval', [
        interval,
      ])
      await chain.mine()
    }
    await pass('23 hours')
    expect(await paymentsOf(chain)).toMatchObject([{ failed: false }])
    await pass('2 hours')
    expect(await paymentsOf(chain)).toMatchObject([{ failed: true, state: 'failed' }])
    expect(await sale.show(order)).toMatchObject({ detail: 'awaiting_payment' })
  }))

test.each([
  ['within 3 hours keeps the order’s rate', '2 hours 59 minutes', { baseTokens: '40.000000', rate: '20' }],
  ['after 3 hours has the rate of its block', '3 hours 1 minute', { baseTokens: '44.000000', rate: '22' }],
])('a payment seen in time and mined %s [SETTLE-3]', (_, interval, bought) =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const id = await chain.pay(order, '2', 'waiting')
    await setRate(sale, '22')
    await letPass(sale, order, interval)
    await chain.include(id)
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', ...bought })
  }),
)

test('what a block holds within 3 hours of its first showing was paid when it was shown, whenever it is counted [SETTLE-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [inTime, late] = [await sale.order('LTC', '100'), await sale.order('LTC', '100')]
    const more: string[] = []
    for (const order of [inTime, late]) {
      await chain.pay(order, '2.5')
      more.push(await chain.pay(order, '2.5', 'waiting'))
    }
    await chain.mine(6)
    await setRate(sale, '10')
    await letPass(sale, inTime, '2 hours 59 minutes')
    await letPass(sale, late, '3 hours 1 minute')
    for (const waiting of more) await chain.include(waiting)
    await chain.mine(6)
    expect(await sale.show(inTime)).toMatchObject({ status: 'approved', baseTokens: '100.000000' })
    expect(await sale.show(late)).toMatchObject({ status: 'approved', baseTokens: '75.000000' })
  }))

test('what is paid late while no rate is fresh is owed back, whatever the rate is afterwards [LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '2 hours')
    await sale.sql(
      'rules_age',
      `with r as (update currency_rates set from_at = from_at - interval '10 days', source = 'feed', read_at = from_at - interval '10 days')
       update currencies set rate_source = 'feed', rate_at = rate_at - interval '10 days' where code = 'LTC'`,
    )
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refund_due' })
    await setRate(sale, '22')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refund_due' })
  }))

test('who reads an order hears of each payment, also of one that changes nothing else of the order', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const told = async () => {
      const lines = await sale.sql(
        'rules_told',
        "delete from outbox where kind = 'order_changed' returning id",
      )
      return lines.length > 0
    }
    await chain.pay(order, '1')
    await chain.mine()
    expect(await told()).toBe(true)
    await chain.pay(order, '0.001')
    await chain.mine()
    expect(await told()).toBe(true)
    // Nobody looked while the blocks above it came.
    await chain.mine(9)
    expect(await told()).toBe(true)
  }))

test('a payment of another currency is attached to no order, and owed back once it is confirmed', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'rules_other',
      `insert into currencies (code, full_name, network, rate, address, token_contract, coin_decimals)
       values ('LTK', 'Litetoken', 'litecoin', 20, 'somewhere', 'ltk', 8)`,
    )
    const order = await sale.order('LTC', '40')
    await record(chain, { id: 'cc', to: order.address, amount: '2', asset: 'ltk', height: 1_001 })
    await chain.mine()
    const [payment] = await sale.sql<{ id: string; fault: string }>(
      'rules_fault',
      'select id::text, fault from payments',
    )
    expect(payment?.fault).toBe('wrong_asset')
    const paymentId = payment?.id ?? ''
    // Not even to one of its own coin: it names the order whose address it reached.
    for (const { number } of [order, await sale.order('LTK', '40')])
      await expect(sale.execute('payment.attach', { paymentId, orderId: String(number) })).rejects.toEqual(
        refused('payment_state'),
      )
    await expect(sale.execute('payment.refund', { paymentId })).rejects.toEqual(refused('payment_state'))
    expect(await refundsOf(chain, order)).toEqual([])
    await chain.mine(5)
    const isToDecide = async () => (await sale.payments.list({ limit: 10 })).items[0]?.toDecide
    expect(await isToDecide()).toBe(true)
    await sale.execute('payment.refund', { paymentId })
    expect(await refundsOf(chain, order)).toMatchObject([{ state: 'owed' }])
    expect(await isToDecide()).toBe(false)
    await expect(sale.execute('payment.refund', { paymentId })).rejects.toEqual(refused('payment_state'))
    await expect(sale.execute('payment.refund', { paymentId: '999' })).rejects.toEqual(
      refused('payment_unknown'),
    )
  }))

test('a payment of another currency is owed back by what its own coin is worth: blocks, a final one, a second node [SETTLE-32]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'rules_dear',
      `insert into currencies (code, full_name, network, rate, address, token_contract, coin_decimals)
       values ('LTK', 'Litetoken', 'litecoin', 2000, '', 'ltk', 8)`,
    )
    await sale.sql(
      'rules_final',
      `update chains set confirmation_rules = '[{"belowUsd": "1000", "confirmations": 1}, {"belowUsd": null, "confirmations": 6, "finalized": true}]'`,
    )
    const order = await sale.order('LTC', '40')
    await record(chain, { id: 'ff', to: order.address, amount: '2', asset: 'ltk', height: 1_001 })
    const lacks = async () => (await sale.payments.list({ limit: 10 })).items[0]?.lacks
    const refund = async () => {
      const [payment] = await sale.sql<{ id: string }>('rules_id', 'select id::text from payments')
      return sale.execute('payment.refund', { paymentId: payment?.id ?? '' })
    }
    await chain.mine(5)
    expect(await lacks()).toBe('confirmations')
    await expect(refund()).rejects.toEqual(refused('payment_state'))
    await chain.mine(1)
    expect(await lacks()).toBe('final_block')
    await expect(refund()).rejects.toEqual(refused('payment_state'))
    await sale.sql('rules_finalized', 'update chains set finalized_height = 1001')
    expect(await lacks()).toBe('second_node')
    await expect(refund()).rejects.toEqual(refused('payment_state'))
    expect(await refundsOf(chain, order)).toEqual([])
    await sale.sql('rules_shown', 'update payments set verified_hash = block_hash')
    expect(await lacks()).toBe('second_node')
    await sale.sql('rules_second_finalized', 'update chains set second_finalized = 1001')
    expect(await lacks()).toBe(null)
    await refund()
    expect(await refundsOf(chain, order)).toMatchObject([{ state: 'owed' }])
  }, '1000'))

test('no block of a new chain history is final before the chain says so [SETTLE-4, SETTLE-18]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'rules_final',
      `update chains set confirmation_rules = '[{"belowUsd": null, "confirmations": 1, "finalized": true}]', finalized_height = 1100`,
    )
    await chain.mine(110)
    const order = await sale.order('LTC', '40')
    await chain.reorg(100)
    await chain.pay(order, '2')
    await chain.mine(50)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await sale.sql('rules_final_again', 'update chains set finalized_height = 1011')
    await chain.mine(1)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
  }))

test('a payment that names no order is given to a pending one of its coin, which its chain confirms and which was made before it was seen, once', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const other = await buy(sale, sale.buyer, '40')
    const [own, rejected, manual] = [
      await sale.order('LTC', '40'),
      await sale.order('LTC', '40'),
      await sale.order('LTC', '40'),
    ]
    await sale.reject(rejected)
    await sale.sql('rules_manual', 'update orders set watched = false where id = $1', [manual.number])
    const address = await sale.giveAddress('LTC')
    await record(chain, { id: 'dd', to: address, amount: '2', height: 1_001 })
    const later = await sale.order('LTC', '40')
    // Blocks say whole seconds.
    await sale.sql(
      'rules_later',
      "update orders set created_at = created_at + interval '1 second' where id = $1",
      [later.number],
    )
    await chain.mine(6)
    const [payment] = await sale.sql<{ id: string; fault: string }>(
      'rules_fault',
      'select id::text, fault from payments',
    )
    expect(payment?.fault).toBe('unmatched')
    const attach = (number: number) =>
      sale.execute('payment.attach', { paymentId: payment?.id ?? '', orderId: String(number) })
    await expect(attach(other.number)).rejects.toEqual(refused('payment_state'))
    // As a reorganisation into a later block, or the word of a second node, leaves it.
    await sale.sql(
      'rules_in_another_block',
      'update payments set seen_at = clock_timestamp(), mined_at = clock_timestamp()',
    )
    for (const order of [rejected, manual, later])
      await expect(attach(order.number)).rejects.toEqual(refused('order_state'))
    await expect(attach(999)).rejects.toEqual(refused('order_unknown'))
    await sale.sql('rules_as_it_was', 'update orders set watched = true where id = $1', [manual.number])
    await attach(own.number)
    await chain.mine()
    expect(await sale.show(own)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
    await expect(attach(manual.number)).rejects.toEqual(refused('payment_state'))
  }))

test('an attached payment is confirmed by what its order asks for, not by what it was alone [SETTLE-32]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'rules_attached',
      `update chains set confirmation_rules = '[{"belowUsd": "300", "confirmations": 1}, {"belowUsd": null, "confirmations": 6}]'`,
    )
    const order = await sale.order('LTC', '80')
    const address = await sale.giveAddress('LTC')
    await record(chain, { id: 'ee', to: address, amount: '2', height: 1_001 })
    await chain.mine()
    const [payment] = await sale.sql<{ id: string; needed: number }>(
      'rules_alone',
      'select id::text, confirmations_needed as needed from payments',
    )
    expect(payment?.needed).toBe(1)
    await chain.pay(order, '2')
    await sale.execute('payment.attach', { paymentId: payment?.id ?? '', orderId: String(order.number) })
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await chain.mine()
    expect(await sale.sql('rules_needs', 'select confirmations_needed, confirmed from payments')).toEqual([
      { confirmations_needed: 6, confirmed: false },
      { confirmations_needed: 6, confirmed: false },
    ])
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '80.000000' })
  }))

test('a late payment needs the confirmations of the dollars that it buys for [SETTLE-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'rules_late',
      `update chains set confirmation_rules = '[{"belowUsd": "1000", "confirmations": 1}, {"belowUsd": null, "confirmations": 6}]'`,
    )
    const needed = () => sale.sql('rules_late_needs', 'select confirmations_needed as needed from payments')
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '2 hours')
    // 2 coins were $180 at the order and are $1,800 now.
    await setRate(sale, '200')
    await chain.pay(order, '1')
    expect(await needed()).toEqual([{ needed: 1 }])
    await chain.mine()
    expect(await sale.show(order)).toMatchObject({ status: 'approved', usd: '900.00' })
    const other = await sale.order('LTC', '40')
    await letPass(sale, other, '2 hours')
    await setRate(sale, '2000')
    await chain.pay(other, '0.1')
    await chain.pay(other, '0.1')
    expect(await needed()).toEqual([{ needed: 1 }, { needed: 1 }, { needed: 1 }])
    await chain.mine()
    expect(await needed()).toEqual([{ needed: 1 }, { needed: 6 }, { needed: 6 }])
    expect(await sale.show(other)).toMatchObject({ status: 'pending', detail: 'confirming' })
    await chain.mine(5)
    expect(await sale.show(other)).toMatchObject({ status: 'approved', usd: '1800.00' })
    await chain.pay(other, '0.2')
    expect(await needed()).toContainEqual({ needed: 6 })
  }))

test('an address is named for what is owed on one chain, and another chain has its own [REFUND-8]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await sale.reject(order)
    await chain.pay(order, '2')
    await chain.mine(6)
    // As where two EVM chains brought something to the same address.
    await sale.sql(
      'rules_other_chain',
      "insert into chains (name, family, confirmation_rules) values ('dogecoin', 'bitcoin', '[]')",
    )
    await sale.sql(
      'rules_owed_elsewhere',
      `insert into refunds (order_id, user_id, currency_id, chain, currency, amount, usd, reason)
       select order_id, user_id, currency_id, 'dogecoin', currency, amount, usd, 'elsewhere' from refunds`,
    )
    const states = async () => (await refundsOf(chain, order)).map(({ state }) => state)
    await sale.refunds.claim(sale.asBuyer, order.token, { address: elsewhere, network: 'litecoin' })
    expect(await states()).toEqual(['claimed', 'owed'])
    await expect(
      sale.refunds.claim(sale.asBuyer, order.token, { address: elsewhere, network: 'dogecoin' }),
    ).rejects.toMatchObject({ code: 'address_invalid' })
    expect(await states()).toEqual(['claimed', 'owed'])
    await sale.sql('rules_owed_no_more', "delete from refunds where chain = 'dogecoin'")
  }))

test('a refund is put into a file once its address counts, another one from when it was named, and its payment is final [REFUND-8, REFUND-3]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await claimed(chain)
    const ids = (await refundsOf(chain, order)).map(({ id }) => id)
    const prepares = async (refundIds?: string[]) => {
      const asked = { network: 'litecoin', format: 'csv', refundIds } as const
      return expect(sale.execute('refund.prepare', asked))
    }
    const isDue = async () => (await sale.refunds.list({ limit: 1 })).items[0]?.isDue
    const letHoursPass = (hours: number) =>
      sale.sql('rules_hours', 'update refunds set claimed_at = claimed_at - make_interval(hours => $1)', [
        hours,
      ])
    await chain.mine(100)
    await (await prepares()).rejects.toEqual(refused('refund_unknown'))
    await letHoursPass(23)
    await sale.refunds.claim(sale.asBuyer, order.token, { address: elsewhere })
    await letHoursPass(23)
    await (await prepares(ids)).rejects.toEqual(refused('refund_unknown'))
    await letHoursPass(1)
    // Counted, but not final: what stands on it may still be undone.
    await sale.sql('rules_not_final', 'update payments set final_at = null')
    expect(await isDue()).toBe(false)
    await (await prepares(ids)).rejects.toEqual(refused('refund_unknown'))
    await chain.mine()
    expect(await isDue()).toBe(true)
    await (await prepares()).resolves.toMatchObject({ refundIds: ids })
  }))

test('an address that was lost with its key can be named anew at any time, and is paid by nothing until then [RIGHT-19]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await claimed(chain)
    const again = () => sale.refunds.claim(sale.asBuyer, order.token, { address: elsewhere })
    const prepare = () => sale.execute('refund.prepare', { network: 'litecoin', format: 'csv' })
    await letRefundsBeDue(sale)
    await expect(again()).rejects.toEqual(refused('refund_address_fixed'))
    const [refund] = await refundsOf(chain, order)
    const { id } = refund ?? { id: '' }
    const lost = new Secrets({ keys: ['a key that is lost, of thirty-two letters'] })
    await sale.sql('rules_key_lost', 'update refunds set address_sealed = $1, address_mark = $2', [
      sealRefundAddress(lost, id, elsewhere),
      'lost',
    ])
    await expect(prepare()).rejects.toEqual(refused('unavailable'))
    await expect(
      sale.execute('refund.sent', { refundId: id, transactionId: 'f00d'.repeat(16) }),
    ).rejects.toEqual(refused('unavailable'))
    expect(await send(chain, '2')).toEqual([{ id: null }])
    expect(await again()).toMatchObject([{ address: elsewhere, state: 'claimed' }])
    await letRefundsBeDue(sale)
    expect((await prepare()).content).toContain(elsewhere)
    expect(await send(chain, '2')).toEqual([{ id }])
  }))

test('a claimed refund is owed no more once the chain took its payment back', () =>
  withPaperChain(async (chain) => {
    const order = await claimed(chain)
    await chain.reorg(6)
    expect(await refundsOf(chain, order)).toMatchObject([{ state: 'written_off' }])
    expect(await chain.sale.show(order)).toMatchObject({ detail: 'rejected_by_operator' })
  }))

test('a refund is sent by its exact amount, paid by its confirmations, and sent again where its block is gone', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await claimed(chain)
    const state = async () => (await refundsOf(chain, order)).map((refund) => refund.state)
    for (const amount of ['2.00000001', '3', '1.99999999']) {
      expect(await send(chain, amount)).toEqual([{ id: null }])
      expect(await state()).toEqual(['claimed'])
    }
    expect(await sendIn(chain, '2', 1_007)).toMatchObject([{ id: expect.any(String) }])
    expect(await state()).toEqual(['sent'])
    await sale.sql('rules_more', "select refresh_refunds('litecoin', 1012)")
    expect(await state()).toEqual(['paid'])
    expect(await sale.show(order)).toMatchObject({ detail: 'refunded' })
    // In a block there is nothing left to prepare.
    await expect(
      sale.execute('refund.prepare', {
        network: 'litecoin',
        format: 'csv',
        refundIds: (await refundsOf(chain, order)).map(({ id }) => id),
        again: true,
      }),
    ).rejects.toEqual(refused('refund_unknown'))
    await sale.sql('rules_undo', "select undo_blocks('litecoin', 1006)")
    expect(await state()).toEqual(['sent'])
    expect(await sale.show(order)).toMatchObject({ detail: 'refund_due' })
    await sendIn(chain, '2', 1_007)
    await sale.sql('rules_again', "select refresh_refunds('litecoin', 1013)")
    expect(await state()).toEqual(['paid'])
  }))

test('an order that is rejected owes what was paid for it, credited or waiting', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const [credited, waiting] = [await sale.order('LTC', '40'), await sale.order('LTC', '200')]
    await chain.pay(credited, '2')
    await chain.pay(waiting, '5')
    await chain.mine(6)
    expect(await sale.show(credited)).toMatchObject({ status: 'approved' })
    for (const { number } of [credited, waiting])
      await sale.ledger.reject(String(number), { operatorId: sale.operatorId })
    expect(await paymentsOf(chain)).toMatchObject([
      { credited: '0', owed: '2' },
      { credited: '0', owed: '5' },
    ])
    expect(await sale.show(credited)).toMatchObject({ status: 'rejected', detail: 'refund_due' })
    expect(await sale.show(waiting)).toMatchObject({ status: 'rejected', detail: 'refund_due' })
  }))

test('the transaction of a refund spends no coin that is spent', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const bought = await sale.order('LTC', '40')
    await chain.pay(bought, '2')
    const order = await claimed(chain)
    const refundIds = (await refundsOf(chain, order)).map(({ id }) => id)
    await letRefundsBeDue(sale)
    const prepare = () =>
      sale.execute('refund.prepare', { network: 'litecoin', format: 'psbt', refundIds, again: true })
    expect(await prepare()).toMatchObject({ format: 'psbt', count: 1 })
    await sale.sql(
      'rules_spent',
      `select record_spend('litecoin', transaction_id || ':' || output_key, 'beef', 1006) from payments`,
    )
    await expect(prepare()).rejects.toEqual(refused('refund_funds_missing'))
  }))

test('what is spent on another chain replaces nothing here, though its inputs have the same names', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const id = await chain.pay(order, '2', 'waiting')
    const spend = (network: string) =>
      sale.sql('rules_spend_on', `select record_spend($1, 'in:' || $2::text, 'another', null)`, [network, id])
    await spend('dogecoin')
    await chain.mine()
    expect(await paymentsOf(chain)).toMatchObject([{ state: 'seen' }])
    await spend('litecoin')
    await chain.mine()
    expect(await paymentsOf(chain)).toMatchObject([{ state: 'replaced' }])
  }))

test('a payment that spends its own input is not replaced by itself, and failed once a block spends it without its transfer', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const id = await chain.pay(await sale.order('LTC', '40'), '2', 'waiting')
    for (const [height, state] of [
      [null, 'seen'],
      [1_001, 'failed'],
    ]) {
      await sale.sql('rules_spend_own', `select record_spend('litecoin', 'in:' || $1::text, $1, $2)`, [
        id,
        height,
      ])
      await chain.mine()
      expect(await paymentsOf(chain)).toMatchObject([{ state }])
    }
  }))

test('who no longer leads a chain neither reads where it was left nor writes', () =>
  withPaperChain(async ({ sale }) => {
    const config = {
      family: 'bitcoin',
      network: 'litecoin',
      node: { kind: 'core', url: 'http://127.0.0.1:9' },
      net: 'regtest',
      pollMs: 1_000,
      startHeight: undefined,
      explorerUrl: undefined,
    } as const
    const watcher = new Watcher({
      db: sale.db,
      secrets: testSecrets,
      config,
      source: createSource(config),
      hintOutbox() {},
    })
    const [{ epoch } = { epoch: '' }] = await sale.sql<{ epoch: string }>(
      'rules_lead',
      "update chains set epoch = epoch + 2 where name = 'litecoin' returning (epoch - 1)::text as epoch",
    )
    await expect(watcher.pass(epoch)).rejects.toBeInstanceOf(LeadershipLost)
  }))
