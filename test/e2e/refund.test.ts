import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ensureChains } from '../../src/server/payments/watchers.ts'
import { accountOf, JUNK } from '../chains/account-keys.ts'
import { createPayer } from '../chains/evm-accounts.ts'
import { type Anvil, startAnvil } from '../chains/processes.ts'
import { openBrowser } from '../support/browser.ts'
import { addOperator, brokenRules } from '../support/campaign.ts'
import { startServer, type TestServer } from '../support/server.ts'

let anvil: Anvil
let browser: Browser
let server: TestServer

beforeAll(async () => {
  anvil = await startAnvil()
  vi.stubEnv('CHAIN_ETHEREUM_RPC_URL', anvil.url)
  vi.stubEnv('CHAIN_ETHEREUM_ID', '31337')
  vi.stubEnv('CHAIN_ETHEREUM_EXPLORER_URL', 'none')
  server = await startServer()
  const { paymentParts: parts } = server.context
  const { db } = server.database
  await ensureChains(db, parts.configs)
  const editor = { operatorId: await addOperator(db), requestId: 'test' }
  const accountKey = accountOf(JUNK, "m/44'/60'/7'", 'xpub').publicExtendedKey
  const wallet = await parts.wallets.add({ family: 'evm', accountKey, name: 'ETH' }, editor)
  await parts.wallets.check(wallet.id, wallet.firstAddresses, editor)
  await parts.wallets.setCurrencyWallet('ETH', wallet.id, editor)
  await parts.watchers.start()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.context.paymentParts.watchers.stop()
  await server?.close()
  await anvil?.stop()
  vi.unstubAllEnvs()
})

const mine = (blocks: number) => anvil.rpc.call('anvil_mine', `0x${blocks.toString(16)}`)

test('a buyer pays far too much, claims the rest and sees it come back', async () => {
  const page = await (await browser.newContext({ locale: 'en' })).newPage()
  page.setDefaultTimeout(15_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${server.url}/register`)
  await page.getByLabel('Full Name').fill('Ann Example')
  await page.getByLabel('Email Address').fill('ann@example.org')
  await page.getByLabel('Phone Number').fill('+37255550000')
  await page.getByLabel('Password', { exact: true }).fill('a long passphrase 7')
  await page.getByLabel('Confirm Password').fill('a long passphrase 7')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/dashboard/buy-token')
  await page.goto(`${server.url}/dashboard/buy-token?currency=ETH&amount=100`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('the network, by itself').waitFor()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Too little, too much').click()
  await dialog.getByText('whichever is less').waitFor()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Nothing has been seen yet').waitFor()

  const address = (await page.locator('button', { hasText: /0x[0-9a-fA-F]{40}/ }).textContent()) ?? ''
  const payer = createPayer(anvil)
  await payer.pay(/0x[0-9a-fA-F]{40}/.exec(address)?.[0] ?? '', '900')
  await mine(40)
  await page.getByText('750.00000001 ETH').waitFor()
  const field = page.getByLabel(/Your address on/)
  await field.fill('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
  await page.getByRole('button', { name: 'Send it there' }).click()
  await page.getByText('This is an address of another network').waitFor()
  await field.fill(createPayer(anvil, 9).address)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await page.getByRole('button', { name: 'Change the address' }).waitFor()

  await createPayer(anvil, 1).pay(createPayer(anvil, 9).address, '750.00000001')
  await mine(1)
  await page.getByText(/Sent, \d+ confirmations/).waitFor()
  await mine(40)
  await page.locator('li[aria-current=step]', { hasText: 'Confirmed on chain' }).waitFor()
  expect(await brokenRules(server.database.db)).toEqual([])
  expect(faults).toEqual([])
})
