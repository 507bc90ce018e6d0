import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { apiOf, password } from '../support/api.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { makeOrder, registerBuyer } from '../support/every-state.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { statement } from '../support/statement.ts'
import { proveByPassword } from '../support/visitor.ts'

const setUrl = statement('test_webhook_url', 'update webhooks set url = $1')

const addDeliveries = statement(
  'test_many_deliveries',
  `insert into webhook_deliveries (webhook_id, message_id, event, payload, state, next_attempt_at, delivered_at)
   select $1, 'told-' || n, 'order.created', jsonb_build_object('number', n), 'delivered', null, now() from generate_series(1, 45) n`,
)
const wantSecond = statement(
  'test_want_second_operator',
  `update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb($1::boolean))`,
)

const { server, browser, owner } = await startStaffedServerAndBrowser()

test('analytics keys: the primary one is shown, the secondary never; two operators don’t overwrite each other', async () => {
  const { context, page } = await openOperator(browser, server, 'content')
  await page.goto(area(server, '/pixels'))
  await page.getByRole('button', { name: 'Save API Key' }).click()
  await page.getByText('API Key is required').waitFor()
  await page.getByText('Location is required').waitFor()
  await page.getByPlaceholder('Enter API Key').fill('G-ABC1234567')
  await page.getByPlaceholder('Enter Secondary API Key').fill('very-secret-part-0042')
  await page.getByPlaceholder('Enter Location (e.g., /dashboard)').fill('/dashboard')
  await page.getByRole('button', { name: 'Save API Key' }).click()
  await page.getByText('API key saved successfully').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'G-ABC1234567' })
  await row.waitFor()
  expect(await page.getByPlaceholder('Enter API Key').inputValue()).toBe('')
  expect(await page.content()).not.toContain('very-secret-part')
  expect(JSON.stringify(await owner('GET', '/operator/analytics'))).not.toContain('very-secret-part')

  await row.getByRole('button', { name: 'Update' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/Stored: •+.*Left empty, it stays\./).waitFor()
  await dialog.getByLabel('Location').fill('/mine')
  const [key] = (await owner<{ items: { id: number; revision: number }[] }>('GET', '/operator/analytics'))
    .items
  await owner('PUT', `/operator/analytics/${key?.id}`, {
    apiKey: 'G-ABC1234567',
    location: '/theirs',
    provider: 'ga4',
    revision: key?.revision,
  })
  await press(page, 'Save Changes')
  await dialog.getByText('Somebody else changed this meanwhile. Nothing was saved.').waitFor()
  await dialog.getByRole('cell', { name: '/theirs' }).waitFor()
  await dialog.getByRole('button', { name: 'Use the stored version' }).click()
  expect(await dialog.getByLabel('Location').inputValue()).toBe('/theirs')
  await press(page, 'Save Changes')
  await page.getByText('API key updated successfully').waitFor()
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await page.getByText('API key deleted successfully').waitFor()
  await row.waitFor({ state: 'detached' })
  await context.close()
})

test('an API key is shown once, works within its scopes, and is refused after it was revoked', async () => {
  const { context, page } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, '/integrations'))
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Bookkeeping')
  await page.getByRole('checkbox', { name: 'read orders' }).check()
  await press(page, 'Make the key')
  await proveByPassword(page)
  const secret = await page.getByRole('dialog').getByText(/^psk_/).innerText()
  await press(page, 'Done')
  await page.getByRole('cell', { name: 'Bookkeeping' }).waitFor()
  expect(await page.content()).not.toContain(secret)

  const program = apiOf(server.url, secret)
  expect(await program('GET', '/operator/orders')).toMatchObject({ items: [] })
  await expect(program('GET', '/operator/users')).rejects.toMatchObject({ status: 403 })
  await page.getByRole('button', { name: 'Revoke' }).click()
  await press(page, 'Revoke')
  await page.getByText('The key was revoked.').waitFor()
  await expect(program('GET', '/operator/orders')).rejects.toMatchObject({ status: 401 })
  await context.close()
})

/** A receiver on this machine that counts who reached it. */
async function startReceiver(): Promise<{ server: Server; port: number; calls: () => number }> {
  let calls = 0
  const receiver = createServer((_, response) => {
    calls += 1
    response.end()
  })
  receiver.on('connection', () => {
    calls += 1
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  return { server: receiver, port: (receiver.address() as AddressInfo).port, calls: () => calls }
}

test('webhooks: private addresses are refused on entry and on delivery, which says so and can be repeated', async () => {
  const receiver = await startReceiver()
  const { context, page } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, '/integrations'))
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill(`https://127.0.0.1:${receiver.port}/hook`)
  await press(page, 'Save')
  await dialog.getByText('Give an https address on the public internet.').first().waitFor()
  await dialog.getByLabel('Address').fill('https://example.com/orders')
  await press(page, 'Save')
  const secret = await page
    .getByRole('dialog', { name: 'Signing secret' })
    .getByText(/^whsec_/)
    .innerText()
  await press(page, 'Done')
  expect(await page.content()).not.toContain(secret)

  // A name may resolve to an internal address later, so it is checked again when sending.
  await server.database.db.query(setUrl, [`https://127.0.0.1:${receiver.port}/hook`])
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: '127.0.0.1' })
  await row.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Send a test' }).click()
  const deliveries = page.getByRole('dialog', { name: 'Deliveries' })
  const first = deliveries.getByRole('listitem').filter({ hasText: 'webhook.test' }).first()
  await first.getByText('Attempts: 1').waitFor()
  await first.getByText('Attempts: 1').click()
  await first
    .getByText(/private|public internet|not allowed|refused/i)
    .first()
    .waitFor()
  await first.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('It is sent again.').waitFor()
  await first.getByText(/Attempts: [2-9]/).waitFor()
  expect(receiver.calls()).toBe(0)
  await context.close()
  receiver.server.close()
})

/** The rows of a CSV file: quoted cells may hold commas, quotes and line ends. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.filter((row) => row.length > 1)
}

async function downloadCsv(page: Page, path: string): Promise<string[][]> {
  await page.goto(area(server, path))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.csv$/)
  return parseCsv((await readFile(await download.path(), 'utf8')).replace(/^\ufeff/, ''))
}

test('tables are downloaded as CSV that no spreadsheet runs', async () => {
  const names = ['=HYPERLINK("http://x","y")', '+1+cmd|x', '-2+3', '@SUM(A1)', 'Plain, "quoted"']
  for (const [index, name] of names.entries()) await registerBuyer(server, `csv${index}@example.org`, name)
  const buyer = await registerBuyer(server, 'orders@example.org')
  const approved = await makeOrder(buyer, '40')
  const pending = await makeOrder(buyer, '60')
  await owner('POST', `/operator/orders/${approved.number}/approve`, { reason: '=1+1' })

  const { context, page } = await openOperator(browser, server, 'owner')
  const users = await downloadCsv(page, '/users')
  const cells = users.flat()
  for (const name of names.slice(0, 4)) expect(cells).toContain(`'${name}`)
  expect(cells).toContain('Plain, "quoted"')
  expect(cells.filter((cell) => /^[=+@]|^-(?!\d+(\.\d+)?$)/.test(cell))).toEqual([])
  // One header, and as many cells in each row.
  expect(new Set(users.map((row) => row.length)).size).toBe(1)
  expect(users.length).toBe(1 + names.length + 1)

  const idsOf = (rows: string[][]) => rows.slice(1).map((row) => row[0])
  expect(idsOf(await downloadCsv(page, '/transactions?status=pending'))).toEqual([String(pending.number)])
  expect(idsOf(await downloadCsv(page, '/approved-transactions'))).toEqual([String(approved.number)])
  const audit = (await downloadCsv(page, '/audit?action=order.approve')).flat().join('\n')
  expect(audit).toContain('order.approve')
  expect(audit).not.toContain('order.reject')
  await context.close()
})

test('lists go on beyond their first page: keys, what waits for a second operator, what a webhook was told', async () => {
  const { context, page } = await openOperator(browser, server, 'owner')
  const many = Array.from({ length: 52 }, (_, index) => index + 1)
  for (const number of many)
    await owner('POST', '/operator/api-keys', {
      name: `Key ${number}`,
      scopes: ['orders:read'],
      proof: { password },
    })
  await page.goto(area(server, '/integrations'))
  const keys = page.getByRole('cell', { name: /^Key \d+$/ })
  await keys.first().waitFor()
  expect([await keys.count(), await keys.first().innerText()]).toEqual([50, 'Key 52'])
  const older = page.getByRole('button', { name: 'Older ones' })
  await older.focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => [await keys.count(), await keys.last().innerText()]).toEqual([52, 'Key 1'])
  // The button is gone, and Tab goes on from where it was.
  await page.locator(':focus', { hasText: 'These are all.' }).waitFor()

  await registerBuyer(server, 'granted@example.org')
  await server.database.db.query(wantSecond, [true])
  for (const number of many)
    await owner(
      'POST',
      '/operator/grants',
      { email: 'granted@example.org', amount: '1', reason: `grant ${number}` },
      { 'idempotency-key': `grant-number-${number}` },
    ).catch((error: { code?: string }) => expect(error.code).toBe('second_operator_required'))
  await server.database.db.query(wantSecond, [false])
  await page.goto(area(server, '/approvals'))
  const waiting = page.getByRole('article').filter({ hasText: 'Grant tokens' })
  await waiting.first().waitFor()
  expect(await waiting.count()).toBe(50)
  await page.getByRole('link', { name: 'Approvals (52)' }).waitFor()
  await older.click()
  await waiting.filter({ hasText: /grant 1(?!\d)/ }).waitFor()
  expect(await waiting.count()).toBe(52)

  const hook = { url: 'https://example.com/orders', events: ['order.created'], description: '' }
  const { id } = await owner<{ id: number }>('POST', '/operator/webhooks', hook)
  await server.database.db.query(addDeliveries, [id])
  await page.goto(area(server, '/integrations'))
  await page
    .getByRole('row')
    .filter({ hasText: 'https://example.com/orders' })
    .getByRole('button', { name: 'Deliveries' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Deliveries' })
  const numbers = async () =>
    (await dialog.locator('pre').allTextContents()).map((text) => JSON.parse(text).number as number)
  const expectNumbers = (first: number, last: number) =>
    expect
      .poll(async () => {
        const shown = await numbers()
        return [shown.at(0), shown.at(-1)]
      })
      .toEqual([first, last])
  await expectNumbers(45, 26)
  await dialog.getByRole('button', { name: 'Older' }).click()
  await expectNumbers(25, 6)
  await dialog.getByRole('button', { name: 'Older' }).click()
  await expectNumbers(5, 1)
  expect(await dialog.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Newest' }).click()
  await expectNumbers(45, 26)
  await owner('DELETE', `/operator/webhooks/${id}`)
  await context.close()
})
