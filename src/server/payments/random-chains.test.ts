import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { type ChainSale, letPass, openChainSale } from '../../../test/chains/chain-sale.ts'
import { type Litecoind, startLitecoind } from '../../../test/chains/processes.ts'
import { makeTestDatabase } from '../../../test/support/database.ts'
import { compare } from '../../shared/money.ts'
import type { ChainConfig } from './chain-config.ts'

let node: Litecoind
beforeAll(async () => {
  node = await startLitecoind()
})
afterAll(() => node.stop())

const chain = (): ChainConfig => ({
  family: 'bitcoin',
  network: 'litecoin',
  node: { kind: 'core', url: node.url },
  net: 'regtest',
  pollMs: 100,
  startHeight: undefined,
  explorerUrl: undefined,
})

type Step =
  | { readonly kind: 'order' }
  | { readonly kind: 'pay'; readonly which: number; readonly amount: string }
  | { readonly kind: 'mine'; readonly blocks: number }
  | { readonly kind: 'reorg'; readonly depth: number; readonly keeps: boolean }
  | { readonly kind: 'time'; readonly which: number; readonly interval: string }
  | { readonly kind: 'cancel' | 'reject' | 'approve' | 'claim' | 'choose'; readonly which: number }
  | { readonly kind: 'restart' | 'read' }

const which = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'order' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      which,
      amount: fc.constantFrom('2', '1', '0.5', '1.995', '2.00000001', '3', '7.5'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 7 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 9 }),
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
      kind: fc.constantFrom(
        'cancel' as const,
        'reject' as const,
        'approve' as const,
        'claim' as const,
        'choose' as const,
      ),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'restart' as const }, { kind: 'read' as const }) },
)

type Order = Awaited<ReturnType<ChainSale['order']>>

async function take(sale: ChainSale, orders: Order[], action: Step): Promise<void> {
  if (action.kind === 'order') {
    orders.push(await sale.order('LTC', '40'))
    return
  }
  if (action.kind === 'mine') {
    await node.mine(action.blocks)
  } else if (action.kind === 'reorg') {
    await reorg(action.depth, action.keeps)
  } else if (action.kind === 'restart') {
    await sale.takeOver('litecoin')
  } else if ('which' in action) {
    const order = orders[action.which % Math.max(1, orders.length)]
    if (!order) return
    if (action.kind === 'pay') await node.send(order.address, action.amount)
    else if (action.kind === 'time') await letPass(sale, order, action.interval)
    else await decide(sale, order, action.kind)
  }
  await sale.pass('litecoin')
  await sale.orders.expire()
  await sale.settleDue()
}

/** What people do; a refusal is as good an outcome as any. */
async function decide(
  sale: ChainSale,
  order: Order,
  kind: 'cancel' | 'reject' | 'approve' | 'claim' | 'choose',
): Promise<void> {
  const id = String(order.number)
  const work = {
    cancel: () => sale.orders.cancel(sale.buyer, order.token),
    reject: () => sale.ledger.reject(id, { operatorId: sale.operatorId }),
    approve: () => sale.ledger.approve(id, 'operator', { operatorId: sale.operatorId }),
    claim: async () =>
      sale.payments.claimRefund(
        sale.buyer,
        order.token,
        await node.rpc.call<string>('getnewaddress', '', 'bech32'),
      ),
    choose: () => sale.payments.chooseLate(sale.buyer, order.token, 'tokens'),
  }
  await work[kind]().catch((error: unknown) => {
    if ((error as Error).name !== 'Refusal') throw error
  })
}

async function reorg(depth: number, keeps: boolean): Promise<void> {
  const height = await node.rpc.call<number>('getblockcount')
  await node.rpc.call('invalidateblock', await node.rpc.call<string>('getblockhash', height - depth + 1))
  // A new address: the same block as before would be the one that was just declared invalid.
  const address = await node.rpc.call<string>('getnewaddress', '', 'bech32')
  if (keeps) {
    await node.rpc.call('generatetoaddress', depth + 1, address)
    return
  }
  for (let block = 0; block <= depth; block += 1) await node.rpc.call('generateblock', address, [])
}

/** What the node itself says lies on the orders' addresses in blocks, against what we say. */
async function compareWithNode(sale: ChainSale, orders: readonly Order[]): Promise<void> {
  if (orders.length === 0) return
  const { unspents } = await node.rpc.call<{
    unspents: { desc: string; amount: number; txid: string; vout: number }[]
  }>(
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

test('whatever blocks, reorgs, payments, times and restarts do, the ledger’s rules hold after each step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24 }), async (steps) => {
      const database = await makeTestDatabase()
      try {
        const sale = await openChainSale(database.db, [chain()])
        await sale.watch(
          'LTC',
          'litecoin',
          accountOf(ABANDON, `m/84'/1'/${(account += 1)}'`, 'vpub').publicExtendedKey,
        )
        await sale.pass('litecoin')
        const orders: Order[] = [await sale.order('LTC', '40')]
        for (const action of steps) {
          await take(sale, orders, action)
          expect({ action, broken: await sale.broken() }).toEqual({ action, broken: [] })
          await compareRaised(sale)
        }
        await compareWithNode(sale, orders)
      } finally {
        await database.close()
      }
    }),
    { numRuns: Number(process.env['CHAIN_RUNS'] ?? 6), endOnFailure: true, interruptAfterTimeLimit: 100_000 },
  )
}, 150_000)

/** Addresses are new in each sequence: all of them share one chain. */
let account = 0
