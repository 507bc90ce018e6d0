import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { parseUnits } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { evmChecksum } from './addresses.ts'
import { merkleTree, proofOf, rootOf } from './merkle-tree.ts'
import { checkList, contentOfList, type ListFault, type RoundList } from './round-list.ts'
import { bpsOfPercent, percentOfBps } from './unlocking.ts'

const pause = async () => {}
const accounts = ['1', '2', '3', '4', '5'].map((digit) => evmChecksum(`0x${digit.repeat(40)}`))

describe('the tree', () => {
  test.each([1, 2, 3, 7, 33])(
    'of %i leaves is that of OpenZeppelin’s StandardMerkleTree [DELIVER-37]',
    async (count) => {
      const leaves = Array.from({ length: count }, (_, place) => ({
        place,
        account: accounts[place % 5] ?? '',
        tokens: parseUnits(`${place + 1}.000001`, 18),
      }))
      const theirs = StandardMerkleTree.of(
        leaves.map(({ place, account, tokens }) => [String(place), account, String(tokens)]),
        ['uint256', 'address', 'uint256'],
      )
      const tree = await merkleTree(leaves, pause)
      expect(rootOf(tree)).toBe(theirs.root)
      expect(Buffer.from(tree).toString('hex')).toBe(
        theirs
          .dump()
          .tree.map((node) => node.slice(2))
          .join(''),
      )
      for (const [place, leaf] of leaves.entries())
        expect(proofOf(tree, leaf)).toEqual(theirs.getProof(place))
      expect(proofOf(tree, { place: count, account: accounts[0] ?? '', tokens: 1n })).toBeUndefined()
    },
  )
})

describe('a published list', () => {
  const list = async (
    changed: Partial<RoundList> = {},
    terms: Partial<RoundList['distributor']> = {},
  ): Promise<string> => {
    const rows = changed.rows ?? [
      { place: 0, account: accounts[0] ?? '', tokens: 100n },
      { place: 1, account: accounts[1] ?? '', tokens: 23n },
    ]
    const distributor: RoundList['distributor'] = {
      token: accounts[2] as `0x${string}`,
      root: rootOf(await merkleTree(rows, pause)),
      total: rows.reduce((sum, { tokens }) => sum + tokens, 0n),
      start: 1_800_000_000,
      schedule: { startBps: 1_000, cliff: 0, linear: 86_400 },
      leftoverTo: accounts[3] as `0x${string}`,
      leftoverFrom: 1_900_000_000,
      ...terms,
    }
    return contentOfList({
      sale: { name: 'Токен', symbol: 'TKN' },
      round: 1,
      network: 'ethereum',
      chainId: 1,
      cutAt: '2026-11-01T00:00:00.000Z',
      frozenAt: '2026-11-05T00:00:00.000Z',
      ways: { purchased: distributor.total - 1n, bonus: 1n, granted: 0n },
      ...changed,
      distributor,
      rows,
    })
  }
  const check = (text: string) => checkList(text, pause)
  const row = { place: 0, account: accounts[0] ?? '', tokens: 100n }

  test('is read where it is whole', async () => {
    const text = await list()
    expect(await check(text)).toMatchObject({
      list: { round: 1, chainId: 1, rows: [row, { place: 1, tokens: 23n }] },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test.each([
    ['is no JSON', async () => 'nothing', 'not_a_list'],
    ['is another JSON', async () => '{}', 'not_a_list'],
    ['was written by hand', async () => `${await list()}\n`, 'not_a_list'],
    ['has a field that nobody knows', async () => (await list()).replace('{', '{"a":1,'), 'not_a_list'],
    [
      'has an address with a mistake',
      () => list({ rows: [{ ...row, account: `0x${'aB'.repeat(20)}` }] }),
      'not_a_list',
    ],
    [
      'has no row',
      async () => (await list()).replace(/"rows":\[.*\],"sale"/, '"rows":[],"sale"'),
      'not_a_list',
    ],
    ['has two rows at one place', () => list({ rows: [row, { ...row, tokens: 5n }] }), 'other_places'],
    ['promises more than its total', () => list({}, { total: 122n }), 'other_total'],
    ['names other ways', () => list({ ways: { purchased: 123n, bonus: 1n, granted: 0n } }), 'other_total'],
    ['has another root', () => list({}, { root: `0x${'0'.repeat(64)}` }), 'other_root'],
  ] satisfies [string, () => Promise<string>, ListFault][])(
    'is refused where it %s [DELIVER-38]',
    async (_what, made, fault) => {
      expect(await check(await made())).toBe(fault)
    },
  )
})

describe('a share that is free at the start', () => {
  test('is typed in per cent and shown as it was typed, and nothing is rounded', () => {
    for (let bps = 0; bps <= 10_000; bps += 1) expect(bpsOfPercent(percentOfBps(bps))).toBe(bps)
    expect(bpsOfPercent('5.50')).toBe(550)
    for (const wrong of ['', '.', '5.', '100.01', '33.333', '-1', '1e1', '1000', ' 5'])
      expect(bpsOfPercent(wrong)).toBeUndefined()
  })
})
