import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  amountBar,
  bonusFor,
  type LevelRule,
  levelIndexHeld,
  levelIndexReached,
  levelProgress,
} from './levels.ts'
import { add, compare, percentOf, subtract } from './money.ts'

const levels: (LevelRule & { name: string })[] = [
  ['Bronze', '40', '5'],
  ['Silver', '200', '7'],
  ['Gold', '500', '10'],
  ['Platinum', '1000', '12'],
  ['Diamond', '5000', '15'],
  ['Legend', '50000', '20'],
].map(([name = '', threshold = '', bonusPercent = '']) => ({ name, threshold, bonusPercent }))
const STEP = '0.000001'

describe('a level', () => {
  test.each(levels.map((level, index) => [level.name, level.threshold, index] as const))(
    '%s is reached at %s and not a millionth before [BONUS-1]',
    (_name, threshold, index) => {
      expect(levelIndexReached(levels, threshold)).toBe(index)
      expect(levelIndexReached(levels, add(threshold, STEP))).toBe(index)
      expect(levelIndexReached(levels, subtract(threshold, STEP))).toBe(index - 1)
      expect(levelIndexHeld(levels, subtract(threshold, STEP))).toBe(Math.max(0, index - 1))
    },
  )

  test('progress counts to the next threshold, rounded down, and ends at 100 [BONUS-5]', () => {
    expect(levelProgress(levels, '0')).toBe('0')
    expect(levelProgress(levels, '39.999999')).toBe('99')
    expect(levelProgress(levels, '40')).toBe('20')
    expect(levelProgress(levels, '49999.999999')).toBe('99')
    expect(levelProgress(levels, '50000')).toBe('100')
    expect(levelProgress(levels, '9999999')).toBe('100')
  })
})

describe('a bonus', () => {
  test('is by the better of the level held and the level that the base reaches [BONUS-2]', () => {
    expect(bonusFor(levels, '0', '40')).toEqual({ levelIndex: 0, percent: '5', bonusTokens: '2.000000' })
    expect(bonusFor(levels, '0', '200')).toMatchObject({ percent: '7', bonusTokens: '14.000000' })
    expect(bonusFor(levels, '5000', '40')).toMatchObject({ percent: '15', bonusTokens: '6.000000' })
    expect(bonusFor(levels, '40', '50000')).toMatchObject({ percent: '20', bonusTokens: '10000.000000' })
    // The rest of a stage may be below the first level.
    expect(bonusFor(levels, '0', '20')).toMatchObject({ percent: '5', bonusTokens: '1.000000' })
  })

  test('never falls when more is bought or more is held [BONUS-2]', () => {
    const tokens = fc
      .integer({ min: 1, max: 10 ** 11 })
      .map((n) => `${Math.floor(n / 10 ** 6)}.${String(n % 10 ** 6).padStart(6, '0')}`)
    fc.assert(
      fc.property(tokens, tokens, tokens, (balance, base, more) => {
        const bonus = bonusFor(levels, balance, base)
        expect(bonus.bonusTokens).toBe(percentOf(base, bonus.percent))
        expect(
          compare(bonusFor(levels, balance, add(base, more)).percent, bonus.percent),
        ).toBeGreaterThanOrEqual(0)
        expect(
          compare(bonusFor(levels, add(balance, more), base).percent, bonus.percent),
        ).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

test.each([
  ['0', 0],
  ['39.999999', 0],
  ['40', 1],
  ['200', 20],
  ['500', 40],
  ['1000', 60],
  ['5000', 80],
  ['50000', 99],
  ['100000', 99],
  ['100000.000001', 100],
])('the bar of the buy screen stands at %s tokens on %i', (tokens, bar) => {
  expect(amountBar(levels, tokens, '100000')).toBe(bar)
})
