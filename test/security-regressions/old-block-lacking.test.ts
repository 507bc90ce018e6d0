import type { Hex } from 'viem'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { EvmSales } from '../chains/evm-sale.ts'
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
  for (const one of [first, second]) Object.assign(one, { lie: undefined, change: () => undefined })
})

test('an old block that a node can no longer answer stops no chain [SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const [order, later] = [await sale.order('USDT', '40'), await sale.order('USDT', '40')]
    await chain.transfer(chain.usdt, order.address, '180')
    for (const blocks of [1, 11, 0, 30, 70]) await sale.mineAnd(blocks)
    first.change = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined)
    await sale.mineAnd(12)
    const [lacking] = await sale.sql<{ height: number }>(
      'lacking',
      'select height::integer from chain_blocks where lacked_at is not null',
    )
    expect(lacking).toBeDefined()
    await sale.mineAnd(300)
    // The node has pruned older blocks.
    first.change = ({ method, params }) =>
      method === 'eth_getBlockByNumber' && Number(params[0]) === lacking?.height
        ? { result: null }
        : undefined
    await chain.transfer(chain.usdt, later.address, '180')
    const faults: string[] = []
    for (const blocks of [1, 12, 1, 1])
      await sale.mineAnd(blocks).catch((error: Error) => faults.push(String(error.cause ?? error)))
    expect(await sale.show(later)).toMatchObject({ status: 'approved' })
  }, nodes))

test('coins of a rejected order that are left out for hours and come back are owed once [SETTLE-2, REFUND-1]', () =>
  chain.withSale(
    async (sale) => {
      const order = await sale.order('ETH', '40')
      await sale.look()
      await sale.reject(order)
      await chain.payer.pay(order.address as Hex, '0.06')
      for (const blocks of [1, 13, 30, 70]) await sale.look(blocks)
      first.change = ({ method }, { result }) =>
        method === 'eth_getBlockByNumber' && result
          ? {
              result: {
                ...(result as object),
                transactions: (
                  result as { transactions: (string | { to: string | null })[] }
                ).transactions.filter(
                  (one) => typeof one === 'string' || one.to?.toLowerCase() !== order.address.toLowerCase(),
                ),
              },
            }
          : undefined
      await sale.look(12)
      await sale.sql(
        'hour',
        `update payments set lacking = tstzrange(lower(lacking) - interval '1 hour', upper(lacking) - interval '1 hour', '[]')`,
      )
      for (const blocks of [1, 20, 1]) await sale.look(blocks)
      first.change = () => undefined
      for (const blocks of [1, 1]) await sale.look(blocks)
      expect(await sale.refunds.owed()).toMatchObject({ currencies: [{ amount: '0.06' }] })
    },
    { rpcUrl: nodes.rpcUrl },
  ))
