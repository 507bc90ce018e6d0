import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { acceptInvitation, apiOf, bearer, fromOwnPage, password, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { openLink } from '../support/links.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A thief with an owner's password but without the second factor may guess codes ever more slowly, without
// harm to others.

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

/** The token of the owner from the known network; a second factor may be on. */
let codes: string[] = []
const ownersToken = async () => (await logIn('203.0.113.7', codes.pop())).body.token as string

test('wrong codes from elsewhere wait, and the owner logs in from a known network all the same [RIGHT-5]', async () => {
  const home = '203.0.113.7'
  const first = await logIn(home)
  expect(first.status).toBe(200)
  const { operator_id: id = '' } = (await server.context.operators.authenticate(first.body.token)) ?? {}
  const { recoveryCodes } = await switchOnApp(server.context, 'operator', id)
  codes = recoveryCodes.slice(1)
  const guesses = []
  for (const last of [1, 2, 3, 1, 2, 3, 1, 2])
    guesses.push((await logIn(`198.51.100.${last}`, '000000')).status)
  expect(guesses.at(-1)).toBe(429)
  expect((await logIn(home, recoveryCodes[0])).status).toBe(200)
  // The owner's success forgives the stranger nothing.
  expect((await logIn('198.51.100.9', '000000')).status).toBe(429)
})

test('an owner in a new place logs in by a recovery code at once, whatever is guessed elsewhere [RIGHT-5]', async () => {
  const travels = '192.0.2.66'
  expect((await logIn(travels, '000000')).body.error?.details?.limit).toBe('second_factor')
  expect((await logIn(travels, codes.pop())).status).toBe(200)
  // Such codes are guessed more slowly in one place, too.
  const guesses = []
  for (let n = 0; n < 7; n += 1) guesses.push((await logIn('192.0.2.67', 'aaaaa-aaaaa')).status)
  expect(guesses.at(-1)).toBe(429)
})

test('wrong passwords and codes in a stolen session delay its owner in no other session [RIGHT-5]', async () => {
  const email = 'robbed@example.org'
  const home = '203.0.113.40'
  const call = (path: string, body: object, token?: string) =>
    sendJson('POST', `${server.url}/api/v1${path}`, body, {
      'x-forwarded-for': home,
      ...(token && bearer(token)),
    })
  const account = { name: 'Ann', email, phone: '+37255550000', password, as: 'token' }
  const own = (await call('/account', account)).body.token as string
  const stolen = (await call('/session', { email, password, as: 'token' })).body.token as string
  const guess = async (given: object) => {
    let last = 0
    for (let n = 0; n < 7; n += 1) last = (await call('/session/step-up', given, stolen)).status
    return last
  }
  expect(await guess({ password: 'not the password' })).toBe(429)
  const changed = { currentPassword: password, newPassword: 'the owner chose this one 7' }
  expect((await call('/session/step-up', { password }, own)).status).toBe(204)
  const id = (await server.context.accounts.authenticate(own))?.user_id ?? ''
  const app = await switchOnApp(server.context, 'user', id)
  expect(await guess({ code: '000000' })).toBe(429)
  const proof = { code: await app.code() }
  expect((await call('/account/password', { ...changed, proof }, own)).status).toBe(204)
})

test('wrong passwords from everywhere keep out neither a known browser on a new address nor one that is known by its network [RIGHT-5]', async () => {
  const ask = (path: string, body: object, network: string, cookie = '') =>
    fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        ...fromOwnPage,
        'content-type': 'application/json',
        'x-forwarded-for': network,
        ...(cookie && { cookie }),
      },
      body: JSON.stringify(body),
    })
  const buyer = { name: 'Ann', email: 'ann@example.org', phone: '+37255550000', password }
  const { link } = await apiOf(server.url, await ownersToken())<{ link: string }>(
    'POST',
    '/operator/operators',
    { login: 'clerk', role: 'support', proof: { password, code: codes.pop() } },
  )
  await acceptInvitation(server.url, link)
  const people = [
    { path: '/session', who: { email: buyer.email }, first: () => ask('/account', buyer, '203.0.113.20') },
    {
      path: '/operator/session',
      who: { login: 'clerk' },
      first: () => ask('/operator/session', { login: 'clerk', password }, '203.0.113.20'),
    },
  ]
  for (const { path, who, first } of people) {
    const signedIn = await first()
    expect([path, signedIn.status]).toEqual([path, 200])
    const browser = signedIn.headers.getSetCookie().find((cookie) => cookie.startsWith('browser=')) ?? ''
    expect(browser).toContain('HttpOnly')
    const cookie = browser.split(';')[0] ?? ''
    const right = (network: string, kept?: string) => ask(path, { ...who, password }, network, kept)
    const wrong = { ...who, password: 'not the password' }
    let last = 0
    for (let n = 1; n < 45; n += 1) last = (await ask(path, wrong, `198.51.100.${n}`)).status
    expect([path, last]).toEqual([path, 429])
    expect([path, (await right('198.51.100.201')).status]).toEqual([path, 429])
    expect([path, (await right('198.51.100.202', `browser=${'0'.repeat(32)}`)).status]).toEqual([path, 429])
    expect([path, (await right('198.51.100.203', cookie)).status]).toEqual([path, 200])
    // The browser's value allows no faster guesses than one network.
    let stolen = 0
    for (let n = 1; n < 8; n += 1) stolen = (await ask(path, wrong, `192.0.2.${n}`, cookie)).status
    expect([path, stolen]).toEqual([path, 429])
    expect([path, (await right('203.0.113.20')).status]).toEqual([path, 200])
    // Not even where the owner is at home.
    expect([path, (await right('203.0.113.20', cookie)).status]).toEqual([path, 200])
    // Neighbours behind the same address keep out whoever is new there, and no browser that is known.
    let neighbour = 0
    for (let n = 1; n < 8; n += 1) neighbour = (await ask(path, wrong, '203.0.113.20')).status
    expect([path, neighbour]).toEqual([path, 429])
    expect([path, (await right('203.0.113.20')).status]).toEqual([path, 429])
    expect([path, (await right('203.0.113.20', cookie)).status]).toEqual([path, 200])
  }
})

test('a stranger’s requests for a new password use up neither the owner’s link nor the owner’s requests [RIGHT-42]', async () => {
  const email = 'forgetful@example.org'
  const reset = (network: string) =>
    sendJson(
      'POST',
      `${server.url}/api/v1/account/password-resets`,
      { email },
      { 'x-forwarded-for': network },
    )
  const home = '203.0.113.30'
  const account = { name: 'Ann', email, phone: '+37255550000', password, as: 'token' }
  await sendJson('POST', `${server.url}/api/v1/account`, account, { 'x-forwarded-for': home })
  await server.context.db.query(sql`update users set confirmed_at = now() where email_key = ${email}`)
  expect((await reset(home)).status).toBe(204)
  const link = await openLink(server.context.db, 'reset_password', email)
  const statuses = []
  for (let n = 1; n < 6; n += 1) statuses.push((await reset(`198.51.100.${n}`)).status)
  expect(statuses).toEqual([204, 204, 204, 429, 429])
  expect((await reset(home)).status).toBe(204)
  const used = { token: link, password: 'the owner chose this one 7' }
  expect((await sendJson('POST', `${server.url}/api/v1/account/password-resets/use`, used)).status).toBe(204)
})
