import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { limitsOf } from '../../../test/support/people.ts'
import { warm } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import { sql } from '../database/database.ts'
import { Retention } from '../retention/retention.ts'
import { growths, rates } from './limits.ts'

const { db } = await createTestDatabase()
const limits = limitsOf(db, true)
const refused = expect.objectContaining({ code: 'too_many_requests' })
const count = (results: PromiseSettledResult<void>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length
/** Who said how a connection commits; a short sleep keeps one connection from answering for all. */
const SOURCE_OF_COMMITS =
  "select source, pg_sleep(0.02)::text from pg_settings where name = 'synchronous_commit'"
const shift = statement('test_shift', 'update rate_limits set free_at = free_at - make_interval(secs => $1)')
const fill = statement(
  'test_fill',
  "update rate_limits set free_at = now() + make_interval(secs => $1) where key like 'register_all:%'",
)
const age = statement(
  'test_age_strikes',
  'update attempt_strikes set struck_at = struck_at - make_interval(secs => $1), blocked_until = blocked_until - make_interval(secs => $1)',
)

test('of 30 at once exactly the burst passes; it flows back one by one', async () => {
  const { burst, perSeconds } = rates.reset_network
  const take = () => limits.take('reset_network', 'flow')
  expect(count(await Promise.allSettled(Array.from({ length: 30 }, take)))).toBe(burst)
  await expect(take()).rejects.toMatchObject({
    code: 'too_many_requests',
    details: { retryAfterSeconds: expect.any(Number) },
  })
  const wait = await take().catch((error) => error.details.retryAfterSeconds as number)
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(perSeconds / burst)
  await db.query(shift, [perSeconds / burst])
  // This process remembers for a second that the limit was reached.
  await expect(take()).rejects.toEqual(refused)
  const elsewhere = limitsOf(db, true)
  await elsewhere.take('reset_network', 'flow')
  await expect(elsewhere.take('reset_network', 'flow')).rejects.toEqual(refused)
  await limits.take('reset_network', 'somebody else')
})

test('a limit that is reached costs no statement for each refusal, and is asked about again after a second [RIGHT-25]', async () => {
  const asked = vi.spyOn(db, 'query')
  onTestFinished(() => asked.mockRestore())
  const counted = limitsOf(db, true)
  const { burst } = rates.reset_address
  for (let n = 0; n < burst; n += 1) await counted.take('reset_address', 'flood')
  await expect(counted.take('reset_address', 'flood')).rejects.toEqual(refused)
  const before = asked.mock.calls.length
  const flood = await Promise.allSettled(
    Array.from({ length: 1_000 }, () => counted.take('reset_address', 'flood')),
  )
  expect(flood.every(({ status }) => status === 'rejected')).toBe(true)
  expect(() => counted.recall('reset_address', 'flood')).toThrow(refused)
  expect(before).toBeGreaterThan(0)
  expect(asked.mock.calls.length).toBe(before)
  await expect(counted.take('reset_address', 'flood')).rejects.toMatchObject({
    details: { limit: 'reset_address', retryAfterSeconds: expect.any(Number) },
  })
  await db.query(shift, [rates.reset_address.perSeconds])
  await delay(1_050)
  await counted.take('reset_address', 'flood')
})

test('one line at home counts as one, whichever of its 256 networks asks [RIGHT-25]', async () => {
  const { burst } = rates.reset_network
  const of = (line: string) => (n: number) => `2001:db8:5:${line}${n.toString(16).padStart(2, '0')}::/64`
  const line = Array.from({ length: burst * 3 }, (_, n) => limits.take('reset_network', of('1')(n)))
  expect(count(await Promise.allSettled(line))).toBe(burst * 2)
  await limits.take('reset_network', of('2')(1))
  await limits.take('reset_network', '2001:db8:6:100::/64')
  // Eight times as many for the /48, which may be a company's or a hosted server's.
  const site = Array.from({ length: burst * 8 }, (_, n) =>
    limits.take('reset_network', of((3 + n).toString(16))(n)),
  )
  expect(count(await Promise.allSettled(site))).toBeLessThan(burst * 7)
  await limits.take('reset_network', '2001:db8:6:100::/64')
})

test('a quarter of what all have together is left to networks that used little lately [RIGHT-25]', async () => {
  const little = rates.register_network.burst / 10
  for (const networkOf of [
    () => '192.0.2.5',
    // A /48 has no more of the quarter than one network.
    (n: number) => `2001:db8:7:${n.toString(16)}00::/64`,
  ]) {
    for (let n = 0; n < little; n += 1)
      expect(await limits.takeFirst('register_network', networkOf(n))).toEqual({ isFirst: true })
    expect(await limits.takeFirst('register_network', networkOf(little))).toEqual({ isFirst: false })
  }
  await limits.takeOfAll('register_all', false)
  await db.query(fill, [rates.register_all.perSeconds * 0.75])
  await expect(limits.takeOfAll('register_all', false)).rejects.toMatchObject({
    details: { limit: 'register_all' },
  })
  await limits.takeOfAll('register_all', true)
  await db.query(fill, [rates.register_all.perSeconds])
  await expect(limits.takeOfAll('register_all', true)).rejects.toEqual(refused)
  await db.query(shift, [rates.register_all.perSeconds])
})

test('a limit that is counted leaves its connection as it was: what is committed there next is kept', async () => {
  await limits.take('reset_network', 'kept')
  await warm(db)
  const each = Array.from({ length: db.pool.totalCount }, () => db.pool.query(SOURCE_OF_COMMITS))
  const sources = (await Promise.all(each)).flatMap(({ rows }) => rows)
  expect(sources.length).toBeGreaterThan(0)
  for (const { source } of sources) expect(source).not.toBe('session')
})

test('parallel attempts share the free ones, and a success forgets them', async () => {
  const strike = () => limits.strike('login_pair', 'pair')
  expect(count(await Promise.allSettled(Array.from({ length: 30 }, strike)))).toBe(growths.login_pair.free)
  await expect(strike()).rejects.toEqual(refused)
  await limits.forgive('login_pair', 'pair', 'all')
  await strike()
})

test('a day without an attempt starts the count again', async () => {
  // Each in a process of its own, because one that refused remembers it for a second.
  const strike = () => limitsOf(db, true).strike('operator_pair', 'patient')
  for (let n = 0; n < 8; n += 1) {
    await strike().catch(() => undefined)
    await db.query(age, [growths.operator_pair.maxSeconds])
  }
  await strike()
  await expect(strike()).rejects.toEqual(refused)
  await db.query(age, [growths.operator_pair.forgetSeconds + growths.operator_pair.maxSeconds])
  await strike()
  await strike()
})

test('what has flowed back is swept; subjects are not readable', async () => {
  await limits.take('login_network', '192.0.2.77')
  await limits.rememberNetwork(db, 'user:ann@example.org', '192.0.2.77')
  const { rows } = await db.pool.query(
    `select json_agg(t)::text as text from (select key from rate_limits union all select subject from known_networks) t`,
  )
  expect(rows[0].text).not.toMatch(/192\.0\.2\.77|ann@/)
  expect(await limits.isNetworkKnown('user:ann@example.org', '192.0.2.77')).toBe(true)
  expect(await limits.isNetworkKnown('user:ann@example.org', '192.0.2.78')).toBe(false)
  await db.query(shift, [1_000_000])
  expect(await new Retention({ db }).sweep('rate_limits')).toBeGreaterThan(0)
  expect((await db.pool.query('select count(*)::int as count from rate_limits')).rows).toEqual([{ count: 0 }])
})

test('switched off it counts nothing', async () => {
  const off = limitsOf(db, false)
  await Promise.all(Array.from({ length: 300 }, () => off.take('reset_network', 'off')))
  await Promise.all(Array.from({ length: 300 }, () => off.strike('login_pair', 'off')))
})

test('the latest 100 networks and browsers of an account are known, however often it logs in [RIGHT-5]', async () => {
  const account = 'user:often@example.org'
  for (let n = 0; n < 105; n += 1) {
    await limits.rememberNetwork(db, account, `browser:${n}`)
    await db.query(sql`update known_networks set last_login_at = last_login_at - interval '1 minute'`)
  }
  const known = await Promise.all([4, 5, 104].map((n) => limits.isNetworkKnown(account, `browser:${n}`)))
  expect(known).toEqual([false, true, true])
})
