import { expect, test } from 'vitest'
import { letPass } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'

test('a settlement that is refused leaves the order’s amounts and its capacity as they were [SETTLE-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await sale.sql(
      'pays_back',
      `update campaign set settings = settings || '{"softCapPolicy": "refund", "softCapUsd": "10000"}'`,
    )
    const order = await sale.order('LTC', '100')
    await chain.pay(order, '2.5')
    await chain.mine(1)
    await letPass(sale, order, '2 hours')
    await sale.sql(
      'long_over',
      `update stages set starts_at = now() - interval '30 days', ends_at = now() - interval '8 days'`,
    )
    // The sale misses its cap while half of the order still waits for its confirmations, a week after the end.
    await sale.payBackMissedSale()
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ usd: '450.00', baseTokens: '100.000000' })
    expect(await sale.broken()).toEqual([])
  }))
