import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../../test/chains/account-keys.ts'
import { type ChainSale, withChainSale } from '../../../../test/chains/chain-sale.ts'
import { compileContracts, createPayer, units } from '../../../../test/chains/evm-accounts.ts'
import { LyingNode } from '../../../../test/chains/lying-node.ts'
import { type Anvil, startAnvil } from '../../../../test/chains/processes.ts'
import type { RpcCall } from '../json-rpc.ts'

// An amount without the right decimals is wrong by a million.

let anvil: Anvil
let payer: ReturnType<typeof createPayer>
let contracts: ReturnType<typeof compileContracts>
let usdt: Hex
let usdc: Hex
let account = 950
const node = new LyingNode()
let url = ''

beforeAll(async () => {
  contracts = compileContracts()
  anvil = await startAnvil()
  payer = createPayer(anvil)
  usdt = await payer.deploy(contracts.TestToken, ['Tether USD', 'USDT', 6])
  usdc = await payer.deploy(contracts.TestToken, ['USDC', 'USDC', 6])
  for (const token of [usdt, usdc])
    await payer.call(contracts.TestToken, token, 'mint', [payer.address, units('1000000', 6)])
  await mine(1)
  url = await node.start(anvil.url)
})
afterAll(() => anvil.stop())

const mine = (blocks: number) => anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)
const xpub = () => accountOf(ABANDON, `m/44'/60'/${(account += 1)}'`, 'xpub').publicExtendedKey

/** USDT and USDC listed with their contracts; `secondRpcUrl` is asked above a dollar. */
const withSale = (secondRpcUrl: string | undefined, work: (sale: ChainSale) => Promise<void>) => {
  const chain = { family: 'evm', network: 'ethereum', chainId: 31_337, rpcUrl: url, secondRpcUrl } as const
  const rest = {
    secondAboveUsd: '1',
    net: 'main',
    pollMs: 100,
    startHeight: undefined,
    explorerUrl: undefined,
  } as const
  return withChainSale([{ ...chain, ...rest }], async (sale) => {
    await sale.sql(
      'list',
      "update currencies set token_contract = case code when 'USDT' then $1 else $2 end, network = 'ethereum' where code in ('USDT', 'USDC')",
      [usdt, usdc],
    )
    await sale.sql(
      'others',
      "update currencies set switched_off_at = now(), network = 'other' where code not in ('USDT', 'USDC')",
    )
    await work(sale)
  })
}

const pass = async (sale: ChainSale, blocks: number) => {
  await mine(blocks)
  await sale.takeOver('ethereum')
  await sale.pass('ethereum')
}

const asksDecimals = ({ method, params }: RpcCall) =>
  method === 'eth_call' && JSON.stringify(params).includes('0x313ce567')

test('a token that is listed but paid to a fixed address counts in its own decimals where it is sent to a followed one [WALLET-8]', () =>
  withSale(undefined, async (sale) => {
    await sale.watch('USDT', 'evm', xpub())
    await sale.pass('ethereum')
    const order = await sale.order('USDT', '40')
    await payer.call(contracts.TestToken, usdc, 'transfer', [order.address, units('180', 6)])
    await pass(sale, 200)
    await pass(sale, 200)
    const { items } = await sale.payments.list({ after: undefined, limit: 10, toDecide: true })
    expect(items).toMatchObject([{ currency: 'USDC', amount: '180' }])
    expect(await sale.broken()).toEqual([])
  }))

test('a contract that does not say its decimals is no payment, until it does [WALLET-8]', () =>
  withSale(undefined, async (sale) => {
    await sale.watch('USDT', 'evm', xpub())
    node.change = (call) => (asksDecimals(call) ? { result: '0x' } : undefined)
    await sale.pass('ethereum')
    const order = await sale.order('USDT', '40')
    await payer.call(contracts.TestToken, usdc, 'transfer', [order.address, units('180', 6)])
    await pass(sale, 12)
    node.change = () => undefined
    expect((await sale.payments.list({ after: undefined, limit: 10 })).items).toEqual([])
  }))

test('two nodes that differ about a token’s decimals put it on no wallet [WALLET-8]', () =>
  withSale(anvil.url, async (sale) => {
    node.change = (call) => (asksDecimals(call) ? { result: `0x${'0'.repeat(64)}` } : undefined)
    await expect(sale.watch('USDT', 'evm', xpub())).rejects.toMatchObject({ code: 'token_decimals_differ' })
    node.change = () => undefined
    await sale.watch('USDT', 'evm', xpub())
    await sale.pass('ethereum')
    const order = await sale.order('USDT', '40')
    await payer.call(contracts.TestToken, usdt, 'transfer', [order.address, 180n])
    await pass(sale, 12)
    await pass(sale, 5)
    expect(await sale.show(order)).toMatchObject({ status: 'pending' })
  }))
