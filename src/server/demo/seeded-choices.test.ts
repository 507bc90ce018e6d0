import { expect, test } from 'vitest'
import { createChoices } from './seeded-choices.ts'

const some = (seed: string, count = 1000) => {
  const choices = createChoices(seed)
  return Array.from({ length: count }, () => choices.below(10))
}

test('the same seed chooses the same, another one otherwise', () => {
  expect(some('1')).toEqual(some('1'))
  expect(some('1')).not.toEqual(some('2'))
  expect(some('1:1')).not.toEqual(some('1:2'))
})

test('every choice comes up about as often as the others', () => {
  const counts = Map.groupBy(some('fair', 10_000), (choice) => choice)
  expect([...counts.keys()].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const list of counts.values()) {
    expect(list.length).toBeGreaterThan(850)
    expect(list.length).toBeLessThan(1150)
  }
})

test('picks from a list', () => {
  const { pick } = createChoices('list')
  expect(new Set(Array.from({ length: 50 }, () => pick(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']))
})
