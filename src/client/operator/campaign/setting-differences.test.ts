import { expect, test } from 'vitest'
import { settingDifferences } from './setting-differences.ts'

test('names each single value that differs, and an item that only one side has', () => {
  const before = {
    name: 'a',
    levels: [{ key: 'x', bonus: '5' }],
    feedRateMaxMinutes: 15,
    brand: { accent: null },
  }
  const after = {
    name: 'a',
    levels: [
      { key: 'x', bonus: '7' },
      { key: 'y', bonus: '9' },
    ],
    feedRateMaxMinutes: 15,
    brand: { accent: '#ff0000' },
  }
  expect(settingDifferences(before, after)).toEqual([
    { path: 'levels.0.bonus', before: '5', after: '7' },
    { path: 'levels.1', before: undefined, after: { key: 'y', bonus: '9' } },
    { path: 'brand.accent', before: null, after: '#ff0000' },
  ])
  expect(settingDifferences(before, before)).toEqual([])
})

test('tells a list of words as a whole', () => {
  const [before, after] = [{ languages: ['en', 'ru'] }, { languages: ['en', 'ru', 'es'] }]
  expect(settingDifferences(before, after)).toEqual([
    { path: 'languages', before: ['en', 'ru'], after: ['en', 'ru', 'es'] },
  ])
})
