import fc from 'fast-check'
import { formatUnits, type Hex } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { units } from '../../../../test/chains/evm-accounts.ts'
import { type EvmSale, EvmSales } from '../../../../test/chains/evm-sale.ts'
import { type Lie, LyingNode, lies } from '../../../../test/chains/lying-node.ts'
import { slowness } from '../../../../test/support/patience.ts'
import { compare } from '../../../shared/money.ts'
import { TRANSFER_TOPIC } from './transfer-topic.ts'

const chain = new EvmSales()
const first = new LyingNode()
const second = new LyingNode()
let nodes: { rpcUrl: string; secondRpcUrl: string }
beforeAll(async () => {
  nodes = { rpcUrl: await first.start(chain.anvil.url), secondRpcUrl: await second.start(chain.anvil.url) }
})
afterEach(() => {
  for (const node of [first, second]) Object.assign(node, { lie: undefined, change: () => undefined })
})

describe('a node', () => {
  test('that answers once without its logs loses no payment [SETTLE-20]', () =>
    chain.withSale(
      async (sale) => {
        const order = await sale.order('USDT', '40')
        await chain.transfer(chain.usdt, order.address, '180')
        await chain.mine(1)
        first.lie = 'empty'
        await sale.passes()
        expect(await sale.show(order)).toMatchObject({ payments: [] })
        first.lie = undefined
        await sale.mineAnd(40)
        expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ amount: '180' }] })
      },
      { rpcUrl: nodes.rpcUrl },
    ))

  test('that says more was paid is corrected when its block is read again [SETTLE-20]', () =>
    chain.withSale(
      async (sale) => {
        const order = await sale.order('USDT', '40')
        await chain.transfer(chain.usdt, order.address, '20')
        await chain.mine(1)
        first.lie = 'forged'
        await sale.passes()
        expect(await sale.show(order)).toMatchObject({ payments: [{ amount: '320' }] })
        first.lie = undefined
        await sale.mineAnd(12)
        expect(await sale.show(order)).toMatchObject({ baseTokens: '4.444444', payments: [{ amount: '20' }] })
      },
      { rpcUrl: nodes.rpcUrl },
    ))

  test('that says of two counted payments that more was paid takes none of their credit, and gives them no more [SETTLE-4]', () =>
    chain.withSale(
      async (sale) => {
        const order = await sale.order('USDT', '40')
        await chain.transfer(chain.usdt, order.address, '45')
        await chain.transfer(chain.usdt, order.address, '180')
        await sale.mineAnd(27)
        await sale.passes()
        expect(await sale.show(order)).toMatchObject({ status: 'approved', cryptoAmount: '225.000000' })
        first.lie = 'forged'
        // Their block is read again, and the second node knows of 225.
        await sale.mineAnd(14)
        const credited = await sale.sql<{ credited: string }>(
          'credited_of_two',
          'select sum(credited + owed)::text as credited from payments where address = $1',
          [order.address],
        )
        expect(credited).toEqual([{ credited: '225' }])
        first.lie = undefined
        await sale.mineAnd(120)
        await sale.passes()
        expect(await sale.show(order)).toMatchObject({ status: 'approved', cryptoAmount: '225.000000' })
      },
      { ...nodes, secondAboveUsd: '0' },
    ))

  test('that shows as waiting what can’t be mined any more is not believed for long [SETTLE-20]', () =>
    chain.withSale(
      async (sale) => {
        const order = await sale.order('ETH', '40')
        const { payer } = chain
        const nonce = await payer.nonce()
        const hash = await payer.pay(order.address, '0.06', { nonce })
        const pending = await chain.anvil.rpc.call('eth_getBlockByNumber', 'pending', true)
        await payer.pay(payer.address, '0.06', { nonce, tip: 5_000_000_000n })
        await sale.mineAnd(1)
        first.change = ({ method, params }) =>
          method === 'eth_getBlockByNumber' && params[0] === 'pending' ? { result: pending } : undefined
        await sale.passes()
        expect(await sale.show(order)).toMatchObject({ payments: [{ transactionId: hash, state: 'seen' }] })
        first.change = () => undefined
        await sale.passes()
        expect(await sale.show(order)).toMatchObject({
          detail: 'awaiting_payment',
          payments: [{ state: 'failed' }],
        })
      },
      { rpcUrl: nodes.rpcUrl },
    ))

  test('that does not know which block is final has a large payment count 128 blocks later [SETTLE-4]', () =>
    chain.withSale(
      async (sale) => {
        first.change = ({ method, params }) =>
          method === 'eth_getBlockByNumber' && params[0] === 'finalized'
            ? { error: { code: -32_602, message: 'unknown tag' } }
            : undefined
        const order = await sale.order('ETH', '3000')
        await chain.payer.pay(order.address, order.cryptoAmount)
        await sale.mineAnd(128)
        expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'confirming' })
        await sale.mineAnd(1)
        expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      },
      { rpcUrl: nodes.rpcUrl },
    ))

  test('that says later that less is final takes no confirmation back [SETTLE-16]', () =>
    chain.withSale(
      async (sale) => {
        const order = await sale.order('ETH', '3000')
        await chain.payer.pay(order.address, order.cryptoAmount)
        await sale.mineAnd(80)
        expect(await sale.show(order)).toMatchObject({ status: 'approved' })
        first.change = ({ method, params }, { result }) =>
          method === 'eth_getBlockByNumber' && params[0] === 'finalized'
            ? { result: { ...(result as object), number: '0x1' } }
            : undefined
        await sale.mineAnd(1)
        expect(await sale.sql('confirmed', 'select confirmed from payments')).toEqual([{ confirmed: true }])
      },
      { rpcUrl: nodes.rpcUrl },
    ))

  test('that has forgotten what waited lets it fail after 24 hours', () =>
    chain.withSale(async (sale) => {
      const order = await sale.order('ETH', '40')
      const hash = await chain.payer.pay(order.address, '0.06')
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ payments: [{ state: 'seen' }] })
      await chain.anvil.rpc.call('anvil_dropTransaction', hash)
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ payments: [{ state: 'seen' }] })
      await sale.sql('a_day', "update payments set missing_since = missing_since - interval '25 hours'")
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ payments: [{ state: 'failed' }] })
    }))
})

describe('a second node', () => {
  test('has to show the same recipient and amount, not only the transaction [SETTLE-28]', () =>
    chain.withSale(async (sale) => {
      const order = await sale.order('USDT', '400')
      const stranger = await chain.payer.pay(chain.payer.address, '0.000001')
      await chain.mine(1)
      const { blockHash } = await chain.anvil.rpc.call<{ blockHash: Hex }>(
        'eth_getTransactionReceipt',
        stranger,
      )
      const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
      const log = {
        address: chain.usdt,
        topics: [TRANSFER_TOPIC, topic(chain.payer.address), topic(order.address)],
        data: `0x${units('1800', 6).toString(16).padStart(64, '0')}`,
        blockHash,
        transactionHash: stranger,
        logIndex: '0x7',
      }
      first.change = ({ method, params }, { result }) => {
        const [asked] = params as [{ blockHash?: string }]
        if (method !== 'eth_getLogs' || asked.blockHash !== blockHash) return undefined
        return { result: [...(result as object[]), log] }
      }
      await sale.mineAnd(14)
      await sale.passes()
      expect(await chain.usdtOf(order.address)).toBe(0n)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ amount: '1800' }] })
      // A transfer that is there counts, by the same pair of nodes.
      const other = await sale.order('USDT', '400')
      await chain.transfer(chain.usdt, other.address, '1800')
      await sale.mineAnd(12)
      await sale.passes()
      expect(await sale.show(other)).toMatchObject({ status: 'approved' })
    }, nodes))

  test('agrees to coins that a contract sent by the balance [SETTLE-28]', () =>
    chain.withSale(async (sale) => {
      const { contracts, payer } = chain
      const forwarder = await payer.deploy(contracts.Forwarder)
      const order = await sale.order('ETH', '400')
      await payer.call(contracts.Forwarder, forwarder, 'forward', [order.address], units('0.6', 18))
      await chain.mine(1)
      await sale.takeOver('ethereum')
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ payments: [{ amount: '0.6' }] })
      await sale.mineAnd(14)
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    }, nodes))

  test.each(['html', 'broken', 'empty'] as const)(
    'that is out of order (%s) delays only what needs it [SETTLE-28]',
    (lie) =>
      chain.withSale(async (sale) => {
        const large = await sale.order('USDT', '400')
        const small = await sale.order('USDT', '40')
        second.lie = lie
        await chain.transfer(chain.usdt, large.address, '1800')
        await chain.transfer(chain.usdt, small.address, '180')
        await sale.mineAnd(14)
        await sale.passes()
        expect(await sale.show(small)).toMatchObject({ status: 'approved' })
        expect(await sale.show(large)).toMatchObject({ status: 'pending', detail: 'confirming' })
        second.lie = undefined
        await sale.passes()
        expect(await sale.show(large)).toMatchObject({ status: 'approved' })
      }, nodes),
  )

  test('has to be as high and as final as the payment needs [SETTLE-28]', () =>
    chain.withSale(async (sale) => {
      const large = await sale.order('USDT', '400')
      await chain.transfer(chain.usdt, large.address, '1800')
      // The blocks above the payment are the first node's alone, as those that it makes up are.
      const height = Number(await chain.anvil.rpc.call<Hex>('eth_blockNumber'))
      second.change = ({ method }) =>
        method === 'eth_blockNumber' ? { result: `0x${(height + 2).toString(16)}` } : undefined
      await sale.mineAnd(130)
      await sale.passes()
      expect(await sale.show(large)).toMatchObject({ status: 'pending', detail: 'confirming' })
      second.change = () => undefined
      await sale.passes()
      expect(await sale.show(large)).toMatchObject({ status: 'approved' })
    }, nodes))

  test('that operators removed is waited for by no payment [SETTLE-28]', () =>
    chain.withSale(async (sale) => {
      const large = await sale.order('USDT', '400')
      second.lie = 'broken'
      await chain.transfer(chain.usdt, large.address, '1800')
      await sale.mineAnd(14)
      expect(await sale.show(large)).toMatchObject({ status: 'pending', detail: 'confirming' })
      await sale.takeOver('ethereum', { secondRpcUrl: undefined })
      await sale.passes()
      expect(await sale.show(large)).toMatchObject({ status: 'approved' })
    }, nodes))

  test('that does not answer holds no pass up for long [SETTLE-28]', () =>
    chain.withSale(async (sale) => {
      const large = await sale.order('USDT', '400')
      await chain.transfer(chain.usdt, large.address, '1800')
      await sale.mineAnd(14)
      second.lie = 'silent'
      const { watcher, epoch } = await sale.takeOver('ethereum')
      const start = performance.now()
      await watcher.pass(epoch)
      expect(performance.now() - start).toBeLessThan(10_000 * slowness)
    }, nodes))
})

/** What an address holds, as the honest chain says. */
async function heldAt(order: { currency: string; address: string }): Promise<string> {
  if (order.currency === 'USDT') return formatUnits(await chain.usdtOf(order.address), 6)
  return formatUnits(BigInt(await chain.anvil.rpc.call<Hex>('eth_getBalance', order.address, 'latest')), 18)
}

type Step =
  | { readonly kind: 'pay'; readonly place: number; readonly amount: string }
  | { readonly kind: 'look'; readonly lie: Lie | undefined; readonly blocks: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('pay' as const),
      place: fc.nat(1),
      amount: fc.constantFrom('0.03', '0.06', '45', '180'),
    }),
    fc.record({
      kind: fc.constant('look' as const),
      lie: fc.option(fc.constantFrom(...lies), { nil: undefined }),
      blocks: fc.integer({ min: 0, max: 14 }),
    }),
  ),
  { minLength: 8, maxLength: 16 },
)

async function take(
  sale: EvmSale,
  orders: { currency: string; address: string }[],
  step: Step,
): Promise<void> {
  if (step.kind === 'pay') {
    const order = orders[step.place]
    if (order?.currency === 'USDT') await chain.transfer(chain.usdt, order.address, step.amount)
    else if (order) await chain.payer.pay(order.address, step.amount.length > 3 ? step.amount : '0.06')
    return
  }
  first.lie = step.lie
  await chain.mine(step.blocks)
  // A pass that the lie breaks is tried again, as watchers do.
  await sale.passes().catch(() => undefined)
}

test('whatever a node says for a while, the honest chain is what is confirmed in the end, and nothing else is ever credited [SETTLE-20]', async () => {
  const property = fc.asyncProperty(steps, (all) =>
    chain.withSale(
      async (sale) => {
        first.lie = undefined
        const orders = [await sale.order('USDT', '40'), await sale.order('ETH', '40')]
        for (const step of all) {
          await take(sale, orders, step)
          for (const order of orders) {
            const [row] = await sale.sql<{ credited: string }>(
              'credited',
              'select coalesce(sum(credited + owed), 0)::text as credited from payments where address = $1',
              [order.address],
            )
            expect(compare(row?.credited ?? '0', await heldAt(order))).toBeLessThanOrEqual(0)
          }
        }
        first.lie = undefined
        for (const blocks of [1, 13, 40, 80]) await sale.mineAnd(blocks)
        await sale.passes()
        for (const order of orders) {
          const [row] = await sale.sql<{ amount: string; confirmed: boolean }>(
            'in_the_end',
            'select coalesce(sum(amount), 0)::text as amount, coalesce(bool_and(confirmed), true) as confirmed from payments where address = $1 and alive',
            [order.address],
          )
          expect({ ...row, amount: compare(row?.amount ?? '0', await heldAt(order)) }).toEqual({
            amount: 0,
            confirmed: true,
          })
        }
      },
      { ...nodes, secondAboveUsd: '0' },
    ),
  )
  await fc.assert(property, {
    numRuns: Number(process.env['CHAIN_RUNS'] ?? 5),
    endOnFailure: true,
    interruptAfterTimeLimit: 120_000,
    markInterruptAsFailure: true,
  })
})
