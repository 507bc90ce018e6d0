import { expect, test } from 'vitest'
import { add } from '../../../shared/money.ts'
import { sumsOfDays } from './sums-of-days.ts'

const day = (date: string, raisedOnChainUsd: string, raisedByOperatorUsd: string) => ({
  day: date,
  raisedUsd: add(raisedOnChainUsd, raisedByOperatorUsd),
  raisedOnChainUsd,
  raisedByOperatorUsd,
  purchasedTokens: '0',
})
const campaign = {
  days: [day('2026-11-01', '90.00', '10.00'), day('2026-11-20', '30.00', '20.00')],
  raised: { usd: '400.00', onChainUsd: '320.00', byOperatorUsd: '80.00', takeableUsd: '0.00' },
  serverTime: '2026-11-22T10:00:00.000Z',
}

test('the sums begin with the stage and end with what was raised', () => {
  const { points, before } = sumsOfDays({ ...campaign, stage: { startsAt: '2026-11-19T08:00:00.000Z' } })
  expect(before).toBe('350')
  expect(points).toEqual([
    { day: '2026-11-19', value: '350', onChain: '290', byOperator: '60' },
    { day: '2026-11-20', value: '400', onChain: '320', byOperator: '80' },
    { day: '2026-11-21', value: '400', onChain: '320', byOperator: '80' },
    { day: '2026-11-22', value: '400', onChain: '320', byOperator: '80' },
  ])
})

test('between two stages, and before the first one is announced, they are those of the last 30 days', () => {
  for (const stage of [{ startsAt: '2026-12-01T00:00:00.000Z' }, null]) {
    const { points, before } = sumsOfDays({ ...campaign, stage })
    expect(points).toHaveLength(30)
    expect(points.at(-1)).toEqual({ day: '2026-11-22', value: '400', onChain: '320', byOperator: '80' })
    expect(before).toBe('250')
  }
})
