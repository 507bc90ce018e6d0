import type { Hex } from 'viem'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { letPass } from '../chains/chain-sale.ts'
import { units } from '../chains/evm-accounts.ts'
import { EvmSales } from '../chains/evm-sale.ts'
import { LyingNode } from '../chains/lying-node.ts'

const chain = new EvmSales()
const first = new LyingNode()
let nodes: { rpcUrl: string }
let forwarder: Hex
beforeAll(async () => {
  nodes = { rpcUrl: await first.start(chain.anvil.url) }
  forwarder = await chain.payer.deploy(chain.contracts.Forwarder)
  await chain.mine(5)
})
afterEach(() => Object.assign(first, { lie: undefined, change: () => undefined }))
const sees = () => {
  first.change = () => undefined
}
const isBlind = () => {
  first.change = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined)
}
const forward = (to: string, amount = '0.06') =>
  chain.payer.call(chain.contracts.Forwarder, forwarder, 'forward', [to as Hex], units(amount, 18))
const sweep = async (from: string) => {
  await chain.anvil.rpc.call('anvil_impersonateAccount', from)
  return chain.anvil.rpc.call<Hex>('eth_sendTransaction', {
    from,
    to: chain.payer.address,
    value: `0x${units('0.05', 18).toString(16)}`,
  })
}

test('what its block lacks enters no delivery round [DELIVER-27]', () =>
  chain.withSale(async (sale) => {
    const order = await sale.order('USDT', '40')
    await chain.transfer(chain.usdt, order.address, '180')
    for (const blocks of [12, 0, 30, 70]) await sale.mineAnd(blocks)
    isBlind()
    await sale.mineAnd(12)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    expect(await sale.sql('listed', "select order_id from tokens_for_rounds('infinity')")).toEqual([])
  }, nodes))

test('a balance that one look lacked is final after its coins were swept [SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const order = await sale.order('ETH', '40')
    await sale.look()
    await forward(order.address)
    await sale.look()
    await sale.look(14)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    first.change = ({ method, params }) =>
      method === 'eth_getBalance' && String(params[0]).toLowerCase() === order.address.toLowerCase()
        ? { result: '0x0' }
        : undefined
    await sale.look()
    sees()
    await sweep(order.address)
    await sale.look()
    await sale.look(300)
    await sale.look(1)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
  }, nodes))

test('a failed payment is final once its block is read no more [SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const order = await sale.order('USDT', '40')
    await chain.transfer(chain.usdt, order.address, '180')
    for (const blocks of [12, 0, 30, 70]) await sale.mineAnd(blocks)
    isBlind()
    await sale.mineAnd(12)
    await sale.sql(
      'hour',
      `update payments set lacking = tstzrange(lower(lacking) - interval '1 hour', upper(lacking) - interval '1 hour', '[]')`,
    )
    await sale.mineAnd(1)
    expect(await sale.show(order)).toMatchObject({ payments: [{ state: 'failed' }] })
    await sale.sql(
      'day',
      `update payments set lacking = tstzrange(lower(lacking) - interval '25 hours', upper(lacking) - interval '25 hours', '[]')`,
    )
    await sale.sql(
      'day_b',
      `update chain_blocks set lacked_at = lacked_at - interval '25 hours' where lacked_at is not null`,
    )
    await sale.mineAnd(10)
    await sale.mineAnd(10)
    expect(await sale.sql('fin', 'select final_at is not null as final from payments')).toEqual([
      { final: true },
    ])
  }, nodes))
void letPass
