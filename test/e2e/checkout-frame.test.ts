import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperatorCampaign } from '../../src/shared/api/campaign.ts'
import { type ApiCaller, password } from '../support/api.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { beginOrder, registerBuyer } from '../support/every-state.ts'
import { area, openOperator } from '../support/operator-pages.ts'
import { overflowAt, widthFindings } from '../support/page-findings.ts'
import { until } from '../support/until.ts'
import { axeFindings, openBuyer, openVisitor } from '../support/visitor.ts'

const { server, browser, owner } = await startStaffedServerAndBrowser()

/** Pages of another site: of another host's name and another port than the sale. */
const pages = new Map<string, string>()
const listening: Server[] = []
async function openSite(): Promise<string> {
  const site = createServer((request, response) => {
    const html = pages.get(request.url?.split('?')[0] ?? '')
    response.writeHead(html ? 200 : 204, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  listening.push(site)
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}
afterAll(() => listening.map((site) => site.close()))
const [shop, stranger] = [await openSite(), await openSite()]

/** Messages that the page receives, and messages posted to it by any window. */
const hearing = `<script>
  window.heard = []
  window.posted = []
  addEventListener('presale-order', ({ detail }) => heard.push(detail))
  addEventListener('message', ({ origin, data }) => posted.push({ origin, data }))
</script>`
const shopPage = (attributes: string) => `<!doctype html><html lang="en"><head><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${hearing}</head>
<body style="margin:8px"><main><h1>Shop</h1><script src="${server.url}/checkout.js" ${attributes}></script></main></body></html>`
pages.set('/inline', shopPage('data-inline data-currency="USDT" data-amount="50"'))
pages.set('/inline-ru', shopPage('data-inline data-language="ru" data-theme="dark"'))
pages.set('/dialog', shopPage(''))
pages.set('/spanish', shopPage('data-language="es"'))

interface Heard {
  number: number
  status: string
  detail: string
}
const heard = (page: Page) => page.evaluate(() => Reflect.get(window, 'heard') as Heard[])
const posted = (page: Page) =>
  page.evaluate(() => Reflect.get(window, 'posted') as { origin: string; data: Record<string, unknown> }[])

async function visit(address: string, options: BrowserContextOptions = {}) {
  const visitor = await openVisitor(browser, options)
  visitor.context.on('console', (message) => {
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    if (message.type() === 'error' || message.type() === 'warning')
      visitor.faults.push(`${message.type()}: ${message.text()}`)
  })
  await visitor.page.goto(address)
  return visitor
}
const checkout = (page: Page) => page.frameLocator('iframe')
async function allow(frameOrigins: string[]) {
  const { revision, settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
  await owner('PUT', '/operator/campaign', { revision, settings: { ...settings, frameOrigins } })
}

test('an owner names a site, one a line, and only an origin is taken', async () => {
  const { page, faults, context } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, '/campaign?tab=running'))
  const field = page.getByLabel('Sites that may frame the checkout')
  const save = page.getByRole('button', { name: 'Save the settings' })
  await field.fill(`${shop}/path\n`)
  await save.click()
  await page.getByText('Enter an origin like https://shop.example, without a path.').waitFor()
  expect(await axeFindings(page, '#frameOrigins')).toEqual([])
  await field.fill(`${shop}\n\n https://club.example \n`)
  await save.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The campaign was saved.').waitFor()
  expect(await field.inputValue()).toBe(`${shop}\nhttps://club.example`)
  expect(await widthFindings(page)).toEqual([])
  const { settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
  expect(settings.frameOrigins).toEqual([shop, 'https://club.example'])
  await page.goto(area(server, '/audit'))
  await page.getByText('Sites that may frame the checkout').first().waitFor()
  expect(faults).toEqual([])
  await context.close()
})

const frameHash = async (page: Page, frame = checkout(page)) => {
  const link = frame.getByRole('link', { name: /^Go on at/ })
  await frame.getByText(/1 USDT = /).waitFor()
  await frame.locator('a[href*="frame="]').waitFor()
  const [sale] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  const hash = new URL((await link.getAttribute('href')) ?? '', server.url).searchParams.get('frame')
  await sale.close()
  await page.bringToFront()
  return hash
}
async function orderTold(buyer: ApiCaller, keyHash: string | null): Promise<number> {
  const { number, token } = await beginOrder(buyer)
  await buyer('PUT', `/orders/${token}/frame`, { keyHash })
  return number
}

// The shop asks and waits for seconds, so they wait at once.
// Tests that run at once can't poll by the shared `expect`.
describe.concurrent('as the shop asks every few seconds', () => {
  beforeAll(() => allow([shop]))

  test('a stranger to the site buys from the frame, from the amount to the approved order, and the shop hears of it', async () => {
    const { context, page, faults } = await visit(`${shop}/inline`)
    const frame = checkout(page)
    await frame.getByText('You get 52.5 ITOKEN: 50 + 2.5 bonus').waitFor()
    expect(await frame.getByLabel('You receive').inputValue()).toBe('50')
    expect(await frame.getByLabel('You send').inputValue()).toBe('225')
    // As high as its content, without scrolling.
    const content = frame.locator('[data-island=checkout]')
    await until(
      async () =>
        (await page.locator('iframe').evaluate((box) => box.clientHeight)) ===
        (await content.evaluate((box) => (box as HTMLElement).offsetHeight)),
    )

    const opening = context.waitForEvent('page')
    await frame.getByRole('link', { name: /^Go on at localhost/ }).click()
    const sale = await opening
    await sale.getByRole('link', { name: 'Sign up' }).click()
    await sale.getByLabel('Full Name').fill('Ann Example')
    await sale.getByLabel('Email Address').fill('from-the-frame@example.org')
    await sale.getByLabel('Phone Number').fill('+37255550000')
    await sale.getByLabel('Password', { exact: true }).fill(password)
    await sale.getByLabel('Confirm Password').fill(password)
    await sale.getByRole('button', { name: 'Create Account' }).click()
    await sale.waitForURL('**/dashboard/buy-token**')
    expect(await sale.evaluate(() => window.opener)).toBeNull()
    await sale.getByRole('button', { name: 'Buy Now', exact: true }).click()
    const tells = sale.getByRole('checkbox', { name: /^Tell the site that led me here/ })
    await tells.waitFor()
    expect(await tells.isChecked()).toBe(false)
    expect(await axeFindings(sale, '[role=dialog]')).toEqual([])
    await tells.click()
    await sale.getByRole('checkbox', { name: /I accept the terms/ }).click()
    expect(await heard(page)).toEqual([])
    await sale.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await sale.getByRole('button', { name: 'Confirm', exact: true }).click()
    await sale.waitForURL('**/dashboard/transaction**')

    await page.bringToFront()
    await until(async () => (await heard(page)).length === 1)
    const [order] = await heard(page)
    expect(order).toEqual({
      number: expect.any(Number),
      status: 'pending',
      detail: 'awaiting_payment',
      tokens: expect.stringMatching(/^52\.5/),
      currency: 'USDT',
      amount: expect.stringMatching(/^225/),
    })
    await frame
      .getByText(`Order ${order?.number}: 52.5 ITOKEN for 225 USDT. Its payment is not confirmed yet.`)
      .waitFor()
    // A tab that was thrown away and comes back goes on.
    await page.reload()
    await frame.getByText('Its payment is not confirmed yet.').waitFor()
    await owner('POST', `/operator/orders/${order?.number}/approve`, { reason: 'seen in the wallet' })
    await frame.getByText('Approved.').waitFor()
    expect((await heard(page)).map(({ number, status }) => [number, status])).toEqual([
      [order?.number, 'pending'],
      [order?.number, 'approved'],
    ])
    // There are no other messages, and from no other origin.
    for (const { origin, data } of await posted(page)) {
      expect(origin).toBe(server.url)
      expect(JSON.stringify(data)).not.toMatch(/example\.org|Ann|0x|session|token=/)
    }
    expect(await context.cookies(shop)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  test('who does not agree tells the shop nothing [TEXT-18]', async () => {
    const { context, page } = await visit(`${shop}/inline`)
    const opening = context.waitForEvent('page')
    await checkout(page).getByText('You get 52.5 ITOKEN: 50 + 2.5 bonus').waitFor()
    await checkout(page)
      .getByRole('link', { name: /^Go on at/ })
      .click()
    const sale = await opening
    await sale.goto(sale.url().replace('/login?', '/register?'))
    await sale.getByLabel('Full Name').fill('Ann Example')
    await sale.getByLabel('Email Address').fill('silent-in-the-frame@example.org')
    await sale.getByLabel('Phone Number').fill('+37255550000')
    await sale.getByLabel('Password', { exact: true }).fill(password)
    await sale.getByLabel('Confirm Password').fill(password)
    await sale.getByRole('button', { name: 'Create Account' }).click()
    await sale.getByRole('button', { name: 'Buy Now', exact: true }).click()
    await sale.getByRole('checkbox', { name: /I accept the terms/ }).click()
    await sale.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await sale.getByRole('button', { name: 'Confirm', exact: true }).click()
    await sale.waitForURL('**/dashboard/transaction**')
    await page.bringToFront()
    const asked = () => page.waitForResponse((answer) => answer.url().endsWith('/framed-orders'))
    for (const _ of [1, 2]) expect(await (await asked()).json()).toEqual({ orders: [] })
    expect(await heard(page)).toEqual([])
    await context.close()
  })

  test('a site that is not on the list is refused by the browser, and is left with a link [TEXT-17]', async () => {
    const { context, page, faults } = await visit(`${stranger}/inline`)
    const link = page.getByRole('link', { name: /^Open localhost/ })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(
      `${server.url}/dashboard/buy-token?currency=USDT&unit=token&amount=50`,
    )
    expect(faults.join()).toMatch(/frame-ancestors/)
    expect(await posted(page)).toEqual([])
    // Nor inside of a page that is on the list, nor around one.
    pages.set('/nested', `<!doctype html><title>Nested</title><iframe src="${stranger}/inline"></iframe>`)
    pages.set('/around', `<!doctype html><title>Around</title><iframe src="${shop}/inline"></iframe>`)
    for (const address of [`${shop}/nested`, `${stranger}/around`]) {
      await page.goto(address)
      await until(() => page.frames().length === 3)
      await until(() => page.frames().at(-1)?.url().startsWith('chrome-error:') ?? false)
    }
    await context.close()
  })

  test('the shop hears of a second order after the first one was decided', async () => {
    const buyer = await registerBuyer(server, 'twice-in-the-frame@example.org')
    const { context, page } = await visit(`${shop}/inline`)
    const first = await orderTold(buyer, await frameHash(page))
    await owner('POST', `/operator/orders/${first}/approve`, { reason: 'seen in the wallet' })
    await checkout(page).getByText('Approved.').waitFor()
    const hash = await frameHash(page)
    // Asked once while the second order is not there yet.
    await page.waitForResponse((answer) => answer.url().endsWith('/framed-orders'))
    const second = await orderTold(buyer, hash)
    await checkout(page).getByText(`Order ${second}:`).waitFor()
    expect((await heard(page)).at(-1)).toMatchObject({ number: second, status: 'pending' })
    await context.close()
  })
})

test('the dialog opens by keyboard, takes the focus, closes by Escape and can be opened again', async () => {
  await allow([shop])
  const { context, page, faults } = await visit(`${shop}/dialog`)
  expect(await page.locator('iframe').count()).toBe(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await checkout(page).getByRole('heading', { name: 'Buy ITOKEN' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('presale-checkout-button')
  await page.keyboard.press('Enter')
  await checkout(page).getByRole('heading', { name: 'Buy ITOKEN' }).waitFor()
  expect(await page.locator('iframe').count()).toBe(1)
  expect(faults).toEqual([])
  // Last: to look into frames the tool posts messages, of which the browser warns.
  expect(await axeFindings(page)).toEqual([])
  await context.close()
})

test('what the page around writes is understood as a module too, and what is not is said in its console', async () => {
  await allow([shop])
  pages.set(
    '/module',
    shopPage('type="module" data-inline data-currency=" usdt" data-amount="1 050" data-language="RU"'),
  )
  pages.set('/wrong', shopPage('data-inline data-currency="NOPE" data-amount="1,000"'))
  const { context, page, faults } = await visit(`${shop}/module`)
  const form = checkout(page)
  await form.getByRole('heading', { name: /^Купить/ }).waitFor()
  expect(await form.locator('[name=receive]').inputValue()).toBe('1050')
  expect(await form.locator('[name=currency]').inputValue()).toBe('USDT')
  expect(faults).toEqual([])
  await page.goto(`${shop}/wrong`)
  await form.getByRole('heading', { name: /^Buy/ }).waitFor()
  await expect.poll(() => faults.join()).toMatch(/"1,000" is no number.*does not take NOPE/)
  await context.close()
})

test('no other page of the site is framed, even by a site on the list [TEXT-17]', async () => {
  await allow([shop])
  const others = [
    '/',
    '/login',
    '/register',
    '/operator',
    '/admin?operator=1',
    '/operator/dashboard',
    '/dashboard/buy-token',
    '/terms',
  ]
  pages.set(
    '/others',
    `<!doctype html><title>Others</title>${others.map((path) => `<iframe src="${server.url}${path}"></iframe>`).join('')}`,
  )
  const { context, page } = await visit(`${shop}/others`)
  await expect
    .poll(() =>
      page
        .frames()
        .slice(1)
        .map((frame) => frame.url()),
    )
    .toEqual(others.map(() => 'chrome-error://chromewebdata/'))
  await context.close()
})

test('messages that others forge are heard neither by the shop nor by the frame [TEXT-18]', async () => {
  await allow([shop])
  const forged = { presale: 'order', order: { number: 1, status: 'approved' } }
  pages.set(
    '/forger',
    `<!doctype html><title>Forger</title>${hearing}<button>Open</button><script>
    document.querySelector('button').onclick = () => { window.other = open('${shop}/inline') }
  </script>`,
  )
  const { context, page } = await visit(`${stranger}/forger`)
  const opening = context.waitForEvent('page')
  await page.getByRole('button').click()
  const victim = await opening
  await checkout(victim).getByText('You get 52.5 ITOKEN: 50 + 2.5 bonus').waitFor()
  await page.evaluate((message) => {
    const other = Reflect.get(window, 'other') as Window
    other.postMessage(message, '*')
    for (const presale of ['hello', 'order']) other.frames[0]?.postMessage({ ...message, presale }, '*')
  }, forged)
  // From the shop's own window, and from the frame's window before the site is in it.
  await victim.evaluate((message) => window.postMessage(message, '*'), forged)
  await victim.waitForTimeout(500)
  expect((await posted(victim)).filter(({ data }) => data['presale'] === 'order')).toHaveLength(2)
  expect(await heard(victim)).toEqual([])
  expect(await posted(page)).toEqual([])
  // The frame goes on telling the shop, and whoever else said hello nothing.
  const heights = async () => (await posted(victim)).filter(({ data }) => data['presale'] === 'height').length
  const before = await heights()
  await victim.setViewportSize({ width: 400, height: 800 })
  await expect.poll(heights).toBeGreaterThan(before)
  expect(await posted(page)).toEqual([])
  await context.close()
})

test('nobody is signed in in the frame, not even where the browser sends it the cookies of the sale', async () => {
  // Another port of the same host is another origin of the same site.
  const sibling = shop.replace('127.0.0.1', 'localhost')
  await allow([sibling])
  const { context, page, faults } = await openBuyer(browser, server, 'sibling-of-the-sale@example.org')
  const asked: (string | undefined)[] = []
  page.on('request', async (request) => {
    if (request.url().includes('/api/v1/')) asked.push((await request.allHeaders())['cookie'])
  })
  const document = page.waitForRequest((request) => request.url().includes('/checkout?'))
  await page.goto(`${sibling}/inline`)
  expect((await (await document).allHeaders())['cookie']).toContain('session=')
  await checkout(page).getByText('You get 52.5 ITOKEN: 50 + 2.5 bonus').waitFor()
  await expect.poll(() => asked).toEqual([undefined])
  expect(faults).toEqual([])
  await context.close()
})

test('the button and the checkout speak the language that the page asks for', async () => {
  const { revision, settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
  const change = { ...settings, frameOrigins: [shop], languages: ['en', 'ru', 'es'] }
  await owner('PUT', '/operator/campaign', { revision, settings: change })
  const { context, page, faults } = await visit(`${shop}/spanish`)
  await page.getByRole('button', { name: 'Comprar' }).click()
  await checkout(page).getByRole('heading', { name: 'Comprar ITOKEN' }).waitFor()
  expect(await page.locator('dialog').getAttribute('aria-label')).toBe('Compra')
  expect(faults).toEqual([])
  await context.close()
})

test('it fits a phone and a narrow one, in both languages and themes', async () => {
  await allow([shop])
  for (const [path, heading] of [
    ['/inline', 'Buy ITOKEN'],
    ['/inline-ru', 'Купить ITOKEN'],
  ] as const) {
    const { context, page, faults } = await visit(shop + path, { viewport: { width: 390, height: 844 } })
    await checkout(page).getByRole('heading', { name: heading }).waitFor()
    await page.goto(`${server.url}${path === '/inline' ? '/checkout' : '/ru/checkout?theme=dark'}`)
    await page.getByRole('heading', { name: heading }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    for (const width of [320, 390]) expect(await overflowAt(page, width)).toBeNull()
    expect(faults).toEqual([])
    await context.close()
  }
})

test('the example page of the guide embeds it under a policy of its own that allows the sale alone', async () => {
  await allow([shop])
  const example = readFileSync(
    fileURLToPath(new URL('../../docs/examples/checkout.html', import.meta.url)),
    'utf8',
  )
  expect(example).toContain('https://sale.example/')
  pages.set('/example', example.replaceAll('https://sale.example', server.url))
  const { context, page, faults } = await visit(`${shop}/example`)
  await page.getByRole('button', { name: 'Buy' }).click()
  await checkout(page).getByRole('heading', { name: 'Buy ITOKEN' }).waitFor()
  expect(faults).toEqual([])
  await context.close()
})

test('two checkouts of one page follow their own orders, also after a reload', async () => {
  await allow([shop])
  const buyer = await registerBuyer(server, 'two-frames@example.org')
  const script = `<script src="${server.url}/checkout.js" data-inline data-currency="USDT"></script>`
  pages.set('/two', `<!doctype html><title>Two</title>${hearing}<div>${script}</div><div>${script}</div>`)
  const { context, page } = await visit(`${shop}/two`)
  const frames = () => [page.frameLocator('iframe >> nth=0'), page.frameLocator('iframe >> nth=1')]
  const numbers: number[] = []
  for (const frame of frames()) numbers.push(await orderTold(buyer, await frameHash(page, frame)))
  await page.reload()
  for (const [at, frame] of frames().entries()) {
    await frame.getByText(`Order ${numbers[at]}:`).waitFor()
    expect(await frame.getByRole('listitem').count()).toBe(1)
  }
  expect((await heard(page)).map(({ number }) => number).toSorted()).toEqual([...numbers].toSorted())
  await context.close()
})

test('a snippet that was pasted into the head is seen in the page', async () => {
  await allow([shop])
  for (const attributes of ['', 'async', 'data-inline']) {
    const script = `<script src="${server.url}/checkout.js" ${attributes}></script>`
    pages.set(
      '/head',
      `<!doctype html><html><head>${script}<title>Shop</title></head><body>Shop</body></html>`,
    )
    const { context, page } = await visit(`${shop}/head`)
    if (attributes !== 'data-inline') await page.getByRole('button', { name: 'Buy' }).click()
    await checkout(page).getByRole('heading', { name: 'Buy ITOKEN' }).waitFor()
    await context.close()
  }
})

test('an address of the shop that was copied from the browser is taken as its origin', async () => {
  const { page, context } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, '/campaign?tab=running'))
  const field = page.getByLabel('Sites that may frame the checkout')
  await field.fill('https://Shop.Example:443/\nhttps://пример.example\nhttps://shop.example\n')
  await field.blur()
  expect(await field.inputValue()).toBe('https://shop.example\nhttps://xn--e1afmkfd.example')
  await field.fill('https://shop.example\nhttp://club.example\n')
  await page.getByRole('button', { name: 'Save the settings' }).click()
  await page.getByText('http://club.example:').waitFor()
  await context.close()
})

test('an amount that was typed without a network gets its answer once there is one', async () => {
  await allow([shop])
  const { context, page } = await visit(`${shop}/inline`)
  const frame = checkout(page)
  await frame.getByText('You get 52.5 ITOKEN: 50 + 2.5 bonus').waitFor()
  await context.setOffline(true)
  await frame.getByLabel('You receive').fill('60')
  await expect.poll(() => frame.getByLabel('You send').inputValue()).toBe('')
  await context.setOffline(false)
  await frame.getByText('You get 63 ITOKEN: 60 + 3 bonus').waitFor()
  await context.close()
})
