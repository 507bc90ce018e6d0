import type { Browser, Page } from '@playwright/test'
import { slowness } from './patience.ts'
import { shiftOf, watchShifts } from './scripts.ts'
import type { TestServer } from './server.ts'
import {
  axeFindings,
  enter,
  openPage,
  openVisitor,
  type Visitor,
  watchConsoleAndHosts,
  wide,
} from './visitor.ts'

const narrow = [390, 320]
export const shiftMax = 0.02

/** A browser signed in over the API that records every complaint of a page. */
export async function openWatched(
  browser: Browser,
  server: TestServer,
  session?: string,
  body?: object,
): Promise<Visitor> {
  const opened = await openVisitor(browser)
  await watchShifts(opened.context)
  if (session && body) await enter(server, opened.context, session, body)
  watchConsoleAndHosts(opened, server)
  return opened
}

/** The elements beyond a window of this width; null if all fits. */
export async function overflowAt(page: Page, width: number): Promise<string | null> {
  await page.setViewportSize({ width, height: 800 })
  // The sidebar collapses shortly after a resize.
  const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth
  const hasFit = await page.waitForFunction(fits, undefined, { timeout: 5_000 * slowness }).then(
    () => true,
    () => false,
  )
  if (hasFit) return null
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return null
    const widest = Array.from(document.querySelectorAll('body *'))
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .slice(0, 3)
      .map((element) => element.outerHTML.slice(0, 120))
    return `${scrollWidth} px wide: ${widest.join(' | ')}`
  })
}

/** Tables that hide their last column, which has the buttons. */
export const cutTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('[role=region] > table'))
      .map(({ parentElement }) => parentElement)
      .filter((frame) => frame !== null && frame.scrollWidth > frame.clientWidth)
      .map((frame) => `${frame?.ariaLabel}: ${frame?.scrollWidth} of ${frame?.clientWidth} px`),
  )

/** Checks widths on a phone; the window is wide again afterwards. */
export async function widthFindings(page: Page): Promise<string[]> {
  const findings: string[] = []
  for (const width of narrow) {
    const found = await overflowAt(page, width)
    if (found) findings.push(`at ${width}: ${found}`)
  }
  await page.setViewportSize(wide)
  return findings
}

/** True for the complaint expected of a page that answers 404. */
const isAnswer = (complaint: string, address: string, status: number) =>
  status === 404 && complaint.includes(`status of 404 (Not Found) (${address})`)

export interface Look {
  readonly status?: number
  /** Themes for axe; an empty list skips it. */
  readonly themes?: readonly ('light' | 'dark')[]
  /** True: axe also checks on a phone. */
  readonly onPhones?: boolean
}

async function phoneFindings(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 390, height: 844 })
  const findings = await axeFindings(page, 'html', ['light'])
  await page.setViewportSize(wide)
  return findings.map((text) => `at 390: ${text}`)
}

/** Finds faults of a page; an empty list is the proof. */
export async function findingsOf(
  who: Visitor,
  address: string,
  { status = 200, themes = ['light', 'dark'], onPhones = false }: Look = {},
): Promise<string[]> {
  who.faults.length = 0
  await who.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const answered = await openPage(who.page, address)
  const findings = answered === status ? [] : [`answered ${answered}`]
  const headings = await who.page.getByRole('heading', { level: 1 }).count()
  if (headings !== 1) findings.push(`${headings} first headings`)
  findings.push(...(await axeFindings(who.page, 'html', themes)))
  const shift = await shiftOf(who.page)
  if (shift >= shiftMax) findings.push(`moved by itself by ${shift}`)
  findings.push(...(await widthFindings(who.page)))
  if (onPhones) findings.push(...(await phoneFindings(who.page)))
  return [...findings, ...who.faults.filter((text) => !isAnswer(text, address, status))]
}
