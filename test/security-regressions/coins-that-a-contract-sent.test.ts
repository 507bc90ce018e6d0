import type { Hex } from 'viem'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { OperatorOverview } from '../../src/server/overview/overview.ts'
import { letPass } from '../chains/chain-sale.ts'
import { units } from '../chains/evm-accounts.ts'
import { type EvmSale, EvmSales } from '../chains/evm-sale.ts'
import { LyingNode } from '../chains/lying-node.ts'
import { actionsOf } from '../support/actions.ts'

const chain = new EvmSales()
const node = new LyingNode()
const second = new LyingNode()
const nodes = { rpcUrl: '', secondRpcUrl: '', secondAboveUsd: '0' }
let forwarder: Hex
beforeAll(async () => {
  nodes.rpcUrl = await node.start(chain.anvil.url)
  nodes.secondRpcUrl = await second.start(chain.anvil.url)
  forwarder = await chain.payer.deploy(chain.contracts.Forwarder)
  await chain.mine(5)
})
beforeEach(() => {
  for (const one of [node, second]) one.change = () => undefined
})

/** Coins for an order from a contract, which appear only as a balance: the signed transaction. */
async function forward(order: { address: string }, amount = '0.06'): Promise<Hex> {
  const { contracts, payer, anvil } = chain
  const sent = [order.address as Hex]
  const hash = await payer.call(contracts.Forwarder, forwarder, 'forward', sent, units(amount, 18))
  return anvil.rpc.call<Hex>('eth_getRawTransactionByHash', hash)
}

/** Mines, and looks as a watcher does that has just taken over. */
async function lookAfter(sale: EvmSale, blocks: number): Promise<void> {
  await chain.mine(blocks)
  await sale.takeOver('ethereum')
  await sale.passes()
}

/** An order whose address's balance is known from before anything came. */
async function orderForCoins(sale: EvmSale, tokens = '40') {
  const order = await sale.order('ETH', tokens)
  await lookAfter(sale, 0)
  return order
}

/** Coins are worth half as much, and always were: a block may say an earlier time than the clock. */
const halveRate = (sale: EvmSale) =>
  sale.sql(
    'halve_rate',
    `with k as (update currencies set rate = rate / 2, rate_at = now() where code = 'ETH' returning id)
     update currency_rates r set rate = r.rate / 2 from k where r.currency_id = k.id`,
  )

const payments = (sale: EvmSale) =>
  sale.sql(
    'payments',
    'select trim_scale(amount)::text as amount, payment_state(payments) as state from payments where alive order by block_height, id',
  )

/** The operator takes the coins out of the order's address. */
async function sweepOf({ address }: { address: string }) {
  await chain.anvil.rpc.call('anvil_impersonateAccount', address)
  return { from: address, to: chain.payer.address, value: `0x${units('0.05', 18).toString(16)}` }
}

const overviewOf = ({ db, campaign }: EvmSale) => {
  const { pending } = actionsOf(db, campaign.actions)
  return new OperatorOverview({
    db,
    campaign,
    pending,
    sendsMail: async () => true,
    newerRelease: () => null,
    followed: ['ethereum'],
  })
}
const tip = async () => Number(await chain.anvil.rpc.call<Hex>('eth_blockNumber'))

/** A node that has the states of its last 128 blocks alone. */
async function forgetOld(one: LyingNode): Promise<void> {
  const oldest = (await tip()) - 127
  one.change = ({ method, params }) =>
    method === 'eth_getBalance' && Number(params[1]) < oldest
      ? { error: { code: -32_000, message: 'missing trie node' } }
      : undefined
}

const bought = { status: 'approved', baseTokens: '40.000000' }

test('coins that a contract sent in time while nobody read the chain have the locked rate [SETTLE-7]', () =>
  chain.withSale(async (sale) => {
    const order = await orderForCoins(sale)
    await forward(order)
    await chain.mine(1)
    await sale.sql('expire', 'update orders set expires_at = clock_timestamp() where id = $1', [order.number])
    await halveRate(sale)
    await lookAfter(sale, 40)
    expect(await sale.show(order)).toMatchObject(bought)
  }))

test('coins that contracts sent in several blocks each count from their own [SETTLE-7]', () =>
  chain.withSale(async (sale) => {
    const order = await orderForCoins(sale)
    for (const amount of ['0.03', '0.01', '0.02']) {
      await forward(order, amount)
      await chain.mine(3)
    }
    const last = await tip()
    await lookAfter(sale, 40)
    const came = await sale.sql(
      'came',
      'select trim_scale(amount)::text as amount, block_height::integer as height from payments order by block_height',
    )
    expect(came).toEqual([
      { amount: '0.03', height: last - 8 },
      { amount: '0.01', height: last - 5 },
      { amount: '0.02', height: last - 2 },
    ])
    expect(await sale.show(order)).toMatchObject(bought)
  }))

test('coins that a contract sent count from the first block whose state the node still has [SETTLE-2]', () =>
  chain.withSale(async (sale) => {
    const order = await orderForCoins(sale)
    await forward(order)
    await chain.mine(200)
    await forgetOld(node)
    await lookAfter(sale, 0)
    expect(await sale.sql('height', 'select block_height::integer as height from payments')).toEqual([
      { height: (await tip()) - 127 },
    ])
    await sale.passes()
    expect(await sale.show(order)).toMatchObject(bought)
  }, nodes))

test('operators are shown that a node has forgotten what an address held when it was given out [SETTLE-2]', () =>
  chain.withSale(async (sale) => {
    const order = await sale.order('ETH', '40')
    await chain.mine(200)
    await forgetOld(node)
    await forward(order)
    await lookAfter(sale, 1)
    expect(await payments(sale)).toEqual([])
    const shown = async () => {
      const { attention } = await overviewOf(sale).show('owner')
      return attention.filter(({ kind }) => kind === 'balances_unknown')
    }
    // It may just not have been asked yet.
    expect(await shown()).toEqual([])
    await sale.sql('later', "update wallet_addresses set reserved_at = reserved_at - interval '11 minutes'")
    expect(await shown()).toMatchObject([{ subject: 'ethereum', count: 1, detail: `#${order.number}` }])
    node.change = () => undefined
    await lookAfter(sale, 1)
    await lookAfter(sale, 1)
    expect(await shown()).toEqual([])
    expect(await payments(sale)).toMatchObject([{ amount: '0.06' }])
  }, nodes))

test('coins that a contract sent stand after a reorg above their block, though the address was swept [SETTLE-16]', () =>
  chain.withSale(async (sale) => {
    const order = await orderForCoins(sale)
    await forward(order)
    // That they lie in the first of these blocks is read at the third.
    await lookAfter(sale, 3)
    await lookAfter(sale, 13)
    expect(await sale.show(order)).toMatchObject(bought)
    const sweep = await sweepOf(order)
    await chain.anvil.rpc.call('eth_sendTransaction', sweep)
    await lookAfter(sale, 1)
    await chain.anvil.rpc.call('anvil_reorg', 15, [[sweep, 0]])
    await lookAfter(sale, 1)
    await lookAfter(sale, 40)
    expect(await sale.show(order)).toMatchObject(bought)
  }))

test('coins that a contract sent count again where one block of another branch holds them and their sweep [SETTLE-16]', () =>
  chain.withSale(async (sale) => {
    const order = await orderForCoins(sale)
    const raw = await forward(order)
    await lookAfter(sale, 1)
    await lookAfter(sale, 13)
    await letPass(sale, order, '2 hours')
    await halveRate(sale)
    await chain.anvil.rpc.call('anvil_reorg', 14, [
      [raw, 2],
      [await sweepOf(order), 2],
    ])
    await lookAfter(sale, 40)
    expect(await sale.show(order)).toMatchObject(bought)
    expect(await sale.lookUp('ethereum', chain.anvil.url)).toBe('1 found')
    const more = { amount: '0.061', credited: '0.061' }
    expect(await sale.lookUp('ethereum', chain.anvil.url, more)).toMatch(/^0 found; .* held 0\.00\d+ then/)
  }))

test.each([false, true])(
  'coins that a contract sends to a swept address count, and only those (the sweep is undone: %s) [SETTLE-2]',
  (isUndone) =>
    chain.withSale(async (sale) => {
      const order = await orderForCoins(sale, '80')
      await forward(order)
      await lookAfter(sale, 13)
      await chain.anvil.rpc.call('eth_sendTransaction', await sweepOf(order))
      await lookAfter(sale, 13)
      expect(await payments(sale)).toMatchObject([{ amount: '0.06' }])
      if (isUndone) await chain.reorg(13)
      await forward(order)
      await lookAfter(sale, 13)
      expect(await payments(sale)).toMatchObject([{ amount: '0.06' }, { amount: '0.06' }])
      expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '80.000000' })
      expect(await sale.lookUp('ethereum', chain.anvil.url)).toBe('2 found')
    }),
)

test.each([false, true])(
  'coins of a contract count at an address that had sent something before it was given out (forgotten: %s) [SETTLE-2]',
  (isForgotten) =>
    chain.withSale(async (sale) => {
      const order = await sale.order('ETH', '80')
      await chain.anvil.rpc.call('anvil_setNonce', order.address, '0x5')
      await chain.mine(isForgotten ? 200 : 1)
      if (isForgotten) await forgetOld(node)
      await lookAfter(sale, 0)
      await forward(order)
      await lookAfter(sale, 13)
      await chain.anvil.rpc.call('eth_sendTransaction', await sweepOf(order))
      await lookAfter(sale, 13)
      await forward(order)
      await lookAfter(sale, 13)
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '80.000000' })
    }, nodes),
)

test.each([
  ['in another block', ['0.06'], [3]],
  ['in one block instead of two', ['0.02', '0.04'], [3, 3]],
  ['in two blocks instead of one', ['0.04', '0.02'], [2, 5]],
])(
  'coins that a contract sent in time have the locked rate after a reorg, %s [SETTLE-16]',
  (kind, amounts, places) =>
    chain.withSale(async (sale) => {
      const order = await orderForCoins(sale)
      const raws: Hex[] = []
      for (const amount of amounts) {
        raws.push(await forward(order, amount))
        if (kind.startsWith('in one')) await lookAfter(sale, 1)
      }
      await lookAfter(sale, 13)
      expect(await sale.show(order)).toMatchObject(bought)
      // The order's time is over, and coins are worth half as much.
      await letPass(sale, order, '2 hours')
      await halveRate(sale)
      await chain.anvil.rpc.call(
        'anvil_reorg',
        15,
        raws.map((raw, index) => [raw, places[index]]),
      )
      await lookAfter(sale, 1)
      await lookAfter(sale, 40)
      expect(await sale.show(order)).toMatchObject(bought)
    }),
)

test('coins that a contract sends hours after a reorganisation took others are another payment [SETTLE-16]', () =>
  chain.withSale(async (sale) => {
    const order = await orderForCoins(sale)
    await forward(order)
    await lookAfter(sale, 13)
    expect(await sale.show(order)).toMatchObject(bought)
    await chain.anvil.rpc.call('anvil_reorg', 15, [])
    await lookAfter(sale, 1)
    await letPass(sale, order, '4 hours')
    await forward(order)
    await lookAfter(sale, 40)
    const seen = await sale.sql(
      'seen',
      `select p.first_seen_at < o.expires_at as "inTime", p.orphaned_at is null as stands
         from payments p join orders o on o.id = p.order_id order by p.id`,
    )
    expect(seen).toEqual([
      { inTime: true, stands: false },
      { inTime: false, stands: true },
    ])
  }))

test.each([false, true])(
  'a second node that was silent while a contract paid confirms it, though it has forgotten that state (swept: %s) [SETTLE-28]',
  (isSwept) =>
    chain.withSale(async (sale) => {
      const order = await orderForCoins(sale)
      await forward(order)
      second.lie = 'broken'
      await lookAfter(sale, 1)
      if (isSwept) await chain.anvil.rpc.call('eth_sendTransaction', await sweepOf(order))
      await lookAfter(sale, 140)
      expect(await sale.show(order)).toMatchObject({ detail: 'confirming' })
      second.lie = undefined
      await forgetOld(second)
      await lookAfter(sale, 1)
      await sale.passes()
      expect(await sale.show(order)).toMatchObject(bought)
    }, nodes),
)

test('a second node that shows a cheaper sweep does not confirm what the first node says that it cost [SETTLE-28]', () =>
  chain.withSale(async (sale) => {
    const order = await orderForCoins(sale)
    await forward(order)
    await lookAfter(sale, 13)
    await sale.passes()
    await chain.anvil.rpc.call('eth_sendTransaction', await sweepOf(order))
    node.change = ({ method }, { result }) => {
      const receipt = result as { from?: string; gasUsed?: Hex } | null
      const isSweep = receipt?.from?.toLowerCase() === order.address.toLowerCase() && receipt.gasUsed
      // Gas for as many coins as the order was paid with.
      const gasUsed = `0x${(10n ** 12n).toString(16)}`
      return method === 'eth_getTransactionReceipt' && isSweep
        ? { result: { ...receipt, gasUsed, effectiveGasPrice: `0x${(10n ** 5n).toString(16)}` } }
        : undefined
    }
    await lookAfter(sale, 20)
    for (let look = 0; look < 3; look += 1) await lookAfter(sale, 20)
    const shown = await sale.sql<{ credited: string; owed: string }>(
      'beyond',
      'select sum(credited)::text as credited, sum(owed)::text as owed from payments',
    )
    expect(await payments(sale)).toHaveLength(2)
    expect(shown).toMatchObject([{ credited: '0.06', owed: '0' }])
  }, nodes))

test('coins of a contract count at a swept address though one reading of its block left the sweep out [SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const order = await orderForCoins(sale, '80')
    await forward(order)
    await lookAfter(sale, 13)
    await chain.anvil.rpc.call('eth_sendTransaction', await sweepOf(order))
    await lookAfter(sale, 1)
    await lookAfter(sale, 119)
    node.change = ({ method }, { result }) => {
      const block = result as { transactions?: (string | { from: string })[] } | null
      const isSweep = (one: string | { from: string }) =>
        typeof one !== 'string' && one.from.toLowerCase() === order.address.toLowerCase()
      return method === 'eth_getBlockByNumber' && block?.transactions
        ? { result: { ...block, transactions: block.transactions.filter((one) => !isSweep(one)) } }
        : undefined
    }
    // Its block is read for the last time.
    await lookAfter(sale, 1)
    await forward(order)
    for (const blocks of [13, 1]) await lookAfter(sale, blocks)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '80.000000' })
  }, nodes))

test('a sweep that a node made up hides coins of a contract for an hour at most [SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const order = await orderForCoins(sale)
    await sale.sql(
      'made_up',
      `insert into coins_sent (chain, transaction_id, sender, height, cost)
       select name, '0x01', lower($1), height, 0.01 from chains where name = 'ethereum'`,
      [order.address],
    )
    await forward(order)
    await lookAfter(sale, 4)
    await sale.lackFor()
    for (const blocks of [1, 13]) await lookAfter(sale, blocks)
    expect(await sale.show(order)).toMatchObject(bought)
  }, nodes))
