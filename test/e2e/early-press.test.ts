import type { Page } from '@playwright/test'
import { describe, expect, test } from 'vitest'
import type { OperatorGiveaway } from '../../src/shared/api/giveaways.ts'
import { password } from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { registerBuyer } from '../support/every-state.ts'
import { giveawayDraft, moveTo } from '../support/giveaways.ts'
import { statement } from '../support/statement.ts'
import { enter, fillInAccount, openBuyer, openVisitor, scriptsRun } from '../support/visitor.ts'

const COUNT_SESSIONS = statement(
  'test_count_sessions',
  'select count(*)::integer as count from user_sessions s join users u on u.id = s.user_id where u.email = $1',
)
const OPERATOR_ID = statement('test_operator_id', 'select id::text from operators where login = $1')

const CONFIRM_ALL = statement('test_confirm_all', 'update users set confirmed_at = now()')

const { server, browser, owner } = await startStaffedServerAndBrowser()

/** Publishes a giveaway that is open. */
async function openGiveaway(): Promise<void> {
  const { id, revision } = await owner<OperatorGiveaway>('POST', '/operator/giveaways', giveawayDraft(), {
    'idempotency-key': 'giveaway',
  })
  await owner('POST', `/operator/giveaways/${id}/publication`, { revision })
  await moveTo(server.database.db, id, { opensAt: -1, closesAt: 200 })
}

const sessionsOf = async (email: string) =>
  (await server.database.db.one<{ count: number }>(COUNT_SESSIONS, [email])).count

/** From now on no script of the page comes, until the answer is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const withoutScripts = (page: Page) => page.route('**/assets/*.js', (route) => route.abort())

/** Opens a page of which nothing but the document has come. */
async function openEarly(page: Page, path: string): Promise<() => void> {
  const release = await holdScripts(page)
  // The load is over once the scripts have come, where they were asked for before its end.
  await page.goto(server.url + path, { waitUntil: 'domcontentloaded' })
  await page.locator('#root[aria-busy]').waitFor()
  return release
}

/** Requests of the browser and the scripts. */
function sentFrom(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  return sent
}

/** The answer to a form that the browser sends itself comes after so long. */
const answerLate = (page: Page, path: string, milliseconds: number) =>
  page.route(server.url + path, async (route) => {
    if (route.request().method() === 'POST') await page.waitForTimeout(milliseconds)
    await route.continue()
  })

/** Presses where a button stands twice, as a hand does: what works for tests would wait for the first press's answer. */
async function pressTwice(page: Page, name: string, gap: number, between = () => {}): Promise<void> {
  const box = await page.getByRole('button', { name, exact: true }).boundingBox()
  if (!box) throw new Error(`${name} is not there`)
  const press = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await press()
  between()
  await page.waitForTimeout(gap)
  await press()
}

/** Presses where an inert button stands. */
async function pressEarly(page: Page, name: string): Promise<void> {
  const button = page
    .locator(`button[inert][aria-label^="${name}"], button[inert]:has-text("${name}")`)
    .first()
  const box = await button.boundingBox()
  if (!box) throw new Error(`${name} is not there`)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** Where the scripts would have taken the page over by now, had they not waited. */
const wouldHaveTakenOver = (page: Page) => page.waitForTimeout(1_000)

async function fillInLogin(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Enter password').fill(password)
}

describe('when the scripts take a page over', () => {
  test.each([
    ['/login', 'Email address'],
    ['/register', 'Full Name'],
  ])('%s keeps the caret and what is selected', async (path, label) => {
    const { context, page } = await openVisitor(browser)
    const release = await openEarly(page, path)
    const field = page.getByLabel(label)
    await field.click()
    await page.keyboard.type('annxxexample')
    await page.keyboard.press('Home')
    for (let letters = 0; letters < 3; letters++) await page.keyboard.press('ArrowRight')
    for (let letters = 0; letters < 2; letters++) await page.keyboard.press('Shift+ArrowRight')
    release()
    await scriptsRun(page)
    await page.keyboard.type('@')
    expect(await field.inputValue()).toBe('ann@example')
    await context.close()
  })

  test('a button keeps the focus, and a field without a name its text', async () => {
    const { context, page } = await openBuyer(browser, server, 'focus@example.org')
    const release = await openEarly(page, '/dashboard/buy-token')
    const search = page.getByPlaceholder('Search for a currency...')
    await search.click()
    await page.keyboard.type('eth')
    release()
    await scriptsRun(page)
    await page.keyboard.type('er')
    expect(await search.inputValue()).toBe('ether')
    await context.close()

    const { context: other, page: login } = await openVisitor(browser)
    const releaseLogin = await openEarly(login, '/login')
    await fillInLogin(login, 'focus@example.org')
    const button = login.getByRole('button', { name: 'Login', exact: true })
    await button.focus()
    releaseLogin()
    await scriptsRun(login)
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    await login.keyboard.press('Enter')
    await login.waitForURL('**/dashboard/buy-token')
    await other.close()
  })

  test('the form of an entry keeps what was typed and ticked', async () => {
    const { context, page } = await openBuyer(browser, server, 'entry@example.org')
    await server.database.db.query(CONFIRM_ALL)
    await openGiveaway()
    // The first request loads the form's renderer.
    await expect
      .poll(async () => (await page.request.get(`${server.url}/dashboard/giveaway`)).text())
      .toContain('Start typing')
    const country = page.getByPlaceholder('Start typing')
    const release = await openEarly(page, '/dashboard/giveaway')
    await country.click()
    await page.keyboard.type('Germ')
    await page.getByLabel(/I have read the official rules/).check()
    // A form that loads long after the rest of the page still gets the typed text.
    await page.route('**/assets/EnterGiveaway-*.js', async (route) => {
      await page.waitForTimeout(3_000)
      await route.continue()
    })
    release()
    await scriptsRun(page)
    expect(await country.inputValue()).toBe('Germ')
    expect(await page.getByLabel(/I have read the official rules/).isChecked()).toBe(true)
    expect(await page.getByLabel(/^I am 18 years old/).isChecked()).toBe(false)
    await page.getByLabel(/^I am 18 years old/).check()
    await country.fill('Germa')
    await page.getByRole('option', { name: 'Germany' }).click()
    await page.getByRole('button', { name: 'Enter for free' }).click()
    await page.getByText('You have entered.').waitFor()
    await context.close()
  })

  test('a country that is being typed has its list without another key', async () => {
    const { context, page } = await openBuyer(browser, server, 'list@example.org')
    await server.database.db.query(CONFIRM_ALL)
    const country = page.getByPlaceholder('Start typing')
    const release = await openEarly(page, '/dashboard/giveaway')
    await country.click()
    await page.keyboard.type('Germ')
    release()
    await scriptsRun(page)
    await page.getByRole('option', { name: 'Germany' }).click()
    expect(await country.inputValue()).toBe('Germany')
    await context.close()
  })

  test('the page stays where it was scrolled to', async () => {
    const { context, page } = await openVisitor(browser, { viewport: { width: 390, height: 400 } })
    const release = await openEarly(page, '/register')
    await page.getByLabel('Full Name').click()
    await page.mouse.wheel(0, 300)
    await page.waitForFunction(() => scrollY === 300)
    release()
    await scriptsRun(page)
    expect(await page.evaluate(() => scrollY)).toBe(300)
    await context.close()
  })

  test.each(['the mouse', 'the space bar'])('a press that %s began before counts, once', async (by) => {
    const { context, page } = await openVisitor(browser)
    const release = await openEarly(page, '/login')
    await fillInLogin(page, 'nobody@example.org')
    const sent = sentFrom(page)
    const button = page.getByRole('button', { name: 'Login', exact: true })
    const hand = by === 'the mouse' ? page.mouse : undefined
    await button.hover()
    await button.focus()
    await (hand ? hand.down() : page.keyboard.down('Space'))
    release()
    await wouldHaveTakenOver(page)
    await (hand ? hand.up() : page.keyboard.up('Space'))
    await page.getByText('Login failed.').waitFor()
    await scriptsRun(page)
    expect(sent).toEqual(['/login'])
    await context.close()
  })

  test('a button that never comes up again keeps nobody waiting', async () => {
    const { context, page } = await openVisitor(browser)
    const release = await openEarly(page, '/login')
    await page.getByText('Welcome back').hover()
    await page.mouse.down()
    release()
    await scriptsRun(page)
    await context.close()
  })

  test('buttons that were pressed before do what they were pressed for, in that order', async () => {
    const { context, page } = await openBuyer(browser, server, 'pressed@example.org')
    const release = await openEarly(page, '/dashboard/buy-token')
    await pressEarly(page, 'Ethereum')
    await page.getByLabel('Amount', { exact: true }).fill('77')
    // It seems dead, so it is pressed again.
    for (let times = 0; times < 3; times++) await pressEarly(page, 'Buy Now')
    await page.locator('[data-bottom-bar] [data-pressed]').waitFor()
    release()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ethereum (ERC-20)').waitFor()
    await dialog
      .getByText(/77 ITOKEN/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await context.close()

    const { context: other, page: login } = await openVisitor(browser)
    const releaseLogin = await openEarly(login, '/login')
    await login.getByLabel('Enter password').fill('seen by whom it is meant for')
    for (let times = 0; times < 2; times++) await pressEarly(login, 'Show password')
    releaseLogin()
    await scriptsRun(login)
    await login.getByRole('button', { name: 'Hide password' }).waitFor()
    expect(await login.getByLabel('Enter password').inputValue()).toBe('seen by whom it is meant for')
    await other.close()
  })

  test('a word that is being composed is written once', async () => {
    const { context, page } = await openVisitor(browser)
    const release = await openEarly(page, '/register')
    const field = page.getByLabel('Full Name')
    await field.click()
    const devtools = await context.newCDPSession(page)
    const compose = (text: string) =>
      devtools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    await compose('にほ')
    release()
    await wouldHaveTakenOver(page)
    await compose('にほん')
    await devtools.send('Input.insertText', { text: '日本' })
    await scriptsRun(page)
    expect(await field.inputValue()).toBe('日本')
    await context.close()
  })
})

describe('a public page whose script has not come yet', () => {
  test('presses once more the button that was pressed last, as soon as it works', async () => {
    const { context, page } = await openVisitor(browser, { colorScheme: 'light' })
    const release = await holdScripts(page)
    await page.goto(`${server.url}/transparency`, { waitUntil: 'domcontentloaded' })
    const button = page.locator('button[data-island=theme]')
    const before = await button.getAttribute('aria-label')
    for (let times = 0; times < 3; times++) await button.click()
    expect(await button.getAttribute('aria-label')).toBe(before)
    release()
    await page.locator('html[data-theme=dark]').waitFor()
    // A press that the script has seen is its own: it counts once.
    await button.click()
    await page.locator('html[data-theme=light]').waitFor()
    await context.close()
  })

  test('has its header out of the way once the script comes, where it was scrolled down before', async () => {
    const { context, page } = await openVisitor(browser)
    const release = await holdScripts(page)
    await page.goto(`${server.url}/transparency`, { waitUntil: 'domcontentloaded' })
    await page.mouse.move(700, 450)
    await page.mouse.wheel(0, 600)
    await page.waitForFunction(() => scrollY === 600)
    release()
    await page.locator('header[data-away]').waitFor({ state: 'attached' })
    await context.close()
  })
})

describe('a form that is sent before any script has come', () => {
  test.each([100, 800])('registers once when pressed twice %s ms apart', async (gap) => {
    const email = `early${gap}@example.org`
    const { context, page } = await openVisitor(browser)
    await withoutScripts(page)
    await fillInAccount(page, server, email)
    const sent = sentFrom(page)
    await answerLate(page, '/register', gap + 400)
    await pressTwice(page, 'Create Account', gap)
    await page.waitForURL('**/dashboard/buy-token')
    expect({ sent, sessions: await sessionsOf(email) }).toEqual({ sent: ['/register'], sessions: 1 })
    await context.close()
  })

  test('logs in once, also where the scripts come while it is on its way', async () => {
    const email = 'login@example.org'
    await registerBuyer(server, email)
    const before = await sessionsOf(email)
    const { context, page } = await openVisitor(browser)
    const release = await openEarly(page, '/login')
    await fillInLogin(page, email)
    const sent = sentFrom(page)
    await answerLate(page, '/login', 2_500)
    await pressTwice(page, 'Login', 1_500, release)
    await page.waitForURL('**/dashboard/buy-token')
    // The page that follows may have asked for a price by then.
    const logins = sent.filter((path) => path !== '/api/v1/orders/preview')
    expect({ logins, sessions: (await sessionsOf(email)) - before }).toEqual({
      logins: ['/login'],
      sessions: 1,
    })
    await context.close()
  })

  test('is sent again at once where something else was typed', async () => {
    const email = 'corrected@example.org'
    await registerBuyer(server, email)
    const { context, page } = await openVisitor(browser)
    await withoutScripts(page)
    await page.goto(`${server.url}/login`)
    await fillInLogin(page, 'mistyped@example.org')
    const sent = sentFrom(page)
    await answerLate(page, '/login', 1_500)
    await page.getByLabel('Email address').click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard/buy-token')
    expect(sent).toEqual(['/login', '/login'])
    await context.close()
  })

  test('without a network is not sent, keeps what was typed and says so', async () => {
    const { context, page } = await openVisitor(browser)
    await withoutScripts(page)
    await fillInAccount(page, server, 'offline@example.org')
    await context.setOffline(true)
    const create = page.getByRole('button', { name: 'Create Account' })
    await create.click()
    await page.getByText('There is no network: nothing was sent').waitFor()
    expect(await page.getByLabel('Email Address').inputValue()).toBe('offline@example.org')
    await context.setOffline(false)
    await create.click()
    await page.waitForURL('**/dashboard/buy-token')
    await context.close()
  })

  test('asks an operator for the code of the second factor', async () => {
    const { id } = await server.database.db.one<{ id: string }>(OPERATOR_ID, ['support'])
    const app = await switchOnApp(server.context, 'operator', id)
    const { context, page } = await openVisitor(browser)
    await withoutScripts(page)
    await page.goto(`${server.url}/operator`)
    await page.getByLabel('Login', { exact: true }).fill('support')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').fill(await app.code())
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/operator/dashboard/**')
    await context.close()
  })

  test('takes the currency of an amount along', async () => {
    const { context, page } = await openBuyer(browser, server, 'amount@example.org')
    const release = await openEarly(page, '/dashboard/buy-token?currency=ETH')
    const amount = page.getByLabel('Amount', { exact: true })
    await amount.fill('77')
    await amount.press('Enter', { noWaitAfter: true })
    await page.waitForURL(/amount=77/, { waitUntil: 'domcontentloaded' })
    release()
    await scriptsRun(page)
    expect(await amount.inputValue()).toBe('77')
    expect(await page.getByRole('button', { name: /^Ether/ }).getAttribute('aria-pressed')).toBe('true')
    await context.close()
  })
})

describe('where the scripts don’t come, the page says so', () => {
  const paths = ['/dashboard', '/dashboard/buy-token', '/operator/dashboard', '/login', '/forgot-password']
  const words = /a part of it has not come|часть её не пришла/

  test.each([
    ['blocked', '**/assets/*.js'],
    ['broken', '**/assets/*.js'],
    ['broken', '**/assets/*-kit-*.js'],
  ])('%s: %s', async (how, which) => {
    const email = `late-${how}-${which.length}@example.org`
    const { context, page } = await openBuyer(browser, server, email)
    await enter(server, context, '/operator/session', { login: 'owner', password })
    await page.route(which, (route) =>
      how === 'blocked' ? route.abort() : route.fulfill({ status: 500, body: 'no' }),
    )
    for (const path of paths) {
      if (path === '/login') await context.clearCookies()
      await page.goto(server.url + path)
      await page.getByText(words).waitFor()
    }
    await context.close()
  })
})
