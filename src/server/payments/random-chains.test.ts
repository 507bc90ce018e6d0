import fc from 'fast-check'
import { formatUnits, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { type ChainSale, letPass, openChainSale } from '../../../test/chains/chain-sale.ts'
import { compileContracts, createPayer } from '../../../test/chains/evm-accounts.ts'
import { type Anvil, type Litecoind, startAnvil, startLitecoind } from '../../../test/chains/processes.ts'
import { withTestDatabase } from '../../../test/support/database.ts'
import { compare, multiply } from '../../shared/money.ts'
import type { Network } from '../../shared/networks.ts'
import { readChains } from '../chain-config.ts'
import type { Database } from '../database/database.ts'

/** A real node, and a sale whose currencies are watched on it. */
interface World {
  readonly network: Network
  /** Orders take them in turns. */
  readonly currencies: readonly string[]
  /** Most blocks mined and most taken back in one step: a little more than a payment needs. */
  readonly blocksMax: number
  open(db: Database): Promise<ChainSale>
  mine(blocks: number): Promise<unknown>
  /** Takes `depth` blocks back and mines more in their place; `keeps`: what they held is in the new ones. */
  reorg(depth: number, keeps: boolean): Promise<void>
  /** `indirectly`: in a way that leaves no transfer of its own, where the chain has one. */
  pay(order: Order, amount: string, indirectly: boolean): Promise<unknown>
  ownAddress(): Promise<string>
  /** What the node itself says lies on the orders' addresses in blocks, against what we say. */
  compare(sale: ChainSale, orders: readonly Order[]): Promise<void>
}

type Step =
  | { readonly kind: 'order' }
  | { readonly kind: 'pay'; readonly which: number; readonly share: string; readonly indirectly: boolean }
  | { readonly kind: 'mine'; readonly blocks: number }
  | { readonly kind: 'reorg'; readonly depth: number; readonly keeps: boolean }
  | { readonly kind: 'time'; readonly which: number; readonly interval: string }
  | { readonly kind: 'reject' | 'approve' | 'claim'; readonly which: number }
  | { readonly kind: 'restart' | 'read' }

const which = fc.nat(5)
const stepsIn = ({ blocksMax }: World): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ kind: 'order' as const }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('pay' as const),
        which,
        share: fc.constantFrom('1', '0.5', '0.25', '0.9975', '1.000000005', '1.5', '3.75'),
        indirectly: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('mine' as const),
        blocks: fc.integer({ min: 1, max: blocksMax }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('reorg' as const),
        depth: fc.integer({ min: 1, max: blocksMax + 2 }),
        keeps: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('time' as const),
        which,
        interval: fc.constantFrom('61 minutes', '25 hours', '8 days'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('reject' as const, 'approve' as const, 'claim' as const),
        which,
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom({ kind: 'restart' as const }, { kind: 'read' as const }) },
  )

type Order = Awaited<ReturnType<ChainSale['order']>>

async function take(world: World, sale: ChainSale, orders: Order[], action: Step): Promise<void> {
  if (action.kind === 'order') {
    orders.push(await nextOrder(world, sale, orders))
    return
  }
  if (action.kind === 'mine') {
    await world.mine(action.blocks)
  } else if (action.kind === 'reorg') {
    await world.reorg(action.depth, action.keeps)
  } else if (action.kind === 'restart') {
    await sale.takeOver(world.network)
  } else if ('which' in action) {
    const order = orders[action.which % Math.max(1, orders.length)]
    if (!order) return
    if (action.kind === 'pay')
      await world.pay(order, multiply(order.cryptoAmount, action.share), action.indirectly)
    else if (action.kind === 'time') await letPass(sale, order, action.interval)
    else await decide(world, sale, order, action.kind)
  }
  await sale.pass(world.network)
}

const nextOrder = (world: World, sale: ChainSale, orders: readonly Order[]) =>
  sale.order(world.currencies[orders.length % world.currencies.length] ?? '', '40')

/** What people do; a refusal is as good an outcome as any. */
async function decide(
  world: World,
  sale: ChainSale,
  order: Order,
  kind: 'reject' | 'approve' | 'claim',
): Promise<void> {
  const id = String(order.number)
  const work = {
    reject: () => sale.ledger.reject(id, { operatorId: sale.operatorId }),
    approve: () => sale.ledger.approve(id, { operatorId: sale.operatorId }),
    claim: async () => sale.refunds.claim(sale.asBuyer, order.token, { address: await world.ownAddress() }),
  }
  await work[kind]().catch((error: unknown) => {
    if ((error as Error).name !== 'Refusal') throw error
  })
}

/** Raised is its two parts, and the first is what orders that stand on credited payments say. */
async function compareRaised(sale: ChainSale): Promise<void> {
  const { raised } = await sale.campaign.refresh()
  const [row] = await sale.sql<{ usd: string }>(
    'chain_usd',
    `select coalesce(sum(o.usd), 0)::numeric(20, 2)::text as usd from orders o where o.status = 'approved' and o.approved_via = 'chain'
       and exists (select 1 from payments p where p.order_id = o.id and p.credited > 0 and p.block_height is not null)`,
  )
  expect(raised.onChainUsd).toBe(row?.usd)
  expect(compare(raised.usd, '0')).toBeGreaterThanOrEqual(0)
}

/** Throws steps at a world and holds the ledger's rules against what is there after each. */
function hold(world: World): Promise<void> {
  const steps = fc.array(stepsIn(world), { minLength: 12, maxLength: 24 })
  const property = fc.asyncProperty(steps, (actions) =>
    withTestDatabase(
      async ({ db }) => {
        const sale = await world.open(db)
        await sale.pass(world.network)
        const orders: Order[] = [await nextOrder(world, sale, [])]
        for (const action of actions) {
          await take(world, sale, orders, action)
          expect({ action, broken: await sale.broken() }).toEqual({ action, broken: [] })
          await compareRaised(sale)
        }
        // Balances have their own rhythm, which a new leader begins afresh.
        await sale.takeOver(world.network)
        await sale.pass(world.network)
        expect(await sale.broken()).toEqual([])
        await world.compare(sale, orders)
      },
      { holds: 'demo' },
    ),
  )
  const numRuns = Number(process.env['CHAIN_RUNS'] ?? 6)
  // A run that is cut short has not held what it says.
  return fc.assert(property, {
    numRuns,
    endOnFailure: true,
    interruptAfterTimeLimit: 120_000,
    markInterruptAsFailure: true,
  })
}

/** Addresses are new in each sequence: all of them share one chain. */
let account = 0

let litecoind: Litecoind
let anvil: Anvil
beforeAll(async () => {
  litecoind = await startLitecoind()
  anvil = await startAnvil()
})
afterAll(async () => {
  await litecoind.stop()
  await anvil.stop()
})

test('whatever blocks, reorgs, payments, times and restarts do on Litecoin, the ledger’s rules hold after each step [SETTLE-1]', async () => {
  const { rpc } = litecoind
  const ownAddress = () => rpc.call<string>('getnewaddress', '', 'bech32')
  await hold({
    network: 'litecoin',
    currencies: ['LTC'],
    blocksMax: 7,
    async open(db) {
      const environment = { CHAIN_LITECOIN_RPC_URL: litecoind.url, CHAIN_LITECOIN_NETWORK: 'regtest' }
      const sale = await openChainSale(db, readChains(environment))
      const key = accountOf(ABANDON, `m/84'/1'/${(account += 1)}'`, 'vpub')
      await sale.watch('LTC', 'litecoin', key.publicExtendedKey)
      return sale
    },
    mine: (blocks) => litecoind.mine(blocks),
    async reorg(depth, keeps) {
      const height = await rpc.call<number>('getblockcount')
      await rpc.call('invalidateblock', await rpc.call<string>('getblockhash', height - depth + 1))
      // A new address: the same block as before would be the one that was just declared invalid.
      const address = await ownAddress()
      if (keeps) {
        await rpc.call('generatetoaddress', depth + 1, address)
        return
      }
      for (let block = 0; block <= depth; block += 1) await rpc.call('generateblock', address, [])
    },
    pay: (order, amount) => litecoind.send(order.address, amount),
    ownAddress,
    async compare(sale, orders) {
      const { unspents } = await rpc.call<{ unspents: { txid: string; vout: number }[] }>(
        'scantxoutset',
        'start',
        orders.map((order) => `addr(${order.address})`),
      )
      const ours = await sale.sql<{ transaction_id: string; output_key: string }>(
        'in_blocks',
        'select transaction_id, output_key from payments where block_height is not null order by 1, 2',
      )
      expect(ours.map((row) => `${row.transaction_id}:${row.output_key}`).toSorted()).toEqual(
        unspents.map((coin) => `${coin.txid}:${coin.vout}`).toSorted(),
      )
    },
  })
})

test('… and on an EVM chain, with coins, tokens and what contracts send', async () => {
  const { rpc } = anvil
  const contracts = compileContracts()
  const payer = createPayer(anvil)
  const mine = (blocks: number) => rpc.call('anvil_mine', `0x${blocks.toString(16)}`)
  const usdt = await payer.deploy(contracts.TestToken, ['Tether USD', 'USDT', 6])
  const forwarder = await payer.deploy(contracts.Forwarder)
  await payer.call(contracts.TestToken, usdt, 'mint', [payer.address, 10n ** 15n])
  // Below these no reorg reaches.
  await mine(100)
  /** What was sent, by nonce: one that a reorg took back may be sent again, or another with its nonce in its place. */
  const sent = new Map<number, Hex>()
  const remember = async (hash: Hex) => {
    const { nonce } = await rpc.call<{ nonce: string }>('eth_getTransactionByHash', hash)
    sent.set(Number(nonce), await rpc.call<Hex>('eth_getRawTransactionByHash', hash))
  }
  const held = async (order: Order): Promise<string> => {
    if (order.currency === 'ETH')
      return formatUnits(BigInt(await rpc.call<Hex>('eth_getBalance', order.address, 'latest')), 18)
    const data = `0x70a08231${order.address.slice(2).padStart(64, '0')}`
    return formatUnits(BigInt(await rpc.call<Hex>('eth_call', { to: usdt, data }, 'latest')), 6)
  }
  await hold({
    network: 'ethereum',
    currencies: ['ETH', 'USDT'],
    blocksMax: 13,
    async open(db) {
      const sale = await openChainSale(
        db,
        readChains({ CHAIN_ETHEREUM_RPC_URL: anvil.url, CHAIN_ETHEREUM_ID: '31337' }),
      )
      await sale.sql(
        'token',
        `update currencies set token_contract = case code when 'USDT' then $1 end,
                network = case when code in ('ETH', 'USDT') then 'ethereum' else 'other' end where network = 'ethereum'`,
        [usdt],
      )
      const key = accountOf(ABANDON, `m/44'/60'/${(account += 1)}'`, 'xpub')
      for (const code of ['ETH', 'USDT']) await sale.watch(code, 'evm', key.publicExtendedKey)
      return sale
    },
    mine,
    async reorg(depth, keeps) {
      await rpc.call('anvil_reorg', depth, [])
      const nonce = Number(await rpc.call<Hex>('eth_getTransactionCount', payer.address, 'latest'))
      const lost = [...sent].filter(([at]) => at >= nonce).toSorted(([a], [b]) => a - b)
      // One that still waits is known already.
      if (keeps) for (const [, raw] of lost) await payer.send(raw).catch(() => undefined)
      await mine(1)
    },
    async pay(order, amount, indirectly) {
      const to = order.address as Hex
      if (order.currency === 'USDT')
        await remember(await payer.call(contracts.TestToken, usdt, 'transfer', [to, parseUnits(amount, 6)]))
      else if (indirectly)
        await remember(
          await payer.call(contracts.Forwarder, forwarder, 'forward', [to], parseUnits(amount, 18)),
        )
      else await remember(await payer.pay(to, amount))
    },
    ownAddress: async () => createPayer(anvil, 3).address,
    async compare(sale, orders) {
      for (const order of orders) {
        const [row] = await sale.sql<{ amount: string }>(
          'on_address',
          'select coalesce(sum(amount), 0) as amount from payments where address = $1 and block_height is not null',
          [order.address],
        )
        const onChain = await held(order)
        expect({ onChain, ours: row?.amount }).toSatisfy(
          (both: { ours?: string }) => compare(both.ours ?? '', onChain) === 0,
        )
      }
    },
  })
})
