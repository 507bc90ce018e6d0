import { expect, test } from 'vitest'
import { letPass, setRate } from '../chains/chain-sale.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'

// 20 tokens a coin at $4.50 a token.

/** A late payment below the minimum order, which buys its value. */
async function payLittle({ sale, pay, mine }: PaperChain) {
  const order = await sale.order('LTC', '1000')
  await letPass(sale, order, '30 hours')
  await pay(order, '0.1')
  await mine(6)
  expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '2.000000', rate: '20' })
  return order
}

test('a little that is paid late keeps no rate for what is paid later [LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await payLittle(chain)
    await setRate(sale, '10')
    await chain.pay(order, '50')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      baseTokens: '502.000000',
      cryptoAmount: '50.100000',
    })
  }))

test('nor a place in a stage that is over [LATE-1]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await payLittle(chain)
    await sale.sql('stage_over', 'update stages set ends_at = clock_timestamp() where ends_at > now()')
    await chain.pay(order, '50')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      detail: 'overpaid',
      baseTokens: '2.000000',
    })
    expect(await sale.refunds.ofOrder(order.userId, order.token)).toMatchObject([
      { amount: '50', reason: 'late' },
    ])
  }))
