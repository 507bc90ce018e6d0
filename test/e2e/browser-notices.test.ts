import type { BrowserContext } from '@playwright/test'
import { expect, test } from 'vitest'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { widthFindings } from '../support/page-findings.ts'
import { newPushBrowser } from '../support/push.ts'
import { axeFindings, openBuyer } from '../support/visitor.ts'

const { server, browser } = await startStaffedServerAndBrowser()

/** A browser that has a push service; the headless one has none. Says how often a permission was asked for. */
async function givePushService(context: BrowserContext, name: string): Promise<() => Promise<number>> {
  const { p256dh, auth } = newPushBrowser()
  let asked = 0
  await context.exposeFunction('permissionWasAsked', () => (asked += 1))
  await context.addInitScript(
    (given) => {
      const state = { subscribed: false, permission: 'default' }
      const subscription = {
        endpoint: given.endpoint,
        toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
      }
      Object.defineProperty(Notification, 'permission', { get: () => state.permission })
      Notification.requestPermission = async () => {
        await (window as unknown as { permissionWasAsked(): Promise<void> }).permissionWasAsked()
        return (state.permission = 'granted') as 'granted'
      }
      PushManager.prototype.getSubscription = async () =>
        (state.subscribed ? subscription : null) as PushSubscription | null
      PushManager.prototype.subscribe = async () => {
        state.subscribed = true
        return subscription as unknown as PushSubscription
      }
    },
    { endpoint: `https://push.example.org/${name}`, p256dh, auth },
  )
  return async () => asked
}

test('a buyer is asked on a click alone, chooses what of, and takes it back', async () => {
  const { page, context, faults } = await openBuyer(browser, server, 'notices@example.org', {
    serviceWorkers: 'allow',
  })
  const asked = await givePushService(context, 'buyer')
  await page.goto(`${server.url}/dashboard/profile`)
  const orders = page.getByRole('switch', { name: 'Tell this browser what becomes of my orders' })
  const news = page.getByRole('switch', { name: 'Tell this browser of announcements' })
  await orders.waitFor()
  expect([await asked(), await orders.isChecked(), await news.isChecked()]).toEqual([0, false, false])
  await orders.click()
  const remove = page.getByRole('button', { name: /^Remove / })
  await remove.waitFor()
  await news.click()
  await page.getByText('own orders, announcements').waitFor()
  expect([await orders.isChecked(), await news.isChecked()]).toEqual([true, true])
  expect(await asked()).toBeGreaterThan(0)
  expect(await axeFindings(page)).toEqual([])
  expect(await widthFindings(page)).toEqual([])
  await remove.click()
  await page.getByText('It gets no more notices.').waitFor()
  await remove.waitFor({ state: 'detached' })
  expect([await orders.isChecked(), faults]).toEqual([false, []])
})

test('an operator adds this browser, which waits for the code that it is sent', async () => {
  const { page, context, faults } = await openOperator(browser, server, 'owner', { serviceWorkers: 'allow' })
  const asked = await givePushService(context, 'operator')
  await page.goto(area(server, '/account'))
  await page.getByRole('button', { name: 'Add a channel' }).click()
  await page.getByLabel('Channel', { exact: true }).click()
  await page.getByRole('option', { name: 'This browser' }).click()
  expect(await asked()).toBe(0)
  await press(page, 'Add and send the code')
  await page.getByText('waits for its code').waitFor()
  expect(await asked()).toBe(1)
  await page.getByText('This browser').waitFor()
  expect(faults).toEqual([])
})
