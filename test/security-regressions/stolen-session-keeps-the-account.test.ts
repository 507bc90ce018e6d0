import { generate } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import {
  acceptInvitation,
  apiOf,
  bearer,
  operatorToken,
  password,
  registerToken,
  sendJson,
} from '../support/api.ts'
import { openLink } from '../support/links.ts'
import { createPasskeyDevice } from '../support/passkey.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A session stolen within the 15 minutes of its login must not become an account that its owner never gets back.

let server: TestServer
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
})
afterAll(() => server?.close())

const call = (method: string, path: string, body?: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, token ? bearer(token) : {})
const logIn = (email: string, given: object = { password }) =>
  call('POST', '/session', { email, as: 'token', ...given })
const newPassword = 'the owner chose this one 7'
let serial = 0

/** A buyer whose address is proved, with the token of a session that has just begun. */
async function proved() {
  const email = `owner${(serial += 1)}@example.org`
  const token = await registerToken(server.url, email)
  await server.context.db.query(sql`update users set confirmed_at = now() where email_key = ${email}`)
  return { email, token }
}

async function addPasskey(token: string, proof: object = { password }) {
  const device = createPasskeyDevice(server.url)
  const options = await call('POST', '/account/passkeys/options', { proof }, token)
  const answer = options.status === 200 ? device.register(options.body) : {}
  const added = await call('POST', '/account/passkeys', { name: 'Desk', answer }, token)
  const logInBy = async () => {
    const challenge = (await call('POST', '/session/passkey/options')).body
    return call('POST', '/session/passkey', { answer: device.login(challenge), as: 'token' })
  }
  const prove = async () => device.login((await call('POST', '/session/passkey/options')).body)
  return { begun: options, added, logIn: logInBy, prove }
}

const guarded = [
  ['POST', '/second-factor/totp', {}],
  ['POST', '/second-factor/recovery-codes', {}],
  ['POST', '/passkeys/options', {}],
  ['POST', '/second-factor/totp/removal', {}],
  ['POST', '/passkeys/5f0c2a3e-2b1d-4c6f-9a7e-8d9b0a1c2d3e/removal', {}],
] as const

test('a fresh session alone adds and removes no second factor, names no new address and deletes nothing: that takes the password [RIGHT-39]', async () => {
  const { token } = await proved()
  const asked = [
    ...guarded.map(([method, path, body]) => [method, `/account${path}`, body] as const),
    ['PATCH', '/account', { email: 'thief@example.org' }] as const,
    ['POST', '/account/deletion', {}] as const,
  ]
  for (const [method, path, body] of asked) {
    const without = await call(method, path, body, token)
    expect([path, without.code, without.body.error?.details]).toEqual([
      path,
      'step_up_required',
      { proof: ['password'] },
    ])
    const wrong = await call(method, path, { ...body, proof: { password: 'not the password' } }, token)
    expect([path, wrong.code]).toEqual([path, 'password_wrong'])
  }
})

test('where a second factor is on, it is asked for beside the password, also for a new one, from a buyer and from an operator [RIGHT-39]', async () => {
  const { token } = await proved()
  const { added, prove } = await addPasskey(token)
  expect(added.status).toBe(200)
  const { link } = await apiOf(server.url, await operatorToken(server.url, 'owner'))<{ link: string }>(
    'POST',
    '/operator/operators',
    { login: 'clerk', role: 'support' },
  )
  await acceptInvitation(server.url, link)
  const clerk = await operatorToken(server.url, 'clerk')
  const { secret } = (await call('POST', '/operator/second-factor/totp', { proof: { password } }, clerk)).body
  const code = (step: number) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * step })
  await call('POST', '/operator/second-factor/totp/confirm', { code: await code(-1) }, clerk)

  for (const [root, as, methods] of [
    ['/account', token, ['password', 'passkey']],
    ['/operator', clerk, ['password', 'totp']],
  ] as const)
    for (const [method, path, body] of guarded) {
      const refused = await call(method, root + path, { ...body, proof: { password } }, as)
      expect([root + path, refused.code, refused.body.error?.details?.proof]).toEqual([
        root + path,
        'step_up_required',
        methods,
      ])
    }
  const email = 'next@example.org'
  expect((await call('PATCH', '/account', { email, proof: { password } }, token)).code).toBe(
    'step_up_required',
  )
  expect((await call('POST', '/account/deletion', { proof: { password } }, token)).code).toBe(
    'step_up_required',
  )
  const chosen = { name: 'clerk', oldPassword: password, currentPassword: password, newPassword }
  for (const [path, as, methods] of [
    ['/account/password', token, ['password', 'passkey']],
    ['/operator/password', clerk, ['password', 'totp']],
  ] as const) {
    const refused = await call('POST', path, chosen, as)
    expect([refused.code, refused.body.error?.details?.proof]).toEqual(['step_up_required', methods])
  }
  const wrong = { ...chosen, proof: { code: '000000' } }
  expect((await call('POST', '/operator/password', wrong, clerk)).code).toBe('second_factor_wrong')
  const whole = { password, passkey: await prove() }
  expect((await call('PATCH', '/account', { email, proof: whole }, token)).status).toBe(200)
  const byCode = { password, code: await code(0) }
  expect(
    (await call('POST', '/operator/second-factor/recovery-codes', { proof: byCode }, clerk)).status,
  ).toBe(200)
})

test('the legacy API names no new address: it has no field for the proof [RIGHT-6]', async () => {
  const { token } = await proved()
  const answer = await sendJson('PUT', `${server.url}/api/controllers/users.php`, {
    token,
    email: 'thief@example.org',
  })
  expect([answer.status, answer.body.code]).toEqual([401, 'step_up_required'])
})

test('a reset by mail takes back the second factors of the last 8 days; the older ones stay [RIGHT-38]', async () => {
  for (const [days, isGone] of [
    [7, true],
    [8, false],
  ] as const) {
    const { email, token } = await proved()
    const thief = await addPasskey(token)
    await server.context.db.query(
      sql`update passkeys p set created_at = now() - make_interval(days => ${days}) from users u where u.id = p.user_id and u.email_key = ${email}`,
    )
    await call('POST', '/account/password-resets', { email })
    const link = await openLink(server.context.db, 'reset_password', email)
    expect(
      (await call('POST', '/account/password-resets/use', { token: link, password: newPassword })).status,
    ).toBe(204)
    expect([days, (await thief.logIn()).status]).toEqual([days, isGone ? 401 : 200])
    expect([days, (await logIn(email, { password: newPassword })).status]).toEqual([days, isGone ? 200 : 401])
  }
})

test('the mail about a new second factor carries a link that takes the account back [RIGHT-40]', async () => {
  const { email, token } = await proved()
  const thief = await addPasskey(token)
  const link = await openLink(server.context.db, 'take_back', email)
  expect(
    (await call('POST', '/account/password-resets/use', { token: link, password: newPassword })).status,
  ).toBe(204)
  expect((await call('GET', '/account', undefined, token)).status).toBe(401)
  expect((await thief.logIn()).code).toBe('passkey_refused')
  expect((await logIn(email, { password: newPassword })).status).toBe(200)
  const again = await call('POST', '/account/password-resets/use', { token: link, password: newPassword })
  expect(again.code).toBe('link_expired')
})

test('the mail about a new address takes it back, whatever the thief did there; nobody registers the old one meanwhile [RIGHT-40]', async () => {
  const { db } = server.context
  const { email, token } = await proved()
  const [moved, later] = [`thief${serial}@example.org`, `later${serial}@example.org`]
  const move = async (to: string) => {
    expect((await call('PATCH', '/account', { email: to, proof: { password } }, token)).status).toBe(200)
    const proof = await openLink(db, 'change_email', to)
    return (await call('POST', '/account/confirmations/use', { token: proof }, token)).status
  }
  expect(await move(moved)).toBe(204)
  expect(await move(later)).toBe(204)
  const thief = await addPasskey(token)
  const ofThief = await openLink(db, 'take_back', later)
  const taken = { name: 'Thief', email, phone: '+37255550000', password, as: 'token' }
  expect((await call('POST', '/account', taken)).code).toBe('registration_failed')
  const other = await proved()
  const asked = await call('PATCH', '/account', { email, proof: { password } }, other.token)
  expect(asked.code).toBe('email_taken')

  await db.query(
    sql`update one_time_links set created_at = created_at - interval '7 days' + interval '1 minute', expires_at = expires_at - interval '7 days' + interval '1 minute' where purpose = 'take_back' and email = ${email}`,
  )
  const link = await openLink(db, 'take_back', email)
  expect(
    (await call('POST', '/account/password-resets/use', { token: link, password: newPassword })).status,
  ).toBe(204)
  expect((await thief.logIn()).status).toBe(401)
  expect((await logIn(later)).status).toBe(401)
  const signedIn = await logIn(email, { password: newPassword })
  expect(signedIn.body.user).toMatchObject({ email, isConfirmed: true })
  const back = await call('POST', '/account/password-resets/use', { token: ofThief, password })
  expect(back.code).toBe('link_expired')
})

test('an address that was never proved has no such link and keeps nobody from registering it [RIGHT-38, RIGHT-40]', async () => {
  const { db } = server.context
  const email = 'never-proved@example.org'
  const token = await registerToken(server.url, email)
  await addPasskey(token)
  const next = 'proved-later@example.org'
  expect((await call('PATCH', '/account', { email: next, proof: { password } }, token)).code).toBe(
    'step_up_required',
  )
  const plain = await registerToken(server.url, 'never-proved-2@example.org')
  expect((await call('PATCH', '/account', { email: next, proof: { password } }, plain)).status).toBe(200)
  const { links } = await db.one<{ links: number }>(
    sql`select count(*)::int as links from one_time_links where purpose = 'take_back' and email like 'never-proved%'`,
  )
  expect(links).toBe(0)
})

test('recovery codes count a day after they were made [RIGHT-39]', async () => {
  const { email, token } = await proved()
  const { added } = await addPasskey(token)
  const [code] = added.body.recoveryCodes
  const early = await logIn(email, { password, code })
  expect(early.code).toBe('second_factor_wrong')
  expect((await logIn(email)).body.error.details.methods).toEqual(['passkey'])
  await server.context.db.query(sql`update recovery_codes set created_at = now() - interval '1 day'`)
  expect((await logIn(email, { password, code })).status).toBe(200)
})

test('an app that was begun is not switched on after a new password, after other sessions were ended, or after an hour [RIGHT-8, RIGHT-39]', async () => {
  const { db } = server.context
  const ends = {
    'a new password': (token: string) =>
      call('POST', '/account/password', { currentPassword: password, newPassword }, token),
    'the end of other sessions': (token: string) => call('DELETE', '/account/sessions', undefined, token),
    'an hour': async () => {
      await db.query(sql`update totp_secrets set created_at = created_at - interval '1 hour'`)
      return { status: 204 }
    },
  }
  for (const [what, end] of Object.entries(ends)) {
    const { token } = await proved()
    const { secret } = (await call('POST', '/account/second-factor/totp', { proof: { password } }, token))
      .body
    expect((await end(token)).status).toBeLessThan(300)
    const on = await call(
      'POST',
      '/account/second-factor/totp/confirm',
      { code: await generate({ secret }) },
      token,
    )
    expect([what, on.code]).toEqual([what, 'second_factor_wrong'])
  }
})

test('a session whose proof is old ends none that began since; with a proof it does [RIGHT-8]', async () => {
  const { db } = server.context
  const { email, token: stolen } = await proved()
  await db.query(
    sql`update user_sessions set created_at = now() - interval '40 minutes', authenticated_at = now() - interval '40 minutes'`,
  )
  const own = (await logIn(email)).body.token as string
  const { items } = (await call('GET', '/account/sessions', undefined, own)).body
  const { id } = items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
  expect((await call('DELETE', '/account/sessions', undefined, stolen)).code).toBe('step_up_required')
  expect((await call('DELETE', `/account/sessions/${id}`, undefined, stolen)).code).toBe('step_up_required')
  expect((await call('GET', '/account', undefined, own)).status).toBe(200)
  expect((await call('POST', '/session/step-up', { password }, stolen)).status).toBeLessThan(300)
  expect((await call('DELETE', '/account/sessions', undefined, stolen)).body).toMatchObject({ ended: 1 })
})

test('a session whose proof is old ends an older one without a new proof [RIGHT-8]', async () => {
  const { email, token: older } = await proved()
  const { items } = (await call('GET', '/account/sessions', undefined, older)).body
  const { id } = items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
  const own = (await logIn(email)).body.token as string
  await server.context.db.query(
    sql`update user_sessions set authenticated_at = now() - interval '40 minutes', created_at = created_at - interval '50 minutes'`,
  )
  expect((await call('DELETE', `/account/sessions/${id}`, undefined, own)).status).toBe(204)
})
