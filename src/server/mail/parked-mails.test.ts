import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { actionsOf, operatorActor } from '../../../test/support/actions.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator } from '../../../test/support/header-server.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import type { MailDelivery } from '../../shared/api/mail-templates.ts'
import type { AnyAction } from '../actions/actions.ts'
import type { Config } from '../config.ts'
import { sql } from '../database/database.ts'
import { MailTemplates } from '../mail-templates/mail-templates.ts'
import { type JobTry, Mailer } from './mail.ts'
import { endOfTries } from './parked-mails.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const owner = operatorActor(await addOperator(db, 'mail-owner', 'owner'), 'owner')
const folder = join(tmpdir(), `parked-mails-${process.pid}`)
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  for (const table of ['mail_deliveries', 'parked_mails', 'mail_server', 'graphile_worker._private_jobs'])
    await db.pool.query(`delete from ${table}`)
})

/** A mail server on this machine that refuses the recipients whose address has `refused` in it. */
async function startServer({ code = 550, tls = false } = {}) {
  const taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: tls ? [] : ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error('no such login')),
    onRcptTo: ({ address }, _session, done) =>
      address.includes('refused')
        ? done(Object.assign(new Error('no such mailbox'), { responseCode: code }))
        : done(),
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        taken.push(...session.envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as { port: number }
  return { taken, port, url: `smtp://127.0.0.1:${port}` }
}

const nowhere: Config['mail'] = { kind: 'folder', folder, from: 'no-reply@sale.example.org' }
const mailerBy = (mail: Config['mail'], more: object = {}) =>
  new Mailer({
    database: db,
    secrets: testSecrets,
    mail,
    publicUrl: 'https://sale.example.org',
    log: { info: () => {} },
    ...more,
  })
const smtp = (url: string) =>
  mailerBy({ kind: 'smtp', url, from: 'no-reply@sale.example.org', mayBePlain: true })

/** Runs every job that there is once, as the queue does. */
async function runJobs(mailer: Mailer, more: Partial<JobTry> = {}): Promise<unknown[]> {
  const jobs = await db.query<{ id: string; payload: unknown }>(
    sql`select id::text, payload from graphile_worker._private_jobs order by id`,
  )
  const faults: unknown[] = []
  for (const { id, payload } of jobs) {
    const work = mailer.tasks.send_mail(payload, { id, ...more })
    await work.then(
      () => db.query(sql`delete from graphile_worker._private_jobs where id = ${id}`),
      (error: unknown) => faults.push(error),
    )
  }
  return faults
}
const write = (
  mailer: Mailer,
  to: string,
  kind: 'password_changed' | 'reset_password' = 'password_changed',
) =>
  mailer.sendMail(db, {
    ...(kind === 'reset_password'
      ? { kind, link: 'https://sale.example.org/x' }
      : { kind, at: '2030-01-02T03:04:00.000Z' }),
    to,
    language: 'en',
    name: 'Ann',
  })
const deliveries = async (mailer: Mailer): Promise<MailDelivery[]> =>
  (await mailer.deliveries({ limit: 50 })).items
const states = async (mailer: Mailer) => (await deliveries(mailer)).map(({ state }) => state)

test('without a mail server a mail waits and nothing says that it was sent; with one it goes out, once [TEXT-22]', async () => {
  const { taken, url } = await startServer()
  const without = mailerBy(nowhere)
  await write(without, 'ann@example.org')
  expect(await runJobs(without)).toEqual([])
  expect(await states(without)).toEqual(['waiting'])
  await without.sendWaiting()
  expect(await states(without)).toEqual(['waiting'])

  const withServer = smtp(url)
  await withServer.sendWaiting()
  await withServer.sendWaiting()
  expect(await runJobs(withServer)).toEqual([])
  expect(taken).toEqual(['ann@example.org'])
  expect(await deliveries(withServer)).toMatchObject([{ state: 'sent', tries: 2, error: null }])
  withServer.close()
})

test('a demo keeps its mails in a folder and says so', async () => {
  const demo = mailerBy(nowhere, { isDemo: true })
  await write(demo, 'ann@example.org')
  await runJobs(demo)
  expect(await states(demo)).toEqual(['kept'])
})

test('a link that no longer opens anything is not sent late [TEXT-22]', async () => {
  const { taken, url } = await startServer()
  const without = mailerBy(nowhere)
  await write(without, 'ann@example.org', 'reset_password')
  await write(without, 'bea@example.org')
  await runJobs(without)
  await db.query(sql`update parked_mails set parked_at = now() - interval '2 hours'`)
  const withServer = smtp(url)
  await withServer.sendWaiting()
  await runJobs(withServer)
  expect(taken).toEqual(['bea@example.org'])
  expect(await states(withServer)).toEqual(['sent', 'given_up'])
  withServer.close()
})

test('what the mail server refuses for good is not tried again, until somebody presses [TEXT-22]', async () => {
  const { taken, url } = await startServer()
  const mailer = smtp(url)
  const { execute } = actionsWith(mailer)
  await write(mailer, 'refused@example.org')
  expect(await runJobs(mailer)).toEqual([])
  const [refused] = await deliveries(mailer)
  expect(refused).toMatchObject({ state: 'given_up', tries: 1 })
  await mailer.sendWaiting()
  expect(await runJobs(mailer)).toEqual([])
  expect((await deliveries(mailer))[0]?.tries).toBe(1)

  await expect(execute('mail.resend', { id: '424242' })).rejects.toMatchObject({ code: 'not_found' })
  expect(await execute('mail.resend', { id: refused?.id })).toEqual({ count: 1 })
  await runJobs(mailer)
  expect(await deliveries(mailer)).toMatchObject([{ id: refused?.id, state: 'given_up', tries: 2 }])
  expect(taken).toEqual([])
  mailer.close()
})

test('a refusal for now and a refused login are tried again, and the last try ends in `given up`', async () => {
  const { url } = await startServer({ code: 451 })
  const mailer = smtp(url)
  await write(mailer, 'refused@example.org')
  expect(await runJobs(mailer)).toHaveLength(1)
  expect(await states(mailer)).toEqual(['failing'])
  expect(await runJobs(mailer, { isLast: true })).toEqual([])
  expect(await states(mailer)).toEqual(['given_up'])
  expect(
    endOfTries(Object.assign(new Error('bad login'), { code: 'EAUTH', responseCode: 535 }), false),
  ).toBeNull()
  mailer.close()
})

const outsideHere = {
  resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
  isPublic: () => true,
}
const serverInput = (port: number, password: string | null, host = 'mail.example.org') => ({
  host,
  port,
  login: 'sale',
  password,
  from: 'sale@example.org',
})

function actionsWith(mailer: Mailer) {
  const templates = new MailTemplates({ db, mailer, operators: { tellOwnersThrough: async () => {} } })
  const actions = actionsOf(db, templates.actions)
  const execute = (name: keyof typeof templates.actions, input: unknown) =>
    actions.execute(templates.actions[name] as AnyAction, owner, input, { takeProof: async () => {} })
  return { templates, execute }
}

test('a mail server that a page names is kept sealed, and what waited goes out through it by TLS alone [TEXT-22]', async () => {
  const { taken, port } = await startServer({ tls: true })
  const mailer = mailerBy(nowhere, { outside: outsideHere })
  const { templates, execute } = actionsWith(mailer)
  await write(mailer, 'ann@example.org')
  await runJobs(mailer)
  expect(await templates.server()).toMatchObject({ source: 'none', server: null, waiting: 1 })
  await expect(execute('mail.send-waiting', {})).rejects.toMatchObject({ code: 'mail_server_missing' })

  await expect(execute('mail-server.set', { ...serverInput(port, null), revision: null })).rejects.toThrow()
  const set = await execute('mail-server.set', { ...serverInput(port, 'right'), revision: null })
  expect(set).toMatchObject({
    source: 'page',
    server: { host: 'mail.example.org', hasPassword: true, revision: 1 },
  })
  const { sealed } = await db.one<{ sealed: Buffer }>(sql`select password_sealed as sealed from mail_server`)
  expect(sealed.toString('latin1')).not.toContain('right')
  expect(JSON.stringify(await templates.server())).not.toContain('right')

  // Its certificate is nobody's: what would speak in the clear or to a stranger sends nothing.
  expect(await runJobs(mailer)).toHaveLength(1)
  expect(taken).toEqual([])
  expect((await deliveries(mailer))[0]?.error).toMatch(/certificate/)
  await expect(
    execute('mail-server.set', { ...serverInput(port, 'other'), revision: null }),
  ).rejects.toMatchObject({
    code: 'conflict',
  })
  // A changed host does not get the old host's password.
  const moved = { ...serverInput(port, null, 'thief.example.net'), revision: 1 }
  await expect(execute('mail-server.set', moved)).rejects.toThrow()
  await expect(templates.tryServer(owner.operatorId, moved)).rejects.toThrow()
  mailer.close()
})

test('a mail server inside the own network is not reached from a page [TEXT-14]', async () => {
  const { port } = await startServer()
  const mailer = mailerBy(nowhere)
  const { templates } = actionsWith(mailer)
  await db.query(sql`update operators set email = 'owner@example.org' where id = ${owner.operatorId}`)
  const input = serverInput(port, 'right', '127.0.0.1')
  await expect(templates.tryServer(owner.operatorId, input)).rejects.toMatchObject({
    code: 'mail_server_refused',
    details: { answer: expect.stringContaining('not on the public internet') },
  })
})

test('a page sets no mail server where the environment names one', async () => {
  const { port, url } = await startServer()
  const { execute } = actionsWith(smtp(url))
  await expect(
    execute('mail-server.set', { ...serverInput(port, 'right'), revision: null }),
  ).rejects.toMatchObject({ code: 'mail_server_of_environment' })
  expect(await db.query(sql`select from mail_server`)).toEqual([])
})

test('the trial by the server that is set reports its answer', async () => {
  const { taken, url } = await startServer()
  const mailer = smtp(url)
  const { templates } = actionsWith(mailer)
  await db.query(sql`update operators set email = 'owner@example.org' where id = ${owner.operatorId}`)
  expect(await templates.tryServer(owner.operatorId, null)).toEqual({
    host: 'SMTP_URL',
    to: 'owner@example.org',
  })
  expect(taken).toEqual(['owner@example.org'])
  await db.query(sql`update operators set email = 'refused@example.org' where id = ${owner.operatorId}`)
  await expect(templates.tryServer(owner.operatorId, null)).rejects.toMatchObject({
    code: 'mail_server_refused',
    details: { answer: expect.stringContaining('no such mailbox') },
  })
  mailer.close()
})
