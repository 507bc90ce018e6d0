import type { Hex } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { units } from '../chains/evm-accounts.ts'
import { EvmSales } from '../chains/evm-sale.ts'
import { LyingNode } from '../chains/lying-node.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'

// Two nodes have shown a payment. Then the first node alone lists its transaction once more, in a newer block, or a transfer of the
// coins that a balance had shown. No block that was read is taken back, and the second node never says so.

describe('on a chain of paper', () => {
  const look = async ({ sale }: PaperChain) =>
    (
      await sale.sql(
        'look',
        `select trim_scale(amount)::text as amount, failed, block_height::text as block, final_at is not null as final, payment_state(p) as state
           from payments p`,
      )
    )[0]
  /** The second node shows what the first one does. */
  const agree = ({ sale }: PaperChain) =>
    sale.sql('agree', 'update payments set verified_hash = block_hash where block_hash is not null')
  const shown = (
    chain: PaperChain,
    id: string,
    address: string,
    amount: string,
    height: number,
    failed: boolean,
  ) =>
    chain.sale.sql(
      'shown',
      `select order_id from record_transfer(row('litecoin', $1::text, '0', $2, 'native', $3, $4::bigint, 'block ' || $4::text, clock_timestamp(),
         $5::boolean, array['in:' || $1::text], null)::chain_transfer, null)`,
      [id, address, amount, height, failed],
    )
  const settle = (chain: PaperChain, order: { number: unknown }) =>
    chain.sale.sql('settle', 'select settle_order($1)', [order.number])

  for (const deep of [10, 130])
    for (const [name, amount, failed] of [
      ['with another amount', '0.5', false],
      ['as failed', '10', true],
    ] as const)
      test(`a payment ${deep} blocks deep stays though a newer block shows it ${name} [SETTLE-16]`, () =>
        withPaperChain(async (chain) => {
          const { sale } = chain
          const order = await sale.order('LTC', '200')
          const id = await chain.pay(order, '10')
          await chain.mine()
          await agree(chain)
          await chain.mine(deep)
          await settle(chain, order)
          expect(await sale.show(order)).toMatchObject({ status: 'approved' })
          const before = await look(chain)
          await shown(chain, id, order.address, amount, 1_000 + deep + 2, failed)
          await settle(chain, order)
          await chain.mine()
          await settle(chain, order)
          expect(await look(chain)).toEqual(before)
          expect(await sale.show(order)).toMatchObject({
            status: 'approved',
            receiveTokens: order.receiveTokens,
          })
        }, '100'))

  test('a payment that the tip shows once more stays when the tip is taken back [SETTLE-16]', () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const order = await sale.order('LTC', '200')
      const id = await chain.pay(order, '10')
      await chain.mine()
      await agree(chain)
      await chain.mine(10)
      await settle(chain, order)
      await shown(chain, id, order.address, '10', 1_012, false)
      await chain.mine()
      // The second node shows another block at the tip, so the chain undoes the tip.
      await chain.reorg(1)
      await chain.mine(2)
      await settle(chain, order)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    }, '100'))

  test('what an address of the sale sent stays in its block though a newer block lists it, and is not lost with that block [SETTLE-20, SETTLE-2]', () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const sent = (height: number, ids: string[], cost: string) =>
        sale.sql(
          'sent',
          `select note_coins_sent('litecoin', $1, $2::text[], array_fill('a'::text, array[cardinality($2::text[])]), array_fill($3::numeric, array[cardinality($2::text[])]))`,
          [height, ids, cost],
        )
      const known = () => sale.sql('known', 'select height::int, cost::float from coins_sent')
      await sent(1_001, ['t'], '2')
      await sent(1_002, ['t'], '5')
      expect(await known()).toEqual([{ height: 1_001, cost: 2 }])
      await sale.sql('undo', `select undo_blocks('litecoin', 1001)`)
      expect(await known()).toEqual([{ height: 1_001, cost: 2 }])
      // Its own block may say otherwise, and another one holds it once its own block lacks it.
      await sent(1_001, ['t'], '3')
      expect(await known()).toEqual([{ height: 1_001, cost: 3 }])
      await sent(1_001, [], '0')
      await sent(1_002, ['t'], '3')
      expect(await known()).toEqual([{ height: 1_002, cost: 3 }])
    }))

  test('a balance lacks nothing because of a transfer that the first node alone shows [SETTLE-2, SETTLE-28]', () =>
    withPaperChain(async (chain) => {
      const { sale } = chain
      const order = await sale.order('LTC', '200')
      await sale.sql('base', 'update wallet_addresses set base_balance = 0, base_sent = 0')
      const balanceIs = (height: number) =>
        sale.sql(
          'balance',
          `select record_balance(row('litecoin', $2::bigint, 'block ' || $2::text, null, clock_timestamp(), null)::chain_blocks, $1, '10', 0, null)`,
          [order.address, height],
        )
      const lacks = () =>
        sale.sql('lacks', `select lacking is not null as lacks from payments where output_key = 'balance'`)
      await balanceIs(1_001)
      await chain.mine()
      await agree(chain)
      await chain.mine(10)
      await shown(chain, 'made up', order.address, '10', 1_012, false)
      await balanceIs(1_012)
      expect(await lacks()).toEqual([{ lacks: false }])
      await agree(chain)
      await balanceIs(1_012)
      expect(await lacks()).toEqual([{ lacks: true }])
    }, '100'))
})

describe('on an EVM chain', () => {
  const chain = new EvmSales()
  const first = new LyingNode()
  const second = new LyingNode()
  let nodes: { rpcUrl: string; secondRpcUrl: string; secondAboveUsd: string }
  let forwarder: Hex
  beforeAll(async () => {
    nodes = {
      rpcUrl: await first.start(chain.anvil.url),
      secondRpcUrl: await second.start(chain.anvil.url),
      secondAboveUsd: '100',
    }
    forwarder = await chain.payer.deploy(chain.contracts.Forwarder)
    await chain.mine(5)
  })
  afterEach(() => {
    for (const node of [first, second]) node.change = () => undefined
  })
  const rpc = <T>(method: string, ...params: unknown[]) => chain.anvil.rpc.call<T>(method, ...params)
  const tip = async () => Number(await rpc<string>('eth_blockNumber'))
  const honest = () => {
    first.change = () => undefined
  }

  /** The first node lists a transaction, changed so, in the block of that height. */
  async function lists(hash: string, height: number, change: object, receiptChange: object) {
    const transaction = { ...(await rpc<object>('eth_getTransactionByHash', hash)), ...change }
    const receipt = await rpc<object>('eth_getTransactionReceipt', hash)
    const listed = (transaction as { hash?: string }).hash ?? hash
    first.change = async ({ method, params }, answer) => {
      if (method === 'eth_getBlockByNumber' && Number(params[0]) === height && params[1] === true) {
        const block = answer.result as { transactions: object[] }
        return { result: { ...block, transactions: [...block.transactions, transaction] } }
      }
      if (method !== 'eth_getTransactionReceipt' || params[0] !== listed) return undefined
      const block = await rpc<{ hash: string } | null>(
        'eth_getBlockByNumber',
        `0x${height.toString(16)}`,
        false,
      )
      return { result: { ...receipt, blockHash: block?.hash, ...receiptChange } }
    }
  }
  const asFailed = async (hash: string) => lists(hash, (await tip()) + 1, {}, { status: '0x0' })

  for (const deep of [20, 140])
    test(`a payment ${deep} blocks deep stays though the first node lists it once more as failed [SETTLE-16]`, () =>
      chain.withSale(async (sale) => {
        const order = await sale.order('ETH', '40')
        const hash = await chain.payer.send(
          await chain.payer.sign({ to: order.address as Hex, value: units(order.cryptoAmount, 18) }),
        )
        for (const blocks of [13, 1, deep - 14, 1]) await sale.mineAnd(blocks)
        expect(await sale.show(order)).toMatchObject({ status: 'approved' })
        await asFailed(hash)
        await sale.mineAnd(1)
        honest()
        for (const blocks of [1, 4, 10]) await sale.mineAnd(blocks)
        await sale.settleDue()
        expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      }, nodes))

  for (const lies of [false, true])
    test(`a debt stays though the first node lists its payment once more as failed (${lies}) [SETTLE-16]`, () =>
      chain.withSale(async (sale) => {
        const states = async () => (await sale.refunds.list({ limit: 5 })).items.map(({ state }) => state)
        const order = await sale.order('ETH', '40')
        await sale.reject(order)
        const hash = await chain.payer.send(
          await chain.payer.sign({ to: order.address as Hex, value: units(order.cryptoAmount, 18) }),
        )
        for (const blocks of [13, 1, 130, 1]) await sale.mineAnd(blocks)
        expect(await states()).toEqual(['owed'])
        if (lies) await asFailed(hash)
        await sale.mineAnd(1)
        honest()
        for (const blocks of [1, 4, 10]) await sale.mineAnd(blocks)
        await sale.sql('settle', 'select settle_order($1)', [order.number])
        expect(await states()).toEqual(['owed'])
      }, nodes))

  for (const deep of [14, 140])
    for (const lies of [false, true])
      test(`coins of a balance ${deep} blocks deep stay bought though the first node lists a transfer of them (${lies}) [SETTLE-2]`, () =>
        chain.withSale(async (sale) => {
          const order = await sale.order('ETH', '40')
          await sale.look(0)
          const value = units(order.cryptoAmount, 18)
          const hash = await chain.payer.call(
            chain.contracts.Forwarder,
            forwarder,
            'forward',
            [order.address],
            value,
          )
          await sale.look(1)
          const height = await tip()
          for (const blocks of [13, 1]) await sale.look(blocks)
          expect(await sale.show(order)).toMatchObject({ status: 'approved' })
          const made = `0x${'fa'.repeat(32)}`
          if (lies)
            await lists(
              hash,
              height,
              { hash: made, to: order.address, value: `0x${value.toString(16)}` },
              { transactionHash: made, logs: [] },
            )
          await sale.mineAnd(deep === 14 ? 35 : 115)
          honest()
          for (const blocks of [1, 13, 30]) await sale.mineAnd(blocks)
          await sale.settleDue()
          expect(await sale.show(order)).toMatchObject({ status: 'approved' })
        }, nodes))
})

test('what nodes showed as failed until it was deep counts once a block executes it after all [SETTLE-16]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const order = await sale.order('LTC', '200')
    const id = await chain.pay(order, '10', 'failed')
    await chain.mine(101)
    await chain.include(id)
    await chain.mine(6)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
  }))
