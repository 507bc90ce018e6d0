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

test('a chain that an operator resumed is followed although an old block lacked something [SETTLE-18]', () =>
  chain.withSale(async (sale) => {
    await chain.mine(900)
    await sale.passes()
    const order = await sale.order('USDT', '40')
    await chain.transfer(chain.usdt, order.address, '180')
    for (const blocks of [12, 0, 30, 70]) await sale.mineAnd(blocks)
    first.change = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined)
    for (const blocks of [12, 200, 200, 200]) await sale.mineAnd(blocks)
    await chain.reorg(740)
    await chain.mine(2)
    await expect(sale.passes()).rejects.toThrow('deeper')
    await sale.sql(
      'resume',
      `update chains set takes_new_chain = true, stopped = false where name = 'ethereum'`,
    )
    await sale.takeOver('ethereum')
    const tip = Number(await chain.anvil.rpc.call<string>('eth_blockNumber'))
    for (let pass = 0; pass < 4; pass += 1) await sale.passes()
    expect(await sale.sql('height', `select height::integer from chains where name = 'ethereum'`)).toEqual([
      { height: tip },
    ])
  }, nodes))
