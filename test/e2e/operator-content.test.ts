import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { giveawaysOf, moveTo, untilDrawn } from '../support/giveaways.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { openBuyer, scriptsRun } from '../support/visitor.ts'

const { server, browser, owner } = await startStaffedServerAndBrowser()

const picture = () =>
  sharp({ create: { width: 640, height: 360, channels: 3, background: '#ff4f9a' } })
    .png()
    .toBuffer()

test('an announcement with an image is previewed, published and read on /updates', async () => {
  const { context, page } = await openOperator(browser, server, 'content')
  await page.goto(area(server, '/content'))
  await page.getByRole('button', { name: 'Write an announcement' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title, English').fill('The guide is translated')
  await dialog.getByLabel('Title, Russian').fill('Руководство переведено')
  await dialog.getByLabel('Text, English').fill('Read it **today**.')

  const file = dialog.getByLabel('Image', { exact: true })
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  await file.setInputFiles({ name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: drawing })
  await dialog.getByText('Only PDF, PNG, JPEG and WebP files are taken.').waitFor()
  // Called a picture it is none either: the server looks into the file.
  await file.setInputFiles({ name: 'drawing.png', mimeType: 'image/png', buffer: drawing })
  await dialog.getByRole('alert').or(dialog.locator('[aria-invalid=true]')).first().waitFor()
  expect(await dialog.getByLabel('Content of the image, English').count()).toBe(0)
  await file.setInputFiles({ name: 'pink.png', mimeType: 'image/png', buffer: await picture() })
  await dialog.getByLabel('Content of the image, English').fill('A pink page')

  await dialog.getByRole('tab', { name: 'Preview, English' }).click()
  await dialog.locator('strong', { hasText: 'today' }).waitFor()
  await dialog.getByRole('img', { name: 'A pink page' }).waitFor()
  await dialog.getByRole('tab', { name: 'Preview, Russian' }).click()
  // Only the title has a Russian text; the rest is shown, and marked, in the other language.
  await dialog.getByRole('heading', { name: 'Руководство переведено' }).waitFor()
  await dialog.locator('[lang=en] strong', { hasText: 'today' }).waitFor()
  await dialog.getByRole('tab', { name: 'Write' }).click()
  await dialog.getByLabel('Publish', { exact: true }).click()
  await page.getByRole('option', { name: 'At a time', exact: true }).click()
  await press(page, 'Schedule')
  await dialog.getByText('Choose a time.').waitFor()
  await dialog.locator('input[type=datetime-local]').fill('2020-01-01T10:00')
  await press(page, 'Schedule')
  await dialog.getByText('Choose a time that is still to come.').waitFor()
  await dialog.getByLabel('Publish', { exact: true }).click()
  await page.getByRole('option', { name: 'Now', exact: true }).click()
  await press(page, 'Publish')
  await page.getByText('The announcement is published.').waitFor()

  const visitor = await browser.newPage()
  await visitor.goto(`${server.url}/updates`)
  await visitor.getByRole('heading', { name: 'The guide is translated' }).waitFor()
  const shown = visitor.getByRole('img', { name: 'A pink page' })
  await shown.scrollIntoViewIfNeeded()
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await visitor.close()
  await context.close()
})

test('a giveaway is written with a picture, published, drawn and handed over, and a visitor draws it again', async () => {
  const { db } = server.database
  const { context, page } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, '/content?tab=giveaways'))
  await page.getByRole('button', { name: 'Begin a giveaway' }).click()
  const dialog = page.getByRole('dialog')
  const fill = (label: string, value: string) => dialog.getByLabel(label, { exact: true }).fill(value)
  await fill('Title, English', 'A bicycle')
  await fill('Title, Russian', 'Велосипед')
  // Escape and the close button ask before text is discarded; it can be kept.
  const asked = page.getByRole('alertdialog')
  await page.keyboard.press('Escape')
  await asked.getByText('Discard what you typed?').waitFor()
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Close dialog' }).click()
  await asked.getByRole('button', { name: 'Keep writing' }).click()
  await asked.waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Title, Russian', { exact: true }).inputValue()).toBe('Велосипед')
  await page.keyboard.press('Escape')
  await asked.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Begin a giveaway' }).click()
  expect(await dialog.getByLabel('Title, English', { exact: true }).inputValue()).toBe('')
  // An untouched form goes without a question.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await asked.count()).toBe(0)
  await page.getByRole('button', { name: 'Begin a giveaway' }).click()
  await fill('Title, English', 'A bicycle')
  await fill('Title, Russian', 'Велосипед')
  await fill('Sponsor', 'Example <b>Ltd</b>')
  await fill('How to reach the sponsor', 'prizes@example.org')
  await fill('Prize, English', 'A red bicycle')
  await fill('Prize, Russian', 'Красный велосипед')
  await fill('Value of one, dollars', '500')
  await dialog
    .getByLabel('Image', { exact: true })
    .setInputFiles({ name: 'bicycle.png', mimeType: 'image/png', buffer: await picture() })
  await fill('Content of the image, English', 'A bicycle')
  await fill('Content of the image, Russian', 'Велосипед')
  await dialog.getByLabel(/I may show these pictures/).check()
  for (let more = 1; more < 20; more++) await dialog.getByRole('button', { name: 'Add a prize' }).click()
  expect(await dialog.getByRole('button', { name: 'Add a prize' }).getAttribute('aria-disabled')).toBe('true')
  for (let more = 1; more < 20; more++)
    await dialog.getByRole('button', { name: 'Remove the prize' }).last().click()
  await dialog.getByRole('combobox', { name: 'Add a country' }).fill('Germany')
  await page.getByRole('option', { name: 'Germany' }).click()
  await fill('Official rules, English', 'One entry a person.')
  await fill('Official rules, Russian', 'Одна заявка на человека.')
  await fill('Privacy note, English', 'Kept until the prize is handed over.')
  await fill('Privacy note, Russian', 'Хранится до вручения приза.')
  await fill('Privacy note, Russian', '')
  await press(page, 'Save the draft')
  await page.getByText('The draft is saved.').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await press(page, 'Publish for good')
  await page.getByText('in each language of the campaign. Privacy note.').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await fill('Privacy note, Russian', 'Хранится до вручения приза.')
  await press(page, 'Save the draft')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  // A hurried hand presses twice: that is one publication, and no complaint about the second.
  const publish = page.getByRole('alertdialog').getByRole('button', { name: 'Publish for good' })
  await publish.dblclick()
  await page.getByText('The giveaway is published.').waitFor()
  expect(await page.getByText('A published giveaway can’t be changed. Make a new one.').count()).toBe(0)

  const { id } = await db.one<{ id: string }>(sql`select id::text from giveaways`)
  const giveaways = giveawaysOf(server)
  const { context: entering, page: buyer } = await openBuyer(browser, server, 'winner@example.org')
  await db.query(sql`update users set confirmed_at = now() where email_key = 'winner@example.org'`)
  await moveTo(db, Number(id), { opensAt: -1, closesAt: 24 })
  await buyer.goto(server.url)
  const banner = buyer.locator('#main-prize')
  await banner.getByRole('heading', { name: 'A bicycle' }).waitFor()
  await banner.getByRole('link', { name: 'Purchase Tokens!' }).waitFor()
  await buyer.goto(`${server.url}/giveaway`)
  // Text that looks like markup is shown literally.
  await buyer.getByText('Sponsor: Example <b>Ltd</b>, prizes@example.org').first().waitFor()
  await buyer.goto(server.url)
  await banner.getByRole('img', { name: 'A bicycle' }).scrollIntoViewIfNeeded()
  await buyer.goto(`${server.url}/dashboard/giveaway`)
  // Text typed before the scripts run is kept but opens no list (early-press.test.ts).
  await scriptsRun(buyer)
  await buyer.getByRole('combobox').fill('Germ')
  await buyer.getByRole('option', { name: 'Germany' }).click()
  await buyer.getByLabel('I am 18 years old or older').check()
  await buyer.getByLabel('I have read the official rules and accept them').check()
  await buyer.getByRole('button', { name: 'Enter for free' }).click()
  await buyer.getByText('You have entered.').waitFor()
  // The answer replaces the button and has the focus.
  const focused = () => buyer.evaluate(() => document.activeElement?.textContent ?? '')
  await expect.poll(focused).toMatch(/^You have entered\./)
  await untilDrawn(db, giveaways, Number(id))
  await giveaways.run()
  await buyer.reload()
  await buyer.getByRole('button', { name: /^Confirm/ }).click()
  await expect.poll(focused).toBe('Confirmed. Example <b>Ltd</b> will write to you.')

  await page.reload()
  await page.getByRole('button', { name: 'Handed over…' }).click()
  await page.getByLabel('What shows it').fill('Sent by parcel, <b>receipt</b> 4711')
  await press(page, 'Say so in public')
  await page.getByText('That is public now.').waitFor()
  await buyer.goto(`${server.url}/giveaway`)
  await buyer.getByText('w•••@e•••.org').waitFor()
  // Operators' texts are shown literally.
  await buyer.getByText('Sent by parcel, <b>receipt</b> 4711').waitFor()
  await buyer.getByRole('button', { name: 'Draw again in this browser' }).click()
  await buyer.getByText('This browser computed the same winners from the file alone.').waitFor()
  await buyer.getByText(/^Winner 1: [0-9a-f]{64}$/).waitFor()
  // Faults of a file are sentences.
  await buyer.route('**/api/v1/giveaways/*/file', async (route) => {
    const file = await (await route.fetch()).json()
    await route.fulfill({ json: { ...file, rulesSha256: '0'.repeat(64) } })
  })
  await buyer.getByRole('button', { name: 'Draw again in this browser' }).click()
  await buyer.getByText('The rules do not match the hash beside them: they were changed.').waitFor()
  await buyer.goto(server.url)
  await buyer.locator('#main-prize').getByRole('link', { name: 'Past giveaways' }).waitFor()
  for (const opened of [context, entering]) await opened.close()
})

test('a PDF is published with the hash of what is downloaded, and taken away', async () => {
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  )
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  const { context, page } = await openOperator(browser, server, 'content')
  await page.goto(area(server, '/content?tab=documents'))
  await page.getByLabel('Title, English').fill('Whitepaper')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'white paper.pdf', mimeType: 'application/pdf', buffer: pdf })
  await page.getByText(`${sha256.slice(0, 16)}…`).waitFor()
  await page.getByRole('button', { name: 'Publish the document' }).click()
  await page.getByText('The document is published.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Whitepaper' })
  await row.locator(`[title="${sha256}"]`).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('link', { name: 'Whitepaper' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('white paper.pdf')
  expect(await readFile(await download.path())).toEqual(pdf)

  await row.getByRole('button', { name: 'New version' }).click()
  const newer = Buffer.concat([Buffer.from('%PDF-1.4\n% newer\n'), pdf.subarray(9)])
  const dialog = page.getByRole('dialog', { name: 'New version of “white paper.pdf”' })
  await dialog
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'white paper 2.pdf', mimeType: 'application/pdf', buffer: newer })
  await dialog.getByText('white paper 2.pdf').waitFor()
  await press(page, 'Publish the new version')
  await page.getByText('The new version is published.').waitFor()
  await row.getByText('1 earlier version').waitFor()
  const { context: reading, page: buyer } = await openBuyer(browser, server, 'reader@example.org')
  await buyer.goto(`${server.url}/dashboard/docs`)
  await buyer.getByText('Earlier versions: 1').click()
  await buyer.getByText(`SHA-256 ${sha256}`).waitFor()
  const [kept] = await Promise.all([
    buyer.waitForEvent('download'),
    buyer.getByRole('link', { name: 'white paper.pdf' }).click(),
  ])
  expect(await readFile(await kept.path())).toEqual(pdf)
  await reading.close()

  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button').last().click()
  await page.getByText('The document was taken away.').waitFor()
  await row.waitFor({ state: 'detached' })
  await context.close()
})

test('documents are ordered and renamed, and stand so for visitors; who was overtaken sees what stands now', async () => {
  const { context, page } = await openOperator(browser, server, 'content')
  await page.goto(area(server, '/content?tab=documents'))
  for (const name of ['Audit', 'Paper']) {
    await page.getByLabel('Title, English').fill(name)
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: `${name}.pdf`,
      mimeType: 'application/pdf',
      buffer: Buffer.from(`%PDF-1.4\n1 0 obj<</${name} 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`),
    })
    await page.getByRole('button', { name: 'Publish the document' }).click()
    await page.getByRole('row').filter({ hasText: name }).waitFor()
  }
  const shown = () => page.getByRole('table').locator('tbody tr a').allInnerTexts()
  expect(await shown()).toEqual(['Paper', 'Audit'])
  const down = page.getByRole('button', { name: 'Move “Paper” down' })
  await down.press('Enter')
  await page.getByText('“Paper” is number 2 now.').waitFor()
  expect(await shown()).toEqual(['Audit', 'Paper'])
  await expect.poll(() => down.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await down.getAttribute('aria-disabled')).toBe('true')

  await page.getByRole('row').filter({ hasText: 'Paper' }).getByRole('button', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog')
  const { items } = await owner<{ items: { id: number; revision: number }[] }>('GET', '/documents')
  await owner('PUT', `/operator/documents/${items[1]?.id}`, {
    title: { en: 'Theirs', ru: '' },
    fileName: 'Paper.pdf',
    revision: 1,
  })
  await dialog.getByLabel('Title, Russian').fill('Белая книга')
  await dialog.getByLabel('File name').fill('белая книга')
  await press(page, 'Save changes')
  await dialog.getByText('EN: Theirs', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Keep mine, then save again' }).click()
  await press(page, 'Save changes')
  await page.getByText('The document has its new name.').waitFor()
  await page.getByText('белая книга.pdf').waitFor()

  const buyer = await openBuyer(browser, server, 'reads-documents@example.org')
  await buyer.page.goto(`${server.url}/dashboard/docs`)
  await buyer.page.getByRole('heading', { name: 'Paper', level: 2 }).waitFor()
  const shelf = buyer.page.getByRole('main').getByRole('heading', { level: 2 })
  expect(await shelf.allInnerTexts()).toEqual(['Audit', 'Paper'])
  for (const opened of [context, buyer.context]) await opened.close()
})

test('a new version of the terms overtakes another operator and is asked of a buyer who is about to order [TEXT-20]', async () => {
  const { context: buying, page: buyer } = await openBuyer(browser, server, 'ann@example.org')
  await buyer.goto(`${server.url}/dashboard/buy-token?currency=USDT&amount=40`)
  await buyer.getByRole('button', { name: 'Buy Now' }).click()
  const purchase = buyer.getByRole('dialog')
  await purchase.getByRole('checkbox').first().check()

  const { context, page } = await openOperator(browser, server, 'content')
  await page.goto(area(server, '/content?tab=legal'))
  const english = page.getByLabel('Terms, English')
  await english.fill('Mine: the second terms.')
  const versions = await owner<{ items: { version: number; body: { en: string; ru: string } }[] }>(
    'GET',
    '/operator/legal/terms',
  )
  const first = versions.items[0]
  await owner('POST', '/operator/legal/terms', {
    basedOn: first?.version,
    body: { en: 'Theirs: the second terms.', ru: 'Их вторые условия.' },
  })
  const next = (first?.version ?? 0) + 1
  await page.getByRole('button', { name: `Publish version ${next}…` }).click()
  await press(page, `Publish version ${next}`)
  await page.getByText('Somebody else changed this meanwhile. Nothing was saved.').waitFor()
  await page.getByRole('cell', { name: 'Theirs: the second terms.' }).waitFor()
  await page.getByRole('button', { name: 'Keep mine, then save again' }).click()
  await page.getByRole('button', { name: `Publish version ${next + 1}…` }).click()
  await press(page, `Publish version ${next + 1}`)
  await page.getByText(`Version ${next + 1} is in force.`).waitFor()
  await context.close()

  // The buyer accepted another version, so no order is made.
  await purchase.getByRole('button', { name: 'Continue' }).click()
  await purchase.getByText('The terms have changed. Please read them again.').waitFor()
  expect(await purchase.getByRole('checkbox').first().isChecked()).toBe(false)
  expect((await owner<{ items: unknown[] }>('GET', '/operator/orders')).items).toEqual([])
  await purchase.getByRole('checkbox').first().check()
  await purchase.getByRole('button', { name: 'Continue' }).click()
  await purchase.getByRole('button', { name: 'Confirm' }).click()
  await buyer.waitForURL('**/dashboard/transaction?order=*')
  await buying.close()
})
