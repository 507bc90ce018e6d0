import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from 'vitest'
import { type ApiCaller, fromOwnPage, password } from './api.ts'
import { registerBuyer } from './every-state.ts'
import { patienceMs } from './patience.ts'
import type { TestServer } from './server.ts'

/** WCAG 2.2 AA, and axe's best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** Minified, because every checked page parses it. */
const axeScript = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export const wide = { width: 1440, height: 900 }

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly faults: string[]
}

/** Opens a browser without animations. */
export async function openVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: wide,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    // Tests can't observe a service worker's requests; keyboard.test.ts enables it.
    serviceWorkers: 'block',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  return { context, page, faults }
}

/** Console errors and requests to other hosts are faults, too. */
export function watchConsoleAndHosts({ page, faults }: Visitor, server: TestServer): void {
  page.on('console', (message) => {
    // The tool's own message about the blocked worker.
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    if (message.type() === 'error' || message.type() === 'warning')
      faults.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.protocol !== 'data:' && asked.protocol !== 'blob:' && asked.origin !== server.url)
      faults.push(`asked another host: ${asked.href}`)
  })
}

/** Calls the server with this browser's cookies. */
export async function callFromPage(
  server: TestServer,
  context: BrowserContext,
  method: string,
  path: string,
  data: object,
): Promise<void> {
  const headers = { ...fromOwnPage, origin: server.url }
  const answer = await context.request.fetch(`${server.url}/api/v1${path}`, { method, data, headers })
  expect(answer.status()).toBe(200)
}

/** Signs in: `/session` for a buyer, `/operator/session` for an operator. */
export const enter = (server: TestServer, context: BrowserContext, path: string, data: object) =>
  callFromPage(server, context, 'POST', path, data)

/** Opens a browser of a signed-in buyer; `api` makes their calls. */
export async function openBuyer(
  browser: Browser,
  server: TestServer,
  email: string,
  options: BrowserContextOptions = {},
): Promise<Visitor & { api: ApiCaller }> {
  const api = await registerBuyer(server, email)
  const opened = await openVisitor(browser, options)
  await enter(server, opened.context, '/session', { email, password })
  return { ...opened, api }
}

/** Waits for the scripts. Before, links and forms work, buttons wait. */
export const scriptsRun = (page: Page) => page.locator('#root:not([aria-busy])').waitFor()

/** Logs in; the login leads back to the buyer's area. */
export async function logInAgain(page: Page, email: string): Promise<void> {
  await page.waitForURL('**/login?next=*')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Enter password').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/**')
}

export async function fillInAccount(page: Page, server: TestServer, email: string): Promise<void> {
  await page.goto(`${server.url}/register`)
  await page.getByLabel('Full Name').fill('Ann Example')
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Phone Number').fill('+37255550000')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
}

export async function registerByForm(page: Page, server: TestServer, email: string): Promise<void> {
  await fillInAccount(page, server, email)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/dashboard/buy-token')
}

/** Adds a passkey device that accepts everything. */
export async function plugInPasskey({ context, page }: Visitor): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Opens a page and waits for all its data. Returns the status. */
export async function openPage(page: Page, address: string): Promise<number> {
  const response = await page.goto(address)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  await page.waitForFunction(
    () => !document.querySelector('[aria-busy=true], [class*=skeleton], [class*=animate-spin]'),
  )
  return response?.status() ?? 0
}

/** Finds faults; in the dark theme only theme-dependent ones. */
export async function axeFindings(
  page: Page,
  part = 'html',
  themes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<string[]> {
  const findings: string[] = []
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // Wait: colours change to the other theme by a transition, which starts with a frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    )
    if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axeScript)
    // Skip the details of passed checks, which take longer than the checks.
    const options = {
      runOnly: theme === 'light' ? rules : rulesOfColour,
      resultTypes: ['violations' as const],
    }
    const { violations } = await page.evaluate(
      ([where, how]) => (Reflect.get(globalThis, 'axe') as typeof axe).run(where, how),
      [part, options] as const,
    )
    for (const { id, nodes } of violations)
      for (const { html, any } of nodes)
        findings.push(`${theme}: ${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`)
  }
  return findings
}

/** Enters the password if the page asks for proof. */
export async function proveByPassword(page: Page): Promise<void> {
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Password', { exact: true }).fill(password)
  await proof.getByRole('button', { name: 'Confirm', exact: true }).click()
}
