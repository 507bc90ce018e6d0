import { expect, test } from 'vitest'
import { type Theme, themeAfter } from './theme-round.ts'

test.each([
  [false, ['dark', 'light', 'system', 'dark']],
  [true, ['light', 'dark', 'system', 'light']],
])('the first click shows something, where the system is dark: %s', (isSystemDark, round) => {
  const gone: Theme[] = []
  for (let theme: Theme = 'system'; gone.length < round.length; gone.push(theme))
    theme = themeAfter(theme, isSystemDark)
  expect(gone).toEqual(round)
})
