import type { Page } from '@playwright/test'
import { generate } from 'otplib'
import { expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { ageRecoveryCodes } from '../support/authenticator-app.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { area, logInByForm, openOperator, press } from '../support/operator-pages.ts'
import { statement } from '../support/statement.ts'
import { axeFindings, openVisitor, plugInPasskey, proveByPassword } from '../support/visitor.ts'

const longAgo = statement(
  'test_login_long_ago',
  `update operator_sessions set authenticated_at = now() - interval '1 hour'`,
)

const { server, browser } = await startStaffedServerAndBrowser()

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

async function openLink(link: string): Promise<Page> {
  const { page } = await openVisitor(browser)
  await page.goto(link)
  return page
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Login', { exact: true }).waitFor()
}

test('a one-time link sets a password, logs in, and serves once', async () => {
  const owner = await openOperator(browser, server, 'owner')
  await owner.page.goto(area(server, '/operators'))
  await owner.page.getByLabel('Login', { exact: true }).fill('newcomer')
  await owner.page.getByRole('button', { name: 'Invite' }).click()
  await proveByPassword(owner.page)
  const link = (await owner.page.getByRole('dialog').getByText('#invitation=').innerText()).trim()
  await press(owner.page, 'Done')
  await owner.page
    .getByRole('row')
    .filter({ hasText: 'newcomer' })
    .getByText('has not used the link yet')
    .waitFor()

  const page = await openLink(link)
  await heading(page, 'Set your password')
  await page.getByLabel('New password').fill('short')
  await page.getByLabel('Confirm password').fill('shorter')
  await page.getByRole('button', { name: 'Set password and log in' }).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  const strength = page.getByRole('meter', { name: 'Strength of the password' })
  await page.getByLabel('New password').fill('password1234')
  await page.getByText('many people have this password').waitFor()
  expect(await strength.getAttribute('aria-valuenow')).toBe('0')
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel('New password').fill('a long passphrase 7')
  await page.getByText(/^(Good|Strong)\.$/).waitFor()
  await page.getByLabel('Confirm password').fill('a long passphrase 7')
  await page.getByRole('button', { name: 'Set password and log in' }).click()
  await heading(page, 'Overview')

  const second = await openLink(link)
  await second.getByLabel('New password').fill('another passphrase 8')
  await second.getByLabel('Confirm password').fill('another passphrase 8')
  await second.getByRole('button', { name: 'Set password and log in' }).click()
  await second.getByText('An owner can make a new one').waitFor()
  await second.getByRole('button', { name: 'To the login' }).click()
  await logInByForm(second, 'newcomer', 'another passphrase 8')
  await second.getByText('Login failed.').waitFor()
  await Promise.all([owner.context.close(), page.context().close(), second.context().close()])
})

test('an authenticator app: switched on, asked for, replaced by a recovery code once, part of a step-up and of a new password', async () => {
  const { context, page } = await openOperator(browser, server, 'finance')
  await page.goto(area(server, '/account'))
  await page.getByRole('button', { name: 'Switch on' }).click()
  await proveByPassword(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Or type this key').waitFor()
  const secret = /[A-Z2-7]{16,}/.exec(await dialog.innerText())?.[0] ?? ''
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await press(page, 'Switch on')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Code', { exact: true }).fill(await generate({ secret }))
  await press(page, 'Switch on')
  await page.getByRole('heading', { name: 'Recovery codes', level: 2 }).waitFor()
  const codes = await dialog.getByRole('listitem').allInnerTexts()
  expect(codes.length).toBeGreaterThan(5)
  await press(page, 'I have kept them')
  await page.getByText(`Left: ${codes.length}`).waitFor()
  await ageRecoveryCodes(server.database.db)

  await logOut(page)
  await logInByForm(page, 'finance')
  await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await heading(page, 'Overview')
  await page.goto(area(server, '/account'))
  await page.getByText(`Left: ${codes.length - 1}`).waitFor()

  // The used code opens nothing any more, neither the door nor a step-up.
  await server.database.db.query(longAgo)
  await page.goto(area(server, '/change-main-currency'))
  await page.getByLabel('New value in dollars').fill('4.75')
  await page.getByRole('button', { name: 'Change value' }).click()
  await page.getByRole('button', { name: 'Change to $4.75' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByRole('textbox', { name: 'Code' }).fill(codes[0] ?? '')
  await press(page, 'Confirm')
  await proof.getByRole('alert').waitFor()
  await proof.getByRole('textbox', { name: 'Code' }).fill(codes[1] ?? '')
  await press(page, 'Confirm')
  await page.getByText('Currency updated successfully!').waitFor()

  // A new password asks for the factor beside the form. The new cookie serves every tab.
  const tab = await context.newPage()
  await tab.goto(area(server, '/account'))
  await tab.getByText(`Left: ${codes.length - 2}`).waitFor()
  await page.goto(area(server, '/change-password'))
  const [old, next] = [password, 'a wholly new sentence 4']
  await page.getByLabel('Old password', { exact: true }).fill('not the password')
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('Confirm password', { exact: true }).fill(next)
  const change = page.getByRole('button', { name: 'Change password' })
  await change.click()
  await proof.getByText('This needs your second factor.').waitFor()
  expect(await proof.getByLabel('Password', { exact: true }).count()).toBe(0)
  await proof.getByRole('textbox', { name: 'Code' }).fill(codes[2] ?? '')
  await press(page, 'Confirm')
  await page.getByText('password is wrong').waitFor()
  await page.getByLabel('Old password', { exact: true }).fill(old)
  await change.click()
  await proof.getByRole('textbox', { name: 'Code' }).fill(codes[2] ?? '')
  await press(page, 'Confirm')
  await page.getByText('Password updated successfully.').waitFor()
  await tab.getByRole('link', { name: 'Overview' }).click()
  await heading(tab, 'Overview')
  await context.close()
})

test('a passkey: added, used to log in without a password, removed', async () => {
  const support = await openOperator(browser, server, 'support')
  const { context, page } = support
  await plugInPasskey(support)
  await page.goto(area(server, '/account'))
  await page.getByLabel('Name of the new passkey').fill('Desk key')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await proveByPassword(page)
  await page.getByRole('heading', { name: 'Recovery codes', level: 2 }).waitFor()
  await press(page, 'I have kept them')
  await page.getByText('Desk key').waitFor()

  await logOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await heading(page, 'Overview')
  await page.goto(area(server, '/account'))
  await page.getByRole('button', { name: 'Remove' }).click()
  await press(page, 'Remove')
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Password', { exact: true }).fill(password)
  await proof.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('The passkey was removed.').waitFor()
  await logOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor()
  expect(new URL(page.url()).pathname).not.toContain('dashboard')
  await context.close()
})

test('a second link opens in the tab where the first one was used up', async () => {
  const owner = await openOperator(browser, server, 'owner')
  await owner.page.goto(area(server, '/operators'))
  await owner.page.getByLabel('Login', { exact: true }).fill('latecomer')
  await owner.page.getByRole('button', { name: 'Invite' }).click()
  await proveByPassword(owner.page)
  const link = (await owner.page.getByRole('dialog').getByText('#invitation=').innerText()).trim()
  const page = await openLink(`${server.url}/operator`)
  await page.getByLabel('Login', { exact: true }).waitFor()
  // Only the fragment changes, so the page does not reload.
  await page.goto(link)
  await heading(page, 'Set your password')
  await page.goto(`${server.url}/operator#invitation=${'a'.repeat(43)}`)
  await page.getByLabel('New password', { exact: true }).fill('three words that only one knows')
  await page.getByLabel('Confirm password', { exact: true }).fill('three words that only one knows')
  await page.getByRole('button', { name: 'Set password and log in' }).click()
  await page.getByText('This link has expired or was used already.').waitFor()
  await page.goto(link)
  await heading(page, 'Set your password')
  await page.context().close()
  await owner.context.close()
})
