import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { describe, expect, test } from 'vitest'
import type { PublicCampaign } from '../../src/shared/api/campaign.ts'
import type { Operator } from '../../src/shared/api/operators.ts'
import type { StageSettings } from '../../src/shared/campaign-settings.ts'
import type { Role } from '../../src/shared/roles.ts'
import { password } from '../support/api.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { brokenRules } from '../support/campaign.ts'
import { makeOrder, operatorApi, registerBuyer } from '../support/every-state.ts'
import { area, logInByForm, openOperator } from '../support/operator-pages.ts'
import { statement } from '../support/statement.ts'
import { callFromPage, proveByPassword } from '../support/visitor.ts'

const longAgo = statement(
  'test_login_long_ago',
  `update operator_sessions set authenticated_at = now() - interval '1 hour'`,
)

const stagesEnd = statement(
  'test_stages_end',
  `update stages set ends_at = now() + interval '30 hours', names = jsonb_build_object('en', name, 'ru', 'Этап первый')`,
)

const registeredIn2020 = statement(
  'test_registered_in_2020',
  `update users set created_at = '2020-02-29T12:00:00Z' where email = $1`,
)

const waitForSecond = statement(
  'test_wait_for_second',
  `insert into approval_requests (kind, subject_type, subject_id, payload, summary, requested_by, requested_at, expires_at)
   select kind, 'order', '1', '{}', '{}', (select min(id) from operators), now(), now() + interval '1 day'
     from (values ('grant.add'), ('order.approve')) waiting (kind)`,
)

const { server, browser, owner: firstOwner } = await startStaffedServerAndBrowser()
let owner = firstOwner
await orderOf('first@example.org', '40')

/** A new buyer orders `tokens`; answers the order's number. */
async function orderOf(email: string, tokens: string): Promise<number> {
  return (await makeOrder(await registerBuyer(server, email), tokens)).number
}

/** Runs with a signed-in operator and closes their browser after it. */
async function as(login: Role, work: (page: Page) => Promise<void>): Promise<void> {
  const { context, page } = await openOperator(browser, server, login)
  try {
    await work(page)
  } finally {
    await context.close()
  }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const isDisabled = async (page: Page, name: string) =>
  (await page.getByRole('button', { name, exact: true }).first().getAttribute('aria-disabled')) === 'true'

describe('the way in', () => {
  test('without a session the guard leads to the login form, and back afterwards', async () => {
    const page = await browser.newPage()
    await page.goto(area(server, '/users'))
    await page.waitForURL(/\/admin\?operator/)
    await logInByForm(page, 'owner', 'not the password')
    await page.getByText('Login failed.').waitFor()
    await logInByForm(page, 'owner')
    await heading(page, 'All Users').waitFor()
    expect(new URL(page.url()).pathname).toBe('/operator/dashboard/users')
    await page.close()
  })

  test('the joke terminal stays a joke for everybody else', async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/admin`)
    await page.getByRole('button', { name: 'Admin panel' }).waitFor()
    expect(await page.getByLabel('Login', { exact: true }).count()).toBe(0)
    await page.close()
  })
})

describe('currencies', () => {
  test('are added, edited and deleted', async () => {
    await as('finance', async (page) => {
      await page.goto(area(server))
      await page.getByRole('button', { name: 'Add currency' }).click()
      await page.getByText('Currency must be at least 2 characters.').waitFor()
      await page.getByText('Rate must be a positive number.').waitFor()
      await page.getByLabel('Currency', { exact: true }).fill('peppa')
      await page.getByLabel('Full name').fill('Peppa Coin')
      await page.getByLabel('Rate (ITOKEN for 1)').fill('0,5')
      await page.getByLabel('Address', { exact: true }).fill('an-address-of-a-test')
      await page.getByRole('button', { name: 'Add currency' }).click()
      await page.getByText('Cryptocurrency PEPPA added.').waitFor()

      await page.getByRole('button', { name: 'Edit PEPPA' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Full name').fill('Peppa Coin II')
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Cryptocurrency PEPPA has been updated.').waitFor()
      await page.getByText('Peppa Coin II').waitFor()

      await page.getByRole('button', { name: 'Delete PEPPA' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete PEPPA' }).click()
      await page.getByText('Your crypto - PEPPA has been deleted.').waitFor()
      await page.getByText('Peppa Coin II').waitFor({ state: 'detached' })
    })
  })

  test('one that orders use is switched off instead', async () => {
    await orderOf('switched.off@example.org', '41')
    await as('finance', async (page) => {
      await page.goto(area(server))
      await page.getByRole('button', { name: 'Delete USDT' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete USDT' }).click()
      await page.getByText('USDT is switched off; orders still use it.').waitFor()
      await page.getByRole('button', { name: 'More for USDT' }).click()
      await page.getByRole('menuitem', { name: 'Switch on' }).click()
      await page.getByText('USDT is on sale again.').waitFor()
    })
  })

  test('an edit that another operator overtook shows the difference and saves nothing', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server))
      await page.getByRole('button', { name: 'Edit LINK' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Full name').fill('Mine')
      await owner('PUT', '/operator/currencies/LINK', { fullName: 'Theirs' })
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await dialog.getByText('Somebody else changed this meanwhile. Nothing was saved.').waitFor()
      expect(await dialog.getByRole('cell', { name: 'Theirs' }).count()).toBe(1)
      await dialog.getByRole('button', { name: 'Keep mine, then save again' }).click()
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Cryptocurrency LINK has been updated.').waitFor()
    })
  })

  test('the main currency asks again who it is after a quarter of an hour', async () => {
    await as('finance', async (page) => {
      await server.database.db.query(longAgo)
      await page.goto(area(server, '/change-main-currency'))
      await page.getByLabel('New value in dollars').fill('4.75')
      await page.getByRole('button', { name: 'Change value' }).click()
      await page.getByRole('button', { name: 'Change to $4.75' }).click()
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await dialog.getByLabel('Password', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('Currency updated successfully!').waitFor()
      await page.locator('dd', { hasText: '$4.75' }).waitFor()
    })
    owner = await operatorApi(server, 'owner')
    await owner('PUT', '/operator/price', { priceUsd: '4.5' })
  })

  test('a main currency that somebody else changed while it was asked about stays theirs', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server, '/change-main-currency'))
      await page.getByLabel('New value in dollars').fill('4.75')
      await page.getByRole('button', { name: 'Change value' }).click()
      await page.getByRole('button', { name: 'Change to $4.75' }).waitFor()
      await owner('PUT', '/operator/price', { priceUsd: '4.6' })
      await page.getByRole('button', { name: 'Change to $4.75' }).click()
      await page.getByText('A stage that began, or somebody else, changed it meanwhile.').waitFor()
      await page.locator('dd', { hasText: '$4.60' }).waitFor()
    })
    await owner('PUT', '/operator/price', { priceUsd: '4.5' })
  })
})

describe('orders', () => {
  test('are approved, rejected, deleted and put back; the ledger holds', async () => {
    const number = await orderOf('one.order@example.org', '100')
    await as('finance', async (page) => {
      await page.goto(area(server, '/transactions?search=one.order'))
      const row = page.getByRole('row').filter({ hasText: 'one.order@example.org' })
      await row.getByRole('button', { name: `Actions for order ${number}` }).click()
      await page.getByRole('menuitem', { name: 'Approve payment' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('105 ITOKEN').waitFor()
      await dialog.getByRole('button', { name: 'Approve payment' }).click()
      await page.getByText(`Order #${number} approved`).waitFor()
      await row.getByText('approved').waitFor()

      // An approved order can't be deleted: the item stays and says why.
      await row.getByRole('button', { name: `Actions for order ${number}` }).click()
      const deletes = page.getByRole('menuitem', { name: /^Delete/ })
      await deletes.getByText('Reject or refund this order first.').waitFor()
      expect(await deletes.getAttribute('aria-disabled')).toBe('true')
      await page.keyboard.press('Escape')

      await row.getByRole('link', { name: String(number), exact: true }).click()
      await page
        .getByRole('complementary', { name: `Order #${number}` })
        .getByText('105 ITOKEN')
        .first()
        .waitFor()
      await page.getByRole('link', { name: 'Open as a page' }).click()
      await heading(page, `Order #${number}`).waitFor()
      await page.getByText('operator finance').waitFor()
      expect(await page.getByRole('row').filter({ hasText: 'order approved' }).count()).toBeGreaterThan(1)

      await page.getByRole('button', { name: 'Reject payment' }).click()
      // With an amount of 0 nothing is owed, so the order can be deleted.
      await page.getByLabel('How much came').fill('0')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Reject payment' }).click()
      await page.getByText(`Order #${number} rejected`).waitFor()
      await page.getByText('Approval taken back', { exact: true }).first().waitFor()

      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText(`Order #${number} deleted`).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(`Order #${number} is back`).waitFor()
    })
    expect(await brokenRules(server.database.db)).toEqual([])
  })

  test('the list follows an order that changes elsewhere', async () => {
    const number = await orderOf('live.order@example.org', '60')
    await as('support', async (page) => {
      // The page listens only after loading; earlier changes are not reported.
      const listening = page.waitForResponse((response) => response.url().includes('/live?operator=1'))
      await page.goto(area(server, '/transactions?search=live.order'))
      await listening
      const row = page.getByRole('row').filter({ hasText: 'live.order@example.org' })
      await row.getByText('pending').waitFor()
      await owner('POST', `/operator/orders/${number}/approve`, {})
      await row.getByText('approved').waitFor()
    })
  })

  test('a list that fails to load says so and offers to try again', async () => {
    await as('support', async (page) => {
      let isBroken = true
      await page.route('**/api/v1/operator/orders?**', (route) =>
        isBroken
          ? route.fulfill({
              status: 500,
              json: { error: { code: 'internal', message: 'Broken', requestId: 'x' } },
            })
          : route.continue(),
      )
      await page.goto(area(server, '/transactions'))
      await page.getByText('Failed to load data').waitFor()
      expect(await page.getByText('No results.').count()).toBe(0)
      // The list is asked for again by itself, too: whole only from the press on, so that it is the press that brings it back.
      await page.exposeFunction('fix', () => {
        isBroken = false
      })
      await page.evaluate(() =>
        document.addEventListener('click', () => (globalThis as unknown as { fix(): void }).fix(), true),
      )
      await page.getByRole('button', { name: 'Retry' }).click()
      await page.getByRole('table', { name: 'All Transactions' }).waitFor()
    })
  })
})

describe('the campaign', () => {
  test('is saved with what will change said first; wrong figures stay in the form', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server, '/campaign'))
      const tab = (name: string) => page.getByRole('tab', { name })
      await tab('Supply and limits').click()
      const share = page.getByLabel('Per cent').first()
      const before = await share.inputValue()
      await share.fill('')
      await page.getByText(/^Together .* not 100 %/).waitFor()
      await tab('Supply and limits').getByRole('img', { name: 'not saved' }).waitFor()
      // An error in a hidden tab opens the tab at the field.
      await tab('Token and seller').click()
      expect(await share.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Save the settings' }).click()
      await page.getByText('Enter a percentage with at most 2 decimals.').waitFor()
      await tab('Supply and limits').getByRole('img', { name: 'to fix' }).waitFor()
      await expect.poll(() => share.evaluate((field) => field === document.activeElement)).toBe(true)
      await share.fill(before)
      await tab('Token and seller').click()
      await page.getByLabel('Tagline, English').fill('Checked by a test.')
      // Typed values survive a change of tabs; the address leads back to the tab.
      await tab('Stages').click()
      await tab('Token and seller').click()
      expect(await page.getByLabel('Tagline, English').inputValue()).toBe('Checked by a test.')
      expect(new URL(page.url()).search).toBe('?tab=token')
      await page.getByRole('button', { name: 'Save the settings' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('Tagline').waitFor()
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('The campaign was saved.').waitFor()
    })
    await as('owner', async (page) => {
      await page.goto(area(server, '/campaign'))
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Settings as a file' }).click(),
      ])
      const written = JSON.parse(await readFile(await file.path(), 'utf8'))
      const read = (text: string) =>
        page
          .getByLabel('File of settings')
          .setInputFiles({ name: 'settings.json', mimeType: 'application/json', buffer: Buffer.from(text) })
      await read('{"format":"another"}')
      await page.getByText('This is no file of settings.').waitFor()
      written.settings.feedRateMaxMinutes = 17
      written.settings.levels[0].bonusPercent = '6'
      await read(JSON.stringify(written))
      await page.getByText("Not saved: Levels, Age limit of a price source's rate").waitFor()
      // Another file would replace unsaved values.
      const readsFile = page.getByRole('button', { name: 'Read settings from a file' })
      expect(await readsFile.getAttribute('aria-disabled')).toBe('true')
      await page.getByRole('button', { name: 'Save the settings' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByRole('listitem').filter({ hasText: 'Bronze · Bonus, per cent: 5 → 6' }).waitFor()
      await dialog
        .getByRole('listitem')
        .filter({ hasText: "Age limit of a price source's rate: 5 minutes → 17 minutes" })
        .waitFor()
    })
    const { settings } = await owner<{ settings: { tagline: { en: string } } }>('GET', '/operator/campaign')
    expect(settings.tagline.en).toBe('Checked by a test.')
  })

  test('shows the tab that the address names within a narrow screen, and the stages where it names none', async () => {
    await as('owner', async (page) => {
      await page.setViewportSize({ width: 320, height: 640 })
      const chosen = page.getByRole('tab', { selected: true })
      const isWithin = () =>
        chosen.evaluate((tab) => {
          const { left, right } = tab.getBoundingClientRect()
          return left >= 0 && right <= innerWidth
        })
      await page.goto(area(server, '/campaign?tab=running'))
      await page.getByRole('tab', { name: 'Running the sale', selected: true }).waitFor()
      await expect.poll(isWithin).toBe(true)
      expect(await page.evaluate(() => scrollY)).toBe(0)
      await chosen.focus()
      await page.keyboard.press('Home')
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Stages')
      await page.keyboard.press('Enter')
      await page.getByRole('tab', { name: 'Stages', selected: true }).waitFor()
      await expect.poll(isWithin).toBe(true)
      await page.goto(area(server, '/campaign?tab=elsewhere'))
      await page.getByRole('tab', { name: 'Stages', selected: true }).waitFor()
    })
  })

  test('that another owner overtook shows the difference, and is saved over theirs when asked', async () => {
    interface Campaign {
      revision: number
      settings: { tagline: { en: string } }
    }
    const read = () => owner<Campaign>('GET', '/operator/campaign')
    await as('owner', async (page) => {
      const save = async () => {
        await page.getByRole('button', { name: 'Save the settings' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
      }
      await page.goto(area(server, '/campaign?tab=token'))
      await page.getByLabel('Tagline, English').fill('Mine.')
      const { revision, settings } = await read()
      const theirs = { ...settings, tagline: { ...settings.tagline, en: 'Theirs.' } }
      await owner('PUT', '/operator/campaign', { revision, settings: theirs })
      await save()
      const alert = page.getByRole('alert').filter({ hasText: 'Somebody else changed this meanwhile.' })
      await alert.getByRole('row', { name: /^Tagline.*Mine\..*Theirs\./ }).waitFor()
      const isSeen = () => alert.evaluate((shown) => shown.getBoundingClientRect().top < innerHeight)
      await expect.poll(isSeen).toBe(true)
      expect((await read()).settings.tagline.en).toBe('Theirs.')
      await alert.getByRole('button', { name: 'Keep mine, then save again' }).click()
      await save()
      await page.getByText('The campaign was saved.').waitFor()
      await page.getByText('Everything is saved.').waitFor()
    })
    expect((await read()).settings.tagline.en).toBe('Mine.')
  })

  test('gets a stage, and is paused with a public reason', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server, '/campaign'))
      await page.getByRole('button', { name: 'Add a stage' }).click()
      const form = page.getByRole('dialog')
      await form.getByRole('button', { name: 'Save the stage' }).click()
      await form.getByText('Enter a plain number with at most 2 decimals.').waitFor()
      await form.getByLabel('Goal in dollars').fill('1000')
      const year = new Date().getUTCFullYear() + 2
      await form.getByLabel(/^Start/).fill(`${year}-01-01T00:00`)
      await form.getByLabel(/^End/).fill(`${year}-02-01T00:00`)
      await form.getByRole('button', { name: 'Save the stage' }).click()
      await page.getByText('The stage was added.').waitFor()
      await page.getByRole('cell', { name: 'Stage 2', exact: true }).waitFor()

      await page.getByRole('button', { name: 'Pause the sale' }).click()
      await page.getByLabel('Public reason, English').fill('Back in a minute.')
      await page.getByRole('dialog').getByRole('button', { name: 'Pause the sale' }).click()
      await page.getByText('Back in a minute.').first().waitFor()
      await page.getByRole('button', { name: 'Resume the sale' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Resume the sale' }).click()
      await page.getByText('The sale goes on.').waitFor()
    })
  })

  test('a pause, a stage and a role that another owner overtook show the difference and save nothing', async () => {
    await as('owner', async (page) => {
      const alert = page.getByRole('alert').filter({ hasText: 'Somebody else changed this meanwhile.' })
      await page.goto(area(server, '/campaign'))
      await page.getByRole('button', { name: 'Pause the sale' }).click()
      await page.getByLabel('Public reason, English').fill('Mine.')
      const reason = { en: 'Theirs.', ru: '' }
      const paused = { paused: true, previousPausedAt: null, reason }
      const { pausedAt } = await owner<{ pausedAt: string }>('PUT', '/operator/pause', paused)
      await page.getByRole('dialog').getByRole('button', { name: 'Pause the sale' }).click()
      await alert.getByRole('row', { name: 'Public reason, English Mine. Theirs.' }).waitFor()
      await alert.getByRole('button', { name: 'Use the stored version' }).click()
      await page.getByText('Theirs.').first().waitFor()
      await owner('PUT', '/operator/pause', { paused: false, previousPausedAt: pausedAt })

      await page.goto(area(server, '/campaign'))
      await page.getByRole('button', { name: 'Remove Stage 2' }).click()
      const { stages, revision } = await owner<{ stages: StageSettings[]; revision: number }>(
        'GET',
        '/operator/campaign',
      )
      const [, { goalUsd = '', priceUsd = '', startsAt = '', endsAt = '' } = {}] = stages
      const changed = { name: 'Stage two', priceUsd, startsAt, endsAt, goalUsd, revision }
      await owner('PUT', '/operator/stages/2', changed)
      const confirm = page.getByRole('alertdialog')
      await confirm.getByRole('button', { name: 'Remove', exact: true }).click()
      await alert.getByRole('row', { name: /^Name EN: Stage 2 .* EN: Stage two$/ }).waitFor()
      await alert.getByRole('button', { name: 'Remove it all the same' }).click()
      await confirm.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByText('The stage was removed.').waitFor()

      await owner('POST', '/operator/operators', { login: 'newcomer', role: 'support' })
      await page.goto(area(server, '/operators'))
      await page.getByRole('button', { name: 'Change newcomer' }).click()
      await page.getByRole('dialog').getByLabel('Email for notices').fill('mine@example.org')
      const { items } = await owner<{ items: Operator[] }>('GET', '/operator/operators')
      const newcomer = items.find(({ login }) => login === 'newcomer')
      await owner('PATCH', `/operator/operators/${newcomer?.id}`, {
        role: 'content',
        revision: newcomer?.revision,
      })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await proveByPassword(page)
      await alert.getByRole('row', { name: 'Role support content' }).waitFor()
    })
  })
})

describe('users', () => {
  test('balance is added once, and taken back', async () => {
    await orderOf('granted@example.org', '40')
    await as('finance', async (page) => {
      await page.goto(area(server, '/users'))
      expect(await page.getByRole('button', { name: 'Add Balance' }).isDisabled()).toBe(true)
      await page.getByLabel('Email', { exact: true }).fill('  granted@example.org ')
      await page.getByLabel('Amount', { exact: true }).fill('25,5')
      await page.getByLabel('Reason').fill('A prize')
      await page.getByRole('button', { name: 'Add Balance' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Add Balance' }).click()
      await page.getByText('Balance updated successfully!').waitFor()
      expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('')

      const row = page.getByRole('row').filter({ hasText: 'granted@example.org' })
      await row.getByRole('cell', { name: '25.5', exact: true }).waitFor()
      await row.getByRole('link').first().click()
      await page.getByText('A prize').waitFor()
      await page.getByRole('button', { name: 'Take back' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click()
      await page.getByText('The grant was taken back.').waitFor()
    })
    expect(await brokenRules(server.database.db)).toEqual([])
  })

  test('every ledger entry and grant of a user can be reached', async () => {
    await registerBuyer(server, 'long@example.org')
    for (let turn = 1; turn <= 52; turn++)
      await owner('POST', '/operator/grants', { email: 'long@example.org', amount: `${turn}`, reason: '' })
    await as('support', async (page) => {
      await page.goto(area(server, '/users?search=long@example.org'))
      await page.getByRole('row').filter({ hasText: 'long@example.org' }).getByRole('link').first().click()
      for (const name of ['Ledger entries', 'Grants']) {
        const rows = page.getByRole('table', { name }).getByRole('row')
        await rows.nth(50).waitFor()
        expect(await rows.count()).toBe(51)
        const older = page.getByRole('button', { name: name === 'Grants' ? 'Older grants' : 'Older entries' })
        await older.click()
        await rows.nth(52).waitFor()
        await older.waitFor({ state: 'detached' })
        expect(await rows.count()).toBe(53)
      }
    })
  })

  test('notes about a user are added, said by whom, and seen by others', async () => {
    await orderOf('noted@example.org', '40')
    await as('support', async (page) => {
      await page.goto(area(server, '/users?search=noted@example.org'))
      await page.getByRole('row').filter({ hasText: 'noted@example.org' }).getByRole('link').first().click()
      await page.getByText('No notes yet.').waitFor()
      await page.getByRole('button', { name: 'Add the note' }).click()
      await page.getByText('Write something.').waitFor()
      await page.getByLabel('Note', { exact: true }).fill('Called back.\nAll is well.')
      await page.getByRole('button', { name: 'Add the note' }).click()
      await page.getByText('The note was added.').waitFor()
      expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('')
      const path = new URL(page.url()).pathname
      await as('finance', async (other) => {
        await other.goto(server.url + path)
        const note = other.getByRole('listitem').filter({ hasText: 'Called back. All is well.' })
        await note.getByText(/^support ·/).waitFor()
      })
    })
  })

  test('a level says its language where its name is in none of the page’s', async () => {
    await as('support', async (page) => {
      await page.route('**/api/v1/campaign', async (route) => {
        const answer = await route.fetch()
        const campaign = (await answer.json()) as PublicCampaign
        for (const level of campaign.settings.levels) level.name = 'Бронза'
        await route.fulfill({ response: answer, json: campaign })
      })
      await page.goto(area(server, '/users'))
      const level = page.getByRole('row').getByText('Бронза').first()
      await level.waitFor()
      expect(await level.getAttribute('lang')).toBe('ru')
    })
  })

  test('size and position of the list survive a reload', async () => {
    await as('support', async (page) => {
      await page.goto(area(server, '/users'))
      await page.getByLabel('Users per page').fill('1')
      await page.getByLabel('Users per page').press('Enter')
      await expect.poll(() => page.getByRole('row').count()).toBe(2)
      const first = await page.getByRole('row').nth(1).innerText()
      await page.getByRole('button', { name: 'Next' }).click()
      await expect.poll(() => page.getByRole('row').nth(1).innerText()).not.toBe(first)
      const second = await page.getByRole('row').nth(1).innerText()
      await page.reload()
      await expect.poll(() => page.getByRole('row').nth(1).innerText()).toBe(second)
      await page.getByRole('button', { name: 'Previous' }).click()
      await expect.poll(() => page.getByRole('row').nth(1).innerText()).toBe(first)
    })
  })
})

/** Each role's pages, and its visible but disabled buttons. */
const rolesToTry: { role: Role; opens: [string, string][]; closed: string[]; blocked: [string, string][] }[] =
  [
    {
      role: 'finance',
      opens: [
        ['/users', 'All Users'],
        ['/transactions', 'All Transactions'],
        ['/audit', 'Audit log'],
      ],
      closed: ['/content', '/pixels', '/operators', '/integrations'],
      blocked: [
        ['/campaign', 'Pause the sale'],
        ['/campaign', 'Add a stage'],
      ],
    },
    {
      role: 'content',
      opens: [
        ['/content', 'Content'],
        ['/pixels', 'Manage API Keys'],
      ],
      closed: ['/users', '/transactions', '/audit', '/operators', '/integrations', '/payments'],
      blocked: [
        ['', 'Add currency'],
        ['', 'Update ERC-20 Wallet'],
        ['/campaign', 'Pause the sale'],
      ],
    },
    {
      role: 'support',
      opens: [
        ['/users', 'All Users'],
        ['/transactions', 'All Transactions'],
      ],
      // every-route.operator.test.ts opens each of them.
      closed: [],
      blocked: [
        ['', 'Edit BTC'],
        ['', 'Delete BTC'],
        ['', 'Update Crypto Rates'],
        ['/transactions/1', 'Approve payment'],
        ['/transactions/1', 'Reject payment'],
      ],
    },
  ]

describe('roles', () => {
  test.each(rolesToTry)(
    '$role finds its own pages and reasons for the rest',
    async ({ role, opens, closed, blocked }) => {
      await as(role, async (page) => {
        for (const [path, title] of opens) {
          await page.goto(area(server, path))
          await heading(page, title).waitFor()
        }
        for (const path of closed) {
          await page.goto(area(server, path))
          await page.getByText('Not for your role', { exact: true }).waitFor()
        }
        for (const [path, name] of blocked) {
          if (page.url() !== area(server, path)) await page.goto(area(server, path))
          await page.getByRole('button', { name, exact: true }).waitFor()
          expect(await isDisabled(page, name), `${role}: ${name}`).toBe(true)
        }
        // A missing right ends nothing.
        await page.goto(area(server))
        await heading(page, 'Crypto').waitFor()
      })
    },
  )

  test.each([
    ['content', 'GET', '/operator/orders'],
    ['content', 'GET', '/operator/users'],
    ['support', 'POST', '/operator/orders/1/approve'],
    ['support', 'POST', '/operator/grants'],
    ['support', 'DELETE', '/operator/currencies/BTC'],
    ['finance', 'PUT', '/operator/campaign'],
    ['finance', 'GET', '/operator/operators'],
    ['finance', 'GET', '/operator/announcements'],
  ] as const)('the server refuses %s: %s %s', async (login, method, path) => {
    const api = await operatorApi(server, login)
    await expect(api(method, path, method === 'GET' ? undefined : {})).rejects.toMatchObject({
      status: 403,
      code: 'not_for_your_role',
    })
  })
})

test('what was raised leads to the orders that it is the sum of, by who approved them', async () => {
  const number = await orderOf('raised@example.org', '44')
  await (await operatorApi(server, 'owner'))('POST', `/operator/orders/${number}/approve`, {})
  await as('owner', async (page) => {
    for (const [place, address, rows] of [
      [0, '?status=approved&deleted=yes', 1],
      [1, '?status=approved&deleted=yes&via=chain', 0],
      [2, '?status=approved&deleted=yes&via=operator', 1],
    ] as const) {
      await page.goto(area(server, '/overview'))
      const raised = page.locator('dl > div').filter({ has: page.getByText('Raised', { exact: true }) })
      await raised.getByRole('link').nth(place).click()
      await page.waitForURL((url) => url.search === address)
      await page
        .getByText(rows ? 'raised@example.org' : 'No results.')
        .first()
        .waitFor()
      await expect
        .poll(() => page.getByRole('row').filter({ hasText: 'raised@example.org' }).count())
        .toBe(rows)
    }
  })
})

test('on the narrowest phone the whole address of a buyer stands in the list of orders', async () => {
  await orderOf('somebody.with.a.long.address@mailbox.example.org', '45')
  await as('owner', async (page) => {
    await page.setViewportSize({ width: 320, height: 800 })
    await page.goto(area(server, '/transactions?view=waiting'))
    const address = page.getByRole('link', { name: 'somebody.with.a.long.address@mailbox.example.org' })
    await address.waitFor()
    const right = await address.evaluate((link) => {
      const words = document.createRange()
      words.selectNodeContents(link)
      return words.getBoundingClientRect().right
    })
    expect(right).toBeLessThanOrEqual(320)
  })
})

test('registrations of the overview lead to the users of those days', async () => {
  await server.database.db.query(registeredIn2020, ['first@example.org'])
  await registerBuyer(server, 'today@example.org')
  await as('owner', async (page) => {
    await page.goto(area(server, '/overview?from=2020-02-29&to=2020-02-29'))
    await page.getByRole('link', { name: 'Registrations' }).click()
    await page.getByText(/^Registered from Feb 29, 2020/).waitFor()
    const users = page.getByRole('row').filter({ hasText: '@example.org' })
    await expect.poll(() => users.count()).toBe(1)
    await users.getByText('first@example.org').waitFor()
    await page.getByRole('button', { name: 'All users' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.goto(area(server, '/overview'))
    await page.getByRole('link', { name: /registered today$/ }).click()
    await page.getByText(/^Registered from/).waitFor()
    await users.getByText('today@example.org').waitFor()
    expect(await page.getByText('first@example.org').count()).toBe(0)
  })
})

test('days that end before they begin are called so, and the page goes on with ones that do not', async () => {
  await as('owner', async (page) => {
    await page.goto(area(server, '/overview?from=2020-03-01&to=2020-02-29'))
    await page.getByText('The last day is before the first one. Choose one that is not.').waitFor()
    await page.getByLabel('From', { exact: true }).fill('2020-02-28')
    await page.getByRole('heading', { name: 'Raised against goal and time' }).waitFor()
  })
})

test('the log names a mail by when it is sent, not by its code', async () => {
  await as('owner', async (page) => {
    await page.goto(area(server, '/audit?type=mail&subject=order_created%20en'))
    await page.getByRole('button', { name: '(An order was created, English)' }).waitFor()
  })
})

test('the days of a figure’s link stay when another filter is applied to its list', async () => {
  await as('owner', async (page) => {
    const days = { from: '2020-02-29T00:00:00.000Z', to: '2020-03-01T00:00:00.000Z' }
    await page.goto(area(server, `/transactions?${new URLSearchParams(days)}`))
    await page.getByRole('button', { name: 'Filters: 2' }).click()
    await page.getByText('Feb 29, 2020').first().waitFor()
    const drawnBy = await page
      .locator('select')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).appearance))
    expect([...new Set(drawnBy)]).toEqual(['none'])
    await page.getByLabel('Dollars from').fill('100')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/usdMin=100/)
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ ...days, usdMin: '100' })
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })
})

describe('what needs attention', () => {
  test('is said in the reader’s language, with the day since when a refund is owed', async () => {
    await server.database.db.query(stagesEnd)
    await server.database.db.query(waitForSecond)
    await server.context.campaign.refresh()
    const number = await orderOf('refunded@example.org', '40')
    const api = await operatorApi(server, 'owner')
    for (const decision of ['approve', 'reject'])
      await api('POST', `/operator/orders/${number}/${decision}`, {})
    await as('owner', async (page) => {
      await callFromPage(server, page.context(), 'PATCH', '/operator/session', { language: 'ru' })
      await page.goto(area(server, '/overview'))
      const list = page.getByRole('region', { name: 'Требует внимания' })
      await list
        .getByText(/^Этап первый: конец/)
        .first()
        .waitFor()
      await list.getByText('Действий ждут второго оператора: 2.').waitFor()
      await list.getByText(/Самый старый должны с \d+ \S+ \d{4}/).waitFor()
      await callFromPage(server, page.context(), 'PATCH', '/operator/session', { language: 'en' })
    })
  })
})
