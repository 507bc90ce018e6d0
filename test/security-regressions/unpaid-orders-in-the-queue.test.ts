import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { announcements } from '../../src/server/jobs/outbox.ts'
import { bearer, registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

// Whoever made 300 unpaid orders and called them paid put a paid one at place 301 of what operators look at, and had each visitor told of each.
// Each order of an on-chain currency is an address that is watched for ever.

let server: TestServer
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, { jobs: false })
})
afterAll(() => server?.close())

const send = (path: string, token: string, body: object | undefined, from: string) =>
  sendJson('POST', `${server.url}/api/v1${path}`, body, { ...bearer(token), 'x-forwarded-for': from })
const order = { currency: 'USDT', amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true }

const make = async (token: string, from: string) => {
  const { status, code } = await send('/orders', token, order, from)
  return code ?? status
}

test('people without a proved mailbox make their first order and 60 more an hour and network, and are told to confirm it [RIGHT-25]', async () => {
  const from = '192.0.2.9'
  const [first, second] = [
    await registerToken(server.url, 'one@example.org'),
    await registerToken(server.url, 'two@example.org'),
  ]
  const answers = []
  for (let n = 0; n < 60; n += 1) answers.push(await make(first, from))
  expect(new Set(answers)).toEqual(new Set([200]))
  const tried = [await make(second, from), await make(second, from), await make(second, from)]
  expect(tried).toEqual([200, 200, 'email_unconfirmed'])
  expect(await make(second, '198.51.100.7')).toBe(200)
  await server.context.db.query(
    sql`update users set confirmed_at = now() where email_key = 'two@example.org'`,
  )
  expect(await make(second, from)).toBe(200)
})

test('an order that its buyer calls paid moves no public figure, and visitors are told nothing', () => {
  const row = (kind: string) => ({ kind, order_id: '1', user_id: '1' })
  expect(announcements([row('order_created')]).map((text) => JSON.parse(text).campaign)).toEqual([false])
  expect(announcements([row('order_approved')]).map((text) => JSON.parse(text).campaign)).toEqual([true])
})
