import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { brokenRules } from '../support/campaign.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Pictures of the journey, for people to look at; not in the repository. */
const pictures = fileURLToPath(new URL('../../test-results/main-job/', import.meta.url))
const owner = { login: 'owner', password: 'correct horse battery 9' }

let browser: Browser
let server: TestServer

beforeAll(async () => {
  await mkdir(pictures, { recursive: true })
  server = await startServer({ OPERATOR_LOGIN: owner.login, OPERATOR_PASSWORD: owner.password })
  const { operators, config } = server.context
  await operators.ensureFirstOwner(config.operators.first, config.dataDir)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function openPage(): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  return { page, faults }
}

const keep = (page: Page, name: string) => page.screenshot({ path: `${pictures}${name}.png` })

async function register(page: Page): Promise<void> {
  await page.goto(`${server.url}/register`)
  await page.getByLabel('Full Name').fill('Ann Example')
  await page.getByLabel('Email Address').fill('ann@example.org')
  await page.getByLabel('Phone Number').fill('+37255550000')
  await page.getByLabel('Password', { exact: true }).fill('a long passphrase 7')
  await page.getByLabel('Confirm Password').fill('a long passphrase 7')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/dashboard/buy-token')
}

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
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Demo: do not send anything').waitFor()
  await keep(page, `pay-${currency.toLowerCase()}`)
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL('**/dashboard/transaction?order=*')
  await page.getByText('Processing Transaction').waitFor()
}

async function logInAsOperator(page: Page): Promise<void> {
  await page.goto(`${server.url}/operator`)
  await page.getByLabel('Login').fill(owner.login)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/operator/dashboard**')
}

async function decide(
  page: Page,
  order: number,
  action: 'Approve payment' | 'Reject payment',
): Promise<void> {
  await page.getByRole('button', { name: `Actions for order ${order}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: action })
    .click()
}

test('a buyer registers and buys twice, an operator approves one and rejects the other, and the pages follow live', async () => {
  const { page: buyer, faults } = await openPage()
  const { page: operator, faults: operatorFaults } = await openPage()
  await register(buyer)
  await buy(buyer, 'Bitcoin', '200')
  await buy(buyer, 'Tether', '40')
  await keep(buyer, 'order-pending')

  await logInAsOperator(operator)
  await operator.goto(`${server.url}/operator/dashboard/transactions`)
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
  expect(raised).toEqual({ usd: '900.00', onChainUsd: '0.00', byOperatorUsd: '900.00' })
  expect({ faults, operatorFaults }).toEqual({ faults: [], operatorFaults: [] })
})
