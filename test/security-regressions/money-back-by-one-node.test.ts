import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { TestEscrow } from '../chains/escrows.ts'
import { createPayer, units } from '../chains/evm-accounts.ts'
import { type EvmSale, EvmSales } from '../chains/evm-sale.ts'
import { LyingNode } from '../chains/lying-node.ts'
import { addBuyer, setGoal } from '../support/campaign.ts'

// A refund, and a return by an escrow, needs as many nodes as a payment of the same value.

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
const rpc = <T>(method: string, ...params: unknown[]) => chain.anvil.rpc.call<T>(method, ...params)
const tip = async () => Number(await rpc<string>('eth_blockNumber'))
type Named = { hash: string }
const blockAt = (height: number | 'latest') =>
  rpc<Named>('eth_getBlockByNumber', height === 'latest' ? height : `0x${height.toString(16)}`, false)
/** Whether the logs of the escrow in one block are asked for. */
const isAsked = ({ method, params }: Parameters<LyingNode['change']>[0], hash: string) => {
  const [of] = params as [{ blockHash?: string; address?: string[] }?]
  const isEscrow = of?.address?.some((one) => one.toLowerCase() === escrow.address.toLowerCase())
  return method === 'eth_getLogs' && of?.blockHash === hash && isEscrow === true
}
/** A node that has no logs of one block. */
const leavesOut = (node: LyingNode, { hash }: Named) => {
  node.change = ({ method, params }) =>
    method === 'eth_getLogs' && (params[0] as { blockHash?: string }).blockHash === hash
      ? { result: [] }
      : undefined
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

  test('that both nodes lacked for good is not paid again by the first one alone [SETTLE-28]', () =>
    chain.withSale(async (sale) => {
      const to = await owed(sale)
      await chain.transfer(chain.usdt, to, '180')
      for (const blocks of [13, 1, 30, 70]) await sale.mineAnd(blocks)
      expect(await states(sale)).toEqual(['paid'])
      isBlind(first)
      isBlind(second)
      for (const blocks of [12, 1]) await sale.mineAnd(blocks)
      await sale.lackFor()
      for (const blocks of [1, 1]) await sale.mineAnd(blocks)
      expect(await states(sale)).toEqual(['sent'])
      sees(first)
      for (const blocks of [1, 13, 30]) await sale.mineAnd(blocks)
      expect(await states(sale)).toEqual(['sent'])
      sees(second)
      for (const blocks of [1, 1]) await sale.mineAnd(blocks)
      expect(await states(sale)).toEqual(['paid'])
    }, nodes))

  for (const lies of [false, true])
    test(`stays paid though a newer block that the first node alone said to hold it is taken back (${lies}) [REFUND-5]`, () =>
      chain.withSale(async (sale) => {
        const to = await owed(sale)
        await chain.transfer(chain.usdt, to, '180')
        for (const blocks of [13, 1, 30, 130]) await sale.mineAnd(blocks)
        expect(await states(sale)).toEqual(['paid'])
        const [paid] = await sale.sql<{ h: number; t: string }>(
          'paid',
          'select block_height::int as h, transaction_id as t from refunds',
        )
        const blockHash = (await blockAt(paid?.h ?? 0)).hash
        const logs = await rpc<{ transactionHash: string }[]>('eth_getLogs', {
          blockHash,
          address: [chain.usdt],
        })
        const height = (await tip()) + 1
        if (lies)
          first.change = async ({ method, params }, answer) => {
            const at = (await blockAt(height)) as Named | null
            const asked = (params[0] as { blockHash?: string } | undefined)?.blockHash
            if (method !== 'eth_getLogs' || !at || asked !== at.hash) return undefined
            const again = logs.filter((log) => log.transactionHash === paid?.t)
            const moved = again.map((log) => ({
              ...log,
              blockHash: asked,
              blockNumber: `0x${height.toString(16)}`,
            }))
            return { result: [...(answer.result as object[]), ...moved] }
          }
        // Something else lies in that block, so that the one which takes its place is another one.
        await chain.transfer(chain.usdt, createPayer(chain.anvil, 6).address, '1')
        await sale.mineAnd(1)
        sees(first)
        // A reorganisation of one block, which both nodes show.
        await chain.reorg(1)
        for (const blocks of [1, 13, 30]) await sale.mineAnd(blocks)
        expect(await states(sale)).toEqual(['paid'])
      }, nodes))

  for (const fails of [false, true])
    test(`of which the second node says nothing keeps no payment of others from counting (${fails}) [SETTLE-28]`, () =>
      chain.withSale(async (sale) => {
        const to = await owed(sale)
        const refund = await chain.transfer(chain.usdt, to, '180')
        if (fails)
          second.change = ({ method, params }) =>
            method === 'eth_getTransactionReceipt' && params[0] === refund
              ? { error: { code: 4444, message: 'pruned history unavailable' } }
              : undefined
        await sale.mineAnd(1)
        const other = await sale.order('ETH', '40', 'token', await addBuyer(sale.db))
        await chain.payer.pay(other.address as `0x${string}`, other.cryptoAmount)
        for (const blocks of [13, 1, 30, 130]) await sale.mineAnd(blocks)
        expect(await states(sale)).toEqual([fails ? 'sent' : 'paid'])
        expect(await sale.show(other)).toMatchObject({ status: 'approved' })
        const [fault] = await sale.sql<{ error: string | null }>(
          'fault',
          'select second_error as error from chains',
        )
        expect(fault?.error ?? null).toEqual(fails ? expect.stringContaining('pruned history') : null)
      }, nodes))

  for (const lost of [false, true])
    test(`that another transaction pays, once the first one is lost for good, ends as paid (${lost}) [REFUND-6]`, () =>
      chain.withSale(
        async (sale) => {
          const to = await owed(sale)
          if (lost) {
            await chain.transfer(chain.usdt, to, '180')
            await sale.mineAnd(1)
            leavesOut(first, await blockAt('latest'))
            for (const blocks of [4, 1]) await sale.mineAnd(blocks)
            await sale.lackFor()
            for (const blocks of [1, 1]) await sale.mineAnd(blocks)
            expect(await sale.sql('row', 'select state, block_height from refunds')).toEqual([
              { state: 'sent', block_height: null },
            ])
          }
          const other = createPayer(chain.anvil, 3)
          await chain.mint(chain.usdt, other.address, '1000')
          await sale.mineAnd(1)
          const { TestToken } = chain.contracts
          const transactionId = await other.call(TestToken, chain.usdt, 'transfer', [to, units('180', 6)])
          for (const blocks of [1, 130]) await sale.mineAnd(blocks)
          const [refund] = (await sale.refunds.list({ limit: 5 })).items
          await sale.execute('refund.sent', { refundId: refund?.id ?? '', transactionId })
          for (const blocks of [1, 13, 130]) await sale.mineAnd(blocks)
          expect(
            await sale.sql(
              'end',
              'select state, transaction_id = $1 as named, block_height is not null as mined, lacking is null as shown from refunds',
              [transactionId],
            ),
          ).toEqual([{ state: 'paid', named: true, mined: true, shown: true }])
        },
        { rpcUrl: nodes.rpcUrl },
      ))
})

describe('what an escrow gives back', () => {
  /** An order of 180 dollars that is paid in the escrow, and counted. */
  async function paid(sale: EvmSale, deep: readonly number[] = []) {
    await escrow.stand(sale)
    const { order, quote } = await escrow.order(sale, 'ETH', '40')
    await escrow.pay(quote)
    await sale.mineAnd(1)
    const at = await tip()
    for (const blocks of [13, 1, ...deep]) await sale.mineAnd(blocks)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    return { order, quote, at }
  }
  const returned = { status: 'pending', payments: [{ state: 'returned' }] }

  test('by the word of the first node alone takes no tokens [DELIVER-11]', () =>
    chain.withSale(async (sale) => {
      await escrow.stand(sale)
      const { order, quote } = await escrow.order(sale, 'ETH', '40')
      await escrow.pay(quote)
      for (const blocks of [13, 1]) await sale.mineAnd(blocks)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await escrow.call('cancelOrder', [quote.orderId])
      isBlind(second)
      for (const blocks of [13, 130]) await sale.mineAnd(blocks)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      sees(second)
      await sale.passes()
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'returned' }] })
    }, nodes))

  test('is not counted while its block lacks it [SETTLE-20, DELIVER-11]', () =>
    chain.withSale(
      async (sale) => {
        const { order, quote } = await paid(sale)
        await escrow.call('cancelOrder', [quote.orderId])
        await sale.mineAnd(1)
        leavesOut(first, await blockAt('latest'))
        for (const blocks of [3, 1, 130, 1]) await sale.mineAnd(blocks)
        expect(await sale.sql('lacks', 'select return_lacking is not null as lacks from payments')).toEqual([
          { lacks: true },
        ])
        expect(await sale.show(order)).toMatchObject({ status: 'approved' })
        sees(first)
        for (const blocks of [1, 1]) await sale.mineAnd(blocks)
        expect(await sale.show(order)).toMatchObject(returned)
      },
      { rpcUrl: nodes.rpcUrl },
    ))

  test('and both nodes lacked for good is not counted again by the first one alone [SETTLE-28]', () =>
    chain.withSale(async (sale) => {
      const { order, quote } = await paid(sale)
      await escrow.call('cancelOrder', [quote.orderId])
      for (const blocks of [2, 12, 1]) await sale.mineAnd(blocks)
      const known = async () => {
        const [one] = await sale.sql<{ height: number | null; by: string }>(
          'returned',
          'select returned_height::int as height, returned_by as by from payments',
        )
        return one
      }
      const row = await known()
      const { hash } = await blockAt(row?.height ?? 0)
      for (const node of [first, second])
        node.change = ({ method, params }) =>
          method === 'eth_getLogs' && (params[0] as { blockHash?: string }).blockHash === hash
            ? { result: [] }
            : method === 'eth_getTransactionReceipt' && params[0] === row?.by
              ? { result: null }
              : undefined
      for (const blocks of [30, 1]) await sale.mineAnd(blocks)
      await sale.lackFor()
      for (const blocks of [1, 1]) await sale.mineAnd(blocks)
      expect(await known()).toEqual({ height: null, by: null })
      sees(first)
      for (const blocks of [80, 1, 30]) await sale.mineAnd(blocks)
      await sale.settleDue()
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      sees(second)
      for (const blocks of [1, 1]) await sale.mineAnd(blocks)
      expect(await sale.show(order)).toMatchObject(returned)
    }, nodes))

  for (const isOld of [false, true])
    test(`stays given back though the second node lacked it once, hours before (${isOld}) [SETTLE-20, SETTLE-28]`, () =>
      chain.withSale(async (sale) => {
        const { order, quote } = await paid(sale)
        await escrow.call('cancelOrder', [quote.orderId])
        await sale.mineAnd(1)
        const block = await blockAt('latest')
        for (const blocks of [13, 1]) await sale.mineAnd(blocks)
        if (isOld) {
          leavesOut(first, block)
          isBlind(second)
          for (const blocks of [30, 1]) await sale.mineAnd(blocks)
          sees(first)
          for (const blocks of [1, 1]) await sale.mineAnd(blocks)
          await sale.lackFor(2)
        }
        // The second node says nothing for an hour, then it lacks it once.
        second.change = ({ method }) =>
          method === 'eth_getTransactionReceipt' ? { error: { code: 4444, message: 'not now' } } : undefined
        leavesOut(first, block)
        await sale.mineAnd(80)
        await sale.mineAnd(1)
        await sale.lackFor(1)
        isBlind(second)
        for (const blocks of [1, 1, 1]) await sale.mineAnd(blocks)
        for (const node of [first, second]) sees(node)
        for (const blocks of [30, 1, 1]) await sale.mineAnd(blocks)
        expect(await sale.show(order)).toMatchObject(returned)
      }, nodes))

  for (const removed of [false, true])
    test(`counts once operators have removed the second node (${removed}) [SETTLE-28, DELIVER-11]`, () =>
      chain.withSale(async (sale) => {
        const { order, quote } = await paid(sale, [130, 1])
        expect(await sale.show(order)).toMatchObject({ payments: [{ state: 'final' }] })
        if (removed) await sale.takeOver('ethereum', { secondRpcUrl: undefined })
        await sale.mineAnd(1)
        await escrow.call('cancelOrder', [quote.orderId])
        for (const blocks of [1, 13, 130, 130]) await sale.mineAnd(blocks)
        await sale.passes()
        expect(await sale.show(order)).toMatchObject(returned)
      }, nodes))

  for (const lies of [false, true])
    test(`is not moved, and so undone, by the first node alone (${lies}) [SETTLE-28]`, () =>
      chain.withSale(async (sale) => {
        const { order, quote, at } = await paid(sale)
        await escrow.call('cancelOrder', [quote.orderId])
        await sale.mineAnd(1)
        const blockHash = (await blockAt('latest')).hash
        for (const blocks of [13, 1]) await sale.mineAnd(blocks)
        const [log] = await rpc<object[]>('eth_getLogs', { blockHash, address: escrow.address })
        const { hash } = await blockAt(at + 1)
        if (lies)
          first.change = (exchange, answer) =>
            isAsked(exchange, hash) && (answer.result as object[]).length === 0
              ? { result: [{ ...log, blockHash: hash, transactionHash: `0x${'fb'.repeat(32)}` }] }
              : undefined
        await sale.mineAnd(20)
        sees(first)
        // The block is read again without the payment, and an hour later, too.
        for (const blocks of [70, 30, 1]) await sale.mineAnd(blocks)
        await sale.lackFor()
        for (const blocks of [1, 1, 1]) await sale.mineAnd(blocks)
        await sale.settleDue()
        expect(await sale.show(order)).toMatchObject(returned)
      }, nodes))

  for (const lacks of ['at once', 'when it is read for the last time'])
    test(`is owed by nobody else: no room is sold of a return that its block lacks ${lacks} [DELIVER-11]`, () =>
      chain.withSale(
        async (sale) => {
          await setGoal(sale, '180')
          const other = await sale.order('ETH', '40', 'token', await addBuyer(sale.db))
          const { order, quote } = await paid(sale)
          await escrow.call('cancelOrder', [quote.orderId])
          await sale.mineAnd(1)
          const block = await blockAt('latest')
          if (lacks === 'at once') leavesOut(first, block)
          for (const blocks of [3, 1, 12, 1]) await sale.mineAnd(blocks)
          await chain.payer.pay(other.address as `0x${string}`, other.cryptoAmount)
          for (const blocks of [13, 1]) await sale.mineAnd(blocks)
          leavesOut(first, block)
          for (const blocks of [80, 10]) await sale.mineAnd(blocks)
          await sale.lackFor()
          for (const blocks of [1, 1, 130, 1]) await sale.mineAnd(blocks)
          await sale.settleDue()
          expect(await sale.show(order)).toMatchObject({ status: 'approved' })
          expect(await sale.sql('debts', 'select order_id::text, reason from refunds')).toEqual([
            { order_id: String(other.number), reason: 'cap_reached' },
          ])
        },
        { rpcUrl: nodes.rpcUrl },
      ))
})
