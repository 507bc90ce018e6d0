import { expect, test } from 'vitest'
import { LocalLimits, localRates } from './local-limits.ts'

const { burst, perSeconds } = localRates.download_network

test('lets a burst through, refuses what is more by the name of the limit, and flows back evenly [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  for (let n = 0; n < burst; n += 1) limits.take('download_network', 'a', 1, 1_000)
  const details = { limit: 'download_network', retryAfterSeconds: perSeconds / burst }
  expect(() => limits.take('download_network', 'a', 1, 1_000)).toThrow(
    expect.objectContaining({ code: 'too_many_requests', details }),
  )
  limits.take('download_network', 'b', 1, 1_000)
  limits.take('download_network', 'a', 1, 1_000 + (perSeconds * 1000) / burst)
})

test('off, it refuses nothing', () => {
  const limits = new LocalLimits({ isOn: false })
  for (let n = 0; n < burst * 2; n += 1) limits.take('download_network', 'a', 1, 1_000)
})

test('more networks than are counted never make it hold more than it may', () => {
  const limits = new LocalLimits({ isOn: true })
  for (let n = 0; n < 250_000; n += 1) limits.take('preview_network', String(n), 1, 1_000)
})

const refused = expect.objectContaining({ code: 'too_many_requests' })

test('more networks than are counted never make it forget what all of them took [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  for (let n = 0; n < localRates.receipt_all.burst; n += 1) limits.takeBoth('receipt', `early ${n}`, 1, 1_000)
  expect(() => limits.takeBoth('receipt', 'late', 1, 1_000)).toThrow(refused)
  for (let n = 0; n < 150_000; n += 1) limits.take('preview_network', `other ${n}`, 1, 1_000)
  expect(() => limits.takeBoth('receipt', 'late', 1, 1_000)).toThrow(refused)
})

test('a flood that is refused leaves a quarter to networks that took nothing lately [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  const { burst: all } = localRates.claims_all
  const { burst: own } = localRates.claims_network
  const names: string[] = []
  for (let n = 0; n < all * 2; n += 1) {
    try {
      limits.takeBoth('claims', `192.0.2.${Math.floor(n / own)}`, 1, 1_000)
    } catch (error) {
      names.push((error as { details: { limit: string } }).details.limit)
    }
  }
  expect(names.filter((name) => name === 'claims_all').length).toBeGreaterThan(0)
  limits.takeBoth('claims', '198.51.100.1', 1, 1_000)
  expect(() => limits.takeBoth('claims', '198.51.100.1', 1, 1_000)).toThrow(refused)
})

test('one line at home counts as one, whichever of its 256 networks asks [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  const { burst: own } = localRates.claims_network
  let taken = 0
  for (let n = 0; n < own * 4; n += 1) {
    try {
      limits.takeBoth('claims', `2001:db8:5:1${(n % 256).toString(16).padStart(2, '0')}::/64`, 1, 1_000)
      taken += 1
    } catch {}
  }
  expect(taken).toBe(own * 2)
  limits.takeBoth('claims', '2001:db8:5:200::/64', 1, 1_000)
})
