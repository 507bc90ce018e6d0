import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { bearer, password, registerToken, sendJson } from '../support/api.ts'
import { openLink } from '../support/links.ts'
import { createPasskeyDevice } from '../support/passkey.ts'
import { startServer, type TestServer } from '../support/server.ts'

// A stranger registers somebody else's address and waits for its owner: nothing that the stranger put there may outlive the owner's proof.

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server?.close())

const call = (method: string, path: string, body?: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, token ? bearer(token) : {})
const logIn = (email: string, given = password) =>
  call('POST', '/session', { email, password: given, as: 'token' })

/** An account that a stranger made for this address, with a passkey and a delivery address that counts. */
async function prepared(email: string) {
  const { db } = server.context
  const token = await registerToken(server.url, email)
  const device = createPasskeyDevice(server.url)
  const { id } = await db.one<{ id: string }>(sql`select id from users where email_key = ${email}`)
  const holder = { kind: 'user', id } as const
  const { factors } = server.context.accounts
  const options = await factors.passkeyOptions(db, holder, { issuer: 'x', label: 'x' })
  await factors.addPasskey(db, holder, device.register(options), 'Laptop')
  await db.query(
    sql`insert into delivery_addresses (user_id, address, proof, message, signature, confirmed_at, counts_from, network, chain_id)
        values (${id}, '0x00000000000000000000000000000000000000AA', 'signature', 'm', 's',
                now() - interval '30 days', now() - interval '29 days', 'ethereum', 1)`,
  )
  await db.query(sql`update passkeys set created_at = now() - interval '30 days' where user_id = ${id}`)
  const addresses = () =>
    db.query(sql`select address from delivery_addresses where user_id = ${id} and withdrawn_at is null`)
  const byPasskey = async () => {
    const challenge = (await call('POST', '/session/passkey/options')).body
    return call('POST', '/session/passkey', { answer: device.login(challenge), as: 'token' })
  }
  return { id, token, addresses, byPasskey }
}

test('who resets the password of an account whose address was never proved finds nothing of a stranger’s on it [RIGHT-38]', async () => {
  const email = 'reset@example.org'
  const stranger = await prepared(email)
  await call('POST', '/account/password-resets', { email })
  const token = await openLink(server.context.db, 'reset_password', email)
  const own = 'the owner chose this one 7'
  expect((await call('POST', '/account/password-resets/use', { token, password: own })).status).toBe(204)
  expect((await call('GET', '/account', undefined, stranger.token)).status).toBe(401)
  expect((await stranger.byPasskey()).code).toBe('passkey_refused')
  expect(await stranger.addresses()).toEqual([])
  expect((await logIn(email, own)).status).toBe(200)
})

test('a link that confirms an address serves in a session of its account alone [RIGHT-38]', async () => {
  const email = 'clicked@example.org'
  const stranger = await prepared(email)
  const token = await openLink(server.context.db, 'confirm_email', email)
  const use = (as?: string) => call('POST', '/account/confirmations/use', { token }, as)
  expect((await use()).code).toBe('not_signed_in')
  expect((await use(await registerToken(server.url))).code).toBe('not_signed_in')
  expect((await call('GET', '/account', undefined, stranger.token)).body.isConfirmed).toBe(false)
  // The link was not used up: who registered uses it where they are signed in.
  expect((await use(stranger.token)).status).toBe(204)
})

test('a reset that first proves the mailbox says so for the referral; a later one and a confirmation do not [RIGHT-38, REFER-6]', async () => {
  const takenOver = (email: string) =>
    server.context.db.maybeOne(
      sql`select 1 from users where email_key = ${email} and taken_over_at > now() - interval '1 minute'`,
    )
  const reset = async (email: string) => {
    await call('POST', '/account/password-resets', { email })
    const token = await openLink(server.context.db, 'reset_password', email)
    const used = { token, password: 'the owner chose this one 7' }
    expect((await call('POST', '/account/password-resets/use', used)).status).toBe(204)
  }
  await registerToken(server.url, 'taken@example.org')
  await reset('taken@example.org')
  expect(await takenOver('taken@example.org')).toBeDefined()
  const token = await registerToken(server.url, 'proved@example.org')
  const link = await openLink(server.context.db, 'confirm_email', 'proved@example.org')
  expect((await call('POST', '/account/confirmations/use', { token: link }, token)).status).toBe(204)
  await reset('proved@example.org')
  expect(await takenOver('proved@example.org')).toBeUndefined()
})

test('nobody is moved into a stranger’s account by the link that confirms its new address [RIGHT-38]', async () => {
  const token = await registerToken(server.url, 'stranger@example.org')
  const email = 'victim@example.org'
  expect((await call('PATCH', '/account', { email, proof: { password } }, token)).status).toBe(200)
  const link = await openLink(server.context.db, 'change_email', email)
  expect((await call('POST', '/account/confirmations/use', { token: link })).code).toBe('not_signed_in')
})
