import { afterEach, beforeAll, expect, test } from 'vitest'
import { createPayer } from '../chains/evm-accounts.ts'
import { type EvmSale, EvmSales } from '../chains/evm-sale.ts'
import { LyingNode } from '../chains/lying-node.ts'

const chain = new EvmSales()
const first = new LyingNode()
const second = new LyingNode()
let nodes: { rpcUrl: string; secondRpcUrl: string; secondAboveUsd: string }
beforeAll(async () => {
  nodes = {
    rpcUrl: await first.start(chain.anvil.url),
    secondRpcUrl: await second.start(chain.anvil.url),
    secondAboveUsd: '1',
  }
})
afterEach(() => {
  for (const node of [first, second]) Object.assign(node, { lie: undefined, change: () => undefined })
})

/** As a provider whose index of logs lags answers: the blocks are there, their logs are not. */
const isBlind = (node: LyingNode) => {
  node.change = ({ method }, { result }) =>
    method === 'eth_getLogs'
      ? { result: [] }
      : method === 'eth_getTransactionReceipt' && result
        ? { result: null }
        : undefined
}
const sees = (node: LyingNode) => {
  node.change = () => undefined
}

/** A purchase of 180 USDT whose block is not read again but for the last time. */
async function bought(sale: EvmSale) {
  const order = await sale.order('USDT', '40')
  await chain.transfer(chain.usdt, order.address, '180')
  for (const blocks of [12, 0, 30, 70]) await sale.mineAnd(blocks)
  expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
  return order
}

const anHour = (sale: EvmSale) =>
  sale.sql(
    'an_hour',
    `update payments set lacking = tstzrange(lower(lacking) - interval '1 hour', upper(lacking) - interval '1 hour', '[]'),
            second_lacking = tstzrange(lower(second_lacking) - interval '1 hour', upper(second_lacking) - interval '1 hour', '[]')`,
  )

test('an answer without logs, when a block is read for the last time, takes no credit [SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const order = await bought(sale)
    isBlind(first)
    await sale.mineAnd(12)
    sees(first)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    for (const blocks of [40, 40]) await sale.mineAnd(blocks)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
    expect((await sale.campaign.refresh()).raised.usd).toBe('180.00')
  }, nodes))

test('what one node lacks for hours is final only once that node shows it again [SETTLE-20]', () =>
  chain.withSale(
    async (sale) => {
      const order = await bought(sale)
      isBlind(first)
      await sale.mineAnd(12)
      // Deeper than the blocks that are remembered, and not read meanwhile.
      await sale.mineAnd(300)
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
      sees(first)
      await sale.mineAnd(1)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
    },
    { rpcUrl: nodes.rpcUrl },
  ))

test('what one node lacks in two readings an hour apart stays bought while the other one shows it [SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const order = await bought(sale)
    isBlind(first)
    await sale.mineAnd(12)
    await anHour(sale)
    await sale.mineAnd(1)
    await sale.mineAnd(1)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
    isBlind(second)
    await sale.mineAnd(1)
    await anHour(sale)
    await sale.mineAnd(1)
    await sale.mineAnd(1)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'failed' }] })
    sees(first)
    await sale.mineAnd(1)
    await sale.mineAnd(1)
    expect(await sale.show(order)).toMatchObject({ status: 'pending' })
    sees(second)
    await sale.mineAnd(1)
    await sale.mineAnd(1)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
  }, nodes))

test('an hour without a reading fails nothing [SETTLE-20]', () =>
  chain.withSale(
    async (sale) => {
      const order = await bought(sale)
      isBlind(first)
      await sale.mineAnd(12)
      await anHour(sale)
      sees(first)
      await sale.mineAnd(1)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    },
    { rpcUrl: nodes.rpcUrl },
  ))

test('another amount, said of the same block by one node for the last time, takes no credit [SETTLE-16]', () =>
  chain.withSale(async (sale) => {
    const order = await bought(sale)
    first.lie = 'forged'
    await sale.mineAnd(12)
    first.lie = undefined
    for (const blocks of [40, 40]) await sale.mineAnd(blocks)
    expect(await sale.show(order)).toMatchObject({
      status: 'approved',
      cryptoAmount: '180.000000',
      payments: [{ amount: '180', state: 'final' }],
    })
  }, nodes))

test('an answer without logs makes no refund owed again that a block paid [REFUND-5]', () =>
  chain.withSale(async (sale) => {
    const order = await sale.order('USDT', '40')
    await sale.reject(order)
    await chain.transfer(chain.usdt, order.address, '180')
    await sale.mineAnd(12)
    await sale.passes()
    const to = createPayer(chain.anvil, 7).address
    await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
    await sale.execute('chain.refund-senders', { network: 'ethereum', addresses: [chain.payer.address] })
    // The payment's own block is beyond its last reading.
    for (const blocks of [60, 70]) await sale.mineAnd(blocks)
    await chain.transfer(chain.usdt, to, '180')
    for (const blocks of [13, 30, 70]) await sale.mineAnd(blocks)
    expect(await sale.refunds.list({ limit: 5 })).toMatchObject({ items: [{ state: 'paid' }] })
    isBlind(first)
    await sale.mineAnd(12)
    expect(await sale.refunds.list({ limit: 5 })).toMatchObject({ items: [{ state: 'paid' }] })
    sees(first)
    for (const blocks of [40, 40]) await sale.mineAnd(blocks)
    expect(await sale.refunds.list({ limit: 5 })).toMatchObject({ items: [{ state: 'paid' }] })
    expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00', paidCount: 1 })
  }, nodes))

/** Says of an address that it holds so much more, in the smallest units. */
const makesUp = (address: string, units: bigint) => {
  first.change = ({ method, params }, { result }) =>
    method === 'eth_getBalance' && String(params[0]).toLowerCase() === address.toLowerCase()
      ? { result: `0x${(BigInt(String(result)) + units).toString(16)}` }
      : undefined
}

/** A look at balances, by a watcher that has asked for none yet. */
const looks = async (sale: EvmSale, blocks = 1) => {
  await chain.mine(blocks)
  await sale.takeOver('ethereum')
  await sale.passes()
}

test('a balance that a node made up buys no longer once two looks an hour apart contradict it [SETTLE-20]', () =>
  chain.withSale(
    async (sale) => {
      const order = await sale.order('ETH', '40')
      await looks(sale)
      makesUp(order.address, 60_000_000_000_000_000n)
      await looks(sale)
      await looks(sale, 14)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      sees(first)
      await looks(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      // Not final while it is lacking, and there again where a look shows it.
      await looks(sale, 140)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
      expect(await sale.broken()).toEqual([])
      await anHour(sale)
      await looks(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'failed' }] })
      expect((await sale.campaign.refresh()).raised.usd).toBe('0.00')
    },
    { rpcUrl: nodes.rpcUrl },
  ))

test('a balance of which one look shows less buys on where the next one shows it [SETTLE-20]', () =>
  chain.withSale(
    async (sale) => {
      const { contracts, payer } = chain
      const forwarder = await payer.deploy(contracts.Forwarder)
      const order = await sale.order('ETH', '40')
      await looks(sale)
      await payer.call(contracts.Forwarder, forwarder, 'forward', [order.address], 60_000_000_000_000_000n)
      await looks(sale)
      await looks(sale, 14)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      makesUp(order.address, -60_000_000_000_000_000n)
      await looks(sale)
      await anHour(sale)
      sees(first)
      await looks(sale)
      makesUp(order.address, -10_000_000_000_000_000n)
      await looks(sale)
      sees(first)
      await looks(sale, 140)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
    },
    { rpcUrl: nodes.rpcUrl },
  ))

test('ledger:check shows a purchase that stands on a final balance which is gone [SETTLE-20]', () =>
  chain.withSale(
    async (sale) => {
      const order = await sale.order('ETH', '40')
      await looks(sale)
      makesUp(order.address, 60_000_000_000_000_000n)
      await looks(sale)
      await looks(sale, 140)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
      sees(first)
      await looks(sale)
      expect(await sale.broken()).toEqual([])
      await anHour(sale)
      await looks(sale)
      expect(await sale.broken()).toMatchObject([{ rule: 'purchases_stand_on_what_nodes_show' }])
      makesUp(order.address, 60_000_000_000_000_000n)
      await looks(sale)
    },
    { rpcUrl: nodes.rpcUrl },
  ))
