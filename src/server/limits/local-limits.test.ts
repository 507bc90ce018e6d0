import { expect, test } from 'vitest'
import { LocalLimits, localRates } from './local-limits.ts'

const { burst, perSeconds } = localRates.download_network

test('lets a burst through, refuses what is more by the name of the limit, and flows back evenly [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  for (let n = 0; n < burst; n += 1) limits.take('download_network', 'a', 1_000)
  const details = { limit: 'download_network', retryAfterSeconds: perSeconds / burst }
  expect(() => limits.take('download_network', 'a', 1_000)).toThrow(
    expect.objectContaining({ code: 'too_many_requests', details }),
  )
  limits.take('download_network', 'b', 1_000)
  limits.take('download_network', 'a', 1_000 + (perSeconds * 1000) / burst)
})

test('off, it refuses nothing', () => {
  const limits = new LocalLimits({ isOn: false })
  for (let n = 0; n < burst * 2; n += 1) limits.take('download_network', 'a', 1_000)
})

test('more networks than are counted never make it hold more than it may', () => {
  const limits = new LocalLimits({ isOn: true })
  for (let n = 0; n < 250_000; n += 1) limits.take('preview_network', String(n), 1_000)
})
