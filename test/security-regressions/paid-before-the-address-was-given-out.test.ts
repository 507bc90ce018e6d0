import type { Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { units } from '../chains/evm-accounts.ts'
import { type EvmSale, EvmSales } from '../chains/evm-sale.ts'

const chain = new EvmSales()
let forwarder: Hex
beforeAll(async () => {
  forwarder = await chain.payer.deploy(chain.contracts.Forwarder)
  await chain.mine(5)
})
const payments = (sale: EvmSale) =>
  sale.sql(
    'w_payments',
    `select output_key as key, trim_scale(amount)::text as amount, trim_scale(credited)::text as credited, trim_scale(owed)::text as owed, payment_state(payments) as state
       from payments order by id`,
  )
const balanceOf = async (address: string) =>
  BigInt(await chain.anvil.rpc.call<Hex>('eth_getBalance', address, 'latest'))
const afresh = async (sale: EvmSale, blocks: number) => {
  await chain.mine(blocks)
  await sale.takeOver('ethereum')
  await sale.passes()
}

test('what a reorg puts into a block from before the address was given out counts once [SETTLE-2]', () =>
  chain.withSale(async (sale) => {
    await chain.mine(3)
    await sale.passes()
    const order = await sale.order('ETH', '40')
    // The balance of then is read.
    await sale.takeOver('ethereum')
    await sale.passes()
    const hash = await chain.payer.pay(order.address as Hex, '0.06')
    const raw = await chain.anvil.rpc.call<Hex>('eth_getRawTransactionByHash', hash)
    await chain.mine(1)
    await sale.passes()
    // The branch that wins holds it one block before.
    await chain.reorg(2, [raw])
    await sale.passes()
    await afresh(sale, 40)
    await afresh(sale, 40)
    expect(await balanceOf(order.address)).toBe(units('0.06', 18))
    expect({ order: await sale.show(order), payments: await payments(sale) }).toMatchObject({
      order: { status: 'approved', baseTokens: '40.000000' },
      payments: [{ key: 'value', amount: '0.06' }],
    })
  }))

test('coins from a contract that a reorg puts into a block from before the address was given out count [SETTLE-2]', () =>
  chain.withSale(async (sale) => {
    await chain.mine(3)
    await sale.passes()
    const order = await sale.order('ETH', '40')
    const hash = await chain.payer.call(
      chain.contracts.Forwarder,
      forwarder,
      'forward',
      [order.address as Hex],
      units('0.06', 18),
    )
    const raw = await chain.anvil.rpc.call<Hex>('eth_getRawTransactionByHash', hash)
    await chain.mine(1)
    await chain.reorg(2, [raw])
    await afresh(sale, 0)
    await afresh(sale, 40)
    expect(await balanceOf(order.address)).toBe(units('0.06', 18))
    expect(await payments(sale)).toMatchObject([{ key: 'balance', amount: '0.06' }])
  }))
