import { expect, test } from 'vitest'
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

  // What no network has is refused, by its currency, and the others with it.
  await rate('USDT').fill('0.25')
  await wallet('USDC').fill('0x1234567890')
  await save()
  await dialog.getByText(/^USDC: /).waitFor()
  expect((await standing('USDT')).rate).toBe(usdt.rate)

  // Another operator moves the wallet of USDT meanwhile: their address stands beside the rate that is typed here.
  const moved = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  await owner('PUT', '/operator/currencies/USDT', { revision: usdt.revision, address: moved })
  await wallet('USDC').fill(usdc.address)
  await rate('BNB').fill('150')
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
