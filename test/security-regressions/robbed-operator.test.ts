import { generate } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { acceptInvitation, bearer, operatorToken, password, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

// An operator lost a telephone, a password or a session. The remedies leave the thief nothing.

let staff: Staff
beforeAll(async () => {
  staff = await startWithOwner()
  for (const [login, role] of [
    ['sue', 'owner'],
    ['third', 'owner'],
    ['words', 'content'],
    ['purse', 'finance'],
  ] as const)
    await staff.join(login, role, `${login}@example.org`)
  await staff.server.context.db.query(sql`update campaign set is_demo = false`)
})
afterAll(() => staff?.close())

const own = (token: string, method: string, path: string, body?: unknown) =>
  sendJson(method, `${staff.server.url}/api/v1/operator${path}`, body, bearer(token))
const logIn = (login: string, given: object = {}) =>
  sendJson('POST', `${staff.server.url}/api/v1/operator/session`, {
    login,
    password,
    as: 'token',
    ...given,
  })
const idOf = async (login: string) =>
  (
    await staff.server.context.db.one<{ id: string }>(
      sql`select id::text from operators where login = ${login}`,
    )
  ).id
const renew = async (login: string, removesSecondFactor: boolean) =>
  staff.ask('owner', 'POST', `/operator/operators/${await idOf(login)}/invitation`, { removesSecondFactor })
const changePassword = (token: string, name: string) =>
  own(token, 'POST', '/password', { name, oldPassword: password, newPassword: 'gravel and violets 8' })

test('the password alone opens nothing once another owner has taken the second factor off [RIGHT-8]', async () => {
  await switchOnApp(staff.server.context, 'operator', await idOf('sue'))
  expect((await logIn('sue')).code).toBe('second_factor_required')
  const { body } = await renew('sue', true)
  expect((await logIn('sue')).code).toBe('login_failed')
  await acceptInvitation(staff.server.url, body.link)
  expect((await logIn('sue')).status).toBe(200)
})

test('a second factor that was set up while a new link was open ends with the link [RIGHT-8]', async () => {
  const { body } = await renew('sue', false)
  const thief = await operatorToken(staff.server.url, 'sue')
  const { secret } = (await own(thief, 'POST', '/second-factor/totp', { proof: { password } })).body
  const code = await generate({ secret })
  expect((await own(thief, 'POST', '/second-factor/totp/confirm', { code })).status).toBe(200)
  await acceptInvitation(staff.server.url, body.link)
  expect((await logIn('sue')).status).toBe(200)
})

test('a text that a stolen session asked for is not published after its operator has a new password [RIGHT-8, TWO-20]', async () => {
  const thief = await operatorToken(staff.server.url, 'words')
  const body = { en: 'Our wallet moved: bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', ru: '', es: '', ar: '' }
  const title = { en: 'Wallet', ru: '', es: '', ar: '' }
  const news = { title, body, image: null, pinned: true, publishedAt: '2026-01-01T00:00:00.000Z' }
  const asked = await own(thief, 'POST', '/announcements', news)
  expect(asked.status).toBeGreaterThanOrEqual(400)
  const operator = await operatorToken(staff.server.url, 'words')
  expect((await changePassword(operator, 'words')).status).toBe(204)
  const { db, actions } = staff.server.context
  await db.query(
    sql`update approval_requests set due_at = due_at - interval '61 minutes' where state = 'waiting'`,
  )
  await actions.pending.executeDue()
  expect(await db.query(sql`select from announcements where body ->> 'en' like '%bc1qar0%'`)).toEqual([])
})

test('a wallet that a stolen session asked for is confirmed by nobody after its operator has a new password [RIGHT-8, TWO-20]', async () => {
  await staff.forgetLinks()
  expect((await staff.wantTwo()).status).toBe(200)
  const thief = await operatorToken(staff.server.url, 'purse')
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  const { body } = await own(thief, 'PUT', '/currencies/ETH', { address })
  const operator = await operatorToken(staff.server.url, 'purse')
  expect((await changePassword(operator, 'purse')).status).toBe(204)
  const { approvalRequestId } = body.error.details
  const confirmed = await staff.ask(
    'third',
    'POST',
    `/operator/approval-requests/${approvalRequestId}/confirm`,
  )
  expect(confirmed.code).toBe('approval_expired')
})

test('a fresh session alone makes and renews no API key; a whole proof does, and every owner gets a mail [RIGHT-39, TWO-19]', async () => {
  const thief = await operatorToken(staff.server.url, 'third')
  const keys = (given: object) =>
    own(thief, 'POST', '/api-keys', { name: 'Books', scopes: ['users:read'], expiresInDays: 365, ...given })
  const proof = { password }
  const without = await keys({})
  expect([without.code, without.body.error.details]).toEqual(['step_up_required', { proof: ['password'] }])
  expect((await keys({ proof: { password: 'not the password' } })).code).toBe('password_wrong')
  const before = (await staff.mails()).length
  const made = await keys({ proof })
  expect(made.status).toBe(200)
  const renewal = `/api-keys/${made.body.id}/renewal`
  expect((await own(thief, 'POST', renewal, {})).code).toBe('step_up_required')
  expect((await own(thief, 'POST', renewal, { proof })).status).toBe(200)
  const told = (await staff.mails()).slice(before).map(({ to, notice }) => [to, notice])
  for (const what of ['api_key_made', 'api_key_renewed'])
    for (const owner of ['sue', 'third'])
      expect(told).toContainEqual([`${owner}@example.org`, { what, login: 'third' }])
  // Whoever ends the other sessions is told what goes on.
  expect((await own(thief, 'DELETE', '/sessions')).body).toMatchObject({ apiKeys: 1 })
})
