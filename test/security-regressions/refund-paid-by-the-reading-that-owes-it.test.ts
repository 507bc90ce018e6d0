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
let account = 960

beforeAll(async () => {
  contracts = compileContracts()
  anvil = await startAnvil()
  payer = createPayer(anvil)
  stranger = createPayer(anvil, 3)
  usdt = await payer.deploy(contracts.TestToken, ['Tether USD', 'USDT', 6])
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
const refunds = async (sale: ChainSale) => (await sale.refunds.list({ limit: 10 })).items

test('a transfer of before the money was owed pays no refund, also where one reading brings both [REFUND-5]', () =>
  withSale(async (sale) => {
    const to = createPayer(anvil, 8).address
    const order = await sale.order('USDT', '40')
    await sale.reject(order)
    // The watcher lags: a withdrawal from an exchange and the order's payment come in one read.
    const old = await send(stranger, to, '180')
    await mine(3)
    await send(payer, order.address, '180')
    await mineAnd(sale, 14)
    await sale.refunds.claim(sale.asBuyer, order.token, { address: to })
    const [refund] = await refunds(sale)
    await sale.execute('refund.sent', { refundId: refund?.id ?? '', transactionId: old })
    await mineAnd(sale, 13)
    expect((await refunds(sale)).map(({ state }) => state)).toEqual(['sent'])
  }))
