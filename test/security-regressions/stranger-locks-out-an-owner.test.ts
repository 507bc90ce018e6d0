import { afterAll, beforeAll, expect, test } from 'vitest'
import { password, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { startServer, type TestServer } from '../support/server.ts'

// Who knows an owner's password but not the second factor may guess codes: slower and slower, and at nobody's cost but their own.

let server: TestServer
beforeAll(async () => {
  server = await startServer(
    { OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password, RATE_LIMIT: 'on', TRUST_PROXY: '1' },
    { jobs: false },
  )
})
afterAll(() => server?.close())

const logIn = (network: string, code?: string) =>
  sendJson(
    'POST',
    `${server.url}/api/v1/operator/session`,
    { login: 'owner', password, code, as: 'token' },
    { 'x-forwarded-for': network },
  )

test('wrong codes from elsewhere wait, and the owner logs in from a known network all the same [RIGHT-5]', async () => {
  const home = '203.0.113.7'
  const first = await logIn(home)
  expect(first.status).toBe(200)
  const { operator_id: id = '' } = (await server.context.operators.authenticate(first.body.token)) ?? {}
  const { recoveryCodes } = await switchOnApp(server.context, 'operator', id)
  const guesses = []
  for (const last of [1, 2, 3, 1, 2, 3, 1, 2])
    guesses.push((await logIn(`198.51.100.${last}`, '000000')).status)
  expect(guesses.at(-1)).toBe(429)
  expect((await logIn(home, recoveryCodes[0])).status).toBe(200)
  // The owner's success forgives the stranger nothing.
  expect((await logIn('198.51.100.9', '000000')).status).toBe(429)
})
