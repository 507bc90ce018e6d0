import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addBuyer, buy, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { limitsOf } from '../../../test/support/people.ts'
import { newPushBrowser, senderOf, startPushService } from '../../../test/support/push.ts'
import { race } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { tlsCertificate } from '../../../test/support/tls.ts'
import { fragment, sql } from '../database/database.ts'
import { drainOutbox } from '../jobs/outbox.ts'
import { Retention } from '../retention/retention.ts'
import { hashToken } from '../secrets/secrets.ts'
import { Push } from './push.ts'
import { encryptForBrowser } from './web-push.ts'

const service = await startPushService()
afterAll(() => service.close())
const { got, answers, origin, outside } = service

const { db } = await createTestDatabase({ holds: 'demo' })
const sale = await openSale(db)
const needs = {
  db,
  secrets: testSecrets,
  limits: limitsOf(db, false),
  publicUrl: 'https://sale.example.org',
  services: ['example.org'],
  log: { info: () => {} },
}
const push = new Push({ ...needs, outside })
const strict = new Push(needs)

let sessions = 0
async function sessionOf(userId: string) {
  sessions += 1
  const token = `token ${sessions}`
  const { id } = await db.one<{ id: string }>(
    sql`insert into user_sessions (token_hash, user_id, kind, expires_at)
        values (${hashToken(token)}, ${userId}, 'browser', now() + interval '1 day') returning id`,
  )
  return { userId, sessionId: id, userAgent: 'Mozilla/5.0 Firefox/140.0', token }
}
let browsers = 0
async function subscribe(tells: ('orders' | 'news')[], userId?: string) {
  const { by, browser, keep } = await asking(tells, userId)
  const { id } = await keep()
  await push.confirm(confirmationOf(id))
  await db.query(
    sql`select graphile_worker.complete_jobs(array(select j.id from graphile_worker.jobs j where j.task_identifier = 'push_first'))`,
  )
  const [device] = await push.list(by.userId)
  if (!device) throw new Error('no device')
  return { by, browser, device }
}
/** A browser whose buyer asks for notices in it. */
async function asking(tells: ('orders' | 'news')[], userId?: string) {
  const by = await sessionOf(userId ?? (await addConfirmed()))
  browsers += 1
  const browser = { ...newPushBrowser(), endpoint: `${origin}/send/${browsers}` }
  const { endpoint, p256dh, auth } = browser
  return { by, browser, keep: () => push.keep(by, { endpoint, p256dh, auth, tells }) }
}
const confirmationOf = (id: number, of = id) => ({
  id: String(id),
  proof: testSecrets.mac('push-first', String(of)).toString('base64url'),
})
/** A buyer whose address is proved. */
async function addConfirmed(): Promise<string> {
  const id = await addBuyer(db)
  await db.query(sql`update users set confirmed_at = now() where id = ${id}`)
  return id
}
const drain = () =>
  drainOutbox({
    database: db,
    mailer: { sendOrderMails: async () => {} },
    tellOwners: async () => {},
    tellBrowsers: (tx, lines) => push.tell(tx, lines),
  })
interface Job {
  id: string
  task: 'push_first' | 'push_order' | 'push_news'
  payload: unknown
}
const waiting = () =>
  db.query<Job>(
    sql`select j.id, t.identifier as task, j.payload from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier like 'push%' order by j.id`,
  )
/** As the queue: a job is gone once it ended well. */
async function work(from = push): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const { id, task, payload } of await waiting())
    await from.tasks[task](payload).then(
      () => db.query(sql`select graphile_worker.complete_jobs(array[${id}::bigint])`),
      (failure) => failures.push(failure),
    )
  return failures
}
const devicesOf = async (userId: string) => (await push.list(userId)).map(({ id }) => id)
const shownIn = (browser: { open(message: Buffer): string }, at = 0) =>
  JSON.parse(browser.open(got[at]?.body ?? Buffer.alloc(0)))

beforeEach(async () => {
  await drain()
  await db.query(sql`delete from push_devices`)
  await db.query(sql`delete from announcements`)
  await db.query(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`)
  got.length = 0
  answers.status = 201
})

/** An order that was approved, with its line of the outbox. */
async function approvedOrder(userId: string): Promise<string> {
  const { number } = await buy(sale, userId, '100')
  await drain()
  await sale.ledger.approve(String(number), { operatorId: null })
  return String(number)
}

test('a message is the one of RFC 8291, appendix A', () => {
  const message = encryptForBrowser(
    {
      endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    'When I grow up, I want to be a watermelon',
    {
      salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
      ephemeral: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    },
  )
  expect(message.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

describe('an order', () => {
  test('that was approved is told once, in the language of its buyer, to the browser alone [TEXT-12]', async () => {
    const { by, browser } = await subscribe(['orders'])
    await db.query(sql`update users set language = 'ru' where id = ${by.userId}`)
    const order = await approvedOrder(by.userId)
    await race(db, [drain, drain])
    expect(await work()).toEqual([])
    expect(got).toHaveLength(1)
    expect(shownIn(browser)).toEqual({
      title: (await sale.campaign.current()).settings.name,
      body: `Заказ №${order} одобрен.`,
      lang: 'ru',
      path: '/dashboard/my-token',
      order,
      tag: `order ${order} approved`,
    })
    expect(got[0]?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: '86400',
    })
    expect(() => newPushBrowser().open(got[0]?.body ?? Buffer.alloc(0))).toThrow()
    expect(await work()).toEqual([])
    expect(got).toHaveLength(1)
    expect((await push.list(by.userId))[0]?.lastSentAt).not.toBeNull()
  })

  test('is signed by the one key of this installation, for that push service alone [TEXT-12]', async () => {
    const { by } = await subscribe(['orders'])
    await approvedOrder(by.userId)
    await drain()
    await work()
    const authorization = String(got[0]?.headers.authorization)
    const { key, claims } = senderOf(authorization)
    const keys = await race(
      db,
      [1, 2, 3].map(() => () => new Push(needs).sender.publicKey()),
    )
    expect(new Set(keys.map((made) => (made.status === 'fulfilled' ? made.value : made.reason)))).toEqual(
      new Set([key]),
    )
    expect(() => senderOf(authorization.replace(/\.(\w{3})/, '.$1x'))).toThrow('not signed')
    const { aud, exp, sub } = claims
    expect({ aud, sub }).toEqual({ aud: origin, sub: 'https://sale.example.org' })
    expect(exp).toBeGreaterThan(Date.now() / 1_000)
    expect(exp).toBeLessThan(Date.now() / 1_000 + 24 * 3_600)
  })

  test('goes to nobody else, and not to a browser that asked for announcements alone', async () => {
    const { by } = await subscribe(['news'])
    await subscribe(['orders'])
    await approvedOrder(by.userId)
    await drain()
    expect(await waiting()).toEqual([])
  })

  test('that has moved on meanwhile is not told of with what is no longer so [TEXT-12]', async () => {
    const { by } = await subscribe(['orders'])
    const order = await approvedOrder(by.userId)
    await db.query(sql`insert into outbox (kind, order_id) values ('order_rejected', ${order})`)
    await db.query(sql`delete from outbox where kind = 'order_approved'`)
    await drain()
    expect(await waiting()).toHaveLength(1)
    expect(await work()).toEqual([])
    expect(got).toEqual([])
  })
})

describe('a push service', () => {
  test('that says 404 or 410 ends it; one that is busy is tried again; one that refuses is not [TEXT-14]', async () => {
    for (const [status, left, tries] of [
      [410, 0, 0],
      [404, 0, 0],
      [503, 1, 1],
      [429, 1, 1],
      [403, 1, 0],
    ] as const) {
      const { by, device } = await subscribe(['orders'])
      await approvedOrder(by.userId)
      await drain()
      answers.status = status
      expect([status, (await work()).length]).toEqual([status, tries])
      expect([status, (await waiting()).length]).toEqual([status, tries])
      expect(await devicesOf(by.userId)).toEqual(left ? [device.id] : [])
      await db.query(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`)
    }
  })

  test('that took a message and never ends its answer is not given it again', async () => {
    const { by } = await subscribe(['orders'])
    await approvedOrder(by.userId)
    await drain()
    answers.drips = true
    try {
      expect(await work()).toEqual([])
    } finally {
      answers.drips = false
    }
    expect(got).toHaveLength(1)
  })

  test('gets a message again where the process ended after the sending, with the tag of the first [TEXT-12]', async () => {
    const { by, browser } = await subscribe(['orders'])
    await approvedOrder(by.userId)
    await drain()
    const [job] = await waiting()
    // Sent, and the job never ended: the queue hands it out again.
    await push.tasks.push_order(job?.payload)
    await work()
    expect(got).toHaveLength(2)
    expect(shownIn(browser, 1)).toEqual(shownIn(browser, 0))
  })

  test('is never this machine or its network, whatever the name said when it was taken [TEXT-14]', async () => {
    const { by, browser } = await subscribe(['orders'])
    const { p256dh, auth } = browser
    for (const endpoint of [
      'http://push.example.org/1',
      'https://127.0.0.1/1',
      'https://[::1]/1',
      'https://10.0.0.7/1',
      'https://169.254.169.254/latest',
      'https://localhost/1',
      'https://db.internal/1',
      'https://push.example.org:8443/1',
      'https://user:word@push.example.org/1',
      // No push service: a buyer would have anybody's host called by each announcement.
      'https://victim.example.com/expensive',
      'https://not-example.org/1',
    ])
      await expect(strict.keep(by, { endpoint, p256dh, auth, tells: ['orders'] }), endpoint).rejects.toEqual(
        refused('push_address_refused'),
      )
    await approvedOrder(by.userId)
    await drain()
    const rebound = new Push({ ...needs, outside: { resolve: outside.resolve, ca: tlsCertificate } })
    expect(await work(rebound)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('not on the public internet') }),
    ])
    expect(got).toEqual([])
  })
})

describe('a browser', () => {
  test('that has not said that its first notice came is sent nothing else [TEXT-14]', async () => {
    const { by, browser, keep } = await asking(['orders', 'news'])
    const { id } = await keep()
    await db.query(sql`update push_devices set news_since = now() - interval '1 hour'`)
    await db.query(
      sql`insert into announcements (title, body, published_at) values ('{"en": "A"}', '{"en": "B"}', now() - interval '10 minutes')`,
    )
    await approvedOrder(by.userId)
    await drain()
    await push.tellNews()
    expect(await work()).toEqual([])
    expect(got).toHaveLength(1)
    const { confirms, ...shown } = shownIn(browser)
    expect(shown).toMatchObject({
      body: 'This browser gets your notices from now on.',
      path: '/dashboard/profile',
    })
    // Another one's word and a guess count for nothing.
    const { id: other } = await (await asking(['orders'])).keep()
    for (const wrong of [confirmationOf(id, other), { id: String(id), proof: 'A'.repeat(43) }])
      await expect(push.confirm(wrong)).rejects.toEqual(refused('not_found'))
    expect((await push.list(by.userId))[0]).toMatchObject({ isConfirmed: false })
    await push.confirm(confirms)
    await push.confirm(confirms)
    expect((await push.list(by.userId))[0]).toMatchObject({ isConfirmed: true })
    // The same buyer's choice in this browser needs no new confirmation; another person's does.
    expect(await keep()).toMatchObject({ isConfirmed: true })
  })

  test('of an account whose address nobody proved is none [TEXT-14]', async () => {
    const { keep } = await asking(['orders'], await addBuyer(db))
    await expect(keep()).rejects.toEqual(refused('email_unconfirmed'))
  })

  test('that never answers makes room after an hour', async () => {
    const { by, keep } = await asking(['orders'])
    await keep()
    await db.query(sql`update push_devices set created_at = now() - interval '61 minutes'`)
    const { keep: next } = await asking(['orders'], by.userId)
    const { id } = await next()
    expect(await devicesOf(by.userId)).toEqual([id])
  })

  test('with a key that is no point of the curve is refused', async () => {
    const by = await sessionOf(await addConfirmed())
    const { auth } = newPushBrowser()
    const p256dh = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')
    await expect(push.keep(by, { endpoint: `${origin}/x`, p256dh, auth, tells: ['news'] })).rejects.toEqual(
      refused('push_address_refused'),
    )
  })

  test('chooses anew with a repeat, and belongs to whoever asked in it last', async () => {
    const { by, browser, device } = await subscribe(['orders'])
    const { endpoint, p256dh, auth } = browser
    const again = await push.keep(by, { endpoint, p256dh, auth, tells: ['news'] })
    expect(await push.list(by.userId)).toEqual([again])
    expect(again).toMatchObject({ mark: device.mark, tells: ['news'], addedAt: device.addedAt })
    const other = await sessionOf(await addConfirmed())
    await push.keep(other, { endpoint, p256dh, auth, tells: ['orders'] })
    expect(await devicesOf(by.userId)).toEqual([])
    expect(await devicesOf(other.userId)).toHaveLength(1)
  })

  test('is one of ten at most, also when eleven are added at once [TEXT-14]', async () => {
    const by = await sessionOf(await addConfirmed())
    const outcomes = await race(
      db,
      Array.from({ length: 11 }, (_, index) => () => {
        const { p256dh, auth } = newPushBrowser()
        return push.keep(by, { endpoint: `${origin}/many/${index}`, p256dh, auth, tells: ['orders'] })
      }),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([
      { status: 'rejected', reason: refused('push_devices_full') },
    ])
    expect(await devicesOf(by.userId)).toHaveLength(10)
  })

  test('is told nothing once its session has run out, also before its row is swept away', async () => {
    for (const ended of [
      fragment`expires_at = now() - interval '1 minute'`,
      fragment`last_seen_at = now() - interval '8 days'`,
    ]) {
      const { by } = await subscribe(['orders', 'news'])
      await db.query(sql`update user_sessions set ${ended} where id = ${by.sessionId}`)
      await approvedOrder(by.userId)
      await drain()
      await work()
      expect(got).toHaveLength(0)
    }
  })

  test('is told nothing once its session has ended, and goes on where its buyer signs in again [TEXT-12]', async () => {
    const { by, device } = await subscribe(['orders'])
    const next = await sessionOf(by.userId)
    const stranger = await sessionOf(await addConfirmed())
    await push.follow(stranger.userId, by.token, stranger.sessionId)
    await push.follow(by.userId, by.token, next.sessionId)
    await db.query(sql`delete from user_sessions where id = ${by.sessionId}`)
    expect(await devicesOf(by.userId)).toEqual([device.id])
    await db.query(sql`delete from user_sessions where id = ${next.sessionId}`)
    expect(await devicesOf(by.userId)).toEqual([])
    await approvedOrder(by.userId)
    await drain()
    expect(await waiting()).toEqual([])
  })

  test('is removed by its buyer alone; what it was to get goes to nobody', async () => {
    const { by, device } = await subscribe(['orders'])
    await approvedOrder(by.userId)
    await drain()
    await push.remove(await addConfirmed(), device.id)
    expect(await devicesOf(by.userId)).toEqual([device.id])
    await push.remove(by.userId, device.id)
    await push.remove(by.userId, device.id)
    expect(await work()).toEqual([])
    expect(got).toEqual([])
  })

  test('stands sealed: neither its address nor its keys can be read from the database', async () => {
    const { browser } = await subscribe(['orders'])
    const rows = await db.query<{ row: string }>(
      sql`select d::text || encode(d.target_encrypted, 'escape') as row from push_devices d
          union all select k::text from push_keys k`,
    )
    for (const { row } of rows)
      for (const secret of [browser.endpoint, browser.p256dh, browser.auth]) expect(row).not.toContain(secret)
  })
})

describe('announcements', () => {
  const announce = async (minutesAgo: number) =>
    (
      await db.one<{ id: string }>(
        sql`insert into announcements (title, body, published_at)
            values ('{"en": "The doors are open", "ru": "Двери открыты"}', '{"en": "Text", "ru": "Текст"}',
                    now() - make_interval(mins => ${minutesAgo})) returning id`,
      )
    ).id
  const since = (id: number, minutesAgo: number) =>
    db.query(
      sql`update push_devices set news_since = now() - make_interval(mins => ${minutesAgo}) where id = ${id}`,
    )

  test('are told once to each browser that asked before they came out, five minutes after [TEXT-12]', async () => {
    const { browser, device } = await subscribe(['news'])
    await since(device.id, 60)
    await subscribe(['orders'])
    const { device: late } = await subscribe(['news'])
    await since(late.id, 5)
    const id = await announce(10)
    await announce(1)
    await announce(50 * 60)
    await race(db, [() => push.tellNews(), () => push.tellNews()])
    await push.tellNews()
    expect(await work()).toEqual([])
    expect(got).toHaveLength(1)
    expect(shownIn(browser)).toMatchObject({
      body: 'The doors are open',
      path: `/updates/${id}`,
      tag: `announcement ${id}`,
    })
  })

  test('that were taken back are told to nobody, and what is remembered of them goes after 30 days', async () => {
    const { device } = await subscribe(['news'])
    await since(device.id, 60)
    await announce(10)
    await push.tellNews()
    await db.query(sql`update announcements set published_at = null`)
    expect(await work()).toEqual([])
    expect(got).toEqual([])
    await db.query(sql`update push_news set added_at = now() - interval '31 days'`)
    await new Retention({ db }).run()
    expect(await db.query(sql`select from push_news`)).toEqual([])
  })
})
