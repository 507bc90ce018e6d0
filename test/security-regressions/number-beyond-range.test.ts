import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, operatorToken, password, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A number that no column holds is the caller's mistake, never a fault of the server that pages somebody at night.

let server: TestServer
let owner: string
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
  owner = await operatorToken(server.url, 'owner')
})
afterAll(() => server?.close())

test.each([
  ['PUT', '/operator/currencies/BTC/wallet', { walletId: 2_147_483_648 }],
  ['PUT', '/operator/currencies/BTC/wallet', { walletId: Number.MAX_SAFE_INTEGER }],
  ['POST', '/operator/wallets/999999999999999/check', { addresses: ['a', 'b', 'c'] }],
  ['DELETE', '/operator/stages/999999999999999', undefined],
  ['POST', '/operator/payments/999999999999999/refund', {}],
  ['GET', '/operator/users/999999999999999', undefined],
])('%s %s answers with a refusal', async (method, path, body) => {
  const { status } = await sendJson(method, `${server.url}/api/v1${path}`, body, bearer(owner))
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})
