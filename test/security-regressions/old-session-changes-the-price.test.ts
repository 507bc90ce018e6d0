import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, operatorToken, password, sendJson } from '../support/api.ts'
import { ageLogins } from '../support/old-sessions.ts'
import { startServer, type TestServer } from '../support/server.ts'

// Price, caps and every rate follow from campaign and stages: a session left open must not change them.

let server: TestServer
let owner: string
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
  owner = await operatorToken(server.url, 'owner')
})
afterAll(() => server?.close())

test.each([
  ['PUT', '/operator/price'],
  ['PUT', '/operator/campaign'],
  ['PUT', '/operator/pause'],
  ['POST', '/operator/stages'],
  ['PUT', '/operator/stages/1'],
  ['DELETE', '/operator/stages/1'],
  ['POST', '/operator/payments/1/refund'],
  ['POST', '/operator/refunds/1/sent'],
])('%s %s needs a login of the last 15 minutes [RIGHT-2]', async (method, path) => {
  await ageLogins(server, 'operator', 16)
  expect(await sendJson(method, `${server.url}/api/v1${path}`, {}, bearer(owner))).toMatchObject({
    status: 401,
    code: 'step_up_required',
  })
})
