import type { Locator, Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { startServerAndBrowser } from '../support/browser.ts'
import { logInByForm, switchAppOn } from '../support/operator-pages.ts'
import { openVisitor } from '../support/visitor.ts'

// The steps of tasks: docs/performance.md, “What it takes”, has these counts. Twenty approvals are in
// operator-queue.test.ts.

const { server, browser } = await startServerAndBrowser({ DEMO: 'off' })

/** Performs and counts actions. */
class Hand {
  clicks = 0
  fields = 0

  async click(...targets: Locator[]): Promise<void> {
    for (const target of targets) {
      await target.click()
      this.clicks += 1
    }
  }

  async fillIn(...lines: readonly [Locator, string][]): Promise<void> {
    for (const [field, text] of lines) {
      await field.fill(text)
      this.fields += 1
    }
  }

  get counted() {
    return { clicks: this.clicks, fields: this.fields }
  }
}

const minutesLater = (local: string, minutes: number) =>
  new Date(Date.parse(`${local}Z`) + minutes * 60_000).toISOString().slice(0, 16)

/** All steps before a sale opens, with the pages' defaults. */
async function setUpSale(page: Page, hand: Hand): Promise<void> {
  const setUp = page.getByRole('region', { name: 'Set-up' })
  const step = (name: string) => setUp.getByRole('link', { name })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const confirm = (name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const overview = page.getByRole('link', { name: 'Overview' })

  await hand.click(step('Name the token'))
  await hand.fillIn(
    [field("Token's name"), 'Moss'],
    [field('Symbol'), 'MOSS'],
    [field("Seller's name"), 'Moss Garden'],
    [field("Seller's contact"), 'hello@moss.example.org'],
  )
  await hand.click(page.getByRole('tab', { name: 'Buyers and delivery' }))
  await hand.fillIn([field('Delivery network'), 'Ethereum'], [field('Vesting, English'), 'All at once.'])
  await hand.click(button('Save the settings'), confirm('Save'))
  await page.getByText('The campaign was saved.').waitFor()

  await hand.click(step('Set the price'))
  await hand.fillIn([field('New value in dollars'), '0.5'])
  await hand.click(button('Change value'), confirm('Change to $0.5'))
  await page.getByText('Currency updated successfully!').waitFor()

  await hand.click(overview, step('Add a stage'), button('Add a stage'))
  const stage = page.getByRole('dialog')
  const start = await stage.getByLabel(/^Start/).inputValue()
  await hand.fillIn(
    [stage.getByLabel('Goal in dollars'), '100000'],
    [stage.getByLabel(/^Start/), minutesLater(start, -2)],
    [stage.getByLabel(/^End/), minutesLater(start, 30 * 24 * 60)],
  )
  await hand.click(stage.getByRole('button', { name: 'Save the stage' }))
  await page.getByText('The stage was added.').waitFor()

  await hand.click(step('Add a currency'))
  await hand.fillIn(
    [field('Currency'), 'USDT'],
    [field('Full name'), 'Tether'],
    [page.getByLabel('Rate (MOSS for 1)'), '2'],
    [field('Address'), '0x52908400098527886E0F7030069857D2E4169EE7'],
  )
  await hand.click(button('Add currency'))
  await page.getByText('Cryptocurrency USDT added.').waitFor()

  for (const text of ['Publish the terms', 'Publish the risk notice', 'Publish the privacy policy']) {
    await hand.click(overview, step(text), button('Begin with a draft'))
    await hand.click(button('Publish version 1…'), confirm('Publish version 1'))
    await page.getByText('Version 1 is in force.').waitFor()
  }

  await hand.click(overview, setUp.getByRole('button', { name: 'Review and open' }))
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Open the sale' }))
  await page.getByText('The sale is open.').waitFor()
}

/** From the landing page to the page of an order whose payment is sent. */
async function orderAsStranger(page: Page, hand: Hand): Promise<void> {
  await page.goto(server.url)
  await hand.click(page.getByRole('link', { name: 'Purchase Tokens' }).first())
  await page.waitForURL('**/register*')
  await hand.fillIn(
    [page.getByLabel('Full Name'), 'Ann Example'],
    [page.getByLabel('Email Address'), 'ann@example.org'],
    [page.getByLabel('Phone Number'), '+372 5555 5555'],
    [page.getByLabel('Password', { exact: true }), password],
    [page.getByLabel('Confirm Password', { exact: true }), password],
  )
  await hand.click(page.getByRole('button', { name: 'Create Account' }))
  await page.waitForURL('**/dashboard/buy-token')
  await hand.fillIn([page.getByLabel('Amount'), '1000'])
  await hand.click(page.getByRole('button', { name: 'Buy Now' }))
  const dialog = page.getByRole('dialog')
  await hand.click(
    dialog.getByRole('checkbox'),
    dialog.getByRole('button', { name: 'Continue' }),
    dialog.getByRole('button', { name: 'Confirm' }),
  )
  await page.waitForURL('**/dashboard/transaction?order=*')
}

test('a sale is set up, and a stranger orders, by as few steps as the table says', async () => {
  const { page } = await openVisitor(browser)
  await page.goto(`${server.url}/operator`)
  await logInByForm(page, 'owner')
  await page.getByRole('heading', { name: 'Set up a second factor', level: 1 }).waitFor()
  await switchAppOn(page)
  await page.getByRole('link', { name: 'Overview' }).click()
  const owner = new Hand()
  await setUpSale(page, owner)
  const buyer = new Hand()
  const stranger = await openVisitor(browser)
  await orderAsStranger(stranger.page, buyer)
  expect({ owner: owner.counted, buyer: buyer.counted }).toEqual({
    owner: { clicks: 31, fields: 14 },
    buyer: { clicks: 6, fields: 6 },
  })
})
