import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer, setGoal } from '../support/campaign.ts'
import { announceDue, freezeNow } from '../support/rounds.ts'

// 400 tokens cost 20 coins, the maximum order. The round lists the purchase of a final payment of 12 coins;
// the rest's payment is lost.
for (const [counts, early] of [
  ['nothing', null],
  ['a payment that was seen first', '15'],
] as const)
  test(`what the chain took back is undone in one settling beside what a round has, while ${counts} counts instead [SETTLE-16, DELIVER-29]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      await sale.sql(
        'largest',
        `update campaign set settings = jsonb_set(settings, '{orderMaximumTokens}', '"400"')`,
      )
      const order = await sale.order('LTC', '400')
      const first = early && (await chain.pay(order, early, 'waiting'))
      await chain.pay(order, '12')
      await chain.mine(95)
      const lost = await chain.pay(order, '8')
      await chain.mine(6)
      await freezeNow(sale, sale.buyer)
      const bought = () =>
        sale.sql(
          'bought',
          'select h.purchased_tokens::float as tokens, sum(p.credited)::float as credited, sum(p.owed)::float as owed, (select sum(room_base)::float from orders) as room from holdings h, payments p where h.user_id = $1 group by 1',
          [sale.buyer],
        )
      expect(await bought()).toEqual([{ tokens: 400, credited: 20, owed: 0, room: 0 }])
      if (first) {
        // One reading: the other branch has the first payment in place of the lost one.
        await sale.sql('undo', `select undo_blocks('litecoin', 1095)`)
        await sale.sql('spent', `select record_spend('litecoin', 'in:' || $1::text, 'another', 1096)`, [lost])
        await sale.sql(
          'first',
          `select record_transfer(row('litecoin', $1::text, '0', $2, 'native', 15, 1097, 'other 1097', clock_timestamp(),
             false, array['in:' || $1::text], null)::chain_transfer, null)`,
          [first, order.address],
        )
      } else await chain.reorg(6, [lost])
      await chain.mine(6)
      expect(await bought()).toEqual([{ tokens: 240, credited: 12, owed: early ? 15 : 0, room: 0 }])
    }))

test('a little that completed an order keeps no tokens of what the chain took back, once a round has the rest [SETTLE-16, DELIVER-29]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '400')
    await chain.pay(order, '12')
    await chain.pay(order, '0.005')
    await chain.mine(95)
    const lost = await chain.pay(order, '7.995')
    await chain.mine(6)
    await freezeNow(sale, sale.buyer)
    const tokens = () =>
      sale.sql('tokens', 'select purchased_tokens::float as tokens from holdings where user_id = $1', [
        sale.buyer,
      ])
    expect(await tokens()).toEqual([{ tokens: 400 }])
    await chain.reorg(6, [lost])
    await chain.mine(6)
    expect(await tokens()).toEqual([{ tokens: 240 }])
  }))

// Operators resumed a chain after a change below a final block, so all its blocks are gone.
for (const [seen, early] of [
  ['after it', false],
  ['before it', true],
] as const)
  test(`what a round has stays though its payment is lost below final blocks, and what was seen ${seen} and is lost too buys nothing [SETTLE-16, DELIVER-29]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const order = await sale.order('LTC', '400')
      const first = early && (await chain.pay(order, '8', 'waiting'))
      const listed = await chain.pay(order, '12')
      await chain.mine(95)
      if (first) await chain.include(first)
      const lost = first || (await chain.pay(order, '8'))
      await chain.mine(6)
      await freezeNow(sale, sale.buyer)
      const bought = () =>
        sale.sql(
          'bought',
          `select h.purchased_tokens::float as tokens, sum(p.credited)::float as credited, sum(p.owed)::float as owed,
                  (select o.detail from orders o) as detail from holdings h, payments p where h.user_id = $1 group by 1`,
          [sale.buyer],
        )
      expect(await bought()).toEqual([{ tokens: 400, credited: 20, owed: 0, detail: 'credited' }])
      await chain.reorg(101, [listed, lost])
      await chain.mine(6)
      expect(await bought()).toEqual([{ tokens: 240, credited: 12, owed: 0, detail: 'under_review' }])
      // A replacement is a normal payment.
      await chain.pay(order, '2')
      await chain.mine(101)
      expect(await bought()).toEqual([{ tokens: 280, credited: 14, owed: 0, detail: 'under_review' }])
      expect(
        await sale.sql('next', 'select purchased::float as tokens from tokens_for_rounds(clock_timestamp())'),
      ).toEqual([{ tokens: 40 }])
    }))

// A goal leaves room for 40 of the 50 tokens that are paid, so that half a coin is owed. A rejection then frees room for more.
for (const back of [false, true])
  test(`what a round has buys nothing more once the chain lost its payment, whatever of it was owed (${back ? 'back in one block' : 'still lost'}) [DELIVER-29, SETTLE-1]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const other = await sale.order('LTC', '40', 'token', await addBuyer(sale.db))
      const order = await sale.order('LTC', '50')
      await setGoal(sale, '360')
      await chain.pay(other, '2')
      await chain.mine(6)
      const listed = await chain.pay(order, '2.5')
      await chain.mine(110)
      await freezeNow(sale, order.userId)
      await sale.reject(other)
      await chain.reorg(110)
      if (back) {
        await chain.include(listed)
        await chain.mine(1)
      }
      await sale.sql('settle', 'select settle_order($1)', [order.number])
      const bought = () =>
        sale.sql(
          'bought',
          `select o.base_tokens::float as tokens, p.credited::float, p.owed::float
             from orders o join payments p on p.order_id = o.id where o.id = $1`,
          [order.number],
        )
      expect(await bought()).toEqual([{ tokens: 40, credited: 2, owed: 0 }])
      if (!back) await chain.include(listed)
      await chain.mine(10)
      expect(await bought()).toEqual([{ tokens: 50, credited: 2.5, owed: 0 }])
    }))

test('what was bought after a round’s cut is undone with its payment, though both were final when the round was frozen [SETTLE-16, DELIVER-29]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '60')
    await chain.pay(order, '2')
    await chain.mine(110)
    const freeze = await announceDue(sale, order.userId)
    const later = await chain.pay(order, '1')
    await chain.mine(105)
    await freeze()
    expect(await sale.show(order)).toMatchObject({ baseTokens: '60.000000' })
    // Operators resumed a chain that changed below what was final.
    await chain.reorg(105, [later])
    await chain.mine(110)
    expect(await sale.show(order)).toMatchObject({ baseTokens: '40.000000' })
    expect(await sale.sql('next', 'select * from tokens_for_rounds(clock_timestamp())')).toEqual([])
  }))

// Operators resumed a chain whose other history moves the same coins by another transaction.
for (const [amount, bought] of [
  ['2', { tokens: 40, credited: 2, alive: true }],
  ['3', { tokens: 60, credited: 3, alive: true }],
  // Less than the round rests on: the loss stays the seller's.
  ['1.9', { tokens: 40, credited: 2, alive: false }],
] as const)
  test(`coins that bought what a round has buy it once, also where another transaction brings ${amount} of 2 [SETTLE-2, DELIVER-29]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const order = await sale.order('LTC', '40')
      const first = await chain.pay(order, '2')
      await chain.mine(110)
      await freezeNow(sale, order.userId)
      const stands = () =>
        sale.sql(
          'stands',
          `select o.base_tokens::float as tokens, p.credited::float, p.alive, p.transaction_id as id
             from orders o join payments p on p.order_id = o.id where o.id = $1 order by p.id`,
          [order.number],
        )
      await chain.reorg(110)
      const second = await chain.spendAgain(first, order, amount)
      await chain.mine(110)
      expect(await stands()).toEqual([{ ...bought, id: second }])
      if (amount === '3') return
      // The first transaction comes back.
      await chain.reorg(110)
      await chain.include(first)
      await chain.mine(110)
      expect(await stands()).toEqual([{ tokens: 40, credited: 2, alive: true, id: first }])
    }))

test('the transaction that a round’s payment had replaced takes its place in another history [SETTLE-2, DELIVER-29]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const cheap = await chain.pay(order, '2', 'waiting')
    const dear = await chain.spendAgain(cheap, order, '2')
    await sale.sql('replaced', "select record_spend('litecoin', 'in:' || $1::text, $2, null)", [cheap, dear])
    await chain.mine(110)
    await freezeNow(sale, order.userId)
    await chain.reorg(110)
    await chain.include(cheap)
    await chain.mine(110)
    expect(
      await sale.sql(
        'which',
        `select o.base_tokens::float as tokens, p.credited::float, p.alive, p.transaction_id as id
           from orders o join payments p on p.order_id = o.id order by p.credited`,
      ),
    ).toEqual([
      { tokens: 40, credited: 0, alive: false, id: dear },
      { tokens: 40, credited: 2, alive: true, id: cheap },
    ])
  }))

test('coins that were paid back once are not owed again by another transaction [SETTLE-2, REFUND-5]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const first = await chain.pay(order, '2')
    await chain.mine(110)
    await sale.reject(order)
    await sale.sql(
      'paid',
      `update refunds set state = 'paid', address = 'theirs', address_key = 'theirs', claimed_at = now(), named_at = now(),
              transaction_id = 'sending', paid_at = now(), paid_via = 'chain', block_height = 900`,
    )
    await sale.sql('post', "select post_refund(r, 'refund_paid') from refunds r")
    await chain.reorg(110)
    await chain.spendAgain(first, order, '2')
    await chain.mine(110)
    expect(await sale.sql('owed', 'select amount::float, state from refunds')).toEqual([
      { amount: 2, state: 'paid' },
    ])
  }))
