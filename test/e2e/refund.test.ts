import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { createPayer } from '../chains/evm-accounts.ts'
import { startServerAndChain, watchEther } from '../chains/followed-chain.ts'
import { brokenRules } from '../support/campaign.ts'
import { logInAgain, openVisitor, registerByForm } from '../support/visitor.ts'

const { anvil, mine, server, browser } = await startServerAndChain()
await watchEther(server)

test('a buyer pays far too much, claims the rest and sees it come back', async () => {
  const { page, faults } = await openVisitor(browser, { reducedMotion: 'no-preference' })
  await registerByForm(page, server, 'ann@example.org')
  await page.goto(`${server.url}/dashboard/buy-token?currency=ETH&amount=100`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Automatic', { exact: true }).waitFor()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Too little, too much').click()
  await dialog.getByText('whichever is less').waitFor()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('and nothing has been seen yet').waitFor()
  await page.getByText('Not sent yet?').click()

  const address = (await page.locator('button', { hasText: /0x[0-9a-fA-F]{40}/ }).textContent()) ?? ''
  const payer = createPayer(anvil)
  await payer.pay(/0x[0-9a-fA-F]{40}/.exec(address)?.[0] ?? '', '900')
  await mine(40)
  await page.getByText('750 ETH').waitFor()
  const field = page.getByLabel(/Your address on/)
  await field.fill('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
  await page.getByRole('button', { name: 'Send it there' }).click()
  await page.getByText('This is an address of another network').waitFor()
  await field.fill(`0x${'5'.repeat(64)}`)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await page.getByText('This is a private key, not an address').waitFor()
  expect(await field.inputValue()).toBe('')
  await field.fill(createPayer(anvil, 9).address)
  // A login in between leads back to the address that was typed.
  await server.database.db.query(sql`delete from user_sessions`)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await logInAgain(page, 'ann@example.org')
  await page.waitForURL('**/dashboard/transaction?*')
  await expect.poll(() => field.inputValue()).toBe(createPayer(anvil, 9).address)
  await page.getByRole('button', { name: 'Send it there' }).click()
  await page.getByRole('button', { name: 'Change the address' }).waitFor()

  await server.database.db.query(
    sql`update chains set refund_senders = array[lower(${createPayer(anvil, 1).address})] where name = 'ethereum'`,
  )
  await createPayer(anvil, 1).pay(createPayer(anvil, 9).address, '750')
  await mine(1)
  await page.getByText(/Sent, \d+ confirmations/).waitFor()
  // The note says nothing of a money that is already on its way as if it were not.
  await page.getByText('You have said where to send it. How far it has got is shown below.').waitFor()
  await mine(40)
  await page.locator('li[aria-current=step]', { hasText: 'Confirmed on chain' }).waitFor()
  expect(await brokenRules(server.database.db)).toEqual([])
  expect(faults).toEqual([])
})
