import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { type ChainSale, withChainSale } from '../chains/chain-sale.ts'
import { compileContracts, createPayer } from '../chains/evm-accounts.ts'
import { LyingNode } from '../chains/lying-node.ts'
import { type Anvil, startAnvil } from '../chains/processes.ts'

let anvil: Anvil
let payer: ReturnType<typeof createPayer>
let contracts: ReturnType<typeof compileContracts>
let forwarder: Hex
let account = 950
const node = new LyingNode()
let url = ''

beforeAll(async () => {
  contracts = compileContracts()
  anvil = await startAnvil()
  payer = createPayer(anvil)
  forwarder = await payer.deploy(contracts.Forwarder)
  await mine(1)
  url = await node.start(anvil.url)
})
beforeEach(() => {
  node.change = () => undefined
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
        rpcUrl: url,
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
        'others',
        "update currencies set switched_off_at = now(), network = 'other' where code <> 'ETH'",
      )
      account += 1
      await sale.watch('ETH', 'evm', accountOf(ABANDON, `m/44'/60'/${account}'`, 'xpub').publicExtendedKey)
      await sale.pass('ethereum')
      await work(sale)
    },
  )
const mineAnd = async (sale: ChainSale, blocks: number) => {
  await mine(blocks)
  await sale.takeOver('ethereum')
  await sale.pass('ethereum')
}
const forward = (to: string) =>
  payer.call(contracts.Forwarder, forwarder, 'forward', [to as Hex], parseEther('0.06'))
/** The watcher is away for an hour, and its node has only the states of the last 128 blocks. */
async function away(): Promise<void> {
  await mine(300)
  const tip = Number(await anvil.rpc.call<string>('eth_blockNumber'))
  node.change = ({ method, params }) =>
    method === 'eth_getBalance' && Number(params[1]) < tip - 127
      ? { error: { code: -32_000, message: 'missing trie node' } }
      : undefined
}

test('coins that a contract sent while nobody read the chain count once a node says what the address held before [SETTLE-2]', () =>
  withSale(async (sale) => {
    const order = await sale.order('ETH', '40')
    await forward(order.address)
    await away()
    await mineAnd(sale, 1)
    await mineAnd(sale, 20)
    // The balance of then is unknown, and not replaced by the current one.
    expect(
      await sale.sql('base', 'select base_balance from wallet_addresses where wallet_id is not null'),
    ).toEqual([{ base_balance: null }])
    node.change = () => undefined
    await mineAnd(sale, 20)
    await mineAnd(sale, 20)
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
  }))

test('an address that holds only what known payments brought held nothing then: what a contract sends later counts [SETTLE-2]', () =>
  withSale(async (sale) => {
    const [early, late] = [await sale.order('ETH', '40'), await sale.order('ETH', '40')]
    await payer.pay(early.address as Hex, '0.06')
    await away()
    await mineAnd(sale, 1)
    await mineAnd(sale, 20)
    expect(await sale.show(early)).toMatchObject({ status: 'approved' })
    for (const order of [early, late]) await forward(order.address)
    await mineAnd(sale, 20)
    await mineAnd(sale, 20)
    expect(await sale.show(late)).toMatchObject({ status: 'approved' })
    // It came in time, so the first order buys more.
    expect(await sale.show(early)).toMatchObject({ baseTokens: '80.000000' })
    expect(await sale.refunds.owed()).toMatchObject({ owedUsd: '0.00', count: 0 })
  }))
