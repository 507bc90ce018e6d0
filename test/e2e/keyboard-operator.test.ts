import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { startFilledServerAndBrowser } from '../support/browser.ts'
import { seedCommunity } from '../support/community.ts'
import { moveTo } from '../support/giveaways.ts'
import { focused, tabTo } from '../support/keys.ts'
import { area, openOperator } from '../support/operator-pages.ts'

/* Operators' community tasks by keyboard: a dialog takes, keeps and returns the focus. */

const { server, browser, owner } = await startFilledServerAndBrowser()
await seedCommunity(server, owner)

const dialogs = '[role=dialog], [role=alertdialog]'
const isInDialog = (page: Page) =>
  page.evaluate((which) => Boolean(document.activeElement?.closest(which)), dialogs)

/** Goes by Tab to what opens a dialog and presses Enter: the focus goes in. */
async function openDialog(page: Page, opener: RegExp): Promise<void> {
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  await expect.poll(() => isInDialog(page)).toBe(true)
}

/** Goes round by Tab, forwards and backwards, until the focus is where it began, and never out. */
async function expectHeld(page: Page): Promise<void> {
  for (const key of ['Tab', 'Shift+Tab']) {
    await page.evaluate(() => Reflect.set(globalThis, 'beganAt', document.activeElement))
    for (let stops = 0; stops < 40; stops++) {
      await page.keyboard.press(key)
      await expect.poll(() => isInDialog(page), { message: await focused(page) }).toBe(true)
      if (await page.evaluate(() => document.activeElement === Reflect.get(globalThis, 'beganAt'))) break
    }
  }
}

async function expectReturned(page: Page, opener: RegExp): Promise<void> {
  await page.locator(dialogs).first().waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toMatch(opener)
}

/** Opens a dialog, goes round in it, and leaves it by Escape. */
async function goRound(page: Page, opener: RegExp): Promise<void> {
  await openDialog(page, opener)
  await expectHeld(page)
  await page.keyboard.press('Escape')
  await expectReturned(page, opener)
}

/** The focus stays on the page even if the pressed element is gone. */
async function expectFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
}

/** Chooses from a list that opens by Enter. */
async function choose(page: Page, field: RegExp, option: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: option, exact: true }).waitFor()
  for (let presses = 0; presses < 10; presses++) {
    if ((await focused(page)) === option) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}

async function type(page: Page, field: RegExp, words: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(words)
}

test.each([
  ['/content', /^Write an announcement$/],
  ['/content', /^Edit /],
  ['/content', /^Delete /],
  ['/content?tab=giveaways', /^Begin a giveaway$/],
  ['/content?tab=comments&view=all', /^Hide…$/],
])('%s: the dialog of %s takes the focus, keeps it and gives it back by Escape', async (path, opener) => {
  const { context, page, faults } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, path))
  await page.getByRole('button', { name: opener }).first().waitFor()
  await goRound(page, opener)
  expect(faults).toEqual([])
  await context.close()
})

test('an announcement is written, published and deleted by keyboard alone', async () => {
  const { context, page, faults } = await openOperator(browser, server, 'content')
  await page.goto(area(server, '/content'))
  await page.getByRole('button', { name: 'Write an announcement' }).waitFor()
  await openDialog(page, /^Write an announcement$/)
  await type(page, /^Title, English$/, 'By keys')
  // The dialog asks before it discards text, and the focus returns.
  await page.keyboard.press('Escape')
  await page.getByText('Discard what you typed?').waitFor()
  await expect.poll(() => isInDialog(page)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toMatch(/^Title, English$/)
  await type(page, /^Text, English$/, 'By keyboard alone.')
  await choose(page, /^Publish/, 'Now')
  await tabTo(page, /^Pin it on top/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Publish$/)
  await page.keyboard.press('Enter')
  await page.getByText('The announcement is published.').waitFor()
  await expectReturned(page, /^Write an announcement$/)
  await page.getByText('pinned', { exact: true }).waitFor()
  await openDialog(page, /^Delete By keys$/)
  await tabTo(page, /^Delete$/)
  await page.keyboard.press('Enter')
  await page.getByText('The announcement was deleted.').waitFor()
  await page.getByText('By keys', { exact: true }).waitFor({ state: 'detached' })
  await expectFocus(page)
  expect(faults).toEqual([])
  await context.close()
})

test('a giveaway is begun and published by keyboard alone', async () => {
  const { context, page, faults } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, '/content?tab=giveaways'))
  await page.getByRole('button', { name: 'Begin a giveaway' }).waitFor()
  const write = async (title: string) => {
    await openDialog(page, /^Begin a giveaway$/)
    await type(page, /^Title, English$/, title)
    await type(page, /^Title, Russian/, title)
    await type(page, /^Sponsor/, 'Example Ltd')
    await type(page, /^How to reach the sponsor/, 'prizes@example.org')
    await type(page, /^Prize, English/, 'A kettle')
    await type(page, /^Prize, Russian/, 'Чайник')
    await type(page, /^Value of one, dollars/, '40')
    // An element that removes itself leaves the focus in the dialog.
    await tabTo(page, /^Add a prize$/)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('button', { name: 'Remove the prize' }).count()).toBe(2)
    await expect.poll(() => isInDialog(page)).toBe(true)
    await page.getByRole('button', { name: 'Remove the prize' }).last().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('button', { name: 'Remove the prize' }).count()).toBe(1)
    await expect.poll(() => isInDialog(page)).toBe(true)
    await type(page, /^Add a country/, 'Germ')
    await page.getByRole('option', { name: 'Germany' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    for (const [field, words] of [
      [/^Official rules, English/, 'One entry a person.'],
      [/^Official rules, Russian/, 'Одна заявка на человека.'],
      [/^Privacy note, English/, 'Kept until it is handed over.'],
      [/^Privacy note, Russian/, 'Хранится до вручения.'],
    ] as const)
      await type(page, field, words)
    // Enter in a field of one line sends the form.
    await tabTo(page, /^Title, English$/)
    await tabTo(page, /^Sponsor/)
    await page.keyboard.press('Enter')
    await page.getByText('The draft is saved.').first().waitFor()
    await expectReturned(page, /^Begin a giveaway$/)
  }
  await write('A kettle')
  // One at a time: the one of the seed is over.
  await moveTo(server.database.db, 2, { opensAt: -30, closesAt: -20 })
  await goRound(page, /^Publish$/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Publish for good$/)
  await page.keyboard.press('Enter')
  await page.getByText('The giveaway is published.').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor({ state: 'detached' })
  await expectFocus(page)
  expect(faults).toEqual([])
  await context.close()
})

test('a comment is hidden with its reason by keyboard alone', async () => {
  const { context, page, faults } = await openOperator(browser, server, 'content')
  await page.goto(area(server, '/content?tab=comments&view=all'))
  await page.getByRole('button', { name: 'Hide…' }).first().waitFor()
  await openDialog(page, /^Hide…$/)
  await choose(page, /^Reason that everybody sees/, 'insult or hatred')
  await expect.poll(() => isInDialog(page)).toBe(true)
  await tabTo(page, /^Hide$/)
  await page.keyboard.press('Enter')
  await page.getByText('The comment is hidden.').waitFor()
  await expectFocus(page)
  expect(faults).toEqual([])
  await context.close()
})

test('the terms for bringing friends are changed by keyboard alone', async () => {
  const { context, page, faults } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, '/campaign?tab=levels'))
  await page.getByLabel('Per cent of the friend').waitFor()
  await tabTo(page, /^Per cent of the friend/)
  await page.keyboard.press('Control+A')
  await page.keyboard.type('4')
  await goRound(page, /^Save the settings$/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Save$/)
  await page.keyboard.press('Enter')
  await page.getByText('The campaign was saved.').waitFor()
  await expectFocus(page)
  expect(faults).toEqual([])
  await context.close()
})
