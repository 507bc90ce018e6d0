import type { Browser, BrowserContext, Page } from '@playwright/test'
import { fromOwnPage, password } from './every-state.ts'
import type { TestServer } from './server.ts'

export interface OperatorWindow {
  readonly context: BrowserContext
  readonly page: Page
}

export const area = (server: TestServer, path = '') => `${server.url}/operator/dashboard${path}`

/** A browser of their own, signed in over the API; the form has tests of its own. */
export async function openOperator(
  browser: Browser,
  server: TestServer,
  login: string,
): Promise<OperatorWindow> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  const answer = await context.request.post(`${server.url}/api/v1/operator/session`, {
    data: { login, password },
    headers: { ...fromOwnPage, origin: server.url },
  })
  if (!answer.ok()) throw new Error(`${login} could not log in: ${await answer.text()}`)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  return { context, page }
}

/** Presses the button of this name in the open dialog. */
export const press = (page: Page, name: string) =>
  page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .last()
    .getByRole('button', { name, exact: true })
    .click()
