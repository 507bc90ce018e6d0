import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { Referral } from '../../src/server/referral/referral.ts'
import type { ChainSale } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'
import { queuedBehind } from '../support/race.ts'
import { announceDue, freezeNow } from '../support/rounds.ts'
import { testSecrets } from '../support/secrets.ts'

// A round's tokens belong to an order, a grant or a reward, so that no other one of the same buyer pays for
// them.

const listed = async (sale: ChainSale) =>
  (
    await sale.sql<{ row: string }>(
      'listed',
      `select concat_ws(' ', round, trunc(purchased_tokens), trunc(granted_tokens)) as row
         from delivery_round_rows order by round, user_id`,
    )
  ).map(({ row }) => row)

test('an order that a round has is not rejected, whatever else its buyer bought [DELIVER-29]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const deep = await sale.order('LTC', '40')
    await chain.pay(deep, '2')
    await chain.mine(101)
    await freezeNow(sale, sale.buyer)
    const shallow = await sale.order('LTC', '40')
    const last = await chain.pay(shallow, '2')
    await chain.mine(6)
    await expect(sale.reject(deep)).rejects.toEqual(refused('tokens_allocated'))
    await chain.reorg(6, [last])
    expect(await sale.show(deep)).toMatchObject({ status: 'approved' })
    expect(await sale.show(shallow)).toMatchObject({ status: 'pending' })
  }))

for (const amount of [null, '0.012'])
  test(`a stranger's ${amount ?? 'nothing'} for an order in a round keeps no other order of its buyer out of the next [DELIVER-10]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const [first, second] = [await sale.order('LTC', '400'), await sale.order('LTC', '400')]
      await chain.pay(first, '20')
      await chain.mine(101)
      await freezeNow(sale, sale.buyer)
      await chain.pay(second, '20')
      await chain.mine(101)
      if (amount) await chain.pay(first, amount)
      await chain.mine(6)
      await freezeNow(sale)
      expect(await listed(sale)).toEqual(['1 400 0', '2 400 0'])
    }))

for (const amount of [null, '0.0001', '0.012'])
  test(`a stranger's ${amount ?? 'nothing'} shortly before the freeze takes no tokens out of the round [DELIVER-27]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const order = await sale.order('LTC', '400')
      await chain.pay(order, '20')
      await chain.mine(101)
      if (amount) await chain.pay(order, amount)
      await chain.mine(6)
      await freezeNow(sale, sale.buyer)
      await chain.mine(101)
      if (amount === '0.012') await freezeNow(sale)
      expect(await listed(sale)).toEqual(amount === '0.012' ? ['1 400 0', '2 0 0'] : ['1 400 0'])
    }))

test('of two rewards only what a round has stays when both orders are taken back [REFER-5]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql('terms', "update campaign set settings = jsonb_set(settings, '{referral}', $1)", [
      JSON.stringify({ percent: '5', mostTokensEach: '1000', mostTokens: '5000', countriesExcluded: [] }),
    ])
    const [ann, ben] = [await addBuyer(sale.db), await addBuyer(sale.db)]
    const referral = new Referral({ db: sale.db, secrets: testSecrets, hintOutbox: () => {} })
    const { code } = await referral.join(ann, 'DE')
    await referral.note(sale.db, ben, code ?? '')
    const orders = [
      await sale.order('LTC', '200', 'token', ben),
      await sale.order('LTC', '400', 'token', ben),
    ]
    for (const [index, coins] of ['10', '20'].entries()) {
      await chain.pay(orders[index] as (typeof orders)[number], coins)
      await chain.mine(101)
      expect(await referral.decideDue()).toBe(1)
      if (index === 0) await freezeNow(sale, ann)
    }
    for (const order of orders) await sale.reject(order)
    expect(await referral.show(ann)).toMatchObject({ creditedTokens: '10' })
    await expect(freezeNow(sale)).rejects.toEqual(refused('round_empty'))
  }))

test('an order that is rejected while a round is frozen is in the round or rejected, and never both [DELIVER-29]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '2')
    await chain.mine(101)
    const freeze = await announceDue(sale, sale.buyer)
    const noRows = sql`lock table delivery_round_rows in share mode`
    const [, rejected] = await queuedBehind<unknown>(sale.db, noRows, [
      freeze,
      () => sale.reject(order).catch((refusal: unknown) => refusal),
    ])
    expect(rejected).toEqual(refused('tokens_allocated'))
  }))
