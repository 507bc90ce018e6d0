import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { type ChainSale, withChainSale } from '../chains/chain-sale.ts'
import { compileContracts, createPayer, units } from '../chains/evm-accounts.ts'
import { type Anvil, startAnvil } from '../chains/processes.ts'

let anvil: Anvil
let payer: ReturnType<typeof createPayer>
let stranger: ReturnType<typeof createPayer>
let contracts: ReturnType<typeof compileContracts>
let usdt: Hex
let forwarder: Hex
let account = 900

beforeAll(async () => {
  contracts = compileContracts()
  anvil = await startAnvil()
  payer = createPayer(anvil)
  stranger = createPayer(anvil, 3)
  usdt = await payer.deploy(contracts.TestToken, ['Tether USD', 'USDT', 6])
  forwarder = await payer.deploy(contracts.Forwarder)
  for (const one of [payer, stranger])
    await payer.call(contracts.TestToken, usdt, 'mint', [one.address, units('1000000', 6)])
  await mine(1)
})
afterAll(() => anvil.stop())
const mine = (blocks: number) => anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)
const withSale = (work: (sale: ChainSale) => Promise<void>) =>
  withChainSale(
    [
      {
        family: 'evm',
        network: 'ethereum',
        chainId: 31_337,
        rpcUrl: anvil.url,
        secondRpcUrl: undefined,
        secondAboveUsd: '1000',
        net: 'main',
        pollMs: 100,
        startHeight: undefined,
        explorerUrl: undefined,
      },
    ],
    async (sale) => {
      await sale.sql(
        'list',
        "update currencies set token_contract = $1, network = 'ethereum' where code = 'USDT'",
        [usdt],
      )
      await sale.sql(
        'others',
        "update currencies set switched_off_at = now(), network = 'other' where code not in ('ETH', 'USDT')",
      )
      const xpub = accountOf(ABANDON, `m/44'/60'/${(account += 1)}'`, 'xpub').publicExtendedKey
      for (const currency of ['ETH', 'USDT']) await sale.watch(currency, 'evm', xpub)
      await sale.pass('ethereum')
      await work(sale)
    },
  )
const mineAnd = async (sale: ChainSale, blocks: number) => {
  await mine(blocks)
  await sale.takeOver('ethereum')
  await sale.pass('ethereum')
}
const send = (from: typeof payer, to: string, amount: string) =>
  from.call(contracts.TestToken, usdt, 'transfer', [to as Hex, units(amount, 6)])
/** $180 of a rejected order that are owed to `to`. */
const owed = async (sale: ChainSale, to: Hex) => {
  const order = await sale.order('USDT', '40')
  await sale.reject(order)
  await send(payer, order.address, '180')
  await mineAnd(sale, 12)
  await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
  return order
}
/** 0.06 ETH of a rejected order that are owed to `to`. */
const owedCoins = async (sale: ChainSale, to: Hex) => {
  const order = await sale.order('ETH', '40')
  await sale.reject(order)
  await payer.pay(order.address as Hex, '0.06')
  await mineAnd(sale, 40)
  await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
}
const refunds = async (sale: ChainSale) => (await sale.refunds.list({ limit: 10 })).items

test('one transfer, named for two refunds of one amount to one address, pays one [REFUND-5]', () =>
  withSale(async (sale) => {
    const to = createPayer(anvil, 7).address
    await owed(sale, to)
    await owed(sale, to)
    const transactionId = await send(payer, to, '180')
    await mineAnd(sale, 1)
    const [first, second] = await refunds(sale)
    for (const refund of [first, second])
      await sale.execute('refund.sent', { refundId: refund?.id ?? '', transactionId })
    await mineAnd(sale, 13)
    await mineAnd(sale, 13)
    expect((await refunds(sale)).map(({ state }) => state).toSorted()).toEqual(['paid', 'sent'])
    expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '180.00', paidCount: 1 })
  }))

test.each([
  ['by the own address', () => payer],
  ['by a stranger', () => stranger],
])('one transfer of coins %s, named for two refunds, pays one [REFUND-5]', (_, from) =>
  withSale(async (sale) => {
    const to = createPayer(anvil, 7).address
    await owedCoins(sale, to)
    await owedCoins(sale, to)
    const transactionId = await from().pay(to, '0.06')
    await mineAnd(sale, 1)
    for (const { id } of await refunds(sale))
      await sale.execute('refund.sent', { refundId: id, transactionId })
    await mineAnd(sale, 40)
    await mineAnd(sale, 40)
    expect((await refunds(sale)).map(({ state }) => state).toSorted()).toEqual(['paid', 'sent'])
  }),
)

test('what contracts bring to an address in one block pays one refund, whichever transactions are named [REFUND-5]', () =>
  withSale(async (sale) => {
    const to = createPayer(anvil, 6).address
    await owedCoins(sale, to)
    await owedCoins(sale, to)
    const other = createPayer(anvil, 5).address
    const value = units('0.06', 18)
    // One brings the coins, one brings them to somebody else, and one is a plain transfer of another amount.
    const forward = (address: Hex) => payer.call(contracts.Forwarder, forwarder, 'forward', [address], value)
    const named = [await forward(to), await forward(other)]
    await stranger.pay(to, '0.01')
    await mineAnd(sale, 1)
    for (const [index, { id }] of (await refunds(sale)).entries())
      await sale.execute('refund.sent', { refundId: id, transactionId: named[index] ?? '' })
    await mineAnd(sale, 40)
    await mineAnd(sale, 40)
    expect((await refunds(sale)).map(({ state }) => state).toSorted()).toEqual(['paid', 'sent'])
  }))

test('a transfer of before the order, by a stranger, pays no refund [REFUND-6]', () =>
  withSale(async (sale) => {
    const to = createPayer(anvil, 8).address
    // The buyer takes $180 from an exchange to the own wallet ...
    const old = await send(stranger, to, '180')
    await mineAnd(sale, 20)
    // ... and pays a rejected order with it, and names that wallet for the refund.
    await owed(sale, to)
    const [refund] = await refunds(sale)
    await sale.execute('refund.sent', { refundId: refund?.id ?? '', transactionId: old })
    await mineAnd(sale, 13)
    expect((await refunds(sale)).map(({ state }) => state)).toEqual(['sent'])
    expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '180.00', paidCount: 0 })
  }))
