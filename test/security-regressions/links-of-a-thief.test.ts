import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { hashToken } from '../../src/server/secrets/secrets.ts'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { openLink } from '../support/links.ts'
import { createPasskeyDevice } from '../support/passkey.ts'
import { queuedMails } from '../support/queued-mails.ts'
import { queuedBehind } from '../support/race.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A thief has the password, or had the mailbox for ten minutes. No link of the thief's ends a link of the owner's, or outlives the owner's reset.

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server?.close())

const call = (method: string, path: string, body?: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, token ? bearer(token) : {})
const logIn = async (email: string, given = password) =>
  call('POST', '/session', { email, password: given, as: 'token' })
const choose = (token: string, chosen: string) =>
  call('POST', '/account/password-resets/use', { token, password: chosen })
const link = (purpose: string, email: string) => openLink(server.context.db, purpose, email)
const [owners, thiefs] = ['the owner chose this one 7', 'thief made this one 4!']
let serial = 0

async function proved() {
  const email = `robbed${(serial += 1)}@example.org`
  const token = await registerToken(server.url, email)
  await server.context.db.query(
    sql`update users set confirmed_at = now() - interval '90 days' where email_key = ${email}`,
  )
  return { email, token }
}

const askToMove = (to: string, token: string) =>
  call('PATCH', '/account', { email: to, proof: { password } }, token)
async function move(to: string, token: string) {
  await askToMove(to, token)
  return call('POST', '/account/confirmations/use', { token: await link('change_email', to) }, token)
}

test('a link that was mailed to a later address ends none of an earlier one [RIGHT-40]', async () => {
  const { email } = await proved()
  const [later, last] = [`later-${email}`, `last-${email}`]
  const thief = (await logIn(email)).body.token as string
  expect((await move(later, thief)).status).toBe(204)
  const ofOwner = await link('take_back', email)
  expect((await askToMove(last, thief)).status).toBe(200)
  expect((await choose(await link('take_back', later), thiefs)).status).toBe(204)

  const taken = { name: 'Thief', email, phone: '+37255550000', password, as: 'token' }
  expect((await call('POST', '/account', taken)).code).toBe('registration_failed')
  expect((await choose(ofOwner, owners)).status).toBe(204)
  expect((await logIn(email, owners)).status).toBe(200)
  expect((await logIn(later, thiefs)).code).toBe('login_failed')
})

test('an account that moves back to an address ends the links of the address between [RIGHT-40]', async () => {
  const { email, token } = await proved()
  const between = `between-${email}`
  expect((await move(between, token)).status).toBe(204)
  const ofOwner = await link('take_back', email)
  expect((await askToMove(email, token)).status).toBe(200)
  const ofThief = await link('take_back', between)
  const back = { token: await link('change_email', email) }
  expect((await call('POST', '/account/confirmations/use', back, token)).status).toBe(204)
  expect((await choose(ofThief, thiefs)).code).toBe('link_expired')
  expect((await choose(ofOwner, owners)).status).toBe(204)
})

test('a reset ends the links that its own address was mailed before [RIGHT-38]', async () => {
  const { email, token } = await proved()
  const options = await call('POST', '/account/passkeys/options', { proof: { password } }, token)
  const answer = createPasskeyDevice(server.url).register(options.body)
  await call('POST', '/account/passkeys', { name: 'Thief', answer }, token)
  const copied = await link('take_back', email)
  await call('POST', '/account/password-resets', { email })
  expect((await choose(await link('reset_password', email), owners)).status).toBe(204)
  expect((await choose(copied, thiefs)).code).toBe('link_expired')
  expect((await logIn(email, owners)).status).toBe(200)
})

test('who is inside ends no reset that the owner was mailed by changing the password [RIGHT-42]', async () => {
  const { email, token } = await proved()
  await call('POST', '/account/password-resets', { email })
  const mailed = await link('reset_password', email)
  const changed = { currentPassword: password, newPassword: thiefs }
  expect((await call('POST', '/account/password', changed, token)).status).toBe(204)
  expect((await choose(mailed, owners)).status).toBe(204)
  expect((await call('GET', '/account', undefined, token)).status).toBe(401)
  expect((await logIn(email, owners)).status).toBe(200)
})

test('a move that was asked for before the address was proved ends with the proof [RIGHT-40]', async () => {
  const email = `unproved${(serial += 1)}@example.org`
  const own = await registerToken(server.url, email)
  const thief = (await logIn(email)).body.token as string
  const away = `away-${email}`
  expect((await askToMove(away, thief)).status).toBe(200)
  const moving = await link('change_email', away)
  const proof = await link('confirm_email', email)
  expect((await call('POST', '/account/confirmations/use', { token: proof }, own)).status).toBe(204)
  const moved = await call('POST', '/account/confirmations/use', { token: moving }, thief)
  expect(moved.code).toBe('link_expired')
})

test('an account with tokens is deleted after a week, which is mailed; the link of the mail, or any new password, keeps it [ACCOUNT-1, RIGHT-40]', async () => {
  const { db, accounts } = server.context
  for (const by of ['the link of the mail', 'a new password', 'nobody'] as const) {
    const { email, token } = await proved()
    const { id } = await db.one<{ id: string }>(sql`select id from users where email_key = ${email}`)
    await db.query(sql`insert into holdings (user_id, granted_tokens) values (${id}, 5000)`)
    const asked = { proof: { password }, givesUpTokens: true }
    const deletion = await call('POST', '/account/deletion', asked, token)
    expect(deletion.body.dueAt).toEqual(expect.any(String))
    expect((await call('GET', '/account', undefined, token)).body.deletionDueAt).toBe(deletion.body.dueAt)
    const mailed = await link('take_back', email)
    if (by === 'the link of the mail') expect((await choose(mailed, owners)).status).toBe(204)
    const changed = { currentPassword: password, newPassword: owners }
    if (by === 'a new password')
      expect((await call('POST', '/account/password', changed, token)).status).toBe(204)
    await db.query(sql`update users set deletion_due_at = deletion_due_at - interval '7 days'`)
    await db.query(sql`update one_time_links set expires_at = expires_at - interval '7 days'`)
    await accounts.deleteDueAccounts()
    expect([by, await db.query(sql`select from users where id = ${id} and deleted_at is null`)]).toEqual([
      by,
      by === 'nobody' ? [] : [{}],
    ])
  }
})

test('an account that may be moved back to an earlier address is not deleted at once [ACCOUNT-1, RIGHT-40]', async () => {
  const { email } = await proved()
  const thief = (await logIn(email)).body.token as string
  expect((await move(`gone-${email}`, thief)).status).toBe(204)
  const deletion = await call('POST', '/account/deletion', { proof: { password } }, thief)
  expect(deletion.body.dueAt).toEqual(expect.any(String))
  expect((await choose(await link('take_back', email), owners)).status).toBe(204)
  expect((await logIn(email, owners)).body.user.deletionDueAt).toBeNull()
})

test('a move asked for while the address is being proved is told to that address [RIGHT-38, RIGHT-40]', async () => {
  const { db } = server.context
  const email = `proving${(serial += 1)}@example.org`
  const own = await registerToken(server.url, email)
  const thief = (await logIn(email)).body.token as string
  const proof = { token: await link('confirm_email', email) }
  const held = sql`select from user_sessions where token_hash = ${hashToken(thief)} for update`
  const answers = await queuedBehind(db, held, [
    () => askToMove(`away-${email}`, thief),
    () => call('POST', '/account/confirmations/use', proof, own),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 204])
  expect((await choose(await link('take_back', email), owners)).status).toBe(204)
})

test('a link of a former address that takes the account back is told to the present one [RIGHT-40]', async () => {
  const { email, token } = await proved()
  const present = `present-${email}`
  expect((await move(present, token)).status).toBe(204)
  expect((await choose(await link('take_back', email), thiefs)).status).toBe(204)
  const mails = (await queuedMails(server.context)).filter(({ to }) => to === present)
  expect(mails.map(({ kind }) => kind)).toEqual(['change_email', 'moved_back'])
})
