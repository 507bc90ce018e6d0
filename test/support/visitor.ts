import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { expect } from 'vitest'
import { fromOwnPage } from './every-state.ts'
import type { TestServer } from './server.ts'

/** WCAG 2.2 at level AA, and what axe holds good besides. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What a theme can change. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
}

/** A browser of its own, at rest. */
export async function openVisitor(browser: Browser, width = 1440): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  return { context, page }
}

/** Signs in over the API: `/session` for a buyer, `/operator/session` for an operator. */
export async function enter(
  server: TestServer,
  context: BrowserContext,
  path: string,
  data: object,
): Promise<void> {
  const headers = { ...fromOwnPage, origin: server.url }
  const answer = await context.request.post(`${server.url}/api/v1${path}`, { data, headers })
  expect(answer.status()).toBe(200)
}

/** What axe says of the page as it stands, or of one part of it; in the dark only what a theme can change. */
export async function axeFindings(page: Page, theme: 'light' | 'dark', part = 'html'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  // Colours that are still on their way to the other theme are nobody's fault.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  const axe = new AxeBuilder({ page }).include(part).setLegacyMode()
  const { violations } = await (theme === 'light'
    ? axe.withTags(rules)
    : axe.withRules(rulesOfColour)
  ).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${theme}: ${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`),
  )
}
