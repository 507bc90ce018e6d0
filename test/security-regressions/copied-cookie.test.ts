import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { fromOwnPage, password } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

// Whoever copied a browser's cookie must not stay in once its owner proves who they are there.

let server: TestServer
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
})
afterAll(() => server?.close())

const ask = (method: string, path: string, cookie: string, body?: unknown) =>
  fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...fromOwnPage,
      cookie,
    },
    body: JSON.stringify(body),
  })
const cookieOf = ({ headers }: Response, name: string) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0] ?? ''

const account = { name: 'Ann', email: 'ann@example.org', phone: '+37255550000', password }
const newPassword = 'the owner chose this one 7'
const changed = { name: 'owner', currentPassword: password, oldPassword: password, newPassword }
const people = [
  ['session', '/account', '/account', '/session', '', account],
  [
    'operator_session',
    '/operator/session',
    '/operator',
    '/operator/session',
    '?operator=1',
    { login: 'owner', password },
  ],
] as const

test('a copied cookie and its stream end at a step-up, a new password and the end of the other sessions; the browser goes on [RIGHT-8, RIGHT-41]', async () => {
  for (const [name, logIn, root, session, query, who] of people) {
    let cookie = cookieOf(await ask('POST', logIn, '', who), name)
    const reads = async (held: string) => (await ask('GET', `${root}/sessions`, held)).status
    const listed = async () =>
      (await (await ask('GET', `${root}/sessions`, cookie)).json()).items.map(
        (item: { id: string }) => item.id,
      )
    const before = await listed()
    for (const [method, path, body] of [
      ['POST', `${session}/step-up`, { password }],
      ['POST', `${root}/password`, changed],
      ['DELETE', `${root}/sessions`, undefined],
    ] as const) {
      const copy = cookie
      let isOver = false
      const stream = await ask('GET', `/live${query}`, copy)
      expect([path, stream.status]).toEqual([path, 200])
      void stream.text().then(() => (isOver = true))
      const answer = await ask(method, path, cookie, body)
      expect([path, answer.status < 300]).toEqual([path, true])
      cookie = cookieOf(answer, name)
      expect([path, await reads(copy), await reads(cookie)]).toEqual([path, 401, 200])
      await until(() => isOver)
    }
    // It is the same session for the rest: its list, its notices, its new stream.
    expect(await listed()).toEqual(before)
    await until(async () => {
      const again = await ask('GET', `/live${query}`, cookie)
      const reader = again.body?.getReader()
      const first = await reader?.read()
      await reader?.cancel()
      return new TextDecoder().decode(first?.value).startsWith('retry')
    })
  }
})

test('a refused change gives no new cookie, and a program keeps its token [RIGHT-8]', async () => {
  const other = { ...account, email: 'ben@example.org' }
  const cookie = cookieOf(await ask('POST', '/account', '', other), 'session')
  const wrong = await ask('POST', '/session/step-up', cookie, { password: 'not the password' })
  expect([wrong.status, cookieOf(wrong, 'session')]).toEqual([422, ''])
  const named = await ask('PATCH', '/account', cookie, { name: 'Benjamin' })
  expect([named.status, cookieOf(named, 'session')]).toEqual([200, ''])
  const { token } = await (
    await ask('POST', '/session', '', { email: other.email, password, as: 'token' })
  ).json()
  const byToken = (path: string, body?: unknown) =>
    fetch(`${server.url}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const proved = await byToken('/session/step-up', { password })
  expect([proved.status, proved.headers.getSetCookie()]).toEqual([204, []])
  expect((await byToken('/account')).status).toBe(200)
  const { kept } = await server.context.db.one<{ kept: number }>(
    sql`select count(*)::int as kept from user_sessions s join users u on u.id = s.user_id where u.email_key = ${other.email}`,
  )
  expect(kept).toBe(2)
})
