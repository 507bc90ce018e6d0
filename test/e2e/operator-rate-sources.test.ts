import { mkdir } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { startPriceServices } from '../chains/price-stand-ins.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'

const own = await startPriceServices()
const stranger = await startPriceServices()
afterAll(() => Promise.all([own.stop(), stranger.stop()]))
const host = new URL(stranger.coingecko).host
const { server, browser } = await startStaffedServerAndBrowser({
  PRICE_API_URL: '',
  PRICE_KRAKEN_URL: own.kraken,
  PRICE_COINBASE_URL: own.coinbase,
  PRICE_HOSTS: host,
})

test('a source of rates is asked, named, read without a restart, and removed from the page', async () => {
  own.say('kraken', 'XBTUSD', '90000')
  own.fail('coinbase', true)
  stranger.say('coingecko', 'bitcoin', '90900')
  await server.context.db.query(
    // The program's own sources are on the internet, which no test uses.
    sql`with out as (insert into rate_sources_left_out (name, set_by) select 'coingecko', min(id) from operators)
        update currencies set rate_source = 'feed' where code = 'BTC'`,
  )
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/'))
  const sources = page.getByRole('table', { name: 'Rate sources' })
  await sources
    .getByRole('row')
    .filter({ hasText: 'Kraken' })
    .getByText('the environment of the server')
    .waitFor()
  await page.getByRole('button', { name: 'Update Crypto Rates' }).click()
  await page.getByText(/No two rate sources agree on any currency/).waitFor()
  await page.getByRole('button', { name: 'Add a rate source' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Base address').fill('https://10.0.0.5/')
  await press(page, 'Ask this source')
  await dialog.getByText(/A rate source is reached by https on the public internet/).waitFor()
  await dialog.getByLabel('Base address').fill(`${stranger.coingecko}?key=geheim`)
  await press(page, 'Ask this source')
  await dialog.getByRole('row').filter({ hasText: 'BTC' }).getByText('$90,900.00').waitFor()
  await shoot(page, 'source-dialog')
  await press(page, 'Name this source')
  await page.getByText('The rate source was named. It is asked from the next reading on.').waitFor()
  const named = sources.getByRole('row').filter({ hasText: host })
  await named.getByText('finance').waitFor()
  await server.context.rates.refresh()
  await page.reload()
  await named.getByText('counts', { exact: true }).waitFor()
  await named.getByText('$90,900.00').waitFor()
  await page.getByRole('button', { name: 'Update Crypto Rates' }).click()
  await page.getByText('Cryptos updated successfully').waitFor()
  expect(await page.content()).not.toContain('geheim')
  await sources.scrollIntoViewIfNeeded()
  await shoot(page, 'sources')
  await page.getByRole('button', { name: `Ask ${host}` }).click()
  await page.getByRole('dialog').getByText('$90,900.00').first().waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: `Remove ${host}` }).click()
  await press(page, 'Remove')
  await page.getByText('The rate source was removed.').waitFor()
  await expect.poll(() => named.count()).toBe(0)
  await context.close()
})

/** Pictures to look at, where a folder for them is named. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  if (!folder) return
  await mkdir(folder, { recursive: true })
  for (const width of [1440, 390, 320])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 })
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(300)
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
