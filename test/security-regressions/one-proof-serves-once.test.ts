import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { startServer, type TestServer } from '../support/server.ts'

// An account thief sends everything at once, and again from a session of before.

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server?.close())

const call = (method: string, path: string, body?: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, token ? bearer(token) : {})
let serial = 0

async function guarded() {
  const email = `guarded${(serial += 1)}@example.org`
  const token = await registerToken(server.url, email)
  const buyer = await server.context.accounts.authenticate(token)
  await server.context.db.query(sql`update users set confirmed_at = now() where email_key = ${email}`)
  const app = await switchOnApp(server.context, 'user', String(buyer?.user_id))
  return { email, token, app }
}
const acts = (proof: object) =>
  [
    ['POST', '/account/second-factor/totp/removal', { proof }],
    ['POST', '/account/second-factor/recovery-codes', { proof }],
    ['POST', '/account/passkeys/options', { proof }],
    ['PATCH', '/account', { email: `thief${serial}@example.org`, proof }],
    ['POST', '/account/deletion', { proof }],
  ] as const

test('one code that was seen serves one of all acts that are sent with it at once [RIGHT-39]', async () => {
  for (const kind of ['code', 'recovery'] as const) {
    const { token, app } = await guarded()
    const code = kind === 'code' ? await app.code() : (app.recoveryCodes[0] ?? '')
    // Once the app is removed, the password alone is the whole proof.
    const others = acts({ password, code }).filter(([, path]) => !path.endsWith('/removal'))
    const answers = await Promise.all(others.map(([method, path, body]) => call(method, path, body, token)))
    expect([kind, answers.filter(({ status }) => status < 300).length]).toEqual([kind, 1])
  }
})

test('a session that a new password ended does nothing with a proof, also where both are sent at once [RIGHT-9]', async () => {
  const { email, token, app } = await guarded()
  const second = await call('POST', '/session', { email, password, code: app.recoveryCodes[0], as: 'token' })
  const owner: string = second.body.token
  const newPassword = 'the owner chose this one 7'
  const thief = acts({ password, code: app.recoveryCodes[1] })
  const change = { currentPassword: password, newPassword, proof: { code: app.recoveryCodes[2] } }
  const [changed] = await Promise.all([
    call('POST', '/account/password', change, owner),
    ...thief.map(([method, path, body]) => call(method, path, body, token)),
  ])
  // An act that came first has ended the owner's session: then that one does nothing any more.
  if (changed?.status !== 204) {
    expect(changed?.code).toBe('session_ended')
    expect((await call('GET', '/account', undefined, owner)).status).toBe(401)
    return
  }
  for (const [method, path, body] of thief) {
    const late = await call(method, path, body, token)
    expect([path, late.status]).toEqual([path, 401])
  }
})

test('the older password proves nothing after it was changed in the same session [RIGHT-39]', async () => {
  const { token, app } = await guarded()
  const newPassword = 'the owner chose this one 7'
  const change = { currentPassword: password, newPassword, proof: { code: app.recoveryCodes[1] } }
  expect((await call('POST', '/account/password', change, token)).status).toBe(204)
  for (const [method, path, body] of acts({ password, code: app.recoveryCodes[2] }))
    expect([path, (await call(method, path, body, token)).code]).toEqual([path, 'password_wrong'])
})
