import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { themeIcons } from '../../src/client/public/theme-icons.ts'
import type { PublicCampaign } from '../../src/shared/api/campaign.ts'
import { startServerAndBrowser } from '../support/browser.ts'
import { makeOrder, operatorApi, registerBuyer } from '../support/every-state.ts'
import { overflowAt } from '../support/page-findings.ts'
import { shiftWithLateFaces } from '../support/scripts.ts'
import { statement } from '../support/statement.ts'
import { axeFindings, openPage, openVisitor, watchConsoleAndHosts, wide } from '../support/visitor.ts'

const { server, browser } = await startServerAndBrowser()
const visitor = await openVisitor(browser, { reducedMotion: 'no-preference' })
watchConsoleAndHosts(visitor, server)
const { page } = visitor

/** An order of `tokens` that an operator approves. */
async function sell(tokens: string): Promise<void> {
  const { number } = await makeOrder(await registerBuyer(server, 'buyer@example.org'), tokens)
  const owner = await operatorApi(server, 'owner')
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'paid' })
}

// With orders every public page is in every-route.visitor.test.ts; here are those that look otherwise without.
describe('before the first order', () => {
  test.each(['/', '/ru', '/transparency', '/ru/transparency'])(
    '%s has no finding of axe in either theme, and fits 320 pixels',
    async (address) => {
      const { context, page: tab } = await openVisitor(browser)
      await openPage(tab, server.url + address)
      expect(await axeFindings(tab)).toEqual([])
      expect(await overflowAt(tab, 320)).toBeNull()
      await context.close()
    },
  )
})

describe('the public pages', () => {
  test('price, progress and button are on the first screen of a phone, the whole hero on a wide one', async () => {
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const)
      for (const address of ['/', '/ru']) {
        await page.setViewportSize({ width, height })
        await page.goto(server.url + address)
        const button = await page.getByRole('link', { name: /Purchase Tokens|Купить токены/ }).boundingBox()
        const bar = await page.getByRole('progressbar').boundingBox()
        expect(bar?.y).toBeGreaterThan(0)
        expect((button?.y ?? height) + (button?.height ?? 0)).toBeLessThanOrEqual(height)
        const hero = await page.locator('#top').boundingBox()
        if (width > 1000) expect((hero?.y ?? 0) + (hero?.height ?? 0)).toBeLessThanOrEqual(height)
      }
  })

  test('a buy button stands in another site’s page of a strict policy, and says where nothing can be bought', async () => {
    const context = await browser.newContext()
    const tab = await context.newPage()
    const policy = `default-src 'none'; script-src ${server.url}; connect-src ${server.url}`
    const shop = createServer(({ url = '' }, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      response.end(
        `<!doctype html><body><script src="${server.url}/buy-button.js" data-amount="1200.5" data-currency="BTC" data-language="${url.slice(1) || 'en'}" async></script>`,
      )
    })
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    // Another origin than the sale's, which is on localhost.
    const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`
    const link = tab.getByRole('link')
    await tab.goto(address)
    await expect.poll(() => link.textContent()).toBe('Buy 1,200.5 ITOKEN (demo)')
    expect(await link.getAttribute('href')).toBe(
      `${server.url}/dashboard/buy-token?currency=BTC&amount=1200.5&unit=token`,
    )
    const [opened] = await Promise.all([context.waitForEvent('page'), link.click()])
    await opened.waitForURL(/\/login\?next=.*1200\.5/)
    let languages = ['en']
    await tab.route('**/api/v1/campaign', async (route) => {
      const response = await route.fetch()
      const campaign = (await response.json()) as PublicCampaign
      const settings = { ...campaign.settings, languages }
      await route.fulfill({
        response,
        json: { ...campaign, settings, pausedAt: '2026-01-01T00:00:00Z' },
      })
    })
    // It leads to no language that the sale does not come in.
    await tab.goto(`${address}es`)
    await expect.poll(() => link.textContent()).toMatch(/: La venta está en pausa \(demo\)$/)
    expect(await link.getAttribute('href')).toBe(`${server.url}/`)
    languages = ['en', 'es']
    await tab.reload()
    await expect.poll(() => link.getAttribute('href')).toBe(`${server.url}/es`)
    await tab.goto(address)
    await expect.poll(() => link.textContent()).toMatch(/: The sale is paused \(demo\)$/)
    expect(await link.getAttribute('href')).toBe(`${server.url}/`)
    expect(await tab.evaluate('document.cookie + localStorage.length')).toBe('0')
    await context.close()
    shop.close()
  })

  test('hardly moves when its fonts arrive late', async () => {
    const looks = ['/', '/ru'].flatMap((address) =>
      [{ width: 412, height: 823 }, wide].map(async (viewport) => {
        const shift = await shiftWithLateFaces(browser, server.url + address, viewport)
        return { look: `${address} at ${viewport.width}`, shift }
      }),
    )
    for (const { look, shift } of await Promise.all(looks)) expect(shift, look).toBeLessThanOrEqual(0.01)
  })

  test.each(['Onest', 'Sofia Sans Extra Condensed', 'Martian Mono'])(
    'draws the signs that stand there in %s, and none in their place',
    async (family) => {
      await page.goto(server.url)
      // A face that draws "$" for them would show a seller's own words otherwise than they were written.
      for (const text of [
        '*USD*',
        '*EUR*',
        '*GBP*',
        '*RUB*',
        '*UAH*',
        '*dolar*',
        '*rubla*',
        '*Moldova*',
        '*M*',
      ]) {
        const widths = await page.evaluate(
          async ([said, face]) => {
            await document.fonts.load(`400 32px "${face}"`, said)
            return ['normal', 'no-contextual'].map((ligatures) => {
              const span = document.createElement('span')
              span.textContent = said
              span.style.cssText = `position: absolute; font: 400 32px "${face}"; font-variant-ligatures: ${ligatures}`
              document.body.append(span)
              const { width } = span.getBoundingClientRect()
              span.remove()
              return width
            })
          },
          [text, family] as const,
        )
        expect(widths[0], text).toBe(widths[1])
      }
    },
  )

  test('is complete without any script', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const tab = await plain.newPage()
    await tab.goto(server.url)
    await tab.getByText('1 ITOKEN = $4.50').waitFor()
    await tab.getByText('Can I get my money back?').click()
    await tab.getByText('Not by asking').waitFor()
    await plain.close()
  })
})

describe('the landing page', () => {
  test('counts down each second', async () => {
    await page.goto(server.url)
    const clock = page.getByRole('timer')
    const first = await clock.innerText()
    await expect.poll(() => clock.innerText()).not.toBe(first)
    expect(await clock.innerText()).toMatch(/^\d+ days \d\d:\d\d:\d\d$/)
  })

  test('goes over to the end without a reload, as the server has it', async () => {
    await page.goto(server.url)
    await page.getByText('Open', { exact: true }).waitFor()
    const move = 'update stages set first_ends_at = ends_at, ends_at = $1'
    const { pool } = server.database.db
    const { rows } = await pool.query<{ ends_at: Date }>('select ends_at from stages')
    await pool.query(move, [new Date(Date.now() + 6_000)])
    // A reading of the figures may be shown for a second.
    await page.waitForTimeout(1_100)
    await page.goto(server.url)
    expect(await page.getByRole('timer').innerText()).toMatch(/^00:00:0\d$/)
    await expect.poll(() => page.locator('[data-live=stage]').innerText()).toContain('Over')
    expect(await page.getByRole('timer').innerText()).toBe('00:00:00')
    await pool.query('update stages set ends_at = $1, first_ends_at = null', [rows[0]?.ends_at])
  })

  test('wakes a figure when an order is approved, without a reload', async () => {
    await page.goto(server.url)
    await page.waitForLoadState('networkidle').catch(() => undefined)
    expect(await page.locator('use[href^="#ia"]').count()).toBe(0)
    await sell('40000')
    await expect.poll(() => page.locator('use[href^="#ia"]').count()).toBe(2)
    await page.getByText('$180,000.00').first().waitFor()
    // Of the third figure's 64,750 dollars 50,500 are paid.
    await page.getByText('2 awake, 1 waking, 97 asleep').waitFor()
  })

  test('adds the public rows up in the browser, and they agree', async () => {
    await page.goto(server.url)
    await page.getByRole('button', { name: 'Analyze' }).click()
    await expect.poll(() => page.locator('[data-result]').innerText()).toContain('They agree.')
    await page.getByText('Rows read and added up on this device: 1').waitFor()
    expect(await page.locator('[data-result] td[aria-label="agrees"]').count()).toBe(7)
  })

  test('coins that were typed before the script was there are what it reckons with', async () => {
    const scripts = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise
      await route.continue()
    })
    await page.goto(server.url, { waitUntil: 'domcontentloaded' })
    await page.getByLabel('Coin').selectOption('USDT')
    await page.getByLabel('You send').fill('360')
    scripts.resolve()
    await expect.poll(() => page.getByLabel('You receive').inputValue()).toBe('80')
    expect(await page.getByLabel('You send').inputValue()).toBe('360')
    await page.unroute('**/assets/*.js')
  })

  test('swaps at the current rate, with the server’s own amounts', async () => {
    await page.goto(server.url)
    const send = page.getByLabel('You send')
    const receive = page.getByLabel('You receive')
    await page.getByLabel('Coin').selectOption('USDT')
    await receive.fill('40')
    await expect.poll(() => send.inputValue()).toBe('180')
    await send.fill('360,0x')
    expect(await send.inputValue()).toBe('360.0')
    await expect.poll(() => receive.inputValue()).toBe('80')
    await receive.fill('1')
    await expect.poll(() => page.locator('#swap-note').innerText()).toMatch(/40/)
    await receive.fill('100,000')
    await page.locator('#swap-note').getByRole('button', { name: '100,000' }).click()
    expect(await receive.inputValue()).toBe('100000')
    await expect.poll(() => send.inputValue()).toBe('450000')
  })

  test('shows the level that an amount reaches', async () => {
    await page.goto(server.url)
    const slider = page.getByLabel('If you buy')
    await slider.scrollIntoViewIfNeeded()
    await page.getByText('160 more to Silver').waitFor()
    await slider.focus()
    await page.keyboard.press('End')
    await page.getByText('Legend: 20% bonus').waitFor()
    await page.getByText('The highest level.').waitFor()
  })

  test('takes old links to their section', async () => {
    await page.goto(`${server.url}/landing#cybertruck`)
    await expect.poll(() => page.url()).toBe(`${server.url}/#main-prize`)
    await expect.poll(async () => (await page.locator('#main-prize').boundingBox())?.y).toBeLessThan(300)
  })

  test('opens one question at a time', async () => {
    await page.goto(server.url)
    await page.getByText('Can I get my money back?').click()
    expect(await page.locator('#faq details[open]').count()).toBe(1)
    await page.getByText('Can I get my money back?').click()
    expect(await page.locator('#faq details[open]').count()).toBe(0)
  })

  test('hides its header on the way down and brings it back on the way up', async () => {
    await page.goto(server.url)
    const header = page.locator('header')
    await page.mouse.move(700, 450)
    await page.mouse.wheel(0, 900)
    await expect.poll(() => header.getAttribute('data-away')).not.toBeNull()
    await page.mouse.wheel(0, -200)
    await expect.poll(() => header.getAttribute('data-away')).toBeNull()
  })

  test('keeps the theme that was chosen', async () => {
    await page.goto(server.url)
    const button = page.getByRole('button', { name: /^Theme/ })
    // The first click already shows something: the system is light.
    await button.click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    const shown = await button.locator('path').getAttribute('d')
    expect(shown).toBe(themeIcons.dark)
    await page.goto(`${server.url}/ru/terms`)
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  })
})

test('/transparency says first what was raised, is owed and is listed; each part behind it is a tab that an address opens', async () => {
  const { context, page: tab } = await openVisitor(browser, { viewport: { width: 390, height: 844 } })
  await openPage(tab, `${server.url}/transparency`)
  for (const name of ['raised.usd', 'undelivered/owed', 'allocatedTokens'])
    expect((await tab.locator(`dl [data-figure="${name}"]`).first().boundingBox())?.y, name).toBeLessThan(844)
  await tab.getByRole('heading', { name: 'What no proof shows' }).waitFor()
  const shown = async () => {
    const parts = await tab.locator('.panels > section:visible').all()
    return Promise.all(parts.map((part) => part.getAttribute('id')))
  }
  expect(await shown()).toEqual(['questions'])
  for (const [name, id] of [
    ['Queries', 'queries'],
    ['Rows', 'rows'],
    ['Log', 'log'],
    ['History', 'history'],
  ] as const) {
    await tab.getByRole('navigation', { name: 'Details' }).getByRole('link', { name }).click()
    expect(await shown()).toEqual([id])
    expect(await axeFindings(tab)).toEqual([])
    expect(await overflowAt(tab, 320)).toBeNull()
  }
  // A figure links to its source, within the visible part.
  await openPage(tab, `${server.url}/transparency#reserves.undelivered.owed`)
  expect(await shown()).toEqual(['queries'])
  await context.close()
})

const RAISE = statement(
  'test_raise_by_hand',
  'update sale_totals set raised_by_operator_usd = raised_by_operator_usd + $1',
)

// Before the tests below, which write changes by hand that nobody made.
test('the verifier runs in the browser, remembers its last look, and names a figure that a hand changed [LOG-10]', async () => {
  const { context, page: tab } = await openVisitor(browser)
  const verify = async (verdict: string) => {
    await tab.getByRole('button', { name: 'Verify now' }).click()
    await tab.getByText(verdict).waitFor()
  }
  await openPage(tab, `${server.url}/transparency`)
  await tab.getByRole('link', { name: 'Verify in this browser' }).click()
  await verify('All figures agree')
  await tab.getByText('This was the first look').waitFor()
  await verify('No change since the look of')
  expect(await tab.getByRole('row', { name: /^raised\.usd/ }).textContent()).toContain('✓')
  expect(await axeFindings(tab)).toEqual([])
  expect(await overflowAt(tab, 320)).toBeNull()

  await server.database.db.query(RAISE, ['0.01'])
  server.context.campaign.invalidate()
  await verify('This does not agree')
  const raised = tab.getByRole('row', { name: /^raised\.byOperatorUsd/ })
  expect(await raised.textContent()).toContain('✗ different, by 0.01, ')
  expect(await axeFindings(tab)).toEqual([])

  // On a phone the result fits the screen, with amounts in the page's format.
  await tab.setViewportSize({ width: 390, height: 844 })
  for (const cell of await raised.getByRole('cell').all()) {
    const box = await cell.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(390)
  }
  // Differences come first, and the groups of matches can be opened.
  expect(await tab.locator('[data-result]').innerText()).toMatch(
    /Differences[^]*raised\.byOperatorUsd[^]*figures agree/,
  )
  await tab.getByText(/^Stages: \d+ figures agree$/).click()
  const goal = tab.getByRole('row', { name: /^stages\.1\.goalUsd/ }).getByRole('cell')
  expect(await goal.allTextContents()).toEqual(['✓ the same', 'Shown6,475,000', 'By the journal6,475,000'])
  await openPage(tab, `${server.url}/ru/verify`)
  await tab.getByRole('button', { name: 'Проверить' }).click()
  await tab.getByText('Не сходится', { exact: true }).waitFor()
  await tab.getByText(/^Этапы: сходится чисел/).click()
  expect(await goal.first().textContent()).toBe('✓ совпадает')
  expect(await goal.last().textContent()).toBe('По журналу6\u00a0475\u00a0000')
  expect(await axeFindings(tab)).toEqual([])
  await server.database.db.query(RAISE, ['-0.01'])
  server.context.campaign.invalidate()
  await context.close()
})

test('announcements: a visitor who reacts is asked to log in, and the link is to the same place', async () => {
  await page.goto(`${server.url}/updates`)
  await page.getByRole('button', { name: 'Heart: 0' }).click()
  const link = page.getByRole('link', { name: 'Log in to react.' })
  expect(await link.getAttribute('href')).toBe('/login?next=%2Fupdates')
})

describe('the joke terminal', () => {
  test('says twenty silly lines, then that nothing was read, and starts over at any key', async () => {
    await page.goto(`${server.url}/admin`)
    await page.getByRole('button', { name: 'Admin panel' }).click()
    await page.getByText('This was a joke. It read nothing').first().waitFor()
    expect(await page.locator('[data-log] p').count()).toBe(21)
    await page.getByText('SOUP!').waitFor()
    for (const key of ['Tab', 'ArrowDown', 'Shift']) await page.keyboard.press(key)
    expect(await page.locator('[data-log] p').count()).toBe(21)
    await page.keyboard.press('x')
    await expect.poll(() => page.locator('[data-log] p').count()).toBe(0)
  })

  test('stays silent where motion is not wanted', async () => {
    const calm = await browser.newContext({ reducedMotion: 'reduce' })
    const tab = await calm.newPage()
    await tab.addInitScript(() => {
      function AudioContext() {
        Reflect.set(globalThis, 'hasSounded', true)
      }
      Reflect.set(globalThis, 'AudioContext', AudioContext)
    })
    await tab.goto(`${server.url}/ru/admin`)
    await tab.getByRole('button', { name: 'Панель администратора' }).click()
    await tab.getByText('СУП!').waitFor()
    expect(await tab.evaluate(() => Reflect.has(globalThis, 'hasSounded'))).toBe(false)
    await calm.close()
  })
})

test('a changed setting is named in words, and of a list only what differs is shown', async () => {
  const level = (bonusPercent: string) => [
    { key: 'bronze', name: 'Bronze', threshold: '40', bonusPercent: '5' },
    { key: 'silver', name: 'Silver', threshold: '200', bonusPercent },
  ]
  const { rows } = await server.database.db.pool.query<{ id: number }>('select id from stages')
  const changes = [
    ['hardCapUsd', '2000000000', '1900000000'],
    ['levels', level('7'), level('8')],
    [
      'referral',
      null,
      { percent: '5', mostTokens: '50000', mostTokensEach: '1000', countriesExcluded: ['GB'] },
    ],
    [`stages.${rows[0]?.id}.endsAt`, '2030-01-01T20:00:00.000Z', '2030-02-01T20:00:00.000Z'],
    [`stages.${rows[0]?.id}.name`, 'Stage 1', { en: 'Stage 1', ru: 'Этап 1' }],
  ]
  for (const [setting, before, after] of changes)
    await server.database.db.pool.query(
      'insert into campaign_changes (setting, before, after) values ($1, $2, $3)',
      [setting, JSON.stringify(before), JSON.stringify(after)],
    )
  const shown = async (address: string) => {
    await page.goto(server.url + address)
    const cells = await page
      .getByRole('region', { name: /Changes of|Изменения/ })
      .getByRole('row')
      .all()
    const texts = await Promise.all(cells.slice(1).map((row) => row.getByRole('cell').allInnerTexts()))
    return texts.map((row) => row.slice(1).map((text) => text.replace(/\s/g, ' ')))
  }
  expect(await shown('/transparency#changes')).toEqual([
    ['Stage 1: Name', 'Stage 1', 'Stage 1 / Этап 1'],
    ['Stage 1: End', 'Jan 1, 2030, 8:00 PM UTC', 'Feb 1, 2030, 8:00 PM UTC'],
    [
      'Rewards for bringing buyers',
      '—',
      "Per cent of the friend's base tokens: 5%; Most tokens for one person: 1,000; Most tokens for all together: 50,000; Countries without rewards: United Kingdom",
    ],
    ['Levels', 'Silver, 7%', 'Silver, 8%'],
    ['Hard cap', '$2,000,000,000', '$1,900,000,000'],
  ])
  const russian = await shown('/ru/transparency#changes')
  expect(russian[0]).toEqual(['Этап 1: Название', 'Stage 1', 'Этап 1'])
  expect(russian[3]).toEqual(['Уровни', 'Silver, 7 %', 'Silver, 8 %'])
})

test('a visit is counted only after a yes, with its path and nothing else [TEXT-21]', async () => {
  const { pool } = server.database.db
  await pool.query(
    "insert into analytics_keys (api_key, location, provider) values ('example.org', '/risks', 'plausible')",
  )
  const own = await browser.newContext()
  const tab = await own.newPage()
  const told: { url: string; body: string | null }[] = []
  await tab.route(/^https:/, async (route) => {
    told.push({ url: route.request().url(), body: route.request().postData() })
    await route.fulfill({ status: 202 })
  })
  // A page may be a second old when it is sent: one from before the key asks nothing.
  await expect
    .poll(async () => {
      await tab.goto(`${server.url}/risks?secret=1`)
      return tab.locator('[data-island=consent]').count()
    })
    .toBe(1)
  for (const [address, refusal] of [
    ['/ru/risks', 'Нет, спасибо'],
    ['/risks?secret=1', 'No, thanks'],
  ] as const) {
    await tab.goto(server.url + address)
    await tab.getByRole('button', { name: refusal }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
  }
  expect(told).toEqual([])
  await tab.getByRole('button', { name: 'Yes, count it' }).click()
  await expect.poll(() => told.length).toBe(1)
  expect(told[0]?.url).toBe('https://plausible.io/api/event')
  expect(told[0]?.body).toContain(`${server.url}/risks"`)
  expect(told[0]?.body).not.toContain('secret')
  await tab.goto(`${server.url}/terms`)
  expect(await tab.locator('[data-island=consent]').count()).toBe(0)
  await own.close()
})

test('nothing was asked of another host, and nothing complained', () => {
  // Refusals (404, 422, 401) are what some of these tests ask for.
  const isRefusal = (fault: string) => fault.includes('the server responded with a status of 4')
  expect(visitor.faults.filter((fault) => !isRefusal(fault))).toEqual([])
})
