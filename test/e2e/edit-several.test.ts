import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import type { OperatorCurrency } from '../../src/shared/api/currencies.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { axeFindings } from '../support/visitor.ts'

const { server, browser, owner } = await startStaffedServerAndBrowser()

const standing = async (code: string) => {
  const { items } = await owner<{ items: OperatorCurrency[] }>('GET', '/operator/currencies')
  const found = items.find((one) => one.code === code)
  if (!found) throw new Error(`${code} is missing`)
  return found
}

test('rates and wallets of several currencies are saved together: all or none, and nobody’s change is lost', async () => {
  const { page, context } = await openOperator(browser, server, 'finance')
  const [usdt, usdc, bnb] = [await standing('USDT'), await standing('USDC'), await standing('BNB')]
  await page.goto(area(server))
  await page.getByRole('button', { name: 'Edit several' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit several' })
  const rate = (code: string) => dialog.getByLabel(`${code}, ITOKEN for 1`)
  const wallet = (code: string) => dialog.getByLabel(`Address for ${code}`, { exact: true })
  const save = () => press(page, 'Save changes')
  expect(await axeFindings(page)).toEqual([])

  // An address of no network is rejected with its currency's name, and the others with it.
  await rate('USDT').fill('0.25')
  await wallet('USDC').fill('0x1234567890')
  await save()
  await dialog.getByText(/^USDC: /).waitFor()
  expect((await standing('USDT')).rate).toBe(usdt.rate)

  // Another operator moves USDT's wallet meanwhile: its address appears beside the rate typed here.
  const moved = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  await owner('PUT', '/operator/currencies/USDT', { revision: usdt.revision, address: moved })
  await wallet('USDC').fill(usdc.address)
  await rate('BNB').fill('150')
  // The addresses before and after of each currency.
  await wallet('LINK').fill(moved)
  const { address: ofLink } = await standing('LINK')
  await dialog.getByText(`from ${ofLink}`).waitFor()
  await dialog.getByText(`to ${moved}`).waitFor()
  await wallet('LINK').fill(ofLink)
  await dialog.getByText('New orders will be paid to the new address.').waitFor({ state: 'detached' })
  await save()
  await dialog.getByText('USDT was changed by somebody else meanwhile').waitFor()
  expect((await standing('BNB')).rate).toBe(bnb.rate)
  expect(await wallet('USDT').inputValue()).toBe(moved)
  expect(await rate('USDT').inputValue()).toBe('0.25')
  await save()
  await page.getByText('Cryptos updated successfully').waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(await standing('USDT')).toMatchObject({ rate: '0.25', address: moved })
  expect(await standing('BNB')).toMatchObject({ rate: '150', address: bnb.address })
  expect((await standing('USDC')).revision).toBe(usdc.revision)
  await context.close()
})

test('who changes a wallet sees from which address to which', async () => {
  const { page, context } = await openOperator(browser, server, 'finance')
  const [eth, btc] = [await standing('ETH'), await standing('BTC')]
  const other = '0x52908400098527886E0F7030069857D2E4169EE7'
  await page.goto(area(server))
  await page.getByRole('button', { name: 'Update ERC-20 Wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New address').fill(other)
  const shared = dialog.getByRole('listitem').filter({ hasText: 'ETH' })
  await shared.getByText(`from ${eth.address}`).waitFor()
  await shared.getByText(`to ${other}`).waitFor()
  await press(page, 'Cancel')
  await page.getByRole('row', { name: /^BTC / }).getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByLabel('Address', { exact: true }).fill('bc1qother')
  await dialog.getByText(`from ${btc.address}`).waitFor()
  await dialog.getByText('to bc1qother').waitFor()
  await context.close()
})

test('what can be owed to nobody offers no refund, and says why', async () => {
  await server.database.db.query(
    sql`insert into chains (name, family, confirmation_rules) values ('ethereum', 'evm', '[]') on conflict do nothing`,
  )
  await server.database.db.query(
    sql`insert into payments (chain, transaction_id, output_key, address, asset, amount, seen_at, confirmations, confirmations_needed, fault, block_height, user_id)
        values ('ethereum', 'unlisted', '0', '0xa', '0xdead', 1, now(), 5, 1, 'wrong_asset', 1, null),
               ('ethereum', 'young', '0', '0xa', '0xdead', 1, now(), 0, 1, 'wrong_asset', 1, null)`,
  )
  const { page, context } = await openOperator(browser, server, 'finance')
  for (const [search, why] of [
    ['unlisted', 'The sale lists no such token'],
    ['young', 'It has too few confirmations yet.'],
  ]) {
    await page.goto(area(server, `/payments?search=${search}`))
    const owe = page.getByRole('button', { name: 'Owe back…' })
    await owe.waitFor()
    expect(await owe.getAttribute('aria-disabled')).toBe('true')
    await owe.hover()
    await page
      .getByText(why ?? '')
      .first()
      .waitFor()
  }
  await context.close()
})

test('on a phone a toast covers no button of a dialog', async () => {
  const { page, context } = await openOperator(browser, server, 'finance', {
    viewport: { width: 320, height: 640 },
  })
  await page.goto(area(server))
  await page.getByRole('button', { name: 'Update Crypto Rates' }).click()
  // By its place: what lies beside an open dialog has no role.
  const toast = page.locator('.toast-place')
  await toast.getByText(/Failed to update cryptos|Cryptos updated/).waitFor()
  await page.getByRole('button', { name: 'Edit several' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save changes' }).waitFor()
  // After the moment in which both have come to their places.
  await expect
    .poll(async () => {
      const [above, below] = [await toast.boundingBox(), await dialog.boundingBox()]
      return above && below && above.y >= 0 && above.y + above.height <= below.y
    })
    .toBe(true)
  await context.close()
})

test('a hidden window asks nothing, and reads again once it is looked at', async () => {
  const { page, context } = await openOperator(browser, server, 'finance')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(area(server))
  await page.getByRole('row', { name: /^BNB / }).waitFor()
  const live = () => asked.filter((path) => path === '/api/v1/live').length
  await expect.poll(live).toBe(1)
  const look = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        value: hidden ? 'hidden' : 'visible',
      })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, isHidden)
  await look(true)
  asked.length = 0
  const { revision } = await standing('BNB')
  await owner('PUT', '/operator/currencies/BNB', { revision, rate: '155' })
  await page.waitForTimeout(1_500)
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([])
  await look(false)
  await page.getByRole('row', { name: /^BNB .*155/ }).waitFor()
  expect(live()).toBe(1)
  await context.close()
})
