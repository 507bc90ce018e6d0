import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { announcements } from '../../src/server/jobs/outbox.ts'
import { bearer, registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

// Whoever said of 300 unpaid orders that they are paid put a paid one at place 301 of what operators look at, and had each visitor told of each.

let server: TestServer
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, { jobs: false })
})
afterAll(() => server?.close())

const send = (path: string, token: string, body: object | undefined, from: string) =>
  sendJson('POST', `${server.url}/api/v1${path}`, body, { ...bearer(token), 'x-forwarded-for': from })
const order = { currency: 'USDT', amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true }

async function claim(token: string, from: string): Promise<number> {
  const made = await send('/orders', token, order, from)
  expect(made.status).toBe(200)
  return (await send(`/orders/${made.body.token}/sent`, token, undefined, from)).status
}

test('people without a proved mailbox say of 60 orders an hour and network that they are paid, others of each [RIGHT-25]', async () => {
  const from = '192.0.2.9'
  const [first, second] = [
    await registerToken(server.url, 'one@example.org'),
    await registerToken(server.url, 'two@example.org'),
  ]
  const statuses = []
  for (let n = 0; n < 59; n += 1) statuses.push(await claim(first, from))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect([await claim(second, from), await claim(second, from)]).toEqual([200, 429])
  expect(await claim(second, '198.51.100.7')).toBe(200)
  await server.context.db.query(
    sql`update users set confirmed_at = now() where email_key = 'two@example.org'`,
  )
  expect(await claim(second, from)).toBe(200)
})

test('an order that its buyer calls paid moves no public figure, and visitors are told nothing', () => {
  const row = (kind: string) => ({ kind, order_id: '1', user_id: '1' })
  expect(announcements([row('order_created')]).map((text) => JSON.parse(text).campaign)).toEqual([false])
  expect(announcements([row('order_approved')]).map((text) => JSON.parse(text).campaign)).toEqual([true])
})
