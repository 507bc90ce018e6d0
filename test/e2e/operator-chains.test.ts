import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { accountOf, JUNK } from '../chains/account-keys.ts'
import { createPayer } from '../chains/evm-accounts.ts'
import { startServerAndChain } from '../chains/followed-chain.ts'
import { brokenRules } from '../support/campaign.ts'
import { makeOrder, registerBuyer } from '../support/every-state.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'

const { anvil, mine, server, browser, owner } = await startServerAndChain()

test('a wallet is added and confirmed, a payment followed, rejected, owed and prepared for signing', async () => {
  const { context, page } = await openOperator(browser, server, 'finance')
  const account = accountOf(JUNK, "m/44'/60'/7'", 'xpub')
  await page.goto(area(server, '/payments?tab=wallets'))
  await page.getByText('No wallet yet: every currency is paid to its fixed address.').waitFor()
  await page.getByRole('button', { name: 'Add a wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Desk wallet')
  await dialog.getByLabel('Kind').click()
  await page.getByRole('option', { name: 'EVM' }).click()
  await dialog.getByLabel('Account public key').fill(account.privateExtendedKey)
  await press(page, 'Add it')
  await dialog
    .getByRole('alert')
    .filter({ hasText: /private/i })
    .last()
    .waitFor()
  await dialog.getByLabel('Account public key').fill(account.publicExtendedKey)
  await press(page, 'Add it')
  const check = page.getByRole('dialog', { name: 'Confirm “Desk wallet”' })
  await check.waitFor()
  const wallets = await owner<{ items: { firstAddresses: string[] }[] }>('GET', '/operator/wallets')
  const addresses = wallets.items[0]?.firstAddresses ?? []
  // One of another wallet: it stays unused.
  for (const [index, address] of [...addresses.slice(0, 2), createPayer(anvil).address].entries())
    await check.getByLabel(`Address ${index + 1}`).fill(address)
  await press(page, 'Compare')
  await check.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor()
  await check.getByLabel('Address 3').fill(addresses[2] ?? '')
  await press(page, 'Compare')
  await page.getByText('The addresses agree. The wallet can be used.').waitFor()
  await page.getByLabel('Use it for a currency').click()
  await page.getByRole('option', { name: /^ETH / }).click()
  await page.getByRole('button', { name: 'Use it…', exact: true }).click()
  // The confirming operator sees the present and the future target.
  const move = page.getByRole('alertdialog', { name: 'Change where ETH is paid to?' })
  const { items } = await owner<{ items: { code: string; address: string }[] }>('GET', '/operator/currencies')
  await move.getByText(items.find(({ code }) => code === 'ETH')?.address ?? 'none').waitFor()
  for (const address of addresses) await move.getByText(address).waitFor()
  await press(page, 'Change it')
  await page.getByText('Each order of ETH gets an address of its own now.').waitFor()
  // While it is not known what address is left without the wallet, nobody is asked to take it off.
  const leave = page.getByRole('button', { name: 'Stop deriving addresses for ETH' })
  await page.route('**/api/v1/operator/currencies', (route) => route.abort())
  await page.reload()
  await leave.waitFor()
  expect(await leave.isDisabled()).toBe(true)
  await page.unroute('**/api/v1/operator/currencies')
  await page.reload()
  await leave.click()
  await move.getByText(items.find(({ code }) => code === 'ETH')?.address ?? 'none').waitFor()
  await press(page, 'Cancel')

  const buyer = await registerBuyer(server, 'ann@example.org')
  const { number, token } = await makeOrder(buyer, '100', 'ETH')
  const short = await makeOrder(buyer, '60', 'ETH')
  const asked = (of: string) => buyer<{ address: string; cryptoAmount: string }>('GET', `/orders/${of}`)
  const order = await asked(token)
  await createPayer(anvil).pay(order.address, order.cryptoAmount)
  await createPayer(anvil, 1).pay((await asked(short.token)).address, '0.0002')
  await mine(1)
  await page.goto(area(server, `/payments?search=${number}`))
  const payment = page.getByRole('row').filter({ hasText: 'Ethereum' })
  await payment.getByText('confirming').waitFor()
  await mine(40)
  await expect
    .poll(async () => (await owner<{ status: string }>('GET', `/operator/orders/${number}`)).status)
    .toBe('approved')
  await page.reload()
  await payment.getByText(/credited|final/).waitFor()
  // Less than a dollar: confirmed by the chain, and named too little.
  await page.goto(area(server, `/payments?search=${short.number}`))
  await payment.getByText('too little').waitFor()

  await page.goto(area(server, '/payments?tab=chains'))
  const chain = page.getByRole('row').filter({ hasText: 'Ethereum' })
  await chain.getByText('followed').waitFor()
  await chain.getByRole('button', { name: 'More for Ethereum' }).click()
  await page.getByRole('menuitem', { name: 'Confirmations…' }).click()
  await press(page, 'Add a rule')
  await page.getByRole('dialog').getByLabel('Below, dollars').first().fill('100')
  await press(page, 'Save')
  await page.getByText('The confirmations were saved.').waitFor()
  await chain.getByText('below $100: 1').waitFor()

  // Approved on chain, then rejected: the money is owed back, publicly.
  await page.goto(area(server, `/transactions/${number}`))
  await page.getByText('approved on chain').waitFor()
  await page.getByRole('button', { name: 'Reject payment' }).click()
  await press(page, 'Reject payment')
  await page.getByText(`Order #${number} rejected`).waitFor()
  await page.getByText('Owed back').waitFor()
  await page.getByRole('cell', { name: 'refunds owed' }).first().waitFor()

  await page.goto(area(server, '/payments?tab=refunds'))
  const refund = page.getByRole('row').filter({ hasText: 'the order was rejected' })
  await refund.getByText('owed, no address yet').waitFor()
  await buyer('POST', `/orders/${token}/refunds/claim`, { address: createPayer(anvil, 9).address })
  await page.reload()
  await refund.getByText('address given').waitFor()
  await refund.getByText(/^the address counts from/).waitFor()
  // An address counts a day after it was named, a payment once it is final.
  await mine(140)
  await server.database.db.query(
    sql`update refunds set claimed_at = claimed_at - interval '25 hours' where claimed_at is not null`,
  )
  await expect
    .poll(
      async () => (await owner<{ items: { isDue: boolean }[] }>('GET', '/operator/refunds')).items[0]?.isDue,
    )
    .toBe(true)
  await page.reload()
  await page.getByRole('button', { name: 'Prepare refunds to sign…' }).waitFor()
  await refund.getByRole('checkbox', { name: `Mark the refund of order ${number}` }).check()
  await page.getByRole('button', { name: 'Prepare the marked ones: 1…' }).click()
  await page.getByRole('dialog').getByText('1 on Ethereum').waitFor()
  // A second look keeps the selection.
  await press(page, 'Cancel')
  await page.getByRole('button', { name: 'Prepare the marked ones: 1…' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Prepare and download')])
  const file = await readFile(await download.path(), 'utf8')
  expect(file).toContain(createPayer(anvil, 9).address)
  expect(file).toContain(order.cryptoAmount.replace(/0+$/, ''))
  await refund.getByText('prepared to be signed').waitFor()

  await owner('PUT', '/operator/chains/ethereum/refund-senders', {
    addresses: [createPayer(anvil, 2).address],
  })
  await createPayer(anvil, 2).pay(createPayer(anvil, 9).address, order.cryptoAmount)
  await mine(40)
  await expect
    .poll(
      async () => (await owner<{ items: { state: string }[] }>('GET', '/operator/refunds')).items[0]?.state,
    )
    .toBe('paid')
  await page.reload()
  await refund.getByText('paid back').waitFor()
  expect(await brokenRules(server.database.db)).toEqual([])

  await server.database.db.query(
    sql`update payments p set fault = 'wrong_asset' where order_id = ${short.number}`,
  )
  await page.goto(area(server, `/payments?search=${short.number}`))
  // No operator is offered to owe back the same payment again.
  await payment.getByRole('button', { name: 'Owe back…' }).click()
  await press(page, 'Owe it back')
  await payment.getByText('Owed back', { exact: true }).waitFor()
  expect(await payment.getByRole('button', { name: /…$/ }).count()).toBe(0)
  await context.close()
})
