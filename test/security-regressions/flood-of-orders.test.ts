import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { rates } from '../../src/server/limits/limits.ts'
import { budgets, type Unit } from '../../src/server/limits/local-limits.ts'
import { bearer, registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

const wanted = { currency: 'USDT', amount: '40', unit: 'token' }
const asked = { ...wanted, acceptTerms: true, ageConfirmed: true }
let server: TestServer
let ann: string

beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on' }, { jobs: false })
  ann = await registerToken(server.url)
  await server.context.db.query(sql`update users set confirmed_at = now()`)
})
afterAll(() => server.close())

const order = (token: string, key?: string) =>
  sendJson('POST', `${server.url}/api/v1/orders`, asked, {
    ...bearer(token),
    ...(key && { 'idempotency-key': key }),
  })

test('a buyer makes so many orders and no more, and another buyer goes on [ORDER-6]', async () => {
  const { burst, perSeconds } = rates.order_account
  const startedAt = performance.now()
  const first = await order(ann, 'first')
  let made = 0
  let refused = first
  for (; refused.status === 200 && made < 2 * burst; made += 1) refused = await order(ann)
  // The budget refilled during a slow run may be used, too.
  const flowedBack = (((performance.now() - startedAt) / 1_000) * burst) / perSeconds
  expect(made).toBeGreaterThanOrEqual(burst)
  expect(made).toBeLessThanOrEqual(burst + Math.ceil(flowedBack))
  expect([refused.status, refused.code]).toEqual([429, 'too_many_requests'])
  expect(refused.body.error.details.limit).toBe('order_account')
  // A repeat makes none.
  expect(await order(ann, 'first')).toMatchObject({ status: 200, body: first.body })
  expect((await order(await registerToken(server.url))).status).toBe(200)
})

test.each([
  ['orders', (token: string) => order(token)],
  ['statements', () => sendJson('POST', `${server.url}/api/v1/orders/preview`, wanted)],
] as const)('one network has so much and no more: %s [RIGHT-25, ORDER-6]', async (limit, ask) => {
  const ben = await registerToken(server.url)
  expect((await ask(ben)).status).toBe(200)
  takeRest(limit)
  const refused = await ask(ben)
  expect([refused.status, refused.body.error.details.limit]).toEqual([429, `${limit}_network`])
})

/** Uses up a network's budget a minute ahead of the clock, so that no refill happens during a slow run. */
function takeRest(unit: Unit): void {
  const { localLimits } = server.context
  const ahead = Date.now() + 60_000
  for (let n = 0; n < budgets[unit].network.burst; n += 1) {
    try {
      localLimits.take('127.0.0.1', { [unit]: 1 }, ahead)
    } catch {
      return
    }
  }
}
