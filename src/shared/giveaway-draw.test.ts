import { bls12_381 } from '@noble/curves/bls12-381.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import {
  type Beacon,
  firstRoundAt,
  isSignatureOfRound,
  messageOfRound,
  quicknet,
  randomnessOf,
  timeOfRound,
} from './giveaway-beacon.ts'
import {
  checkDraw,
  commitmentOf,
  drawFrom,
  type GiveawayFile,
  hashOfRules,
  parseGiveawayFile,
  rootOf,
} from './giveaway-draw.ts'
import { chiSquareOf } from './giveaway-odds.ts'

/** Round 1000 of the main network, as its servers have answered it since 2023. */
const known = {
  round: 1000,
  signature:
    'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
  randomness: 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
}

const secret = hexToBytes('11'.repeat(32))
const own: Beacon = {
  chain: 'own',
  publicKey: bls12_381.shortSignatures.getPublicKey(secret).toHex(),
  genesis: 1_700_000_000,
  period: 3,
}
const sign = (round: number) => bls12_381.shortSignatures.sign(messageOfRound(round), secret).toHex()

const commitments = Array.from({ length: 9 }, (_, index) =>
  commitmentOf('ab'.repeat(32), `U-${index}`),
).toSorted()

function fileOf(change: { commitments?: string[]; root?: string; at?: string } = {}): GiveawayFile {
  const closesAt = '2026-01-01T00:00:00.000Z'
  const round = firstRoundAt(own, Date.parse(closesAt) + 2 * 3_600_000)
  const rules = { closesAt, drawHours: 2, beacon: own, round, prizes: [{ count: 2 }], alternates: 1 }
  const root = rootOf(commitments)
  const signature = sign(round)
  return {
    v: 1,
    giveaway: 1,
    rules,
    rulesSha256: hashOfRules(rules),
    fixed: { at: '2026-01-01T00:00:05.000Z', commitments, root, ...change },
    drawn: { signature, commitments: drawFrom(commitments, root, randomnessOf(signature), 3) },
  }
}

describe('the random value', () => {
  test('is what the network signed of a round, and of no other', () => {
    expect(isSignatureOfRound(quicknet, known.round, known.signature)).toBe(true)
    expect(randomnessOf(known.signature)).toBe(known.randomness)
    expect(isSignatureOfRound(quicknet, known.round + 1, known.signature)).toBe(false)
    expect(isSignatureOfRound(quicknet, known.round, sign(known.round))).toBe(false)
    expect(isSignatureOfRound(quicknet, known.round, 'no signature')).toBe(false)
  })

  test('has one form: whoever writes a signature in other bytes gets no second draw of it', () => {
    const prime = bls12_381.fields.Fp.ORDER
    const room = 1n << 381n
    const written = (signature: string) => BigInt(`0x${signature}`)
    // One whose coordinate fits a second time, with the prime added.
    const fits = (round: number) => (written(sign(round)) % room) + prime < room
    const round = Array.from({ length: 100 }, (_, place) => place + 1).find(fits) ?? 0
    const signature = sign(round)
    expect(isSignatureOfRound(own, round, signature)).toBe(true)
    const point = bls12_381.G1.Point.fromHex(signature)
    const others = [
      point.toHex(false),
      (written(signature) + prime).toString(16),
      `${signature}00`,
      `00${signature}`,
    ]
    for (const form of others) expect(isSignatureOfRound(own, round, form), form).toBe(false)
    // Letters may be large: the bytes are the same, and so is the value.
    expect(randomnessOf(known.signature.toUpperCase())).toBe(known.randomness)
  })

  test('has a round at each moment, never one before it', () => {
    expect(firstRoundAt(quicknet, quicknet.genesis * 1000)).toBe(1)
    expect(firstRoundAt(quicknet, quicknet.genesis * 1000 + 1)).toBe(2)
    expect(timeOfRound(quicknet, 2)).toBe((quicknet.genesis + 3) * 1000)
    const at = Date.parse('2026-05-05T05:05:05.001Z')
    const round = firstRoundAt(quicknet, at)
    expect(timeOfRound(quicknet, round)).toBeGreaterThanOrEqual(at)
    expect(timeOfRound(quicknet, round - 1)).toBeLessThan(at)
  })
})

describe('the tree and the order', () => {
  test('have the roots of RFC 6962', () => {
    expect(rootOf([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(rootOf(['00'.repeat(32)])).toBe('7f9c9e31ac8256ca2f258583df262dbc7d6f68f2a03043d5c99a4ae5a7396ce9')
  })

  test('draw known winners from known entries', () => {
    const drawn = drawFrom(commitments, rootOf(commitments), known.randomness, 3)
    expect(drawn.map((leaf) => commitments.indexOf(leaf))).toEqual([5, 2, 7])
    expect(drawFrom(commitments, rootOf(commitments), known.randomness, 99)).toHaveLength(9)
  })

  // A million take too long for a test: .ci/run has them.
  test('give every entry the same odds in a hundred thousand draws [GIVE-3]', () => {
    const { chiSquare, limit } = chiSquareOf({ draws: 100_000, entries: 8, seed: 'odds' })
    expect(chiSquare).toBeLessThan(limit)
  })
})

describe('a published file', () => {
  test('is computed again, from itself alone', () => {
    const file = fileOf()
    const { faults, drawn, isKnownBeacon } = checkDraw(parseGiveawayFile(JSON.stringify(file)) ?? file)
    expect(faults).toEqual([])
    expect(drawn).toEqual(file.drawn?.commitments)
    expect(isKnownBeacon).toBe(false)
  })

  test('tells what was changed in it after its root was fixed [GIVE-3]', () => {
    const [first = '', second = '', ...rest] = commitments
    const added = [...commitments, 'ff'.repeat(32)]
    expect(checkDraw(fileOf({ commitments: [second, ...rest] })).faults).toContain('root_other')
    expect(checkDraw(fileOf({ commitments: added })).faults).toContain('root_other')
    expect(checkDraw(fileOf({ commitments: [second, first, ...rest] })).faults).toContain('order_wrong')
    expect(checkDraw(fileOf({ commitments: [first, ...commitments] })).faults).toContain('order_wrong')
    // Another root gives another draw.
    const other = fileOf({ commitments: added, root: rootOf(added) })
    expect(checkDraw(other).faults).toEqual(['winners_other'])
  })

  test('tells of a list that was fixed when the random value was known', () => {
    expect(checkDraw(fileOf({ at: '2026-01-01T02:00:09.000Z' })).faults).toEqual(['fixed_late'])
    expect(checkDraw(fileOf({ at: '2025-12-31T23:59:59.000Z' })).faults).toEqual(['fixed_late'])
  })

  test.each([
    'soon',
    '',
    '2026-01-01 00:00:05',
    '2026-01-01',
    null,
    1_767_225_605_000,
    '2026-13-01T00:00:00.000Z',
  ])('tells of a list whose time is none: %j', (at) => {
    expect(checkDraw(fileOf({ at: at as string })).faults).toEqual(['time_wrong'])
  })

  test.each([
    ['no list', 'none'],
    ['nothing', undefined],
    ['entries that are numbers', [1, 2]],
    ['an entry that is no hex', ['zz'.repeat(32), ...commitments.slice(1)]],
    ['an entry in upper case', [...commitments.slice(0, -1), 'FF'.repeat(32)]],
    ['an entry too short', ['ab', ...commitments.slice(1)]],
  ])('tells of %s where the list of entries should stand, and draws nothing from it', (_what, list) => {
    const found = checkDraw(fileOf({ commitments: list as string[] }))
    expect(found).toMatchObject({ faults: ['entry_wrong'], drawn: [] })
  })

  test('tells of a root and of winners that are none', () => {
    for (const root of ['zz'.repeat(32), 'ab', undefined])
      expect(checkDraw(fileOf({ root: root as string }))).toMatchObject({ faults: ['root_other'], drawn: [] })
    const file = fileOf()
    for (const winners of [undefined, null, 'ab', {}]) {
      const drawn = { signature: file.drawn?.signature ?? '', commitments: winners as unknown as string[] }
      expect(checkDraw({ ...file, drawn }).faults).toEqual(['winners_other'])
    }
  })

  test('tells of other rules, another round, other winners and a value that nobody signed', () => {
    const file = fileOf()
    const { rules, drawn } = file
    expect(checkDraw({ ...file, rules: { ...rules, alternates: 0 } }).faults).toEqual([
      'rules_other',
      'winners_other',
    ])
    const later = { ...rules, round: rules.round + 1 }
    const faults = checkDraw({ ...file, rules: later, rulesSha256: hashOfRules(later) }).faults
    expect(faults).toEqual(['round_other', 'signature_wrong'])
    const reversed = { ...file, drawn: drawn && { ...drawn, commitments: drawn.commitments.toReversed() } }
    expect(checkDraw(reversed).faults).toEqual(['winners_other'])
    expect(checkDraw(file, sign(5)).faults).toEqual(['signature_wrong'])
    expect(checkDraw({ ...file, fixed: null }).faults).toEqual(['not_fixed'])
    expect(checkDraw({ ...file, drawn: null }).faults).toEqual(['not_drawn'])
    expect(checkDraw({ ...file, drawn: null }, drawn?.signature).drawn).toEqual(drawn?.commitments)
  })

  test('is not taken for one where it is another file', () => {
    for (const text of ['', '{}', '[]', 'null', '{"v":1,"rules":{}}'])
      expect(parseGiveawayFile(text)).toBeNull()
  })
})
