import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, operatorToken, password, registerToken, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

// An answer about a person that a browser or a proxy keeps is read by whoever comes next.

let server: TestServer
let buyer: string
let owner: string
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
  buyer = await registerToken(server.url)
  owner = await operatorToken(server.url, 'owner')
})
afterAll(() => server?.close())

test.each([
  ['buyer', '/account'],
  ['buyer', '/account/sessions'],
  ['buyer', '/account/second-factor'],
  ['buyer', '/orders'],
  ['operator', '/operator/session'],
  ['operator', '/operator/users'],
  ['operator', '/operator/users/1'],
  ['operator', '/operator/orders'],
  ['operator', '/operator/operators'],
  ['operator', '/operator/audit'],
])('no cache keeps what a %s reads at %s', async (who, path) => {
  const { headers } = await sendJson(
    'GET',
    `${server.url}/api/v1${path}`,
    undefined,
    bearer(who === 'buyer' ? buyer : owner),
  )
  expect(headers.get('cache-control')).toBe('no-store')
})
