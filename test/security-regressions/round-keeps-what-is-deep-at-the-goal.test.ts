import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'
import { setGoal } from '../support/campaign.ts'
import { freezeNow } from '../support/rounds.ts'

for (const first of [null, '20'])
  test(`as zz-cut, where the goal is reached and no largest order is (first: ${first ?? 'nothing'})`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      await setGoal(sale, '1800')
      const order = await sale.order('LTC', '400')
      const early = first && (await chain.pay(order, first, 'waiting'))
      await chain.pay(order, '20')
      await chain.mine(101)
      await freezeNow(sale, sale.buyer)
      if (early) await chain.include(early)
      await chain.mine(6)
      await chain.reorg(6, early ? [early] : [])
      await chain.mine(10)
      expect(
        await sale.sql(
          'deep',
          `select trim_scale(sum(credited))::text as bought, trim_scale(sum(owed))::text as owed from payments where alive and block_height is not null`,
        ),
      ).toEqual([{ bought: '20', owed: '0' }])
    }))
for (const first of [null, '20'])
  test(`and ledger:check says nothing of it (first: ${first ?? 'nothing'})`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      await setGoal(sale, '1800')
      const order = await sale.order('LTC', '400')
      const early = first && (await chain.pay(order, first, 'waiting'))
      await chain.pay(order, '20')
      await chain.mine(101)
      await freezeNow(sale, sale.buyer)
      if (early) await chain.include(early)
      await chain.mine(6)
      await chain.reorg(6, early ? [early] : [])
      await chain.mine(10)
    }))
