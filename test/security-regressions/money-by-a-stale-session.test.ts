import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import {
  apiOf,
  bearer,
  fromOwnPage,
  operatorToken,
  password,
  registerToken,
  sendJson,
} from '../support/api.ts'
import { beginOrder, type SeededOrder } from '../support/every-state.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A session whose last proof is 50 minutes old approved an order that nobody paid.

let server: TestServer
let token: string
let orders: SeededOrder[]
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
  const buyer = apiOf(server.url, await registerToken(server.url, 'thief@example.org'))
  orders = [await beginOrder(buyer), await beginOrder(buyer), await beginOrder(buyer)]
  token = await operatorToken(server.url, 'owner')
})
afterAll(() => server?.close())

const call = (path: string, body: object, held = token, method = 'POST') =>
  sendJson(method, `${server.url}/api${path}`, body, { ...bearer(held), ...fromOwnPage })
const bought = () =>
  server.context.db
    .one<{ tokens: string }>(sql`select coalesce(sum(purchased_tokens), 0)::text as tokens from holdings`)
    .then(({ tokens }) => Number(tokens))

test('a session whose login is old decides about no order and no payment [RIGHT-2]', async () => {
  await server.context.db.query(
    sql`update operator_sessions set authenticated_at = authenticated_at - interval '50 minutes'`,
  )
  const { number } = orders[0] as SeededOrder
  for (const [path, body, method] of [
    [`/v1/operator/orders/${number}/approve`, {}, 'POST'],
    [`/v1/operator/orders/${number}/reject`, { came: '0' }, 'POST'],
    ['/v1/operator/payments/1/attach', { order: number }, 'POST'],
    ['/controllers/transactions.php', { id: number, status: 'approved' }, 'PUT'],
  ] as const) {
    const answer = await call(path, body, token, method)
    expect([path, answer.status, answer.code ?? answer.body.message]).toEqual([path, 401, 'step_up_required'])
  }
  expect(await bought()).toBe(0)
})

test('after one step-up it approves all that wait; a key that was made for it needs none [RIGHT-2]', async () => {
  const [first, second, third] = orders as [SeededOrder, SeededOrder, SeededOrder]
  expect((await call('/v1/operator/session/step-up', { password })).status).toBe(204)
  for (const { number } of [first, second])
    expect((await call(`/v1/operator/orders/${number}/approve`, {})).status).toBe(200)
  const asked = { name: 'Bank', scopes: ['orders:decide', 'content:write'], proof: { password } }
  const { key } = (await call('/v1/operator/api-keys', asked)).body
  expect((await call(`/v1/operator/orders/${third.number}/approve`, {}, key)).status).toBe(200)
  // A key that may write drafts still publishes nothing.
  expect((await call('/v1/operator/announcements', {}, key)).code).toBe('step_up_required')
  expect(await bought()).toBe(120)
})
