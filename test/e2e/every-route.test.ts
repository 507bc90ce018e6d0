import type { Page } from '@playwright/test'
import { describe, expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { startServerAndBrowser } from '../support/browser.ts'
import { seedEveryState } from '../support/every-state.ts'
import { operatorPages } from '../support/operator-pages.ts'
import {
  axeFindings,
  callFromPage,
  enter,
  openPage,
  openVisitor,
  type Visitor,
  watchConsoleAndHosts,
  wide,
} from '../support/visitor.ts'

const narrow = [390, 320]

const publicPages = ['/', '/updates', '/transparency', '/privacy', '/terms', '/risks', '/admin']
const accountPages = ['/login', '/register', '/forgot-password', '/reset-password', '/confirm-email']
const orderStates = [
  'pending',
  'seen',
  'confirming',
  'underpaid',
  'overpaid',
  'late',
  'under_review',
  'approved',
  'rejected',
  'reversed',
  'cancelled',
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
const closedToSupport = ['/pixels', '/content', '/integrations', '/operators', '/audit']

const { server, browser } = await startServerAndBrowser()
const seeded = await seedEveryState(server)
const visitor = await openWatched()
const buyer = await openWatched('/session', { email: 'buyer@example.org', password })
const owner = await openWatched('/operator/session', { login: 'owner', password })
const support = await openWatched('/operator/session', { login: 'support', password })

/** A browser of its own, signed in over the API, that notes whatever a page complains of. */
async function openWatched(session?: string, body?: object): Promise<Visitor> {
  const opened = await openVisitor(browser)
  if (session && body) await enter(server, opened.context, session, body)
  watchConsoleAndHosts(opened, server)
  return opened
}

/** Whether it becomes true before long. */
const waitsFor = (page: Page, isTrue: () => boolean): Promise<boolean> =>
  page.waitForFunction(isTrue, undefined, { timeout: 5_000 }).then(
    () => true,
    () => false,
  )

/** What stands over the right edge of the window at a phone's widths, with the widest element's name. */
async function widthFindings(page: Page): Promise<string[]> {
  const findings: string[] = []
  for (const width of narrow) {
    await page.setViewportSize({ width, height: 800 })
    // The sidebar folds a moment after the window has become narrow; what stays too wide is found.
    const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth
    if (await waitsFor(page, fits)) continue
    const found = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return null
      const widest = Array.from(document.querySelectorAll('body *'))
        .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
        .slice(0, 3)
        .map((element) => element.outerHTML.slice(0, 120))
      return `${scrollWidth} px wide: ${widest.join(' | ')}`
    })
    if (found) findings.push(`at ${width}: ${found}`)
  }
  await page.setViewportSize(wide)
  return findings
}

/** The browser reports refusals that a page asks for: one that is not found, and nobody at the operators' door. */
function isAnswer(complaint: string, path: string, status: number): boolean {
  return (
    (status === 404 && complaint.includes(`status of 404 (Not Found) (${server.url}${path})`)) ||
    complaint.endsWith(`status of 401 (Unauthorized) (${server.url}/api/v1/operator/session)`)
  )
}

/** Everything that is wrong with one page; nothing is the proof. */
async function findingsOf(
  who: Visitor,
  path: string,
  { status = 200, axe = true }: { status?: number; axe?: boolean } = {},
): Promise<string[]> {
  who.faults.length = 0
  await who.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const answered = await openPage(who.page, server.url + path)
  const findings = answered === status ? [] : [`answered ${answered}`]
  const headings = await who.page.getByRole('heading', { level: 1 }).count()
  if (headings !== 1) findings.push(`${headings} first headings`)
  if (axe) findings.push(...(await axeFindings(who.page)))
  findings.push(...(await widthFindings(who.page)))
  return [...findings, ...who.faults.filter((text) => !isAnswer(text, path, status))]
}

describe('a visitor', () => {
  test.each([...publicPages, ...accountPages])('%s', async (path) => {
    expect(await findingsOf(visitor, path)).toEqual([])
  })

  test.each([...publicPages, ...accountPages])('%s in Russian', async (path) => {
    const inRussian = path === '/' ? '/ru' : `/ru${path}`
    expect(await findingsOf(visitor, inRussian)).toEqual([])
    expect(await visitor.page.locator('html').getAttribute('lang')).toBe('ru')
  })

  test.each([
    ['/no-such-page', 'Page not found', 'Go home', '/'],
    ['/ru/no-such-page', 'Страница не найдена', 'На главную', '/ru'],
  ])('%s is not found', async (path, title, home, homePath) => {
    expect(await findingsOf(visitor, path, { status: 404 })).toEqual([])
    expect(await visitor.page.getByRole('heading', { level: 1 }).innerText()).toBe(title)
    const link = visitor.page.getByRole('link', { name: home })
    expect(await link.getAttribute('href')).toBe(homePath)
  })

  test.each([
    ['/twit', '/updates'],
    ['/landing', '/'],
    ['/ru/twit', '/ru/updates'],
    ['/ru/landing', '/ru'],
  ])('%s leads to %s', async (from, to) => {
    const answer = await fetch(server.url + from, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([301, to])
  })

  test.each(['/dashboard', '/dashboard/profile', '/dashboard/transaction?order=x'])(
    '%s asks to log in and remembers the way',
    async (path) => {
      await visitor.page.goto(server.url + path)
      await visitor.page.waitForURL(`**/login?next=${encodeURIComponent(path)}`)
    },
  )

  test('the operator’s login', async () => {
    expect(await findingsOf(visitor, '/operator')).toEqual([])
    expect(await findingsOf(visitor, '/admin?operator=1')).toEqual([])
  })
})

describe('a buyer', () => {
  test.each(dashboardPages)('/dashboard%s', async (path) => {
    expect(await findingsOf(buyer, `/dashboard${path}`)).toEqual([])
  })

  test.each(orderStates)('an order: %s', async (state) => {
    const path = `/dashboard/transaction?order=${seeded.orders[state]?.token}`
    expect(await findingsOf(buyer, path)).toEqual([])
  })

  test('an order that is not theirs leads to the buy page and says so', async () => {
    await buyer.page.goto(`${server.url}/dashboard/transaction?order=nobody-knows-this-one`)
    await buyer.page.waitForURL('**/dashboard/buy-token')
    await buyer.page.getByText("Transaction doesn't exist").first().waitFor()
  })

  test('a page below the dashboard that does not exist', async () => {
    expect(await findingsOf(buyer, '/dashboard/no-such-page', { status: 404 })).toEqual([])
  })

  test('every page in Russian fits', async () => {
    const speak = (language: string) => callFromPage(server, buyer.context, 'PATCH', '/account', { language })
    await speak('ru')
    const findings: string[] = []
    const paths = [
      ...dashboardPages.map((path) => `/dashboard${path}`),
      ...orderStates.map((state) => `/dashboard/transaction?order=${seeded.orders[state]?.token}`),
    ]
    for (const path of paths) {
      const found = await findingsOf(buyer, path, { axe: false })
      findings.push(...found.map((text) => `${path}: ${text}`))
      const lang = await buyer.page.locator('html').getAttribute('lang')
      if (lang !== 'ru') findings.push(`${path}: is in ${lang}`)
    }
    await speak('en')
    expect(findings).toEqual([])
  })
})

describe('an operator', () => {
  test.each(operatorPages)('an owner: /operator/dashboard%s', async (path) => {
    expect(await findingsOf(owner, `/operator/dashboard${path}`)).toEqual([])
  })

  test('a page that does not exist', async () => {
    expect(await findingsOf(owner, '/operator/dashboard/no-such-page', { status: 404 })).toEqual([])
  })

  test.each(closedToSupport)('support: /operator/dashboard%s is not for their role', async (path) => {
    expect(await findingsOf(support, `/operator/dashboard${path}`)).toEqual([])
    await support.page.getByRole('heading', { name: 'Not for your role' }).waitFor()
  })

  test.each(operatorPages.filter((path) => !closedToSupport.includes(path)))(
    'support: /operator/dashboard%s',
    async (path) => {
      expect(await findingsOf(support, `/operator/dashboard${path}`, { axe: false })).toEqual([])
      expect(await support.page.getByRole('heading', { name: 'Not for your role' }).count()).toBe(0)
    },
  )
})
