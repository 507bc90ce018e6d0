import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Query, sql } from '../../src/server/database/database.ts'
import { type Answer, bearer, password, registerToken, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { queuedBehind } from '../support/race.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

// A thief's actions in progress when the owner ends their access: a login with the old password, a key, a
// change of the account. A constant attacker always has one in progress.

let staff: Staff
beforeAll(async () => {
  staff = await startWithOwner()
})
afterAll(() => staff.close())

const newPassword = 'gravel and violets 8'
const call = (token: string | null, method: string, path: string, body?: unknown) =>
  sendJson(method, `${staff.server.url}/api/v1${path}`, body, token === null ? {} : bearer(token))
const opens = async (token: string, path: string) => (await call(token, 'GET', path)).status === 200

const queued = (lock: Query, steps: readonly (() => Promise<Answer>)[]) =>
  queuedBehind(staff.server.database.db, lock, steps)

async function staffed(login: string): Promise<{ id: string; thief: string; own: string }> {
  await staff.join(login, 'owner')
  const sessionOf = async () =>
    (await call(null, 'POST', '/operator/session', { login, password, as: 'token' })).body.token
  const { id } = (await staff.ask('owner', 'GET', '/operator/operators')).body.items.find(
    (item: { login: string }) => item.login === login,
  )
  return { id, thief: await sessionOf(), own: await sessionOf() }
}
const operatorPassword = (login: string) => ({
  name: login,
  oldPassword: password,
  newPassword,
  confirmPassword: newPassword,
})

test('a buyer’s login by the old password does not outlive the new one [RIGHT-9]', async () => {
  const email = 'ann@example.org'
  const token = await registerToken(staff.server.url, email)
  const [login, changed] = await queued(sql`select from known_networks for update`, [
    () => call(null, 'POST', '/session', { email, password, as: 'token' }),
    () => call(token, 'POST', '/account/password', { currentPassword: password, newPassword }),
  ])
  expect([login?.status, changed?.status]).toEqual([200, 204])
  expect(await opens(login?.body.token, '/account')).toBe(false)
  expect(await opens(token, '/account')).toBe(true)
})

test('nor does an operator’s [RIGHT-9]', async () => {
  const { id, own } = await staffed('bea')
  const [changed, login] = await queued(sql`select from operators where id = ${id} for update`, [
    () => call(own, 'POST', '/operator/password', operatorPassword('bea')),
    () => call(null, 'POST', '/operator/session', { login: 'bea', password, as: 'token' }),
  ])
  expect([changed?.status, login?.code]).toEqual([204, 'login_failed'])
})

test('nor does a login that was found before the operator was disabled, once that one is enabled again [RIGHT-9]', async () => {
  const { id } = await staffed('dan')
  const { revision } = (await staff.ask('owner', 'GET', '/operator/operators')).body.items.at(-1)
  const path = `/operator/operators/${id}`
  const [disabled, login] = await queued(sql`select from operators where id = ${id} for update`, [
    () => staff.ask('owner', 'PATCH', path, { revision, isDisabled: true }),
    () => call(null, 'POST', '/operator/session', { login: 'dan', password, as: 'token' }),
  ])
  expect([disabled?.status, login?.code]).toEqual([200, 'login_failed'])
})

test('nor does a second factor that was switched on meanwhile let in who gave no code [RIGHT-9]', async () => {
  const { id } = await staffed('sue')
  const [login] = await queued(sql`select from operators where id = ${id} for no key update`, [
    () => call(null, 'POST', '/operator/session', { login: 'sue', password, as: 'token' }),
    async () => {
      await switchOnApp(staff.server.context, 'operator', id)
      return call(null, 'GET', '/campaign')
    },
  ])
  expect(login?.code).toBe('second_factor_required')
})

test('nor does a key that a stolen session is just making outlive the password [RIGHT-9]', async () => {
  const { id, thief, own } = await staffed('cat')
  const key = { name: 'Books', scopes: ['orders:read'], proof: { password } }
  const [changed, made] = await queued(sql`select from operators where id = ${id} for update`, [
    () => call(own, 'POST', '/operator/password', operatorPassword('cat')),
    () => call(thief, 'POST', '/operator/api-keys', key),
  ])
  expect(changed?.status).toBe(204)
  const opened = made?.status === 200 && (await opens(made.body.key, '/operator/orders'))
  expect(opened).toBe(false)
})

test('nothing is changed by who had a session or key when asked, and has none when it is done [RIGHT-9]', async () => {
  const { operators, integrations, actions, db } = staff.server.context
  const { thief } = await staffed('eve')
  const asked = { name: 'One', scopes: ['orders:read'], proof: { password } }
  const { key } = (await call(thief, 'POST', '/operator/api-keys', asked)).body
  const row = await operators.authenticate(thief)
  const keyRow = await integrations.apiKeys.operator(key)
  const by = {
    kind: 'operator',
    operatorId: String(row?.operator_id),
    login: 'eve',
    role: 'owner',
    authenticatedAt: new Date(),
    requestId: 'test',
  } as const
  await staff.server.database.db.query(sql`delete from operator_sessions where id = ${row?.session_id}`)
  await staff.server.database.db.query(sql`update api_keys set revoked_at = now()`)
  const add = integrations.actions['api-key.add']
  const input = { name: 'Two', scopes: ['orders:read'] }
  const takeProof = async () => {}
  for (const sessionId of [String(row?.session_id), String(keyRow?.sessionId)])
    await expect(actions.execute(add, { ...by, sessionId }, input, { takeProof })).rejects.toMatchObject({
      code: 'session_ended',
    })
  expect(await db.query(sql`select from api_keys where name = 'Two'`)).toEqual([])
})

test('recovery codes of a second factor that was taken off open nothing that comes after it [RIGHT-10]', async () => {
  const token = await registerToken(staff.server.url, 'flo@example.org')
  const { accounts, db } = staff.server.context
  const id = String((await accounts.authenticate(token))?.user_id)
  const stolen = await switchOnApp(staff.server.context, 'user', id)
  expect(
    (
      await call(token, 'POST', '/account/second-factor/totp/removal', {
        proof: { password, code: await stolen.code() },
      })
    ).status,
  ).toBe(204)
  const own = await switchOnApp(staff.server.context, 'user', id)
  expect(own.recoveryCodes).toHaveLength(10)
  const login = (code?: string) =>
    call(null, 'POST', '/session', { email: 'flo@example.org', password, as: 'token', code })
  expect((await login(stolen.recoveryCodes[0])).code).toBe('second_factor_wrong')
  expect((await login(own.recoveryCodes[0])).status).toBe(200)
  // Codes that an older version left behind are no codes of the next factor either.
  await db.query(sql`delete from totp_secrets where user_id = ${id}`)
  const next = await switchOnApp(staff.server.context, 'user', id)
  expect(next.recoveryCodes).toHaveLength(10)
  expect((await login(own.recoveryCodes[1])).code).toBe('second_factor_wrong')
})
