import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page, Request } from '@playwright/test'
import { until } from './until.ts'

/** A browser's requests for a page that is read to its end. */
export interface Load {
  readonly scripts: readonly LoadedScript[]
  /** Requests with pictures and fonts. */
  readonly requestsUntilUsable: number
}

export interface LoadedScript {
  readonly name: string
  /** Bytes gzipped here. */
  readonly bytes: number
}

/** Sums the shifts of all later documents, for `shiftOf`. */
export const watchShifts = (context: BrowserContext) =>
  context.addInitScript(() => {
    Reflect.set(globalThis, 'layoutShift', 0)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[])
        if (!entry.hadRecentInput)
          Reflect.set(globalThis, 'layoutShift', Reflect.get(globalThis, 'layoutShift') + entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
  })

export const shiftOf = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'layoutShift') as number)

/** The layout shift as on a slow first visit. */
export async function shiftWithLateFaces(
  browser: Browser,
  address: string,
  viewport: { width: number; height: number },
): Promise<number> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', serviceWorkers: 'block' })
  await watchShifts(context)
  const page = await context.newPage()
  const { promise: painted, resolve: isPainted } = Promise.withResolvers<void>()
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800))
    // On a busy machine the text may be late.
    await painted
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  isPainted()
  await page.waitForLoadState()
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(300)
  const shift = await shiftOf(page)
  await context.close()
  return shift
}

export async function loadOf(context: BrowserContext, address: string): Promise<Load> {
  const tab = await context.newPage()
  const loading: Promise<LoadedScript>[] = []
  tab.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    const name = new URL(response.url()).pathname.replace(/^.*\//, '')
    loading.push(response.body().then((body) => ({ name, bytes: gzipSync(body).length })))
  })
  const requestsUntilUsable = await openUntilUsable(tab, address)
  await tab.waitForLoadState('networkidle')
  await readToItsEnd(tab)
  await tab.waitForTimeout(1_500)
  const scripts = await Promise.all(loading)
  await tab.close()
  return { scripts: scripts.toSorted((a, b) => b.bytes - a.bytes), requestsUntilUsable }
}

/** Counts the requests that began before the page was usable, with pictures and fonts. */
export async function openUntilUsable(tab: Page, address: string): Promise<number> {
  const open = new Set<Request>()
  tab.on('request', (request) => open.add(request))
  tab.on('requestfinished', (request) => open.delete(request))
  tab.on('requestfailed', (request) => open.delete(request))
  await tab.addInitScript(noteUsable)
  await tab.goto(address, { waitUntil: 'domcontentloaded' })
  await tab.waitForFunction(() => performance.getEntriesByName('usable').length > 0)
  // A request has its entry once it is over. Live events, which are never over, begin later.
  await until(() => [...open].every((request) => request.resourceType() === 'eventsource'))
  return tab.evaluate(() => {
    const [usable] = performance.getEntriesByName('usable')
    const all = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
    return all.filter(({ startTime }) => startTime <= (usable?.startTime ?? 0)).length
  })
}

/** Runs in the page. A test that looks later would count what follows, too. A page without scripts is usable at once. */
function noteUsable(): void {
  const observer = new MutationObserver(look)
  observer.observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy'] })
  addEventListener('DOMContentLoaded', look)
  function look(): void {
    if (document.readyState === 'loading' || document.querySelector('#root[aria-busy]')) return
    if (performance.getEntriesByName('usable').length === 0) performance.mark('usable')
    observer.disconnect()
  }
}

/** Scrolls until three more turns change nothing. */
async function readToItsEnd(tab: Page): Promise<void> {
  for (let screen = 0, turnsAtEnd = 0; screen < 15 && turnsAtEnd < 3; screen += 1) {
    await tab.mouse.wheel(0, 800)
    await tab.waitForTimeout(100)
    const isAtEnd = await tab.evaluate(() => {
      const { scrollHeight } = document.documentElement
      return scrollY + innerHeight >= scrollHeight - 1
    })
    turnsAtEnd = isAtEnd ? turnsAtEnd + 1 : 0
  }
}

export const bytesOf = (scripts: readonly LoadedScript[]) =>
  scripts.reduce((sum, { bytes }) => sum + bytes, 0)
