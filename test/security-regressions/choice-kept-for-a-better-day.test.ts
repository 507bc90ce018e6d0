import { expect, test } from 'vitest'
import { letPass, setRate } from '../chains/chain-sale.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'

// 20 tokens a coin at $4.50 a token; the smallest order is 40 tokens.

/** A late payment too small for an order, for which its buyer asked tokens: it is owed back. What comes while the sale is paused asks its buyer, however soon. */
async function chooseForLittle({ sale, pay, mine }: PaperChain, after = '30 hours') {
  const order = await sale.order('LTC', '1000')
  await letPass(sale, order, after)
  await sale.orders.expire()
  await sale.sql('pause', 'update campaign set paused_at = now()')
  await pay(order, '0.0001')
  await mine(6)
  await sale.sql('resume', 'update campaign set paused_at = null')
  expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'late' })
  await sale.payments.chooseLate(sale.asBuyer, order.token, 'tokens')
  expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refund_due' })
  return order
}

test('tokens that were chosen for a little keep no rate for what is paid later [LATE-2]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await chooseForLittle(chain)
    await setRate(sale, '10')
    await chain.pay(order, '50')
    await chain.mine(6)
    // The buyer is asked again, and has what the money buys now.
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'late' })
    await sale.payments.chooseLate(sale.asBuyer, order.token, 'tokens')
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      baseTokens: '500.000000',
      rate: '10',
    })
    expect(await sale.refunds.ofOrder(order.userId, order.token)).toMatchObject([{ amount: '0.0001' }])
  }))

test('nor for what is paid so soon that it settles by itself [LATE-2]', () =>
  withPaperChain(async (chain) => {
    const order = await chooseForLittle(chain, '2 hours')
    await setRate(chain.sale, '10')
    await chain.pay(order, '50')
    await chain.mine(6)
    expect(await chain.sale.show(order)).toMatchObject({
      status: 'approved',
      baseTokens: '500.000000',
      rate: '10',
    })
  }))

test('nor a place in a stage that is over [LATE-2]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await chooseForLittle(chain)
    await sale.sql('stage_over', 'update stages set ends_at = clock_timestamp() where ends_at > now()')
    await chain.pay(order, '50')
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'late' })
    await expect(sale.payments.chooseLate(sale.asBuyer, order.token, 'tokens')).rejects.toMatchObject({
      code: 'stage_closed',
    })
  }))
