import type { Hex } from 'viem'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { EvmSales } from '../chains/evm-sale.ts'
import { LyingNode } from '../chains/lying-node.ts'

const chain = new EvmSales()
const first = new LyingNode()
let nodes: { rpcUrl: string }
beforeAll(async () => {
  nodes = { rpcUrl: await first.start(chain.anvil.url) }
})
afterEach(() => Object.assign(first, { lie: undefined, change: () => undefined }))

const sees = () => {
  first.change = () => undefined
}
/** Leaves transactions to this address out of blocks. */
const leavesOut = (to: string) => {
  first.change = ({ method }, { result }) =>
    method === 'eth_getBlockByNumber' && result
      ? {
          result: {
            ...(result as object),
            transactions: (
              result as { transactions: (string | { to: string | null })[] }
            ).transactions.filter(
              (one) => typeof one === 'string' || one.to?.toLowerCase() !== to.toLowerCase(),
            ),
          },
        }
      : undefined
}

test('coins that are left out for hours and come back are counted once [SETTLE-2]', () =>
  chain.withSale(async (sale) => {
    const order = await sale.order('ETH', '40')
    await sale.look()
    await chain.payer.pay(order.address as Hex, '0.06')
    for (const blocks of [1, 13, 30, 70]) await sale.look(blocks)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
    leavesOut(order.address)
    await sale.look(12)
    await sale.lackFor()
    await sale.look(1)
    await sale.look(20)
    await sale.look(1)
    sees()
    await sale.look(1)
    await sale.look(1)
    const shown = await sale.show(order)
    expect(shown.payments.filter(({ state }) => state !== 'failed')).toHaveLength(1)
    expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00' })
    expect((await sale.campaign.refresh()).raised.usd).toBe('180.00')
  }, nodes))
