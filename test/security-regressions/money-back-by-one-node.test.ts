import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { TestEscrow } from '../chains/escrows.ts'
import { createPayer } from '../chains/evm-accounts.ts'
import { type EvmSale, EvmSales } from '../chains/evm-sale.ts'
import { LyingNode } from '../chains/lying-node.ts'

// What pays a debt, and what an escrow gives back, counts by as many nodes as a payment of the same dollars.

const chain = new EvmSales()
const first = new LyingNode()
const second = new LyingNode()
let nodes: { rpcUrl: string; secondRpcUrl: string; secondAboveUsd: string }
let escrow: TestEscrow
beforeAll(async () => {
  escrow = await TestEscrow.make(chain)
  nodes = {
    rpcUrl: await first.start(chain.anvil.url),
    secondRpcUrl: await second.start(chain.anvil.url),
    secondAboveUsd: '100',
  }
})
afterEach(() => {
  for (const node of [first, second]) node.change = () => undefined
})

/** A node that has every block, and of no transaction a log or a receipt. */
const isBlind = (node: LyingNode) => {
  node.change = ({ method }) =>
    method === 'eth_getLogs'
      ? { result: [] }
      : method === 'eth_getTransactionReceipt'
        ? { result: null }
        : undefined
}
const sees = (node: LyingNode) => {
  node.change = () => undefined
}

describe('a refund', () => {
  const states = async (sale: EvmSale) =>
    (await sale.refunds.list({ limit: 5 })).items.map(({ state }) => state)

  /** A debt of 180 USDT, and where it goes. */
  async function owed(sale: EvmSale) {
    const order = await sale.order('USDT', '40')
    await sale.reject(order)
    await chain.transfer(chain.usdt, order.address, '180')
    await sale.mineAnd(12)
    await sale.passes()
    const to = createPayer(chain.anvil, 7).address
    await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
    await sale.execute('chain.refund-senders', { network: 'ethereum', addresses: [chain.payer.address] })
    for (const blocks of [60, 70]) await sale.mineAnd(blocks)
    return to
  }

  test('that the first node alone shows is not paid until the second one shows it [SETTLE-28]', () =>
    chain.withSale(async (sale) => {
      const to = await owed(sale)
      isBlind(second)
      await chain.transfer(chain.usdt, to, '180')
      for (const blocks of [13, 30, 1]) await sale.mineAnd(blocks)
      expect(await states(sale)).toEqual(['sent'])
      sees(second)
      await sale.passes()
      await sale.passes()
      expect(await states(sale)).toEqual(['paid'])
    }, nodes))

  test('stays paid while the second node shows it, however long the first one lacks it [REFUND-5]', () =>
    chain.withSale(async (sale) => {
      const to = await owed(sale)
      await chain.transfer(chain.usdt, to, '180')
      for (const blocks of [13, 1, 30, 70]) await sale.mineAnd(blocks)
      expect(await states(sale)).toEqual(['paid'])
      isBlind(first)
      await sale.mineAnd(12)
      await sale.lackFor()
      for (const blocks of [1, 1]) await sale.mineAnd(blocks)
      expect(await states(sale)).toEqual(['paid'])
      isBlind(second)
      await sale.mineAnd(1)
      await sale.lackFor()
      for (const blocks of [1, 1]) await sale.mineAnd(blocks)
      expect(await states(sale)).toEqual(['sent'])
    }, nodes))
})

describe('what an escrow gives back', () => {
  test('by the word of the first node alone takes no tokens [DELIVER-11]', () =>
    chain.withSale(async (sale) => {
      await escrow.stand(sale)
      const { order, quote } = await escrow.order(sale, 'ETH', '40')
      await escrow.pay(quote)
      for (const blocks of [13, 1]) await sale.mineAnd(blocks)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await escrow.call('cancelOrder', [quote.orderId])
      isBlind(second)
      for (const blocks of [13, 30]) await sale.mineAnd(blocks)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      sees(second)
      await sale.passes()
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'returned' }] })
    }, nodes))
})
