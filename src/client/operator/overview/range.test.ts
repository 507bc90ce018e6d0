import { expect, test } from 'vitest'
import { chosenDays, namedStarts, raisedParts, raisedSoFar } from './range.ts'

const today = '2026-08-05'

test('a stage that began today leaves only one name chosen, the one that was asked for', () => {
  const starts = namedStarts(today, today)
  const asked = (range?: string) =>
    chosenDays(starts, today, (name) => (name === 'range' ? range : undefined))
  expect(asked().named).toBe('stage')
  expect(asked('today')).toEqual({ from: today, to: today, named: 'today' })
  expect(asked('week')).toEqual({ from: '2026-07-30', to: today, named: 'week' })
  expect(asked('unknown').named).toBe('stage')
})

test('days that were typed have no name; what is no day is not taken', () => {
  const starts = namedStarts(today, undefined)
  const typed = (from: string) => (name: string) => ({ from, to: today })[name]
  expect(chosenDays(starts, today, typed('2026-08-01'))).toEqual({
    from: '2026-08-01',
    to: today,
    named: undefined,
  })
  expect(chosenDays(starts, today, typed('yesterday')).named).toBe('month')
})

test('what was raised is told with its two parts, with the days before and without', () => {
  const counts = { pageViews: 0, registrations: 0, orders: 0, paidOrders: 0 }
  const day = (name: string, raisedOnChainUsd: string, raisedByOperatorUsd: string) => ({
    ...counts,
    day: name,
    raisedOnChainUsd,
    raisedByOperatorUsd,
  })
  const range = {
    from: '2026-08-04',
    to: today,
    countedSince: null,
    received: [],
    raisedBeforeUsd: '30.50',
    raisedBeforeOnChainUsd: '10.25',
    raisedBeforeByOperatorUsd: '20.25',
    days: [day('2026-08-04', '1.00', '0'), day(today, '0', '-2.25')],
  }
  expect(raisedParts(range)).toEqual({ onChain: '11.25', byOperator: '18' })
  expect(raisedParts(range, { inThem: true })).toEqual({ onChain: '1', byOperator: '-2.25' })
  expect(raisedSoFar(range)).toEqual([
    { day: '2026-08-04', value: '31.5', onChain: '11.25', byOperator: '20.25' },
    { day: today, value: '29.25', onChain: '11.25', byOperator: '18' },
  ])
})
