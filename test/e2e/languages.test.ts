import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientFolder } from '../../src/server/pages/static.ts'
import type { OperatorCampaign } from '../../src/shared/api/campaign.ts'
import { factsOf, isLanguage, languages, localPath, publicLocales } from '../../src/shared/languages.ts'
import { password } from '../support/api.ts'
import { startFilledServerAndBrowser } from '../support/browser.ts'
import { seedCommunity } from '../support/community.ts'
import { findingsOf, openWatched, widthFindings } from '../support/page-findings.ts'
import { loadOf } from '../support/scripts.ts'
import { callFromPage, openVisitor } from '../support/visitor.ts'

// English and Russian are looked at wherever a page is; here are the languages that an owner switches on besides.
const further = publicLocales.filter((locale) => locale !== 'en' && locale !== 'ru')
const publicPages = [
  '/',
  '/updates',
  '/updates/1',
  '/updates?kept=1',
  '/updates?words=presale',
  '/transparency',
  '/reserves',
  '/verify',
  '/claim',
  '/giveaway',
  '/giveaway/rules',
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
  '/confirm-email',
  '/claim-refund',
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
  '/giveaway',
  '/transaction',
]

const { server, browser, owner, orders } = await startFilledServerAndBrowser()
await seedCommunity(server, owner)
const visitor = await openWatched(browser, server)

const show = () => owner<OperatorCampaign>('GET', '/operator/campaign')
async function switchOn(on: readonly string[]): Promise<void> {
  const { settings, revision } = await show()
  await owner('PUT', '/operator/campaign', { revision, settings: { ...settings, languages: on } })
}

const manifest: Record<string, { file: string }> = JSON.parse(
  readFileSync(join(clientFolder, '.vite/manifest.json'), 'utf8'),
)
const catalogues = Object.entries(manifest).map(([source, { file }]) => ({
  source,
  name: file.replace(/^.*\//, ''),
}))

const statusOf = async (path: string) => (await fetch(server.url + path, { redirect: 'manual' })).status

test('a language that is off has no page, no link and no place in the site map', async () => {
  const page = await (await fetch(server.url)).text()
  const map = await (await fetch(`${server.url}/sitemap.xml`)).text()
  for (const locale of further) {
    expect(await statusOf(localPath(locale, '/terms'))).toBe(404)
    expect(page).not.toContain(`hreflang="${locale}"`)
    expect(map).not.toContain(`hreflang="${locale}"`)
    const asked = { 'accept-language': locale }
    const login = await (await fetch(`${server.url}/login`, { headers: asked })).text()
    expect(login).toContain('<html lang="en"')
  }
})

test('nobody switches the first language off, or one on that is not there', async () => {
  for (const on of [[], ['ru'], ['en', 'en'], ['en', 'xx']])
    await expect(switchOn(on)).rejects.toMatchObject({ code: 'invalid_input' })
})

describe('switched on', () => {
  beforeAll(() => switchOn(publicLocales))
  afterAll(() => switchOn(['en', 'ru']))

  describe.each(further)('%s', (locale) => {
    test.each(publicPages)('%s', async (path) => {
      expect(await findingsOf(visitor, server.url + localPath(locale, path), { onPhones: true })).toEqual([])
      const html = visitor.page.locator('html')
      expect(await html.getAttribute('lang')).toBe(locale)
      expect((await html.getAttribute('dir')) ?? 'ltr').toBe(factsOf(locale).direction ?? 'ltr')
    })

    test.each(accountPages)('%s', async (path) => {
      expect(await findingsOf(visitor, server.url + localPath(locale, path), { themes: [] })).toEqual([])
      const spoken = isLanguage(locale) ? locale : 'en'
      expect(await visitor.page.locator('html').getAttribute('lang')).toBe(spoken)
    })

    test('each page leads to itself in every other language', async () => {
      await visitor.page.goto(server.url + localPath(locale, '/terms'))
      await visitor.page.locator('header details:has([data-language]) summary').click()
      for (const other of publicLocales.filter((known) => known !== locale)) {
        const link = visitor.page.locator(`header [data-language="${other}"]`)
        expect(await link.getAttribute('href')).toBe(localPath(other, '/terms'))
        expect(await link.innerText()).toBe(factsOf(other).name)
      }
      await visitor.page.locator('header [data-language="ru"]').click()
      await visitor.page.waitForURL('**/ru/terms')
    })
  })

  test.each(further.filter(isLanguage))('a buyer’s pages in %s', async (locale) => {
    const buyer = await openWatched(browser, server, '/session', { email: 'buyer@example.org', password })
    await callFromPage(server, buyer.context, 'PATCH', '/account', { language: locale })
    const findings: string[] = []
    const paths = [
      ...dashboardPages.map((path) => `/dashboard${path}`),
      ...Object.values(orders).map(({ token }) => `/dashboard/transaction?order=${token}`),
    ]
    for (const path of paths) {
      const found = await findingsOf(buyer, server.url + path, { themes: [] })
      findings.push(...found.map((text) => `${path}: ${text}`))
      const lang = await buyer.page.locator('html').getAttribute('lang')
      if (lang !== locale) findings.push(`${path}: is in ${lang}`)
    }
    await callFromPage(server, buyer.context, 'PATCH', '/account', { language: 'en' })
    await buyer.context.close()
    expect(findings).toEqual([])
  })

  test.each(further.filter(isLanguage))('a browser that asks for %s is answered in it', async (locale) => {
    const { context, page } = await openVisitor(browser, { locale })
    await page.goto(`${server.url}/login`)
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    expect(await widthFindings(page)).toEqual([])
    await context.close()
  })

  // Each mostly waits for its own quiet, so all wait at once.
  test.concurrent.each(languages)(
    'a page in %s loads the catalogues of no other language',
    async (locale) => {
      const context = await browser.newContext({ locale })
      const { scripts } = await loadOf(context, server.url + localPath(locale, '/login'))
      await context.close()
      const names = scripts.map(({ name }) => name)
      const ofLanguage = (known: string) =>
        catalogues.filter(({ source }) => source.startsWith(`locales/${known}/`)).map(({ name }) => name)
      expect(ofLanguage(locale).filter((name) => names.includes(name)).length).toBeGreaterThan(1)
      for (const other of languages.filter((known) => known !== locale))
        expect(ofLanguage(other).filter((name) => names.includes(name))).toEqual([])
    },
  )
})
