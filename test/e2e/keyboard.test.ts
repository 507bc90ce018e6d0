import type { Page } from '@playwright/test'
import { describe, expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { makeOrder, registerBuyer } from '../support/every-state.ts'
import { expectFocusSeen, focused, tabTo } from '../support/keys.ts'
import { overflowAt } from '../support/page-findings.ts'
import { statement } from '../support/statement.ts'
import { enter, fillInAccount, logInAgain, openBuyer, openVisitor, scriptsRun } from '../support/visitor.ts'

const END_SESSIONS = statement('test_end_sessions', 'delete from user_sessions')
const COUNT_ORDERS = statement(
  'test_count_orders',
  'select count(*)::integer as count from orders o join users u on u.id = o.user_id where u.email = $1',
)

const { server, browser, owner } = await startStaffedServerAndBrowser()

const ordersOf = async (email: string) =>
  (await server.database.db.one<{ count: number }>(COUNT_ORDERS, [email])).count

/** With the mouse, up to `Continue`, which makes the order. */
async function openPurchase(page: Page): Promise<void> {
  await page.goto(`${server.url}/dashboard/buy-token`)
  await page.getByRole('button', { name: /^Tether\b/ }).click()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('checkbox').check()
}

describe('a purchase', () => {
  test('by keyboard alone', async () => {
    const { context, page } = await openBuyer(browser, server, 'keys@example.org')
    await page.goto(`${server.url}/dashboard/buy-token`)
    await page.getByRole('button', { name: /^Tether\b/ }).waitFor()
    await scriptsRun(page)
    await tabTo(page, /^Amount$/)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('60')
    await tabTo(page, /^Buy Now$/)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()

    // Escape closes it, and the focus is where it was.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Buy Now')
    // The coins are one stop of Tab; the arrow keys move among them.
    await tabTo(page, /^Bitcoin/)
    while (!(await focused(page)).startsWith('Tether')) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    expect(await page.getByRole('button', { name: /^Tether\b/ }).getAttribute('aria-pressed')).toBe('true')
    // Enter in the amount is as good as the button.
    await tabTo(page, /^Amount$/)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Continue' }).waitFor()
    await tabTo(page, /^Continue$/)
    await page.keyboard.press('Enter')
    await page.getByText('Please accept the terms and the risk notice.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox')
    await page.keyboard.press('Space')
    await tabTo(page, /^Continue$/)
    await page.keyboard.press('Enter')
    await page.getByText('Demo: do not send anything').waitFor()

    // The focus goes into the second step, which is a dialog of its own, and stays inside all the way round.
    await expect
      .poll(() => page.evaluate(() => Boolean(document.activeElement?.closest('[role=dialog]'))))
      .toBe(true)
    for (let stops = 0; stops < 14; stops++) {
      await page.keyboard.press('Tab')
      // The dialog's focus guard moves the focus a moment later.
      await expect
        .poll(
          () =>
            page.evaluate(
              () =>
                document.activeElement === document.body ||
                document.activeElement?.hasAttribute('data-base-ui-focus-guard') ||
                document.activeElement?.closest('[role=dialog]') !== null,
            ),
          { message: await focused(page) },
        )
        .toBe(true)
    }
    await tabTo(page, /^Confirm$/)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard/transaction?order=*')
    await page.getByText('Processing Transaction').waitFor()
    expect(await ordersOf('keys@example.org')).toBe(1)
    await context.close()
  })

  test('pressed twice is one order', async () => {
    const { context, page } = await openBuyer(browser, server, 'twice@example.org')
    await openPurchase(page)
    await page.getByRole('button', { name: 'Continue' }).dblclick()
    await page.getByText('Demo: do not send anything').waitFor()
    expect(await ordersOf('twice@example.org')).toBe(1)
    await context.close()
  })

  test('cut off in the middle goes on when the network is back, once', async () => {
    const { context, page } = await openBuyer(browser, server, 'offline@example.org')
    await openPurchase(page)
    await context.setOffline(true)
    await page.getByText('nothing is sent twice').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Create your Order. Please wait').waitFor()
    expect(await ordersOf('offline@example.org')).toBe(0)
    await context.setOffline(false)
    await page.getByText('Demo: do not send anything').waitFor()
    expect(await ordersOf('offline@example.org')).toBe(1)
    await context.close()
  })

  test('whose answer is lost is repeated and stays one order', async () => {
    const { context, page } = await openBuyer(browser, server, 'lost@example.org')
    await openPurchase(page)
    let sent = 0
    await page.route('**/api/v1/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent++
      if (sent > 1) return route.continue()
      await route.fetch()
      return route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Demo: do not send anything').waitFor()
    expect({ sent, orders: await ordersOf('lost@example.org') }).toEqual({ sent: 2, orders: 1 })
    await context.close()
  })

  test('is nobody else’s where another tab has signed somebody else in [RIGHT-13]', async () => {
    const { context, page } = await openBuyer(browser, server, 'shown@example.org')
    await registerBuyer(server, 'other@example.org')
    await page.goto(`${server.url}/dashboard/buy-token`)
    await page.getByRole('button', { name: 'Buy Now' }).click()
    const dialog = page.getByRole('dialog')
    const goOn = dialog.getByRole('button', { name: 'Continue' })
    await goOn.waitFor()
    const tab = await context.newPage()
    await tab.goto(`${server.url}/dashboard`)
    await tab.getByRole('button', { name: 'Log out' }).click()
    await tab.waitForURL('**/login**')
    await tab.getByLabel('Email address').fill('other@example.org')
    await tab.getByLabel('Enter password').fill(password)
    await tab.keyboard.press('Enter')
    await tab.waitForURL('**/dashboard/buy-token')
    await page.bringToFront()
    await dialog.getByRole('checkbox').check()
    await goOn.click()
    // The page says whose it is before anything can be confirmed.
    await page.getByText('other@example.org').first().waitFor()
    expect(await page.getByText('shown@example.org').count()).toBe(0)
    expect(await page.getByText('Demo: do not send anything').count()).toBe(0)
    expect([await ordersOf('shown@example.org'), await ordersOf('other@example.org')]).toEqual([0, 0])
    await context.close()
  })

  test('whose session ended comes back to the same page after logging in', async () => {
    const { context, page } = await openBuyer(browser, server, 'ended@example.org')
    await page.goto(`${server.url}/dashboard/status`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await server.database.db.query(END_SESSIONS)
    await page.reload()
    await page.waitForURL('**/login?next=%2Fdashboard%2Fstatus')
    await logInAgain(page, 'ended@example.org')
    await page.waitForURL('**/dashboard/status')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await context.close()
  })

  test('leads to the page that Back led to, and not to the amount that was typed before', async () => {
    const { context, page } = await openBuyer(browser, server, 'back@example.org')
    await page.goto(`${server.url}/dashboard/my-token?tab=own`)
    await scriptsRun(page)
    await page.getByRole('link', { name: /^Buy/ }).first().click()
    await page.getByLabel('Amount', { exact: true }).fill('78')
    await server.database.db.query(END_SESSIONS)
    await page.goBack()
    await page.waitForURL('**/login?next=*')
    const next = new URL(page.url()).searchParams.get('next')
    expect(next).toBe('/dashboard/my-token?tab=own')
    await context.close()
  })

  test('leads back to the amount and the coin that were typed and chosen', async () => {
    const { context, page } = await openBuyer(browser, server, 'typed@example.org')
    await page.goto(`${server.url}/dashboard/buy-token`)
    await page.getByRole('button', { name: /^Ether/ }).click()
    await page.getByLabel('Amount', { exact: true }).fill('77')
    await server.database.db.query(END_SESSIONS)
    // The next action that needs a session.
    await page.getByRole('button', { name: 'Русский' }).click()
    await logInAgain(page, 'typed@example.org')
    await page.waitForURL('**/dashboard/buy-token?*')
    expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('77')
    expect(await page.getByRole('button', { name: /^Ether/ }).getAttribute('aria-pressed')).toBe('true')
    await context.close()
  })
})

describe('a session that ends under what was typed', () => {
  test('leads back to it, and writes it into no address and no storage', async () => {
    const { context, page } = await openBuyer(browser, server, 'words@example.org')
    await page.goto(`${server.url}/dashboard/profile`)
    await scriptsRun(page)
    await page.getByLabel('Full Name').fill('Zoe Newname')
    await page.getByLabel('Nickname').fill('zoe-the-first')
    await server.database.db.query(END_SESSIONS)
    // Here and below: the live page may have noticed by itself, and be on its way to the login.
    await page.keyboard.press('Enter')
    await page.waitForURL('**/login?next=%2Fdashboard%2Fprofile')
    const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])
    expect(await page.evaluate(stored)).not.toContain('Zoe')
    await logInAgain(page, 'words@example.org')
    await expect.poll(() => page.getByLabel('Full Name').inputValue()).toBe('Zoe Newname')
    expect(await page.getByLabel('Nickname').inputValue()).toBe('zoe-the-first')
    // It is nothing that is saved: a page gone to from here forgets it.
    await page.getByRole('link', { name: 'Status' }).click()
    await page.waitForURL('**/dashboard/status')
    await page.goBack()
    await expect.poll(() => page.getByLabel('Full Name').inputValue()).toBe('A Buyer')
    await context.close()
  })

  test('leads back to a transaction id', async () => {
    const { context, page, api } = await openBuyer(browser, server, 'typed-id@example.org')
    const { token } = await makeOrder(api)
    await page.goto(`${server.url}/dashboard/transaction?order=${token}`)
    await scriptsRun(page)
    await page.getByLabel('Transaction id').fill('typed-and-not-saved')
    await server.database.db.query(END_SESSIONS)
    await page.keyboard.press('Enter')
    await logInAgain(page, 'typed-id@example.org')
    await expect.poll(() => page.getByLabel('Transaction id').inputValue()).toBe('typed-and-not-saved')
    await context.close()
  })

  test('leads nobody else to it', async () => {
    const { context, page } = await openBuyer(browser, server, 'mine@example.org')
    await registerBuyer(server, 'theirs@example.org', 'Bob Example')
    await page.goto(`${server.url}/dashboard/profile`)
    await scriptsRun(page)
    await page.getByLabel('Full Name').fill('Zoe Newname')
    await server.database.db.query(END_SESSIONS)
    await page.keyboard.press('Enter')
    await logInAgain(page, 'theirs@example.org')
    await expect.poll(() => page.getByLabel('Full Name').inputValue()).toBe('Bob Example')
    await context.close()
  })
})

describe('a form', () => {
  test('puts the focus on the first field that is wrong, and keeps what was typed', async () => {
    const { context, page } = await openVisitor(browser)
    await page.goto(`${server.url}/register`)
    await page.getByLabel('Full Name').fill('Ann Example')
    await page.getByLabel('Email Address').fill('not an address')
    await scriptsRun(page)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Enter an e-mail address.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
    const field = page.getByLabel('Email Address')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.getAttribute('aria-describedby')).toBeTruthy()
    expect(await page.getByLabel('Full Name').inputValue()).toBe('Ann Example')
    await context.close()
  })

  test('sent while the browser is offline says so, and keeps what was typed', async () => {
    const { context, page } = await openVisitor(browser)
    await fillInAccount(page, server, 'offline@example.org')
    await scriptsRun(page)
    await context.setOffline(true)
    const create = page.getByRole('button', { name: 'Create Account' })
    await create.click()
    await page.getByText('An error occurred during registration').waitFor()
    // It can be pressed again.
    await expect.poll(() => create.getAttribute('aria-busy')).toBeNull()
    expect(await page.getByLabel('Email Address').inputValue()).toBe('offline@example.org')
    await context.close()
  })

  test('pressed twice registers once', async () => {
    const { context, page } = await openVisitor(browser)
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/v1/account')) sent++
    })
    await fillInAccount(page, server, 'once@example.org')
    await scriptsRun(page)
    await page.getByRole('button', { name: 'Create Account' }).dblclick()
    await page.waitForURL('**/dashboard/buy-token')
    expect(sent).toBe(1)
    await context.close()
  })

  test('pressed twice before any script has come registers once', async () => {
    const { context, page } = await openVisitor(browser)
    await page.route('**/assets/*.js', (route) => route.abort())
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/register')) sent++
    })
    await fillInAccount(page, server, 'early@example.org')
    await page.getByRole('button', { name: 'Create Account' }).dblclick()
    await page.waitForURL('**/dashboard/buy-token')
    expect(sent).toBe(1)
    await context.close()
  })
})

test('without a network an installed page says so, and shows nothing from before', async () => {
  const { context, page } = await openVisitor(browser, { serviceWorkers: 'allow' })
  await page.goto(`${server.url}/login`)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await context.setOffline(true)
  await page.goto(`${server.url}/dashboard`)
  await page.getByRole('heading', { name: 'No network' }).waitFor()
  expect(await page.content()).not.toContain('iToken')
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByLabel('Email address').waitFor()
  await context.close()
})

test('the first stop of Tab skips to the page', async () => {
  const { context, page } = await openBuyer(browser, server, 'skip@example.org')
  await enter(server, context, '/operator/session', { login: 'owner', password })
  for (const path of ['/', '/dashboard', '/operator/dashboard']) {
    await page.goto(server.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    expect(await focused(page), path).toMatch(/^Skip to/)
    await expectFocusSeen(page)
  }
  await context.close()
})

describe('hostile text', () => {
  const run = '<img src=x onerror="window.hasRun=1"><script>window.hasRun=1</script>'
  const long = `${run} \u202Eesrever\u202C \u200F\u{1F468}\u200D\u{1F469}\u200D\u{1F467} ${'W'.repeat(9_700)}`
  const name = `${run}\u202E\u{1F95C}${'W'.repeat(120)}`.slice(0, 110)

  test('is shown as text, and nothing leaves the page’s width', async () => {
    const api = await registerBuyer(server, 'hostile@example.org', name)
    const { number, token } = await makeOrder(api)
    await owner('POST', `/operator/orders/${number}/approve`, { reason: long.slice(0, 500) })
    await owner('POST', `/operator/orders/${number}/reject`, { reason: long.slice(0, 500) })
    await owner('POST', '/operator/announcements', {
      title: { en: long.slice(0, 200), ru: long.slice(0, 200) },
      body: { en: long.slice(0, 10_000), ru: '' },
      image: null,
      pinned: true,
      publishedAt: new Date(Date.now() - 60_000).toISOString(),
    })
    const { context, page } = await openVisitor(browser, { viewport: { width: 320, height: 900 } })
    await enter(server, context, '/session', { email: 'hostile@example.org', password })
    await enter(server, context, '/operator/session', { login: 'owner', password })
    const { items } = await owner<{ items: { id: number; email: string }[] }>('GET', '/operator/users')
    const id = items.find(({ email }) => email === 'hostile@example.org')?.id
    const shown = [
      '/updates',
      '/ru/updates',
      '/dashboard',
      '/dashboard/profile',
      `/dashboard/transaction?order=${token}`,
      '/operator/dashboard/users',
      `/operator/dashboard/users/${id}`,
      '/operator/dashboard/transactions',
      `/operator/dashboard/transactions/${number}`,
      '/operator/dashboard/content',
      '/operator/dashboard/audit',
    ]
    const findings: string[] = []
    for (const path of shown) {
      await page.goto(server.url + path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForFunction(() => !document.querySelector('[aria-busy=true], [class*=skeleton]'))
      for (const width of [320, 1440]) {
        const found = await overflowAt(page, width)
        if (found) findings.push(`${path} at ${width}: ${found}`)
        const hasRun = await page.evaluate(
          () => Reflect.has(globalThis, 'hasRun') || document.querySelector('img[src=x]') !== null,
        )
        if (hasRun) findings.push(`${path} runs it`)
      }
    }
    expect(findings).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${server.url}/updates`)
    await page.getByText('onerror="window.hasRun=1"').first().waitFor()
    await context.close()
  })
})
