import { expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { makeOrder, registerBuyer } from '../support/every-state.ts'
import { axeFindings, enter, openVisitor } from '../support/visitor.ts'

const { server, browser, owner } = await startStaffedServerAndBrowser()
const buyer = await registerBuyer(server, 'own@example.org')

test('the Priority Access card shows whoever is signed in what they hold, and nobody else anything', async () => {
  const { number } = await makeOrder(buyer, '190')
  await owner('POST', `/operator/orders/${number}/approve`, { status: 'pending' })
  const { page, context } = await openVisitor(browser)
  await page.goto(server.url)
  await page.getByText('All levels and their perks').scrollIntoViewIfNeeded()
  await page.getByText('160 more to Silver').waitFor()
  expect(await page.locator('[data-own]').count()).toBe(0)

  await enter(server, context, '/session', { email: 'own@example.org', password })
  await page.goto(server.url)
  await page.getByText('All levels and their perks').scrollIntoViewIfNeeded()
  // 190 bought plus 5 %; the held level's bonus applies to the next order.
  await page.getByRole('link', { name: 'You hold 199.5 ITOKEN: Bronze, 5% bonus.' }).waitFor()
  expect(await axeFindings(page)).toEqual([])

  // If the ledger does not answer, the link keeps a name and shows no figure.
  await page.route('**/api/v1/holdings', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto(`${server.url}/ru`)
  await page.getByText('Все уровни и что они дают').scrollIntoViewIfNeeded()
  await page.getByText('ещё 160 до уровня Серебро').waitFor()
  expect(await page.locator('[data-own]').innerText()).toBe('Посмотреть, что у вас есть')
  await page.unrouteAll()
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(`${server.url}/ru`)
  await page.getByText('Все уровни и что они дают').scrollIntoViewIfNeeded()
  await page.getByRole('link', { name: 'У вас 199,5 ITOKEN: Бронза, бонус 5 %.' }).waitFor()
  await context.close()
})
