import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bech32 } from '@scure/base'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { type ChainSale, withChainSale } from '../../../test/chains/chain-sale.ts'
import { compileContracts, createPayer, units } from '../../../test/chains/evm-accounts.ts'
import { type Anvil, type Litecoind, startAnvil, startLitecoind } from '../../../test/chains/processes.ts'
import { slowness } from '../../../test/support/patience.ts'
import { untilLocked } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { statement } from '../../../test/support/statement.ts'
import { until } from '../../../test/support/until.ts'
import { type ChainConfig, readChains } from '../chain-config.ts'
import { openDatabase } from '../database/database.ts'
import { createSource } from './chain-access.ts'
import { Watchers } from './watchers.ts'

let node: Litecoind
beforeAll(async () => {
  node = await startLitecoind()
})
afterAll(() => node.stop())

/** As an operator would configure it: the defaults, 2 s between two looks included. */
const environment = () => ({ CHAIN_LITECOIN_RPC_URL: node.url, CHAIN_LITECOIN_NETWORK: 'regtest' })
const chains = (): ChainConfig[] => readChains(environment())
const quiet = { info() {}, warn() {}, error() {} }
let account = 100

const withSale = (work: (sale: ChainSale) => Promise<void>) =>
  withChainSale(chains(), async (sale) => {
    const key = accountOf(ABANDON, `m/84'/1'/${(account += 1)}'`, 'vpub').publicExtendedKey
    await sale.watch('LTC', 'litecoin', key)
    await work(sale)
  })

/** A watcher in a process of its own. */
async function startProcess(
  url: string,
  chainEnvironment: Record<string, string> = environment(),
): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('../../../test/chains/watch-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...chainEnvironment, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

const LED = 'select 1 from chains where leader is not null and height is not null'

interface Leader {
  leader: string | null
  epoch: string
}

/** A process that leads, and a second one (this) that would. */
function withTwo(
  work: (two: {
    sale: ChainSale
    first: ChildProcess
    leaderOf: () => Promise<Leader | undefined>
  }) => Promise<void>,
) {
  return withSale(async (sale) => {
    const first = await startProcess(sale.db.url)
    const leaderOf = async () =>
      (await sale.sql<Leader>('leader', 'select leader, epoch::text from chains'))[0]
    // No address is given out before whoever leads has read the chain.
    await until(async () => (await sale.sql('led_and_read', LED)).length > 0)
    const second = new Watchers({
      secrets: testSecrets,
      db: sale.db,
      chains: chains(),
      sourceOf: createSource,
      hintOutbox() {},
      log: quiet,
    })
    await second.start()
    try {
      await work({ sale, first, leaderOf })
    } finally {
      first.kill('SIGKILL')
      await second.stop()
    }
  })
}

async function takenOver(leaderOf: () => Promise<Leader | undefined>, before: Leader | undefined) {
  const ms = await until(async () => (await leaderOf())?.leader !== before?.leader)
  process.stdout.write(`taken over after ${Math.round(ms)} ms\n`)
  expect(ms).toBeLessThan(15_000 * slowness)
}

const HOLD_ORDER = statement('test_hold_order', 'select id from orders where id = $1 for update')
const TRIED_AGAIN = `select from pg_stat_activity where datname = current_database() and backend_start > $1
  and application_name = 'presale watcher litecoin' and state = 'idle' and query like '%pg_try_advisory_lock%'`

describe('watchers', () => {
  test('show a payment within 5 s of its reaching the node', () =>
    withSale(async (sale) => {
      const watchers = new Watchers({
        secrets: testSecrets,
        db: sale.db,
        chains: chains(),
        sourceOf: createSource,
        hintOutbox() {},
        log: quiet,
      })
      await watchers.start()
      try {
        await until(
          async () => (await sale.sql('led', 'select 1 from chains where height is not null')).length > 0,
        )
        const order = await sale.order('LTC', '40')
        await node.send(order.address, '2')
        const ms = await until(async () => (await sale.show(order)).detail === 'seen')
        expect(ms).toBeLessThan(5_000 * slowness)
      } finally {
        await watchers.stop()
      }
    }))

  test('log a reorganisation, a lost node and its return, once each', () =>
    withSale(async (sale) => {
      const lines: string[] = []
      const note = (_fields: object, message: string) => void lines.push(message)
      let isDown = false
      const sourceOf: typeof createSource = (...given) => {
        const source = createSource(...given)
        return new Proxy(source, {
          get(target, name) {
            if (isDown) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
            const value: unknown = Reflect.get(target, name)
            return typeof value === 'function' ? value.bind(target) : value
          },
        })
      }
      const watchers = new Watchers({
        secrets: testSecrets,
        db: sale.db,
        chains: chains().map((chain) => ({ ...chain, pollMs: 200 })),
        sourceOf,
        hintOutbox() {},
        log: { info: note, warn: note, error: note },
      })
      await watchers.start()
      const heightOf = async () =>
        Number((await sale.sql<{ height: string }>('height', 'select height from chains'))[0]?.height)
      try {
        await node.mine(2)
        const height = await node.rpc.call<number>('getblockcount')
        await until(async () => (await heightOf()) === height)
        await node.rpc.call('invalidateblock', await node.rpc.call<string>('getblockhash', height))
        await node.rpc.call('generatetoaddress', 2, await node.rpc.call<string>('getnewaddress'))
        await until(async () => (await heightOf()) === height + 1)
        isDown = true
        await until(() =>
          lines.some((line) => line === 'a look at the chain failed' || line === 'the node did not answer'),
        )
        isDown = false
        await until(() => lines.includes('the node answers again'))
        expect(lines.filter((line) => line === 'the chain was reorganised')).toHaveLength(1)
        expect(lines.filter((line) => line === 'the node answers again')).toHaveLength(1)
      } finally {
        await watchers.stop()
      }
    }))

  test('hand over within 15 s when the leading process is killed, with nothing lost or doubled [SETTLE-2]', () =>
    withTwo(async ({ sale, first, leaderOf }) => {
      const before = await leaderOf()
      const orders = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
      await node.send(orders[0]?.address ?? '', '2')
      await node.mine(3)
      await until(async () => (await sale.show(orders[0] ?? { token: '' })).detail === 'confirming')
      first.kill('SIGKILL')
      await node.send(orders[1]?.address ?? '', '2')
      await node.mine(6)
      await takenOver(leaderOf, before)
      for (const order of orders) await until(async () => (await sale.show(order)).status === 'approved')
      expect((await sale.campaign.refresh()).raised).toMatchObject({
        usd: '360.00',
        onChainUsd: '360.00',
      })
    }))

  // These two mostly wait, and neither for the other's blocks, so both wait at once.
  test.concurrent('hand over within 15 s when the leading process is stopped but alive, also in the middle of a transaction', () =>
    withTwo(async ({ sale, first, leaderOf }) => {
      const order = await sale.order('LTC', '40')
      await node.send(order.address, '2')
      await until(async () => (await sale.show(order)).detail === 'seen')
      const before = await leaderOf()
      // Whoever holds the order's row stops the leader between two statements of a pass, with the chain's row in its hands.
      await sale.db.transaction(async (tx) => {
        await tx.query(HOLD_ORDER, [order.number])
        await node.mine(1)
        await untilLocked(sale.db)
        first.kill('SIGSTOP')
      })
      await node.mine(2)
      await takenOver(leaderOf, before)
      const after = await leaderOf()
      await until(async () =>
        (await sale.show(order)).payments.some(({ confirmations }) => confirmations === 3),
      )
      const [woken] = await sale.sql<{ at: string }>('woken', 'select clock_timestamp()::text as at')
      first.kill('SIGCONT')
      await node.mine(3)
      await until(async () => (await sale.show(order)).status === 'approved')
      // The one that woke up ends its pass first, and only then tries for the lock in a session of its own.
      await until(async () => (await sale.sql('tried', TRIED_AGAIN, [woken?.at])).length > 0)
      expect(await leaderOf()).toEqual(after)
      expect((await sale.show(order)).payments).toHaveLength(1)
      expect((await sale.campaign.refresh()).raised).toMatchObject({ usd: '180.00', onChainUsd: '180.00' })
    }))

  test.concurrent('stop for what a person has to decide, and keep the first reason [SETTLE-18]', () =>
    withSale(async (sale) => {
      const fast = chains().map((chain) => ({ ...chain, pollMs: 100 }))
      const sourceOf = (chain: ChainConfig) =>
        Object.assign(createSource(chain), { identity: async () => 'another network' })
      const errors: unknown[] = []
      const log = { ...quiet, error: (fields: object) => errors.push(fields) }
      const watchers = new Watchers({
        secrets: testSecrets,
        db: sale.db,
        chains: fast,
        sourceOf,
        hintOutbox() {},
        log,
      })
      await watchers.start()
      try {
        await until(async () => errors.length > 1)
        const [state] = await sale.sql<{ stopped: boolean; last_error: string }>(
          'stopped',
          'select stopped, last_error from chains',
        )
        expect(state?.stopped).toBe(true)
        expect(state?.last_error).toContain('another network')
      } finally {
        await watchers.stop()
      }
    }))

  test('back off while the node is down, show why, and go on when it is back', () =>
    withSale(async (sale) => {
      const fast = chains().map((chain) => ({ ...chain, pollMs: 100 }))
      const watchers = new Watchers({
        secrets: testSecrets,
        db: sale.db,
        chains: fast,
        sourceOf: createSource,
        hintOutbox() {},
        log: quiet,
      })
      await watchers.start()
      try {
        const state = async () =>
          (
            await sale.sql<{ height: string; last_error: string | null; stopped: boolean }>(
              'state',
              'select height, last_error, stopped from chains',
            )
          )[0]
        await until(async () => (await state())?.height !== null)
        const order = await sale.order('LTC', '40')
        await node.send(order.address, '2')
        await node.mine(6)
        await node.shutDown()
        await until(async () => (await state())?.last_error === 'ECONNREFUSED')
        expect(await state()).toMatchObject({ stopped: false })
        await node.restart()
        await until(async () => (await sale.show(order)).status === 'approved')
        await until(async () => (await state())?.last_error === null)
      } finally {
        await watchers.stop()
      }
    }))

  test('go on by themselves after every fault that nobody has to decide about [SETTLE-18]', () =>
    withSale(async (sale) => {
      const faults = [
        new SyntaxError('Unexpected token <'),
        new TypeError('not a function'),
        new Error('odd'),
      ]
      const fast = chains().map((chain) => ({ ...chain, pollMs: 100 }))
      const impatient = openDatabase({ url: sale.db.url, statementTimeoutMs: 1_000 })
      const watchers = new Watchers({
        secrets: testSecrets,
        db: impatient,
        chains: fast,
        sourceOf: (chain) => {
          const source = createSource(chain)
          const { tipHeight } = source
          return Object.assign(source, {
            tipHeight: async () => {
              const fault = faults.shift()
              if (fault) throw fault
              return tipHeight.call(source)
            },
          })
        },
        hintOutbox() {},
        log: quiet,
      })
      // No address is given out before the chain was read.
      await sale.pass('litecoin')
      await watchers.start()
      try {
        const order = await sale.order('LTC', '40')
        await node.send(order.address, '2')
        await until(async () => (await sale.show(order)).detail === 'seen')
        // Whoever holds the order's row for longer than a statement waits only delays it.
        await sale.db.transaction(async (tx) => {
          await tx.query(HOLD_ORDER, [order.number])
          await node.mine(6)
          await until(
            async () =>
              (await sale.sql('failing', 'select 1 from chains where last_error is not null')).length > 0,
          )
        })
        await until(async () => (await sale.show(order)).status === 'approved')
        expect(await sale.sql('stopped', 'select stopped, last_error from chains')).toEqual([
          { stopped: false, last_error: null },
        ])
      } finally {
        await watchers.stop()
        await impatient.close()
      }
    }))

  test('catch up 1,000 blocks with 400 addresses in under 10 s', () =>
    withSale(async (sale) => {
      await sale.pass('litecoin')
      await addAddresses(sale, 400)
      const addresses = await sale.sql<{ address: string }>(
        'some',
        'select address from wallet_addresses where wallet_id is not null order by id limit 40',
      )
      for (const { address } of addresses) await node.send(address, '0.01')
      await node.mine(1_000)
      await sale.takeOver('litecoin')
      const start = performance.now()
      await sale.pass('litecoin')
      const ms = performance.now() - start
      process.stdout.write(`caught up 1,000 blocks with 400 addresses in ${Math.round(ms)} ms\n`)
      expect(ms).toBeLessThan(10_000 * slowness)
      expect(await sale.sql('unmatched', "select 1 from payments where fault = 'dust'")).toHaveLength(40)
    }))

  test('watch 10,000 open addresses with under 200 MB', () =>
    withSale(async (sale) => {
      await addAddresses(sale, 10_000)
      const megabytes = await weigh(sale, environment())
      process.stdout.write(`10,000 addresses: ${Math.round(megabytes)} MB\n`)
      expect(megabytes).toBeLessThan(200)
    }))
})

/** Reserves addresses in bulk, of keys that nobody has, for currencies in turns. */
async function addAddresses(sale: ChainSale, count: number, codes = ['LTC']): Promise<string[]> {
  const [wallet] = await sale.sql<{ id: number }>('the_wallet', 'select id from wallets')
  const addresses = Array.from({ length: count }, () =>
    codes[0] === 'LTC'
      ? bech32.encode('rltc', [0, ...bech32.toWords(randomBytes(20))])
      : `0x${randomBytes(20).toString('hex')}`,
  )
  await sale.sql(
    'bulk_addresses',
    `with w as (update wallets set next_index = $2 where id = $1)
     insert into wallet_addresses (wallet_id, index, address, address_key, currency_id)
     select $1, position - 1, address, address, (select id from currencies where code = ($4::text[])[1 + position % cardinality($4::text[])])
       from unnest($3::text[]) with ordinality as a(address, position)`,
    [wallet?.id, count, addresses, codes],
  )
  return addresses
}

/** Resident megabytes of a watching process that has caught up, once they no longer change. */
async function weigh(sale: ChainSale, chainEnvironment: Record<string, string>): Promise<number> {
  const child = await startProcess(sale.db.url, chainEnvironment)
  try {
    await until(
      async () => (await sale.sql('followed', 'select 1 from chains where height = node_height')).length > 0,
    )
    const report = async () => {
      const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
      return Number(chunk.toString().trim().split('\n').at(-1)) / 1024 / 1024
    }
    let last = await report()
    for (let steady = 0; steady < 3; ) {
      const next = await report()
      steady = Math.abs(next - last) < 1 ? steady + 1 : 0
      last = next
    }
    return last
  } finally {
    child.kill('SIGKILL')
  }
}

describe('watchers of an EVM chain', () => {
  let anvil: Anvil
  let payer: ReturnType<typeof createPayer>
  let usdt: Hex
  const contracts = compileContracts()
  const evmEnvironment = () => ({ CHAIN_ETHEREUM_RPC_URL: anvil.url, CHAIN_ETHEREUM_ID: '31337' })
  const mine = (blocks: number) => anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)
  const transfer = (to: string | undefined) =>
    payer.call(contracts.TestToken, usdt, 'transfer', [to, units('5', 6)])

  beforeAll(async () => {
    anvil = await startAnvil()
    payer = createPayer(anvil)
    usdt = await payer.deploy(contracts.TestToken, ['Tether USD', 'USDT', 6])
    await payer.call(contracts.TestToken, usdt, 'mint', [payer.address, units('1000000', 6)])
    await mine(1)
  })
  afterAll(() => anvil.stop())

  const withEvmSale = (work: (sale: ChainSale) => Promise<void>) =>
    withChainSale(readChains(evmEnvironment()), async (sale) => {
      await sale.sql(
        'token',
        `update currencies set token_contract = case code when 'USDT' then $1 end,
                network = case when code in ('ETH', 'USDT') then 'ethereum' else 'other' end where network = 'ethereum'`,
        [usdt],
      )
      const xpub = accountOf(ABANDON, `m/44'/60'/${(account += 1)}'`, 'xpub').publicExtendedKey
      for (const code of ['ETH', 'USDT']) await sale.watch(code, 'evm', xpub)
      await sale.pass('ethereum')
      await work(sale)
    })

  test('catch up 1,000 blocks with 400 addresses in under 10 s', () =>
    withEvmSale(async (sale) => {
      const addresses = await addAddresses(sale, 400, ['ETH', 'USDT'])
      for (const address of addresses.slice(0, 20)) await payer.pay(address, '0.01')
      for (const address of addresses.slice(20, 40)) await transfer(address)
      await mine(1_000)
      await sale.takeOver('ethereum')
      const start = performance.now()
      await sale.pass('ethereum')
      const ms = performance.now() - start
      process.stdout.write(`EVM: caught up 1,000 blocks with 400 addresses in ${Math.round(ms)} ms\n`)
      expect(ms).toBeLessThan(10_000 * slowness)
      expect(await sale.sql('unmatched', "select 1 from payments where fault = 'unmatched'")).toHaveLength(40)
    }))

  test('watch 10,000 open addresses for coins and tokens with under 200 MB, the first as well as the last', () =>
    withEvmSale(async (sale) => {
      const addresses = await addAddresses(sale, 10_000, ['ETH', 'USDT'])
      await sale.pass('ethereum')
      for (const place of [0, 9_999]) {
        await payer.pay(addresses[place] ?? '', '0.01')
        await transfer(addresses[place])
      }
      await mine(1)
      const start = performance.now()
      await sale.pass('ethereum')
      const ms = performance.now() - start
      expect(await sale.sql('found', 'select 1 from payments where block_height is not null')).toHaveLength(4)
      const megabytes = await weigh(sale, evmEnvironment())
      process.stdout.write(
        `EVM: 10,000 addresses: ${Math.round(megabytes)} MB, a block in ${Math.round(ms)} ms\n`,
      )
      // A look each 2 s has to be done in 2 s.
      expect(ms).toBeLessThan(2_000 * slowness)
      expect(megabytes).toBeLessThan(200)
    }))
})
