import { expect, test } from 'vitest'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { area, openOperator } from '../support/operator-pages.ts'
import { axeFindings, openVisitor, watchConsoleAndHosts } from '../support/visitor.ts'

const { server, browser } = await startStaffedServerAndBrowser()

test('an owner looks at settings before they are saved: visitors see them once they are', async () => {
  const owner = await openOperator(browser, server, 'owner')
  const visitor = await openVisitor(browser)
  const { page } = owner
  watchConsoleAndHosts(owner, server)
  const nameSeen = async () => {
    await visitor.page.goto(server.url)
    return visitor.page.getByRole('banner').getByRole('link').first().innerText()
  }
  const before = await nameSeen()

  await page.goto(area(server, '/campaign?tab=token'))
  await page.getByLabel('Token’s name').or(page.getByLabel("Token's name")).fill('Looked At')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Preview' })
  const framed = page.frameLocator('iframe[name="preview"]')
  await framed.getByRole('banner').getByText('Looked At').waitFor()
  await framed.getByText('nobody else sees it').waitFor()
  const width = () => framed.locator('html').evaluate((html) => html.clientWidth)
  expect(await width()).toBeGreaterThan(1_200)
  expect(await axeFindings(page)).toEqual([])

  await dialog.getByRole('button', { name: 'Phone' }).click()
  await expect.poll(width).toBeLessThanOrEqual(390)
  await dialog.getByRole('button', { name: 'Русский' }).click()
  await framed.getByText('больше его никто не видит').waitFor()
  // Its faces are the site's own: the policy lets them in, and the site gives them to its own pages.
  expect(await framed.locator('html').evaluate(() => document.fonts.check('16px Onest'))).toBe(true)
  // Links lead nowhere.
  await framed.locator('footer a').first().click()
  expect(owner.context.pages()).toHaveLength(1)
  await framed.getByText('больше его никто не видит').waitFor()

  const opening = owner.context.waitForEvent('page')
  await dialog.getByRole('button', { name: 'Open in a new tab' }).click()
  const tab = await opening
  await tab.getByRole('banner').getByText('Looked At').waitFor()
  expect(await tab.title()).toMatch(/^Предпросмотр: Looked At/)
  await tab.close()
  expect(await nameSeen()).toBe(before)

  await dialog.getByRole('button', { name: 'Close dialog' }).click()
  await page.getByRole('button', { name: 'Save the settings' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The campaign was saved.').waitFor()
  await expect.poll(nameSeen).toBe('Looked At')
  // The preview's blocked actions are logged: a link that opens nothing, and this test's own scripts in the
  // frame.
  const denied = /Blocked (?:script execution in|opening) .* sandboxed/
  expect(owner.faults.filter((fault) => !denied.test(fault))).toEqual([])
})

test('a draft that could not be saved is not shown: what is wrong stands beside its field, whoever found it', async () => {
  const { page, context } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, '/campaign?tab=token'))
  const name = page.getByLabel("Token's name")
  await name.fill('')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('dialog').count()).toBe(0)

  await name.fill('Refused')
  const refuse = (path: string, message: string) =>
    page.route(/operator\/campaign(\/preview)?$/, (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({
            status: 422,
            json: {
              error: {
                code: 'invalid_input',
                message: 'Something is wrong.',
                issues: [{ path, code: 'invalid', message }],
                requestId: 'test',
              },
            },
          }),
    )
  const preview = () => page.getByRole('button', { name: 'Preview', exact: true }).click()
  const save = async () => {
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
  }
  for (const [at, ask] of [preview, save].entries()) {
    await name.fill(`Refused ${at}`)
    const ofField = `The server does not take it (${at}).`
    await refuse('settings.name', ofField)
    await ask()
    await page.getByText(ofField, { exact: true }).waitFor()
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    // A field that this page has not is told above all of them.
    const ofNoField = `Too far away (${at}).`
    await refuse('settings.somewhere.else', ofNoField)
    await ask()
    await page.getByRole('alert').getByText(`somewhere.else: ${ofNoField}`).waitFor()
    expect(await name.getAttribute('aria-invalid')).not.toBe('true')
  }
  await context.close()
})

test('who may not change settings is told so', async () => {
  const { page, context } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/campaign?tab=token'))
  const button = page.getByRole('button', { name: 'Preview', exact: true })
  await button.waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await context.close()
})
