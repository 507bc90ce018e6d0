import { expect, test } from 'vitest'
import { letPass, setRate } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { addBuyer, setGoal } from '../support/campaign.ts'

test('a late payment of $9.90 that a block holds is shown as confirming, and not as nothing [SETTLE-9]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '40')
    await letPass(sale, order, '2 hours')
    await setRate(sale, '200')
    await chain.pay(order, '0.011')
    await chain.mine(1)
    expect(await sale.sql('held', 'select held from orders')).toEqual([{ held: true }])
    expect(await sale.show(order)).toMatchObject({ detail: 'confirming' })
  }))

// $90 a coin at the order, $900 now. The order's first payment was taken back and may return.
test('a late payment keeps the room that its block gave it [HOLD-4]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await setGoal(sale, '198')
    const order = await sale.order('LTC', '40')
    const other = await sale.order('LTC', '44', 'token', await addBuyer(sale.db))
    await chain.pay(order, '2')
    await chain.mine(6)
    await chain.reorg(6)
    await letPass(sale, order, '2 hours')
    expect(await sale.show(order)).toMatchObject({ detail: 'under_review' })
    await setRate(sale, '200')
    await chain.pay(order, '0.011')
    await chain.mine(1)
    await chain.pay(other, '2.2')
    await chain.mine(6)
    expect(
      await sale.sql(
        'sums',
        `select trim_scale(credited)::text as bought, trim_scale(owed)::text as owed from payments where amount = 0.011`,
      ),
    ).toEqual([{ bought: '0.011', owed: '0' }])
  }))
