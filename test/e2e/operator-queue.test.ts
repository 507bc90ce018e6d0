import { expect, test } from 'vitest'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { brokenRules } from '../support/campaign.ts'
import { makeOrder, registerBuyer, type SeededOrder } from '../support/every-state.ts'
import { area, openOperator } from '../support/operator-pages.ts'
import { axeFindings } from '../support/visitor.ts'

const { server, browser, owner } = await startStaffedServerAndBrowser()
const buyer = await registerBuyer(server, 'ann@example.org')

const statusOf = async ({ number }: SeededOrder) =>
  (await owner<{ status: string }>('GET', `/operator/orders/${number}`)).status

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
  // What was refused can be tried again, alone.
  await dialog.getByRole('button', { name: 'Approve 1 · $180.00' }).waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('Marked: 1 · $180.00').waitFor()
  expect(await Promise.all(orders.map(statusOf))).toEqual(
    orders.map((order) => (order === second ? 'pending' : 'approved')),
  )
  expect(await brokenRules(server.database.db)).toEqual([])
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

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Reject this order').waitFor()
  await context.close()
})
