import { afterEach, beforeAll, expect, test } from 'vitest'
import { letPass } from '../chains/chain-sale.ts'
import { EvmSales } from '../chains/evm-sale.ts'
import { LyingNode } from '../chains/lying-node.ts'
import { withPaperChain } from '../chains/paper-chain.ts'

const chain = new EvmSales()
const first = new LyingNode()
let nodes: { rpcUrl: string }
beforeAll(async () => {
  nodes = { rpcUrl: await first.start(chain.anvil.url) }
})
afterEach(() => Object.assign(first, { lie: undefined, change: () => undefined }))
const sees = () => {
  first.change = () => undefined
}
const isBlind = () => {
  first.change = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined)
}

test('what lacked before nobody followed the chain for a day is read again afterwards [SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const order = await sale.order('USDT', '40')
    await chain.transfer(chain.usdt, order.address, '180')
    for (const blocks of [12, 0, 30, 70]) await sale.mineAnd(blocks)
    isBlind()
    await sale.mineAnd(12)
    sees()
    // The process is away for 25 hours.
    await sale.lackFor(25)
    await sale.sql(
      'lacked',
      `update chain_blocks set lacked_at = lacked_at - interval '25 hours' where lacked_at is not null`,
    )
    await chain.mine(300)
    for (let pass = 0; pass < 4; pass += 1) await sale.look(5)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
  }, nodes))

test('a balance that failed and is shown again is the payment that it was [SETTLE-16, SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const { contracts, payer } = chain
    const forwarder = await payer.deploy(contracts.Forwarder)
    const order = await sale.order('ETH', '40')
    await sale.look()
    await payer.call(contracts.Forwarder, forwarder, 'forward', [order.address], 60_000_000_000_000_000n)
    await sale.look()
    await sale.look(14)
    expect(await sale.show(order)).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
    first.change = ({ method, params }) =>
      method === 'eth_getBalance' && String(params[0]).toLowerCase() === order.address.toLowerCase()
        ? { result: '0x0' }
        : undefined
    await sale.look()
    await sale.sql(
      'expire',
      `update orders o set expires_at = p.first_seen_at + interval '100 milliseconds' from payments p where p.order_id = o.id`,
    )
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await sale.look(300)
    await sale.lackFor()
    await sale.look()
    expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [{ state: 'failed' }] })
    // The price of the coin has fallen meanwhile.
    await sale.sql(
      'rate',
      `with k as (update currencies set rate = rate / 2, rate_at = now() where code = 'ETH' returning id, rate)
       insert into currency_rates (currency_id, rate, reason) select id, rate, 'test' from k`,
    )
    const tip = Number(await chain.anvil.rpc.call<string>('eth_blockNumber'))
    // As nodes do, it has the states of the last blocks alone.
    first.change = ({ method, params }) =>
      method === 'eth_getBalance' && Number(params[1]) < tip - 127
        ? { error: { code: -32_000, message: 'missing trie node' } }
        : undefined
    await sale.look()
    await sale.look(14)
    await sale.look(14)
    const [said] = await sale.sql<{ inTime: boolean }>(
      'in_time',
      `select bool_and(p.first_seen_at <= o.expires_at) as "inTime" from payments p join orders o on o.id = p.order_id where o.id = $1 and not p.failed`,
      [order.number],
    )
    expect(said).toEqual({ inTime: true })
    const shown = await sale.show(order)
    expect(shown).toMatchObject({ status: 'approved', baseTokens: '40.000000' })
  }, nodes))

test('what is final is undone by no later reading of its block [SETTLE-16, SETTLE-20]', () =>
  chain.withSale(async (sale) => {
    const [one, other] = [await sale.order('USDT', '40'), await sale.order('USDT', '40')]
    await chain.transfer(chain.usdt, one.address, '180')
    await chain.transfer(chain.usdt, other.address, '180')
    for (const blocks of [12, 0, 30, 70]) await sale.mineAnd(blocks)
    const topic = other.address.slice(2).toLowerCase()
    type Log = { topics: string[]; data: string }
    const says = (more: boolean) => {
      first.change = ({ method }, { result }) =>
        method === 'eth_getLogs' && result
          ? {
              result: (result as Log[])
                .filter(({ topics }) => !topics[2]?.endsWith(topic))
                .map((log) => ({ ...log, data: more ? `0x${log.data.slice(3)}0` : log.data })),
            }
          : undefined
    }
    says(false)
    await sale.mineAnd(12)
    await sale.mineAnd(20)
    expect(await sale.show(one)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
    expect(await sale.show(other)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
    says(true)
    await sale.mineAnd(1)
    await sale.lackFor()
    await sale.mineAnd(1)
    const shown = await sale.show(one)
    expect(shown).toMatchObject({ status: 'approved', payments: [{ amount: '180', state: 'final' }] })
  }, nodes))

test('a block that a second node never showed says not when a payment was first seen [SETTLE-3]', () =>
  withPaperChain(async ({ sale, pay, mine, include }) => {
    const order = await sale.order('LTC', '40')
    const id = await pay(order, order.cryptoAmount)
    await mine(1)
    await letPass(sale, order, '10 hours')
    // No block held it until now; the first node had said so alone.
    await include(id)
    await sale.sql('second', 'update payments set verified_hash = block_hash')
    await mine(30)
    const [said] = await sale.sql<{ inTime: boolean }>(
      'in_time',
      `select p.first_seen_at <= o.expires_at as "inTime" from payments p join orders o on o.id = p.order_id`,
    )
    expect(said).toEqual({ inTime: false })
  }, '1'))
