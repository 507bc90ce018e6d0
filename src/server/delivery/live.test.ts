import { type Address, encodeFunctionData, type Hex, keccak256 } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { distributorAbi } from '../../../contracts/artifacts/abi.ts'
import { DistributorChain } from '../../../test/chains/distributors.ts'
import { LyingNode } from '../../../test/chains/lying-node.ts'
import { startAnvil } from '../../../test/chains/processes.ts'
import { actionsOf, buyerActor, operatorActor, quietUnits } from '../../../test/support/actions.ts'
import { addOperator, brokenRules } from '../../../test/support/campaign.ts'
import { foldJournal } from '../../../test/support/journal.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { raceOf } from '../../../test/support/race.ts'
import { addressOf, at, fileOf, type Rounds, withRounds } from '../../../test/support/rounds.ts'
import { statement } from '../../../test/support/statement.ts'
import { equationOf } from '../../../verify/equation.ts'
import { TrustedNode } from '../../../verify/nodes.ts'
import { distributorLook } from '../../shared/distributor-code.ts'
import type { Terms } from '../../shared/round-list.ts'
import { EvmLooks } from '../payments/evm/evm-looks.ts'
import type { Delivery } from './delivery.ts'
import { distributorBuild } from './distributor.ts'
import { readEquation } from './equation.ts'

const node = new LyingNode()
const second = new LyingNode()
let chain: DistributorChain
let token: Address
let urls: { rpcUrl: string; secondRpcUrl: string }

beforeAll(async () => {
  const anvil = await startAnvil()
  chain = new DistributorChain(anvil)
  await chain.begin()
  token = await chain.makeToken('TEST')
  urls = { rpcUrl: await node.start(anvil.url), secondRpcUrl: await second.start(anvil.url) }
})
afterAll(() => chain.anvil.stop())
afterEach(() => {
  node.lie = undefined
  second.lie = undefined
  for (const one of [node, second]) one.change = () => undefined
})

const looksOf = (secondRpcUrl?: string) =>
  new EvmLooks([
    {
      family: 'evm',
      network: 'ethereum',
      chainId: 31_337,
      rpcUrl: urls.rpcUrl,
      secondRpcUrl,
      secondAboveUsd: '1000',
      net: 'main',
      pollMs: 100,
      startHeight: undefined,
      explorerUrl: undefined,
    },
  ])

/** Runs `work` on a frozen round of 42 tokens. */
const withFrozen = (
  work: (
    rounds: Rounds & {
      ann: { id: string; address: string }
      terms: Terms
      live: (address: string) => Promise<number>
    },
  ) => Promise<void>,
  {
    sold = token,
    secondRpcUrl,
    startsAt = at(100),
  }: { sold?: Address; secondRpcUrl?: string; startsAt?: string } = {},
) =>
  withRounds(
    async (rounds) => {
      const { buyer, delivery, dueRound, execute } = rounds
      const ann = await buyer('40')
      await execute('round.freeze', { number: await dueRound({ startsAt }) })
      const { distributor } = await fileOf(delivery, 1)
      const terms = { ...distributor, total: BigInt(String(distributor['total'])) } as unknown as Terms
      const live = (address: string) => execute('round.go-live', { number: 1, address })
      await work({ ...rounds, ann, terms, live })
    },
    { sold, looks: looksOf(secondRpcUrl) },
  )

const callOf = (functionName: 'fund' | 'leftover') =>
  encodeFunctionData({ abi: distributorAbi, functionName })

/** Made by the keyless deployer with the list's hash, as anybody can. */
async function byDeployer(delivery: Delivery, terms: Terms, wallet = 0): Promise<Address> {
  const [round] = await delivery.rounds()
  return chain.makePublished(terms, `0x${round?.file?.sha256}`, wallet)
}

/** Made, with all tokens, in a final block. */
async function standing(delivery: Delivery, terms: Terms): Promise<Address> {
  const address = await byDeployer(delivery, terms)
  await chain.transfer(terms.token, address, terms.total)
  await chain.send({ to: address, data: callOf('fund') })
  await chain.finalise()
  return address
}

describe('a frozen round', () => {
  test('is made, funded and made live by the calls that are shown, once a final block shows all of it [DELIVER-31]', () =>
    withFrozen(async ({ db, delivery, live }) => {
      const shown = await delivery.distributor(1)
      expect(shown).toMatchObject({
        chainId: 31_337,
        isFactoryToken: true,
        lacksDeployer: false,
        latest: { fault: 'distributor_missing' },
      })
      expect(shown.address).toBe(shown.expected)
      expect(shown.calls.map(({ what }) => what)).toEqual(['factory', 'make', 'approve', 'fund'])
      expect(new Set(shown.calls.map(({ value }) => value))).toEqual(new Set(['0']))
      await expect(live(shown.address)).rejects.toEqual(refused('distributor_missing'))

      for (const call of shown.calls.slice(0, 2)) await chain.send(call)
      const made = await delivery.distributor(1)
      expect(made).toMatchObject({
        latest: { fault: 'distributor_not_funded' },
        final: { fault: 'distributor_missing' },
      })
      expect(made.calls.map(({ what }) => what)).toEqual(['approve', 'fund'])
      await chain.finalise()
      await expect(live(shown.address)).rejects.toEqual(refused('distributor_not_funded'))

      for (const call of made.calls) await chain.send(call)
      expect(await delivery.distributor(1)).toMatchObject({
        calls: [],
        latest: { fault: null, balance: '42' },
        final: { fault: 'distributor_not_funded' },
      })
      await expect(live(shown.address)).rejects.toEqual(refused('distributor_not_funded'))
      await chain.finalise()
      await live(shown.address.toLowerCase())

      const [round] = await delivery.rounds()
      expect(round).toMatchObject({
        state: 'live',
        distributor: {
          address: shown.address,
          chainId: 31_337,
          codeHash: keccak256(await chain.codeAt(shown.address)),
          secondNode: false,
        },
      })
      const { hash } = await chain.anvil.rpc.call<{ hash: string }>(
        'eth_getBlockByNumber',
        `0x${round?.distributor?.height.toString(16)}`,
        false,
      )
      expect(round?.distributor?.blockHash).toBe(hash)
      await expect(live(shown.address)).rejects.toEqual(refused('round_state'))
      await expect(delivery.distributor(1)).rejects.toEqual(refused('round_state'))
      await expect(delivery.distributor(9)).rejects.toEqual(refused('round_unknown'))
      const kept = statement(
        'test_live_kept',
        'select balance::text, claimed::text from delivery_distributors',
      )
      expect(await db.one(kept)).toEqual({ balance: `42${'0'.repeat(18)}`, claimed: '0' })
    }))

  test('may be made by somebody else of the same terms, without factory and with tokens sent there [DELIVER-31]', () =>
    withFrozen(async ({ delivery, live, terms }) => {
      const address = await byDeployer(delivery, terms, 3)
      await chain.transfer(token, address, terms.total)
      expect(await delivery.distributor(1, address)).toMatchObject({
        latest: { fault: 'distributor_not_funded' },
        calls: [{ what: 'approve' }, { what: 'fund', to: address }],
      })
      await chain.send({ to: address, data: callOf('fund') }, 4)
      await chain.finalise()
      await live(address)
      expect((await delivery.rounds())[0]).toMatchObject({ state: 'live', distributor: { address } })
    }))

  test('of a token that no factory made is made by the keyless deployer, and says so [DELIVER-31]', async () => {
    const sold = await chain.makeToken('HAND', 'hand')
    await withFrozen(
      async ({ delivery, live }) => {
        const shown = await delivery.distributor(1)
        expect(shown.isFactoryToken).toBe(false)
        expect(shown.calls.map(({ what }) => what)).toEqual(['make', 'approve', 'fund'])
        for (const call of shown.calls) await chain.send(call)
        await chain.finalise()
        await live(shown.expected)
        expect((await delivery.rounds())[0]?.distributor?.address).toBe(shown.expected)
      },
      { sold },
    )
  })

  test('is live once, however many ask at once [DELIVER-31]', () =>
    withFrozen(async ({ db, delivery, live, terms }) => {
      const address = await standing(delivery, terms)
      const outcomes = await raceOf(db, 5, () => live(address))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect((await delivery.rounds())[0]?.state).toBe('live')
    }))
})

describe('a contract that is not the published one', () => {
  test('is refused by name: other token, root, total, times or leftovers; a proxy, a token, nothing [DELIVER-31]', () =>
    withFrozen(async ({ delivery, live, terms }) => {
      const other = await chain.makeToken('OTHER')
      const whole = await standing(delivery, terms)
      const minimalProxy = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${whole.slice(2)}5af43d82803e903d91602b57fd5bf3`
      const wrong: [code: string, addresses: (string | null)[]][] = [
        ['distributor_other_token', [await chain.makeDistributor({ ...terms, token: other })]],
        ['distributor_other_root', [await chain.makeDistributor({ ...terms, root: `0x${'1'.repeat(64)}` })]],
        [
          'distributor_other_terms',
          [
            await chain.makeDistributor({ ...terms, total: terms.total - 1n }),
            await chain.makeDistributor({ ...terms, start: terms.start - 1 }),
            await chain.makeDistributor({ ...terms, leftoverTo: addressOf(9) as Address }),
            await chain.makeDistributor({ ...terms, leftoverFrom: terms.leftoverFrom + 1 }),
            await chain.makeDistributor({ ...terms, schedule: { ...terms.schedule, startBps: 0 } }),
          ],
        ],
        ['distributor_other_code', [await chain.send({ data: minimalProxy }), token]],
        ['distributor_missing', [addressOf(8)]],
      ]
      await chain.finalise()
      for (const [code, addresses] of wrong)
        for (const address of addresses) {
          await expect(live(address ?? ''), `${code} ${address}`).rejects.toEqual(refused(code))
          expect((await delivery.distributor(1, address ?? '')).final.fault).toBe(code)
        }
      await expect(live('hello')).rejects.toEqual(refused('address_invalid'))
      expect((await delivery.rounds())[0]).toMatchObject({ state: 'frozen', distributor: null })
      await live(whole)
    }))

  test('and one that holds too little is refused, by the server and by the database [DELIVER-31]', () =>
    withFrozen(async ({ db, delivery, live, terms }) => {
      const address = await standing(delivery, terms)
      const asked = (params: readonly unknown[]) => (params[0] as { to?: string }).to?.toLowerCase()
      node.change = ({ method, params }) =>
        method === 'eth_call' && asked(params) === token.toLowerCase()
          ? { result: `0x${(terms.total - 1n).toString(16).padStart(64, '0')}` }
          : undefined
      await expect(live(address)).rejects.toMatchObject({
        code: 'distributor_short',
        details: { short: '0.000000000000000001' },
      })
      const asIfSeen = statement(
        'test_live_short',
        `select go_live(1, jsonb_populate_record(null::delivery_distributors, $1::jsonb), null) as refusal`,
      )
      const seen = { chain_id: 31_337, balance: String(terms.total - 2n), claimed: '1' }
      expect(await db.one(asIfSeen, [JSON.stringify(seen)])).toEqual({ refusal: 'distributor_short' })
      expect(await db.one(asIfSeen, [JSON.stringify({ ...seen, chain_id: 1 })])).toEqual({
        refusal: 'round_network',
      })
    }))
})

test('a contract with the published code that is made otherwise is refused: its maker may have claimed for others, or may take the tokens back [DELIVER-31]', () =>
  withFrozen(async ({ delivery, live, terms }) => {
    const [, thief = '0x'] = await chain.accounts()
    const lie = { to: thief, storage: (1n << 128n) | terms.total }
    const paidOut = await chain.makeRigged(terms, lie)
    const robbed = await chain.makeRigged(terms, { to: thief, storage: 0n })
    await chain.transfer(token, robbed, terms.total)
    await chain.send({ to: robbed, data: callOf('fund') })
    await chain.finalise()
    for (const address of [paidOut, robbed]) {
      await expect(live(address)).rejects.toEqual(refused('distributor_other_maker'))
      expect(await delivery.distributor(1, address)).toMatchObject({
        calls: [],
        final: { fault: 'distributor_other_maker' },
      })
    }
    expect((await delivery.rounds())[0]?.state).toBe('frozen')
  }))

describe('a node', () => {
  test('that is silent, broken, on another chain or not followed decides nothing [DELIVER-31]', () =>
    withFrozen(async ({ delivery, live, terms }) => {
      const address = await standing(delivery, terms)
      for (const lie of ['html', 'broken'] as const) {
        node.lie = lie
        await expect(live(address)).rejects.toEqual(refused('node_silent'))
      }
      node.lie = undefined
      node.change = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined)
      await expect(live(address)).rejects.toEqual(refused('node_other_network'))
      node.change = ({ method }) =>
        method === 'eth_call' ? { error: { code: -32_000, message: 'pruned' } } : undefined
      await expect(live(address)).rejects.toEqual(refused('node_silent'))
      await expect(new EvmLooks([]).look({ network: 'ethereum', chainId: 1 }, [], 'final')).rejects.toEqual(
        refused('chain_not_followed'),
      )
    }))

  test('is believed only together with a second one, where that is configured [DELIVER-31]', async () => {
    const { secondRpcUrl } = urls
    await withFrozen(
      async ({ delivery, live, terms }) => {
        const address = await standing(delivery, terms)
        // The first node shows a contract that is not there.
        const invented = addressOf(7)
        const code = await chain.codeAt(address)
        node.change = ({ method, params }) => {
          if (method === 'eth_getCode' && params[0] === invented) return { result: code }
          const { to, data } = (params[0] ?? {}) as { to?: string; data?: Hex }
          if (method !== 'eth_call' || !data) return undefined
          const word = (value: bigint) => ({ result: `0x${value.toString(16).padStart(64, '0')}` })
          if (to === invented)
            return word(
              data === encodeFunctionData({ abi: distributorAbi, functionName: 'funded' }) ? 1n : 0n,
            )
          return data.toLowerCase().includes(invented.slice(2).toLowerCase()) ? word(terms.total) : undefined
        }
        await expect(live(invented)).rejects.toEqual(refused('nodes_disagree'))
        second.lie = 'broken'
        await expect(live(address)).rejects.toEqual(refused('node_silent'))
        second.lie = undefined
        await live(address)
        expect((await delivery.rounds())[0]?.distributor).toMatchObject({ address, secondNode: true })
      },
      { secondRpcUrl },
    )
  })
})

test('a second operator confirms what is looked at again; a block that is gone by then is refused [DELIVER-32]', () =>
  withFrozen(async ({ db, delivery, operatorId, terms }) => {
    const address = await standing(delivery, terms)
    const wantsTwo = statement(
      'test_live_two',
      "update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb($1::boolean))",
    )
    await db.query(wantsTwo, [true])
    const actions = actionsOf(db, delivery.actions, quietUnits(db))
    const confirmer = operatorActor(await addOperator(db))
    const ask = async () => {
      await expect(
        actions.execute(delivery.actions['round.go-live'], operatorActor(operatorId), { number: 1, address }),
      ).rejects.toMatchObject({ code: 'second_operator_required' })
      const [waiting] = (await actions.pending.list(confirmer, 'waiting')).items
      return waiting
    }
    const confirm = (id = '') =>
      actions.execute(actions.pending.actions['approval.confirm'], confirmer, { id })

    const first = await ask()
    expect(first?.summary).toMatchObject({
      network: 'ethereum',
      contract: terms.token,
      address,
      total: '42',
      root: terms.root,
    })
    // Deep enough for the block that was seen, and not for what was made.
    await chain.reorg(24)
    await expect(confirm(first?.id)).rejects.toEqual(refused('distributor_reorganised'))
    await actions.execute(actions.pending.actions['approval.reject'], confirmer, { id: first?.id ?? '' })
    expect((await delivery.rounds())[0]?.state).toBe('frozen')

    const again = await ask()
    // Nor does it go by what was seen alone.
    node.change = ({ method }) => (method === 'eth_getCode' ? { result: '0x' } : undefined)
    await expect(confirm(again?.id)).rejects.toEqual(refused('distributor_missing'))
    node.change = () => undefined
    await confirm(again?.id)
    expect((await delivery.rounds())[0]).toMatchObject({ state: 'live', distributor: { address } })
    await db.query(wantsTwo, [false])
  }))

const followed = statement(
  'test_live_followed',
  `with c as (insert into chains (name, family, confirmation_rules) values ('ethereum', 'evm', '[]') on conflict do nothing)
   insert into chain_blocks (chain, height, hash, parent, mined_at) select 'ethereum', height, 'another', 'one', now() from delivery_looks`,
)

describe('a live round', () => {
  const lookOf = async ({ delivery }: Pick<Rounds, 'delivery'>) => {
    await delivery.lookAtLiveRounds()
    return (await delivery.rounds())[0]?.look
  }

  test('is claimed by whoever sends the call, to its owner alone; what is not final is told apart, and a reorg takes it back [DELIVER-22, DELIVER-34]', () =>
    withFrozen(
      async ({ db, ann, buyer, delivery, live, terms }) => {
        expect(await delivery.claims(ann.id)).toEqual([])
        expect(await delivery.claimsOfAddress(ann.address)).toEqual([])
        expect(await delivery.hasClaims()).toBe(false)
        const address = await standing(delivery, terms)
        await live(address)
        const [claim] = await delivery.claims(ann.id)
        // A tenth is free at the start, the rest after a day.
        expect(claim).toMatchObject({
          round: 1,
          chainId: 31_337,
          distributor: address,
          token,
          account: ann.address,
          tokens: '42.000000',
          startBps: 1_000,
          chain: { unlocked: '4.2', claimed: '0', claimedNow: '0', due: '4.2' },
          call: { to: address, value: '0' },
        })
        await expect(delivery.type(buyerActor(ann.id), address)).rejects.toEqual(
          refused('delivery_address_ours'),
        )
        const stranger = await buyer('40')
        expect(await delivery.claims(stranger.id)).toEqual([])
        // Whoever knows the address sees and claims the same.
        expect(await delivery.hasClaims()).toBe(true)
        expect(await delivery.claimsOfAddress(ann.address.toLowerCase())).toEqual([claim])
        expect(await delivery.claimsOfAddress(stranger.address)).toEqual([])

        await chain.send(claim?.call ?? { data: '0x' }, 5)
        expect(await chain.balanceOf(token, ann.address)).toBe(42n * 10n ** 17n)
        expect((await delivery.claims(ann.id))[0]?.chain).toMatchObject({
          claimed: '0',
          claimedNow: '4.2',
          due: '0',
        })
        expect(await lookOf({ delivery })).toMatchObject({ held: '42', claimed: '0', fault: null })
        await chain.reorg(1)
        expect((await delivery.claims(ann.id))[0]?.chain).toMatchObject({ claimedNow: '0', due: '4.2' })

        await chain.send(claim?.call ?? { data: '0x' }, 5)
        await chain.finalise()
        expect((await delivery.claims(ann.id))[0]?.chain).toMatchObject({ claimed: '4.2', claimedNow: '4.2' })
        expect(await lookOf({ delivery })).toMatchObject({ held: '37.8', claimed: '4.2', fault: null })
        // A stranger finds what it held and paid out by the journal and any node.
        const fold = await foldJournal(db)
        const nodes = new Map([['ethereum', new TrustedNode(urls.rpcUrl)]])
        expect(await equationOf(fold, [], nodes)).toMatchObject({
          lines: [{ name: 'round 1', contract: address, tokens: '42', shown: '42', fault: null }],
          agrees: true,
        })
        fold.rounds.set(1, 43n * 10n ** 18n)
        expect((await equationOf(fold, [], nodes)).lines).toMatchObject([
          { tokens: '43', shown: '42', fault: 'it holds and has paid out less' },
        ])

        node.lie = 'broken'
        expect((await delivery.claims(ann.id))[0]).toMatchObject({ chain: null, call: claim?.call })
      },
      { startsAt: at(-1) },
    ))

  test('is looked at again and again: what lacks, or what made it live and is gone, is a fault; a silent node is said [DELIVER-33]', () =>
    withFrozen(async ({ db, delivery, live, terms }) => {
      const address = await standing(delivery, terms)
      await live(address)
      const seen = (await delivery.rounds())[0]
      expect(seen?.look).toMatchObject({ held: '42', claimed: '0', fault: null, failingSince: null })
      const ofBlock = (params: readonly unknown[]) => Number(params[0]) === seen?.distributor?.height
      node.change = ({ method, params }, honest) =>
        method === 'eth_getBlockByNumber' && ofBlock(params)
          ? { result: { ...(honest.result as object), hash: `0x${'2'.repeat(64)}` } }
          : undefined
      await chain.mine(4)
      expect(await lookOf({ delivery })).toMatchObject({ fault: 'distributor_reorganised' })
      expect((await brokenRules(db)).map(({ rule }) => rule)).toEqual(['distributors_cover_their_rounds'])

      const isBalance = (params: readonly unknown[]) =>
        (params[0] as { to?: string }).to?.toLowerCase() === terms.token.toLowerCase()
      node.change = ({ method, params }) =>
        method === 'eth_call' && isBalance(params)
          ? { result: `0x${(terms.total - 1n).toString(16).padStart(64, '0')}` }
          : undefined
      expect(await lookOf({ delivery })).toMatchObject({
        fault: 'distributor_short',
        held: '41.999999999999999999',
      })
      node.lie = 'html'
      const silent = await lookOf({ delivery })
      expect(silent).toMatchObject({ fault: 'distributor_short', held: '41.999999999999999999' })
      expect((await lookOf({ delivery }))?.failingSince).toBe(silent?.failingSince)
      expect(silent?.failingSince).not.toBeNull()
      node.lie = undefined
      node.change = () => undefined
      expect(await lookOf({ delivery })).toMatchObject({ fault: null, held: '42', failingSince: null })
    }))

  test('of which two nodes say different things is unknown in the equation, not green and not red, until they agree', () =>
    withFrozen(
      async ({ db, delivery, live, terms }) => {
        const address = await standing(delivery, terms)
        await chain.finalise()
        await live(address)
        const line = async () => {
          const { holds, items } = await readEquation(db)
          return { all: holds, ...items.find(({ kind }) => kind === 'distributor') }
        }
        expect(await lookOf({ delivery })).toMatchObject({ fault: null })
        expect(await line()).toMatchObject({ all: true, shown: '42', holds: true, unknown: null })
        const isBalance = (params: readonly unknown[]) =>
          (params[0] as { to?: string }).to?.toLowerCase() === terms.token.toLowerCase()
        second.change = ({ method, params }) =>
          method === 'eth_call' && isBalance(params)
            ? { result: `0x${(terms.total * 2n).toString(16).padStart(64, '0')}` }
            : undefined
        expect(await lookOf({ delivery })).toMatchObject({ held: '42', fault: null })
        expect(await line()).toMatchObject({
          all: null,
          shown: '42',
          holds: null,
          unknown: 'nodes_disagree',
        })
        second.change = () => undefined
        await lookOf({ delivery })
        expect(await line()).toMatchObject({ all: true, holds: true, unknown: null })
      },
      { secondRpcUrl: urls.secondRpcUrl },
    ))

  test('is shown as it was while a node lags behind that, answers no block, or an older look comes late [DELIVER-33]', () =>
    withFrozen(async ({ ann, db, delivery, live, terms }) => {
      const address = await standing(delivery, terms)
      await live(address)
      await chain.mine(4)
      let shown = await lookOf({ delivery })
      expect(shown).toMatchObject({ fault: null, held: '42' })
      const since = (await delivery.rounds())[0]?.distributor?.height ?? 0
      const stays = async (what: string) => {
        const { failingSince, failure, ...look } = (await lookOf({ delivery })) ?? {}
        expect.soft({ ...look, failure: null, failingSince: null }, what).toEqual(shown)
        expect.soft([failingSince, failure], what).toEqual([expect.any(String), expect.any(String)])
        node.change = () => undefined
        shown = await lookOf({ delivery })
        expect.soft(shown, what).toMatchObject({ fault: null, failingSince: null })
      }
      // A node that was set up again from an old copy: all of it is true of its old block.
      node.change = ({ method, params }) =>
        method === 'eth_getBlockByNumber' && params[0] === 'finalized'
          ? { result: { number: `0x${(since - 1).toString(16)}` } }
          : undefined
      await stays('older than what made it live')
      node.change = ({ method, params }) =>
        method === 'eth_getBlockByNumber' && params[0] === 'finalized'
          ? { result: { number: `0x${since.toString(16)}` } }
          : undefined
      await stays('older than the last look')
      node.change = ({ method, params }) =>
        method === 'eth_getBlockByNumber' && Number(params[0]) === since ? { result: null } : undefined
      await stays('without the block that made it live')
      node.change = ({ method, params }, { result }) =>
        method === 'eth_getBlockByNumber' && params[0] !== 'finalized'
          ? { result: { ...(result as object), timestamp: null } }
          : undefined
      expect.soft(await delivery.claims(ann.id)).toMatchObject([{ chain: null }])
      await stays('a block without a time')
      node.change = ({ method, params }) =>
        method === 'eth_blockNumber' || params[0] === 'finalized' ? { result: null } : undefined
      await stays('no height')

      const late = statement(
        'test_live_late',
        'select note_look(jsonb_populate_record(l, $1::jsonb)) from delivery_looks l',
      )
      await db.query(late, [JSON.stringify({ height: since, claimed: '7' })])
      expect(await delivery.rounds()).toMatchObject([{ look: { height: shown?.height, claimed: '0' } }])

      // The chain takes that block back: red until the next look, which may be at a lower block.
      const undo = statement('test_live_undo', 'select undo_blocks(network, $1) from delivery_rounds')
      await db.query(undo, [Number(shown?.height) - 1])
      expect(await delivery.rounds()).toMatchObject([{ look: { fault: 'distributor_reorganised' } }])
      node.change = () => undefined
      await delivery.lookAtLiveRounds()
      expect(await delivery.rounds()).toMatchObject([{ look: { fault: null } }])

      // The watcher follows a chain with another block there: what was read is of a fork, and so is what is read now.
      await db.query(followed)
      await db.query(statement('test_live_forget', `select forget_looks('ethereum')`))
      expect(await delivery.rounds()).toMatchObject([{ look: { fault: 'distributor_reorganised' } }])
      await delivery.lookAtLiveRounds()
      expect(await delivery.rounds()).toMatchObject([
        { look: { fault: 'distributor_reorganised', failingSince: expect.any(String) } },
      ])
      await db.query(statement('test_live_unfollowed', 'delete from chain_blocks'))
      await delivery.lookAtLiveRounds()
      expect(await delivery.rounds()).toMatchObject([{ look: { fault: null, failingSince: null } }])
    }))

  test('is known by the code that it was seen with, also once a release publishes another [DELIVER-33]', () =>
    withFrozen(async ({ terms }) => {
      const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
      const answers: Hex[] = ['0x1234', word(1n), word(0n), word(terms.total)]
      const faultOf = (seen: Hex) =>
        distributorLook(distributorBuild(), terms, answers, { ...live, codeHash: keccak256(seen) })?.fault
      const live = { address: token, sha256: '' }
      expect(faultOf('0x1234')).toBeNull()
      expect(faultOf('0x12')).toBe('distributor_other_code')
    }))

  test('whose leftovers were sent where they go, a year after all was unlocked, lacks nothing [DELIVER-33]', () =>
    withFrozen(async ({ delivery, live, terms }) => {
      const address = await standing(delivery, terms)
      await live(address)
      await chain.anvil.rpc.call('evm_setNextBlockTimestamp', terms.leftoverFrom)
      await chain.send({ to: address, data: callOf('leftover') }, 6)
      expect(await chain.balanceOf(token, terms.leftoverTo)).toBe(terms.total)
      await chain.finalise()
      expect(await lookOf({ delivery })).toMatchObject({ held: '0', claimed: '0', fault: null })
    }))
})
