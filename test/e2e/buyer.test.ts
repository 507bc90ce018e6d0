import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { generate } from 'otplib'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkAddress } from '../../verify/addresses.ts'
import { sha256 } from '../../verify/node-hash.ts'
import { parseVerifierKey } from '../../verify/notes.ts'
import { checkProof } from '../../verify/proof.ts'
import { jsonOf, LogWriter, leafHash, treeHash } from '../../verify/testing/log-writer.ts'
import { type ApiCaller, password } from '../support/api.ts'
import { ageRecoveryCodes } from '../support/authenticator-app.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { makeHalfBought } from '../support/campaign.ts'
import { freePort } from '../support/database-server.ts'
import { beginOrder, makeOrder, registerBuyer } from '../support/every-state.ts'
import { textOfPdf } from '../support/pdf.ts'
import { statement } from '../support/statement.ts'
import {
  axeFindings,
  enter,
  logInAgain,
  openBuyer,
  openPage,
  openVisitor,
  plugInPasskey,
  proveByPassword,
  scriptsRun,
  type Visitor,
} from '../support/visitor.ts'

const AGE_LOGINS = statement(
  'test_age_logins',
  `update user_sessions set authenticated_at = authenticated_at - interval '1 hour'`,
)

const END_TIME = statement(
  'test_named_expires',
  `update orders set expires_at = now() - interval '1 minute' where id = $1`,
)
const REJECTED = statement('test_rejected', `update orders set status = 'rejected' where id = $1`)
const MISSED = statement('test_missed', `select reject_order($1, null, 'soft_cap_missed', null)`)

const LEAVE_OUT = statement('test_leave_out', 'update campaign set settings = jsonb_set(settings, $1, $2)')
const rewards = { percent: '5', mostTokensEach: '100', mostTokens: '1000', countriesExcluded: ['GB'] }

// A passkey belongs to a host's name; an address of digits has none.
const port = String(await freePort())
const { server, browser, owner } = await startStaffedServerAndBrowser({
  PORT: port,
  PUBLIC_URL: `http://localhost:${port}`,
})

const open = (page: Page, path: string) => openPage(page, server.url + path)

async function expectNoFindings(
  page: Page,
  what: string,
  part = 'html',
  themes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<void> {
  expect(await axeFindings(page, part, themes), what).toEqual([])
}

test.each(['en', 'ru'] as const)(
  'every dialog of the buyer’s area is without a finding of axe: %s',
  async (language) => {
    const { context, page, api } = await openBuyer(browser, server, `dialogs-${language}@example.org`)
    await api('PATCH', '/account', { language })
    const say = (en: string, ru: string) => (language === 'en' ? en : ru)
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
    const look = async (what: string) => {
      await dialog.waitFor()
      // Colours are the same in both languages: the dark ones are looked at once.
      const themes = language === 'en' ? (['light', 'dark'] as const) : (['light'] as const)
      await expectNoFindings(page, what, '[role=dialog], [role=alertdialog]', themes)
    }
    const close = async () => {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }

    await open(page, '/dashboard/buy-token')
    await page.getByRole('button', { name: /^Tether\b/ }).click()
    await page.getByRole('button', { name: say('Buy Now', 'Купить'), exact: true }).click()
    await look('the purchase, its amounts')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: say('Continue', 'Продолжить') }).click()
    await dialog.getByRole('button', { name: say('Confirm', 'Подтвердить') }).waitFor()
    await look('the purchase, its address')

    await open(page, '/dashboard/my-token')
    await page.getByRole('button', { name: say('Withdraw', 'Вывести') }).click()
    await look('the delivery plan')

    await open(page, '/dashboard/profile')
    await page.getByRole('button', { name: say('Delete my account', 'Удалить мой аккаунт') }).click()
    await look('deleting the account')
    await close()
    await server.database.db.query(AGE_LOGINS)
    await page.getByRole('button', { name: say('Switch on', 'Включить'), exact: true }).click()
    const proof = dialog.getByLabel(say('Password', 'Пароль'), { exact: true })
    await proof.waitFor()
    await look('the proof')
    await proof.fill(password)
    await page.keyboard.press('Enter')
    await dialog.getByRole('img').waitFor()
    await look('the second factor')
    await context.close()
  },
)

describe('counting visits', () => {
  const keys = [
    { apiKey: 'status.example.org', location: '/dashboard/status' },
    { apiKey: 'home.example.org', location: '/' },
  ]
  beforeAll(async () => {
    for (const key of keys) await owner('POST', '/operator/analytics', key)
  })

  /** Everything that leaves for another host, answered here. */
  async function listen({ page }: Visitor): Promise<string[]> {
    const told: string[] = []
    await page.route(
      (url) => url.origin !== server.url,
      async (route) => {
        told.push(route.request().postData() ?? route.request().url())
        await route.fulfill({ status: 202 })
      },
    )
    return told
  }

  test('in the buyer’s area waits for a yes, and happens on the key’s location alone', async () => {
    const buyer = await openBuyer(browser, server, 'counted@example.org')
    const { page, context } = buyer
    const told = await listen(buyer)
    await open(page, '/dashboard')
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('region', { name: 'Analytics' }).count()).toBe(0)

    await page.getByRole('link', { name: 'Status', exact: true }).click()
    const banner = page.getByRole('region', { name: 'Analytics' })
    await banner.waitFor()
    await expectNoFindings(page, 'the question', 'section[aria-label=Analytics]')
    expect(told).toEqual([])
    await banner.getByRole('button', { name: 'Yes, count it' }).click()
    await expect.poll(() => told.length).toBe(1)
    expect(told[0]).toContain('status.example.org')
    expect(told[0]).toContain(`${server.url}/dashboard/status"`)

    for (const name of ['Buy Token', 'Documents'])
      await page.getByRole('link', { name, exact: true }).first().click()
    await page.getByRole('heading', { name: 'Documents' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(told.length).toBe(1)
    await context.close()
  })

  test('a no is kept, and nothing leaves', async () => {
    const buyer = await openBuyer(browser, server, 'uncounted@example.org')
    const { page, context } = buyer
    const told = await listen(buyer)
    await open(page, '/dashboard/status')
    await page.getByRole('button', { name: 'No, thanks' }).click()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('region', { name: 'Analytics' }).count()).toBe(0)
    expect(told).toEqual([])
    await context.close()
  })

  test('a key of the home page counts its Russian address too', async () => {
    const visitor = await openVisitor(browser)
    const told = await listen(visitor)
    await open(visitor.page, '/ru')
    await visitor.page.getByRole('button', { name: 'Да, посчитайте' }).click()
    await expect.poll(() => told.length).toBe(1)
    expect(told[0]).toContain('home.example.org')
    expect(told[0]).toContain(`${server.url}/ru"`)
    await visitor.context.close()
  })
})

test('a passkey is made in the profile, and logs in without the password', async () => {
  const buyer = await openBuyer(browser, server, 'passkey@example.org')
  const { page, context } = buyer
  await plugInPasskey(buyer)
  await open(page, '/dashboard/profile')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Password', { exact: true }).fill('not the password')
  await proof.getByRole('button', { name: 'Confirm', exact: true }).click()
  await proof.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
  await expectNoFindings(page, 'the proof of who it is', '[role=dialog]')
  await proveByPassword(page)
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await codes.waitFor()
  await expectNoFindings(page, 'the recovery codes', '[role=dialog]')
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('never used').waitFor()

  await open(page, '/dashboard')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL('**/login**')
  await page.goto(`${server.url}/login?next=%2Fdashboard%2Fprofile`)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.waitForURL('**/dashboard/profile')
  await page.getByText('last used').waitFor()
  await context.close()
})

test('a login asks for the code of the second factor, and takes a recovery code', async () => {
  const email = 'two-factors@example.org'
  const api = await registerBuyer(server, email)
  const { secret } = await api<{ secret: string }>('POST', '/account/second-factor/totp', {
    proof: { password },
  })
  const { recoveryCodes } = await api<{ recoveryCodes: string[] }>(
    'POST',
    '/account/second-factor/totp/confirm',
    { code: await generate({ secret }) },
  )
  await ageRecoveryCodes(server.database.db)
  const { page, context } = await openVisitor(browser)
  await open(page, '/login')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Enter password').fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  const code = page.getByLabel('Code of your second factor')
  await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await page.locator('form [role=alert]').count()).toBe(0)
  await code.fill('wrong-code')
  await page.keyboard.press('Enter')
  await page.locator('form [role=alert]').waitFor()
  await code.fill(recoveryCodes[0] ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/buy-token')
  await context.close()
})

test('a hundred thousand typed with a comma is asked about, not taken for a hundred', async () => {
  const { page, context } = await openBuyer(browser, server, 'comma@example.org')
  await open(page, '/dashboard/buy-token?currency=BTC')
  const amount = page.getByLabel('Amount', { exact: true })
  const buy = page.getByRole('button', { name: 'Buy Now' })
  await amount.fill('')
  await amount.pressSequentially('100,000')
  const question = page.getByRole('status').filter({ hasText: 'This can be two numbers.' })
  await question.getByRole('button', { name: '100', exact: true }).waitFor()
  expect(await buy.isDisabled()).toBe(true)
  await question.getByRole('button', { name: '100,000', exact: true }).click()
  expect(await amount.inputValue()).toBe('100000')
  expect(await amount.evaluate((field) => field === document.activeElement)).toBe(true)
  await expect.poll(() => buy.isEnabled()).toBe(true)
  await amount.fill('50,5')
  expect(await amount.inputValue()).toBe('50.5')
  expect(await question.count()).toBe(0)
  await context.close()
})

test('what keeps an order from being made is seen on a phone, above the buttons of its dialog', async () => {
  const { page, context } = await openBuyer(browser, server, 'small-phone@example.org')
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, '/dashboard/buy-token?currency=BTC&amount=100')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const said = dialog.getByText('Please accept the terms and the risk notice.')
  await said.waitFor()
  const bottomOf = async (one: Locator) => {
    const box = await one.boundingBox()
    return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)
  }
  const buttons = (await dialog.getByRole('button', { name: 'Continue' }).boundingBox())?.y ?? Number.NaN
  await expect.poll(() => bottomOf(dialog.getByRole('checkbox'))).toBeLessThanOrEqual(buttons)
  await expect.poll(() => bottomOf(said)).toBeLessThanOrEqual(buttons)
  await context.close()
})

test.each([
  ['brings no reward from everywhere', '{referral}', rewards],
  ['is not sold to everybody', '{buyers,countriesRefused}', ['US']],
])(
  'an order that %s is made once the country is named and the terms are accepted',
  async (_, where, what) => {
    await server.database.db.query(LEAVE_OUT, [where, JSON.stringify(what)])
    server.context.campaign.invalidate()
    const { page, context } = await openBuyer(browser, server, `declares${where.length}@example.org`)
    await open(page, '/dashboard/buy-token?currency=BTC&amount=100')
    await page.getByRole('button', { name: 'Buy Now' }).click()
    const dialog = page.getByRole('dialog')
    const goOn = dialog.getByRole('button', { name: 'Continue' })
    await goOn.click()
    await dialog.getByText('Choose your country.').waitFor()
    await dialog.getByLabel('Country you live in').fill('Eston')
    await page.getByRole('option', { name: 'Estonia' }).click()
    await goOn.click()
    await dialog.getByText('Please accept the terms and the risk notice.').waitFor()
    expect(await dialog.getByRole('checkbox').evaluate((box) => box === document.activeElement)).toBe(true)
    await dialog.getByRole('checkbox').check()
    await goOn.click()
    await dialog.getByRole('button', { name: 'Confirm' }).waitFor()
    await context.close()
  },
)

test('a list of currencies that can’t be had says what came instead, and comes with Retry', async () => {
  const { context, page } = await openBuyer(browser, server, 'no-list@example.org')
  let answer: { status: number; body: string } | undefined = { status: 500, body: 'broken' }
  await page.route('**/api/v1/currencies', (route) => (answer ? route.fulfill(answer) : route.continue()))
  // A page that is opened by its address comes with the list; one that is gone on to asks for it.
  await open(page, '/dashboard/status')
  await scriptsRun(page)
  await page.getByRole('link', { name: 'Buy Token' }).click()
  await page.getByText('Failed to get cryptos: 500').waitFor()
  answer = { status: 200, body: 'no list' }
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Failed to fetch cryptos: Unexpected response status').waitFor()
  answer = undefined
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('button', { name: /^Tether\b/ }).waitFor()
  await context.close()
})

test('who saves something offline is told so, and the page promises nothing that it does not do', async () => {
  const { context, page, api } = await openBuyer(browser, server, 'offline@example.org')
  await open(page, '/dashboard/profile')
  await scriptsRun(page)
  await context.setOffline(true)
  const band = page.getByText('You are offline.')
  await band.waitFor()
  await page.getByLabel('Full Name').fill('Typed Offline')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await page.getByText('Update failed').waitFor()
  expect(await band.innerText()).toBe('You are offline. This page may be out of date.')
  await context.setOffline(false)
  await band.waitFor({ state: 'detached' })
  // Longer than it would take to go on.
  await page.waitForTimeout(1_500)
  expect((await api<{ name: string }>('GET', '/account')).name).not.toBe('Typed Offline')
  await context.close()
})

test('who has logged out in another tab is led to the login once a page is looked at, and back to it afterwards', async () => {
  const { context, page } = await openBuyer(browser, server, 'two-tabs@example.org')
  await open(page, '/dashboard/profile')
  await scriptsRun(page)
  await context.clearCookies({ name: 'session' })
  // Until what the page has read counts as old.
  await page.waitForTimeout(1_100)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await page.waitForURL('**/login?next=%2Fdashboard%2Fprofile')
  await context.close()
})

test('a page that a link opens begins at its top, with the focus on its heading; the way back goes where it was', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'top@example.org')
  const { token } = await makeOrder(api)
  await page.setViewportSize({ width: 1440, height: 500 })
  const at = () => page.evaluate(() => Math.round(window.scrollY))
  const focused = () =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`)
  const scrollTo = async (to: number) => {
    await page.evaluate((top) => window.scrollTo(0, top), to)
    await expect.poll(at).toBe(to)
  }
  await open(page, '/dashboard/buy-token')
  await scrollTo(200)
  const menu = page.getByRole('navigation')
  await menu.getByRole('link', { name: 'How to Buy' }).click()
  await expect.poll(focused).toBe('H1 How to Buy')
  expect(await at()).toBe(0)
  await scrollTo(200)
  await menu.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect.poll(focused).toMatch(/^H1 /)
  expect(await at()).toBe(0)
  await scrollTo(150)
  await page.locator(`main a[href*="${token}"]`).first().click()
  await expect.poll(focused).toBe('H1 Next: enter the transaction id')
  expect(await at()).toBe(0)
  await page.goBack()
  await expect.poll(focused).toMatch(/^H1 Dashboard/)
  await expect.poll(at).toBe(150)
  await context.close()
})

test('an order’s page polls while the event stream is down', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'polls@example.org')
  await page.route('**/api/v1/live**', (route) => route.abort())
  const { number, token } = await makeOrder(api)
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByText('Processing Transaction').waitFor()
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'looked at the wallet' })
  await page.getByText('Transaction approved').waitFor()
  await context.close()
})

test('an approved order is proved by the journal, in the browser and as a file [LOG-7]', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'proved@example.org')
  const { number, token } = await makeOrder(api)
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'looked at the wallet' })
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByText('This browser has checked it').waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the proof' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  const vkey = (await (await fetch(`${server.url}/journal/vkey`)).text()).trim()
  const proven = await checkProof(sha256, text, parseVerifierKey(sha256, vkey))
  expect(JSON.parse(proven.entry)).toMatchObject({ kind: 'order.approved' })
  await expectNoFindings(page, 'the proof')

  // The page itself reports amounts that differ from the journal.
  await page.route(`**/dashboard/transaction?order=${token}`, async (route) => {
    const document = await (await route.fetch()).text()
    const said = /"bonusTokens":"[^"]*"/g
    expect(document).toMatch(said)
    await route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: document.replaceAll(said, '"bonusTokens":"99999"'),
    })
  })
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByText('the journal says bonus').waitFor()
  await context.close()
})

test('where the address of an order comes from is said unasked and checked in the browser by who asks', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'origin@example.org')
  const { token } = await beginOrder(api)
  const { address } = await api<{ address: string }>('GET', `/orders/${token}`)
  const check = page.getByRole('button', { name: 'Check it in this browser' })
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByText('that all orders in this currency are paid here').waitFor()
  await check.click()
  await page.getByText('The journal can’t say whose address it is').waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the proof' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  const vkey = (await (await fetch(`${server.url}/journal/vkey`)).text()).trim()
  await page.getByText(vkey).waitFor()
  const key = parseVerifierKey(sha256, vkey)
  expect(await checkAddress(sha256, file, key)).toMatchObject({ address, wallet: null })
  await expectNoFindings(page, 'the origin of an address')

  // The page itself reports an address that differs from the journal.
  await page.route(`**/api/v1/orders/${token}`, async (route) => {
    const order = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...order, address: 'TThief' } })
  })
  await open(page, `/dashboard/transaction?order=${token}`)
  await check.click()
  await page.getByText('This page could not check where the address comes from').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  // The server itself says that the address was not announced.
  await page.route('**/address-proof', (route) =>
    route.fulfill({ json: { state: 'other', announcedAt: null, file: null, vkey, witnesses: [] } }),
  )
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByText('Pay nothing to it').waitFor()
  await context.close()
})

/** A file that proves an address to be number 1 of a wallet that a log has announced. */
function walletFile(address: string, announcedAt: Date) {
  const log = new LogWriter()
  const key = 'cd'.repeat(32)
  const leafOf = (index: number, of: string) =>
    jsonOf({ v: 1, address: of, index, key, salt: 'ab'.repeat(32) })
  const leaves = [leafOf(0, 'another'), leafOf(1, address)].map((leaf) => leafHash(Buffer.from(leaf)))
  log.append({
    v: 1,
    kind: 'wallet.announced',
    at: announcedAt.toISOString(),
    row: 'journal_facts/1',
    subject: 'wallet_announcements/1',
    wallet: 7,
    family: 'bitcoin',
    script: 'p2wpkh',
    net: 'main',
    key,
    first: 0,
    count: 2,
    root: treeHash(leaves).toString('hex'),
  })
  const path = [leaves[0]?.toString('hex')]
  return {
    log,
    file: { v: 1, leaf: leafOf(1, address), path, proof: log.proof(0) },
    forgedLeaf: leafOf(1, 'TThief'),
  }
}

test('a wallet is called new by what the journal signed, and a forged file is refused, whatever the server says beside it', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'new-wallet@example.org')
  const { token } = await beginOrder(api)
  const { address } = await api<{ address: string }>('GET', `/orders/${token}`)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const isNew = page.getByText('New: this wallet was announced less than 24 hours ago.')
  const serve = async (file: object, announcedAt: Date, vkey: string) => {
    await page.unrouteAll()
    await page.route('**/address-proof', (route) =>
      route.fulfill({
        json: {
          state: 'announced',
          announcedAt: announcedAt.toISOString(),
          file: JSON.stringify(file),
          vkey,
          witnesses: [],
        },
      }),
    )
    await open(page, `/dashboard/transaction?order=${token}`)
    await page.getByText('The public journal announced the wallet of this address').waitFor()
  }
  const check = page.getByRole('button', { name: 'Check it in this browser' })
  const young = walletFile(address, hoursAgo(2))

  await serve(young.file, hoursAgo(2), young.log.key.vkey)
  await isNew.waitFor()
  // An answer that makes the wallet two days older than its journal does.
  await serve(young.file, hoursAgo(48), young.log.key.vkey)
  expect(await isNew.count()).toBe(0)
  await check.click()
  await page.getByText('it is address 1 of the wallet 7').waitFor()
  await isNew.waitFor()
  await expectNoFindings(page, 'a new wallet')
  const old = walletFile(address, hoursAgo(25))
  await serve(old.file, hoursAgo(25), old.log.key.vkey)
  await check.click()
  await page.getByText('it is address 1 of the wallet 7').waitFor()
  expect(await isNew.count()).toBe(0)

  const [path] = old.file.path
  const forged: Record<string, object> = {
    'another leaf': { ...old.file, leaf: old.forgedLeaf },
    'another path': { ...old.file, path: [path?.replace(/^../, (byte) => (byte === '00' ? '01' : '00'))] },
    'another entry': { ...old.file, proof: young.file.proof },
    'another root': { ...old.file, proof: old.file.proof.replace(/^index 0$/m, 'index 1') },
  }
  for (const [what, file] of Object.entries(forged)) {
    await serve(file, hoursAgo(25), old.log.key.vkey)
    await check.click()
    await page
      .getByText('This page could not check where the address comes from')
      .waitFor()
      .catch(() => expect.unreachable(what))
  }
  // A journal that somebody else has signed.
  await serve(old.file, hoursAgo(25), young.log.key.vkey)
  await check.click()
  await page.getByText('This page could not check where the address comes from').waitFor()
  await context.close()
})

test('the receipt of an approved order is a PDF in the language of the page', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'receipt@example.org')
  const { number, token } = await makeOrder(api)
  await open(page, `/dashboard/transaction?order=${token}`)
  expect(await page.getByRole('link', { name: 'Download receipt' }).count()).toBe(0)
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'looked at the wallet' })
  for (const [language, link, title, total] of [
    ['en', 'Download receipt', `Receipt for order #${number}`, '42 ITOKEN: 40 + 2 bonus'],
    ['ru', 'Скачать квитанцию', `Квитанция по заказу №${number}`, '42 ITOKEN: 40 + бонус 2'],
  ] as const) {
    await api('PATCH', '/account', { language })
    await open(page, `/dashboard/transaction?order=${token}`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: link }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(`receipt-${number}.pdf`)
    const said = textOfPdf(await readFile(await download.path()))
    expect(said).toContain(title)
    expect(said).toContain(total)
  }
  await context.close()
})

test('the link for friends goes to the device’s own dialog, is copied where that fails, and only copied where there is none', async () => {
  await server.database.db.query(
    statement('test_referral', `update campaign set settings = jsonb_set(settings, '{referral}', $1)`),
    [JSON.stringify({ percent: '5', mostTokensEach: '100', mostTokens: '1000', countriesExcluded: [] })],
  )
  await server.context.campaign.refresh()
  const { page, context, api } = await openBuyer(browser, server, 'shares@example.org')
  await api('POST', '/referral', { country: 'EE' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.addInitScript(`window.shared = []
    Navigator.prototype.share = (what) => {
      shared.push(what)
      return window.refusal ? Promise.reject(new DOMException('', window.refusal)) : Promise.resolve()
    }`)
  await open(page, '/dashboard/my-token')
  const share = page.getByRole('button', { name: 'Share', exact: true })
  const copied = () => page.evaluate('navigator.clipboard.readText()')
  await page.evaluate(`navigator.clipboard.writeText('before')`)
  await share.click()
  const link = (await page.getByText(`${server.url}/r/`).innerText()).trim()
  expect(await page.evaluate('shared')).toEqual([{ title: 'iToken', url: link }])
  // The dialog was closed on purpose.
  await page.evaluate(`window.refusal = 'AbortError'`)
  await share.click()
  await expect.poll(() => page.evaluate('shared.length')).toBe(2)
  expect(await copied()).toBe('before')
  await page.evaluate(`window.refusal = 'NotAllowedError'`)
  await share.click()
  await page.getByText('It is copied instead.').waitFor()
  expect(await copied()).toBe(link)
  await expectNoFindings(page, 'the link for friends')

  await context.addInitScript('delete Navigator.prototype.share')
  await open(page, '/dashboard/my-token')
  await page.evaluate(`navigator.clipboard.writeText('before')`)
  await page.locator('#friends').getByRole('button', { name: 'Copy' }).click()
  await expect.poll(copied).toBe(link)
  expect(await share.count()).toBe(0)
  await context.close()
})

test('what a buyer holds is found in the public sum by the page itself, and another leaf is told of', async () => {
  const { page, context } = await openBuyer(browser, server, 'in-the-sum@example.org')
  const log = new LogWriter()
  const day = '2026-11-23'
  const salt = 'ab'.repeat(32)
  const holder = createHash('sha256')
    .update(Buffer.from(salt, 'hex'))
    .update('in-the-sum@example.org')
    .digest('hex')
  const leafOf = (purchased: string) =>
    jsonOf({ v: 1, origin: log.origin, day, index: 0, salt, holder, purchased, bonus: '0', granted: '1.5' })
  const root = leafHash(Buffer.from(leafOf('200'))).toString('hex')
  const said = { subject: 'holding_trees/1', origin: log.origin, day, depth: 0, root, sum: '201.5' }
  log.append({ v: 1, kind: 'holdings.summed', at: `${day}T00:00:10.000Z`, row: 'journal_facts/1', ...said })
  const serve = (purchased: string) =>
    page.route('**/api/v1/holdings/proof', (route) => {
      const file = JSON.stringify({ v: 1, leaf: leafOf(purchased), path: [], proof: log.proof(0) })
      return route.fulfill({ json: { day, file, vkey: log.key.vkey, witnesses: [] } })
    })
  await serve('200')
  await open(page, '/dashboard/my-token')
  const check = page.getByRole('button', { name: 'Check in this browser' })
  await check.click()
  await page.getByText('This browser has checked it').waitFor()
  expect(await page.locator('#counted').innerText()).toContain('201.5')
  await expectNoFindings(page, 'the leaf')
  await serve('150')
  await page.reload()
  await check.click()
  await page.getByText('The leaf leads to the root').waitFor()
  await context.close()
})

test('the picture of the own level stands beside its words on every phone, also where a scrollbar takes room', async () => {
  const { context, page } = await openBuyer(browser, server, 'beside@example.org')
  for (const width of [390, 378, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await open(page, '/dashboard')
    const level = page.getByRole('region', { name: 'Level', exact: true })
    const picture = await level.locator('svg').first().boundingBox()
    const words = await level.locator('p').first().boundingBox()
    expect(words?.x, String(width)).toBeGreaterThan((picture?.x ?? 0) + (picture?.width ?? 0))
  }
  await context.close()
})

test('on a phone a toast covers nothing of the bar by which one buys', async () => {
  const { context, page } = await openBuyer(browser, server, 'toast@example.org')
  await page.setViewportSize({ width: 320, height: 640 })
  await open(page, '/dashboard/transaction?order=nobodys')
  const toast = page.locator('.toast-place')
  await toast.getByText("Transaction doesn't exist").waitFor()
  await page.getByRole('button', { name: 'Buy Now', exact: true }).waitFor()
  const bar = page.locator('[data-bottom-bar]')
  await expect
    .poll(async () => {
      const [above, below] = [await toast.boundingBox(), await bar.boundingBox()]
      return above && below && above.y >= 0 && above.y + above.height <= below.y
    })
    .toBe(true)
  await context.close()
})

test('the overview tells what an order wants of its buyer, however many were made after it', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'many@example.org')
  const { number } = await makeOrder(api)
  await owner('POST', `/operator/orders/${number}/approve`, {})
  await makeHalfBought(server.database.db, number)
  for (let made = 0; made < 10; made += 1)
    await server.database.db.query(REJECTED, [(await makeOrder(api)).number])
  await open(page, '/dashboard')
  const order = page.getByRole('listitem').filter({ hasText: `Order #${number}` })
  await order
    .getByText(
      '40 of 80 tokens bought. The order’s page says how much is missing. You can pay the rest for another',
    )
    .waitFor()
  expect(await page.getByText(/Times are in your time zone/).count()).toBe(0)
  await order.getByRole('link').click()
  await page.getByText(/Times are in your time zone/).waitFor()
  await context.close()
})

test('an order whose payment was named tells nobody to pay it again, also when its time is over', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'named@example.org')
  const { number, token } = await beginOrder(api)
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByText('Send exactly').waitFor()
  await page.getByLabel('Transaction id').fill('ab'.repeat(32))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('An operator checks your payment by hand.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Processing Transaction' }).waitFor()
  await page.getByText('pending · payment named, to be checked').waitFor()
  const asksToPay = page.getByText(
    /awaiting payment|Send exactly|Time left to pay|Send the payment|make a new order|nothing had been paid/,
  )
  expect(await asksToPay.count()).toBe(0)
  await open(page, '/dashboard/my-token')
  await page.getByText('pending · payment named, to be checked').waitFor()
  expect(await asksToPay.count()).toBe(0)
  await server.database.db.query(END_TIME, [number])
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByText('No operator has confirmed the payment that you named yet.').waitFor()
  // Somebody still has to decide.
  await page.getByText('pending · expired', { exact: true }).waitFor()
  await page.getByText('Expired: no payment had been seen or confirmed in time').waitFor()
  expect(await asksToPay.count()).toBe(0)
  expect(await page.getByLabel('Transaction id').inputValue()).toBe(`0x${'ab'.repeat(32)}`)
  await open(page, '/dashboard')
  await page.getByText('An operator checks the payment.').waitFor()
  await context.close()
})

/** A wallet of the page (EIP-6963) whose transactions no block ever holds. */
function walletWithoutBlocks(hash: string): void {
  const answers: Record<string, unknown> = {
    eth_requestAccounts: [`0x${'11'.repeat(20)}`],
    eth_chainId: '0x1',
    eth_estimateGas: '0x5208',
    eth_gasPrice: '0x3b9aca00',
    eth_sendTransaction: hash,
  }
  const request = async ({ method }: { method: string }) => {
    if (method === 'eth_sendTransaction') await (globalThis as { signing?: Promise<void> }).signing
    return answers[method] ?? null
  }
  const detail = { info: { uuid: 'blockless', name: 'Blockless' }, provider: { request } }
  addEventListener('eip6963:requestProvider', () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
  )
}

/** An answer that rejects the transaction for another reason. */
const refusedOnce = { status: 409, json: { error: { code: 'order_state', message: 'Refused for once.' } } }
const asksToPay = /Send exactly|Send the payment|Send \d|Pay with a wallet/

/** Goes to an order, up to the wallet that answers `hash` when it is pressed. */
async function offerWallet(page: Page, token: string, hash: string) {
  await page.addInitScript(walletWithoutBlocks, hash)
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByRole('button', { name: 'Pay with a wallet of this browser' }).click()
  const wallet = page.getByRole('button', { name: 'Blockless' })
  await wallet.waitFor()
  return wallet
}

test('a wallet’s payment to a fixed address is named by the page, and not offered again', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'wallet@example.org')
  const hash = `0x${'cd'.repeat(32)}`
  const { token } = await beginOrder(api, '40', 'ETH')
  const wallet = await offerWallet(page, token, hash)
  await wallet.click()
  await page.getByText('An operator checks your payment by hand.').waitFor()
  expect(await api('GET', `/orders/${token}`)).toMatchObject({ transactionId: hash })
  expect(await page.getByLabel('Transaction id').inputValue()).toBe(hash)
  await page.reload()
  await page.getByText('An operator checks your payment by hand.').waitFor()
  expect(await page.getByRole('button', { name: 'Pay with a wallet' }).count()).toBe(0)
  await context.close()
})

test('what a wallet sent while the session ended is named after the login', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'sent@example.org')
  const { token } = await beginOrder(api, '40', 'ETH')
  const hash = `0x${'ef'.repeat(32)}`
  const wallet = await offerWallet(page, token, hash)
  await context.clearCookies({ name: 'session' })
  await wallet.click()
  await logInAgain(page, 'sent@example.org')
  await page.getByText('An operator checks your payment by hand.').waitFor()
  expect(await page.getByLabel('Transaction id').inputValue()).toBe(hash)
  // Once the order names it, the browser keeps nothing.
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(hash)
  await context.close()
})

test('what a wallet sent is kept where naming it is refused, and nobody is asked to pay it again', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'refused@example.org')
  const { token } = await beginOrder(api, '40', 'ETH')
  const hash = `0x${'fe'.repeat(32)}`
  const wallet = await offerWallet(page, token, hash)
  await page.route('**/transaction-id', (route) => route.fulfill(refusedOnce))
  await wallet.click()
  const isKept = async () => {
    await page.getByText('Your wallet has sent the payment: do not pay a second time.').waitFor()
    await page.getByText('Refused for once. Its transaction id is not saved with the order').waitFor()
    await page.getByText(hash).waitFor()
    await page.getByRole('button', { name: 'Copy the transaction id' }).waitFor()
    expect(await page.getByText(asksToPay).count()).toBe(0)
  }
  await isKept()
  expect(await axeFindings(page)).toEqual([])
  await page.reload()
  await isKept()
  await page.unroute('**/transaction-id')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('An operator checks your payment by hand.').waitFor()
  expect(await api('GET', `/orders/${token}`)).toMatchObject({ transactionId: hash })
  await context.close()
})

test('what a wallet sent in one tab is asked for in no other one', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'tabs@example.org')
  const { token } = await beginOrder(api, '40', 'ETH')
  const hash = `0x${'a1'.repeat(32)}`
  const wallet = await offerWallet(page, token, hash)
  const other = await context.newPage()
  await offerWallet(other, token, `0x${'a2'.repeat(32)}`)
  await context.route('**/transaction-id', (route) => route.fulfill(refusedOnce))
  await wallet.click()
  await other.getByText('Your wallet has sent the payment: do not pay a second time.').waitFor()
  await other.getByText(hash).waitFor()
  expect(await other.getByText(asksToPay).count()).toBe(0)
  await context.close()
})

test('what a wallet sent after the order had named another payment is not hidden, and replaces nothing', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'twice@example.org')
  const { token } = await beginOrder(api, '40', 'ETH')
  const [first, second] = [`0x${'b1'.repeat(32)}`, `0x${'b2'.repeat(32)}`]
  const wallet = await offerWallet(page, token, second)
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    Object.assign(globalThis, { signing: promise, sign: resolve })
  })
  await wallet.click()
  await api('PUT', `/orders/${token}/transaction-id`, { transactionId: first })
  await page.getByText('An operator checks your payment by hand.').waitFor()
  await page.evaluate(() => (globalThis as unknown as { sign: () => void }).sign())
  await page.getByText('Its transaction id is not saved with the order').waitFor()
  await page.getByText(second).waitFor()
  await page.reload()
  await page.getByText(second).waitFor()
  expect(await api('GET', `/orders/${token}`)).toMatchObject({ transactionId: first })
  // A replacement of the first transaction is not told more.
  await page.getByRole('textbox', { name: 'Transaction id' }).fill(second)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Transaction id saved').waitFor()
  await page.getByText('Your wallet has sent the payment').waitFor({ state: 'detached' })
  expect(await api('GET', `/orders/${token}`)).toMatchObject({ transactionId: second })
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(second)
  await context.close()
})

test('a browser that keeps nothing says all the same that a payment is named', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'keeps-nothing@example.org')
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', { value: null })
  })
  const { token } = await beginOrder(api, '40', 'ETH')
  const wallet = await offerWallet(page, token, `0x${'c1'.repeat(32)}`)
  await wallet.click()
  await page.getByText('Transaction id saved').waitFor()
  await page.getByText('An operator checks your payment by hand.').waitFor()
  await context.close()
})

test('an order of which a part is bought says how much, and asks for the rest until its time is over', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'rest@example.org')
  const { number, token } = await makeOrder(api, '40', 'ETH')
  await owner('POST', `/operator/orders/${number}/approve`, {})
  await makeHalfBought(server.database.db, number)
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByRole('heading', { level: 1, name: '40 of 80 ITOKEN bought' }).waitFor()
  await page.getByText('approved · bought in part').waitFor()
  await page.getByText('Still missing').waitFor()
  await page.getByRole('link', { name: 'Open in a wallet' }).waitFor()
  await page.getByRole('button', { name: 'Pay with a wallet of this browser' }).waitFor()
  await context.close()
})

test('an order that was taken back says so in its history, with the reason', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'reversed@example.org')
  const { number, token } = await makeOrder(api)
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'looked at the wallet' })
  await owner('POST', `/operator/orders/${number}/reject`, { reason: 'It was another wallet', came: '0' })
  await open(page, `/dashboard/transaction?order=${token}`)
  const history = page.getByRole('listitem').filter({ hasText: 'The approval was taken back' })
  await history.getByText('It was another wallet').waitFor()
  await page.getByRole('heading', { level: 1, name: 'The approval was taken back' }).waitFor()
  // Below a soft cap nobody takes it back but the program.
  const missed = await makeOrder(api)
  await owner('POST', `/operator/orders/${missed.number}/approve`, {})
  await server.database.db.query(MISSED, [missed.number])
  await open(page, `/dashboard/transaction?order=${missed.token}`)
  await page.getByText('The sale ended below its soft cap.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Money is owed back to you' }).waitFor()
  expect(await page.getByText(/by the operator/).count()).toBe(0)
  const hidden = await makeOrder(api)
  await owner('POST', `/operator/orders/${hidden.number}/hide`, { reason: 'duplicate' })
  await open(page, `/dashboard/transaction?order=${hidden.token}`)
  await page.getByRole('heading', { level: 1, name: 'Withdrawn by the operator' }).waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Withdrawn by the operator' })
    .getByText('duplicate')
    .waitFor()
  expect(await page.getByText(/Processing Transaction|Payment and its transaction id|pending/).count()).toBe(
    0,
  )
  // A transaction submitted there would stay unnoticed.
  expect(await page.getByLabel('Transaction id').count()).toBe(0)
  await page.getByText('If you have paid, write to the seller with the transaction id.').waitFor()
  await context.close()
})

/** A second payment that is owed back has no address of its own, whatever the first one has. */
async function seesWhatStillHasNoAddress(page: Page, token: string): Promise<void> {
  const refunds = `**/api/v1/orders/${token}/refunds`
  await page.route(refunds, async (route) => {
    const response = await route.fetch()
    const { items } = (await response.json()) as { items: object[] }
    const second = { ...items[0], id: 'second', state: 'owed', address: null }
    await route.fulfill({ response, json: { items: [...items, second] } })
  })
  await open(page, '/dashboard')
  await page.getByText(/\$360\.00 owed back to you, since .*\. Say where to send it\./).waitFor()
  await page.unrouteAll({ behavior: 'wait' })
}

test('an order that was taken back says what is owed for it, and that nothing is where nothing came', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'word@example.org')
  const { number, token } = await makeOrder(api)
  await owner('POST', `/operator/orders/${number}/approve`, {})
  await owner('POST', `/operator/orders/${number}/reject`, { reason: 'It was never paid' })
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByText('Your payment does not become tokens: it is owed back to you.').waitFor()
  await page.getByLabel(/Your address on/).waitFor()
  await open(page, '/dashboard')
  await page
    .getByText(/\$180\.00 owed back to you, since \w+ \d+, \d{4}, .*\. Say where to send it\./)
    .waitFor()
  const address = `0x${'44'.repeat(20)}`
  await api('POST', `/orders/${token}/refunds/claim`, { address, network: 'ethereum' })
  await open(page, `/dashboard/transaction?order=${token}`)
  await page.getByText('You have said where to send it. How far it has got is shown below.').waitFor()
  await seesWhatStillHasNoAddress(page, token)
  const unpaid = await makeOrder(api)
  await owner('POST', `/operator/orders/${unpaid.number}/approve`, {})
  await owner('POST', `/operator/orders/${unpaid.number}/reject`, { came: '0' })
  await open(page, `/dashboard/transaction?order=${unpaid.token}`)
  await page.getByText('No money is owed back for it. If you have paid, write to the seller.').waitFor()
  expect(await page.getByText('say where to send it').count()).toBe(0)

  const silent = await makeOrder(api)
  await owner('POST', `/operator/orders/${silent.number}/approve`, {})
  await owner('POST', `/operator/orders/${silent.number}/reject`, {})
  await open(page, `/dashboard/transaction?order=${silent.token}`)
  await page.getByText('Your payment does not become tokens: it is owed back to you.').waitFor()
  expect(await page.getByText(/reason/i).count()).toBe(0)
  await context.close()
})

test('the leaderboard has those who chose it, by their deposits, and the reader’s own row [BOARD-1]', async () => {
  const { page, context, api } = await openBuyer(browser, server, 'board@example.org')
  await open(page, '/dashboard/leaderboard')
  await page.getByText('The board is empty so far').waitFor()

  const others = [
    { email: 'first@example.org', tokens: '500', profile: { showsOnLeaderboard: true, nickname: 'Otter' } },
    { email: 'third@example.org', tokens: '50', profile: { showsOnLeaderboard: true } },
    { email: 'hidden@example.org', tokens: '900', profile: {} },
  ]
  const approve = async (caller: ApiCaller, tokens: string) => {
    const { number } = await makeOrder(caller, tokens)
    await owner('POST', `/operator/orders/${number}/approve`, { reason: 'looked at the wallet' })
  }
  for (const { email, tokens, profile } of others) {
    const caller = await registerBuyer(server, email)
    await caller('PATCH', '/account', profile)
    await approve(caller, tokens)
  }
  await api('PATCH', '/account', { showsOnLeaderboard: true })
  await approve(api, '60')
  const rows = async () => {
    await open(page, '/dashboard/leaderboard')
    await page.getByRole('table').or(page.getByText('The board is empty so far')).waitFor()
    return page.getByRole('row').allInnerTexts()
  }
  const written = async () => (await rows()).slice(1).map((row) => row.replace(/\s+/g, ' ').trim())
  await expect
    .poll(written)
    .toEqual([
      '#1 Otter $2,250.00 Gold',
      '#2 b•••@e•••.org you $270.00 Bronze',
      '#3 t•••@e•••.org $225.00 Bronze',
    ])
  await expectNoFindings(page, 'the board', 'main')
  await context.close()
})

test('a published document is listed with its size and hash, and downloads as it was', async () => {
  const bytes = Buffer.from(`%PDF-1.7\n${' '.repeat(2_000)}\n%%EOF\n`)
  const operator = await openVisitor(browser)
  await enter(server, operator.context, '/operator/session', { login: 'owner', password })
  const upload = await operator.context.request.post(`${server.url}/api/v1/operator/uploads`, {
    data: bytes,
    headers: { 'content-type': 'application/pdf', 'x-requested-with': 'presale', origin: server.url },
  })
  const stored = (await upload.json()) as { name: string; sha256: string }
  await owner('POST', '/operator/documents', {
    title: { en: 'White paper', ru: 'Белая книга' },
    uploadName: stored.name,
    fileName: 'white-paper.pdf',
  })
  await operator.context.close()

  const { page, context } = await openBuyer(browser, server, 'reader@example.org')
  await open(page, '/dashboard/docs')
  const item = page.getByRole('listitem').filter({ hasText: 'White paper' })
  await item.getByText('3 kB').waitFor()
  await item.getByText(stored.sha256).waitFor()
  await expectNoFindings(page, 'the documents', 'main')
  const download = page.waitForEvent('download')
  await item.getByRole('link', { name: 'Download' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('white-paper.pdf')
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
  await context.close()
})
