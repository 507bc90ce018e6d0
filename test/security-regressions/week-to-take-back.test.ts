import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { openLink } from '../support/links.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A thief has the password, and makes some changes that are mailed to the owner. Each link works for seven days, and in each of its
// hours it does all that its mail says. So the time of its effect is longer, and no other time is shorter.

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server?.close())

const call = (method: string, path: string, body?: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, token ? bearer(token) : {})
const owners = 'the owner chose this one 7'
const [thiefsAddress, DAY] = ['0x52908400098527886E0F7030069857D2E4169EE7', 24]
const logIn = (email: string) => call('POST', '/session', { email, password: owners, as: 'token' })
const choose = async (email: string, purpose = 'take_back') =>
  call('POST', '/account/password-resets/use', {
    token: await openLink(server.context.db, purpose, email),
    password: owners,
  })
let serial = 0

async function robbed() {
  const email = `week${(serial += 1)}@example.org`
  const token = await registerToken(server.url, email)
  const { id } = await server.context.db.one<{ id: string }>(
    sql`update users set confirmed_at = now() - interval '90 days' where email_key = ${email} returning id::text`,
  )
  const askToMove = (proof: object) =>
    call('PATCH', '/account', { email: `thiefs-${email}`, proof: { password, ...proof } }, token)
  return { email, token, id, askToMove }
}

/** All that an account has happened so many hours earlier. */
async function later(id: string, hours: number) {
  const { db } = server.context
  const seconds = hours * 3600
  await db.query(
    sql`update one_time_links set created_at = created_at - make_interval(secs => ${seconds}), expires_at = expires_at - make_interval(secs => ${seconds}) where user_id = ${id}`,
  )
  await db.query(
    sql`update totp_secrets set created_at = created_at - make_interval(secs => ${seconds}), confirmed_at = confirmed_at - make_interval(secs => ${seconds}) where user_id = ${id}`,
  )
  await db.query(
    sql`update delivery_addresses set named_at = named_at - make_interval(secs => ${seconds}), confirmed_at = confirmed_at - make_interval(secs => ${seconds}),
               counts_from = counts_from - make_interval(secs => ${seconds}) where user_id = ${id}`,
  )
  await db.query(
    sql`update users set deletion_due_at = deletion_due_at - make_interval(secs => ${seconds}) where id = ${id}`,
  )
}

test('in the last hour of its week the newest link takes back the app and the address of a thief who made them 23 hours before it [RIGHT-38, RIGHT-40]', async () => {
  const { db } = server.context
  const { id, email, askToMove } = await robbed()
  const app = await switchOnApp(server.context, 'user', id)
  await db.query(
    sql`insert into delivery_addresses (user_id, address, network, chain_id, proof, lacks_code, confirmed_at, counts_from)
        values (${id}, ${thiefsAddress}, 'ethereum', 1, 'typed', false, clock_timestamp(), clock_timestamp() + interval '1 day')`,
  )
  await later(id, 23)
  expect((await askToMove({ code: await app.code() })).status).toBe(200)
  await later(id, 7 * DAY - 1)
  expect((await choose(email)).status).toBe(204)
  expect((await logIn(email)).status).toBe(200)
  expect(
    await db.query(sql`select from delivery_addresses where user_id = ${id} and withdrawn_at is null`),
  ).toEqual([])
})

test('no link takes back an app that is on for longer than eight days, and none works longer than seven [RIGHT-38, RIGHT-40]', async () => {
  const { id, email, askToMove } = await robbed()
  const app = await switchOnApp(server.context, 'user', id)
  await later(id, DAY + 2)
  expect((await askToMove({ code: await app.code() })).status).toBe(200)
  await later(id, 7 * DAY - 1)
  expect((await choose(email)).status).toBe(204)
  expect((await logIn(email)).code).toBe('second_factor_required')

  const other = await robbed()
  expect((await other.askToMove({})).status).toBe(200)
  await later(other.id, 7 * DAY)
  expect((await choose(other.email)).code).toBe('link_expired')
})

test('an account is not deleted while a link may take it back, whenever its deletion was asked for [RIGHT-40, ACCOUNT-1]', async () => {
  const { db, accounts } = server.context
  const { id, email, token, askToMove } = await robbed()
  await db.query(sql`insert into holdings (user_id, granted_tokens) values (${id}, 5000)`)
  const asked = { proof: { password }, givesUpTokens: true }
  expect((await call('POST', '/account/deletion', asked, token)).body.dueAt).toEqual(expect.any(String))
  await later(id, 6 * DAY)
  expect((await askToMove({})).status).toBe(200)
  const moving = await openLink(db, 'change_email', `thiefs-${email}`)
  expect((await call('POST', '/account/confirmations/use', { token: moving }, token)).status).toBe(204)
  await later(id, 7 * DAY - 1)
  await accounts.deleteDueAccounts()
  expect((await choose(email)).status).toBe(204)
  expect((await logIn(email)).status).toBe(200)
})

test('a thief who changed how the account is entered does not delete it before its owner can undo that [RIGHT-40, ACCOUNT-1]', async () => {
  const { email, token, askToMove } = await robbed()
  expect((await askToMove({})).status).toBe(200)
  const deletion = await call('POST', '/account/deletion', { proof: { password } }, token)
  expect(deletion.body.dueAt).toEqual(expect.any(String))
  expect((await choose(email)).status).toBe(204)
  expect((await logIn(email)).body.user.deletionDueAt).toBeNull()
})
