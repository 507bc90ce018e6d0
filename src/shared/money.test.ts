import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  add,
  compare,
  cryptoFromTokens,
  divide,
  isAmount,
  keepRate,
  multiply,
  percentDone,
  percentOf,
  roundDownTo,
  roundTo,
  showPrice,
  showRate,
  subtract,
  sum,
  tokensFromCrypto,
  trimZeros,
  usdFromTokens,
} from './money.ts'

/** Amounts as bigint of millionths, an arithmetic of its own to hold the decimals against. */
const units = (value: string) => {
  const [whole = '0', fraction = ''] = value.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}
const amount = fc
  .bigInt({ min: 0n, max: 10n ** 18n })
  .map((n) => `${n / 1_000_000n}.${String(n % 1_000_000n).padStart(6, '0')}`)
const positive = amount.filter((value) => units(value) > 0n)

describe('an amount that a person types', () => {
  test.each(['0', '1', '40', '40.', '.5', '0.000001', '100000', '999999999999999999.999999'])(
    '%s is taken',
    (input) => {
      expect(isAmount(input)).toBe(true)
    },
  )
  test.each([
    '',
    '.',
    '-1',
    '+1',
    '1e309',
    '1E5',
    'NaN',
    'Infinity',
    '0x10',
    '１２',
    '٣',
    '1,5',
    '1.2.3',
    ' 1',
    '1 ',
    '1_000',
    '0.0000001',
    `0.${'0'.repeat(39)}1`,
    '9'.repeat(19),
  ])('%j is refused [NUM-3]', (input) => {
    expect(isAmount(input)).toBe(false)
  })
})

describe('arithmetic', () => {
  test('is exact: sums and differences agree with whole millionths', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(units(roundTo(add(a, b), 6))).toBe(units(a) + units(b))
        expect(compare(subtract(add(a, b), b), a)).toBe(0)
      }),
    )
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 40 }), (list) => {
        expect(units(roundTo(sum(list), 6))).toBe(list.map(units).reduce((a, b) => a + b, 0n))
      }),
    )
  })

  test('a quotient lies within one unit of its last decimal below the exact one', () => {
    fc.assert(
      fc.property(amount, positive, (a, b) => {
        const rest = subtract(a, multiply(divide(a, b), b))
        expect(compare(rest, '0')).toBeGreaterThanOrEqual(0)
        expect(compare(rest, multiply(b, `0.${'0'.repeat(59)}1`))).toBeLessThan(0)
      }),
    )
    expect(() => divide('1', '0')).toThrow(RangeError)
  })

  test.each([
    ['1e-7', '0.0000001'],
    ['2.5E+3', '2500'],
    ['-0.0', '0'],
    ['.5', '0.5'],
    ['007.10', '7.1'],
  ])('reads %s as %s', (input, plain) => {
    expect(add(input, '0')).toBe(plain)
  })

  test.each(['', '.', '-', 'e5', 'NaN', 'Infinity', '0x10', '1,5', '１'])('%j is no number', (input) => {
    expect(() => add(input, '0')).toThrow(RangeError)
  })

  test('rounds half up, once [NUM-2]', () => {
    expect(roundTo('0.005', 2)).toBe('0.01')
    expect(roundTo('0.0049999999999999999', 2)).toBe('0.00')
    expect(roundTo('2.675', 2)).toBe('2.68')
    expect(roundTo('1.0000005', 6)).toBe('1.000001')
    expect(roundDownTo('0.999999999', 2)).toBe('0.99')
  })

  test('a percentage of tokens agrees with whole arithmetic', () => {
    fc.assert(
      fc.property(positive, fc.integer({ min: 0, max: 100 }), (base, percent) => {
        const exact = units(base) * BigInt(percent)
        expect(units(percentOf(base, String(percent)))).toBe((exact + 50n) / 100n)
      }),
    )
  })

  test('at 4.50 forty tokens cost exactly 180 USDT at a dollar each [RATE-2]', () => {
    const rate = keepRate('0.2222222222222222') as string
    expect(rate).toBe('0.222222222222')
    expect(cryptoFromTokens('40', rate)).toBe('180.000000')
    expect(usdFromTokens('40', '4.50')).toBe('180.00')
  })

  test('crypto to tokens and back stays within what six decimals of crypto can say', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.integer({ min: 1, max: 10 ** 7 }),
        (milli, rateCents) => {
          const tokens = `${Math.floor(milli / 1000)}.${String(milli % 1000).padStart(3, '0')}`
          const rate = `${Math.floor(rateCents / 100)}.${String(rateCents % 100).padStart(2, '0')}`
          const back = tokensFromCrypto(cryptoFromTokens(tokens, rate), rate)
          const distance = subtract(back, tokens).replace('-', '')
          expect(compare(distance, add(multiply('0.0000005', rate), '0.0000005'))).toBeLessThanOrEqual(0)
        },
      ),
    )
  })
})

describe('a rate', () => {
  test('keeps six decimals or twelve significant digits, whichever is finer [RATE-1]', () => {
    expect(keepRate('0.0000021234567890123')).toBe('0.00000212345678901')
    expect(keepRate('20000.123456789')).toBe('20000.1234568')
    expect(keepRate('123456789012.1234567')).toBe('123456789012.123457')
    expect(keepRate('0.0000000000001234567890123')).toBe('0.000000000000123457')
    expect(keepRate('0.0000000000000000001')).toBeNull()
    expect(keepRate('9'.repeat(30))).toBe('9'.repeat(30))
    expect(keepRate('9'.repeat(31))).toBeNull()
    expect(keepRate('0')).toBeNull()
    expect(keepRate('-1')).toBeNull()
  })
  test('is shown trimmed to six decimals, and never as 0 [RATE-1]', () => {
    expect(showRate('0.222222222222')).toBe('0.222222')
    expect(showRate('20000.0000000')).toBe('20000')
    expect(showRate('0.000000012')).toBe('0.000000012')
  })
})

describe('what is shown', () => {
  test('a percentage rounds down, so that 100 means full [NUM-5]', () => {
    expect(percentDone('6474999.99', '6475000')).toBe('99')
    expect(percentDone('6475000', '6475000')).toBe('100')
    expect(percentDone('7000000', '6475000')).toBe('100')
    expect(percentDone('1', '0')).toBe('0')
    expect(percentDone('1', '3')).toBe('33')
    expect(percentDone('30000', '6475000')).toBe('0.46')
    expect(percentDone('64749.99', '6475000')).toBe('0.99')
    expect(percentDone('64750', '6475000')).toBe('1')
    expect(percentDone('0', '6475000')).toBe('0')
    expect(percentDone('1', '6475000')).toBe('0')
  })
  test('a price has two decimals or as many as it has [NUM-6]', () => {
    expect(showPrice('4.5')).toBe('4.50')
    expect(showPrice('4.50000000')).toBe('4.50')
    expect(showPrice('0.00012500')).toBe('0.000125')
    expect(showPrice('5')).toBe('5.00')
  })
  test('zeros at the end go', () => {
    expect(trimZeros('40.500000')).toBe('40.5')
    expect(trimZeros('100')).toBe('100')
  })
})
