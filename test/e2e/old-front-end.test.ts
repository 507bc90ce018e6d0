import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { startServerAndBrowser } from '../support/browser.ts'
import { brokenRules } from '../support/campaign.ts'
import { freePort } from '../support/database-server.ts'

const folder = fileURLToPath(new URL('../old-front-end/', import.meta.url))
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** The old front end lies on a host of its own, as it used to. */
async function serveOldFrontEnd(port: number): Promise<Server> {
  const http = createServer(async (request, response) => {
    const name = new URL(request.url ?? '/', 'http://old').pathname.slice(1) || 'old-front-end.html'
    const text = await readFile(folder + name).catch(() => undefined)
    response
      .writeHead(text ? 200 : 404, { 'content-type': types[name.split('.').at(-1) ?? ''] ?? 'text/plain' })
      .end(text)
  })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  return http
}

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const site = await serveOldFrontEnd(port)
afterAll(() => site.close())
const { server, browser } = await startServerAndBrowser({ CORS_ORIGINS: origin })

test('a front end of the old kind runs its whole purchase', async () => {
  const page = await browser.newPage()
  await page.goto(`${origin}/?api=${server.url}`)
  await page.getByPlaceholder('Full Name').fill('Old Ann')
  await page.getByPlaceholder('Email Address').fill('old.ann@example.org')
  await page.getByPlaceholder('Phone Number').fill('+37255550000')
  await page.getByPlaceholder('Password', { exact: true }).fill('a passphrase of old')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('combobox').selectOption('USDT')
  await page.getByPlaceholder('Amount').fill('200')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.locator('#status', { hasText: 'pending' }).waitFor()
  expect(await page.locator('#send').textContent()).toBe('900.000900 USDT')

  await page.getByPlaceholder('Login').fill('owner')
  await page.getByPlaceholder('Admin password').fill(password)
  await page.getByRole('button', { name: 'Log in as admin' }).click()
  await page.getByRole('button', { name: 'Approve payment' }).click()
  await page.locator('#balance').waitFor()
  expect(await page.locator('#status').textContent()).toBe('approved')
  expect(await page.locator('#tokens').textContent()).toBe('214')
  expect(await page.locator('#bonus').textContent()).toBe('14')
  expect(await page.getByRole('alert').textContent()).toBe('')
  expect(await brokenRules(server.database.db)).toEqual([])
})
