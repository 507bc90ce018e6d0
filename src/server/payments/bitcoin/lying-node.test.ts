import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../../test/chains/account-keys.ts'
import { type ChainSale, withChainSale } from '../../../../test/chains/chain-sale.ts'
import { type Lie, LyingNode, lies } from '../../../../test/chains/lying-node.ts'
import { type Litecoind, startLitecoind } from '../../../../test/chains/processes.ts'
import { add, compare } from '../../../shared/money.ts'

/** The first account that is this file's: each test has one of its own, because they share one chain. */
let account = 300
const proxy = new LyingNode()
let node: Litecoind
let url = ''
beforeAll(async () => {
  node = await startLitecoind()
  url = await proxy.start(node.url)
})
afterAll(() => node.stop())
const behave = () => Object.assign(proxy, { lie: undefined, change: () => undefined })
afterEach(behave)

/** A sale whose watcher asks the proxy; every test ends with the rules of ledger and payments proved. */
const withSale = (work: (sale: ChainSale) => Promise<void>) =>
  withChainSale(
    [
      {
        family: 'bitcoin',
        network: 'litecoin',
        node: { kind: 'core', url },
        net: 'regtest',
        pollMs: 100,
        startHeight: undefined,
        explorerUrl: undefined,
      },
    ],
    async (sale) => {
      account += 1
      await sale.watch(
        'LTC',
        'litecoin',
        accountOf(ABANDON, `m/84'/1'/${account}'`, 'vpub').publicExtendedKey,
      )
      await pass(sale)
      await work(sale)
    },
  )

const pass = (sale: ChainSale) => sale.pass('litecoin')
const mineAnd = async (sale: ChainSale, blocks: number) => {
  await node.mine(blocks)
  await pass(sale)
}

describe('a node', () => {
  test('that is slow to say how high it is loses no payment to an address given out meanwhile [SETTLE-20]', () =>
    withSale(async (sale) => {
      let order: Awaited<ReturnType<ChainSale['order']>> | undefined
      proxy.change = async ({ method }) => {
        if (method !== 'getblockcount') return undefined
        behave()
        order = await sale.order('LTC', '40')
        await node.send(order.address, '2')
        await node.mine(1)
        return { result: await node.rpc.call<number>('getblockcount') }
      }
      await pass(sale)
      await mineAnd(sale, 6)
      expect(order && (await sale.show(order))).toMatchObject({
        status: 'approved',
        payments: [{ amount: '2' }],
      })
    }))

  test('whose chain changes while it is read loses no payment in a block that was not there before', () =>
    withSale(async (sale) => {
      await node.mine(1)
      const tip = await node.rpc.call<string>('getbestblockhash')
      let order: Awaited<ReturnType<ChainSale['order']>> | undefined
      proxy.change = async ({ method, params }) => {
        if (method !== 'getblockhash') return undefined
        const height = await node.rpc.call<number>('getblockcount')
        if (params[0] !== height) return undefined
        behave()
        order = await sale.order('LTC', '40')
        // First the block goes, then the wallet chooses its coins: none of them may hang on it.
        await node.rpc.call('invalidateblock', tip)
        await node.send(order.address, '2')
        await node.mine(1)
        return { result: await node.rpc.call<string>('getblockhash', height) }
      }
      await pass(sale)
      await mineAnd(sale, 6)
      expect(order && (await sale.show(order))).toMatchObject({
        status: 'approved',
        payments: [{ amount: '2' }],
      })
    }))

  test('that shows another transaction than it was asked for is not believed, and asked again [SETTLE-20]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '0.5')
      proxy.lie = 'forged'
      await pass(sale).catch(() => undefined)
      expect(await sale.show(order)).toMatchObject({ detail: 'awaiting_payment', payments: [] })
      behave()
      await pass(sale)
      expect(await sale.show(order)).toMatchObject({ payments: [{ amount: '0.5', state: 'seen' }] })
    }))

  test('that lacks a block below the height that it says takes back nothing and stops nothing [SETTLE-18]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await mineAnd(sale, 6)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      const tip = await node.rpc.call<number>('getblockcount')
      proxy.change = ({ method, params }) =>
        method === 'getblockhash' && Number(params[0]) >= tip
          ? { error: { code: -8, message: 'Block height out of range' } }
          : undefined
      await expect(pass(sale)).rejects.toThrow(`the node has no block ${tip}`)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      proxy.change = ({ method }) =>
        method === 'getblockhash' ? { error: { code: -8, message: 'Block height out of range' } } : undefined
      await sale.takeOver('litecoin')
      await expect(pass(sale)).rejects.toThrow('the node does not show its first block')
      behave()
      await mineAnd(sale, 1)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ confirmations: 7 }] })
    }))

  test.each([{ said: null }, { said: 'many' }, { said: -1 }])(
    'that says $said for its height is asked again [SETTLE-18]',
    ({ said }) =>
      withSale(async (sale) => {
        proxy.change = ({ method }) => (method === 'getblockcount' ? { result: said } : undefined)
        await expect(pass(sale)).rejects.toThrow('the node does not say how high its chain is')
      }),
  )

  test('that says it is higher than it is is read as far as it goes, and no faster than any other [SETTLE-18]', () =>
    withSale(async (sale) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await node.mine(1)
      const tip = await node.rpc.call<number>('getblockcount')
      proxy.change = ({ method }) => (method === 'getblockcount' ? { result: tip + 1_000 } : undefined)
      expect(await pass(sale)).toMatchObject({ height: tip, isBehind: false })
      expect(await sale.show(order)).toMatchObject({ payments: [{ confirmations: 1 }] })
    }))
})

type Step =
  | { readonly kind: 'pay'; readonly place: number; readonly amount: string }
  | { readonly kind: 'look'; readonly lie: Lie | undefined; readonly blocks: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('pay' as const),
      place: fc.nat(1),
      amount: fc.constantFrom('0.1', '0.5', '2'),
    }),
    fc.record({
      kind: fc.constant('look' as const),
      lie: fc.option(fc.constantFrom(...lies), { nil: undefined }),
      blocks: fc.integer({ min: 0, max: 4 }),
    }),
  ),
  { minLength: 8, maxLength: 16 },
)

const SUMS = `select coalesce(sum(amount) filter (where alive), 0)::text as amount, coalesce(sum(credited + owed), 0)::text as counted,
                     coalesce(bool_and(confirmed) filter (where alive), true) as confirmed from payments where address = $1`

test('whatever a node says for a while, the honest chain is what is confirmed in the end, and nothing else is ever credited', async () => {
  const property = fc.asyncProperty(steps, (all) =>
    withSale(async (sale) => {
      const orders = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
      const paid = ['0', '0']
      const sums = async (place: number) => {
        const address = orders[place]?.address
        const [row] = await sale.sql<{ amount: string; counted: string; confirmed: boolean }>('sums', SUMS, [
          address,
        ])
        return row ?? { amount: '0', counted: '0', confirmed: true }
      }
      for (const step of all) {
        if (step.kind === 'pay') {
          await node.send(orders[step.place]?.address ?? '', step.amount)
          paid[step.place] = add(paid[step.place] ?? '0', step.amount)
        } else {
          proxy.lie = step.lie
          await node.mine(step.blocks)
          // A pass that the lie breaks is tried again, as watchers do.
          await pass(sale).catch(() => undefined)
        }
        for (const [place, amount] of paid.entries())
          expect(compare((await sums(place)).counted, amount)).toBeLessThanOrEqual(0)
      }
      behave()
      for (const blocks of [1, 6, 6]) await mineAnd(sale, blocks)
      for (const [place, amount] of paid.entries()) {
        const { amount: known, confirmed } = await sums(place)
        expect({ known: compare(known, amount), confirmed }).toEqual({ known: 0, confirmed: true })
      }
    }),
  )
  await fc.assert(property, {
    numRuns: Number(process.env['CHAIN_RUNS'] ?? 3),
    endOnFailure: true,
    interruptAfterTimeLimit: 120_000,
    markInterruptAsFailure: true,
  })
})
