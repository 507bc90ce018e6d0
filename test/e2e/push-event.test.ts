import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { openNoticeBrowser, startStaffedServerAndBrowser } from '../support/browser.ts'
import { makeOrder, type SeededOrder } from '../support/every-state.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { widthFindings } from '../support/page-findings.ts'
import { newPushBrowser, senderOf, startPushService } from '../support/push.ts'
import { until } from '../support/until.ts'
import { axeFindings, openBuyer, type Visitor } from '../support/visitor.ts'

/*
 * From the switch on a page to the page behind a notification. Chromium reaches no real push service, so the
 * test's own one receives the server's messages and decrypts them like a browser. The browser's tools then
 * pass the text to the worker.
 */

const service = await startPushService()
const { server, browser, owner } = await startStaffedServerAndBrowser(
  { PUSH_HOSTS: new URL(service.origin).hostname },
  { outside: service.outside },
)
const noticing = await openNoticeBrowser()
afterAll(async () => {
  await noticing.close()
  await service.close()
})
const { db } = server.context

/** A browser's subscription, as its push service knows it. */
interface Subscribed {
  readonly path: string
  /** How often somebody was asked whether the site may show notices. */
  asked: number
  /** The sender's key of the subscription, if there is one. */
  key: string | null
  /** The text of the next message. Refuses one that the site did not sign for this push service. */
  next(): Promise<string>
}

/** Lets the push service of a context's pages be the tests' own. */
async function givePushService(context: BrowserContext, name: string): Promise<Subscribed> {
  const { p256dh, auth, open } = newPushBrowser()
  const path = `/send/${name}`
  const subscribed: Subscribed = {
    path,
    asked: 0,
    key: null,
    async next() {
      const { headers, body } = await service.take(path)
      const { key, claims } = senderOf(headers.authorization)
      expect([key, claims.aud, claims.sub]).toEqual([subscribed.key, service.origin, server.url])
      expect(headers['content-encoding']).toBe('aes128gcm')
      return open(body)
    },
  }
  await context.grantPermissions(['notifications'], { origin: server.url })
  await context.exposeFunction('permissionWasAsked', () => (subscribed.asked += 1))
  await context.exposeFunction('pushKey', () => subscribed.key)
  await context.exposeFunction('setPushKey', (key: string | null) => (subscribed.key = key))
  await context.addInitScript(
    (given) => {
      const outer = window as unknown as {
        permissionWasAsked(): Promise<void>
        pushKey(): Promise<string | null>
        setPushKey(key: string | null): Promise<void>
      }
      const subscription = {
        endpoint: given.endpoint,
        toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
        unsubscribe: async () => {
          await outer.setPushKey(null)
          return true
        },
      } as unknown as PushSubscription
      const ask = Notification.requestPermission.bind(Notification)
      Notification.requestPermission = async () => {
        await outer.permissionWasAsked()
        return ask()
      }
      PushManager.prototype.getSubscription = async () => ((await outer.pushKey()) ? subscription : null)
      PushManager.prototype.subscribe = async (options) => {
        await outer.setPushKey(String(options?.applicationServerKey))
        return subscription
      }
    },
    { endpoint: `${service.origin}${path}`, p256dh, auth },
  )
  return subscribed
}

interface Holder extends Pick<Visitor, 'page' | 'context' | 'faults'> {
  readonly subscribed: Subscribed
  readonly order: SeededOrder
}
type Kind = 'orders' | 'news'

const switches: Record<Kind, string> = {
  orders: 'Tell this browser what becomes of my orders',
  news: 'Notify this browser of announcements',
}
const switchOf = ({ page }: Pick<Holder, 'page'>, kind: Kind) =>
  page.getByRole('switch', { name: switches[kind] })
const removeOf = ({ page }: Pick<Holder, 'page'>) => page.getByRole('button', { name: /^Remove / })

/** A buyer with an order, on the page where notices are switched on. */
async function openHolder(name: string): Promise<Holder> {
  const email = `${name}@example.org`
  const { page, context, faults, api } = await openBuyer(noticing, server, email, {
    serviceWorkers: 'allow',
  })
  await db.query(sql`update users set confirmed_at = now() where email_key = ${email}`)
  const subscribed = await givePushService(context, name)
  const order = await makeOrder(api)
  await page.goto(`${server.url}/dashboard/profile`)
  await switchOf({ page }, 'orders').waitFor()
  return { page, context, faults, subscribed, order }
}

async function switchOn(holder: Holder, kind: Kind): Promise<void> {
  const isFirst = (await removeOf(holder).count()) === 0
  await switchOf(holder, kind).click()
  await removeOf(holder).waitFor()
  await expect.poll(() => switchOf(holder, kind).isChecked()).toBe(true)
  if (!isFirst) return
  const { confirms } = JSON.parse(await holder.subscribed.next())
  await server.context.push.confirm(confirms)
}

/**
 * Passes a text to the registered worker like a push service and waits until it is shown. Chromium loses a
 * notification if it is asked for its list while one is being displayed (19 of 60 times without a pause).
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

/** A worker's globals that a page lacks. */
interface WorkerScope extends EventTarget {
  readonly registration: ServiceWorkerRegistration
  /** Kept once the notice of the latest message is shown. */
  hasShown: Promise<void>
  readonly clients: { openWindow: (url: string | URL) => Promise<null> }
  readonly WindowClient: { prototype: { focus: (this: { url: string }) => Promise<unknown> } }
  readonly NotificationEvent: new (type: string, init: { notification: Notification }) => Event
}

/** Clicks the notification. Returns its target, and whether it opens or reuses a page. */
async function click(
  { context }: Holder,
  waitMs = 5_000,
): Promise<{ opened: string[]; focused: string[]; left: number }> {
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no worker')
  return worker.evaluate(async (wait) => {
    const scope = globalThis as unknown as WorkerScope
    const went = { opened: [] as string[], focused: [] as string[] }
    // Only a real click may open a window, so only the target is checked.
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

/** Writes an announcement on the operators' page and publishes it. Answers its number. */
async function publish(page: Page, title: string): Promise<string> {
  await page.goto(area(server, '/content'))
  await page.getByRole('button', { name: 'Write an announcement' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title, English').fill(title)
  await dialog.getByLabel('Text, English').fill('The doors **open** at nine.')
  await dialog.getByLabel('Publish', { exact: true }).click()
  await page.getByRole('option', { name: 'Now', exact: true }).click()
  await press(page, 'Publish')
  await page.getByText('The announcement is published.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  const { id } = await db.one<{ id: string }>(
    sql`select id from announcements where title ->> 'en' = ${title}`,
  )
  return String(id)
}

/** Lets the five minutes go by for which an announcement stands on the site first. */
async function fiveMinutesLater(): Promise<void> {
  await db.query(sql`update push_devices set news_since = news_since - interval '5 minutes'`)
  await db.query(sql`update announcements set published_at = published_at - interval '5 minutes'`)
  await server.context.push.tellNews()
}

test('a buyer is asked on a click alone, chooses what of, and takes it back', async () => {
  const holder = await openHolder('chooser')
  const { page, subscribed } = holder
  const isOn = async () => [
    await switchOf(holder, 'orders').isChecked(),
    await switchOf(holder, 'news').isChecked(),
  ]
  expect([subscribed.asked, await isOn()]).toEqual([0, [false, false]])
  await switchOn(holder, 'orders')
  await switchOn(holder, 'news')
  await page.getByText('own orders, announcements').waitFor()
  expect(await isOn()).toEqual([true, true])
  expect(subscribed.asked).toBeGreaterThan(0)
  expect(await axeFindings(page)).toEqual([])
  expect(await widthFindings(page)).toEqual([])
  await removeOf(holder).click()
  await page.getByText('It gets no more notices.').waitFor()
  await removeOf(holder).waitFor({ state: 'detached' })
  expect([await isOn(), holder.faults]).toEqual([[false, false], []])
  await holder.context.close()
})

test('an announcement goes from the operators’ page to the notice, which leads to it and to no other site [TEXT-13]', async () => {
  const holder = await openHolder('reader')
  await switchOn(holder, 'news')
  const deliver = await openTools(holder)
  const operator = await openOperator(browser, server, 'content')
  const id = await publish(operator.page, 'We open on Monday')
  await fiveMinutesLater()
  const text = await holder.subscribed.next()
  await deliver(text)
  await expect.poll(() => shownOn(holder.page)).toHaveLength(1)
  const { settings } = await db.one<{ settings: { name: string } }>(sql`select settings from campaign`)
  expect(await shownOn(holder.page)).toEqual([
    {
      title: settings.name,
      body: 'We open on Monday',
      lang: 'en',
      tag: `announcement ${id}`,
      icon: `${server.url}/app-icon/192.png`,
    },
  ])
  const { opened } = await click(holder)
  expect(opened).toEqual([`${server.url}/updates/${id}`])
  for (const path of ['https://evil.example.org/', '//evil.example.org/']) {
    await deliver(JSON.stringify({ ...JSON.parse(text), path }))
    await expect.poll(() => shownOn(holder.page)).toHaveLength(1)
    expect(await click(holder, 1_000)).toEqual({ opened: [], focused: [], left: 0 })
  }
  await holder.page.goto(opened[0] ?? '')
  await holder.page.getByRole('heading', { level: 1, name: 'We open on Monday' }).waitFor()
  await holder.page.getByText('The doors open at nine.').waitFor()
  expect(holder.faults).toEqual([])
  for (const { context } of [holder, operator]) await context.close()
})

test('whoever switched announcements off is sent none, and a browser that is gone is forgotten [TEXT-12]', async () => {
  // Browsers of other tests are told too, for as long as their sessions last.
  await db.query(sql`delete from push_devices`)
  const [leaver, stayer] = [await openHolder('leaver'), await openHolder('stayer')]
  const operator = await openOperator(browser, server, 'content')
  for (const holder of [leaver, stayer]) await switchOn(holder, 'news')
  await publish(operator.page, 'Told to both')
  await fiveMinutesLater()
  for (const { subscribed } of [leaver, stayer]) expect(await subscribed.next()).toContain('Told to both')

  await switchOf(leaver, 'news').click()
  await removeOf(leaver).waitFor({ state: 'detached' })
  await publish(operator.page, 'Told to one')
  await fiveMinutesLater()
  expect(await stayer.subscribed.next()).toContain('Told to one')
  expect(service.got).toEqual([])

  // The push service knows the browser no more.
  service.answers.status = 410
  await publish(operator.page, 'Told to nobody')
  await fiveMinutesLater()
  expect(await stayer.subscribed.next()).toContain('Told to nobody')
  await until(async () => (await db.query(sql`select from push_devices`)).length === 0)
  service.answers.status = 201
  await stayer.page.reload()
  await switchOf(stayer, 'news').waitFor()
  expect([await switchOf(stayer, 'news').isChecked(), await removeOf(stayer).count()]).toEqual([false, 0])
  await publish(operator.page, 'Told to nobody again')
  await fiveMinutesLater()
  expect(await db.query(sql`select from graphile_worker.jobs where task_identifier = 'push_news'`)).toEqual(
    [],
  )
  expect([service.got, leaver.faults, stayer.faults]).toEqual([[], [], []])
  for (const { context } of [leaver, stayer, operator]) await context.close()
})

test('what becomes of an order is shown once, and leads to the page of that order [TEXT-13]', async () => {
  const holder = await openHolder('notice-order')
  await switchOn(holder, 'orders')
  const deliver = await openTools(holder)
  const { number, token } = holder.order
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'looked at the wallet' })
  const text = await holder.subscribed.next()
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
  // A repeat replaces the first one; another tag appears beside it.
  await deliver(text)
  await deliver(JSON.stringify({ ...JSON.parse(text), tag: 'another' }))
  await expect.poll(() => shownOn(holder.page)).toHaveLength(2)
  await holder.page.evaluate(async () => {
    for (const notice of await (await navigator.serviceWorker.ready).getNotifications())
      if (notice.tag === 'another') notice.close()
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

test('whoever has signed out is led to the list of orders, and the notice never held what opens one [TEXT-13]', async () => {
  const holder = await openHolder('notice-out')
  await switchOn(holder, 'orders')
  const deliver = await openTools(holder)
  const number = String(holder.order.number)
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'looked at the wallet' })
  const text = await holder.subscribed.next()
  expect(text).not.toContain(holder.order.token)
  await holder.context.clearCookies()
  await deliver(text)
  await expect.poll(() => shownOn(holder.page)).toHaveLength(1)
  expect((await click(holder)).opened).toEqual([`${server.url}${JSON.parse(text).path}`])
  await holder.context.close()
})

test('an operator adds this browser, which is proved by the code that it is sent', async () => {
  const { page, context, faults } = await openOperator(noticing, server, 'owner', {
    serviceWorkers: 'allow',
  })
  const subscribed = await givePushService(context, 'operator')
  await page.goto(area(server, '/account'))
  await page.getByRole('button', { name: 'Add a channel' }).click()
  await page.getByLabel('Channel', { exact: true }).click()
  await page.getByRole('option', { name: 'This browser' }).click()
  expect(subscribed.asked).toBe(0)
  await press(page, 'Add and send the code')
  await page.getByText('waits for its code').waitFor()
  expect(subscribed.asked).toBe(1)
  await page.getByText('This browser').waitFor()
  const { body } = JSON.parse(await subscribed.next()) as { body: string }
  await page.getByRole('button', { name: 'Enter the code' }).click()
  await page
    .getByRole('dialog')
    .getByLabel('Code', { exact: true })
    .fill(/\d{6}/.exec(body)?.[0] ?? '')
  await press(page, 'Prove it')
  await page.getByText('proven', { exact: true }).waitFor()
  expect(faults).toEqual([])
  await context.close()
})
