import { expect, test } from 'vitest'
import { chosenDays, namedStarts } from './range.ts'

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
