import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { startFilledServerAndBrowser } from '../support/browser.ts'
import { seedCommunity } from '../support/community.ts'
import { focused, tabTo } from '../support/keys.ts'
import { openBuyer, openVisitor, scriptsRun } from '../support/visitor.ts'

/* Community features by keyboard: messages appear where the focus is. */

const { server, browser, owner } = await startFilledServerAndBrowser()
await seedCommunity(server, owner)

async function openConfirmed(email: string) {
  const opened = await openBuyer(browser, server, email)
  await server.database.db.query(sql`update users set confirmed_at = now() where email_key = ${email}`)
  return opened
}

test('a giveaway is entered by keyboard alone', async () => {
  const { context, page, faults } = await openConfirmed('keys-entry@example.org')
  await page.goto(`${server.url}/giveaway`)
  await tabTo(page, /^Enter for free$/)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/giveaway')
  await scriptsRun(page)
  await page.getByRole('combobox').waitFor()
  await tabTo(page, /^Country you live in/)
  await page.keyboard.type('Germ')
  await page.getByRole('option', { name: 'Germany' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('combobox').inputValue()).toBe('Germany')
  for (const box of [/^I am 18 years old/, /^I have read the official rules/]) {
    await tabTo(page, box)
    await page.keyboard.press('Space')
  }
  await tabTo(page, /^Enter for free$/)
  await page.keyboard.press('Enter')
  await page.getByText('You have entered.').waitFor()
  await expect.poll(() => focused(page)).toMatch(/^You have entered\./)
  expect(faults).toEqual([])
  await context.close()
})

test('a link for friends is made by keyboard alone', async () => {
  const { context, page, faults } = await openConfirmed('keys-link@example.org')
  await page.goto(`${server.url}/dashboard/my-token`)
  await scriptsRun(page)
  await tabTo(page, /^Get my link$/)
  await page.keyboard.press('Enter')
  await page.getByRole('combobox').waitFor()
  // The requested field has the focus.
  await expect.poll(() => page.evaluate(() => document.activeElement?.role ?? '')).toBe('combobox')
  await page.keyboard.type('Esto')
  await page.getByRole('option', { name: 'Estonia' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Get my link$/)
  await page.keyboard.press('Enter')
  await page.getByText(`${server.url}/r/`).waitFor()
  await expect.poll(() => focused(page)).toContain(`${server.url}/r/`)
  expect(faults).toEqual([])
  await context.close()
})

test('a comment is written, taken back and reported by keyboard alone', async () => {
  const { context, page, faults } = await openConfirmed('keys-comment@example.org')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${server.url}/updates/1`)
  await tabTo(page, /^Your comment, in plain text/)
  await page.keyboard.type('By keyboard alone')
  await tabTo(page, /^Comment$/)
  await page.keyboard.press('Enter')
  await page.getByText('(you)').waitFor()
  await tabTo(page, /^Take back$/)
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Your comment is gone.')
  await tabTo(page, /^Report$/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^not about this announcement$/)
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Reported. An operator will look at it.')
  expect(faults).toEqual([])
  await context.close()
})

test('who came by a friend’s link signs up without it by keyboard alone', async () => {
  const { code } = await server.database.db.one<{ code: string }>(
    sql`select code from referral_links limit 1`,
  )
  const { context, page, faults } = await openVisitor(browser)
  await page.goto(`${server.url}/r/${code}`)
  await page.waitForURL('**/register')
  await scriptsRun(page)
  await tabTo(page, /^Sign up without the link$/)
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('The link is forgotten: your orders count for nobody.')
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('referral')
  await tabTo(page, /^Full Name/)
  expect(faults).toEqual([])
  await context.close()
})
