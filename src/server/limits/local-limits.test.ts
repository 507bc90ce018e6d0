import { expect, test } from 'vitest'
import { budgets, type Crowd, LocalLimits } from './local-limits.ts'

const { burst, perSeconds } = budgets.downloads.network

test('lets a burst through, refuses what is more by the name of the limit, and flows back evenly [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  for (let n = 0; n < burst; n += 1) limits.take('a', { downloads: 1 }, 1_000)
  const details = { limit: 'downloads_network', retryAfterSeconds: perSeconds / burst }
  expect(() => limits.take('a', { downloads: 1 }, 1_000)).toThrow(
    expect.objectContaining({ code: 'too_many_requests', details }),
  )
  limits.take('b', { downloads: 1 }, 1_000)
  limits.take('a', { downloads: 1 }, 1_000 + (perSeconds * 1000) / burst)
})

test('off, it refuses nothing', () => {
  const limits = new LocalLimits({ isOn: false })
  for (let n = 0; n < burst * 2; n += 1) limits.take('a', { downloads: 1 }, 1_000)
})

test('more networks than are counted never make it hold more than it may', () => {
  const limits = new LocalLimits({ isOn: true })
  for (let n = 0; n < 250_000; n += 1) limits.take(String(n), { statements: 6 }, 1_000)
})

const refused = expect.objectContaining({ code: 'too_many_requests' })

test('more networks than are counted never make it forget what all of them took [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  for (let n = 0; n < budgets.lookups.all.burst; n += 1)
    limits.spend(`early ${n}`, { lookups: 1 }, 'strangers', 1_000)
  expect(() => limits.spend('late', { lookups: 1 }, 'strangers', 1_000)).toThrow(refused)
  for (let n = 0; n < 150_000; n += 1) limits.take(`other ${n}`, { statements: 6 }, 1_000)
  expect(() => limits.spend('late', { lookups: 1 }, 'strangers', 1_000)).toThrow(refused)
})

test('a site that asks a little slower than its budget flows back takes little of the quarter [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  const { burst: own, perSeconds: period } = budgets.renders.network
  const asked = own * 7
  let firsts = 0
  for (let n = 0; n < asked; n += 1) {
    const nowMs = 1e12 + (n * period * 1000) / asked
    if (limits.take(`2001:db8:7:${n.toString(16)}::/64`, { renders: 1 }, nowMs).has('renders')) firsts += 1
  }
  expect(firsts).toBeGreaterThan(0)
  // A tenth of one network's budget at once, and as much in the minute.
  expect(firsts).toBeLessThanOrEqual((own / 10) * 2)
})

test('a flood that is refused leaves a quarter to networks that used little lately [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  const { burst: all } = budgets.lookups.all
  const { burst: own } = budgets.lookups.network
  const names: string[] = []
  for (let n = 0; n < all * 2; n += 1) {
    try {
      limits.spend(`192.0.2.${Math.floor(n / own)}`, { lookups: 1 }, 'strangers', 1_000)
    } catch (error) {
      names.push((error as { details: { limit: string } }).details.limit)
    }
  }
  expect(names.filter((name) => name === 'lookups_all').length).toBeGreaterThan(0)
  for (let n = 0; n < own / 10; n += 1) limits.spend('198.51.100.1', { lookups: 1 }, 'strangers', 1_000)
  expect(() => limits.spend('198.51.100.1', { lookups: 1 }, 'strangers', 1_000)).toThrow(refused)
})

test('one line at home counts as one, whichever of its 256 networks asks [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  const { burst: own } = budgets.lookups.network
  let taken = 0
  for (let n = 0; n < own * 4; n += 1) {
    try {
      limits.spend(
        `2001:db8:5:1${(n % 256).toString(16).padStart(2, '0')}::/64`,
        { lookups: 1 },
        'strangers',
        1_000,
      )
      taken += 1
    } catch {}
  }
  expect(taken).toBe(own * 2)
  limits.spend('2001:db8:5:200::/64', { lookups: 1 }, 'strangers', 1_000)
})

test('what strangers took together is not taken from people who are signed in [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  for (let n = 0; n < budgets.lookups.all.burst; n += 1)
    limits.spend(`192.0.2.${n}`, { lookups: 1 }, 'strangers', 1_000)
  const ask = (crowd: Crowd) => () => limits.spend('198.51.100.1', { lookups: 1 }, crowd, 1_000)
  expect(ask('strangers')).toThrow(refused)
  expect(ask('signed-in')).not.toThrow()
})

test('what has too little of one unit takes nothing of another [RIGHT-25]', () => {
  const limits = new LocalLimits({ isOn: true })
  const { burst: lookups } = budgets.lookups.network
  const { burst: statements } = budgets.statements.network
  expect(() => limits.take('a', { statements, lookups: lookups + 1 }, 1_000)).toThrow(refused)
  limits.take('a', { statements, lookups }, 1_000)
})
