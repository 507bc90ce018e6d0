import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { sampleMail } from '../../src/server/mail/mail-samples.ts'
import { bearer, operatorToken, password, sendJson } from '../support/api.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let owner: string
const boss = `boss-${randomUUID()}@example.org`

beforeAll(async () => {
  server = await startServer({
    RATE_LIMIT: 'on',
    TRUST_PROXY: '1',
    OPERATOR_LOGIN: 'owner',
    OPERATOR_PASSWORD: password,
  })
  owner = await operatorToken(server.url, 'owner')
  await server.database.db.query(sql`update operators set email = ${boss} where login = 'owner'`)
})
afterAll(() => server.close())

/** The number of mails of one kind that have gone out, once none waits. */
async function sent(kind: string): Promise<number> {
  const { db } = server.database
  const waiting = async () =>
    (await db.one<{ n: number }>(sql`select count(*)::int as n from graphile_worker.jobs`)).n
  await expect.poll(waiting).toBe(0)
  return (
    await db.one<{ n: number }>(sql`select count(*)::int as n from mail_deliveries where kind = ${kind}`)
  ).n
}

const api = (method: string, path: string, body: unknown, from = '198.51.100.1', token?: string) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, {
    'x-forwarded-for': from,
    ...(token ? bearer(token) : {}),
  })
const register = (email: string) =>
  api('POST', '/account', { name: 'x', email, phone: '+37255550000', password, as: 'token' }, '203.0.113.1')
const logIn = (email: string, from: string) => api('POST', '/session', { email, password, as: 'token' }, from)
/** A stranger registers an account on the mailbox and logs in until no mail about it goes out. */
async function silence(email: string): Promise<void> {
  expect((await register(email)).status).toBe(200)
  for (let n = 2; n < 18; n += 1) expect((await logIn(email, `203.0.113.${n}`)).status).toBe(200)
}

test("a stranger's account on an owner's mailbox keeps no mail from the owner [TEXT-6, TWO-19]", async () => {
  const addKey = { name: 'k', scopes: ['users:read'], expiresInDays: 365, proof: { password } }
  await silence(boss)
  const before = [await sent('owner_notice'), await sent('new_sign_in')]
  expect((await api('POST', '/operator/api-keys', addKey, undefined, owner)).status).toBe(200)
  await api('POST', '/operator/session', { login: 'owner', password, as: 'token' }, '192.0.2.9')
  const after = [await sent('owner_notice'), await sent('new_sign_in')]
  expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1])
})

test("a stranger's account on the mailbox of a person who is invited keeps no link away [TEXT-6]", async () => {
  const friend = `friend-${randomUUID()}@example.org`
  await silence(friend)
  const body = { login: 'friend', role: 'owner', email: friend, proof: { password } }
  expect((await api('POST', '/operator/operators', body, undefined, owner)).status).toBe(200)
  expect(await sent('operator_invitation')).toBe(1)
})

test("a stranger's account by another spelling of a mailbox silences no other account of it [TEXT-6]", async () => {
  const name = randomUUID()
  const email = `${name}@example.org`
  expect((await register(email)).status).toBe(200)
  await silence(`${name}+x@example.org`)
  const before = [await sent('new_sign_in'), await sent('password_changed')]
  const thief = (await logIn(email, '192.0.2.66')).body.token as string
  const change = { currentPassword: password, newPassword: 'the thief chose this one 8' }
  expect((await api('POST', '/account/password', change, '192.0.2.66', thief)).status).toBe(204)
  const after = [await sent('new_sign_in'), await sent('password_changed')]
  expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1])
})

test('an account on a mailbox keeps no announcement from the follower who confirmed it [TEXT-6]', async () => {
  const email = `reader-${randomUUID()}@example.org`
  await silence(email)
  const before = await sent('announcement')
  await server.context.mailer.sendMail(server.database.db, sampleMail('announcement', 'en', email))
  expect(await sent('announcement')).toBe(before + 1)
})
