import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { deliverDemoRound } from '../../src/server/demo/delivered-round.ts'
import { startServerAndChain, watchEther } from '../chains/followed-chain.ts'
import { brokenRules } from '../support/campaign.ts'
import { openBuyer, openPage } from '../support/visitor.ts'

const { anvil, mine, server, browser } = await startServerAndChain({ hasWallets: true })

/** Orders 40 tokens for test ETH; ends on the order's page. */
async function orderForEther(page: Page): Promise<void> {
  await openPage(page, `${server.url}/dashboard/buy-token`)
  await page
    .getByRole('button', { name: /^Ethereum\b/ })
    .or(page.getByRole('radio', { name: /^Ethereum\b/ }))
    .first()
    .click()
  await page.getByLabel('Amount').fill('40')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL('**/dashboard/transaction?order=*')
}

test('a newcomer to the demo pays with a test wallet until the chain approves it, and claims from the delivered round', async () => {
  await watchEther(server)
  await deliverDemoRound({ context: server.context, rpc: anvil.rpc })
  const { page, faults } = await openBuyer(browser, server, 'new@example.org')
  await orderForEther(page)
  await page.getByRole('button', { name: 'Pay with a wallet of this browser' }).click()
  await page.getByRole('button', { name: 'Test wallet 1' }).click()
  await page.getByText('Sent, and waits for a block').waitFor()
  await mine(1)
  // Once the site has seen it, nothing is left to be paid.
  await page.getByRole('button', { name: 'Test wallet 1' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: 'Pay with a wallet of this browser' }).count()).toBe(0)
  await mine(40)
  await page.getByText('Transaction approved').waitFor()

  await openPage(page, `${server.url}/claim`)
  await page.getByRole('button', { name: 'Take the address from a wallet' }).click()
  await page.getByRole('button', { name: 'Test wallet 2' }).click()
  await page.getByRole('button', { name: /^Claim 350\.5/ }).click()
  await page.getByRole('button', { name: 'Test wallet 1' }).click()
  await page.getByText('Sent, and waits for a block').waitFor()
  await mine(1)
  await page.getByText('It is not final yet').waitFor()
  expect(await brokenRules(server.database.db)).toEqual([])
  expect(faults).toEqual([])
})
