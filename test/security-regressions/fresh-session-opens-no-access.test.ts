import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { acceptInvitation, bearer, fromOwnPage, operatorToken, password, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

let staff: Staff
/** Logs the owner `sue` in by her app; returns the new session's token. */
let stolen: string
let code: () => Promise<string>

beforeAll(async () => {
  staff = await startWithOwner()
  for (const login of ['sue', 'third']) await staff.join(login, 'owner', `${login}@example.org`)
  const app = await switchOnApp(staff.server.context, 'operator', await idOf('sue'))
  code = async () => {
    await staff.server.context.db.query(sql`update totp_secrets set last_step = 0`)
    return app.code()
  }
  stolen = (await logIn('sue', { code: await code() })).body.token
})
afterAll(() => staff?.close())

const operatorApi = (token: string, method: string, path: string, body?: unknown) =>
  sendJson(method, `${staff.server.url}/api/v1/operator${path}`, body, bearer(token))
const logIn = (login: string, given: object = {}) =>
  sendJson('POST', `${staff.server.url}/api/v1/operator/session`, { login, password, as: 'token', ...given })
const idOf = async (login: string) =>
  (
    await staff.server.context.db.one<{ id: string }>(
      sql`select id::text from operators where login = ${login}`,
    )
  ).id
const serverOf = (host: string, revision: number | null) => ({
  host,
  port: 465,
  login: 'x',
  password: 'a secret of the mail server',
  from: 'sale@example.org',
  revision,
})

test('a fresh session alone invites nobody, changes and renews no access and sets no mail server [RIGHT-39]', async () => {
  const third = await idOf('third')
  const calls = [
    ['POST', '/operators', { login: 'puppet', role: 'owner' }],
    ['PATCH', `/operators/${third}`, { revision: 1, email: 'thief@example.org' }],
    ['POST', `/operators/${third}/invitation`, { removesSecondFactor: true }],
    ['PUT', '/mail-server', serverOf('smtp.thief.example', null)],
  ] as const
  for (const [method, path, body] of calls) {
    for (const proof of [undefined, { password }]) {
      const answer = await operatorApi(stolen, method, path, { ...body, proof })
      expect([path, answer.code]).toEqual([path, 'step_up_required'])
      expect(answer.body.error.details.proof).toEqual(['password', 'totp', 'recovery_code'])
    }
    const wrong = await operatorApi(stolen, method, path, { ...body, proof: { password, code: '000000' } })
    expect([path, wrong.code]).toEqual([path, 'second_factor_wrong'])
  }
})

test('nobody renews the own link, even with a whole proof [RIGHT-39]', async () => {
  const answer = await operatorApi(stolen, 'POST', `/operators/${await idOf('sue')}/invitation`, {
    proof: { password, code: await code() },
  })
  expect(answer.code).toBe('own_link')
})

test('a new password ends the open links that its operator made, and those of nobody else [RIGHT-8]', async () => {
  const invite = async (token: string, login: string, proof: object) =>
    (await operatorApi(token, 'POST', '/operators', { login, role: 'owner', proof })).body.link as string
  const puppet = await invite(stolen, 'puppet', { password, code: await code() })
  const friend = await invite(await operatorToken(staff.server.url, 'third'), 'friend', { password })
  const change = {
    name: 'sue',
    oldPassword: password,
    newPassword: 'the owner chose this one 7',
    proof: { code: await code() },
  }
  expect((await operatorApi(stolen, 'POST', '/password', change)).status).toBe(204)
  await expect(acceptInvitation(staff.server.url, puppet)).rejects.toMatchObject({ code: 'link_expired' })
  await acceptInvitation(staff.server.url, friend)
})

test('another mail server is mailed to every owner through the former one [TEXT-22]', async () => {
  const third = await operatorToken(staff.server.url, 'third')
  const set = (host: string, revision: number | null) =>
    operatorApi(third, 'PUT', '/mail-server', serverOf(host, revision))
  const first = await set('smtp.old.example', null)
  expect(first.status).toBe(200)
  const before = (await staff.mails()).length
  expect((await set('smtp.thief.example', first.body.server.revision)).status).toBe(200)
  const told = (await staff.mails()).slice(before)
  expect(told).toMatchObject(
    ['sue', 'third'].map((login) => ({
      kind: 'owner_notice',
      to: `${login}@example.org`,
      notice: { what: 'mail_server_changed', before: 'smtp.old.example', after: 'smtp.thief.example' },
      through: { host: 'smtp.old.example', password: 'a secret of the mail server' },
    })),
  )
})

test('a proof for an operator’s access gives the browser a new cookie, also where a second operator has to confirm [RIGHT-8]', async () => {
  const { db } = staff.server.context
  const ask = (method: string, path: string, cookie: string, body?: unknown) =>
    fetch(`${staff.server.url}/api/v1/operator${path}`, {
      method,
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...fromOwnPage, cookie },
      body: JSON.stringify(body),
    })
  const cookieOf = (reply: Response) =>
    reply.headers
      .getSetCookie()
      .find((line) => line.startsWith('operator_session='))
      ?.split(';')[0] ?? ''
  let cookie = cookieOf(await ask('POST', '/session', '', { login: 'third', password }))
  const invite = (login: string, given = password) => {
    const body = { login, role: 'support', email: `${login}@example.org`, proof: { password: given } }
    return ask('POST', '/operators', cookie, body)
  }
  const requests: string[] = []
  for (const [two, login, status] of [
    [false, 'first-clerk', 200],
    [true, 'second-clerk', 409],
    // The request holds no proof, so an equal one is the same.
    [true, 'second-clerk', 409],
  ] as const) {
    await db.query(
      sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb(${two}::boolean))`,
    )
    const wrong = await invite(login, 'not the password')
    expect([wrong.status, cookieOf(wrong)]).toEqual([422, ''])
    const copy = cookie
    const reply = await invite(login)
    expect(reply.status).toBe(status)
    if (two) requests.push((await reply.json()).error.details.approvalRequestId)
    cookie = cookieOf(reply)
    expect((await ask('GET', '/operators', copy)).status).toBe(401)
    expect((await ask('GET', '/operators', cookie)).status).toBe(200)
  }
  expect(requests[0]).toBe(requests[1])
})
