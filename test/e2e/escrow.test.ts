import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { DistributorChain } from '../chains/distributors.ts'
import { startServerAndChain } from '../chains/followed-chain.ts'
import { executorOf } from '../support/actions.ts'
import { addOperator, brokenRules } from '../support/campaign.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { widthFindings } from '../support/page-findings.ts'
import { chosen, moved } from '../support/rounds.ts'
import { statement } from '../support/statement.ts'
import { axeFindings, openBuyer, openPage } from '../support/visitor.ts'

const { anvil, server, browser } = await startServerAndChain()
const chain = new DistributorChain(anvil)
const { db } = server.database
await chain.begin()
const accounts = await chain.accounts()
const [payer, seller, treasury, , , other] = accounts

const CONFIRM = statement(
  'test_escrow_confirm',
  "update users set confirmed_at = now() where email_key = 'ann@example.org'",
)

/** A wallet that an owner has in hand: which account and network it is on, how often they say no next, and whether blocks come. */
const wallet = { account: payer, network: '0x7a69', noes: 0, mines: true, sent: 0 }
const saidNo = { error: { code: 4001, message: 'User rejected the request.' } }

async function ask({ method, params = [] }: { method: string; params?: unknown[] }): Promise<object> {
  const wantsOwner =
    /^(eth_requestAccounts|eth_sendTransaction|eth_signTypedData_v4|wallet_switchEthereumChain)$/.test(method)
  if (wantsOwner && wallet.noes-- > 0) return saidNo
  if (wantsOwner) wallet.noes = 0
  if (method === 'eth_requestAccounts') return { result: [wallet.account] }
  if (method === 'eth_chainId') return { result: wallet.network }
  if (method === 'wallet_switchEthereumChain') {
    wallet.network = (params as { chainId: string }[])[0]?.chainId ?? ''
    return { result: null }
  }
  if (method === 'eth_sendTransaction') wallet.sent += 1
  try {
    const result = await anvil.rpc.call(method, ...params)
    if (method === 'eth_sendTransaction' && wallet.mines) await chain.mine(1)
    return { result }
  } catch (error) {
    return { error: { code: -32_000, message: (error as Error).message } }
  }
}

/** The wallet announces itself in the page (EIP-6963). */
async function plugIn(page: Page): Promise<void> {
  await page.exposeFunction('askWallet', ask)
  await page.addInitScript(() => {
    const asked = globalThis as unknown as { askWallet(call: unknown): Promise<Record<string, unknown>> }
    const request = async (call: unknown) => {
      const { result, error } = await asked.askWallet(call)
      if (error) throw error
      return result
    }
    const detail = { info: { uuid: 'test', name: 'Test wallet' }, provider: { request } }
    addEventListener('eip6963:requestProvider', () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
    )
  })
}

const listed = statement(
  'test_escrow_usdt',
  "update currencies set token_contract = $1, network = 'ethereum' where code = 'USDT'",
)

/** Tokens are sold on this chain, and its USDT is watched there. */
async function prepare(): Promise<void> {
  await db.query(chosen, [await chain.makeToken('TEST'), 'none'])
  await db.query(moved, ['ethereum'])
  await db.query(listed, [await chain.makeToken('USDT')])
  const execute = executorOf(db, server.context.payments.actions, await addOperator(db))
  const accountKey = accountOf(ABANDON, "m/44'/60'/7'", 'xpub').publicExtendedKey
  const { id, firstAddresses } = await execute('wallet.add', { family: 'evm', accountKey, name: 'USDT' })
  await execute('wallet.check', { id, addresses: firstAddresses })
  await execute('currency.wallet', { code: 'USDT', walletId: id })
}

/** From terms, typed wrongly at first, to an escrow in force that USDT is paid into. */
async function putInForce(page: Page): Promise<void> {
  await page.goto(area(server, '/delivery'))
  await page.getByRole('button', { name: 'Fix the terms of an escrow' }).click()
  const dialog = page.getByRole('dialog')
  const sellers = dialog.getByLabel("Seller's account")
  await sellers.fill('ab'.repeat(32))
  await dialog.getByLabel('Currencies').fill(' , ;')
  await press(page, 'Fix them')
  await dialog.getByText('Choose the stage.').waitFor()
  await dialog.getByText('This is a private key.').waitFor()
  await dialog.getByText('This is not an account').waitFor()
  await dialog.getByText('Enter codes such as ETH').waitFor()
  await dialog.getByLabel('Stage').click()
  await page.getByRole('option').first().click()
  await sellers.fill(String(seller))
  await dialog.getByLabel('Proceeds go to').fill(String(treasury))
  await dialog.getByLabel('Most tokens, bonus included').fill('5000')
  await dialog.getByLabel('Currencies').fill('usdt,')
  await press(page, 'Fix them')
  await page.getByText('The terms are fixed.').waitFor()

  await page.getByRole('button', { name: 'Sign with a wallet' }).click()
  const steps = [
    'Make the factory of escrows, once a chain',
    'Make the escrow',
    'Let the escrow take its tokens',
  ]
  for (const step of [...steps, 'Lock the tokens in it']) {
    await page.getByRole('paragraph').filter({ hasText: step }).first().waitFor()
    await page.getByRole('button', { name: 'Test wallet' }).click()
  }
  await page.getByText(/the chain is final up to block/).waitFor()
  expect(await axeFindings(page, 'main', ['light', 'dark'])).toEqual([])
  expect(await widthFindings(page)).toEqual([])
  await chain.finalise()
  await page.reload()
  await page.getByRole('button', { name: 'Put in force…' }).click()
  await press(page, 'Put in force')
  await page.getByRole('button', { name: 'Into the escrow…' }).click()
  await press(page, 'Switch it')
  await page.getByText('paid into the escrow', { exact: true }).waitFor()
}

/** Orders 40 tokens from the account that pays. Ends on the order's page. */
async function orderAgain(page: Page): Promise<void> {
  await openPage(page, `${server.url}/dashboard/buy-token`)
  await page
    .getByRole('button', { name: /^(Tether|USDT)/ })
    .or(page.getByRole('radio', { name: /^(Tether|USDT)/ }))
    .first()
    .click()
  await page.getByLabel('Amount').fill('40')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account that pays').fill(String(payer))
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/dashboard/transaction?order=*')
}

/** Signs for the escrow with another account, changes their mind, and then sends one transaction alone. */
async function payByPermit(page: Page): Promise<void> {
  const choose = page.getByRole('button', { name: 'Test wallet' })
  Object.assign(wallet, { account: other, sent: 0, mines: true })
  await page.getByRole('button', { name: 'Pay with the wallet' }).click()
  await choose.click()
  await page.getByText(`Choose the account ${payer}`).waitFor()
  Object.assign(wallet, { account: payer, network: '0x1', noes: 1 })
  await choose.click()
  await expect.poll(() => wallet.noes).toBe(0)
  expect(await axeFindings(page, 'main', ['light', 'dark'])).toEqual([])
  expect(await widthFindings(page)).toEqual([])
  await choose.click()
  await page.getByText('Pay into the escrow').first().waitFor()
  await choose.click()
  await page.getByText('Escrowed: the money lies in the contract').waitFor()
  await chain.mine(40)
  await page.getByText('Transaction approved').waitFor()
  expect(wallet).toMatchObject({ network: '0x7a69', sent: 1 })
}

/** Orders 40 tokens: types nonsense for the account that pays, chooses a wrong one and then another. Ends on the order's page. */
async function order(page: Page): Promise<void> {
  await openPage(page, `${server.url}/dashboard/buy-token`)
  await page
    .getByRole('button', { name: /^(Tether|USDT)/ })
    .or(page.getByRole('radio', { name: /^(Tether|USDT)/ }))
    .first()
    .click()
  await page.getByLabel('Amount').fill('40')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  const account = dialog.getByLabel('Account that pays')
  const goOn = dialog.getByRole('button', { name: 'Continue' })
  // Cut off at the length of an address, a key would pass for one.
  await account.fill(`0x${'ab'.repeat(32)}`)
  await dialog.getByText('This is a private key').waitFor()
  expect(await account.inputValue()).toBe('')
  expect(await goOn.getAttribute('aria-disabled')).toBe('true')
  await account.fill('0x12')
  expect(await goOn.getAttribute('aria-disabled')).toBe('true')
  wallet.noes = 1
  await dialog.getByRole('button', { name: 'Test wallet' }).click()
  wallet.account = other
  await dialog.getByRole('button', { name: 'Test wallet' }).click()
  await expect.poll(() => account.inputValue()).toBe(other)
  await account.fill(` ${payer} `)
  await dialog.getByRole('checkbox').check()
  await goOn.dblclick()
  await page.waitForURL('**/dashboard/transaction?order=*')
}

/** An unconfirmed buyer gets no signature, because a signature takes room from others. */
async function payUnconfirmed(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pay with the wallet' }).click()
  await page.getByText('Confirm your e-mail address first').first().waitFor()
  await db.query(CONFIRM)
  await page.reload()
}

/** Pays as somebody in a hurry does; what the wallet sends is one leave and one payment. */
async function pay(page: Page): Promise<void> {
  const choose = page.getByRole('button', { name: 'Test wallet' })
  await page.getByRole('heading', { name: 'Pay 180 USDT with your wallet' }).waitFor()
  await page.getByRole('button', { name: 'Pay with the wallet' }).dblclick()
  await page.getByText('Sign that the escrow may take this amount').waitFor()
  await page.getByRole('button', { name: 'Let it by a transaction instead' }).click()
  await page.getByText('Let the escrow take this amount').first().waitFor()
  await choose.click()
  await page.getByText(`Choose the account ${payer}`).waitFor()
  Object.assign(wallet, { account: payer, network: '0x1', sent: 0 })
  await choose.click()
  await page.getByText('Pay into the escrow').first().waitFor()
  expect(wallet).toMatchObject({ network: '0x7a69', sent: 1 })
  await page.reload()
  await page.getByRole('button', { name: 'Pay with the wallet' }).click()
  await page.getByText('Pay into the escrow').first().waitFor()
  expect(await axeFindings(page, 'main', ['light', 'dark'])).toEqual([])
  expect(await widthFindings(page)).toEqual([])
  wallet.noes = 1
  await choose.click()
  await expect.poll(() => wallet.noes).toBe(0)
  wallet.mines = false
  await choose.dblclick()
  await page.getByText('Sent, and waits for a block').waitFor()
  await page.reload()
  await page.getByText('the escrow takes this payment once').waitFor()
  await chain.mine(1)
  await page.getByText('Escrowed: the money lies in the contract').waitFor()
  await page.getByRole('button', { name: 'Pay with the wallet' }).waitFor({ state: 'detached' })
  await chain.mine(40)
  await page.getByText('Transaction approved').waitFor()
  expect(wallet.sent).toBe(2)
}

test('operators put an escrow in force, and a hurried buyer pays into it once', async () => {
  await prepare()
  const operator = await openOperator(browser, server, 'owner')
  await plugIn(operator.page)
  await putInForce(operator.page)
  const buyer = await openBuyer(browser, server, 'ann@example.org')
  await plugIn(buyer.page)
  await order(buyer.page)
  await payUnconfirmed(buyer.page)
  await pay(buyer.page)
  await orderAgain(buyer.page)
  await payByPermit(buyer.page)
  expect(await brokenRules(db)).toEqual([])
  expect([...operator.faults, ...buyer.faults]).toEqual([])
})
