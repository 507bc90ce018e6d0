import { afterAll, beforeAll, expect, test } from 'vitest'
import { rates } from '../../src/server/limits/limits.ts'
import { budgets } from '../../src/server/limits/local-limits.ts'
import { bearer, fromOwnPage, password, registerToken, sendJson } from '../support/api.ts'
import { openLink } from '../support/links.ts'
import { startServer, type TestServer } from '../support/server.ts'

// One stranger behind the address of a mobile carrier used up 60 orders an hour, 30 links and 120 logins in ten minutes:
// nobody new behind that address could order or confirm an e-mail address, and nobody could log in.

const SHARED = '100.64.0.1'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, { jobs: false })
})
afterAll(() => server?.close())

const send = (path: string, body: object, token: string) =>
  sendJson('POST', `${server.url}/api/v1${path}`, body, { ...bearer(token), 'x-forwarded-for': SHARED })
const order = async (token: string) => {
  const asked = { currency: 'USDT', amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true }
  const { status, code } = await send('/orders', asked, token)
  return code ?? status
}

test('a stranger behind the same address leaves a new buyer the first order [RIGHT-25]', async () => {
  const [stranger, buyer] = [await registerToken(server.url), await registerToken(server.url)]
  const answers = []
  for (let n = 0; n < 60; n += 1) answers.push(await order(stranger))
  expect(new Set(answers)).toEqual(new Set([200]))
  expect(await order(buyer)).toBe(200)
  // That was the buyer's own one; the next is the network's last.
  expect([await order(buyer), await order(buyer)]).toEqual([200, 'email_unconfirmed'])
})

test('a stranger who sends invented links holds up no mailed link behind the same address [RIGHT-25]', async () => {
  const token = await registerToken(server.url, 'ann@example.org')
  const use = (link: string) => send('/account/confirmations/use', { token: link }, token)
  const invented = []
  for (let n = 0; n < 40; n += 1) invented.push((await use('a'.repeat(43))).code)
  expect(new Set(invented)).toEqual(new Set(['link_expired']))
  const right = await use(await openLink(server.context.db, 'confirm_email', 'ann@example.org'))
  expect(right.status).toBeLessThan(300)
})

test('a stranger who guesses passwords keeps no known browser behind the same address from logging in [RIGHT-5]', async () => {
  await registerToken(server.url, 'ben@example.org')
  const logIn = (as: string, cookie?: string) =>
    sendJson(
      'POST',
      `${server.url}/api/v1/session`,
      { email: 'ben@example.org', password, as },
      { 'x-forwarded-for': SHARED, ...fromOwnPage, ...(cookie && { cookie }) },
    )
  const first = await logIn('cookie')
  const browser = first.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('browser='))
    ?.split(';')[0]
  const { limits, localLimits } = server.context
  for (let n = 0; n < rates.login_network.burst; n += 1)
    await limits.take('login_network', SHARED).catch(() => undefined)
  localLimits.take(SHARED, { hashes: budgets.hashes.network.burst }, Date.now() + 60_000)
  expect((await logIn('token')).status).toBe(429)
  expect((await logIn('token', `browser=${'0'.repeat(32)}`)).status).toBe(429)
  const answers = []
  for (let n = 0; n < rates.login_browser.burst + 1; n += 1)
    answers.push((await logIn('token', browser)).status)
  expect(answers.slice(0, -1)).toEqual(Array(rates.login_browser.burst).fill(200))
  // A known browser allows no flood either.
  expect(answers.at(-1)).toBe(429)
})

test('a login with an invented browser pays for its hashes as any other [RIGHT-25]', async () => {
  const from = '100.64.0.2'
  server.context.localLimits.take(from, { hashes: budgets.hashes.network.burst }, Date.now() + 60_000)
  const cookie = `browser=${'0'.repeat(32)}`
  for (const [path, who] of [
    ['/session', { email: 'nobody@example.org', as: 'token' }],
    ['/operator/session', { login: 'nobody', as: 'token' }],
  ] as const) {
    const { body } = await sendJson(
      'POST',
      `${server.url}/api/v1${path}`,
      { ...who, password },
      { 'x-forwarded-for': from, cookie },
    )
    expect([path, body.error.details]).toMatchObject([path, { limit: 'hashes_network' }])
  }
})
