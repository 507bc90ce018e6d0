import { expect, it } from 'vitest'
import { decimalTyping } from './DecimalInput.tsx'

it.each([
  ['', ''],
  ['40', '40'],
  ['1,5', '1.5'],
  ['1.2.3', '1.23'],
  ['.5', '.5'],
  ['-7', '7'],
  ['1e309', '1309'],
  ['0x10', '010'],
  ['１２', ''],
  [' 4 0 ', '40'],
])('typing %j leaves %j', (typed, kept) => {
  expect(decimalTyping(typed)).toBe(kept)
})
