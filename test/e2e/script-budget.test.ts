import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { paths } from '../../src/client/paths.ts'
import { clientFolder } from '../../src/server/pages/static.ts'
import type { OperatorCampaign } from '../../src/shared/api/campaign.ts'
import { languages, localPath } from '../../src/shared/languages.ts'
import { password } from '../support/api.ts'
import { startFilledServerAndBrowser } from '../support/browser.ts'
import { bytesOf, type LoadedScript, loadOf, openUntilUsable } from '../support/scripts.ts'
import { callFromPage, enter, openVisitor, wide } from '../support/visitor.ts'

/** Bytes after gzip; docs/performance.md has the measurements. */
const buyerBytesMax = 200_000
const landingBytesMax = 75_000
const requestsMax = 20
const queueRequestsMax = 25

const pages = Object.values(paths).filter((path) => typeof path === 'string')
const dashboardPages = pages.filter((path) => path.startsWith(paths.dashboard))
const accountPages = [
  paths.login,
  paths.register,
  paths.forgotPassword,
  paths.resetPassword,
  paths.confirmEmail,
  paths.confirmDelivery,
  paths.claimRefund,
] as string[]
const mailedLink = `#token=${'a'.repeat(43)}`
/** The usual first pages. */
const firstPages = [paths.login, paths.register, paths.dashboard, paths.buy].map((path) =>
  localPath('ru', path),
)
const publicPages = pages.filter((path) => !dashboardPages.includes(path) && !accountPages.includes(path))
const orderStates = ['pending', 'underpaid', 'overpaid', 'approved', 'reversed', 'expired']

const manifest = JSON.parse(readFileSync(join(clientFolder, '.vite/manifest.json'), 'utf8')) as Record<
  string,
  { file: string; name?: string; imports?: string[]; dynamicImports?: string[] }
>
const operatorScripts = Object.entries(manifest)
  .filter(([source, { name }]) => source.startsWith('src/client/operator/') || name?.startsWith('operator-'))
  .map(([, { file }]) => file.replace(/^.*\//, ''))

/** Every script that an area can load, now or late. */
function reachOf(source: string, reached = new Set<string>()): Set<string> {
  const { file, imports = [], dynamicImports = [] } = manifest[source] ?? { file: source }
  const name = file.replace(/^.*\//, '')
  if (reached.has(name)) return reached
  reached.add(name)
  for (const next of [...imports, ...dynamicImports]) reachOf(next, reached)
  return reached
}

const { server, browser, orders, owner } = await startFilledServerAndBrowser()
const seen: LoadedScript[] = []

const signedIn = await openVisitor(browser)
await enter(server, signedIn.context, '/session', { email: 'buyer@example.org', password })
await callFromPage(server, signedIn.context, 'PATCH', '/account', { language: 'ru' })
const asBuyer = await signedIn.context.storageState()
await signedIn.context.close()

/** A first visit: nothing is in the browser's cache. In Russian, whose texts are the longer ones. */
async function firstPage(path: string, storageState?: typeof asBuyer): Promise<number> {
  const viewport = { width: 412, height: 823 }
  const context = await browser.newContext({ viewport, locale: 'ru-RU', storageState })
  const { scripts, requestsUntilUsable } = await loadOf(context, server.url + path)
  await context.close()
  seen.push(...scripts)
  if (firstPages.includes(path)) expect(requestsUntilUsable).toBeLessThanOrEqual(requestsMax)
  return bytesOf(scripts)
}

// Each page mostly waits for its own quiet, so several wait at once.
describe.concurrent('script of a first page', () => {
  test.each(publicPages)('%s', async (path) => {
    expect(await firstPage(localPath('ru', path))).toBeLessThanOrEqual(landingBytesMax)
  })

  test.each(accountPages)('%s', async (path) => {
    const bytes = await firstPage(localPath('ru', path) + mailedLink)
    // Less than React alone would mean that the page was not drawn.
    expect(bytes).toBeGreaterThan(60_000)
    expect(bytes).toBeLessThanOrEqual(buyerBytesMax)
  })

  test.each(dashboardPages)('%s', async (path) => {
    const bytes = await firstPage(path, asBuyer)
    expect(bytes).toBeGreaterThan(60_000)
    expect(bytes).toBeLessThanOrEqual(buyerBytesMax)
  })

  test.each(orderStates)('an order: %s', async (state) => {
    const bytes = await firstPage(paths.order(orders[state]?.token ?? ''), asBuyer)
    expect(bytes).toBeGreaterThan(60_000)
    expect(bytes).toBeLessThanOrEqual(buyerBytesMax)
  })
})

describe('requests of a first visit', () => {
  beforeAll(async () => {
    const { revision, settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
    await owner('PUT', '/operator/campaign', { revision, settings: { ...settings, languages } })
  })

  const visits = [paths.dashboard, paths.buy].flatMap((path) =>
    languages.map((language) => [path, language] as const),
  )
  test.each(visits)('%s, in %s', async (path, language) => {
    const { context } = await openVisitor(browser, { viewport: { width: 412, height: 823 } })
    await enter(server, context, '/session', { email: 'buyer@example.org', password })
    await callFromPage(server, context, 'PATCH', '/account', { language })
    const requestsUntilUsable = await openUntilUsable(await context.newPage(), server.url + path)
    await context.close()
    expect(requestsUntilUsable).toBeLessThanOrEqual(requestsMax)
  })

  test('the operators’ queue of orders', async () => {
    const { context } = await openVisitor(browser, { viewport: wide })
    await enter(server, context, '/operator/session', { login: 'owner', password })
    const address = `${server.url}/operator/dashboard/transactions`
    const requestsUntilUsable = await openUntilUsable(await context.newPage(), address)
    await context.close()
    expect(requestsUntilUsable).toBeLessThanOrEqual(queueRequestsMax)
  })
})

test('none of it is the operator’s', () => {
  expect(operatorScripts.length).toBeGreaterThan(10)
  expect(seen.length).toBeGreaterThan(operatorScripts.length)
  expect(seen.map(({ name }) => name).filter((name) => operatorScripts.includes(name))).toEqual([])
  const buyers = reachOf('src/client/buyer/main.tsx')
  expect(buyers.size).toBeGreaterThan(50)
  expect([...buyers].filter((name) => operatorScripts.includes(name))).toEqual([])
})
