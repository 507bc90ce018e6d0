import { afterEach, expect, test, vi } from 'vitest'
import { newSortedToken } from './sorted-token.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('is never made twice, has 144 random bits, and comes after all of the seconds before', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T23:59:58Z') })
  const seconds = Array.from({ length: 50 }, () => {
    const tokens = Array.from({ length: 20 }, newSortedToken)
    vi.setSystemTime(Date.now() + 1_000)
    return tokens
  })
  const tokens = seconds.flat()
  expect(new Set(tokens).size).toBe(1_000)
  expect(new Set(tokens.map((token) => token.slice(6))).size).toBe(1_000)
  for (const token of tokens) expect(token).toMatch(/^[0-9a-z]{6}[\w-]{24}$/)
  for (const [n, later] of seconds.entries()) {
    const earlier = seconds[n - 1]?.toSorted().at(-1) ?? ''
    expect(later.toSorted()[0]?.localeCompare(earlier) ?? 0).toBeGreaterThan(0)
    expect((later.toSorted()[0] ?? '') > earlier).toBe(true)
  }
})
