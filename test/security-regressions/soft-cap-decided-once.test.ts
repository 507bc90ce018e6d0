import { expect, test } from 'vitest'
import { type ChainSale, letPass } from '../chains/chain-sale.ts'
import { paysBackBelow } from '../chains/ended-sale.ts'
import { withPaperChain } from '../chains/paper-chain.ts'

// 40 tokens cost 2 LTC at $90: 20 tokens a coin, $4.50 a token. 6 confirmations.

const isApproved = async (sale: ChainSale, order: { token: string }) =>
  (await sale.show(order)).status === 'approved'

test('a late payment in a block at the end is waited for [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { end, read, decide } = await paysBackBelow(sale, '360')
    const [first, second] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
    await chain.pay(first, '2')
    await chain.mine(6)
    await letPass(sale, second, '2 hours')
    await chain.pay(second, '2')
    await chain.mine(1)
    await end()
    await read('4 hours')
    expect(await decide('24 hours')).toBe(null)
    await chain.mine(6)
    expect(await isApproved(sale, second)).toBe(true)
    expect(await decide('24 hours')).toBe('reached')
  }))

test('and so is one that buys more than was ordered [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { end, read, decide } = await paysBackBelow(sale, '360')
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '4')
    await chain.mine(1)
    await end()
    await read('4 hours')
    expect(await decide('24 hours')).toBe(null)
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', usd: '360.00' })
    expect(await decide('24 hours')).toBe('reached')
  }))

test('and a part of an amount in time [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { end, read, decide } = await paysBackBelow(sale, '360')
    const [first, second] = [await sale.order('LTC', '40'), await sale.order('LTC', '100')]
    await chain.pay(first, '2')
    await chain.mine(6)
    await chain.pay(second, '2.5')
    await chain.mine(1)
    await letPass(sale, second, '2 hours')
    await end()
    await read('4 hours')
    expect(await decide('24 hours')).toBe(null)
    await chain.mine(6)
    expect(await isApproved(sale, second)).toBe(true)
    expect(await decide('24 hours')).toBe('reached')
  }))

test('and one that a reorganisation takes out of its block for a while, but not once it is spent elsewhere [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { end, read, decide } = await paysBackBelow(sale, '180')
    const order = await sale.order('LTC', '40')
    const payment = await chain.pay(order, '2')
    await chain.mine(6)
    await end()
    await chain.reorg(6)
    await read('4 hours')
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'under_review' })
    expect(await decide('24 hours')).toBe(null)
    await chain.include(payment)
    await chain.mine(6)
    expect(await isApproved(sale, order)).toBe(true)
    await chain.reorg(6, [payment])
    await read('4 hours')
    expect(await decide('24 hours')).toBe('missed')
  }))

test('a payment that is never confirmed is waited for 7 days, and a node that is cut off as long [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { end, read, decide } = await paysBackBelow(sale, '360')
    const order = await sale.order('LTC', '40')
    await chain.pay(order, '4')
    await chain.mine(1)
    await end()
    await read('4 hours')
    expect(await decide('167 hours')).toBe(null)
    expect(await decide('7 days')).toBe('missed')
    // A later payment follows that verdict: it is owed back.
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refund_due' })
    expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '360.00', count: 1 })
  }))

test('a chain whose blocks of the sale are not read is named as what the verdict waits for [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { end, read, decide } = await paysBackBelow(sale, '180')
    const order = await sale.order('LTC', '40')
    await end()
    await read('-1 hours')
    expect(await decide('6 days')).toBe(null)
    expect(await sale.campaign.refresh()).toMatchObject({
      softCapVerdict: null,
      softCapWaitsFor: { chains: ['litecoin'], payments: 0 },
    })
    // It was paid in time, in a block that is read now.
    await chain.pay(order, '2')
    await chain.mine(6)
    await read('4 hours')
    expect(await decide('6 days')).toBe('reached')
  }))

test('a sale that reached its soft cap does not miss it by an order that is taken back weeks later [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { end, read, decide } = await paysBackBelow(sale, '360')
    const orders = [
      await sale.order('LTC', '40'),
      await sale.order('LTC', '40'),
      await sale.order('LTC', '40'),
    ]
    for (const order of orders.slice(0, 2)) await chain.pay(order, '2')
    await chain.mine(6)
    const [taken, standing, later] = orders as [(typeof orders)[0], (typeof orders)[0], (typeof orders)[0]]
    const payment = await chain.pay(later, '2', 'waiting')
    await end()
    await read('4 hours')
    expect(await decide('24 hours')).toBe('reached')
    await sale.ledger.reject(String(taken.number), { operatorId: sale.operatorId, reason: 'sanctions' })
    expect(await sale.payBackMissedSale()).toBe(0)
    expect(await decide('30 days')).toBe('reached')
    expect(await isApproved(sale, standing)).toBe(true)
    // A later payment buys as usual.
    await chain.include(payment)
    await chain.mine(6)
    expect(await isApproved(sale, later)).toBe(true)
  }))
