import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { bearer, fromOwnPage, password, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { ageLogins } from '../support/old-sessions.ts'
import { startServer, type TestServer } from '../support/server.ts'

// The legacy API changes password and e-mail by a token alone: an old token that was stolen must not do.

let server: TestServer
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
})
afterAll(() => server?.close())

const legacy = (method: string, file: string, body?: unknown, headers: object = {}) =>
  sendJson(method, `${server.url}/api/controllers/${file}`, body, headers)

let serial = 0
async function buyer() {
  serial += 1
  const email = `victim${serial}@example.org`
  const fields = { type: 'reg', name: 'Ann Old', email, phone: '+37255550000', pass: password }
  return { email, token: (await legacy('POST', 'users.php', fields)).body.token as string }
}

/** The token that a login by the site's own pages puts into the cookie. */
async function cookieToken(path: string, body: object): Promise<string> {
  const { headers } = await sendJson(
    'POST',
    `${server.url}/api/v1${path}`,
    { ...body, as: 'cookie' },
    fromOwnPage,
  )
  return /session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
}

test('a token whose login is 16 minutes old changes neither password nor e-mail, only what is no key to the account [RIGHT-6]', async () => {
  const { email, token } = await buyer()
  await ageLogins(server, 'user', 16)
  const stepUp = { status: 401, body: { status: 'error', code: 'step_up_required' } }
  expect(await legacy('PUT', 'users.php', { token, pass: 'the password of a thief' })).toMatchObject(stepUp)
  expect(await legacy('PUT', 'users.php', { token, email: 'thief@example.org' })).toMatchObject(stepUp)
  expect((await legacy('PUT', 'users.php', { token, name: 'Ann New', email })).status).toBe(200)
  const login = { type: 'login', email, pass: password }
  expect((await legacy('POST', 'users.php', login)).status).toBe(200)
})

test('a password that a token alone set proves nothing for a day [RIGHT-6]', async () => {
  const { email, token } = await buyer()
  const pass = 'the password of a thief'
  expect((await legacy('PUT', 'users.php', { token, pass })).status).toBe(200)
  const call = (method: string, path: string, body: object) =>
    sendJson(method, `${server.url}/api/v1${path}`, body, bearer(token))
  const unproved = { status: 422, body: { error: { code: 'password_unproved' } } }
  const change = { currentPassword: pass, newPassword: 'another password of a thief' }
  expect(await call('POST', '/account/deletion', { proof: { password: pass } })).toMatchObject(unproved)
  expect(await call('POST', '/account/password', change)).toMatchObject(unproved)
  expect(await call('POST', '/session/step-up', { password: pass })).toMatchObject(unproved)
  expect((await legacy('POST', 'users.php', { type: 'login', email, pass })).status).toBe(200)
  await server.database.db.query(
    sql`update users set password_proves_from = password_proves_from - interval '1 day' where email = ${email}`,
  )
  expect((await call('POST', '/account/deletion', { proof: { password: pass } })).status).toBe(200)
})

test('a token alone sets no password where a second factor is on [RIGHT-6, RIGHT-39]', async () => {
  const { email, token } = await buyer()
  const id = (await server.context.accounts.authenticate(token))?.user_id ?? ''
  await switchOnApp(server.context, 'user', id)
  const pass = 'the password of a thief'
  expect(await legacy('PUT', 'users.php', { token, pass })).toMatchObject({
    status: 401,
    body: { code: 'step_up_required' },
  })
  const login = { email, password: pass, as: 'token' }
  expect((await sendJson('POST', `${server.url}/api/v1/session`, login)).code).toBe('login_failed')
})

test('the token of a browser’s session opens nothing on the contract [RIGHT-6]', async () => {
  const { email, token } = await buyer()
  const browser = await cookieToken('/session', { email, password })
  expect(browser).toMatch(/^us_/)
  expect((await legacy('GET', `users.php?token=${token}`)).status).toBe(200)
  expect((await legacy('GET', `users.php?token=${browser}`)).status).toBe(401)
  expect(await legacy('PUT', 'users.php', { token: browser, pass: 'the password of a thief' })).toMatchObject(
    {
      status: 401,
      body: { code: 'not_signed_in' },
    },
  )
  const operator = await cookieToken('/operator/session', { login: 'owner', password })
  expect(operator).toMatch(/^ops_/)
  expect((await legacy('GET', 'admin.php', undefined, { authorization: `Bearer ${operator}` })).status).toBe(
    401,
  )
})
