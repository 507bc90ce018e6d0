import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { deliverDemoRound } from '../../src/server/demo/delivered-round.ts'
import { deliverOncePaid, openDemoEscrows, PAST_HOURS } from '../../src/server/demo/demo-escrows.ts'
import { watchLitecoin } from '../../src/server/demo/demo-litecoin.ts'
import { makeDemoToken } from '../../src/server/demo/demo-token.ts'
import { deliverToFilled } from '../../src/server/demo/filled-round.ts'
import { comeToThePresent, localChainAt } from '../../src/server/demo/local-chain.ts'
import { system } from '../../src/server/unit-of-work/unit-of-work.ts'
import { startServerAndChain, watchEther } from '../chains/followed-chain.ts'
import { startLitecoind } from '../chains/processes.ts'
import { addBuyer, brokenRules } from '../support/campaign.ts'
import { makeFolder } from '../support/folders.ts'
import { statement } from '../support/statement.ts'
import { openBuyer, openPage } from '../support/visitor.ts'

const demoFrom = Math.floor(Date.now() / 1000) - PAST_HOURS * 3600 - 60
const litecoin = await startLitecoind()
afterAll(() => litecoin.stop())
// The demo makes the one wallet that its node has.
await litecoin.rpc.call('unloadwallet', 'miner')
const { anvil, mine, server, browser } = await startServerAndChain({ demoFrom, litecoinUrl: litecoin.url })
const demo = { context: server.context, rpc: anvil.rpc }
const { db } = server.database
const confirmed = statement(
  'test_demo_confirmed',
  "update users set confirmed_at = now() where email_key = 'new@example.org'",
)
const overdue = statement('test_demo_overdue', 'select address from escrows where not locks_first')
const refunded = statement('test_demo_refunded', "select from orders o where o.detail = 'refunded'")

const filledRounds = statement(
  'test_demo_filled_rounds',
  "select number, state, (select string_agg(user_id::text, ',') from delivery_round_rows where round = number) as buyers from delivery_rounds where number > 1",
)

/** The last step of demo:fill: of two buyers with tokens, one has no address and waits for a later round. */
async function deliverToTwoBuyers(): Promise<void> {
  const { actions, ledger } = server.context
  const buyers = [await addBuyer(db), await addBuyer(db)]
  for (const userId of buyers)
    await actions.execute(ledger.actions['grant.add'], system, { userId, amount: '7', reason: 'Filled' })
  expect(await deliverToFilled(server.context, anvil.rpc, buyers)).toBe(true)
  expect(await db.query(filledRounds)).toEqual([{ number: 2, state: 'live', buyers: buyers[0] }])
}

/** Orders 40 tokens for test ETH, to be paid by the first test wallet; ends on the order's page. */
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
  await dialog.getByRole('button', { name: 'Test wallet 1' }).click()
  await expect.poll(() => dialog.getByLabel('Account that pays').inputValue()).toMatch(/^0x/)
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/dashboard/transaction?order=*')
}

/** Sends what a page offers by the first test wallet, which is told the fee before. */
async function sendByWallet(page: Page): Promise<void> {
  await page.getByText('The network’s fee is about 0.').waitFor()
  await page.getByRole('button', { name: 'Test wallet 1' }).click()
  await page.getByText('Sent, and waits for a block').waitFor()
  await mine(1)
}

/** The address of a test wallet at the page that needs no account. */
async function lookUp(page: Page, wallet: string): Promise<void> {
  await openPage(page, `${server.url}/claim`)
  await page.getByRole('button', { name: 'Take the address from a wallet' }).click()
  await page.getByRole('button', { name: wallet }).click()
  await page.waitForURL('**/claim?address=*')
}

/** The first account of the chain as a wallet in the page (EIP-6963). */
function strangersWallet(node: string): void {
  const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
    const asked = method === 'eth_requestAccounts' ? 'eth_accounts' : method
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: asked, params })
    const headers = { 'content-type': 'application/json' }
    return (await (await fetch(node, { method: 'POST', headers, body })).json()).result
  }
  const detail = { info: { uuid: 'stranger', name: "A stranger's wallet" }, provider: { request } }
  addEventListener('eip6963:requestProvider', () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
  )
}

/** Gives the money of the third test wallet back from a file on a disk: by the escrow's address and a node, with nothing of the site. */
async function refundFromDisk(page: Page, escrow: string): Promise<void> {
  const folder = await makeFolder('refund-file')
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'claim.html')
  await writeFile(file, Buffer.from(await (await fetch(`${server.url}/claim.html`)).arrayBuffer()))
  await page.addInitScript(strangersWallet, anvil.url)
  await page.goto(pathToFileURL(file).href)
  const [, , , payer] = await anvil.rpc.call<string[]>('eth_accounts')
  await page.getByText('It was paid into an escrow').click()
  await page.getByLabel('Address of the escrow').fill(escrow)
  await page.getByLabel('Address that paid, or that the tokens go to').fill(String(payer))
  await page.getByLabel('Address of a node').fill(anvil.url)
  await page.getByRole('button', { name: 'Ask the node' }).click()
  await page.getByRole('button', { name: 'Send the money back to who paid' }).click()
  await page.getByText('The network’s fee is about 0.').waitFor()
  await page.getByRole('button', { name: "A stranger's wallet" }).click()
  await page.getByText('Sent, and waits for a block').waitFor()
  await mine(1)
  await page.getByText('its money was given back').waitFor()
}

test('a newcomer to the demo sees both ends of an escrow: delivered and claimed, and refunded to others whom it failed', async () => {
  await watchEther(server)
  expect(await deliverToFilled(server.context, anvil.rpc, [])).toBe(false)
  const token = await makeDemoToken(demo)
  await openDemoEscrows(demo, token, -60)
  await comeToThePresent(demo.rpc)
  await deliverDemoRound(demo, token.seller)
  await deliverToTwoBuyers()
  const { page, faults } = await openBuyer(browser, server, 'new@example.org')
  await db.query(confirmed)
  await orderForEther(page)
  const order = page.url()
  await page.getByRole('button', { name: 'Pay with the wallet' }).click()
  await sendByWallet(page)
  await page.getByText('Escrowed: the money lies in the contract').waitFor()
  await mine(40)
  await page.getByText('Transaction approved').waitFor()
  await deliverOncePaid(demo, 0)
  await mine(40)
  await openPage(page, order)
  await page.getByText('Delivered: the tokens are yours').waitFor()

  await openPage(page, `${server.url}/dashboard/my-token`)
  const claim = page.getByRole('button', { name: /^Claim 42/ })
  await claim.click()
  await sendByWallet(page)
  await claim.waitFor({ state: 'detached' })

  await lookUp(page, 'Test wallet 2')
  await page.getByText('The round was not delivered by').waitFor()
  await page.getByRole('button', { name: /^Send 0\.06 ETH back/ }).click()
  await sendByWallet(page)
  await page.getByText('The money of this order was given back').waitFor()
  await page.getByRole('button', { name: /^Claim 350\.5/ }).click()
  await sendByWallet(page)

  const { address } = await db.one<{ address: string }>(overdue)
  await refundFromDisk(page, address)
  // An escrow's return counts when its block is too deep to be read again.
  await mine(140)
  await expect.poll(async () => (await db.query(refunded)).length).toBe(2)
  await server.context.delivery.lookAtEscrows()
  expect(await brokenRules(db)).toEqual([])
  expect(faults).toEqual([])
})

test('a newcomer pays in Litecoin too, which no escrow takes: the link to a wallet is paid by the test wallet, once', async () => {
  await watchLitecoin(server.context, localChainAt(litecoin.url))
  const { page, faults } = await openBuyer(browser, server, 'ltc@example.org')
  await openPage(page, `${server.url}/dashboard/buy-token`)
  await page
    .getByRole('button', { name: /^Litecoin\b/ })
    .or(page.getByRole('radio', { name: /^Litecoin\b/ }))
    .first()
    .click()
  await page.getByLabel('Amount').fill('40')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('link', { name: 'Open in a wallet' }).dblclick()
  await page.getByText('the test wallet has sent the Litecoin').waitFor()
  // Once the payment is seen, the dialog leads to the order.
  await page.waitForURL('**/dashboard/transaction?order=*')
  const miner = await litecoin.rpc.call<string>('getnewaddress')
  await litecoin.rpc.call('generatetoaddress', 12, miner)
  await page.getByText('Transaction approved').waitFor()
  const sent = await litecoin.rpc.call<{ category: string }[]>('listtransactions', '*', 1000)
  expect(sent.filter(({ category }) => category === 'send')).toHaveLength(1)
  expect(await brokenRules(db)).toEqual([])
  expect(faults).toEqual([])
})
