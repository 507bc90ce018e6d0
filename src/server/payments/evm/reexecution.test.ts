import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createPayer, units } from '../../../../test/chains/evm-accounts.ts'
import { type EvmSale, EvmSales } from '../../../../test/chains/evm-sale.ts'

const chain = new EvmSales()

/** The next block is mined at an even or an odd time, which decides what a fickle contract does. */
async function timeNextBlock(parity: 'even' | 'odd'): Promise<void> {
  const { rpc } = chain.anvil
  const { timestamp } = await rpc.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
  const soon = Number(timestamp) + 10
  await rpc.call('evm_setNextBlockTimestamp', soon + (soon % 2 === (parity === 'even' ? 0 : 1) ? 0 : 1))
}

async function mineAt(parity: 'even' | 'odd', sale: EvmSale): Promise<void> {
  await timeNextBlock(parity)
  await sale.mineAnd(1)
}

async function deployFickle(): Promise<Hex> {
  const fickle = await chain.payer.deploy(chain.contracts.Fickle)
  await chain.mint(chain.usdt, fickle, '1000000')
  await chain.mine(1)
  return fickle
}

/** Takes blocks back and executes `hash` again, in a block of the given parity. */
async function executeAgain(sale: EvmSale, hash: Hex, depth: number, parity: 'even' | 'odd'): Promise<void> {
  const raw = await chain.anvil.rpc.call<Hex>('eth_getRawTransactionByHash', hash)
  await chain.reorg(depth)
  await chain.payer.send(raw)
  await mineAt(parity, sale)
}

describe('a transaction that a reorg executes again', () => {
  test('with another result counts with the amount that the chain says now [SETTLE-16]', () =>
    chain.withSale(async (sale) => {
      const fickle = await deployFickle()
      const order = await sale.order('USDT', '4000')
      const amounts = [units('18000', 6), units('1', 6)]
      const { contracts, payer, usdt } = chain
      const hash = await payer.call(contracts.Fickle, fickle, 'pay', [usdt, order.address, ...amounts])
      await mineAt('even', sale)
      expect(await sale.show(order)).toMatchObject({ payments: [{ amount: '18000' }] })
      await executeAgain(sale, hash, 1, 'odd')
      await sale.mineAnd(40)
      expect(await chain.usdtOf(order.address)).toBe(units('1', 6))
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        detail: 'underpaid',
        payments: [{ transactionId: hash, amount: '1' }],
      })
    }))

  test('after the credit takes the credit back and settles the order afresh [SETTLE-16]', () =>
    chain.withSale(async (sale) => {
      const fickle = await deployFickle()
      const order = await sale.order('USDT', '400')
      const amounts = [units('1800', 6), units('450', 6)]
      const { contracts, payer, usdt } = chain
      const hash = await payer.call(contracts.Fickle, fickle, 'pay', [usdt, order.address, ...amounts])
      await mineAt('even', sale)
      await sale.mineAnd(11)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '400.000000' })
      await executeAgain(sale, hash, 12, 'odd')
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ amount: '450' }] })
      expect((await sale.campaign.refresh()).raised).toMatchObject({ usd: '0.00' })
      expect(await sale.broken()).toEqual([])
      await sale.mineAnd(12)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', detail: 'underpaid' })
    }))

  test('and owed back owes what the chain says now', () =>
    chain.withSale(async (sale) => {
      const fickle = await deployFickle()
      const order = await sale.order('USDT', '400')
      await sale.reject(order)
      const amounts = [units('1800', 6), units('450', 6)]
      const { contracts, payer, usdt } = chain
      const hash = await payer.call(contracts.Fickle, fickle, 'pay', [usdt, order.address, ...amounts])
      await mineAt('even', sale)
      await sale.mineAnd(11)
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '1800.00' })
      await executeAgain(sale, hash, 12, 'odd')
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00' })
      await sale.mineAnd(12)
      expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '450.00', count: 1 })
    }))

  test('without the transfer has not paid, and has paid once another block holds the transfer again [SETTLE-16]', () =>
    chain.withSale(async (sale) => {
      const fickle = await deployFickle()
      const order = await sale.order('USDT', '400')
      const { contracts, payer, usdt } = chain
      const what = [usdt, order.address, units('1800', 6)]
      const hash = await payer.call(contracts.Fickle, fickle, 'payOrNot', what)
      await mineAt('even', sale)
      await sale.mineAnd(11)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await executeAgain(sale, hash, 12, 'odd')
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'failed' }] })
      await executeAgain(sale, hash, 1, 'even')
      await sale.mineAnd(11)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ amount: '1800' }] })
    }))

  test('that a contract sent coins with has the balance of the new block', () =>
    chain.withSale(async (sale) => {
      const { contracts, payer, anvil } = chain
      const forwarder = await payer.deploy(contracts.Forwarder)
      const order = await sale.order('ETH', '400')
      await payer.call(contracts.Forwarder, forwarder, 'forward', [order.address], units('0.6', 18))
      await chain.mine(1)
      const before = await anvil.rpc.call<string>('eth_blockNumber')
      await sale.takeOver('ethereum')
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ payments: [{ amount: '0.6' }] })
      const data = encodeFunctionData({
        abi: contracts.Forwarder.abi,
        functionName: 'forward',
        args: [order.address],
      } as never)
      const nonce = (await payer.nonce()) - 1
      const less = await payer.sign({ to: forwarder, data, value: units('0.06', 18), nonce })
      await chain.reorg(1, [less])
      expect(await anvil.rpc.call<string>('eth_blockNumber')).toBe(before)
      await sale.takeOver('ethereum')
      await sale.passes()
      // What of it is in no block of this branch may come back.
      expect((await sale.show(order)).payments.map(({ amount, state }) => [amount, state])).toEqual([
        ['0.54', 'orphaned'],
        ['0.06', 'confirming'],
      ])
    }))
})

describe('a waiting transfer', () => {
  test('of a token that keeps a part counts with what arrived', () =>
    chain.withSale(async (sale) => {
      const { contracts, payer } = chain
      const taxed = await payer.deploy(contracts.TaxedToken)
      await chain.mint(taxed, payer.address, '1000')
      await chain.mine(1)
      await sale.sql('taxed', "update currencies set token_contract = $1 where code = 'USDT'", [taxed])
      const order = await sale.order('USDT', '40')
      await chain.transfer(taxed, order.address, '200')
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ payments: [{ state: 'seen', amount: '200' }] })
      await sale.mineAnd(12)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ amount: '180' }] })
    }))

  test('that reverts has failed, and the order waits as if it had not been paid [SETTLE-16]', () =>
    chain.withSale(async (sale) => {
      const order = await sale.order('USDT', '40')
      const poor = createPayer(chain.anvil, 5)
      const what = [order.address, units('180', 6)]
      await poor.call(chain.contracts.TestToken, chain.usdt, 'transfer', what)
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ detail: 'seen', payments: [{ state: 'seen' }] })
      await sale.mineAnd(1)
      expect(await sale.show(order)).toMatchObject({
        detail: 'awaiting_payment',
        payments: [{ state: 'failed' }],
      })
    }))
})
