import { assert, bigInt, integer, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickText } from '../../../shared/languages.ts'
import { add, compare } from '../../../shared/money.ts'
import { countdown, dollars, percent } from '../figures.ts'
import { agrees, createCounter } from './check.ts'
import { millionths, plain } from './exact.ts'
import { amountAt } from './levels.ts'

const decimal = tuple(bigInt({ min: 0n, max: 10n ** 18n }), integer({ min: 0, max: 999_999 })).map(
  ([whole, fraction]) => `${whole}.${String(fraction).padStart(6, '0')}`,
)

describe('exact decimals', () => {
  it('add up like the server does', () => {
    assert(
      property(decimal, decimal, (a, b) => {
        const here = plain((millionths(a) ?? 0n) + (millionths(b) ?? 0n))
        expect(compare(here, add(a, b))).toBe(0)
      }),
    )
  })
  it.each(['', '.', '1e5', '1,5', '0x10', ' 1', '1.2.3', '１'])('take %j for no number', (text) => {
    expect(millionths(text)).toBeNull()
  })
  it('never drop a digit that counts', () => {
    expect(millionths('1.1234567')).toBeNull()
    expect(millionths('1.1234560')).toBe(1_123_456n)
    expect(plain(-1_500_000n)).toBe('-1.5')
  })
})

describe('the level slider', () => {
  const [low, high] = [40_000_000n, 100_000_000_000n]
  it('starts and ends at the limits and only rises', () => {
    expect(amountAt(0, low, high)).toBe(low)
    expect(amountAt(1, low, high)).toBe(high)
    const steps = Array.from({ length: 1001 }, (_, step) => amountAt(step / 1000, low, high))
    for (const [index, amount] of steps.entries()) {
      expect(amount >= (steps[index - 1] ?? low)).toBe(true)
      expect(amount <= high).toBe(true)
    }
  })
})

describe('adding the public rows up', () => {
  const head = 'order,day,stage,currency,base,bonus,dollars,approved_by\r\n'
  const rows = `${head}aa,2026-11-21,"Stage, ""one""",USDT,40,2,180.00,chain\r\nbb,2026-11-21,Stage 1,BTC,0.000001,0,0.10,operator\r\n`
  const shown = {
    raised: { usd: '180.10', onChainUsd: '180.00', byOperatorUsd: '0.10' },
    purchasedTokens: '40.000001',
    bonusTokens: '2.000000',
    approvedOrders: { onChain: 1, byOperator: 1 },
    settings: { shares: [{ percent: '55.5' }, { percent: '44.50' }] },
  }
  const count = (pieces: string[]) => {
    const counter = createCounter()
    for (const piece of pieces) counter.take(piece)
    return counter.end()
  }

  it('agrees, wherever the stream is cut', () => {
    for (let at = 0; at < rows.length; at += 1)
      expect(agrees(shown, count([rows.slice(0, at), rows.slice(at)]))).toBe(true)
  })
  it('says so when one cent, one row or one share is off', () => {
    const counted = count([rows])
    expect(agrees({ ...shown, raised: { ...shown.raised, usd: '180.11' } }, counted)).toBe(false)
    expect(agrees({ ...shown, approvedOrders: { onChain: 2, byOperator: 1 } }, counted)).toBe(false)
    expect(agrees({ ...shown, settings: { shares: [{ percent: '99.99' }] } }, counted)).toBe(false)
    expect(agrees(shown, count([head]))).toBe(false)
  })
  it('refuses a row that it can not read', () => {
    expect(() => count([`${head}cc,2026-11-21,Stage 1,BTC,x,0,1.00,chain\r\n`])).toThrow('unreadable')
  })
})

describe('how figures are written', () => {
  it('counts down to zero and never below', () => {
    expect(countdown(90_061_000)).toEqual({ days: 1, clock: '01:01:01' })
    expect(countdown(1)).toEqual({ days: 0, clock: '00:00:01' })
    expect(countdown(-5_000)).toEqual({ days: 0, clock: '00:00:00' })
  })
  it('keeps every digit of large amounts and the decimals of a price', () => {
    expect(dollars('12345678901234567.89', 'en')).toBe('$12,345,678,901,234,567.89')
    expect(dollars('4.50000000', 'en', 'price')).toBe('$4.50')
    expect(dollars('0.00012345', 'en', 'price')).toBe('$0.00012345')
    expect(dollars('6474999.99', 'en', 0)).toBe('$6,474,999')
    expect(percent('7.50', 'en')).toBe('7.5%')
  })
  it('shows the other language where one is missing, and says which it is', () => {
    expect(pickText({ en: 'Hello', ru: '' }, 'ru')).toEqual({ text: 'Hello', lang: 'en' })
    expect(pickText({ en: '', ru: '' }, 'ru')).toEqual({ text: '', lang: 'ru' })
  })
})
