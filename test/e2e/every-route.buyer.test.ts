import { expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { startFilledServerAndBrowser } from '../support/browser.ts'
import { findingsOf, openWatched } from '../support/page-findings.ts'
import { callFromPage } from '../support/visitor.ts'

const orderStates = [
  'pending',
  'seen',
  'confirming',
  'underpaid',
  'overpaid',
  'under_review',
  'approved',
  'rejected',
  'reversed',
  'expired',
  'withdrawn',
]
const dashboardPages = [
  '',
  '/buy-token',
  '/profile',
  '/status',
  '/my-token',
  '/docs',
  '/how-to-buy',
  '/withdrawal/binance',
  '/leaderboard',
  '/transaction',
]

const { server, browser, orders } = await startFilledServerAndBrowser()
const buyer = await openWatched(browser, server, '/session', { email: 'buyer@example.org', password })

test.each(dashboardPages)('/dashboard%s', async (path) => {
  expect(await findingsOf(buyer, `${server.url}/dashboard${path}`)).toEqual([])
})

test.each(orderStates)('an order: %s', async (state) => {
  const path = `/dashboard/transaction?order=${orders[state]?.token}`
  expect(await findingsOf(buyer, server.url + path)).toEqual([])
})

test('an order that is not theirs leads to the buy page and says so', async () => {
  await buyer.page.goto(`${server.url}/dashboard/transaction?order=nobody-knows-this-one`)
  await buyer.page.waitForURL('**/dashboard/buy-token')
  await buyer.page.getByText("Transaction doesn't exist").first().waitFor()
})

test('a page below the dashboard that does not exist', async () => {
  expect(await findingsOf(buyer, `${server.url}/dashboard/no-such-page`, { status: 404 })).toEqual([])
})

test('every page in Russian fits', async () => {
  const speak = (language: string) => callFromPage(server, buyer.context, 'PATCH', '/account', { language })
  await speak('ru')
  const findings: string[] = []
  const paths = [
    ...dashboardPages.map((path) => `/dashboard${path}`),
    ...orderStates.map((state) => `/dashboard/transaction?order=${orders[state]?.token}`),
  ]
  for (const path of paths) {
    const found = await findingsOf(buyer, server.url + path, { themes: [] })
    findings.push(...found.map((text) => `${path}: ${text}`))
    const lang = await buyer.page.locator('html').getAttribute('lang')
    if (lang !== 'ru') findings.push(`${path}: is in ${lang}`)
  }
  await speak('en')
  expect(findings).toEqual([])
})
