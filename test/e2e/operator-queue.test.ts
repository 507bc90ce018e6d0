import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { brokenRules } from '../support/campaign.ts'
import { makeOrder, registerBuyer, type SeededOrder } from '../support/every-state.ts'
import { area, openOperator } from '../support/operator-pages.ts'
import { axeFindings, callFromPage } from '../support/visitor.ts'

const { server, browser, owner } = await startStaffedServerAndBrowser()
const buyer = await registerBuyer(server, 'ann@example.org')

const statusOf = async ({ number }: SeededOrder) =>
  (await owner<{ status: string }>('GET', `/operator/orders/${number}`)).status

/** A browser's key event under the Russian layout. */
const pressRussian = (page: Page, key: string, code: string, ctrlKey = false) =>
  page.evaluate(
    (told) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', told)),
    { key, code, ctrlKey, bubbles: true, cancelable: true },
  )

async function makeOrders(count: number): Promise<SeededOrder[]> {
  const orders: SeededOrder[] = []
  for (let index = 0; index < count; index++) orders.push(await makeOrder(buyer, '40'))
  return orders
}

test('twenty orders are approved by four clicks, and a refusal stands beside its order', async () => {
  const orders = await makeOrders(20)
  const [first, second] = orders as [SeededOrder, SeededOrder]
  const transactionId = 'f'.repeat(64)
  for (const { token } of [first, second]) {
    await buyer('PUT', `/orders/${token}/transaction-id`, { transactionId })
  }
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/transactions?view=with_transaction_id'))
  await expect.poll(() => page.getByText('payment named by the buyer').count()).toBe(2)
  expect(await page.getByText('waits for a payment').count()).toBe(0)
  await page.goto(area(server, '/transactions'))
  await page.getByLabel('Mark all on this page').check()
  await page.getByText('Marked: 10 · $1,800.00').waitFor()
  await page.getByRole('button', { name: 'Mark all that match' }).click()
  await page.getByText('Marked: 20 · $3,600.00').waitFor()
  await page.getByRole('button', { name: 'Approve 20 · $3,600.00' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('840 ITOKEN in all').waitFor()
  expect(await axeFindings(page, '[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: 'Approve 20 · $3,600.00' }).click()
  await dialog.getByText('Approved: 19 of 20').waitFor()
  const refused = dialog.getByRole('row').filter({ hasText: `#${second.number}` })
  await refused.getByText(/transaction/i).waitFor()
  // Failed ones can be retried alone.
  await dialog.getByRole('button', { name: 'Approve 1 · $180.00' }).waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('Marked: 1 · $180.00').waitFor()
  expect(await Promise.all(orders.map(statusOf))).toEqual(
    orders.map((order) => (order === second ? 'pending' : 'approved')),
  )
  expect(await brokenRules(server.database.db)).toEqual([])
  await context.close()
})

test('the friends’ orders say beside each what explains its credit', async () => {
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/referrals'))
  await page.getByRole('columnheader').first().waitFor()
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    'Order',
    'Bought by',
    'Brought by',
    'Credited',
    'Explanation',
    'Decided',
  ])
  await context.close()
})

test('the list by its keys alone: next, mark, approve; the focus stays in the list', async () => {
  const orders = await makeOrders(3)
  const [oldest, middle, newest] = orders as [SeededOrder, SeededOrder, SeededOrder]
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/transactions?status=pending'))
  const box = ({ number }: SeededOrder) => page.getByLabel(`Mark order ${number}`, { exact: true })
  await box(newest).waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => box(newest).evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  expect(await box(middle).isChecked()).toBe(true)
  await page.getByText('Marked: 2 · $360.00').waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await page.getByText('Marked: 1 · $180.00').waitFor()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Approve 1 · $180.00' }).click()
  await dialog.getByText('Approved: 1 of 1').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await statusOf(middle)).toBe('approved')

  // One order, without marking: the row goes away, and the next one has the focus.
  await box(newest).focus()
  await page.keyboard.press('a')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve payment' }).click()
  await box(newest).waitFor({ state: 'detached' })
  await expect.poll(() => box(oldest).evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await statusOf(newest)).toBe('approved')

  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`[?&]open=${oldest.number}(&|$)`))
  await page.getByRole('heading', { name: `Order #${oldest.number}` }).waitFor()

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Reject this order').waitFor()
  await context.close()
})

test('the keys are letters of the keyboard, whatever layout is on', async () => {
  const [order] = (await makeOrders(1)) as [SeededOrder]
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/transactions?status=pending'))
  const box = page.getByLabel(`Mark order ${order.number}`, { exact: true })
  await box.waitFor()
  await pressRussian(page, 'о', 'KeyJ')
  await expect.poll(() => box.evaluate((input) => input === document.activeElement)).toBe(true)
  await pressRussian(page, 'ч', 'KeyX')
  await page.getByText('Marked: 1 · $180.00').waitFor()
  await pressRussian(page, 'л', 'KeyK', true)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('placeholder') ?? ''))
    .toBe('Page, action, order, user or payment')
  await page.keyboard.type(String(order.number))
  await page.getByRole('option', { name: `#${order.number} ·` }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Order #${order.number}` }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to' }).fill('late or odd')
  await page.keyboard.press('Enter')
  await page.waitForURL(/view=odd/)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByPlaceholder('Id, token').waitFor()
  await page.keyboard.press('/')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('placeholder') ?? ''))
    .toContain('Id, token')
  await context.close()
})

test('what is marked, and that nothing was found, are seen on a narrow phone in Russian', async () => {
  await makeOrders(1)
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.setViewportSize({ width: 320, height: 800 })
  await callFromPage(server, context, 'PATCH', '/operator/session', { language: 'ru' })
  await page.goto(area(server, '/transactions?status=pending'))
  await page
    .getByLabel(/^Отметить заказ/)
    .first()
    .check()
  await page.getByRole('button', { name: 'Отметить все подходящие' }).waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Перейти' })
  await field.fill('qqqqqq')
  const said = page.getByText('Ничего не найдено.')
  await said.waitFor()
  const [above, below] = await Promise.all([field.boundingBox(), said.boundingBox()])
  await callFromPage(server, context, 'PATCH', '/operator/session', { language: 'en' })
  await context.close()
  expect(width).toBe(320)
  expect(below?.y ?? 1_000).toBeLessThan((above?.y ?? 0) + (above?.height ?? 0) + 24)
})

test('the keys of the list rest while a choice or a dialog is open', async () => {
  const [order] = (await makeOrders(1)) as [SeededOrder]
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/transactions'))
  const box = page.getByLabel(`Mark order ${order.number}`, { exact: true })
  await box.check()
  await page.getByText('Marked: 1 · $180.00').waitFor()
  const status = page.getByRole('combobox', { name: 'Status' })
  await status.click()
  await page.getByRole('listbox').waitFor()
  // An open element is fully visible, unlike buttons that wait for their script.
  expect(await status.evaluate((choice) => getComputedStyle(choice).opacity)).toBe('1')
  await page.keyboard.press('a')
  await page.getByRole('option', { name: 'approved', exact: true }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog').count()).toBe(0)

  await box.focus()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  // Wherever the focus is after a click beside the dialog.
  await page.mouse.click(5, 5)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('j')
  expect(await page.evaluate(() => document.activeElement?.closest('[data-row]') === null)).toBe(true)
  await page.keyboard.press('?')
  expect(await page.getByRole('dialog').count()).toBe(1)
  await context.close()
})

test('what was decided since it was marked is not approved with the rest', async () => {
  const orders = await makeOrders(4)
  const [kept, alone, byColleague, alsoApproved] = orders as [
    SeededOrder,
    SeededOrder,
    SeededOrder,
    SeededOrder,
  ]
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/transactions?status=pending'))
  const box = ({ number }: SeededOrder) => page.getByLabel(`Mark order ${number}`, { exact: true })
  for (const order of orders) await box(order).check()
  await page.getByText('Marked: 4 · $720.00').waitFor()
  await box(alone).focus()
  await page.keyboard.press('r')
  await page.getByLabel('How much came').fill('0')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reject payment' }).click()
  await page.getByText('Marked: 3 · $540.00').waitFor()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await owner('POST', `/operator/orders/${byColleague.number}/reject`, {})
  await owner('POST', `/operator/orders/${alsoApproved.number}/approve`, {})
  await dialog.getByRole('button', { name: /^Approve 3/ }).click()
  await dialog.getByText('Approved: 2 of 3').waitFor()
  await dialog
    .getByRole('row')
    .filter({ hasText: `#${byColleague.number}` })
    .getByText('Somebody decided about this order meanwhile')
    .waitFor()
  expect(await Promise.all([kept, alone, byColleague, alsoApproved].map(statusOf))).toEqual([
    'approved',
    'rejected',
    'rejected',
    'approved',
  ])
  expect(await brokenRules(server.database.db)).toEqual([])
  await context.close()
})

test('whose role may not decide opens no review by a key', async () => {
  const [order] = (await makeOrders(1)) as [SeededOrder]
  const { context, page } = await openOperator(browser, server, 'support')
  await page.goto(area(server, '/transactions?status=pending'))
  await page.getByLabel(`Mark order ${order.number}`, { exact: true }).check()
  await page.getByText('Marked: 1 · $180.00').waitFor()
  await page.keyboard.press('a')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await context.close()
})
