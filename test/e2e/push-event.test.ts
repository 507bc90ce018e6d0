import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { Push } from '../../src/server/push/push.ts'
import { openNoticeBrowser, startStaffedServerAndBrowser } from '../support/browser.ts'
import { makeOrder, type SeededOrder } from '../support/every-state.ts'
import { newPushBrowser } from '../support/push.ts'
import { tlsCertificate, tlsKey, tlsName } from '../support/tls.ts'
import { openBuyer } from '../support/visitor.ts'

/*
 * From an order to the page behind its notice. The push service between is the test's own: it opens what the server sends as a browser does,
 * and the browser's tools hand the very text to the worker.
 */

const { server, owner } = await startStaffedServerAndBrowser()
const browser = await openNoticeBrowser()
const got: Buffer[] = []
const service = createServer({ key: tlsKey, cert: tlsCertificate }, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    got.push(Buffer.concat(parts))
    response.writeHead(201).end()
  })
})
await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening))
afterAll(async () => {
  await browser.close()
  await new Promise((closed) => service.close(closed))
})
const { db, secrets, limits, config } = server.context
const push = new Push({
  db,
  secrets,
  limits,
  publicUrl: config.web.publicUrl,
  log: { info() {} },
  outside: {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isPublic: () => true,
    ca: tlsCertificate,
  },
})

interface Holder {
  readonly page: Page
  readonly context: BrowserContext
  /** What the server sends of an order or an announcement, as its browser reads it. */
  readonly message: (task: 'push_order' | 'push_news', of: object) => Promise<string>
  readonly order: SeededOrder
}

/** A buyer with an order, signed in with a browser whose worker is registered and may show notices. */
async function openHolder(email: string): Promise<Holder> {
  const { page, context, api } = await openBuyer(browser, server, email, { serviceWorkers: 'allow' })
  await context.grantPermissions(['notifications'], { origin: server.url })
  const order = await makeOrder(api)
  const { id: sessionId, user_id: userId } = await db.one<{ id: string; user_id: string }>(
    sql`select s.id, s.user_id from user_sessions s join users u on u.id = s.user_id
         where u.email = ${email} order by s.id desc limit 1`,
  )
  const { open, ...keys } = newPushBrowser()
  const endpoint = `https://${tlsName}:${(service.address() as AddressInfo).port}/${userId}`
  const by = { userId, sessionId, userAgent: 'Chrome' }
  const { id: deviceId } = await push.keep(by, { endpoint, ...keys, tells: ['orders', 'news'] })
  await page.goto(`${server.url}/dashboard/profile`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js')
    await navigator.serviceWorker.ready
  })
  const message: Holder['message'] = async (task, of) => {
    await push.tasks[task]({ deviceId: String(deviceId), ...of })
    return open(got.pop() ?? Buffer.alloc(0))
  }
  return { page, context, message, order }
}

/**
 * Hands a text to the registered worker as its push service does, and waits until the worker has shown it: Chromium forgets a notice
 * for good where it is asked for its notices while one is on its way to the screen (19 of 60 times where it was asked without a pause).
 */
async function openTools({ page, context }: Holder): Promise<(data: string) => Promise<void>> {
  const tools: CDPSession = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await tools.send('ServiceWorker.enable')
  const registrationId = await registered
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  return async (data) => {
    await worker.evaluate(() => {
      const scope = globalThis as unknown as WorkerScope
      const show = scope.registration.showNotification.bind(scope.registration)
      scope.hasShown = new Promise((resolve) => {
        scope.registration.showNotification = async (...of) => {
          scope.registration.showNotification = show
          await show(...of)
          resolve()
        }
      })
    })
    await tools.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data })
    await worker.evaluate(() => (globalThis as unknown as WorkerScope).hasShown)
  }
}

const shownOn = (page: Page) =>
  page.evaluate(async () => {
    const notices = await (await navigator.serviceWorker.ready).getNotifications()
    return notices.map(({ title, body, lang, tag, icon }) => ({ title, body, lang, tag, icon }))
  })

/** What a worker has and a page has not. */
interface WorkerScope extends EventTarget {
  readonly registration: ServiceWorkerRegistration
  /** Kept once the notice of the latest message is shown. */
  hasShown: Promise<void>
  readonly clients: { openWindow: (url: string | URL) => Promise<null> }
  readonly WindowClient: { prototype: { focus: (this: { url: string }) => Promise<unknown> } }
  readonly NotificationEvent: new (type: string, init: { notification: Notification }) => Event
}

/** Clicks on the notice that stands there: where that leads, and whether it opens a page or goes to one that is open. */
async function click(
  { context }: Holder,
  waitMs = 5_000,
): Promise<{ opened: string[]; focused: string[]; left: number }> {
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no worker')
  return worker.evaluate(async (wait) => {
    const scope = globalThis as unknown as WorkerScope
    const went = { opened: [] as string[], focused: [] as string[] }
    // Only a person's click may open a window; where it would lead is what is looked at.
    scope.clients.openWindow = async (url) => {
      went.opened.push(String(url))
      return null
    }
    scope.WindowClient.prototype.focus = async function focus() {
      went.focused.push(this.url)
      return this
    }
    const [notification] = await scope.registration.getNotifications()
    if (!notification) throw new Error('no notice')
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
    const ends = Date.now() + wait
    while (went.opened.length + went.focused.length === 0 && Date.now() < ends)
      await new Promise((resolve) => setTimeout(resolve, 50))
    return { ...went, left: (await scope.registration.getNotifications()).length }
  }, waitMs)
}

test('what becomes of an order is shown once, and leads to the page of that order', async () => {
  const holder = await openHolder('notice-order@example.org')
  const deliver = await openTools(holder)
  const { number, token } = holder.order
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'looked at the wallet' })
  const text = await holder.message('push_order', { orderId: String(number), turn: 'approved' })
  await deliver(text)
  await expect.poll(() => shownOn(holder.page)).toHaveLength(1)
  const { settings } = await db.one<{ settings: { name: string } }>(sql`select settings from campaign`)
  const [shown] = await shownOn(holder.page)
  expect(shown).toEqual({
    title: settings.name,
    body: expect.stringContaining(String(number)),
    lang: 'en',
    tag: `order ${number} approved`,
    icon: `${server.url}/app-icon/192.png`,
  })
  // Sent again, it takes the place of the first.
  await deliver(text)
  await deliver(await holder.message('push_news', { announcementId: await announce('First') }))
  await expect.poll(() => shownOn(holder.page)).toHaveLength(2)
  await holder.page.evaluate(async () => {
    for (const notice of await (await navigator.serviceWorker.ready).getNotifications())
      if (notice.tag.startsWith('announcement')) notice.close()
  })
  await expect.poll(() => shownOn(holder.page)).toHaveLength(1)
  const address = `${server.url}/dashboard/transaction?order=${token}`
  expect(await click(holder)).toEqual({ opened: [address], focused: [], left: 0 })
  // Where the page of that order is open already, it comes to the front.
  await holder.page.goto(address)
  await deliver(text)
  await expect.poll(() => shownOn(holder.page)).toHaveLength(1)
  expect(await click(holder)).toEqual({ opened: [], focused: [address], left: 0 })
  await holder.context.close()
})

test('whoever has signed out is led to the list of orders, and the notice never held what opens one', async () => {
  const holder = await openHolder('notice-out@example.org')
  const deliver = await openTools(holder)
  const number = String(holder.order.number)
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'looked at the wallet' })
  const text = await holder.message('push_order', { orderId: number, turn: 'approved' })
  expect(text).not.toContain(holder.order.token)
  await holder.context.clearCookies()
  await deliver(text)
  await expect.poll(() => shownOn(holder.page)).toHaveLength(1)
  expect((await click(holder)).opened).toEqual([`${server.url}${JSON.parse(text).path}`])
  await holder.context.close()
})

test('an announcement leads to itself, and nothing leads to another site', async () => {
  const holder = await openHolder('notice-news@example.org')
  const deliver = await openTools(holder)
  const announcementId = await announce('We open on Monday')
  const text = await holder.message('push_news', { announcementId })
  await deliver(text)
  await expect.poll(() => shownOn(holder.page)).toHaveLength(1)
  expect(await shownOn(holder.page)).toMatchObject([{ body: 'We open on Monday' }])
  expect((await click(holder)).opened).toEqual([`${server.url}/updates/${announcementId}`])
  for (const path of ['https://evil.example.org/', '//evil.example.org/']) {
    await deliver(JSON.stringify({ ...JSON.parse(text), path }))
    await expect.poll(() => shownOn(holder.page)).toHaveLength(1)
    expect(await click(holder, 1_000)).toEqual({ opened: [], focused: [], left: 0 })
  }
  await holder.context.close()
}, 60_000)

async function announce(title: string): Promise<string> {
  const { id } = await db.one<{ id: string }>(
    sql`insert into announcements (title, body, published_at)
        values (${JSON.stringify({ en: title })}, '{"en": "text"}', now() - interval '1 minute') returning id`,
  )
  return String(id)
}
