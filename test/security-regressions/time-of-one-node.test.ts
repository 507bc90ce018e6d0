import type { Hex } from 'viem'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { letPass } from '../chains/chain-sale.ts'
import { units } from '../chains/evm-accounts.ts'
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
    secondAboveUsd: '300',
  }
})
afterEach(() => {
  for (const node of [first, second]) Object.assign(node, { lie: undefined, change: () => undefined })
})

/** Says of each block that it was mined two hours earlier. */
const saysEarlier: LyingNode['change'] = ({ method }, { result }) => {
  const block = result as { timestamp: string } | null
  if (method !== 'eth_getBlockByNumber' || !block) return undefined
  return { result: { ...block, timestamp: `0x${(Number(block.timestamp) - 7_200).toString(16)}` } }
}

/** Whether the order's payments count as of before its expiry. */
const areInTime = (sale: EvmSale) =>
  sale.sql(
    'in_time',
    `select p.first_seen_at <= o.expires_at as "inTime", p.verified_hash is not null as "byBoth"
       from payments p join orders o on o.id = p.order_id order by p.id`,
  )

test('a payment that needs two nodes counts from the later of the times that they say of its block [SETTLE-3]', () =>
  chain.withSale(async (sale) => {
    const order = await sale.order('USDT', '80')
    await letPass(sale, order, '90 minutes')
    first.change = saysEarlier
    await chain.transfer(chain.usdt, order.address, '360')
    for (const blocks of [1, 1]) await sale.mineAnd(blocks)
    expect(await areInTime(sale)).toEqual([{ inTime: false, byBoth: true }])
  }, nodes))

test('coins of a contract are in the block in which both nodes show them [SETTLE-28]', () =>
  chain.withSale(async (sale) => {
    const { contracts, payer } = chain
    const forwarder = await payer.deploy(contracts.Forwarder)
    const order = await sale.order('ETH', '80')
    await sale.look()
    const early = Number(await chain.anvil.rpc.call<Hex>('eth_blockNumber')) + 1
    await chain.mine(5)
    // The first node says that they came four blocks before they did.
    const amount = units('0.12', 18)
    await payer.call(contracts.Forwarder, forwarder, 'forward', [order.address], amount)
    await chain.mine(1)
    first.change = ({ method, params }, { result }) => {
      const isOurs =
        method === 'eth_getBalance' && String(params[0]).toLowerCase() === order.address.toLowerCase()
      return isOurs && Number(params[1]) >= early && Number(params[1]) < early + 5
        ? { result: `0x${(BigInt(String(result)) + amount).toString(16)}` }
        : undefined
    }
    for (const blocks of [1, 1, 14]) await sale.look(blocks)
    const [shown] = await sale.sql(
      'shown',
      'select block_height::integer as height, verified_hash is not null as "byBoth" from payments',
    )
    expect(shown).toEqual({ height: early, byBoth: false })
  }, nodes))
