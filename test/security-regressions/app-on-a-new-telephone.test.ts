import { generate } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { openLink } from '../support/links.ts'
import { startServer, type TestServer } from '../support/server.ts'

// An app that was on for years is replaced by another one. Its owner did that, and a thief is in the mailbox;
// or a thief with the password and one code did, and the owner has the mailbox and the old app.

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server?.close())

const call = (method: string, path: string, body?: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, token ? bearer(token) : {})
const chosen = 'whoever has the mailbox 4!'
const logIn = (email: string, code?: string) =>
  call('POST', '/session', { email, password: chosen, as: 'token', ...(code && { code }) })
let serial = 0

/** An account with an app of 800 days, which is replaced `minutes` later. Then `days` pass. */
async function replaced({ minutes = 0, days = 6 } = {}) {
  const email = `years${(serial += 1)}@example.org`
  const { db } = server.context
  const token = await registerToken(server.url, email)
  const { id } = await db.one<{ id: string }>(
    sql`update users set confirmed_at = now() - interval '900 days' where email_key = ${email} returning id::text`,
  )
  const old = await switchOnApp(server.context, 'user', id)
  await db.query(
    sql`update totp_secrets set confirmed_at = now() - interval '800 days' where user_id = ${id}`,
  )
  const proof = { password, code: await old.code() }
  expect((await call('POST', '/account/second-factor/totp/removal', { proof }, token)).status).toBe(204)
  await db.query(
    sql`update totp_secrets set removed_at = removed_at - make_interval(mins => ${minutes}) where user_id = ${id}`,
  )
  const begun = await call('POST', '/account/second-factor/totp', { proof: { password } }, token)
  const { secret } = begun.body as { secret: string }
  const seconds = Math.floor(Date.now() / 1000)
  const first = await generate({ secret, epoch: seconds - 30 })
  const confirmed = await call('POST', '/account/second-factor/totp/confirm', { code: first }, token)
  expect(confirmed.status).toBe(200)
  const ago = sql`with t as (update totp_secrets set removed_at = removed_at - make_interval(secs => ${days * 86400}), last_step = 0,
                                    confirmed_at = case when removed_at is null then confirmed_at - make_interval(secs => ${days * 86400}) else confirmed_at end
                              where user_id = ${id}),
                       c as (update recovery_codes set created_at = created_at - make_interval(secs => ${days * 86400}) where user_id = ${id})
                  update one_time_links set created_at = created_at - make_interval(secs => ${days * 86400}),
                         expires_at = expires_at - make_interval(secs => ${days * 86400}) where user_id = ${id}`
  await db.query(ago)
  return {
    email,
    id,
    oldCode: old.code,
    newCode: () => generate({ secret, epoch: Math.floor(Date.now() / 1000) }),
  }
}

const openers = {
  'a reset': async (email: string) => {
    await call('POST', '/account/password-resets', { email })
    return openLink(server.context.db, 'reset_password', email)
  },
  'the link that takes back': (email: string) => openLink(server.context.db, 'take_back', email),
}
const open = async (opener: keyof typeof openers, email: string) => {
  const token = await openers[opener](email)
  expect((await call('POST', '/account/password-resets/use', { token, password: chosen })).status).toBe(204)
}

test.each(['a reset', 'the link that takes back'] as const)(
  'after %s an account whose app moved to another telephone this week asks for a code of either app, and the first one that is used stays alone [RIGHT-38]',
  async (opener) => {
    for (const whose of ['oldCode', 'newCode'] as const) {
      const account = await replaced()
      const other = whose === 'oldCode' ? 'newCode' : 'oldCode'
      await open(opener, account.email)
      expect((await logIn(account.email)).code).toBe('second_factor_required')
      expect((await logIn(account.email, await account[whose]())).status).toBe(200)
      expect((await logIn(account.email, await account[other]())).code).toBe('second_factor_wrong')
    }
  },
)

test('who opens the newest mail in its last hour still has the app that a thief replaced 14 minutes before it [RIGHT-40]', async () => {
  const { email, oldCode } = await replaced({ minutes: 14, days: 6.99 })
  await open('the link that takes back', email)
  expect((await logIn(email, await oldCode())).status).toBe(200)
})

test('without a reset, an app that was replaced opens nothing [RIGHT-38]', async () => {
  const { email, oldCode, newCode } = await replaced()
  const given = { email, password, as: 'token' }
  expect((await call('POST', '/session', { ...given, code: await oldCode() })).code).toBe(
    'second_factor_wrong',
  )
  expect((await call('POST', '/session', { ...given, code: await newCode() })).status).toBe(200)
})

test('an app that was added later than 15 minutes after the old one was switched off is new, and a reset removes it [RIGHT-38]', async () => {
  const { email } = await replaced({ minutes: 16 })
  await open('a reset', email)
  expect((await logIn(email)).status).toBe(200)
})

test('a reset brings back no app that was switched off and not replaced [RIGHT-38]', async () => {
  const { email, id } = await replaced()
  await server.context.db.query(sql`delete from totp_secrets where user_id = ${id} and removed_at is null`)
  await open('a reset', email)
  expect((await logIn(email)).status).toBe(200)
})
