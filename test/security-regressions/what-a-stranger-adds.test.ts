import { expect, test } from 'vitest'
import { Referral } from '../../src/server/referral/referral.ts'
import { type ChainSale, letPass, setRate } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer, setGoal } from '../support/campaign.ts'
import { testSecrets } from '../support/secrets.ts'

type Order = Awaited<ReturnType<ChainSale['order']>>
const owed = async (sale: ChainSale, order: Order) =>
  (await sale.refunds.ofOrder(order.userId, order.token)).map(({ amount, reason, state }) => [
    amount,
    reason,
    state,
  ])

async function pairOf(sale: ChainSale) {
  await sale.sql('terms', "update campaign set settings = jsonb_set(settings, '{referral}', $1)", [
    JSON.stringify({ percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: [] }),
  ])
  const [ann, ben] = [await addBuyer(sale.db), await addBuyer(sale.db)]
  const referral = new Referral({ db: sale.db, secrets: testSecrets, hintOutbox: () => {} })
  const { code } = await referral.join(ann, 'DE')
  await referral.note(sale.db, ben, code ?? '')
  return { ann, ben, referral }
}
const address = (sale: ChainSale, userId: string, letter: string) =>
  sale.sql(
    'round_address',
    `insert into delivery_addresses (user_id, address, proof, confirmed_at, counts_from, network, chain_id)
     values ($1, '0x' || repeat($2, 40), 'typed', now(), now(), 'ethereum', 1)`,
    [userId, letter],
  )
const cutAt = async (sale: ChainSale) =>
  (await sale.sql<{ cut: string }>('cut_at', 'select clock_timestamp()::text as cut'))[0]?.cut
const cut = (sale: ChainSale, at: unknown) =>
  sale.sql(
    'cut',
    `select user_id::text as user, trunc(purchased)::text as purchased, trunc(granted)::text as granted
       from cut_of_round(jsonb_populate_record(null::delivery_rounds, jsonb_build_object('cut_at', $1::text, 'chain_id', 1)), clock_timestamp()) order by user_id`,
    [at],
  )

for (const small of [null, '0.5'])
  test(`a first part (${small ?? 'none'}) leaves the referrer the reward of the whole order [REFER-4, REFER-5]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const { ann, ben, referral } = await pairOf(sale)
      const order = await sale.order('LTC', '400', 'token', ben)
      if (small) await chain.pay(order, small)
      await chain.mine(101)
      await referral.decideDue()
      await chain.pay(order, '20')
      await chain.mine(101)
      await referral.decideDue()
      await referral.decideDue()
      const { creditedTokens } = await referral.show(ann)
      expect(Number(creditedTokens)).toBeGreaterThanOrEqual(20)
    }))

for (const amount of [null, '0.0001'])
  test(`what a stranger sends (${amount ?? 'nothing'}) before the cut takes no tokens out of the round [SETTLE-9]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const order = await sale.order('LTC', '400')
      await address(sale, sale.buyer, 'a')
      await chain.pay(order, '20')
      await chain.mine(101)
      if (amount) await chain.pay(order, amount)
      await chain.mine(6)
      expect(await cut(sale, await cutAt(sale))).toMatchObject([{ purchased: '400' }])
    }))

for (const amount of [null, '0.012'])
  test(`what a stranger sends (${amount ?? 'nothing'}) after the cut takes no reward out of the round [REFER-5]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const { ann, ben, referral } = await pairOf(sale)
      await address(sale, ann, 'a')
      const order = await sale.order('LTC', '400', 'token', ben)
      await chain.pay(order, '20')
      await chain.mine(101)
      expect(await referral.decideDue()).toBe(1)
      const at = await cutAt(sale)
      if (amount) await chain.pay(order, amount)
      await chain.mine(101)
      expect(await referral.show(ann)).toMatchObject({ creditedTokens: '20' })
      expect(await cut(sale, at)).toMatchObject([{ user: ann, granted: '20' }])
    }))

for (const amount of [null, '0.012'])
  test(`what a stranger sends (${amount ?? 'nothing'}) that comes and goes takes no reward of a deleted account's order [REFER-5]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const { ann, ben, referral } = await pairOf(sale)
      const order = await sale.order('LTC', '200', 'token', ben)
      await chain.pay(order, '10')
      await chain.mine(121)
      expect(await referral.decideDue()).toBe(1)
      const more = amount && (await chain.pay(order, amount))
      await chain.mine(6)
      await sale.sql(
        'forget',
        `update users set email = null, email_key = null, name = '', name_sealed = null, phone = null, phone_sealed = null, password_hash = null,
                nickname = null, shows_on_leaderboard = false, confirmed_at = null, deleted_at = now() where id = $1`,
        [ben],
      )
      await chain.reorg(6, more ? [more] : [])
      await chain.mine(30)
      await referral.decideDue()
      expect(await sale.sql('base', 'select trunc(base_tokens)::int as base from orders')).toEqual([
        { base: 200 },
      ])
      expect(await referral.show(ann)).toMatchObject({ creditedTokens: '10' })
    }))

test('a late payment is worth what its coin costs then: $9 are not too little [SETTLE-9, LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '2 hours')
    await setRate(sale, '200')
    // $90 a coin at the order, $900 now.
    await chain.pay(order, '0.011')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '2.200000' })
  }))

test('too little completes no order whose money is owed back [SETTLE-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '180')
    const first = await sale.order('LTC', '40', 'token', await addBuyer(sale.db))
    const order = await sale.order('LTC', '40')
    await chain.pay(first, '2')
    await chain.mine(1)
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await owed(sale, order)).toEqual([['2', 'cap_reached', 'owed']])
    await sale.reject(first)
    await chain.pay(order, '0.0001')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refund_due' })
    expect(
      await sale.sql(
        'states',
        'select payment_state(payments) as state from payments order by id desc limit 1',
      ),
    ).toEqual([{ state: 'too_little' }])
  }))

test('nobody asks for the rest of an order that had no room, also once its money is paid back [SETTLE-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '180')
    const order = await sale.order('LTC', '40')
    const other = await sale.order('LTC', '20', 'token', await addBuyer(sale.db)).catch(() => null)
    expect(other).toBe(null)
    await sale.sql('less_left', 'update stage_capacity set pool_usd = pool_usd - 90')
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ detail: 'overpaid', baseTokens: '20.000000' })
    await sale.sql(
      'claim',
      `update refunds set state = 'claimed', address = 'theirs', address_key = 'theirs', claimed_at = now()`,
    )
    await sale.sql('by_word', `select pay_refund_by_word(id, 'sending') from refunds`)
    expect(await sale.show(order)).toMatchObject({ detail: 'credited' })
    await sale.sql('as_before', 'update stage_capacity set pool_usd = pool_usd + 90')
  }))

test('what is too little changes nothing that the buyer sees [SETTLE-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    const dust = await chain.pay(order, '0.0001', 'waiting')
    expect(await sale.show(order)).toMatchObject({ detail: 'awaiting_payment' })
    await chain.include(dust)
    await chain.mine(1)
    expect(await sale.show(order)).toMatchObject({ detail: 'awaiting_payment' })
  }))

test('a payment of which too little finds room is owed whole [SETTLE-9, SETTLE-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await setGoal(sale, '180.5')
    await chain.pay(await sale.order('LTC', '40', 'token', await addBuyer(sale.db)), '2')
    await chain.mine(6)
    await chain.pay(order, '2')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refund_due' })
    expect(await owed(sale, order)).toEqual([['2', 'cap_reached', 'owed']])
  }))
