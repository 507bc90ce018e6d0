import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { startServerAndBrowser } from '../support/browser.ts'
import { logInByForm, press, switchAppOn } from '../support/operator-pages.ts'
import { runProgram } from '../support/program.ts'
import { openVisitor, registerByForm } from '../support/visitor.ts'

// A new installation from an empty campaign to the first approved order, by pages alone.

const { server, browser } = await startServerAndBrowser({ DEMO: 'off' })

const setUp = (page: Page) => page.getByRole('region', { name: 'Set-up' })

async function logIn(page: Page): Promise<void> {
  await page.goto(`${server.url}/operator`)
  await logInByForm(page, 'owner')
  // An owner outside a demo sees nothing else before a second factor is on, whatever they ask for.
  await page.getByRole('heading', { name: 'Set up a second factor', level: 1 }).waitFor()
  await page.goto(`${server.url}/operator/dashboard/campaign`)
  await page.getByRole('heading', { name: 'Set up a second factor', level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'Campaign' }).count()).toBe(0)
  await switchAppOn(page)
  await page.getByRole('link', { name: 'Overview' }).click()
  await setUp(page).getByText('Set up the sale: 0 of 9 steps done').waitFor()
}

/** Token, seller, supply and its shares, levels, delivery plan: one form, saved once. */
async function fillInCampaign(page: Page): Promise<void> {
  await setUp(page).getByRole('link', { name: 'Name the token' }).click()
  // The link leads to the very field.
  await page.waitForFunction(() => document.activeElement?.closest('#name') !== null)
  await page.getByLabel("Token's name").fill('Moss')
  await page.getByLabel('Symbol').fill('moss')
  await page.getByLabel('Tagline, English').fill('Grows slowly.')
  await page.getByLabel("Seller's name").fill('Moss Garden')
  await page.getByLabel("Seller's contact").fill('hello@moss.example.org')
  await page.getByLabel("Seller's address").fill('1 Moss Street, Tartu')
  const openTab = (name: string) => page.getByRole('tab', { name }).click()
  await openTab('Supply and limits')
  await page.getByLabel('Total supply').fill('10000000')
  await page.getByLabel('Hard cap').fill('500000')
  await page.getByLabel('Soft cap', { exact: true }).fill('50000')
  await openTab('Buyers and delivery')
  await page.getByLabel('Delivery network').fill('Ethereum')
  await page.getByLabel('Vesting, English').fill('All at once in March of next year.')

  // Shares that do not add up are not saved.
  await openTab('Supply and limits')
  const share = page.getByLabel('Per cent')
  await share.first().fill('20')
  await page.getByText(/^Together 105 %/).waitFor()
  await page.getByRole('button', { name: 'Save the settings' }).click()
  await page.getByText('To fix before saving: Token distribution').waitFor()
  await share.nth(1).fill('15')
  await share.nth(4).fill('35')
  await page.getByText(/^Together 100 %/).waitFor()

  await openTab('Levels and rewards')
  await page.getByRole('button', { name: 'Remove the level Legend' }).click()
  await page.getByLabel('Bonus, per cent').first().fill('4')

  await page.getByRole('button', { name: 'Save the settings' }).click()
  await press(page, 'Save')
  await page.getByText('The campaign was saved.').waitFor()
  await setUp(page).getByText('Set up the sale: 3 of 9 steps done').waitFor()
}

async function setPrice(page: Page): Promise<void> {
  await setUp(page).getByRole('link', { name: 'Set the price' }).click()
  await page.getByLabel('New value in dollars').fill('0.5')
  await page.getByRole('button', { name: 'Change value' }).click()
  await press(page, 'Change to $0.5')
  await page.getByText('Currency updated successfully!').waitFor()
}

/** Price and beginning are proposed; the goal and the end are the operator's to say. */
async function addStage(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Overview' }).click()
  await setUp(page).getByRole('link', { name: 'Add a stage' }).click()
  await page.getByRole('button', { name: 'Add a stage' }).click()
  const form = page.getByRole('dialog')
  expect(await form.getByLabel('Main currency value').inputValue()).toBe('0.5')
  await form.getByLabel('Goal in dollars').fill('100000')
  const start = await form.getByLabel(/^Start/).inputValue()
  await form.getByLabel(/^Start/).fill(minutesLater(start, -2))
  await form.getByLabel(/^End/).fill(minutesLater(start, 30 * 24 * 60))
  await form.getByRole('button', { name: 'Save the stage' }).click()
  await page.getByText('The stage was added.').waitFor()
}

const minutesLater = (local: string, minutes: number) =>
  new Date(Date.parse(`${local}Z`) + minutes * 60_000).toISOString().slice(0, 16)

async function addCurrency(page: Page): Promise<void> {
  await setUp(page).getByRole('link', { name: 'Add a currency' }).click()
  await page.waitForFunction(() => document.activeElement?.closest('#add-currency') !== null)
  await page.getByLabel('Currency', { exact: true }).fill('usdt')
  await page.getByLabel('Full name').fill('Tether')
  await page.getByText('A coin worth $1 makes 2 MOSS.').waitFor()
  await page.getByLabel('Rate (MOSS for 1)').fill('2')
  await page.getByLabel('Address', { exact: true }).fill('0x52908400098527886E0F7030069857D2E4169EE7')
  await page.getByRole('button', { name: 'Add currency' }).click()
  await page.getByText('Cryptocurrency USDT added.').waitFor()
}

/** Each from the draft that knows the campaign's settings. */
async function publishTexts(page: Page): Promise<void> {
  for (const [link, label, words] of [
    ['Publish the terms', 'Terms, English', 'The seller is Moss Garden, 1 Moss Street, Tartu.'],
    ['Publish the risk notice', 'Risk notice, English', 'You can lose everything you pay.'],
    ['Publish the privacy policy', 'Privacy policy, English', 'Moss Garden is responsible'],
  ] as const) {
    await page.getByRole('link', { name: 'Overview' }).click()
    await setUp(page).getByRole('link', { name: link }).click()
    await page.getByRole('button', { name: 'Begin with a draft' }).click()
    await expect.poll(() => page.getByLabel(label).inputValue()).toContain(words)
    await page.getByRole('button', { name: 'Publish version 1…' }).click()
    await press(page, 'Publish version 1')
    await page.getByText('Version 1 is in force.').waitFor()
  }
}

async function buyTokens(page: Page): Promise<void> {
  await registerByForm(page, server, 'ann@example.org')
  await page.getByLabel('Amount').fill('1000')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('0x52908400098527886E0F7030069857D2E4169EE7').first().waitFor()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL('**/dashboard/transaction?order=*')
  await page.getByText('Processing Transaction').waitFor()
}

/** On a page of their own: what stays open elsewhere hears of it. */
async function approve(page: Page): Promise<void> {
  await page.goto(`${server.url}/operator/dashboard`)
  await page.getByRole('link', { name: 'Transactions' }).click()
  await page.getByRole('button', { name: 'Actions for order 1' }).click()
  await page.getByRole('menuitem', { name: 'Approve payment' }).click()
  await press(page, 'Approve payment')
  await page.getByText('Order #1 approved').waitFor()
}

test('an empty campaign is set up by its pages, sold from, and its figures agree with the ledger', async () => {
  const moving = { reducedMotion: 'no-preference' } as const
  const { page: operator, faults } = await openVisitor(browser, moving)
  const { page: visitor, faults: visitorFaults } = await openVisitor(browser, moving)

  await logIn(operator)
  // A sale that never opened is opened by its review, not resumed.
  expect(await operator.getByRole('button', { name: 'Resume the sale' }).count()).toBe(0)
  await fillInCampaign(operator)
  await setPrice(operator)
  await addStage(operator)
  await addCurrency(operator)
  await publishTexts(operator)
  await operator.getByRole('link', { name: 'Overview' }).click()
  await setUp(operator).getByText('The sale is not open').waitFor()
  await setUp(operator).getByRole('button', { name: 'Review and open' }).click()
  const review = operator.getByRole('dialog', { name: 'Review and open' })
  for (const text of ['Moss Garden', '$100,000.00', 'Platinum', '0x52908400098527886E0F7030069857D2E4169EE7'])
    await review.getByText(text).first().waitFor()
  expect(await review.getByRole('link', { name: 'Version 1' }).count()).toBe(3)
  await review.getByRole('button', { name: 'Open the sale' }).click()
  await operator.getByText('The sale is open.').waitFor()
  await setUp(operator).getByText('Orders are taken now, in “Stage 1”.').waitFor()

  await buyTokens(visitor)
  await approve(await operator.context().newPage())
  // The buyer's page follows without a reload; 1000 reaches Platinum, 12 % bonus.
  await visitor.getByText('Transaction approved').waitFor()
  await visitor.goto(`${server.url}/dashboard/my-token`)
  await visitor.getByText(/1,120/).first().waitFor()

  // The overview has stayed open: it hears of the order, and the set-up is over.
  await operator.getByText('$500.00').first().waitFor()
  await setUp(operator).waitFor({ state: 'detached' })
  for (const path of ['/', '/transparency']) {
    await visitor.goto(server.url + path)
    await visitor.getByText('$500.00').first().waitFor()
  }

  const { code, output } = await runProgram(['dist/server/ledger-check.js'], {
    DATABASE_URL: server.database.url,
    DATA_DIR: server.context.config.dataDir,
  })
  expect(output).not.toContain('broken')
  expect(output).toMatch(/All \d+ rules hold\./)
  expect(code).toBe(0)
  expect({ faults, visitorFaults }).toEqual({ faults: [], visitorFaults: [] })
})
