import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { startServerAndBrowser } from '../support/browser.ts'
import { brokenRules } from '../support/campaign.ts'
import { makeOrder } from '../support/every-state.ts'
import { axeFindings, openBuyer, proveByPassword, wide } from '../support/visitor.ts'

/** Pictures of the pages, for people to look at; not in the repository. */
const pictures = fileURLToPath(new URL('../../test-results/take-back/', import.meta.url))
await mkdir(pictures, { recursive: true })

const { server, browser } = await startServerAndBrowser()
const { db } = server.database
await db.query(sql`update campaign set settings = settings || '{"moneyBackDays": 14}'`)
const { page, faults, api } = await openBuyer(browser, server, 'ann@example.org')
const keep = (name: string) => page.screenshot({ path: `${pictures}${name}.png`, fullPage: true })

test('a buyer takes an order back by one press and the password, and reads what is owed [BACK-2]', async () => {
  await page.goto(`${server.url}/dashboard/buy-token?currency=USDT&amount=200`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByText('for 14 days, not after the sale').waitFor()
  await keep('dialog')

  const { number, token } = await makeOrder(api, '200', 'USDT')
  await db.query(
    sql`select * from approve_orders(array[row(${number}, null, null, null, null)::approval], 'operator')`,
  )
  await page.goto(`${server.url}/dashboard/transaction?order=${token}`)
  await page.getByRole('heading', { name: 'Money back' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await keep('order')
  await page.goto(`${server.url}/dashboard/status`)
  await page.getByText('of them can still be taken back').waitFor()
  await keep('status')
  await page.goto(`${server.url}/transparency`)
  await page.getByText('$900.00 may still be taken back by buyers').waitFor()
  await keep('transparency')
  await page.goto(server.url)
  await page.getByText('Buyers may still take back $900.00 of all that is raised.').waitFor()

  // Somebody at an open browser must know the password.
  await db.query(sql`update user_sessions set authenticated_at = now() - interval '1 hour'`)
  await page.goto(`${server.url}/dashboard/transaction?order=${token}`)
  await page.getByRole('button', { name: 'Take the order back' }).click()
  await keep('question')
  await page.getByRole('button', { name: 'Take it back' }).click()
  await proveByPassword(page)
  await page.getByRole('heading', { level: 1, name: 'Money is owed back to you' }).waitFor()
  await page.getByText('You took this order back, and what you paid is owed to you.').waitFor()
  await page.getByText('You took the order back.').waitFor()
  await page.getByText('You took it back').waitFor()
  await page.getByText(/to be paid by \w+ \d+, \d{4}/).waitFor()
  expect(await page.getByRole('heading', { name: 'Money back' }).count()).toBe(0)
  await keep('taken-back')
  await page.setViewportSize({ width: 390, height: 844 })
  await keep('taken-back-390')
  await page.setViewportSize(wide)
  expect(await api('GET', `/orders/${token}`)).toMatchObject({ status: 'rejected', detail: 'refund_due' })
  expect(await brokenRules(db)).toEqual([])
  expect(faults).toEqual([])
})
