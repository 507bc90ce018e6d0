import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { generate } from 'otplib'
import { operatorPages as pages } from '../../src/shared/pages.ts'
import { password } from './api.ts'
import type { TestServer } from './server.ts'
import { enter, openVisitor, proveByPassword, type Visitor } from './visitor.ts'

const examples: Record<string, string> = { user: '1', order: '7' }

/** Pages by path. */
export const operatorPages = Object.entries(pages).map(
  ([page, { path }]) => path && `/${path.replace(':id', examples[page] ?? '')}`,
)

export const area = (server: TestServer, path = '') => `${server.url}/operator/dashboard${path}`

/** Opens a browser signed in over the API; other tests cover the form. */
export async function openOperator(
  browser: Browser,
  server: TestServer,
  login: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const opened = await openVisitor(browser, options)
  await enter(server, opened.context, '/operator/session', { login, password })
  return opened
}

export async function logInByForm(page: Page, login: string, secret = password): Promise<void> {
  await page.getByLabel('Login', { exact: true }).fill(login)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Presses a button in the open dialog. */
export const press = (page: Page, name: string) =>
  page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .last()
    .getByRole('button', { name, exact: true })
    .click()

/** Returns the recovery codes. */
export async function switchAppOn(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Switch on' }).click()
  const dialog = page.getByRole('dialog')
  await proveByPassword(page)
  await dialog.getByText('Or type this key').waitFor()
  const secret = /[A-Z2-7]{16,}/.exec(await dialog.innerText())?.[0] ?? ''
  await dialog.getByLabel('Code', { exact: true }).fill(await generate({ secret }))
  await press(page, 'Switch on')
  await page.getByRole('heading', { name: 'Recovery codes', level: 2 }).waitFor()
  const codes = await dialog.getByRole('listitem').allInnerTexts()
  await press(page, 'I have kept them')
  return codes
}
