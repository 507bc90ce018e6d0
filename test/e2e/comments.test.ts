import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { widthFindings } from '../support/page-findings.ts'
import { axeFindings, openBuyer, openVisitor } from '../support/visitor.ts'

const { server, browser } = await startStaffedServerAndBrowser()
const { db } = server.database

test('an owner switches comments on, a buyer writes one, another reports it, an operator hides it and says why [TEXT-8]', async () => {
  const { id } = await db.one<{ id: string }>(
    sql`insert into announcements (title, body, published_at)
        values ('{"en": "The guide is ready", "ru": "Руководство готово"}', '{"en": "Read it.", "ru": "Читайте."}', now()) returning id::text`,
  )
  const address = `${server.url}/updates/${id}`
  const author = await openBuyer(browser, server, 'author-of-comments@example.org')
  await author.page.goto(address)
  expect(await author.page.locator('#comments').count()).toBe(0)

  const owner = await openOperator(browser, server, 'owner')
  await owner.page.goto(area(server, '/campaign?tab=texts'))
  await owner.page.getByRole('switch', { name: 'Buyers may comment on announcements' }).click()
  await owner.page.getByRole('button', { name: 'Save the settings' }).click()
  await owner.page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
  await owner.page.getByText('The campaign was saved.').waitFor()

  await author.page.reload()
  const words = '<b>Which chain</b> is it on?\nAnd when?'
  const send = () => author.page.getByRole('button', { name: 'Comment', exact: true }).click()
  await author.page.getByLabel('Your comment, in plain text').fill(words)
  await send()
  await author.page.getByText('Confirm your e-mail address first').waitFor()
  await db.query(
    sql`update users set confirmed_at = now(), nickname = 'Moon Ito' where email = 'author-of-comments@example.org'`,
  )
  // A long text is neither cut nor sent; the page shows the excess, even for text from before its script ran.
  const scripts = Promise.withResolvers<void>()
  await author.page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await author.page.reload({ waitUntil: 'domcontentloaded' })
  const field = author.page.getByLabel('Your comment, in plain text')
  await field.fill('a'.repeat(1_001))
  scripts.resolve()
  await author.page.getByText('1,001 of 1,000 characters. Shorten it').waitFor()
  expect(await axeFindings(author.page)).toEqual([])
  await send()
  expect((await field.inputValue()).length).toBe(1_001)
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await db.one(sql`select count(*)::integer as count from comments`)).toEqual({ count: 0 })
  await field.fill(words)
  await author.page.getByText('38 of 1,000 characters.', { exact: true }).waitFor()
  await author.page.getByLabel('Show my nickname, Moon Ito, beside it').check()
  await send()
  await author.page.getByText('(you)').waitFor()
  await author.page.getByText('<b>Which chain</b> is it on?').waitFor()
  expect(await axeFindings(author.page)).toEqual([])
  expect(await widthFindings(author.page)).toEqual([])

  const other = await openBuyer(browser, server, 'reporter-of-comments@example.org')
  await other.page.goto(address)
  await other.page.getByText('Report', { exact: true }).click()
  await other.page.getByRole('button', { name: 'not about this announcement' }).click()
  // The message replaces the button and has the focus, so that keyboard users continue from there.
  const told = other.page.locator(`#comments li:has-text("Which chain") [data-note]`)
  await told.getByText('Reported. An operator will look at it.').waitFor()
  expect(await told.evaluate((element) => element === document.activeElement)).toBe(true)

  const operator = await openOperator(browser, server, 'content')
  await operator.page.goto(area(server, '/overview'))
  await operator.page.getByRole('link', { name: 'Comments that buyers reported: 1.' }).click()
  await operator.page.getByText('not about this announcement · 1').waitFor()
  expect(await axeFindings(operator.page)).toEqual([])
  expect(await widthFindings(operator.page)).toEqual([])
  await operator.page.getByRole('button', { name: 'Hide…' }).click()
  await press(operator.page, 'Hide')
  await operator.page.getByText('The comment is hidden.').waitFor()
  await operator.page.getByText('No comment waits for a look').waitFor()

  const visitor = await openVisitor(browser)
  await visitor.page.goto(`${server.url}/ru/updates/${id}`)
  await visitor.page.getByText('Скрыто оператором: не об этом объявлении.').waitFor()
  expect(await visitor.page.getByText('Which chain').count()).toBe(0)
  expect([author, other, owner, operator, visitor].flatMap(({ faults }) => faults)).toEqual([])

  author.page.on('dialog', (dialog) => void dialog.accept())
  await author.page.goto(address)
  await author.page.getByRole('button', { name: 'Take back' }).click()
  await author.page.getByText('Your comment is gone.').waitFor()
  expect(await author.page.evaluate(() => document.activeElement?.textContent)).toBe('Your comment is gone.')
  await author.page.reload()
  await author.page.getByText('No comments yet.').waitFor()
  for (const { context } of [author, other, owner, operator, visitor]) await context.close()
})

test('a buyer bookmarks an announcement and finds it among the bookmarks [TEXT-19]', async () => {
  const { id } = await db.one<{ id: string }>(
    sql`insert into announcements (title, body, published_at)
        values ('{"en": "Keep this one", "ru": "Сохраните"}', '{"en": "Read it later.", "ru": "Потом."}', now()) returning id::text`,
  )
  const buyer = await openBuyer(browser, server, 'keeper-of-bookmarks@example.org')
  await buyer.page.goto(`${server.url}/updates`)
  const button = buyer.page.locator(`#post-${id}`).getByRole('button', { name: 'Bookmark' })
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  await buyer.page.getByRole('link', { name: 'Your bookmarks' }).click()
  await buyer.page.getByRole('heading', { name: 'Keep this one' }).waitFor()
  expect(await buyer.page.locator('article').count()).toBe(1)
  expect(await axeFindings(buyer.page)).toEqual([])
  expect(await widthFindings(buyer.page)).toEqual([])
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
  await buyer.page.reload()
  await buyer.page.getByText('You have bookmarked nothing yet.').waitFor()
  await buyer.page.goto(`${server.url}/ru/updates/${id}`)
  expect(await widthFindings(buyer.page)).toEqual([])
  expect(buyer.faults).toEqual([])
  await buyer.context.close()
})
