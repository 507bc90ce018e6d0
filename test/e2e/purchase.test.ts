import type { Locator, Page } from '@playwright/test'
import { expect, test } from 'vitest'
import type { BuyerOrder } from '../../src/shared/api/orders.ts'
import { publicLocales } from '../../src/shared/languages.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { setGoal } from '../support/campaign.ts'
import { beginOrder, makeOrder } from '../support/every-state.ts'
import { focused } from '../support/keys.ts'
import { statement } from '../support/statement.ts'
import { logInAgain, openBuyer, openPage, watchConsoleAndHosts } from '../support/visitor.ts'

const END_TIME = statement(
  'test_order_is_late',
  `update orders set expires_at = now() - interval '1 minute' where id = (select max(id) from orders)`,
)

const approvedAfter = statement(
  'test_approved_after',
  'update orders set sent_at = approved_at - make_interval(mins => $2) where id = $1',
)

const { server, browser, owner } = await startStaffedServerAndBrowser()
const db = server.database.db

const tokenOf = (page: Page) => new URL(page.url()).searchParams.get('order')

/** Opens the dialog for 40 tokens, and accepts the terms. */
async function openPurchase(page: Page, frame = '') {
  await page.goto(`${server.url}/dashboard/buy-token?currency=USDT&amount=40&frame=${frame}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /I accept the terms/ }).check()
  return { dialog, goOn: () => dialog.getByRole('button', { name: 'Continue' }).click() }
}

const confirmOf = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Confirm' })

test('Cancel leads back, and Continue to the same order; a reload and a login lead to its payment, another amount to another order', async () => {
  const { context, page, api } = await openBuyer(browser, server, 'back@example.org')
  const { dialog, goOn } = await openPurchase(page)
  await goOn()
  await confirmOf(page).waitFor()
  const first = tokenOf(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await goOn()
  await confirmOf(page).waitFor()
  expect(tokenOf(page)).toBe(first)
  await page.reload()
  await confirmOf(page).waitFor()
  // A request of the page's own may find the session gone before the press does: either leads to the login.
  const confirm = await confirmOf(page).elementHandle()
  await context.clearCookies({ name: 'session' })
  await confirm?.evaluate((button) => (button as HTMLElement).click())
  await logInAgain(page, 'back@example.org')
  await confirmOf(page).waitFor()
  await page.getByText('180 USDT').first().waitFor()

  await page.keyboard.press('Escape')
  await page.getByLabel('Amount', { exact: true }).fill('50')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('dialog').getByRole('checkbox').check()
  await goOn()
  await confirmOf(page).waitFor()
  await page.getByRole('dialog').getByText('225 USDT').first().waitFor()
  expect(tokenOf(page)).not.toBe(first)
  await page.goto(`${server.url}/dashboard`)
  await page.getByText('Send the payment:').first().waitFor()
  const { items } = await api<{ items: BuyerOrder[] }>('GET', '/orders')
  expect(items.map(({ cryptoAmount, sentAt }) => [cryptoAmount, sentAt])).toEqual([
    ['225.000000', null],
    ['180.000000', null],
  ])
  await context.close()
})

test('a price that changed meanwhile is shown beside the old one, and Continue agrees to it', async () => {
  const { context, page } = await openBuyer(browser, server, 'moved@example.org')
  const { dialog, goOn } = await openPurchase(page)
  await owner('PUT', '/operator/currencies/USDT', { rate: '0.2' })
  await goOn()
  await dialog.getByText('The price has changed. Press Continue to agree to the new one.').waitFor()
  await dialog.getByText(/^Before: 180 USDT → 42 ITOKEN/).waitFor()
  await dialog.getByText(/^Now: 200 USDT → 42 ITOKEN/).waitFor()
  expect(tokenOf(page)).toBeNull()
  await goOn()
  await confirmOf(page).waitFor()
  await dialog.getByText('200 USDT').first().waitFor()
  await owner('PUT', '/operator/currencies/USDT', { rate: '0.222222222222' })
  await context.close()
})

test('a payment whose time is over is not asked for: a new order is', async () => {
  const { context, page } = await openBuyer(browser, server, 'late@example.org')
  const { dialog, goOn } = await openPurchase(page)
  await goOn()
  await confirmOf(page).waitFor()
  const first = tokenOf(page)
  await db.query(END_TIME)
  await page.reload()
  await dialog.getByText('The time to pay is over.').waitFor()
  expect(await page.getByText('Send exactly').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Make a new order' }).click()
  await dialog.getByRole('checkbox').check()
  await goOn()
  await confirmOf(page).waitFor()
  expect(tokenOf(page)).not.toBe(first)
  await context.close()
})

test('an order asks to be paid until its buyer says that the payment is sent, and shows the address again to who asks', async () => {
  const { context, page, api } = await openBuyer(browser, server, 'sent@example.org')
  const { token } = await beginOrder(api)
  await page.goto(`${server.url}/dashboard/transaction?order=${token}`)
  const asked = page.getByText('Send exactly')
  await asked.waitFor()
  await page.getByRole('button', { name: 'I have sent it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Next: enter the transaction id' }).waitFor()
  await page.getByText(/Once the payment is found, this page says “approved”/).waitFor()
  expect(await asked.count()).toBe(0)
  await page.getByText('Not sent yet? Show address and amount').click()
  await asked.waitFor()
  expect((await api<BuyerOrder>('GET', `/orders/${token}`)).sentAt).not.toBeNull()
  await context.close()
})

test('what to send where and by when is in the first screen of an order, on a desk and on a phone', async () => {
  const { context, page, api } = await openBuyer(browser, server, 'first-screen@example.org')
  const { token } = await beginOrder(api, '44.5', 'BTC')
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openPage(page, `${server.url}/dashboard/transaction?order=${token}`)
    const qr = page.getByRole('img', { name: 'QR code of the payment' })
    const needed = [
      page.getByRole('heading', { level: 1, name: 'Send 0.002225 BTC' }),
      page.getByText('Send exactly'),
      page.getByText('Time left to pay'),
      page.getByRole('button', { name: /^To this address, on Bitcoin only/ }),
      qr,
    ]
    const boxes = await Promise.all(needed.map((each) => each.boundingBox()))
    expect(Math.max(...boxes.map((box) => (box ? box.y + box.height : Infinity)))).toBeLessThanOrEqual(height)
    expect((await qr.boundingBox())?.width).toBeGreaterThanOrEqual(200)
  }
  await context.close()
})

test('a rejected order says the reason, whom to write to with its number, and leads to the same purchase again', async () => {
  const { context, page, api } = await openBuyer(browser, server, 'again@example.org')
  const { number, token } = await makeOrder(api, '50')
  await owner('POST', `/operator/orders/${number}/reject`, {
    reason: 'That id paid another order.',
    came: '0',
  })
  await openPage(page, `${server.url}/dashboard/transaction?order=${token}`)
  await page.getByText('Reason: That id paid another order.').waitFor()
  const contact = page.locator('main a[href^="mailto:"]').first()
  expect(await contact.getAttribute('href')).toContain(encodeURIComponent(`Order #${number}`))
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect.poll(() => page.getByLabel('Amount', { exact: true }).inputValue()).toBe('50')
  await page.getByText('225 USDT').first().waitFor()
  await context.close()
})

/** Whether all of these end above the bar at the window's end. */
async function areInSight(page: Page, all: readonly Locator[]): Promise<boolean> {
  const bar = await page.locator('[data-bottom-bar]').boundingBox()
  const boxes = await Promise.all(all.map((each) => each.boundingBox()))
  return boxes.every((box) => box !== null && bar !== null && box.y + box.height <= bar.y)
}

test('amount, coin and what comes of them are in one look, and few Tab stops before the button', async () => {
  const { page } = await openBuyer(browser, server, 'one-look@example.org')
  const amount = page.getByLabel('Amount', { exact: true })
  const gets = page.getByText(/^You get/)
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openPage(page, `${server.url}/dashboard/buy-token`)
    await gets.getByText('42').waitFor()
    const coin = page.getByRole('button', { name: /Bitcoin/ })
    const pages = width > 1000 ? [page.getByRole('button', { name: 'Next' })] : []
    expect(await areInSight(page, [amount, coin, gets, ...pages]), String(width)).toBe(true)
    await page.locator('main').evaluate((main) => {
      main.tabIndex = -1
      main.focus()
    })
    for (let stops = 0; (await focused(page)) !== 'Buy Now'; stops += 1) {
      expect(stops).toBeLessThanOrEqual(12)
      await page.keyboard.press('Tab')
    }
  }
  // On a phone the coins are behind the chosen one, six a page.
  await page.getByRole('button', { name: /^Pay with\s?Bitcoin/ }).click()
  const sheet = page.getByRole('dialog')
  const cards = sheet.getByRole('group', { name: 'Currency' }).getByRole('button')
  await cards.first().waitFor()
  expect(await cards.count()).toBe(6)
  await sheet.getByRole('button', { name: /^Tether/ }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByText('180 USDT').first().waitFor()
})

test('an amount can be typed in dollars, and is asked for in tokens', async () => {
  const { context, page } = await openBuyer(browser, server, 'dollars@example.org')
  await openPage(page, `${server.url}/dashboard/buy-token?currency=USDT&amount=100`)
  await page.getByRole('button', { name: 'Type dollars' }).click()
  const amount = page.getByLabel('Amount', { exact: true })
  expect(await amount.inputValue()).toBe('450')
  await amount.fill('200')
  await page.getByText('199.999998 USDT').first().waitFor()
  await page.getByText('$200.00').first().waitFor()
  await page.getByRole('button', { name: 'Swap: type ITOKEN instead' }).click()
  expect(await amount.inputValue()).toBe('44.444444')
  await context.close()
})

const pauseDoge = statement(
  'test_doge_paused',
  "update currencies set paused_at = $1, pause_reason = $2 where code = 'DOGE'",
)

test('the page asks nothing of the server that it knows to be refused, so the console shows no error', async () => {
  const visitor = await openBuyer(browser, server, 'quiet@example.org')
  const { page } = visitor
  watchConsoleAndHosts(visitor, server)
  await db.query(pauseDoge, [
    new Date(),
    Object.fromEntries(publicLocales.map((locale) => [locale, 'Its node is being changed.'])),
  ])
  // The server reads the list once a second.
  await page.waitForTimeout(1_100)
  try {
    await openPage(page, `${server.url}/dashboard/buy-token?currency=DOGE&amount=40`)
    await page.locator('button[aria-disabled=true]', { hasText: 'Buy Now' }).waitFor()
    const amount = page.getByLabel('Amount', { exact: true })
    for (const typed of ['1', '999999999', '0', '41']) {
      await amount.fill(typed)
      // The server has answered by then.
      await page.waitForTimeout(500)
    }
    expect(visitor.faults).toEqual([])
  } finally {
    await db.query(pauseDoge, [null, null])
  }
})

test('where little is left of a stage, the page says what an order is worth before it is paid', async () => {
  const { context, page } = await openBuyer(browser, server, 'little@example.org')
  const said = page.getByText('Little of this stage is left')
  await page.goto(`${server.url}/dashboard/buy-token?currency=USDT&amount=40`)
  await page.getByRole('button', { name: 'Buy Now' }).waitFor()
  expect(await said.count()).toBe(0)
  const { number } = await beginOrder((await openBuyer(browser, server, 'most@example.org')).api, '400')
  await owner('POST', `/operator/orders/${number}/approve`)
  await setGoal({ db, campaign: server.context.campaign }, '1995')
  await server.context.campaign.refresh()
  await page.goto(`${server.url}/dashboard/buy-token?currency=USDT&amount=40`)
  await said.waitFor()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('dialog').getByText('Little of this stage is left').waitFor()
  await context.close()
})

test('a buyer whose order could not be told to the site that led here tries again and makes no second one', async () => {
  const { context, page, api } = await openBuyer(browser, server, 'told-later@example.org')
  const { goOn } = await openPurchase(page, 'a'.repeat(43))
  const body = { error: { code: 'too_many_requests', message: 'Too many attempts.', requestId: 'one' } }
  await page.route('**/frame', (route) => route.fulfill({ status: 429, json: body }), { times: 1 })
  const refused = page.waitForResponse((answer) => answer.url().endsWith('/frame'))
  await goOn()
  expect((await refused).status()).toBe(429)
  await goOn()
  await confirmOf(page).waitFor()
  const { items } = await api<{ items: BuyerOrder[] }>('GET', '/orders')
  expect(items).toHaveLength(1)
  await context.close()
})

test('a coin says how its payment is confirmed: by hand with the time that the last approvals took', async () => {
  await setGoal({ db, campaign: server.context.campaign }, '1000000')
  const { page, api } = await openBuyer(browser, server, 'how-long@example.org')
  const said = () => page.getByRole('button', { name: /^Bitcoin/ }).innerText()
  await openPage(page, `${server.url}/dashboard/buy-token`)
  expect(await said()).toMatch(/By hand$/)
  for (const minutes of [100, 100, 1_000]) {
    const { number } = await makeOrder(api)
    await owner('POST', `/operator/orders/${number}/approve`, {})
    await db.query(approvedAfter, [number, minutes])
  }
  await page.waitForTimeout(1_100)
  await openPage(page, `${server.url}/dashboard/buy-token`)
  expect(await said()).toMatch(/By hand, usually within 100 min$/)
})
