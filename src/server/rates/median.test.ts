import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare } from '../../shared/money.ts'
import { judgeSources, type SourceSaid } from './median.ts'

const now = new Date('2026-01-01T12:00:00Z')
const said = (source: string, priceUsd: string | null, ageSeconds = 10): SourceSaid => ({
  source,
  quote: priceUsd === null ? null : { priceUsd, at: new Date(now.getTime() - ageSeconds * 1000) },
  problem: null,
})

describe('a price', () => {
  test('is the median of those that agree [RATE-7]', () => {
    const reading = judgeSources([said('a', '100'), said('b', '101'), said('c', '100.4')], now)
    expect(reading).toMatchObject({ priceUsd: '100.4', problem: null })
    expect(reading.sources.every((source) => source.used)).toBe(true)
  })

  test('drops one more than 2 % away, and says so [RATE-7]', () => {
    const reading = judgeSources([said('a', '100'), said('b', '100.5'), said('c', '103')], now)
    expect(reading).toMatchObject({ priceUsd: '100.25', problem: null })
    expect(reading.sources[2]).toEqual(
      expect.objectContaining({ used: false, problem: 'outlier', priceUsd: '103' }),
    )
  })

  test('drops what is older than 5 minutes, absent, not positive or from the future', () => {
    const reading = judgeSources(
      [
        said('a', '100'),
        said('b', '100', 301),
        said('c', null),
        said('d', '0'),
        said('e', '100', -120),
        said('f', '100.2'),
      ],
      now,
    )
    expect(reading.priceUsd).toBe('100.1')
    expect(reading.sources.map((source) => source.problem)).toEqual([
      null,
      'stale',
      'absent',
      'not_positive',
      'from_the_future',
      null,
    ])
  })

  test('needs at least two that agree [RATE-7]', () => {
    expect(judgeSources([said('a', '100')], now)).toMatchObject({ priceUsd: null, problem: 'too_few' })
    expect(judgeSources([said('a', '100'), said('b', '102.01')], now)).toMatchObject({
      priceUsd: null,
      problem: 'disagree',
    })
    expect(judgeSources([said('a', '100'), said('b', '102')], now)).toMatchObject({
      priceUsd: '101',
      problem: null,
    })
    expect(
      judgeSources([said('a', '100'), said('b', '100'), said('c', '120'), said('d', '120')], now),
    ).toMatchObject({
      priceUsd: null,
      problem: 'disagree',
    })
    expect(judgeSources([], now)).toMatchObject({ priceUsd: null, problem: 'no_source' })
  })

  test('can never be moved by one liar beyond what the honest ones say', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 100_000, max: 101_000 }), { minLength: 3, maxLength: 6 }),
        fc.integer({ min: 1, max: 10_000_000 }),
        (honest, lie) => {
          const prices = honest.map(String)
          const reading = judgeSources(
            [...prices.map((price, index) => said(`h${index}`, price)), said('liar', String(lie))],
            now,
          )
          const sorted = prices.toSorted(compare)
          expect(reading.priceUsd).not.toBeNull()
          expect(compare(reading.priceUsd ?? '0', sorted[0] ?? '0')).toBeGreaterThanOrEqual(0)
          expect(compare(reading.priceUsd ?? '0', sorted.at(-1) ?? '0')).toBeLessThanOrEqual(0)
        },
      ),
    )
  })
})
