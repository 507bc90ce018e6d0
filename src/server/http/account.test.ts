import { type FastifyInstance, fastify, type InjectOptions } from 'fastify'
import { generate } from 'otplib'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { peopleOf } from '../../../test/support/people.ts'
import { takeLine } from '../credentials/credentials.ts'
import { LocalLimits } from '../limits/local-limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { mountAccount } from './account.ts'
import { createAuthenticator, networkOf } from './authentication.ts'
import { keepCosts } from './costs.ts'
import { handleErrors } from './errors.ts'
import { mountOperatorSession } from './operator-session.ts'
import { mountOperators } from './operators.ts'
import type { OperatorCaller } from './serve.ts'

const { db } = await createTestDatabase()
const mails: Mail[] = []
const password = 'gravel and violets'

function appAt(publicUrl: string, isLimited = false) {
  const { accounts, operators, actions } = peopleOf(db, { publicUrl, isLimited, mails })
  const app = fastify() as unknown as FastifyInstance
  handleErrors(app)
  const limits = new LocalLimits({ isOn: isLimited })
  keepCosts(app, limits)
  const authenticator = createAuthenticator({ accounts, operators, publicUrl })
  const server = {
    app,
    db,
    actions,
    prove: ({ operatorId }: OperatorCaller, given: object | undefined) =>
      operators.proveLater(operatorId, given, { network: '192.0.2.1', userAgent: '' }),
    authenticator,
    limits,
    checkReplies: true,
    routes: [],
  }
  const siteName = async () => 'iToken'
  const referral = { noteDevice: async () => null }
  mountAccount(server, {
    accounts,
    publicUrl,
    siteName,
    referral,
    push: { follow: async () => {} },
  })
  mountOperatorSession(server, { operators, publicUrl, siteName })
  mountOperators(server, { operators, accounts })
  afterAll(() => app.close())
  return { app, operators, actions }
}

const { app, operators, actions } = appAt('http://localhost:3000')
const own = { 'x-requested-with': 'presale', host: 'localhost:3000' }
let serial = 0
const newEmail = () => `http${(serial += 1)}@example.org`

function call(
  method: InjectOptions['method'],
  path: string,
  payload?: unknown,
  headers: Record<string, string> = own,
) {
  return app.inject({
    method,
    url: `/api/v1${path}`,
    headers,
    ...(payload === undefined ? {} : { payload: payload as object }),
  })
}

async function browser(email = newEmail()) {
  const reply = await call('POST', '/account', { name: 'Ann', email, password, confirmPassword: password })
  expect(reply.statusCode).toBe(200)
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
  return { email, cookie, headers: { ...own, cookie } }
}

/** The headers of a call with the cookie that the reply gave. */
const renewed = ({ headers }: { headers: { 'set-cookie'?: string | string[] | undefined } }) => ({
  ...own,
  cookie: /session=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? '',
})

async function operatorHeaders(role: 'owner' | 'finance' | 'content' | 'support') {
  const login = `${role}${(serial += 1)}`
  const { link } = await actions.execute(operators.actions['operator.invite'], system, { login, role })
  const token = link.split('#invitation=')[1]
  expect((await call('POST', '/operator/invitations/use', { token, password })).json()).toEqual({ login })
  const reply = await call('POST', '/operator/session', { login, password, as: 'token' })
  return { ...own, authorization: `Bearer ${reply.json().token}`, login }
}

test('registering sets an HttpOnly SameSite cookie and tells no token', async () => {
  const reply = await call('POST', '/account', {
    name: 'Ann',
    email: newEmail(),
    phone: '+1 555 123 4567',
    password,
  })
  expect(String(reply.headers['set-cookie'])).toMatch(
    /^session=us_[\w-]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/,
  )
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.body).not.toContain('us_')
  expect(reply.json().user).toMatchObject({ name: 'Ann', phone: '+1 555 123 4567', isConfirmed: false })
})

test('on https the cookie is Secure', async () => {
  const https = appAt('https://sale.example.org').app
  const reply = await https.inject({
    method: 'POST',
    url: '/api/v1/account',
    headers: { ...own, origin: 'https://sale.example.org', 'sec-fetch-site': 'same-origin' },
    payload: { name: 'Ann', email: newEmail(), password },
  })
  expect(String(reply.headers['set-cookie'])).toMatch(/; Secure$/)
})

test('an API client gets a token for Authorization: Bearer, and no cookie', async () => {
  const email = newEmail()
  const reply = await call(
    'POST',
    '/account',
    { name: 'Ann', email, password, as: 'token' },
    { host: 'localhost:3000' },
  )
  expect(reply.headers['set-cookie']).toBeUndefined()
  const authorization = `Bearer ${reply.json().token}`
  expect((await call('GET', '/account', undefined, { authorization })).json().email).toBe(email)
  expect((await call('PATCH', '/account', { name: 'Anna' }, { authorization })).json().name).toBe('Anna')
  expect((await call('DELETE', '/session', undefined, { authorization })).statusCode).toBe(204)
  const ended = await call('GET', '/account', undefined, { authorization })
  expect([ended.statusCode, ended.json().error.code]).toEqual([401, 'session_ended'])
})

test('a page that shows somebody else than another tab has signed in acts for nobody [RIGHT-13]', async () => {
  const [ann, bob] = [await browser(), await browser()]
  const referenceOf = async ({ headers }: typeof ann) =>
    (await call('GET', '/account', undefined, headers)).json().reference as string
  const shown = async (reference: string) => {
    const reply = await call(
      'PATCH',
      '/account',
      { name: 'Changed' },
      { ...bob.headers, 'x-shown-as': reference },
    )
    return [reply.statusCode, reply.json().error?.code]
  }
  expect(await shown(await referenceOf(ann))).toEqual([401, 'session_ended'])
  expect((await call('GET', '/account', undefined, bob.headers)).json().name).toBe('Ann')
  expect(await shown(await referenceOf(bob))).toEqual([200, undefined])

  const { login } = await operatorHeaders('support')
  const entered = await call('POST', '/operator/session', { login, password })
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  const showing = (reference: string) =>
    call('GET', '/operator/session', undefined, { ...own, cookie, 'x-shown-as': reference })
  const { reference } = entered.json().operator
  expect((await showing(await referenceOf(ann))).json().error.code).toBe('session_ended')
  expect((await showing(reference)).json().login).toBe(login)
})

test('a failure says which field and keeps to the spec’s words', async () => {
  const reply = await call('POST', '/account', {
    name: ' ',
    email: 'nope',
    password: 'short',
    confirmPassword: 'other',
  })
  expect(reply.statusCode).toBe(422)
  const { error } = reply.json()
  expect(error.code).toBe('invalid_input')
  expect(error.issues.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['name', 'email', 'password']),
  )
  const mismatch = await call('POST', '/account', {
    name: 'A',
    email: newEmail(),
    password,
    confirmPassword: 'other',
  })
  expect(mismatch.json().error.issues).toEqual([
    { path: 'confirmPassword', code: 'passwords_differ', message: 'Passwords do not match.' },
  ])

  const { email } = await browser()
  const taken = await call('POST', '/account', { name: 'A', email, password })
  expect([taken.statusCode, taken.json().error.message]).toEqual([409, 'Registration failed.'])
  const wrong = await call('POST', '/session', { email, password: 'not this one' })
  expect([wrong.statusCode, wrong.json().error.message]).toEqual([401, 'Login failed.'])
  const russian = await call(
    'POST',
    '/session',
    { email, password: 'not this one' },
    { ...own, 'x-language': 'ru' },
  )
  expect(russian.json().error.message).toBe('Не удалось войти.')
})

describe('another site', () => {
  test.each([
    ['without the header', { 'x-requested-with': '' }],
    ['with its own origin', { origin: 'https://evil.example' }],
    ['as the browser tells', { 'sec-fetch-site': 'cross-site' }],
    ['on a sibling host', { 'sec-fetch-site': 'same-site' }],
  ])('can change nothing by cookie, %s', async (_name, extra) => {
    const { headers } = await browser()
    const reply = await call('PATCH', '/account', { name: 'Mallory' }, { ...headers, ...extra })
    expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'cross_site_request'])
    expect((await call('GET', '/account', undefined, headers)).json().name).toBe('Ann')
  })

  test('can sign nobody in by cookie', async () => {
    const { email } = await browser()
    const reply = await call(
      'POST',
      '/session',
      { email, password },
      { ...own, origin: 'https://evil.example' },
    )
    expect(reply.statusCode).toBe(403)
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  test('can sign no operator in by cookie', async () => {
    const { login } = await operatorHeaders('support')
    for (const [header, value] of [
      ['origin', 'https://evil.example'],
      ['x-requested-with', ''],
    ] as const) {
      const reply = await call('POST', '/operator/session', { login, password }, { ...own, [header]: value })
      expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'cross_site_request'])
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
  })

  test('the own pages may, on the public address and on the one they were opened at', async () => {
    const { headers } = await browser()
    const site = { 'sec-fetch-site': 'same-origin' }
    const there = { ...headers, ...site, origin: 'http://localhost:3000', host: '10.0.0.5:8080' }
    expect((await call('PATCH', '/account', { name: 'B' }, there)).statusCode).toBe(200)
    const here = { ...headers, ...site, origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }
    expect((await call('PATCH', '/account', { name: 'C' }, here)).statusCode).toBe(200)
  })
})

test('a guarded route without a session is 401; a stale cookie is nobody, not an error', async () => {
  expect((await call('GET', '/account')).json().error.code).toBe('not_signed_in')
  const stale = { ...own, cookie: `session=us_${'x'.repeat(43)}` }
  expect((await call('GET', '/account', undefined, stale)).json().error.code).toBe('not_signed_in')
  expect((await call('GET', '/session', undefined, stale)).json()).toEqual({ user: null })
})

test('logging in again ends the session of the cookie that it replaces', async () => {
  const { email, headers } = await browser()
  expect((await call('POST', '/session', { email, password }, headers)).statusCode).toBe(200)
  expect((await call('GET', '/account', undefined, headers)).statusCode).toBe(401)
})

test('logging out removes the cookie and really ends the session', async () => {
  const { headers } = await browser()
  const reply = await call('DELETE', '/session', undefined, headers)
  expect(reply.statusCode).toBe(204)
  expect(String(reply.headers['set-cookie'])).toMatch(/^session=; Path=\/; Expires=Thu, 01 Jan 1970/)
  expect((await call('GET', '/account', undefined, headers)).statusCode).toBe(401)
})

test('sessions over HTTP: listed with device, one ended, the others ended', async () => {
  const { email, headers } = await browser()
  const other = await call(
    'POST',
    '/session',
    { email, password, as: 'token' },
    { 'user-agent': 'Phone/2.0' },
  )
  const { items } = (await call('GET', '/account/sessions', undefined, headers)).json()
  expect(items).toHaveLength(2)
  const phone = items.find(({ device }: { device: string }) => device === 'Phone/2.0')
  expect((await call('DELETE', `/account/sessions/${phone.id}`, undefined, headers)).statusCode).toBe(204)
  expect((await call('DELETE', `/account/sessions/${phone.id}`, undefined, headers)).statusCode).toBe(404)
  expect((await call('DELETE', '/account/sessions/not-an-id', undefined, headers)).statusCode).toBe(404)
  const authorization = `Bearer ${other.json().token}`
  expect((await call('GET', '/account', undefined, { authorization })).statusCode).toBe(401)
  await call('POST', '/session', { email, password, as: 'token' })
  expect((await call('DELETE', '/account/sessions', undefined, headers)).json()).toEqual({
    ended: 1,
    apiKeys: 0,
  })
})

test('what is wrong with a field is said by code, and in the language asked for', async () => {
  const input = { name: '', email: 'x', password: 'eleven char', confirmPassword: 'other' }
  const issuesIn = async (headers: Record<string, string>) =>
    (await call('POST', '/account', input, headers)).json().error.issues
  expect(await issuesIn({ 'x-language': 'ru' })).toEqual([
    { path: 'name', code: 'name_missing', message: 'Введите имя.' },
    { path: 'email', code: 'email_format', message: 'Введите адрес электронной почты.' },
    { path: 'password', code: 'too_short', message: 'Не меньше 12 символов.' },
    { path: 'confirmPassword', code: 'passwords_differ', message: 'Пароли не совпадают.' },
  ])
  expect(await issuesIn({ 'accept-language': 'en' })).toContainEqual({
    path: 'password',
    code: 'too_short',
    message: 'At least 12 characters.',
  })
})

test('second factor over HTTP, from secret to login', async () => {
  const { email, headers } = await browser()
  const begun = await call('POST', '/account/second-factor/totp', { proof: { password } }, headers)
  const { secret, uri } = begun.json()
  expect(uri).toContain('issuer=iToken')
  const now = Math.floor(Date.now() / 1000)
  const code = await generate({ secret, epoch: now - 30 })
  const on = await call('POST', '/account/second-factor/totp/confirm', { code }, renewed(begun))
  expect(on.json().recoveryCodes).toHaveLength(10)
  const asked = await call('POST', '/session', { email, password })
  expect(asked.json().error).toMatchObject({
    code: 'second_factor_required',
    details: { methods: ['totp'] },
  })
  const next = await generate({ secret, epoch: now })
  expect((await call('POST', '/session', { email, password, code: next })).statusCode).toBe(200)
  expect((await call('GET', '/account/second-factor', undefined, renewed(on))).json()).toEqual({
    hasTotp: true,
    recoveryCodesLeft: 10,
    passkeys: [],
  })
})

test('reset and confirmation over HTTP by the mailed links', async () => {
  const { email, headers } = await browser()
  expect((await call('POST', '/account/password-resets', { email })).statusCode).toBe(204)
  expect((await call('POST', '/account/password-resets', { email: 'nobody@example.org' })).statusCode).toBe(
    204,
  )
  const mail = mails.findLast(({ kind }) => kind === 'reset_password')
  const token = mail && 'link' in mail ? mail.link.split('#token=')[1] : ''
  const reset = { token, password: 'a wholly new sentence', confirmPassword: 'a wholly new sentence' }
  expect((await call('POST', '/account/password-resets/use', reset)).statusCode).toBe(204)
  expect((await call('POST', '/account/password-resets/use', reset)).statusCode).toBe(410)
  expect((await call('GET', '/account', undefined, headers)).statusCode).toBe(401)
})

test('export is a file of everything; deletion clears the cookie', async () => {
  const { email, headers } = await browser()
  const reply = await call('GET', '/account/export', undefined, headers)
  expect(reply.headers['content-disposition']).toContain('my-data.json')
  expect(reply.json()).toMatchObject({ account: { email }, orders: [] })
  const gone = await call('POST', '/account/deletion', { proof: { password } }, headers)
  expect(gone.statusCode).toBe(200)
  expect((await call('GET', '/account', undefined, headers)).statusCode).toBe(401)
})

test('hostile input does no harm', async () => {
  const strange = `<script>alert(1)</script>'; drop table users; -- \u202e🙂`
  const email = newEmail()
  const reply = await call('POST', '/account', {
    name: strange,
    email,
    password,
    __proto__: { role: 'owner' },
  })
  expect(reply.json().user.name).toBe(strange)
  for (const body of [
    { email: { $ne: null }, password },
    { email: [email], password },
    { email: 'x'.repeat(3_000), password },
    [],
  ]) {
    expect((await call('POST', '/session', body)).statusCode).toBe(422)
  }
  const control = await call('POST', '/account', { name: 'a\u0000b', email: newEmail(), password })
  expect(control.statusCode).toBe(422)
  expect((await call('POST', '/session', { email: 'a\u0000b@example.org', password })).statusCode).toBe(422)
})

describe('the strength of a password that somebody is about to choose', () => {
  test('is judged as it will be when it is set, with what is known of the person [RIGHT-32]', async () => {
    const judge = async (payload: object, headers: Record<string, string> = own) =>
      (await call('POST', '/password-strength', payload, headers)).json()
    expect(await judge({ password })).toMatchObject({ strength: expect.any(Number), why: null })
    expect(await judge({ password: 'password1234' })).toEqual({ strength: 0, why: 'common' })
    const hinted = { password: 'rosalindlee1', hints: ['rosalindlee@example.org'] }
    expect(await judge(hinted)).toEqual({ strength: 0, why: 'personal' })
    const { headers } = await browser('montgomery.clift@example.org')
    expect(await judge({ password: 'montgomery.clift' }, headers)).toMatchObject({ why: 'personal' })
  })

  test('is judged so often for one network and no more [RIGHT-32]', async () => {
    const limited = appAt('http://localhost:3000', true).app
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () => {
        const payload = { password: 'password1234' }
        const reply = await limited.inject({
          method: 'POST',
          url: '/api/v1/password-strength',
          headers: own,
          payload,
        })
        return reply.statusCode
      }),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})

test.each([
  ['/account', 'user'],
  ['/session', 'user'],
  ['/operator/session', 'operator'],
] as const)('while the line is full %s is refused before its body is read [RIGHT-25]', async (path, kind) => {
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const line = Promise.allSettled(Array.from({ length: 210 }, () => takeLine(kind, () => gate)))
  const send = () => call('POST', path, '{ no JSON', { ...own, 'content-type': 'application/json' })
  const refused = await send()
  letGo()
  await line
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['retry-after']).toBe('2')
  expect(refused.json().error).toMatchObject({
    code: 'unavailable',
    details: { limit: 'password_queue' },
  })
  expect((await send()).statusCode).toBe(400)
})

test('too many attempts: 429 and Retry-After', async () => {
  const limited = appAt('http://localhost:3000', true).app
  const { email } = await browser()
  const guess = () =>
    limited.inject({
      method: 'POST',
      url: '/api/v1/session',
      headers: own,
      payload: { email, password: 'wrong guess!' },
    })
  const replies = []
  for (let n = 0; n < 7; n += 1) replies.push(await guess())
  const last = replies.at(-1)
  expect(last?.statusCode).toBe(429)
  expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
})

describe('operators', () => {
  test('a session tells role and rights; the cookie is another than the buyer’s', async () => {
    const { login } = await operatorHeaders('support')
    const reply = await call('POST', '/operator/session', { login, password })
    expect(String(reply.headers['set-cookie'])).toMatch(/^operator_session=ops_/)
    expect(reply.json().operator).toMatchObject({
      login,
      role: 'support',
      rights: ['users:read', 'orders:read', 'ledger:read', 'notes:write'],
    })
  })

  test('an operator’s token lasts an hour', async () => {
    const { login } = await operatorHeaders('finance')
    const reply = (await call('POST', '/operator/session', { login, password, as: 'token' })).json()
    expect(Date.parse(reply.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
    expect(Date.parse(reply.expiresAt) - Date.now()).toBeGreaterThan(3_500_000)
  })

  test('only owners see and change operators, by a whole proof [RIGHT-39]', async () => {
    const owner = await operatorHeaders('owner')
    const proof = { password }
    for (const role of ['finance', 'content', 'support'] as const) {
      const reply = await call('GET', '/operator/operators', undefined, await operatorHeaders(role))
      expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'not_for_your_role'])
    }
    const invited = await call(
      'POST',
      '/operator/operators',
      { login: 'new-one', role: 'content', proof },
      owner,
    )
    expect(invited.json()).toMatchObject({
      operator: { login: 'new-one', hasPassword: false },
      link: expect.any(String),
    })
    const { id } = invited.json().operator
    const stale = await call('PATCH', `/operator/operators/${id}`, { revision: 1, role: 'finance' }, owner)
    expect([stale.statusCode, stale.json().error.code]).toEqual([401, 'step_up_required'])
    const change = (role: string, given: object) =>
      call('PATCH', `/operator/operators/${id}`, { revision: 1, role, proof: given }, owner)
    expect((await change('finance', { password: 'wrong' })).statusCode).toBe(422)
    const changed = await change('finance', proof)
    expect(changed.json()).toMatchObject({ role: 'finance', revision: 2 })
    const late = await change('content', proof)
    expect([late.statusCode, late.json().error]).toMatchObject([
      409,
      { code: 'conflict', details: { current: { role: 'finance', revision: 2 } } },
    ])
  })

  test('who may read users sees where a buyer is signed in; others do not', async () => {
    const { email } = await browser()
    const { rows } = await db.pool.query('select id from users where email = $1', [email])
    const path = `/operator/users/${rows[0].id}/sessions`
    const seen = await call('GET', path, undefined, await operatorHeaders('support'))
    expect(seen.json().items).toEqual([expect.objectContaining({ kind: 'browser', isCurrent: false })])
    expect((await call('GET', path, undefined, await operatorHeaders('content'))).statusCode).toBe(403)
  })

  test('a buyer’s token opens nothing of an operator’s, and the other way round', async () => {
    const { cookie } = await browser()
    const buyer = { authorization: `Bearer ${cookie.slice('session='.length)}` }
    expect((await call('GET', '/operator/session', undefined, buyer)).statusCode).toBe(401)
    const operator = await operatorHeaders('owner')
    expect((await call('GET', '/account', undefined, operator)).statusCode).toBe(401)
  })

  test('the password form keeps to the spec’s rules', async () => {
    const { login, ...headers } = await operatorHeaders('content')
    const change = (body: object) => call('POST', '/operator/password', body, headers)
    const short = await change({
      name: 'x',
      oldPassword: 'abc',
      newPassword: 'short',
      confirmPassword: 'short',
    })
    expect(short.json().error.issues.map(({ path }: { path: string }) => path)).toEqual([
      'name',
      'oldPassword',
      'newPassword',
    ])
    const good = { name: login, oldPassword: password, newPassword: 'a wholly new sentence' }
    const mismatch = await change({ ...good, confirmPassword: 'b' })
    expect(mismatch.json().error.issues).toEqual([
      { path: 'confirmPassword', code: 'passwords_differ', message: 'Passwords do not match.' },
    ])
    expect((await change(good)).statusCode).toBe(204)
  })
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the network of %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
