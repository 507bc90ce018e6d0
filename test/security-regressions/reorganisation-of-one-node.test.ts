import { afterEach, beforeAll, expect, test } from 'vitest'
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
    secondAboveUsd: '100',
  }
})
afterEach(() => {
  for (const node of [first, second]) Object.assign(node, { lie: undefined, change: () => undefined })
})

type RawBlock = { hash: string; parentHash: string; number: string; transactions: unknown[] }

/** Shows other, empty blocks above `height` than the chain has, up to `top`. */
function showsAnotherBranch(node: LyingNode, height: number, top: number): void {
  const other = (hash: string) => `0x99${hash.slice(4)}`
  node.change = ({ method, params }, { result }) => {
    if (method === 'eth_blockNumber') return { result: `0x${top.toString(16)}` }
    if (method === 'eth_getLogs') return { result: [] }
    const block = result as RawBlock | null
    if (method !== 'eth_getBlockByNumber' || !block || Number(block.number) <= height) return undefined
    if (Number(block.number) > top && String(params[0]).startsWith('0x')) return { result: null }
    const parentHash = Number(block.number) === height + 1 ? block.parentHash : other(block.parentHash)
    return { result: { ...block, hash: other(block.hash), parentHash, transactions: [] } }
  }
}

const heightOf = async (sale: EvmSale, what: string) => {
  const [row] = await sale.sql<{ height: number }>(
    `height_of_${what}`,
    what === 'payment'
      ? 'select block_height::integer as height from payments'
      : 'select height::integer from chains',
  )
  return row?.height ?? 0
}

async function bought(sale: EvmSale) {
  const order = await sale.order('USDT', '40')
  await chain.transfer(chain.usdt, order.address, '180')
  for (const blocks of [12, 0]) await sale.mineAnd(blocks)
  expect(await sale.show(order)).toMatchObject({ status: 'approved' })
  return order
}

test.each([
  ['with the block of a payment', -1],
  ['above it, so that it has too few confirmations', 2],
])(
  'a reorganisation that one of two nodes shows, %s, takes nothing that counts by the word of both [SETTLE-16]',
  (_, above) =>
    chain.withSale(async (sale) => {
      const order = await bought(sale)
      const height = (await heightOf(sale, 'payment')) + above
      showsAnotherBranch(first, height, height + 1)
      await expect(sale.passes()).rejects.toThrow('the second one does not')
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
      // A second node that is out of order shows nothing else.
      second.lie = 'broken'
      await expect(sale.passes()).rejects.toThrow()
      second.lie = undefined
      first.change = () => undefined
      await sale.mineAnd(1)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    }, nodes),
)

test('a reorganisation that both nodes show takes back what counted by their word [SETTLE-16]', () =>
  chain.withSale(async (sale) => {
    const order = await bought(sale)
    await chain.reorg((await heightOf(sale, 'chain')) - (await heightOf(sale, 'payment')) + 1)
    await sale.mineAnd(1)
    expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'orphaned' }] })
  }, nodes))

test('a reorganisation of what counts by one node’s word waits for no second node [SETTLE-28]', () =>
  chain.withSale(
    async (sale) => {
      const order = await bought(sale)
      second.lie = 'broken'
      await chain.reorg((await heightOf(sale, 'chain')) - (await heightOf(sale, 'payment')) + 1)
      await sale.mineAnd(1)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'orphaned' }] })
    },
    { ...nodes, secondAboveUsd: '1000' },
  ))
