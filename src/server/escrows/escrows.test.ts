import { type Address, encodeFunctionData, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saleEscrowAbi } from '../../../contracts/artifacts/abi.ts'
import { DistributorChain } from '../../../test/chains/distributors.ts'
import { startAnvil } from '../../../test/chains/processes.ts'
import { actionsOf, executorOf, operatorActor, quietUnits } from '../../../test/support/actions.ts'
import { addOperator, brokenRules, openSale } from '../../../test/support/campaign.ts'
import { withTestDatabase } from '../../../test/support/database.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { testSecrets } from '../../../test/support/people.ts'
import { raceOf } from '../../../test/support/race.ts'
import { at, chosen, TOKEN } from '../../../test/support/rounds.ts'
import { statement } from '../../../test/support/statement.ts'
import { evmChecksum } from '../../shared/addresses.ts'
import { EvmLooks } from '../payments/evm/evm-looks.ts'
import { Escrows } from './escrows.ts'

let chain: DistributorChain
let token: Address
let seller: Address
let treasury: Address

beforeAll(async () => {
  chain = new DistributorChain(await startAnvil())
  await chain.begin()
  token = await chain.makeToken('TEST')
  const [first, second] = await chain.accounts()
  seller = first ?? '0x'
  treasury = second ?? '0x'
  await chain.finalise()
})
afterAll(() => chain.anvil.stop())

const looks = () =>
  new EvmLooks([
    {
      family: 'evm',
      network: 'ethereum',
      chainId: 31_337,
      rpcUrl: chain.anvil.url,
      secondRpcUrl: undefined,
      secondAboveUsd: '1000',
      net: 'main',
      pollMs: 100,
      startHeight: undefined,
      explorerUrl: undefined,
    },
  ])

const terms = (stageId: number) => ({
  stageId,
  seller,
  treasury,
  capTokens: '5000',
  closesAt: at(24 * 30),
  deliverBy: at(24 * 60),
  reviewSeconds: 86_400,
  locksFirst: true,
  startBps: 10_000,
  cliffSeconds: 0,
  linearSeconds: 0,
  currencies: ['ETH'],
})

async function openEscrows(db: Parameters<typeof openSale>[0], sold: string) {
  const sale = await openSale(db)
  const escrows = new Escrows({
    db,
    secrets: testSecrets,
    looks: looks(),
    evm: { chainIdOf: (network) => (network === 'ethereum' ? 31_337 : undefined) },
  })
  await db.query(chosen, [sold, 'none'])
  await db.query(
    statement(
      'test_escrow_chain',
      "insert into chains (name, family, confirmation_rules) values ('ethereum', 'evm', '[]') on conflict do nothing",
    ),
  )
  const { id } = await db.one<{ id: number }>(
    statement('test_escrow_stage', 'select id from stages where starts_at <= now() and ends_at > now()'),
  )
  const operatorId = await addOperator(db)
  return {
    sale,
    db,
    escrows,
    operatorId,
    plan: terms(id),
    execute: executorOf(db, escrows.actions, operatorId),
  }
}
type Opened = Awaited<ReturnType<typeof openEscrows>>

const withEscrows = (work: (opened: Opened) => Promise<void>, sold: string = token) =>
  withTestDatabase(
    async ({ db }) => {
      await work(await openEscrows(db, sold))
      expect(await brokenRules(db)).toEqual([])
    },
    { holds: 'demo' },
  )

const outcomesOf = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled
    .map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code))
    .toSorted()

describe('an escrow', () => {
  test('is made, locked and put in force by the calls that are shown, once a final block shows all of it [DELIVER-15]', () =>
    withEscrows(async ({ db, escrows, execute, plan }) => {
      expect(await execute('escrow.announce', plan)).toBe(1)
      const shown = await escrows.contract(1)
      expect(shown).toMatchObject({ chainId: 31_337, latest: { fault: 'escrow_not_made' } })
      expect(shown.calls.map(({ what }) => what)).toEqual(['factory', 'make', 'approve', 'lock'])
      await expect(execute('escrow.enter', { number: 1 })).rejects.toEqual(refused('escrow_not_made'))

      for (const call of shown.calls.slice(0, 2)) await chain.send(call)
      const made = await escrows.contract(1)
      expect(made).toMatchObject({
        latest: { fault: 'escrow_not_locked' },
        final: { fault: 'escrow_not_made' },
      })
      expect(made.calls.map(({ what }) => what)).toEqual(['approve', 'lock'])
      await chain.finalise()
      await expect(execute('escrow.enter', { number: 1 })).rejects.toEqual(refused('escrow_not_locked'))

      for (const call of made.calls) await chain.send(call)
      await expect(execute('escrow.enter', { number: 1 })).rejects.toEqual(refused('escrow_not_locked'))
      await chain.finalise()
      expect(await escrows.contract(1)).toMatchObject({
        calls: [],
        final: { fault: null, isLocked: true, balance: '5000' },
      })
      expect(outcomesOf(await raceOf(db, 3, () => execute('escrow.enter', { number: 1 })))).toEqual([
        'done',
        'escrow_state',
        'escrow_state',
      ])
      expect(await escrows.show(1)).toMatchObject({ state: 'in_force', currencies: ['ETH'] })
      await expect(execute('escrow.withdraw', { number: 1 })).rejects.toEqual(refused('escrow_state'))
    }))

  test('is announced once a stage, with times that the contract takes, for coins of its network [DELIVER-15]', () =>
    withEscrows(async ({ db, escrows, execute, plan }) => {
      const announce = (other: object) => execute('escrow.announce', { ...plan, ...other })
      await expect(announce({ stageId: 999_999 })).rejects.toEqual(refused('not_found'))
      await expect(announce({ deliverBy: at(24 * 31) })).rejects.toEqual(refused('escrow_times'))
      await expect(announce({ closesAt: at(-1) })).rejects.toEqual(refused('escrow_times'))
      await expect(announce({ currencies: ['BTC'] })).rejects.toMatchObject({ code: 'escrow_currency' })
      await expect(announce({ currencies: ['NONE'] })).rejects.toEqual(refused('currency_unknown'))
      await expect(announce({ seller: token })).rejects.toEqual(refused('delivery_address_ours'))
      await expect(announce({ treasury: '0x12' })).rejects.toMatchObject({ code: 'address_invalid' })
      expect(outcomesOf(await raceOf(db, 3, () => announce({})))).toEqual([
        'done',
        'escrow_open',
        'escrow_open',
      ])
      await execute('escrow.withdraw', { number: 1 })
      await expect(execute('escrow.enter', { number: 1 })).rejects.toEqual(refused('escrow_state'))
      expect(await announce({})).toBe(2)
      const [second, first] = (await escrows.list()).items
      expect(second?.address).not.toBe(first?.address)
    }))

  test.each([
    ['pays back below its soft cap', { softCapPolicy: 'refund' as const }],
    ['lets buyers take orders back', { moneyBackDays: 14 }],
  ])(
    'is not announced in a sale that %s, nor put in force, and such a sale is not made of one that has it [DELIVER-16]',
    (_what, givesBack) =>
      withEscrows(async ({ sale, db, escrows, execute, plan }) => {
        const policy = statement('test_escrow_policy', 'update campaign set settings = settings || $1')
        const keeps = { softCapPolicy: 'none', moneyBackDays: 0 }
        await db.query(policy, [givesBack])
        await expect(execute('escrow.announce', plan)).rejects.toEqual(refused('escrow_money_back'))
        await db.query(policy, [keeps])
        await execute('escrow.announce', plan)
        const paysBack = async () => {
          const { settings, revision } = await sale.campaign.show()
          const change = { revision, settings: { ...settings, ...givesBack } }
          return executorOf(db, sale.campaign.actions, await addOperator(db))('campaign.update', change)
        }
        await expect(paysBack()).rejects.toEqual(refused('escrow_money_back'))
        const { calls } = await escrows.contract(1)
        for (const call of calls) await chain.send(call)
        await chain.finalise()
        await db.query(policy, [givesBack])
        await expect(execute('escrow.enter', { number: 1 })).rejects.toEqual(refused('escrow_money_back'))
        await db.query(policy, [keeps])
        await execute('escrow.withdraw', { number: 1 })
        await paysBack()
      }),
  )

  test('of a token that the factory did not make is never put in force [DELIVER-15]', () =>
    withEscrows(async ({ escrows, execute, plan }) => {
      await execute('escrow.announce', plan)
      expect(await escrows.contract(1)).toMatchObject({
        calls: [],
        latest: { fault: 'escrow_token_unknown' },
      })
      await expect(execute('escrow.enter', { number: 1 })).rejects.toEqual(refused('escrow_token_unknown'))
    }, TOKEN))

  test('that its seller closed before it was in force is not put in force, and nothing is left to sign [DELIVER-15]', () =>
    withEscrows(async ({ escrows, execute, plan }) => {
      await execute('escrow.announce', plan)
      const { address, calls } = await escrows.contract(1)
      for (const call of calls) await chain.send(call)
      await chain.send({
        to: address,
        data: encodeFunctionData({ abi: saleEscrowAbi, functionName: 'close' }),
      })
      await chain.finalise()
      await expect(execute('escrow.enter', { number: 1 })).rejects.toEqual(refused('escrow_not_open'))
      expect((await escrows.contract(1)).calls).toEqual([])
    }))

  test('waits for a second operator, who is shown the terms and then the block [DELIVER-15]', () =>
    withEscrows(async ({ db, escrows, operatorId, plan }) => {
      await db.query(
        statement(
          'test_escrow_two',
          `update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`,
        ),
      )
      const coin = evmChecksum(await chain.makeToken('USDT'))
      await db.query(usdtAt, [coin])
      const actions = actionsOf(db, escrows.actions, quietUnits(db))
      await expect(
        actions.execute(escrows.actions['escrow.announce'], operatorActor(operatorId), {
          ...plan,
          currencies: ['ETH', 'USDT'],
        }),
      ).rejects.toMatchObject({ code: 'second_operator_required' })
      expect((await escrows.list()).items).toEqual([])
      const second = operatorActor(await addOperator(db))
      const [waiting] = (await actions.pending.list(second, 'waiting')).items
      expect(waiting?.summary).toMatchObject({
        currency: `ETH ${zeroAddress}, USDT ${coin}`,
      })
      const confirm = () =>
        actions.execute(actions.pending.actions['approval.confirm'], second, { id: waiting?.id ?? '' })
      // Another contract under the name of the currency that was shown.
      await db.query(usdtAt, [seller])
      await expect(confirm()).rejects.toMatchObject({ code: 'conflict' })
      await db.query(usdtAt, [coin])
      await confirm()
      expect((await escrows.show(1)).assets).toEqual([zeroAddress, coin])
      for (const call of (await escrows.contract(1)).calls) await chain.send(call)
      await chain.finalise()
      await expect(
        actions.execute(escrows.actions['escrow.enter'], operatorActor(operatorId), { number: 1 }),
      ).rejects.toMatchObject({ code: 'second_operator_required' })
      const [entering] = (await actions.pending.list(second, 'waiting')).items
      expect(entering?.summary).toMatchObject({
        currency: `ETH, USDT: ${zeroAddress}, ${coin}`,
        seller: evmChecksum(seller),
        treasury: evmChecksum(treasury),
        closesAt: (await escrows.show(1)).closesAt,
      })
    }))
})

const usdtAt = statement(
  'test_escrow_usdt',
  `update currencies set network = 'ethereum', token_contract = $1 where code = 'USDT'`,
)

describe('the quote key', () => {
  test('is made once by whoever needs it first, and the next one is all that an escrow is put in force with [DELIVER-18]', () =>
    withEscrows(async ({ db, escrows, execute, plan }) => {
      await execute('escrow.announce', plan)
      const { quoteKey } = await escrows.list()
      expect((await escrows.show(1)).quoteKey).toBe(quoteKey)
      for (const call of (await escrows.contract(1)).calls) await chain.send(call)
      await chain.finalise()
      expect((await escrows.contract(1)).final.fault).toBe(null)

      const next = await execute('escrow.key', {})
      expect(next).not.toBe(quoteKey)
      const shown = await escrows.contract(1)
      expect(shown).toMatchObject({ latest: { fault: 'escrow_other_key' } })
      expect(shown.calls.map(({ what }) => what)).toEqual(['set-key'])
      await expect(execute('escrow.enter', { number: 1 })).rejects.toEqual(refused('escrow_other_key'))
      // A stranger changes nothing.
      for (const call of shown.calls) await expect(chain.send(call, 3)).rejects.toThrow('reverted')
      for (const call of shown.calls) await chain.send(call)
      await chain.finalise()
      await expect(execute('escrow.enter', { number: 2 })).rejects.toEqual(refused('escrow_unknown'))
      await execute('escrow.enter', { number: 1 })
      const { key } = await db.one<{ key: string }>(
        statement('test_escrow_key', 'select quote_key as key from escrows'),
      )
      expect(key).toBe(next)
    }))
})
