import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isAmount } from './money.ts'
import { readingsOf, type TypedDecimal, typedDecimal, typedOn } from './typed-decimal.ts'

it.each([
  ['', ''],
  ['40', '40'],
  ['1,5', '1.5'],
  ['1.2.3', '1.23'],
  ['.5', '.5'],
  ['руб. 500', '500'],
  ['500 руб.', '500'],
  ["1'000.50 $", '1000.50'],
  ['１２', '12'],
  ['١٠٠', '100'],
  ['۱۲٫۵', '12.5'],
  ['१०९', '109'],
  ['٫5', '.5'],
  ['١٬٠٠٠٬٠٠٠', '1000000'],
  [' 4 0 ', '40'],
  ['$1,250.50', '1250.50'],
  ['100 000', '100000'],
  ['100 000,5', '100000.5'],
  ['100,000.5', '100000.5'],
  ['100.000,5', '100000.5'],
  ['1,000,000', '1000000'],
  ['1.000.000', '1000000'],
  ['0,125', '0.125'],
  ['1,2345', '1.2345'],
  ['1234,567', '1234.567'],
  ['100.000', '100.000'],
])('typing %j leaves %j', (typed, kept) => {
  expect(typedDecimal(typed).text).toBe(kept)
  expect(readingsOf(typedDecimal(typed).text)).toBeUndefined()
})

it.each([
  ['100,000', ['100000', '100.000']],
  ['1,250', ['1250', '1.250']],
  [' 50,000 ITOKEN', ['50000', '50.000']],
  ['١٬٠٠٠', ['1000', '1.000']],
])('%j can be two numbers, so nothing is chosen', (typed, readings) => {
  expect(readingsOf(typedDecimal(typed).text)).toEqual(readings)
})

it.each([
  '100 USDT (TRC20)',
  '100-200',
  '1e-7',
  '1e309',
  '0x10',
  '12:30',
  '1/2',
  '100, 200',
  '100\t250',
  'ERC20: 100',
  '-7',
  ' −0.5',
  '-.5',
  '𝟏𝟐',
])('%j is no number, so it stays as it was pasted and none is made of it', (pasted) => {
  expect(typedDecimal(pasted).text).toBe(pasted)
  expect(isAmount(pasted)).toBe(false)
  expect(readingsOf(pasted)).toBeUndefined()
})

/** Key after key, as a field is typed into. */
const typedKeyByKey = (typed: string) =>
  [...typed].reduce<TypedDecimal>((before, key) => typedOn(before, before.text + key), typedDecimal(''))

it.each([
  ['40,5', '40.5'],
  ['100,00', '100.00'],
  ['100,000', '100,000'],
  ['100,0005', '100.0005'],
  ['100,000.5', '100000.5'],
  ['1,000,000', '1000000'],
  ['100.000', '100.000'],
])('typing the keys of %j one by one leaves %j', (keys, left) => {
  expect(typedKeyByKey(keys).text).toBe(left)
})

it('reads back every number as each language writes it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 ** 9 }),
      fc.integer({ min: 0, max: 999_999 }),
      fc.constantFrom('en', 'ru', 'de', 'fr', 'de-CH'),
      (whole, millionths, locale) => {
        const plain = `${whole}.${String(millionths).padStart(6, '0')}`.replace(/\.?0+$/, '')
        const written = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }).format(
          plain as Intl.StringNumericLiteral,
        )
        const { text } = typedDecimal(written)
        // A lone point is a decimal point, even if a German means a thousand: the field shows the result.
        fc.pre(locale !== 'de' || !/^\d{1,3}\.\d{3}$/.test(written))
        expect(readingsOf(text) ?? [text]).toContain(plain)
      },
    ),
  )
})

it.each([
  ['100.000', ['100000', '100.000']],
  ['1.234', ['1234', '1.234']],
  ['1.234 €', ['1234', '1.234']],
  ['1234.567', undefined],
  ['0.125', undefined],
  ['12.5', undefined],
  ['12.3456', undefined],
])('where a language groups by the point, %j is asked about if it can be a grouping', (typed, readings) => {
  expect(readingsOf(typedDecimal(typed, 'es').text)).toEqual(readings)
  for (const locale of ['en', 'ru', 'ar'])
    expect(readingsOf(typedDecimal(typed, locale).text)).toBeUndefined()
})

it('a grouping point is asked about key by key, and no more once a fourth place follows', () => {
  const keys = (text: string) =>
    [...text].reduce((before, key) => typedOn(before, before.text + key, 'es'), typedDecimal(''))
  expect(readingsOf(keys('100.000').text)).toEqual(['100000', '100.000'])
  expect(keys('100.0005').text).toBe('100.0005')
  expect(keys('100,5').text).toBe('100.5')
  expect(readingsOf(keys('100,000').text)).toEqual(['100000', '100.000'])
})
