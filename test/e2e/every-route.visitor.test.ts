import { expect, test } from 'vitest'
import { startFilledServerAndBrowser } from '../support/browser.ts'
import { seedCommunity } from '../support/community.ts'
import { findingsOf, openWatched, shiftMax } from '../support/page-findings.ts'
import { shiftWithLateFaces } from '../support/scripts.ts'
import { wide } from '../support/visitor.ts'

const publicPages = [
  '/',
  '/updates',
  '/updates/1',
  '/updates?kept=1',
  '/giveaway',
  '/giveaway/rules',
  '/transparency',
  '/reserves',
  '/verify',
  '/claim',
  '/accessibility',
  '/privacy',
  '/terms',
  '/risks',
  '/admin',
]
const accountPages = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/claim-refund',
  '/confirm-email',
  '/confirm-delivery',
]

const { server, browser, owner } = await startFilledServerAndBrowser()
await seedCommunity(server, owner)
const visitor = await openWatched(browser, server)

test.each([...publicPages, ...accountPages])('%s', async (path) => {
  expect(await findingsOf(visitor, server.url + path)).toEqual([])
})

// axe's rules do not depend on the language, but the width of the words does.
test.each([...publicPages, ...accountPages])('%s in Russian', async (path) => {
  const inRussian = path === '/' ? '/ru' : `/ru${path}`
  expect(await findingsOf(visitor, server.url + inRussian, { themes: [] })).toEqual([])
  expect(await visitor.page.locator('html').getAttribute('lang')).toBe('ru')
})

// A legal text is as long as its seller writes it: where one of its lines breaks otherwise in a fallback, all below moves.
const held = publicPages.filter((path) => !['/privacy', '/terms', '/risks'].includes(path))
test.each(held)('%s hardly moves when its faces arrive late', async (path) => {
  const looks = [path, path === '/' ? '/ru' : `/ru${path}`].flatMap((inLanguage) =>
    [wide, { width: 412, height: 823 }].map(async (viewport) => {
      const shift = await shiftWithLateFaces(browser, server.url + inLanguage, viewport)
      return { look: `${inLanguage} at ${viewport.width}`, shift }
    }),
  )
  // They mostly wait for their faces, so all of them wait at once.
  for (const { look, shift } of await Promise.all(looks)) expect(shift, look).toBeLessThan(shiftMax)
})

test.each([
  ['/no-such-page', 'Page not found', 'Go home', '/'],
  ['/ru/no-such-page', 'Страница не найдена', 'На главную', '/ru'],
])('%s is not found', async (path, title, home, homePath) => {
  expect(await findingsOf(visitor, server.url + path, { status: 404 })).toEqual([])
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
  expect(await findingsOf(visitor, `${server.url}/operator`)).toEqual([])
  expect(await findingsOf(visitor, `${server.url}/admin?operator=1`)).toEqual([])
})
