import { expect, test } from 'vitest'
import { type ChainSale, letPass } from '../chains/chain-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'

// 40 tokens cost 2 LTC at $90: 20 tokens a coin, $4.50 a token. 6 confirmations.

/** The sale pays back below $360. */
const promise = (sale: ChainSale) =>
  sale.sql(
    'pays_back',
    `update campaign set settings = settings || '{"softCapPolicy": "refund", "softCapUsd": "360"}'`,
  )
const endNow = (sale: ChainSale) => sale.sql('over', 'update stages set ends_at = clock_timestamp()')

async function isMissed(sale: ChainSale): Promise<boolean | undefined> {
  const [row] = await sale.sql<{ missed: boolean }>(
    'missed',
    'select soft_cap_missed_at is not null as missed from campaign',
  )
  return row?.missed
}

test('a late payment in a block at the end is waited for [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await promise(sale)
    const [first, second] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
    await chain.pay(first, '2')
    await chain.mine(6)
    await letPass(sale, second, '2 hours')
    await sale.orders.expire()
    await chain.pay(second, '2')
    await chain.mine(1)
    await endNow(sale)
    expect(await sale.payBackMissedSale()).toBe(0)
    await chain.mine(6)
    expect(await sale.show(second)).toMatchObject({ status: 'approved' })
    expect(await isMissed(sale)).toBe(false)
  }))

test('and so is one that buys more than was ordered [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await promise(sale)
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '4')
    await chain.mine(1)
    await endNow(sale)
    expect(await sale.payBackMissedSale()).toBe(0)
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', usd: '360.00' })
    expect(await isMissed(sale)).toBe(false)
  }))

test('and a part of an amount in time [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await promise(sale)
    const [first, second] = [await sale.order('LTC', '40'), await sale.order('LTC', '100')]
    await chain.pay(first, '2')
    await chain.mine(6)
    await chain.pay(second, '2.5')
    await chain.mine(1)
    await letPass(sale, second, '2 hours')
    await sale.settleDue()
    await endNow(sale)
    expect(await sale.payBackMissedSale()).toBe(0)
    await chain.mine(6)
    expect(await sale.show(second)).toMatchObject({ status: 'approved' })
    expect(await isMissed(sale)).toBe(false)
  }))

test('but not for ever: 7 days from the end it is decided without [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await promise(sale)
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '4')
    await chain.mine(1)
    await sale.sql(
      'long_over',
      `update stages set starts_at = now() - interval '30 days', ends_at = now() - interval '8 days'`,
    )
    await sale.payBackMissedSale()
    expect(await isMissed(sale)).toBe(true)
  }))

test('a sale that ended at its soft cap does not miss it by an order that is taken back weeks later [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    await promise(sale)
    const orders = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
    for (const order of orders) await chain.pay(order, '2')
    await chain.mine(6)
    await sale.sql(
      'over_yesterday',
      `update stages set starts_at = now() - interval '30 days', ends_at = now() - interval '25 hours'`,
    )
    expect(await sale.payBackMissedSale()).toBe(0)
    await sale.ledger.reject(String(orders[0]?.number), {
      operatorId: sale.operatorId,
      reason: 'sanctions',
    })
    expect(await sale.payBackMissedSale()).toBe(0)
    expect(await isMissed(sale)).toBe(false)
    expect(await sale.show(orders[1] ?? expect.fail())).toMatchObject({ status: 'approved' })
  }))
