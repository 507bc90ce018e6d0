import type { Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { paysBackBelow } from '../chains/ended-sale.ts'
import { units } from '../chains/evm-accounts.ts'
import { EvmSales } from '../chains/evm-sale.ts'

// Coins that a contract sends leave no transfer: only a balance shows them, and balances are asked for less often than blocks are read.

const chain = new EvmSales()
let forwarder: Hex
beforeAll(async () => {
  forwarder = await chain.payer.deploy(chain.contracts.Forwarder)
  await chain.mine(5)
})

test('the verdict waits for the balances of a chain whose blocks are read [REFUND-10]', () =>
  chain.withSale(async (sale) => {
    const { end, decide, waits } = await paysBackBelow(sale, '180')
    const order = await sale.order('ETH', '40')
    await sale.mineAnd(1)
    const look = async () => {
      await sale.takeOver('ethereum')
      await sale.passes()
    }
    await look()
    const { contracts, payer, anvil } = chain
    await payer.call(contracts.Forwarder, forwarder, 'forward', [order.address as Hex], units('0.06', 18))
    await chain.mine(1)
    await end()
    await anvil.rpc.call('evm_increaseTime', 4 * 3_600)
    await sale.mineAnd(1)
    expect(await waits('24 hours')).toEqual({ chains: ['ethereum'], payments: 0, isOver: false })
    expect(await decide('24 hours')).toBe(null)
    await look()
    expect(await decide('24 hours')).toBe(null)
    await sale.mineAnd(12)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    // That a payment is counted does not say that nothing else came.
    expect(await waits('24 hours')).toEqual({ chains: ['ethereum'], payments: 0, isOver: false })
    await look()
    expect(await decide('24 hours')).toBe('reached')
  }))
