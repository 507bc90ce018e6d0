import { afterAll, beforeAll, expect, test } from 'vitest'
import { fragmentOf, sql } from '../../src/server/database/database.ts'
import { fromOwnPage, password } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

// Whoever copied a browser's cookie must not stay in once its owner proves who they are there.

let server: TestServer
beforeAll(async () => {
  server = await startServer(
    { OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password, RATE_LIMIT: 'on', TRUST_PROXY: '1' },
    { jobs: false },
  )
})
afterAll(() => server?.close())

const ask = (method: string, path: string, cookie: string, body?: unknown, from = '198.51.100.1') =>
  fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...fromOwnPage,
      cookie,
      'x-forwarded-for': from,
      'idempotency-key': crypto.randomUUID(),
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

test('a copied cookie and its stream end at a step-up and at a new password; the browser goes on [RIGHT-8, RIGHT-41]', async () => {
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
  // No new address, so nobody checks this proof.
  const forged = await ask('PATCH', '/account', cookie, { proof: { password: 'not the password' } })
  expect([forged.status, cookieOf(forged, 'session')]).toEqual([200, ''])
  const alone = await ask('DELETE', '/account/sessions', cookie)
  expect([alone.status, cookieOf(alone, 'session')]).toEqual([200, ''])
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

const age = () =>
  Promise.all(
    ['user_sessions', 'operator_sessions'].map((table) =>
      server.context.db.query(
        sql`update ${fragmentOf(table)} set authenticated_at = authenticated_at - interval '3 hours', created_at = created_at - interval '3 hours'`,
      ),
    ),
  )

/** Calls from two networks until `work` is done; returns the statuses and the cookies that came with them. */
async function meanwhile(
  poll: (from: string) => Promise<Response>,
  name: string,
  work: () => Promise<Response>,
) {
  let isDone = false
  const seen = new Set<number>()
  const cookies: string[] = []
  const polls = ['203.0.113.1', '203.0.114.1'].map(async (from) => {
    while (!isDone) {
      const reply = await poll(from)
      seen.add(reply.status)
      if (cookieOf(reply, name)) cookies.push(cookieOf(reply, name))
      await reply.text()
    }
  })
  const reply = await work()
  isDone = true
  await Promise.all(polls)
  return { reply, seen: [...seen], cookies }
}

test('a stale copy that calls all the time wins neither a step-up nor the session of a new password [RIGHT-2, RIGHT-8]', async () => {
  const logIn = async (login: string, given: string, from: string) =>
    cookieOf(await ask('POST', '/operator/session', '', { login, password: given }, from), 'operator_session')
  await ask('POST', '/account', '', { ...account, email: 'thief@example.org' })
  const grant = { email: 'thief@example.org', amount: '1000', reason: 'x' }
  let now = newPassword
  for (let n = 0; n < 8; n += 1) {
    const from = `198.51.101.${n}`
    let cookie = await logIn('owner', now, from)
    await age()
    const copy = cookie
    const stepped = await meanwhile(
      (network) => ask('POST', '/operator/grants', copy, grant, network),
      'operator_session',
      () => ask('POST', '/operator/session/step-up', cookie, { password: now }, from),
    )
    expect([stepped.reply.status, stepped.seen, stepped.cookies]).toEqual([204, [401], []])
    cookie = cookieOf(stepped.reply, 'operator_session')
    await age()
    // A younger session, so that the stale copy may not end it.
    await logIn('owner', now, from)
    const next = `the owner chose this one ${n}`
    const old = cookie
    const replaced = await meanwhile(
      (network) => ask('DELETE', '/operator/sessions', old, undefined, network),
      'operator_session',
      () =>
        ask(
          'POST',
          '/operator/password',
          cookie,
          { name: 'owner', oldPassword: now, newPassword: next },
          from,
        ),
    )
    expect([replaced.reply.status, replaced.seen, replaced.cookies]).toEqual([204, [401], []])
    now = next
    cookie = cookieOf(replaced.reply, 'operator_session')
    expect((await ask('GET', '/operator/session', cookie, undefined, from)).status).toBe(200)
  }
})

test('a stale copy ends no sessions and takes none over from its browser [RIGHT-2, RIGHT-8]', async () => {
  const other = { ...account, email: 'eve@example.org' }
  const cookie = cookieOf(await ask('POST', '/account', '', other), 'session')
  await age()
  const refused = await ask('DELETE', '/account/sessions', cookie)
  expect([refused.status, cookieOf(refused, 'session')]).toEqual([401, ''])
  expect((await refused.json()).error.code).toBe('step_up_required')
  expect((await ask('GET', '/account', cookie)).status).toBe(200)
})

test('a change that a copy began before the proof fails after it [RIGHT-8, RIGHT-9]', async () => {
  const other = { ...account, email: 'dan@example.org' }
  const cookie = cookieOf(await ask('POST', '/account', '', other), 'session')
  const { db } = server.context
  const free = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await tx.query(
      sql`select from user_sessions s join users u on u.id = s.user_id where u.email_key = ${other.email} for update of s`,
    )
    held.resolve()
    await free.promise
  })
  await held.promise
  const waiting = async (count: number) =>
    until(async () => {
      const [row] = await db.query<{ n: number }>(
        sql`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%user_sessions%' and datname = current_database()`,
      )
      return (row?.n ?? 0) >= count
    })
  const proving = ask('POST', '/session/step-up', cookie, { password })
  await waiting(1)
  const copied = ask('PATCH', '/account', cookie, { name: 'Mallory' })
  await waiting(2)
  free.resolve()
  await holding
  expect((await proving).status).toBe(204)
  const late = await copied
  expect([late.status, (await late.json()).error?.code]).toEqual([401, 'session_ended'])
})
