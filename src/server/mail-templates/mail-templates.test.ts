import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { actionsOf } from '../../../test/support/actions.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, headerServer } from '../../../test/support/header-server.ts'
import { race } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { statement } from '../../../test/support/statement.ts'
import type { MailDelivery } from '../../shared/api/mail-templates.ts'
import { mountOperatorMailTemplates } from '../http/operator-mail-templates.ts'
import { noteDelivery } from '../mail/delivery-log.ts'
import { Mailer } from '../mail/mail.ts'
import { MailTemplates } from './mail-templates.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const folder = await mkdtemp(join(tmpdir(), 'mails-'))
afterAll(() => rm(folder, { recursive: true }))
const mailerBy = (mail: ConstructorParameters<typeof Mailer>[0]['mail']) =>
  new Mailer({
    database: db,
    secrets: testSecrets,
    mail,
    publicUrl: 'https://sale.example.org',
    log: { info: () => {} },
  })
const mailer = mailerBy({ kind: 'folder', folder, from: 'no-reply@sale.example.org' })
const mails = new MailTemplates({ db, mailer, operators: { tellOwnersThrough: async () => {} } })
const actions = actionsOf(db, mails.actions)
const app = headerServer(db, (server) => mountOperatorMailTemplates({ ...server, actions }, mails))
const ownerId = await addOperator(db, 'mail-owner', 'owner')
const owner = { 'x-operator': `${ownerId}:owner` }
const content = { 'x-operator': `${await addOperator(db, 'mail-content', 'content')}:content` }
const WANT_TWO = statement(
  'test_mails_want_two',
  `update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb($1::boolean))`,
)
const JOBS = statement(
  'test_mails_jobs',
  `select id, payload from graphile_worker._private_jobs where payload ->> 'sealed' is not null order by id`,
)
const SET_EMAIL = statement('test_mails_email', 'update operators set email = $2 where id = $1')

const call = async (method: 'GET' | 'POST', url: string, payload?: object, headers: object = owner) => {
  const response = await app.inject({ method, url: `/api/v1${url}`, headers: { ...headers }, payload })
  return { status: response.statusCode, body: response.json() }
}
const words = (thanks: string) => ({
  subject: 'Order {number}: {currency} wanted',
  body: `Dear {name}, ${thanks}.\n\n{facts}\n\n{must}\n\n{button}`,
})
const publish = (basedOn: number, next: object | null) =>
  call('POST', '/operator/mail-templates/order_created/en', { basedOn, words: next })
const sealed = async (kind: string) => {
  const jobs = await db.query<{ id: string; payload: { kind: string } }>(JOBS)
  return jobs.filter(({ payload }) => payload.kind === kind)
}
/** Sends the one waiting mail of a kind and returns it. */
async function written(kind: string): Promise<string> {
  const [job] = await sealed(kind)
  await mailer.tasks.send_mail(job?.payload, { id: String(job?.id) })
  const [name = ''] = (await readdir(folder))
    .filter((file) => file.includes(kind))
    .toSorted()
    .slice(-1)
  return (await readFile(join(folder, name), 'utf8')).replace(/=\n/g, '')
}

test('words are published in versions, one of several editors at once, and can be set back [RIGHT-21]', async () => {
  const ends = await race(
    db,
    ['one', 'two', 'three'].map((text) => () => publish(0, words(text))),
  )
  const statuses = ends.map((end) => (end.status === 'fulfilled' ? end.value.status : 0))
  expect(statuses.toSorted()).toEqual([200, 409, 409])
  const back = await publish(1, null)
  expect(back.body).toMatchObject({ version: 2, isEdited: false })
  expect(back.body.words).toEqual(back.body.product)
  expect(back.body.versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
  await publish(2, words('thank you'))
  const { body } = await call('GET', '/operator/mail-templates')
  const shown = body.items.filter(({ isEdited }: { isEdited: boolean }) => isEdited)
  expect(shown).toMatchObject([{ kind: 'order_created', language: 'en', version: 3, operator: 'mail-owner' }])
})

test('words that lack what has to stay, and who may not write, are refused, and nothing is kept', async () => {
  const bad = await publish(3, { subject: 'Hi', body: '{facts}\n\n{link}' })
  expect(bad.status).toBe(422)
  expect(bad.body.error.issues.map(({ code }: { code: string }) => code)).toEqual([
    'mail_variable_unknown',
    'mail_part_missing',
    'mail_part_missing',
    'mail_part_missing',
  ])
  expect((await publish(3, { subject: 'a\nb', body: 'x' })).status).toBe(422)
  expect((await publish(3, { ...words('x'), body: 'x'.repeat(4_001) })).status).toBe(422)
  const theirs = { basedOn: 3, words: words('hello') }
  expect((await call('POST', '/operator/mail-templates/order_created/en', theirs, content)).status).toBe(403)
  const stale = { ...owner, 'x-stale': 'yes' }
  expect(
    (await call('POST', '/operator/mail-templates/order_created/en', theirs, stale)).body.error.code,
  ).toBe('step_up_required')
  expect((await call('GET', '/operator/mail-templates/order_created/en')).body.version).toBe(3)
})

test('where two decide, words wait for the second [RIGHT-21]', async () => {
  await db.query(WANT_TWO, [true])
  const asked = await publish(3, words('wait'))
  await db.query(WANT_TWO, [false])
  expect(asked.body.error.code).toBe('second_operator_required')
  expect((await call('GET', '/operator/mail-templates/order_created/en')).body.version).toBe(3)
})

test('a mail has the words in force; a delivery that failed is listed with its reason and a masked address', async () => {
  const mail = {
    kind: 'order_created',
    to: 'anna.buyer@example.org',
    language: 'en',
    name: 'Anna {button}',
    number: '7',
    currency: 'BTC',
    cryptoAmount: '1',
    receiveTokens: '2',
    bonusTokens: '0',
    usd: '3.00',
    until: '2030-01-02T03:04:00.000Z',
    watched: true,
    link: 'https://sale.example.org/x',
  } as const
  await db.transaction((tx) => mailer.sendMail(tx, mail))
  const [job] = await sealed('order_created')
  const broken = mailerBy({
    kind: 'smtp',
    url: 'smtp://127.0.0.1:1',
    mayBePlain: true,
    from: 'no-reply@sale.example.org',
  })
  const tried = { id: String(job?.id) }
  await expect(broken.tasks.send_mail(job?.payload, tried)).rejects.toThrow()
  broken.close()
  const failing = await call('GET', '/operator/mail-deliveries?state=failing')
  expect(failing.body.items).toMatchObject([{ id: tried.id, tries: 1, textVersion: 3, to: 'a•••@e•••.org' }])
  expect(failing.body.items[0].error).toMatch(/ECONNREFUSED/)
  const text = await written('order_created')
  expect(text).toContain('Dear Anna {button}, thank you.')
  expect(text).toContain('Order 7: BTC wanted')
  expect(text).toContain('never pay to an address from a mail')
  const { body } = await call('GET', '/operator/mail-deliveries')
  const [sent] = body.items as MailDelivery[]
  expect(sent).toMatchObject({ id: tried.id, state: 'waiting', tries: 2, error: null })
  expect((await call('GET', '/operator/mail-deliveries', undefined, content)).status).toBe(403)
})

test('a preview and a test show words that are not in force, with an invented reader, to who asks alone', async () => {
  const preview = await call('POST', '/operator/mail-templates/order_reversed/en/preview', {
    subject: 'Late {number}',
    body: '{name} <b>late</b>\n\n{facts}\n\n{button}',
  })
  expect(preview.body.html).toContain('Anna Example &lt;b&gt;late&lt;/b&gt;')
  const trial = { subject: 'Late {number}', body: 'Late.\n\n{facts}\n\n{button}' }
  const send = () => call('POST', '/operator/mail-templates/order_reversed/en/test', trial)
  expect((await send()).body.error.code).toBe('own_email_missing')
  await db.query(SET_EMAIL, [ownerId, 'owner@example.org'])
  expect((await send()).body).toEqual({ to: 'owner@example.org' })
  const text = await written('order_reversed')
  expect(text).toMatch(/^To: <?owner@example.org>?/m)
  expect(text).toContain('[TEST] Late 1024')
  expect((await call('GET', '/operator/mail-templates/order_reversed/en')).body.version).toBe(0)
})

test('an address is masked in the reason of a failure however the mail server writes it', async () => {
  const mail = { kind: 'order_created', language: 'en', to: 'Anna.Buyer@Example.org' } as const
  await noteDelivery(
    db,
    { jobId: '900001', mail, textVersion: 0 },
    'failing',
    '550 5.1.1 <anna.buyer@example.org>: unknown',
  )
  const { body } = await call('GET', '/operator/mail-deliveries?state=failing')
  const [failing] = (body.items as MailDelivery[]).filter(({ id }) => id === '900001')
  expect(failing?.error).toMatch(/550 5\.1\.1/)
  expect(failing?.error).not.toMatch(/anna\.buyer/i)
})
