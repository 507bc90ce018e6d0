import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { startServerAndBrowser } from '../support/browser.ts'
import { brokenRules } from '../support/campaign.ts'
import { area, logInByForm, press } from '../support/operator-pages.ts'
import { openVisitor, registerByForm } from '../support/visitor.ts'

/** Pictures of the journey, for people to look at; not in the repository. */
const pictures = fileURLToPath(new URL('../../test-results/main-job/', import.meta.url))
await mkdir(pictures, { recursive: true })

const { server, browser } = await startServerAndBrowser()

const keep = (page: Page, name: string) => page.screenshot({ path: `${pictures}${name}.png` })

/** Orders through both steps of the dialog; ends on the order's page. */
async function buy(page: Page, currency: string, tokens: string): Promise<void> {
  await page.goto(`${server.url}/dashboard/buy-token`)
  await page
    .getByRole('button', { name: new RegExp(`^${currency}\\b`) })
    .or(page.getByRole('radio', { name: new RegExp(`^${currency}\\b`) }))
    .first()
    .click()
  await page.getByLabel('Amount').fill(tokens)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Demo: do not send anything').waitFor()
  await keep(page, `pay-${currency.toLowerCase()}`)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL('**/dashboard/transaction?order=*')
  await page.getByText('Processing Transaction').waitFor()
}

async function decide(
  page: Page,
  order: number,
  action: 'Approve payment' | 'Reject payment',
): Promise<void> {
  await page.getByRole('button', { name: `Actions for order ${order}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
  if (action === 'Reject payment') await page.getByLabel('How much came').fill('0')
  await press(page, action)
}

test('a buyer registers and buys twice, an operator approves one and rejects the other, and the pages follow live', async () => {
  const moving = { reducedMotion: 'no-preference' } as const
  const { page: buyer, faults } = await openVisitor(browser, moving)
  const { page: operator, faults: operatorFaults } = await openVisitor(browser, moving)
  await registerByForm(buyer, server, 'ann@example.org')
  await buy(buyer, 'Bitcoin', '200')
  await buy(buyer, 'Tether', '40')
  await keep(buyer, 'order-pending')

  await operator.goto(`${server.url}/operator`)
  await logInByForm(operator, 'owner')
  await operator.waitForURL('**/operator/dashboard**')
  await operator.goto(area(server, '/transactions'))
  await operator.getByRole('heading', { name: 'All Transactions' }).waitFor()
  await keep(operator, 'operator-orders')

  // The buyer has the second order open: its page turns without a reload.
  await decide(operator, 2, 'Reject payment')
  await buyer.getByText('Transaction rejected').waitFor()
  await keep(buyer, 'order-rejected')

  // And the overview follows the first one.
  await buyer.goto(`${server.url}/dashboard`)
  await buyer.getByText('Dashboard Overview').waitFor()
  await decide(operator, 1, 'Approve payment')
  await buyer.getByText('Silver').first().waitFor()
  await buyer.getByText('214', { exact: false }).first().waitFor()
  await keep(buyer, 'overview')

  await buyer.goto(`${server.url}/dashboard/my-token`)
  await buyer.getByText('214').first().waitFor()
  await keep(buyer, 'token-hub')
  await buyer.goto(`${server.url}/`)
  await buyer.getByText('$900.00').first().waitFor()
  await keep(buyer, 'landing')

  expect(await brokenRules(server.database.db)).toEqual([])
  const { raised } = await server.context.campaign.refresh()
  expect(raised).toEqual({ usd: '900.00', onChainUsd: '0.00', byOperatorUsd: '900.00', takeableUsd: '0.00' })
  expect({ faults, operatorFaults }).toEqual({ faults: [], operatorFaults: [] })
})
