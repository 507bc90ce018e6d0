import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { ageLogins } from '../support/old-sessions.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A stolen session and a phished password must not take a second factor away.

let server: TestServer
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
})
afterAll(() => server?.close())

const callAs = (token: string) => (method: string, path: string, body?: unknown) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, bearer(token))

test('an operator’s password is no step-up where a second factor is on; a code is [RIGHT-3]', async () => {
  const client = { network: '127.0.0.1', userAgent: 'test' }
  const { operatorId, session } = await server.context.operators.logIn(
    { login: 'owner', password },
    client,
    'token',
  )
  const app = await switchOnApp(server.context, 'operator', operatorId)
  await ageLogins(server, 'operator', 40)
  const call = callAs(session.token)
  expect(await call('POST', '/operator/session/step-up', { password })).toMatchObject({
    status: 401,
    code: 'second_factor_required',
  })
  expect((await call('POST', '/operator/second-factor/totp/removal', {})).code).toBe('step_up_required')
  const newPassword = 'the password of a thief'
  const change = { name: 'owner', oldPassword: password, newPassword, confirmPassword: newPassword }
  expect((await call('POST', '/operator/password', change)).code).toBe('step_up_required')
  expect((await call('POST', '/operator/session/step-up', { code: await app.code() })).status).toBe(204)
  expect((await call('POST', '/operator/second-factor/totp/removal', {})).code).toBe('step_up_required')
})

test('nor is a buyer’s, for the second factor, the password, the e-mail or the account itself [RIGHT-3]', async () => {
  const token = await registerToken(server.url, 'ann@example.org')
  const buyer = await server.context.accounts.authenticate(token)
  const app = await switchOnApp(server.context, 'user', buyer?.user_id ?? '')
  await ageLogins(server, 'user', 40)
  const call = callAs(token)
  expect((await call('POST', '/session/step-up', { password })).code).toBe('second_factor_required')
  for (const [method, path, body] of [
    ['POST', '/account/second-factor/totp/removal', { proof: { password } }],
    ['POST', '/account/password', { currentPassword: password, newPassword: 'the password of a thief' }],
    ['PATCH', '/account', { email: 'thief@example.org', proof: { password } }],
    ['POST', '/account/deletion', { proof: { password } }],
  ] as const)
    expect([path, (await call(method, path, body)).code]).toEqual([path, 'step_up_required'])
  const proof = { password, code: await app.code() }
  expect((await call('POST', '/account/second-factor/totp/removal', { proof })).status).toBe(204)
})
