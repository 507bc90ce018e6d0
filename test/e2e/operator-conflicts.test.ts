import type { Page } from '@playwright/test'
import { describe, expect, test } from 'vitest'
import { ensureChains } from '../../src/server/payments/watchers.ts'
import type { OperatorCampaign } from '../../src/shared/api/campaign.ts'
import type { OperatorCurrency } from '../../src/shared/api/currencies.ts'
import type { OperatorGiveaway } from '../../src/shared/api/giveaways.ts'
import type { OperatorChain } from '../../src/shared/api/payments.ts'
import { password } from '../support/api.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { makeOrder, registerBuyer } from '../support/every-state.ts'
import { giveawayDraft } from '../support/giveaways.ts'
import { area, logInByForm, openOperator, press } from '../support/operator-pages.ts'
import { statement } from '../support/statement.ts'
import { axeFindings, callFromPage, scriptsRun } from '../support/visitor.ts'

// Two owners do the same thing at once: whoever comes second sees what the first one changed, and chooses.

const endSessions = statement('test_end_operator_sessions', 'delete from operator_sessions where kind = $1')

const tellOperators = statement('test_tell_operators', "select pg_notify('live', $1)")
const loggedInLongAgo = statement(
  'test_browsers_login_long_ago',
  `update operator_sessions set authenticated_at = now() - interval '1 hour' where kind = $1`,
)

const { server, browser, owner } = await startStaffedServerAndBrowser({
  // A node that nobody reaches: the chain is there, and nothing is read of it.
  CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
})
await ensureChains(server.database.db, server.context.payments.configs)
const buyer = await registerBuyer(server, 'ann@example.org')

async function as(login: string, work: (page: Page) => Promise<void>): Promise<void> {
  const { context, page, faults } = await openOperator(browser, server, login)
  await work(page)
  expect(faults).toEqual([])
  await context.close()
}

/** On a narrow phone, and in English again afterwards. */
async function asRussian(work: (page: Page) => Promise<void>): Promise<void> {
  await as('owner', async (page) => {
    const speak = (language: string) =>
      callFromPage(server, page.context(), 'PATCH', '/operator/session', { language })
    await page.setViewportSize({ width: 320, height: 800 })
    await speak('ru')
    await work(page).finally(() => speak('en'))
  })
}

const alertOf = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'Somebody else changed this meanwhile. Nothing was saved.' })
const takeTheirs = (page: Page) =>
  alertOf(page).getByRole('button', { name: 'Use the stored version' }).click()
const keepMine = async (page: Page) => {
  await alertOf(page).getByRole('button', { name: 'Keep mine, then save again' }).click()
  await alertOf(page).waitFor({ state: 'detached' })
}

const campaign = () => owner<OperatorCampaign>('GET', '/operator/campaign')
const currencies = async () =>
  (await owner<{ items: OperatorCurrency[] }>('GET', '/operator/currencies')).items
const addressOf = async (code: string) => (await currencies()).find((one) => one.code === code)?.address

const [first, second, third] = ['11', '22', '33'].map((pair) => `0x${pair.repeat(20)}`) as [
  string,
  string,
  string,
]

describe('somebody else was first', () => {
  test('with the ERC-20 wallet: each address that stands now is shown, and replaced only by who says so', async () => {
    await owner('PUT', '/operator/currencies/evm-wallet', { address: first })
    await as('owner', async (page) => {
      await page.goto(area(server))
      const open = async () => {
        await page.getByRole('button', { name: 'Update ERC-20 Wallet' }).click()
        await page.getByRole('dialog').getByLabel('Address').fill(second)
      }
      await open()
      await owner('PUT', '/operator/currencies/evm-wallet', { address: third })
      await press(page, 'Update the wallet')
      await alertOf(page)
        .getByRole('row', { name: new RegExp(`^ETH, USDT, .* ${second} ${third}$`) })
        .waitFor()
      expect(await axeFindings(page)).toEqual([])
      expect(await addressOf('USDT')).toBe(third)
      await takeTheirs(page)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await addressOf('USDT')).toBe(third)

      await open()
      // One currency leaves the common wallet, another moves away alone.
      await owner('DELETE', '/operator/currencies/USDC')
      await owner('PUT', '/operator/currencies/LINK', { address: first })
      await press(page, 'Update the wallet')
      await alertOf(page)
        .getByRole('row', { name: `LINK ${second} ${first}` })
        .waitFor()
      await alertOf(page)
        .getByRole('row', { name: `USDC ${second} no longer shares the wallet` })
        .waitFor()
      await keepMine(page)
      await press(page, 'Update the wallet')
      await page.getByText(`ERC-20 wallets updated to ${second}`).waitFor()
    })
    expect([await addressOf('USDT'), await addressOf('LINK')]).toEqual([second, second])
  })

  test('with the pause of the sale: my reason replaces theirs once I say so, and a sale that runs again is no surprise', async () => {
    const pause = (paused: boolean, previousPausedAt: string | null, reason?: object) =>
      owner<{ pausedAt: string | null }>('PUT', '/operator/pause', { paused, previousPausedAt, reason })
    await as('owner', async (page) => {
      await page.goto(area(server, '/campaign'))
      await page.getByRole('button', { name: 'Pause the sale' }).click()
      await page.getByLabel('Public reason, English').fill('Mine.')
      await pause(true, null, { en: 'Theirs.', ru: 'Их.' })
      await press(page, 'Pause the sale')
      await alertOf(page).getByRole('row', { name: 'Public reason, Russian — Их.' }).waitFor()
      expect((await campaign()).pauseReason).toEqual({ en: 'Theirs.', ru: 'Их.' })
      await keepMine(page)
      await press(page, 'Pause the sale')
      // The page has said that the sale is paused since the other one paused it.
      await expect.poll(async () => (await campaign()).pauseReason?.en).toBe('Mine.')
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Resume the sale' }).click()
      const { pausedAt } = await campaign()
      await pause(false, pausedAt)
      await press(page, 'Resume the sale')
      await alertOf(page).waitFor()
      await takeTheirs(page)
      expect((await campaign()).pausedAt).toBeNull()
    })
  })

  test('with the pause of a currency: a reason in another language is seen as well', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server))
      await page.getByRole('button', { name: 'More for BNB' }).click()
      await page.getByRole('menuitem', { name: 'Pause…' }).click()
      await page.getByLabel('Public reason, English').fill('The node is down.')
      await owner('PUT', '/operator/currencies/BNB/pause', {
        paused: true,
        reason: { en: 'The node is down.', ru: 'Узел не отвечает.' },
      })
      await press(page, 'Pause BNB')
      await alertOf(page)
        .getByRole('row', {
          name: 'Public reason EN: The node is down. EN: The node is down. / RU: Узел не отвечает.',
        })
        .waitFor()
      await takeTheirs(page)
      expect(await page.getByLabel('Public reason, Russian').inputValue()).toBe('Узел не отвечает.')
    })
  })

  test('with a new stage: both are there only where that is wanted', async () => {
    const { revision, stages } = await campaign()
    const end = Math.max(...stages.map(({ endsAt }) => Date.parse(endsAt)))
    const day = (days: number) => new Date(end + days * 86_400_000).toISOString()
    await as('owner', async (page) => {
      await page.goto(area(server, '/campaign'))
      await page.getByRole('button', { name: 'Add a stage' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name, English').fill('Mine')
      await dialog.getByLabel('Goal in dollars').fill('1000')
      await dialog.getByLabel('End (UTC').fill(day(5).slice(0, 16))
      await owner('POST', '/operator/stages', {
        name: 'Theirs',
        goalUsd: '2000',
        priceUsd: '4.5',
        startsAt: day(10),
        endsAt: day(12),
        revision,
      })
      await press(page, 'Save the stage')
      await alertOf(page)
        .getByRole('row', { name: /Stages Stage 1 Stage 1, Theirs/ })
        .waitFor()
      expect((await campaign()).stages).toHaveLength(stages.length + 1)
      await keepMine(page)
      expect(await dialog.getByLabel('Name, English').inputValue()).toBe('Mine')
      await press(page, 'Save the stage')
      await page.getByText('The stage was added.').waitFor()
    })
    expect((await campaign()).stages).toHaveLength(stages.length + 2)
  })

  test('with the addresses that refunds are paid from', async () => {
    const senders = async () => {
      const { items } = await owner<{ items: OperatorChain[] }>('GET', '/operator/chains')
      return items.find(({ network }) => network === 'ethereum')?.refundSenders
    }
    const path = '/operator/chains/ethereum/refund-senders'
    await owner('PUT', path, { addresses: [first] })
    await as('owner', async (page) => {
      await page.goto(area(server, '/payments?tab=chains'))
      await page.getByRole('button', { name: 'More for Ethereum', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Refunds from…' }).click()
      await page.getByRole('dialog').getByRole('textbox').fill(`${first}\n${second}`)
      await owner('PUT', path, { addresses: [third] })
      await press(page, 'Save')
      await alertOf(page)
        .getByRole('row', { name: `Addresses, one a line ${first} ${second} ${third}` })
        .waitFor()
      expect(await senders()).toEqual([third])
      await keepMine(page)
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
    })
    expect(await senders()).toEqual([first, second])
  })

  test('with words of the program in the settings: told in the page’s language, not by their code names', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server, '/campaign?tab=supply'))
      await page.getByLabel('If the soft cap is missed').click()
      await page.getByRole('option', { name: 'Money is sent back' }).click()
      const { revision, settings } = await campaign()
      const buyers = { ...settings.buyers, phone: 'not_asked' as const }
      await owner('PUT', '/operator/campaign', { revision, settings: { ...settings, buyers } })
      await page.getByRole('button', { name: 'Save the settings' }).click()
      await page.getByRole('alertdialog').getByText('payments are owed back').waitFor()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
      const alert = alertOf(page)
      await alert.getByRole('row', { name: /Phone.* not asked for$/ }).waitFor()
      await alert
        .getByRole('row', { name: /payments are owed back nothing is refunded for that reason$/ })
        .waitFor()
      await takeTheirs(page)
    })
  })

  test('with a level in the settings: its name says which one it is', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server, '/campaign?tab=levels'))
      await page.getByLabel('Bonus, per cent').nth(1).fill('6.5')
      const { revision, settings } = await campaign()
      const levels = settings.levels.map((level, at) => (at === 1 ? { ...level, bonusPercent: '6' } : level))
      await owner('PUT', '/operator/campaign', { revision, settings: { ...settings, levels } })
      await page.getByRole('button', { name: 'Save the settings' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
      await alertOf(page)
        .getByRole('row', { name: /^Levels Silver · Bonus, per cent 6\.5 6$/ })
        .waitFor()
      await takeTheirs(page)
      expect(await page.getByLabel('Bonus, per cent').nth(1).inputValue()).toBe('6')
    })
  })
})

describe('on a narrow phone in Russian', () => {
  test('the parts of a giveaway are told in words, in one order', async () => {
    const draft = giveawayDraft()
    const { id, revision } = await owner<OperatorGiveaway>('POST', '/operator/giveaways', draft, {
      'idempotency-key': 'giveaway',
    })
    await asRussian(async (page) => {
      await page.goto(area(server, '/content?tab=giveaways'))
      await page.getByRole('button', { name: /^Изменить/ }).click()
      await page.getByLabel('Спонсор', { exact: true }).fill('Мы сами')
      const prizes = [{ ...draft.prizes[0], count: 3 }]
      await owner('PUT', `/operator/giveaways/${id}`, { ...draft, prizes, countries: ['EE'], revision })
      await press(page, 'Сохранить черновик')
      const alert = page.getByRole('alert').filter({ hasText: 'Это уже изменил кто-то другой.' })
      await alert.getByText(/^1 × EN: A red bicycle .*, 1\s500,00\s\$$/).waitFor()
      await alert.getByText(/^3 × EN: A red bicycle .*, 1\s500,00\s\$$/).waitFor()
      await alert.getByText('Эстония, Германия, Франция').waitFor()
    })
  })

  test('both versions of an announcement are told apart, and both buttons stand inside', async () => {
    const texts = (en: string, ru: string) => ({ title: { en, ru }, body: { en, ru } })
    const draft = { image: null, pinned: false, publishedAt: null }
    const announcement = await owner<{ id: number; revision: number }>('POST', '/operator/announcements', {
      ...draft,
      ...texts('News', 'Новости'),
    })
    await asRussian(async (page) => {
      await page.goto(area(server, '/content'))
      await page.getByRole('button', { name: 'Изменить: Новости' }).click()
      await page.getByLabel('Заголовок, русский').fill('Мои новости')
      await owner('PUT', `/operator/announcements/${announcement.id}`, {
        ...draft,
        ...texts('News', 'Их новости'),
        revision: announcement.revision,
      })
      await press(page, 'Сохранить черновик')
      const alert = page.getByRole('alert').filter({ hasText: 'Это уже изменил кто-то другой.' })
      await alert.getByText('RU: Мои новости').waitFor()
      await alert.getByText('RU: Их новости').first().waitFor()
      const { right, inside } = await alert.evaluate((element) => ({
        right: Math.max(
          ...[...element.querySelectorAll('button')].map((button) => button.getBoundingClientRect().right),
        ),
        inside:
          element.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(element).paddingRight),
      }))
      expect(right).toBeLessThanOrEqual(inside)
    })
  })
})

describe('a note about a decision', () => {
  const approve = async (page: Page, note: string) => {
    await page.getByRole('button', { name: 'Approve payment' }).click()
    await page.getByLabel('Note for the record').fill(note)
  }

  test('is kept as a note about the order where somebody else had approved it', async () => {
    const { number } = await makeOrder(buyer)
    await as('owner', async (page) => {
      await page.goto(area(server, `/transactions/${number}`))
      await approve(page, 'Seen in the wallet at nine')
      await owner('POST', `/operator/orders/${number}/approve`, {})
      await press(page, 'Approve payment')
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('It is approved already.').waitFor()
      expect(await dialog.getByLabel('Note for the record').inputValue()).toBe('Seen in the wallet at nine')
      await press(page, 'Keep the note')
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('Seen in the wallet at nine').waitFor()
    })
  })

  test('is asked for where the answer was lost and somebody else had approved it', async () => {
    const { number } = await makeOrder(buyer)
    await as('owner', async (page) => {
      await page.goto(area(server, `/transactions/${number}`))
      await approve(page, 'Found while the line was down')
      await owner('POST', `/operator/orders/${number}/approve`, { reason: 'Found by a colleague' })
      await page.route(`**/orders/${number}/approve`, (route) => route.abort())
      await press(page, 'Approve payment')
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('It is approved already.').waitFor()
      expect(await dialog.getByText('No answer came.').count()).toBe(0)
      // Its own answer is lost, too.
      let sent = 0
      await page.route('**/users/*/notes', async (route) => {
        if (route.request().method() !== 'POST' || (sent += 1) > 1) return route.continue()
        await route.fetch()
        return route.abort()
      })
      await press(page, 'Keep the note')
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('Found while the line was down').first().waitFor()
      expect(sent).toBe(2)
      expect(await page.getByText('Found while the line was down').count()).toBe(1)
    })
  })

  test('is not taken for kept because an older decision has the same one', async () => {
    const { number } = await makeOrder(buyer)
    const decide = (decision: string, reason?: string) =>
      owner('POST', `/operator/orders/${number}/${decision}`, { reason })
    await decide('reject')
    await decide('hide', 'Seen')
    await decide('unhide')
    await as('owner', async (page) => {
      await page.goto(area(server, `/transactions/${number}`))
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByLabel('Note for the record').fill('Seen')
      await decide('hide')
      await press(page, 'Delete')
      await page.getByRole('alertdialog').getByText('It is deleted already.').waitFor()
    })
  })

  test('is looked for in what the server says after the decision', async () => {
    const { number } = await makeOrder(buyer)
    await as('owner', async (page) => {
      await page.goto(area(server, `/transactions/${number}`))
      await approve(page, 'Seen at noon')
      // An earlier read arrives after the decision.
      const { promise: isDecided, resolve: decided } = Promise.withResolvers<void>()
      const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
      await page.route(
        `**/api/v1/operator/orders/${number}`,
        async (route) => {
          const response = await route.fetch()
          asked()
          await isDecided
          await route.fulfill({ response }).catch(() => undefined)
        },
        { times: 1 },
      )
      await page.route(`**/orders/${number}/approve`, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response })
        setTimeout(decided, 500)
      })
      await server.database.db.query(tellOperators, [JSON.stringify({ orders: [String(number)] })])
      await isAsked
      await press(page, 'Approve payment')
      await page.getByText(`Order #${number} approved`).waitFor()
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    })
  })

  test('goes with the next attempt where the order can still be decided', async () => {
    const { number } = await makeOrder(buyer)
    await as('owner', async (page) => {
      await page.goto(area(server, `/transactions/${number}`))
      await page.getByRole('button', { name: 'Reject payment' }).click()
      await page.getByLabel('Note for the record').fill('It was another one')
      expect(await page.getByLabel('How much came').inputValue()).toBe('')
      await page.getByLabel('How much came').fill('0')
      await owner('POST', `/operator/orders/${number}/approve`, {})
      await press(page, 'Reject payment')
      await page.getByText(`Order #${number} was not changed`).waitFor()
      // The question is about the order's present state.
      await page.getByText('exactly the credited ones').waitFor()
      await press(page, 'Reject payment')
      await page.getByText(`Order #${number} rejected`).waitFor()
      await page.getByText('It was another one').waitFor()
    })
  })

  test('stays where the session has ended', async () => {
    const { number } = await makeOrder(buyer)
    await as('owner', async (page) => {
      await page.goto(area(server, `/transactions/${number}`))
      await approve(page, 'Typed for an hour')
      await server.database.db.query(endSessions, ['browser'])
      await press(page, 'Approve payment')
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
      expect(await page.getByLabel('Note for the record').inputValue()).toBe('Typed for an hour')
    })
  })
})

describe('what was typed', () => {
  test('is asked about before Back, another text or another tab takes it away', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server, '/content?tab=legal'))
      await page.getByRole('link', { name: 'Users', exact: true }).waitFor()
      await page.getByLabel('Terms, English').fill('A long text that nobody wants to write twice.')
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
      for (const leave of [
        () => page.getByRole('tab', { name: 'Documents' }).click(),
        () => page.getByRole('link', { name: 'Users', exact: true }).click(),
      ]) {
        await leave()
        await question.waitFor()
        await press(page, 'Stay')
        await question.waitFor({ state: 'detached' })
      }
      expect(await page.getByLabel('Terms, English').inputValue()).toContain('nobody wants to write twice')
      await page.getByRole('link', { name: 'Users', exact: true }).click()
      await press(page, 'Leave')
      await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()

      // The same of a form in a dialog, from where the browser's own button leads away.
      await page.goto(area(server, '/users'))
      await scriptsRun(page)
      await page.getByRole('link', { name: 'Content', exact: true }).click()
      await page.getByRole('button', { name: 'Write an announcement' }).click()
      await page.getByLabel('Title, English').fill('Half a sentence')
      await page.evaluate(() => history.back())
      await question.waitFor()
      await press(page, 'Stay')
      await question.waitFor({ state: 'detached' })
      expect(await page.getByLabel('Title, English').inputValue()).toBe('Half a sentence')
    })
  })

  test('is saved where the server was updated meanwhile and has other scripts', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server, '/campaign?tab=token'))
      await page.getByLabel('Tagline, English').fill('Typed over an update.')
      const hasCome = (part: string) =>
        page.evaluate(
          (name) => performance.getEntriesByType('resource').some((file) => file.name.includes(name)),
          part,
        )
      await expect.poll(() => hasCome('/StepUpDialog')).toBe(true)
      await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
      await server.database.db.query(loggedInLongAgo, ['browser'])
      await page.getByRole('button', { name: 'Save the settings' }).click()
      await press(page, 'Save')
      const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await proof.getByLabel('Password', { exact: true }).fill(password)
      await press(page, 'Confirm')
      await page.getByText('The campaign was saved.').waitFor()
    })
    expect((await campaign()).settings.tagline.en).toBe('Typed over an update.')
  })

  test('stays where the session has ended, and is saved after logging in beside it', async () => {
    await as('owner', async (page) => {
      await page.goto(area(server, '/content'))
      await page.getByRole('button', { name: 'Write an announcement' }).click()
      await page.getByLabel('Title, English').fill('Written for an hour')
      await page.getByLabel('Text, English').fill('Every word of it.')
      await server.database.db.query(endSessions, ['browser'])
      await press(page, 'Save the draft')
      const over = page.getByRole('dialog', { name: 'Your session has ended' })
      await over.waitFor()
      expect(await axeFindings(page)).toEqual([])
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        over.getByRole('link', { name: 'Log in in another tab' }).click(),
      ])
      await logInByForm(tab, 'owner')
      await tab.getByRole('heading', { name: 'My access', level: 1 }).waitFor()
      await tab.close()
      expect(await page.getByLabel('Title, English').inputValue()).toBe('Written for an hour')
      await press(page, 'Save the draft')
      await page.getByText('The draft is saved.').waitFor()
      await page.getByText('Written for an hour').first().waitFor()

      // Without typed values the login comes at once, and returns to the page whose read failed first.
      await server.database.db.query(endSessions, ['browser'])
      await page.getByRole('link', { name: 'Users', exact: true }).click()
      await page.waitForURL(/[?&]next=/)
      const next = new URL(page.url()).searchParams.get('next') ?? ''
      expect([area(server, '/users'), area(server, '/content')]).toContain(server.url + next)
      await logInByForm(page, 'owner')
      await page.waitForURL(server.url + next)
    })
  })
})
