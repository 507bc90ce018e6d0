import type { Page } from '@playwright/test'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { password } from './api.ts'
import { startFilledServerAndBrowser } from './browser.ts'
import { operatorApi } from './every-state.ts'
import { area, openOperator, operatorPages } from './operator-pages.ts'
import { cutTables, widthFindings } from './page-findings.ts'
import { statement } from './statement.ts'
import { axeFindings, callFromPage, openPage, wide } from './visitor.ts'

const wantSecond = statement(
  'test_want_second_operator',
  `update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`,
)

// every-route.operator.test.ts covers the pages themselves in English in both themes.
const tabs = [
  '/payments?tab=refunds',
  '/payments?tab=wallets',
  '/payments?tab=chains',
  '/approvals?state=refused',
  '/campaign?tab=token',
  '/campaign?tab=supply',
  '/campaign?tab=levels',
  '/campaign?tab=buyers',
  '/campaign?tab=texts',
  '/campaign?tab=running',
  '/content?tab=documents',
  '/content?tab=legal',
]
const pages = [...operatorPages, '/transactions/9', '/no-such-page']

/** Dialogs by the buttons that open them, in English and Russian. */
const dialogs: [path: string, buttons: [english: string, russian: string][]][] = [
  [
    '/transactions/PENDING',
    [
      ['Approve payment', 'Одобрить платёж'],
      ['Reject payment', 'Отклонить платёж'],
      ['Delete', 'Удалить'],
    ],
  ],
  ['/transactions', [['Actions for order PENDING', 'Действия с заказом PENDING']]],
  ['/approvals', [['Confirm…', 'Подтвердить…']]],
  [
    '',
    [
      ['Edit BTC', 'Изменить BTC'],
      ['Delete BTC', 'Удалить BTC'],
      ['Update ERC-20 Wallet', 'Сменить кошелёк ERC-20'],
    ],
  ],
  [
    '/integrations',
    [
      ['New key', 'Новый ключ'],
      ['New webhook', 'Новый вебхук'],
      ['Deliveries', 'Доставки'],
      ['Revoke', 'Отозвать'],
    ],
  ],
  ['/pixels', [['Update', 'Обновить']]],
  ['/operators', [['Change finance', 'Изменить: finance']]],
  ['/account', [['Switch on', 'Включить']]],
  ['/payments?tab=wallets', [['Add a wallet', 'Добавить кошелёк']]],
  ['/payments?tab=refunds', [['Prepare refunds to sign…', 'Подготовить возвраты…']]],
  ['/content', [['Write an announcement', 'Написать объявление']]],
  [
    '/campaign',
    [
      ['Add a stage', 'Добавить этап'],
      ['Pause the sale', 'Приостановить продажу'],
      ['Preview', 'Предпросмотр'],
    ],
  ],
]

/** One language per file, so that two cores share them. */
export async function testLooks(language: 'en' | 'ru'): Promise<void> {
  const { server, browser, owner: api, orders } = await startFilledServerAndBrowser()
  await api('POST', '/operator/api-keys', {
    name: 'Bookkeeping',
    scopes: ['orders:read'],
    expiresInDays: 90,
    proof: { password },
  })
  await api('POST', '/operator/webhooks', { url: 'https://example.com/hook', events: ['order.created'] })
  await api('POST', '/operator/analytics', {
    apiKey: 'G-ABC1234567',
    apiKeySecondary: 'secret-part',
    location: '/',
  })
  await server.database.db.query(wantSecond)
  const finance = await operatorApi(server, 'finance')
  const approving = finance('POST', `/operator/orders/${orders['pending']?.number}/approve`, {})
  await expect(approving).rejects.toMatchObject({ code: 'second_operator_required' })
  const owner = await openOperator(browser, server, 'owner')

  const named = (text: string) => text.replace('PENDING', String(orders['pending']?.number))

  const open = (page: Page, path: string) => openPage(page, area(server, named(path)))

  beforeAll(() => callFromPage(server, owner.context, 'PATCH', '/operator/session', { language }))

  // Only the width of the words depends on the language.
  test.each(language === 'en' ? tabs : [...pages, ...tabs])('%s', async (path) => {
    await open(owner.page, path)
    expect(await owner.page.locator('html').getAttribute('lang')).toBe(language)
    const findings = language === 'en' ? await axeFindings(owner.page) : await widthFindings(owner.page)
    expect([...findings, ...(await cutTables(owner.page)), ...owner.faults.splice(0)]).toEqual([])
  })

  describe.each(dialogs)('%s', (path, buttons) => {
    const { page } = owner
    const over = '[role=dialog], [role=alertdialog], [role=menu]'
    const opened = page.locator(over)
    beforeAll(() => open(page, path))
    afterEach(async () => {
      await page.setViewportSize(wide)
      await page.keyboard.press('Escape')
      await opened.first().waitFor({ state: 'detached' })
    })

    test.each(buttons)('what “%s” opens, and that it fits a phone', async (english, russian) => {
      const name = named(language === 'en' ? english : russian)
      await page.getByRole('button', { name, exact: true }).first().click()
      await opened.first().waitFor()
      // The page was already checked in both themes.
      const findings = language === 'en' ? await axeFindings(page, over) : []
      expect([...findings, ...owner.faults.splice(0)]).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect
        .poll(() =>
          opened.first().evaluate((element) => {
            const { left, right } = element.getBoundingClientRect()
            return left >= 0 && right <= window.innerWidth && element.scrollWidth <= element.clientWidth + 1
          }),
        )
        .toBe(true)
    })
  })
}
