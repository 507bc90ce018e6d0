import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import type { Mail } from '../../src/server/mail/mail-kinds.ts'
import { sampleMail } from '../../src/server/mail/mail-samples.ts'
import { postponeMail } from '../../src/server/mail/parked-mails.ts'
import { MailWaits } from '../../src/server/mail/unproved-mailboxes.ts'
import { mailKinds } from '../../src/shared/api/mail-templates.ts'
import { password, sendJson } from '../support/api.ts'
import { queuedMails } from '../support/queued-mails.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })
})
afterAll(() => server.close())

const confirm = statement('test_confirm', 'update users set confirmed_at = now() where email_key = $1')
const SENT = 'select kind, count(*)::int as count from mail_deliveries group by kind'
const WAITING = 'select count(*)::int as count from graphile_worker.jobs where run_at <= now()'

/** How many mails of each kind have gone out, once none waits. */
async function sent(): Promise<Record<string, number>> {
  const { pool } = server.database.db
  await expect.poll(async () => (await pool.query(WAITING)).rows[0].count).toBe(0)
  const { rows } = await pool.query(SENT)
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

const register = (email: string) =>
  sendJson('POST', `${server.url}/api/v1/account`, {
    name: 'A',
    email,
    phone: '+37255550000',
    password,
    as: 'token',
  })

test('logins from thirty places mail an address that nobody proved 13 times, and all of them once it is proved [TEXT-6]', async () => {
  const name = randomUUID()
  const email = `${name}@example.org`
  expect((await register(email)).status).toBe(200)
  const logIn = (from: string) =>
    sendJson(
      'POST',
      `${server.url}/api/v1/session`,
      { email, password, as: 'token' },
      { 'x-forwarded-for': from },
    )
  for (let n = 0; n < 30; n += 1) expect((await logIn(`192.0.2.${n}`)).status).toBe(200)
  expect(await sent()).toEqual({ confirm_email: 1, new_sign_in: 13 })
  // An account with another spelling of the mailbox has only its own three more.
  const alias = `${name}+2@example.org`
  expect((await register(alias)).status).toBe(200)
  for (let n = 90; n < 99; n += 1)
    await sendJson(
      'POST',
      `${server.url}/api/v1/session`,
      { email: alias, password, as: 'token' },
      { 'x-forwarded-for': `192.0.2.${n}` },
    )
  expect(await sent()).toEqual({ confirm_email: 2, new_sign_in: 16 })
  await server.database.db.query(confirm, [email])
  for (let n = 100; n < 115; n += 1) expect((await logIn(`192.0.2.${n}`)).status).toBe(200)
  expect(await sent()).toEqual({ confirm_email: 2, new_sign_in: 31 })
})

test('whoever registers somebody else’s address and logs in there from many networks mails it no more links for a new password [RIGHT-42, TEXT-6]', async () => {
  const email = `${randomUUID()}@example.org`
  expect((await register(email)).status).toBe(200)
  const ask = async (path: string, body: object, from: string) =>
    (await sendJson('POST', `${server.url}/api/v1${path}`, body, { 'x-forwarded-for': from })).status
  const reset = (from: string) => ask('/account/password-resets', { email }, from)
  const networks = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4']
  const statuses = []
  for (const from of networks) {
    expect(await ask('/session', { email, password, as: 'token' }, from)).toBe(200)
    statuses.push(await reset(from))
  }
  expect(statuses).toEqual([204, 204, 204, 429])
  await server.database.db.query(confirm, [email])
  expect(await reset('198.51.100.4')).toBe(204)
})

test('of no kind but links and mails about money or to operators goes more to a mailbox that nobody proved [TEXT-6]', async () => {
  const email = `${randomUUID()}@example.org`
  await register(email)
  const before = await sent()
  const { db } = server.database
  for (const kind of mailKinds)
    for (let n = 0; n < 14; n += 1) await server.context.mailer.sendMail(db, sampleMail(kind, 'en', email))
  const after = await sent()
  const added = mailKinds.map((kind) => [kind, (after[kind] ?? 0) - (before[kind] ?? 0)] as const)
  const counted = added.filter(([, count]) => count < 14)
  expect(counted.reduce((sum, [, count]) => sum + count, 0)).toBe(13)
  expect(added.filter(([, count]) => count === 14).map(([kind]) => kind)).toEqual(
    expect.arrayContaining(['confirm_email', 'reset_password', 'refund_due']),
  )
  expect(counted.map(([kind]) => kind)).toEqual(
    expect.arrayContaining(['second_factor_changed', 'password_changed', 'order_created']),
  )
})

test('accounts that a stranger makes and deletes on a mailbox bring it few mails a day [TEXT-6]', async () => {
  const before = await sent()
  const to = `${randomUUID()}@example.org`
  const { mailer } = server.context
  for (let n = 0; n < 20; n += 1)
    await mailer.sendMail(server.database.db, sampleMail('account_deleted', 'en', to))
  expect(((await sent())['account_deleted'] ?? 0) - (before['account_deleted'] ?? 0)).toBe(13)
})

test('a thief inside brings a proved mailbox 30 mails of a kind a day, and all of another kind arrive [TEXT-6]', async () => {
  const email = `${randomUUID()}@example.org`
  await register(email)
  await server.database.db.query(confirm, [email])
  const before = await sent()
  const { mailer } = server.context
  const send = (kind: 'second_factor_changed' | 'account_deleting' | 'refund_due') =>
    mailer.sendMail(server.database.db, sampleMail(kind, 'en', email))
  for (let n = 0; n < 40; n += 1) await send('second_factor_changed')
  for (let n = 0; n < 2; n += 1) await send('account_deleting')
  for (let n = 0; n < 31; n += 1) await send('refund_due')
  const after = await sent()
  const added = (kind: string) => (after[kind] ?? 0) - (before[kind] ?? 0)
  expect([added('second_factor_changed'), added('account_deleting'), added('refund_due')]).toEqual([
    30, 2, 31,
  ])
})

test('of the mails of a kind beyond 30 a day the newest waits for the limit, and goes out [TEXT-6, DELIVER-4]', async () => {
  const email = `${randomUUID()}@example.org`
  await register(email)
  const { db } = server.database
  await db.query(confirm, [email])
  const before = await sent()
  const named = async () => (await sent())['delivery_address_named'] ?? 0
  const name = async (address: string) => {
    const mail = sampleMail('delivery_address_named', 'en', email)
    await server.context.mailer.sendMail(db, { ...mail, address } as Mail)
    return named()
  }
  for (let n = 0; n < 32; n += 1) await name(`0x${'0'.repeat(38)}${n + 10}`)
  const thiefs = '0x52908400098527886E0F7030069857D2E4169EE7'
  expect((await name(thiefs)) - (before['delivery_address_named'] ?? 0)).toBe(30)
  const waiting = async () => (await queuedMails(server.context)).filter(({ to }) => to === email)
  const newest = await waiting()
  expect(newest).toMatchObject([{ kind: 'delivery_address_named', address: thiefs }])
  // Jobs end in any order.
  await postponeMail(db, 'send_mail', { nth: '1' }, new MailWaits(`delivery_address_named ${email}`, 60))
  expect(await waiting()).toEqual(newest)
  await db.query(sql`update rate_limits set free_at = free_at - interval '48 minutes'`)
  // The process remembers for a second that the limit was reached.
  const afterAllWaits = async () => {
    await db.query(
      sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`,
    )
    return (await named()) - (before['delivery_address_named'] ?? 0)
  }
  await expect.poll(afterAllWaits).toBe(31)
})
