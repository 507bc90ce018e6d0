import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer, setGoal } from '../support/campaign.ts'

// 40 tokens cost 2 LTC at $90; the goal leaves $180 for the first, and $27 of it for the second.
for (const dust of [null, '0.00000001', '0.0001', '0.011'])
  test(`dust (${dust ?? 'none'}) does not complete an order of which money is owed back, and so buys nothing [SETTLE-9]`, () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      await setGoal(sale, '207')
      const first = await sale.order('LTC', '40', 'token', await addBuyer(sale.db))
      const order = await sale.order('LTC', '40')
      await chain.pay(first, '2')
      await chain.mine(1)
      await chain.pay(order, '2')
      await chain.mine(6)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '6.000000' })
      await sale.reject(first)
      if (dust) await chain.pay(order, dust)
      await chain.mine(6)
      expect.soft(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '6.000000' })
      expect
        .soft(
          await sale.sql(
            'states',
            'select payment_state(payments) as state, trim_scale(credited)::text as credited from payments order by id desc limit 1',
          ),
        )
        .toMatchObject(dust ? [{ state: 'too_little', credited: '0' }] : [{}])
    }))
