import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { quietUnits } from '../../../test/support/actions.ts'
import { makeHalfBought } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { forceDetail } from '../../../test/support/forced-detail.ts'
import { statement } from '../../../test/support/statement.ts'
import { until } from '../../../test/support/until.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { createOutboxHint } from '../live/outbox-hint.ts'
import { deliveryBy } from '../mail/delivery.ts'
import { Mailer } from '../mail/mail.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { sealPlain } from '../secrets/reseal.ts'
import { Secrets } from '../secrets/secrets.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { freeForgottenJobs, HeldJobs } from './held-jobs.ts'
import { Jobs, type PeriodicTask } from './jobs.ts'
import { announcements } from './outbox.ts'
import { Queue } from './queue.ts'
import { Quiet } from './quiet.ts'

const { db, url } = await createTestDatabase()
const secrets = new Secrets({ keys: ['a key of thirty-two characters!!'] })
const quiet = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} }
const publicUrl = 'http://localhost:3000'

/** A real SMTP server that keeps its mails; rejects the first `refusals`. */
async function startSink(refusals = 0) {
  const taken: { to: string[]; raw: string }[] = []
  let left = refusals
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        left -= 1
        if (left >= 0) return done(Object.assign(new Error('come back later'), { responseCode: 451 }))
        taken.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        return done()
      })
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const mail: Config['mail'] = {
    kind: 'smtp',
    mayBePlain: true,
    url: `smtp://127.0.0.1:${port}`,
    from: 'no-reply@sale.example.org',
  }
  return { taken, mail }
}

function jobsWith(mail: Config['mail'], periodic: readonly PeriodicTask[] = [], database = db) {
  const mailer = new Mailer({ database, secrets, mail, publicUrl, log: quiet })
  const owners: unknown[] = []
  const tellOwners = async (_tx: unknown, notice: unknown, by: string) => {
    owners.push({ notice, by })
  }
  const jobs = new Jobs({ database, mailer, tellOwners, periodic, log: quiet })
  return { mailer, jobs, owners }
}

function subjectOf(raw: string): string {
  const folded = /^Subject: ((?:.*)(?:\r?\n[ \t].*)*)/m.exec(raw)?.[1] ?? ''
  return folded
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_all, how: string, text: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : Buffer.from(
            text
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/g, (_hex, code: string) =>
                String.fromCharCode(Number.parseInt(code, 16)),
              ),
            'latin1',
          ).toString('utf8'),
    )
}

const approvalRequest = statement(
  'test_jobs_waiting_action',
  `with o as (insert into operators (login, role) values ('asker', 'finance') returning id)
   insert into approval_requests (kind, subject_type, subject_id, payload, summary, requested_by)
   select 'grant.add', 'user', '1', '{}', $1::jsonb, id from o returning id`,
)
const tellOfAction = statement(
  'test_jobs_tell_of_action',
  `insert into outbox (kind, payload) values ($1, jsonb_build_object('action', $2::text))`,
)
const makeOrder = statement(
  'test_jobs_order',
  `with u as (insert into users (email, email_key, name, language, is_demo)
       values ($1, $1, $2, $3, $4) returning id),
     c as (insert into currencies (code, full_name, network, rate, address) values ($5, $5, 'manual', 4, 'addr') returning id),
     s as (insert into stages (name, goal_usd, price_usd, starts_at, ends_at)
       values ('S', 1000, 1, now() + make_interval(days => $6), now() + make_interval(days => $6, hours => 12)) returning id),
     t as (insert into order_terms (maximum_tokens, levels) values (1, '[]') on conflict on constraint order_terms_once do update set levels = excluded.levels returning id),
     o as (insert into orders (token, user_id, currency_id, currency, stage_id, base_tokens, bonus_tokens, bonus_percent,
         held_percent, level_key, terms_id, crypto_amount, usd, price_usd, rate, place, watched, sent_at, expires_at)
       select 'tokq' || u.id, u.id, c.id, $5, s.id, 40, 2, 5, 5, 'bronze', t.id, 10, 180, 4.5, 4, 'addr', false, now(), now() + interval '1 hour'
         from u, c, s, t returning id, user_id),
     told as (insert into outbox (kind, order_id, user_id) select 'order_created', id, user_id from o)
   select id, user_id from o`,
)
/** Two payments of an order that are owed back, and the lines that say so. */
const oweTwice = statement(
  'test_jobs_owe',
  `with c as (insert into chains (name, family, confirmation_rules) values ('litecoin', 'bitcoin', '[]') on conflict (name) do nothing),
     p as (insert into payments (chain, transaction_id, output_key, address, asset, amount, owed, order_id, user_id, seen_at, confirmations_needed)
       select 'litecoin', 't' || o.id, n, 'addr', 'native', n, n, o.id, o.user_id, now(), 1 from orders o, (values (1.5), (2)) a (n) where o.id = $1 returning *),
     r as (insert into refunds (payment_id, order_id, user_id, currency_id, chain, currency, amount, usd, reason)
       select p.id, o.id, o.user_id, o.currency_id, 'litecoin', o.currency, p.amount, p.amount, 'overpaid' from p join orders o on o.id = p.order_id returning *)
   insert into outbox (kind, order_id, user_id, payload) select 'refund_owed', order_id, user_id, jsonb_build_object('refund', id::text) from r`,
)
const payOne = statement(
  'test_jobs_pay',
  `with r as (update refunds set state = 'paid', address = $2, transaction_id = $3, output_key = id where order_id = $1 and amount = 1.5 returning *)
   insert into outbox (kind, order_id, user_id, payload) select 'refund_paid', order_id, user_id, jsonb_build_object('refund', id::text) from r`,
)
let serial = 0
async function order(language = 'en', isDemo = false) {
  serial += 1
  const email = `jobs${serial}@example.org`
  const values = [email, 'Ann <b>', language, isDemo, `C${serial}`, serial]
  return { ...(await db.one<{ id: string; user_id: string }>(makeOrder, values)), email, code: `C${serial}` }
}

const WAITING = statement('test_jobs_outbox_waiting', 'select from outbox')

test('a clock that goes before and is set right again keeps nothing in the outbox [STAGE-7]', async () => {
  const { jobs, mailer } = jobsWith({ kind: 'folder', folder: tmpdir(), from: 'no-reply@localhost' })
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  await jobs.start()
  try {
    await delay(700)
    clock.mockRestore()
    await db.query(tellOfAction, ['campaign_changed', '0'])
    await until(async () => (await db.query(WAITING)).length === 0)
  } finally {
    clock.mockRestore()
    await jobs.stop()
    mailer.close()
  }
})

test('a mail goes out if and only if its transaction commits, in both languages, as text and HTML', async () => {
  const { taken, mail } = await startSink()
  const { jobs, mailer } = jobsWith(mail)
  await jobs.start()
  try {
    const content = {
      kind: 'reset_password',
      name: 'Ann',
      link: `${publicUrl}/reset-password#token=abc`,
    } as const
    const rolledBack = db.transaction(async (tx) => {
      await mailer.sendMail(tx, { ...content, to: 'never@example.org', language: 'en' })
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await mailer.sendMail(db, { ...content, to: 'ann@example.org', language: 'en' })
    await mailer.sendMail(db, { ...content, to: 'anna@example.org', language: 'ru' })
    await until(() => taken.length === 2)
    const byTo = Object.fromEntries(taken.map((one) => [one.to[0], one.raw]))
    expect(subjectOf(byTo['ann@example.org'] ?? '')).toBe('New password for localhost')
    expect(subjectOf(byTo['anna@example.org'] ?? '')).toBe('Новый пароль для localhost')
    expect(byTo['ann@example.org']).toContain('Content-Type: text/plain')
    expect(byTo['ann@example.org']).toContain('Content-Type: text/html')
    expect(byTo['ann@example.org']).toContain('Auto-Submitted: auto-generated')
    expect(byTo['never@example.org']).toBeUndefined()
  } finally {
    await jobs.stop()
    mailer.close()
  }
})

test('a job keeps nothing to read: neither link nor address', async () => {
  const { mailer } = jobsWith({ kind: 'folder', folder: '/nowhere', from: 'a@b.example' })
  const mail: Mail = {
    kind: 'reset_password',
    to: 'secret@example.org',
    language: 'en',
    name: 'Ann',
    link: 'https://x/#token=s3cret',
  }
  await mailer.sendMail(db, mail)
  const { rows } = await db.pool.query('select payload::text from graphile_worker._private_jobs')
  expect(rows).toHaveLength(1)
  expect(rows[0].payload).not.toMatch(/secret@|s3cret|Ann/)
  await db.pool.query('delete from graphile_worker._private_jobs')
})

test('a mail that needs TLS never goes to a server that offers none', async () => {
  const { taken, mail } = await startSink()
  const content = {
    kind: 'reset_password',
    to: 'ann@example.org',
    fromName: 'Sale',
    messageId: '<1@localhost>',
    subject: 'New password',
    text: 'https://x/#token=s3cret',
    html: '',
  }
  const strict = deliveryBy({ ...mail, mayBePlain: false })
  await expect(strict.send(content)).rejects.toThrow(/STARTTLS/)
  strict.close()
  expect(taken).toEqual([])
  const open = deliveryBy(mail)
  await open.send(content)
  open.close()
  expect(taken).toHaveLength(1)
})

test('a server that refuses for now gets the mail later, once', async () => {
  const { taken, mail } = await startSink(1)
  const { jobs, mailer } = jobsWith(mail)
  await mailer.sendMail(db, {
    kind: 'password_changed',
    to: 'ann@example.org',
    language: 'en',
    name: 'Ann',
    at: new Date().toISOString(),
  })
  await jobs.start()
  try {
    await until(async () => {
      await db.pool.query(
        'update graphile_worker._private_jobs set run_at = now() where attempts > 0 and run_at > now()',
      )
      return taken.length === 1
    })
    await delay(200)
    expect(taken).toHaveLength(1)
  } finally {
    await jobs.stop()
    mailer.close()
  }
})

test('without SMTP each mail is a file that only this user can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'presale-mail-'))
  const { jobs, mailer } = jobsWith({
    kind: 'folder',
    folder: join(folder, 'mail'),
    from: 'no-reply@localhost',
  })
  await jobs.start()
  try {
    await mailer.sendMail(db, {
      kind: 'confirm_email',
      to: 'ann@example.org',
      language: 'en',
      name: '<Ann>\r\nBcc: x@example.org',
      link: `${publicUrl}/confirm-email#token=abc`,
    })
    await until(async () => (await readdir(join(folder, 'mail')).catch(() => [])).length === 1)
    const [name = ''] = await readdir(join(folder, 'mail'))
    expect(name).toMatch(/-confirm_email-[0-9a-f]{6}\.eml$/)
    const file = join(folder, 'mail', name)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect(text).toContain('#token=3Dabc')
    expect(text).toContain('&lt;Ann&gt;')
    expect(text.split('\n\n')[0]).not.toMatch(/^Bcc:/m)
  } finally {
    await jobs.stop()
    mailer.close()
    await rm(folder, { recursive: true })
  }
})

describe('outbox', () => {
  test('becomes one mail an order and one live notification, whoever drains; demo buyers get none', async () => {
    const { taken, mail } = await startSink()
    const orders = [await order('en'), await order('ru')]
    const demo = await order('en', true)
    const heard: string[] = []
    const listener = new Client({ connectionString: url })
    await listener.connect()
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await listener.query('listen live')
    const one = jobsWith(mail)
    const two = jobsWith(mail)
    const drained = await Promise.all([
      one.jobs.drain(),
      two.jobs.drain(),
      one.jobs.drain(),
      two.jobs.drain(),
    ])
    expect(drained.filter((count) => count > 0).length).toBeGreaterThan(0)
    expect((await db.pool.query('select count(*)::int as count from outbox')).rows).toEqual([{ count: 0 }])
    // Each that drained announces its part, one after the other.
    const idsHeard = () => heard.flatMap((text) => (JSON.parse(text) as { orders: string[] }).orders)
    await until(() => idsHeard().length >= orders.length + 1)
    const told = heard.map((text) => JSON.parse(text))
    // An order that nobody has approved moves no public figure.
    expect(told.some(({ campaign }) => campaign)).toBe(false)

    await one.jobs.start()
    await two.jobs.start()
    try {
      await until(() => taken.length === 2)
      await delay(300)
      expect(idsHeard().toSorted()).toEqual([...orders, demo].map(({ id }) => id).toSorted())
      expect(taken.map(({ to }) => to[0]).toSorted()).toEqual(orders.map(({ email }) => email).toSorted())
      const russian = taken.find(({ to }) => to[0] === orders[1]?.email)
      expect(subjectOf(russian?.raw ?? '')).toBe(`Заказ №${orders[1]?.id} создан`)
      const english = taken.find(({ to }) => to[0] === orders[0]?.email)
      expect(english?.raw).toContain('10 C1')
      expect(english?.raw).toContain('Ann &lt;b&gt;')
    } finally {
      await one.jobs.stop()
      await two.jobs.stop()
      await listener.end()
    }
  })

  /** An order that is approved for the half of twice as much, and the line that says that it is approved. */
  async function halfBought(language: string) {
    const made = await order(language)
    await db.pool.query('delete from outbox')
    await approve(made)
    await makeHalfBought(db, Number(made.id))
    return made
  }
  async function approve({ id, user_id: userId }: Awaited<ReturnType<typeof order>>) {
    await db.pool.query(
      `update orders set status = 'approved', approved_via = 'operator', approved_at = now() where id = $1`,
      [id],
    )
    await db.pool.query("select tell('order_approved', $1, $2)", [id, userId])
  }

  test('an order of which a part is bought says how much of how much, and until when the rest may follow', async () => {
    const { taken, mail } = await startSink()
    const half = await halfBought('en')
    const { jobs } = jobsWith(mail)
    const { until: restUntil } = await db.one<{ until: string }>(
      statement(
        'test_jobs_expires',
        `select to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC' as until from orders where id = $1`,
      ),
      [half.id],
    )
    await jobs.drain()
    await jobs.start()
    try {
      await until(() => taken.length === 1)
      expect(subjectOf(taken[0]?.raw ?? '')).toMatch(new RegExp(`^Order #${half.id}: 40 of 80 .*bought$`))
      expect(taken[0]?.raw).toContain(restUntil)
      // The rest came.
      await db.pool.query(`update orders set asked = null where id = $1`, [half.id])
      await forceDetail(db, half.id, 'approved_by_operator')
      await approve(half)
      await jobs.drain()
      await until(() => taken.length === 2)
      expect(subjectOf(taken[1]?.raw ?? '')).toBe(`Order #${half.id} was approved`)
    } finally {
      await jobs.stop()
    }
  })

  test('a mail says what an order is by then: a part that became the whole, an approval that is gone', async () => {
    const { taken, mail } = await startSink()
    const gone = await halfBought('en')
    const whole = await halfBought('en')
    await approve(gone)
    await approve(whole)
    await forceDetail(db, whole.id, 'approved_by_operator')
    await db.pool.query(
      `update orders set status = 'pending', approved_via = null, approved_at = null where id = $1`,
      [gone.id],
    )
    const { jobs } = jobsWith(mail)
    await jobs.drain()
    await jobs.start()
    try {
      await until(() => taken.length === 1)
      await delay(300)
      expect(taken.map(({ raw }) => subjectOf(raw))).toEqual([`Order #${whole.id} was approved`])
    } finally {
      await jobs.stop()
    }
  })

  test('an approval that was taken back is told as that, not as an order that could not be processed', async () => {
    const { taken, mail } = await startSink()
    const [rejected, reversed] = [await order('en'), await order('ru')]
    await db.pool.query('delete from outbox')
    for (const [{ id, user_id: userId }, kind] of [
      [rejected, 'rejected'],
      [reversed, 'reversed'],
    ] as const) {
      await db.pool.query('select note_order_event($1, $2, $3)', [id, kind, 'system'])
      await db.pool.query("select tell('order_rejected', $1, $2)", [id, userId])
    }
    const { jobs } = jobsWith(mail)
    await jobs.drain()
    await jobs.start()
    try {
      await until(() => taken.length === 2)
      expect(taken.map(({ raw }) => subjectOf(raw)).toSorted()).toEqual([
        `Order #${rejected.id} was rejected`,
        `Заказ №${reversed.id}: одобрение отозвано`,
      ])
    } finally {
      await jobs.stop()
    }
  })

  test('what happened to an order twice before anybody was told is one mail, and holds up no other', async () => {
    const { taken, mail } = await startSink()
    const [twice, once] = [await order('en'), await order('ru')]
    await db.pool.query('delete from outbox')
    for (const approved of [twice, once, twice]) await approve(approved)
    const { jobs } = jobsWith(mail)
    await jobs.drain()
    await jobs.start()
    try {
      await until(() => taken.length === 2)
      await delay(200)
      expect(taken.map(({ raw }) => subjectOf(raw)).toSorted()).toEqual([
        `Order #${twice.id} was approved`,
        `Заказ №${once.id} подтверждён`,
      ])
    } finally {
      await jobs.stop()
    }
  })

  test('what is owed back is told once for all payments of an order, and what was paid back with its transaction', async () => {
    const { taken, mail } = await startSink()
    const orders = [await order('en'), await order('ru')]
    await db.pool.query('delete from outbox')
    for (const { id } of orders) await db.query(oweTwice, [id])
    const { jobs } = jobsWith(mail)
    await jobs.drain()
    await jobs.start()
    const mailOf = (who: number, place: number) =>
      taken.filter(({ to }) => to[0] === orders[who]?.email)[place]?.raw ?? ''
    try {
      await until(() => taken.length === 2)
      await delay(200)
      expect(taken).toHaveLength(2)
      expect(subjectOf(mailOf(0, 0))).toBe(`Order #${orders[0]?.id}: money is owed back to you`)
      expect(subjectOf(mailOf(1, 0))).toBe(`Заказ №${orders[1]?.id}: вам должны вернуть деньги`)
      expect(mailOf(0, 0)).toContain(`3.5 ${orders[0]?.code}`)
      for (const part of ['text/plain', 'text/html']) expect(mailOf(0, 0)).toContain(`Content-Type: ${part}`)

      for (const { id } of orders) await db.query(payOne, [id, 'their-own-address', 'ab'.repeat(32)])
      await sealPlain({ db, secrets })
      await jobs.drain()
      await until(() => taken.length === 4)
      expect(subjectOf(mailOf(0, 1))).toBe(`Order #${orders[0]?.id}: your refund was paid`)
      expect(subjectOf(mailOf(1, 1))).toBe(`Заказ №${orders[1]?.id}: деньги возвращены`)
      for (const fact of [`1.5 ${orders[0]?.code}`, 'their-own-address', 'abababab'])
        expect(mailOf(0, 1)).toContain(fact)
    } finally {
      await jobs.stop()
    }
  })

  test('a row written while running is told at once on a hint, and after half a second without', async () => {
    const { taken, mail } = await startSink()
    const { jobs } = jobsWith(mail)
    const hint = createOutboxHint(db)
    // The drainer's own look waits for this clock, which stands still.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      await jobs.start()
      const told = (count: number) =>
        until(async () => {
          hint()
          return taken.length === count
        })
      // The first may be found by the look with which the drainer begins.
      for (const count of [1, 2, 3]) {
        await order()
        await told(count)
      }
      await order()
      vi.advanceTimersByTime(500)
      await until(() => taken.length === 4)
    } finally {
      await jobs.stop()
      vi.useRealTimers()
    }
  })

  test('a wallet that changes is told to owners and to the buyers of open orders [WALLET-4]', async () => {
    const { taken, mail } = await startSink()
    const { id, email, code } = await order()
    await db.pool.query('delete from outbox')
    const told = { code, fields: ['address'], by: 'ann' }
    await quietUnits(db).run(system, async (unit) => {
      await unit.tell('currency_changed', {
        ...told,
        before: { address: 'old' },
        after: { address: 'new' },
      })
      await unit.tell('currency_changed', {
        ...told,
        before: { address: '' },
        after: { address: 'Club (#7): a, b, c' },
      })
    })
    const { jobs, owners } = jobsWith(mail)
    await jobs.drain()
    expect(owners).toEqual([
      { notice: { what: 'wallet_changed', currency: code, before: 'old', after: 'new' }, by: 'ann' },
      {
        notice: {
          what: 'wallet_changed',
          currency: code,
          before: '',
          after: 'Club (#7): a, b, c',
        },
        by: 'ann',
      },
    ])
    await jobs.start()
    try {
      await until(() => taken.length === 1)
      await delay(200)
      expect(taken.map(({ to }) => to)).toEqual([[email]])
      expect(subjectOf(taken[0]?.raw ?? '')).toBe(`Order #${id}: the wallet for ${code} has changed`)
    } finally {
      await jobs.stop()
    }
  })

  test('a rate source that changes is told to owners', async () => {
    const { mail } = await startSink()
    const { code } = await order()
    await db.pool.query('delete from outbox')
    await quietUnits(db).run(system, (unit) =>
      unit.tell('currency_changed', {
        code,
        fields: ['rate_source', 'rate'],
        by: 'ann',
        before: { rate_source: 'manual' },
        after: { rate_source: 'feed' },
      }),
    )
    const { jobs, owners } = jobsWith(mail)
    await jobs.drain()
    expect(owners).toEqual([
      { notice: { what: 'rate_source_changed', currency: code, before: 'manual', after: 'feed' }, by: 'ann' },
    ])
  })

  test('owners and operators hear of what waits for a second one, owners not of what is decided', async () => {
    const { mail } = await startSink()
    await db.pool.query('delete from outbox')
    const { id } = await db.one<{ id: string }>(approvalRequest, ['{"user": "U1", "amount": "5"}'])
    await db.query(tellOfAction, ['approval_waiting', id])
    const { jobs, owners } = jobsWith(mail)
    await jobs.drain()
    const notice = { what: 'approval_waiting', action: 'grant.add', summary: { user: 'U1', amount: '5' } }
    expect(owners).toEqual([{ notice, by: 'asker' }])
    await db.query(tellOfAction, ['approval_decided', id])
    await jobs.drain()
    expect(owners).toHaveLength(1)
    const [message] = announcements([{ kind: 'approval_waiting', order_id: null, user_id: null }])
    expect(JSON.parse(message ?? '')).toEqual({
      orders: [],
      users: [],
      campaign: false,
      settings: false,
      actions: true,
    })
  })

  test('a failure while draining leaves the rows', async () => {
    const { mail } = await startSink()
    await order()
    const mailer = new Mailer({ database: db, secrets, mail, publicUrl, log: quiet })
    const broken = { ...mailer, sendOrderMails: () => Promise.reject(new Error('no')) }
    const jobs = new Jobs({
      database: db,
      mailer: broken,
      tellOwners: async () => {},
      periodic: [],
      log: quiet,
    })
    await expect(jobs.drain()).rejects.toThrow('no')
    expect((await db.pool.query('select count(*)::int as count from outbox')).rows).toEqual([{ count: 1 }])
    await db.pool.query('delete from outbox')
  })

  test('announcements stay below what PostgreSQL takes and lose nothing', () => {
    const rows = Array.from({ length: 5000 }, (_, n) => ({
      kind: 'order_approved',
      order_id: String(10_000_000_000 + n),
      user_id: String(n % 700),
    }))
    const messages = announcements(rows)
    expect(Math.max(...messages.map((text) => Buffer.byteLength(text)))).toBeLessThan(7_200)
    const read = messages.map((text) => JSON.parse(text))
    expect(read.flatMap(({ orders }) => orders)).toHaveLength(5000)
    expect(read.flatMap(({ users }) => users)).toHaveLength(700)
    expect(read.filter(({ campaign }) => campaign)).toHaveLength(1)
  })
})

test('periodic tasks run in one process, and in another once that one is gone', async () => {
  const runs: string[] = []
  const folder: Config['mail'] = { kind: 'folder', folder: '/nowhere', from: 'a@b.example' }
  const taskOf = (who: string): PeriodicTask => ({
    name: 'beat',
    everySeconds: 0.1,
    run: async () => {
      runs.push(who)
      if (runs.length === 2) throw new Error('a failed run waits for its next turn')
    },
  })
  const databases = [openDatabase({ url }), openDatabase({ url })] as const
  const a = jobsWith(folder, [taskOf('a')], databases[0]).jobs
  const b = jobsWith(folder, [taskOf('b')], databases[1]).jobs
  await a.start()
  await until(() => runs.length > 0)
  await b.start()
  await until(() => runs.length > 5)
  expect(new Set(runs)).toEqual(new Set(['a']))
  await db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'presale jobs' and pid in
       (select pid from pg_locks where locktype = 'advisory' and granted)`,
  )
  await a.stop()
  runs.length = 0
  await until(() => runs.includes('b'))
  expect(runs).not.toContain('a')
  await b.stop()
  await Promise.all(databases.map((database) => database.close()))
})

test('a queue that has stopped has taken the job that was done out of its table, however long that took', async () => {
  const holder = await db.pool.connect()
  let isDone = false
  const test_slow_end = async () => {
    // The removal of the job waits for this lock.
    await holder.query(
      `begin; select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'test_slow_end' for update of j`,
    )
    isDone = true
  }
  const queue = new Queue({ database: db, tasks: { test_slow_end }, quiet: new Quiet(), log: quiet })
  await db.pool.query(`select graphile_worker.add_job('test_slow_end', '{}')`)
  await queue.start()
  await until(() => isDone)
  let isStopped = false
  const stopped = queue.stop().then(() => (isStopped = true))
  await delay(300)
  expect(isStopped).toBe(false)
  await holder.query('commit')
  holder.release()
  await stopped
  const { rows } = await db.pool.query(
    `select from graphile_worker.jobs where task_identifier = 'test_slow_end'`,
  )
  expect(rows).toEqual([])
})

test('a job that nobody holds any more is taken over, and one that somebody runs is not', async () => {
  const forget = (task: string) =>
    db.pool.query(
      `update graphile_worker._private_jobs set locked_at = now() - interval '31 seconds', locked_by = 'gone'
        where task_id = (select id from graphile_worker._private_tasks where identifier = $1)`,
      [task],
    )
  const held = new HeldJobs(db)
  await db.pool.query(
    `select graphile_worker.add_job('test_forgotten', '{}'), graphile_worker.add_job('test_held', '{}')`,
  )
  await forget('test_forgotten')
  await forget('test_held')
  const { rows } = await db.pool.query<{ id: string }>(
    `select id from graphile_worker.jobs where task_identifier = 'test_held'`,
  )
  await held.during(rows[0]?.id ?? '', async () => {
    await held.renew()
    expect(await freeForgottenJobs(db)).toBe(1)
    expect(await freeForgottenJobs(db)).toBe(0)
  })
  const { rows: free } = await db.pool.query(
    `select task_identifier from graphile_worker.jobs where locked_by is null and task_identifier like 'test%'`,
  )
  expect(free).toEqual([{ task_identifier: 'test_forgotten' }])
  await db.pool.query(
    `delete from graphile_worker._private_jobs where key is null and max_attempts = 25 and payload::text = '{}'`,
  )
})
