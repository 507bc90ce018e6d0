import type { Page } from '@playwright/test'
import { describe, expect, test } from 'vitest'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { brokenRules } from '../support/campaign.ts'
import { makeOrder, registerBuyer } from '../support/every-state.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { statement } from '../support/statement.ts'

const wantSecond = statement(
  'test_want_second_operator',
  `update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb($1::boolean))`,
)

const { server, browser, owner } = await startStaffedServerAndBrowser()
const buyer = await registerBuyer(server, 'ann@example.org')

const statusOf = async (number: number) =>
  (await owner<{ status: string }>('GET', `/operator/orders/${number}`)).status

async function askToApprove(page: Page, number: number): Promise<void> {
  await page.goto(area(server, `/transactions/${number}`))
  await page.getByRole('button', { name: 'Approve payment' }).click()
  await page.getByLabel('Note for the record').fill('Seen in the wallet')
  await press(page, 'Approve payment')
}

describe('dual control', () => {
  test('the first asks, can’t confirm their own, the second confirms; another is refused [TWO-1]', async () => {
    await server.database.db.query(wantSecond, [true])
    const order = await makeOrder(buyer, '100')
    const other = await makeOrder(buyer, '60')
    const finance = await openOperator(browser, server, 'finance')
    await askToApprove(finance.page, order.number)
    await finance.page.getByText('Waits on the page Approvals').waitFor()
    await finance.page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await statusOf(order.number)).toBe('pending')
    await askToApprove(finance.page, other.number)
    await finance.page.getByText('Waits on the page Approvals').waitFor()

    await finance.page.goto(area(server, '/approvals'))
    const title = `Approve an order · order ${order.number}`
    const mine = finance.page.getByRole('article').filter({ hasText: title })
    const confirm = mine.getByRole('button', { name: 'Confirm…' })
    await confirm.waitFor()
    expect(await confirm.getAttribute('aria-disabled')).toBe('true')
    await mine.getByRole('button', { name: 'Withdraw' }).waitFor()
    await mine.getByText(/owner.* can confirm this now\./).waitFor()

    const confirmer = await openOperator(browser, server, 'owner')
    await confirmer.page.goto(area(server, '/approvals'))
    const asked = confirmer.page.getByRole('article').filter({ hasText: title })
    await asked.getByText('105 ITOKEN').waitFor()
    await asked.getByText('Seen in the wallet').waitFor()
    await asked.getByRole('button', { name: 'Confirm…' }).click()
    await press(confirmer.page, 'Confirm')
    await confirmer.page.getByText('Confirmed and done.').waitFor()
    await asked.waitFor({ state: 'detached' })
    expect(await statusOf(order.number)).toBe('approved')

    const second = confirmer.page.getByRole('article').filter({ hasText: `order ${other.number}` })
    await second.getByRole('button', { name: 'Refuse' }).click()
    await confirmer.page.getByText('Refused. Nothing has changed.').waitFor()
    expect(await statusOf(other.number)).toBe('pending')

    // The requester sees the result.
    await finance.page.goto(area(server, '/approvals?state=confirmed'))
    await finance.page.getByRole('article').filter({ hasText: 'decided by owner' }).waitFor()
    await confirmer.context.close()
    await finance.context.close()
    await server.database.db.query(wantSecond, [false])
    expect(await brokenRules(server.database.db)).toEqual([])
  })
})

test('the question before a rejection says what becomes owed, and an approved order no longer expires', async () => {
  const { number } = await makeOrder(buyer, '60')
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, `/transactions/${number}`))
  const reject = page.getByRole('button', { name: 'Reject payment' })
  const question = page.getByRole('alertdialog')
  await reject.click()
  await question
    .getByText(
      /The amount that you name becomes owed to the buyer, publicly, on your word. The rejection can't be undone/,
    )
    .waitFor()
  expect(await question.getByLabel('How much came').inputValue()).toBe('')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Expires unpaid').waitFor()

  await owner('POST', `/operator/orders/${number}/approve`, {})
  await page.reload()
  await page.getByText('operator owner').waitFor()
  expect(await page.getByText('Expires unpaid').count()).toBe(0)
  await reject.click()
  expect(Number(await question.getByLabel('How much came').inputValue())).toBe(270)
  await question.getByLabel('How much came').fill('200.5')
  await press(page, 'Reject payment')
  await page.getByText(`Order #${number} rejected`).waitFor()
  await page.goto(area(server, '/payments?tab=refunds'))
  await page.getByRole('row').filter({ hasText: '200.5' }).first().waitFor()
  await context.close()
})

describe('a connection that breaks in the middle of an approval', () => {
  test('after the server did it: the page finds out and says approved', async () => {
    const { number } = await makeOrder(buyer, '70')
    const { context, page } = await openOperator(browser, server, 'finance')
    await page.route('**/approve', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await askToApprove(page, number)
    await page.getByText(`Order #${number} approved`).waitFor()
    await page.getByText('operator finance').waitFor()
    expect(await page.getByText('was not changed').count()).toBe(0)
    await context.close()
  })

  test('before the server heard of it: the page says so, and repeating approves once', async () => {
    const { number } = await makeOrder(buyer, '80')
    const { context, page } = await openOperator(browser, server, 'finance')
    await page.route('**/approve', (route) => route.abort('connectionreset'), { times: 1 })
    await askToApprove(page, number)
    await page.getByText(`Order #${number} was not changed`).waitFor()
    await page.getByText('The connection was lost on the way. You can try again.').waitFor()
    expect(await statusOf(number)).toBe('pending')
    await askToApprove(page, number)
    await page.getByText(`Order #${number} approved`).waitFor()
    await context.close()
    expect(await brokenRules(server.database.db)).toEqual([])
  })

  test('where the question what became of it is swallowed, it is asked again', async () => {
    const { number } = await makeOrder(buyer, '85')
    const { context, page } = await openOperator(browser, server, 'finance')
    await page.route('**/approve', (route) => route.abort('connectionreset'))
    await page.goto(area(server, `/transactions/${number}`))
    await page.getByRole('button', { name: 'Approve payment' }).click()
    let asked = 0
    await page.route(`**/orders/${number}`, async (route) => {
      asked += 1
      // The first question is neither answered nor refused.
      if (asked > 1) await route.continue()
    })
    await press(page, 'Approve payment')
    await page.getByText(`Order #${number} was not changed`).waitFor()
    expect(asked).toBeGreaterThan(1)
    await context.close()
  })

  test('while nothing answers the page says that it does not know', async () => {
    const { number } = await makeOrder(buyer, '90')
    const { context, page } = await openOperator(browser, server, 'finance')
    await page.goto(area(server, `/transactions/${number}`))
    await page.getByRole('button', { name: 'Approve payment' }).click()
    await page.route('**/api/v1/**', (route) => route.abort('connectionreset'))
    await press(page, 'Approve payment')
    await page.getByText('No answer came. Asking the server whether it happened…').waitFor()
    expect(await page.getByText(/approved$|was not changed/).count()).toBe(0)
    await page.unroute('**/api/v1/**')
    await page.getByText(`Order #${number} was not changed`).waitFor()
    await context.close()
  })
})

test('a refund on a chain that nobody follows says before it is sent that no chain will confirm it', async () => {
  await server.database.db.query(wantSecond, [false])
  const { number, token } = await makeOrder(buyer, '100', 'DOGE')
  await owner('POST', `/operator/orders/${number}/approve`)
  await owner('POST', `/operator/orders/${number}/reject`)
  await buyer('POST', `/orders/${token}/refunds/claim`, { address: 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC' })
  const { context, page, faults } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/payments?tab=refunds'))
  const row = page.getByRole('row').filter({ hasText: 'DOGE' })
  await row.getByRole('button', { name: 'Sent by…' }).click()
  await page.getByText('Nobody follows Dogecoin here, so no chain will confirm it').waitFor()
  await page.getByLabel('Transaction id').fill('ab'.repeat(32))
  await press(page, 'Note it')
  await page.getByText('Noted as sent. It counts as paid once you say so here.').waitFor()
  await page.getByRole('cell', { name: 'sent', exact: true }).waitFor()
  await page.goto(area(server, `/transactions/${number}`))
  const approve = page.getByRole('button', { name: 'Approve payment' })
  await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('true')
  await approve.focus()
  await page.getByText('It is rejected, and that is final.').first().waitFor()
  expect(faults).toEqual([])
  await context.close()
})
