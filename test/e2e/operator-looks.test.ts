import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statement } from '../../src/server/database/database.ts'
import { openBrowser } from '../support/browser.ts'
import { type EveryState, operatorApi, password, seedEveryState } from '../support/every-state.ts'
import { area, type OperatorWindow, openOperator } from '../support/operator-pages.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { axeFindings } from '../support/visitor.ts'

const wantSecond = statement(
  'test_want_second_operator',
  `update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`,
)

// Pages in English and both themes are in every-route.test.ts; here are their tabs, Russian, and what opens over them.
const tabs = [
  '/payments?tab=refunds',
  '/payments?tab=wallets',
  '/payments?tab=chains',
  '/approvals?state=refused',
  '/content?tab=documents',
  '/content?tab=legal',
]
const pages = [
  '',
  '/overview',
  '/users',
  '/users/1',
  '/transactions',
  '/transactions/7',
  '/transactions/9',
  '/approved-transactions',
  '/payments',
  '/approvals',
  '/change-main-currency',
  '/change-password',
  '/account',
  '/pixels',
  '/campaign',
  '/content',
  '/integrations',
  '/operators',
  '/audit',
  '/no-such-page',
]

/** Page, and the button that opens something over it, in English and in Russian. */
const dialogs: [path: string, english: string, russian: string][] = [
  ['/transactions/PENDING', 'Approve payment', 'Одобрить платёж'],
  ['/transactions/PENDING', 'Reject payment', 'Отклонить платёж'],
  ['/transactions/PENDING', 'Delete', 'Удалить'],
  ['/transactions', 'Actions for order PENDING', 'Действия с заказом PENDING'],
  ['/approvals', 'Confirm…', 'Подтвердить…'],
  ['', 'Edit BTC', 'Изменить BTC'],
  ['', 'Delete BTC', 'Удалить BTC'],
  ['', 'Update ERC-20 Wallet', 'Сменить кошелёк ERC-20'],
  ['/integrations', 'New key', 'Новый ключ'],
  ['/integrations', 'New webhook', 'Новый вебхук'],
  ['/integrations', 'Deliveries', 'Доставки'],
  ['/integrations', 'Revoke', 'Отозвать'],
  ['/pixels', 'Update', 'Обновить'],
  ['/operators', 'Change finance', 'Изменить: finance'],
  ['/account', 'Switch on', 'Включить'],
  ['/payments?tab=wallets', 'Add a wallet', 'Добавить кошелёк'],
  ['/payments?tab=refunds', 'Prepare refunds to sign…', 'Подготовить возвраты…'],
  ['/content', 'Write an announcement', 'Написать объявление'],
  ['/campaign', 'Add a stage', 'Добавить этап'],
  ['/campaign', 'Pause the sale', 'Приостановить продажу'],
]

let browser: Browser
let server: TestServer
let seeded: EveryState
let owner: OperatorWindow
/** What the page itself complained of since it was last asked. */
const faults: string[] = []

beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }),
    openBrowser(),
  ])
  seeded = await seedEveryState(server)
  const api = seeded.owner
  await api('POST', '/operator/api-keys', { name: 'Bookkeeping', scopes: ['orders:read'], expiresInDays: 90 })
  await api('POST', '/operator/webhooks', { url: 'https://example.com/hook', events: ['order.created'] })
  await api('POST', '/operator/analytics', {
    apiKey: 'G-ABC1234567',
    apiKeySecondary: 'secret-part',
    location: '/',
  })
  await server.database.db.query(wantSecond)
  const finance = await operatorApi(server, 'finance')
  const approve = `/operator/orders/${seeded.orders['pending']?.number}/approve`
  await finance('POST', approve, {}).catch((error: { code: string }) =>
    expect(error.code).toBe('second_operator_required'),
  )
  owner = await openOperator(browser, server, 'owner')
  owner.page.on('pageerror', (error) => faults.push(error.message))
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** With the number of the order that waits. */
const named = (text: string) => text.replace('PENDING', String(seeded.orders['pending']?.number))

async function open(page: Page, path: string): Promise<void> {
  await page.goto(area(server, named(path)))
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(
    () => !document.querySelector('[aria-busy=true], [class*=skeleton], [class*=animate-spin]'),
  )
}

/** Colours are the same in both languages: the dark ones are looked at once. */
async function findingsOf(page: Page, language: 'en' | 'ru'): Promise<string[]> {
  const found = await axeFindings(page, 'light')
  if (language === 'en') found.push(...(await axeFindings(page, 'dark')))
  return [...found, ...faults.splice(0)]
}

describe.each(['en', 'ru'] as const)('in %s', (language) => {
  beforeAll(async () => {
    const switched = await owner.context.request.fetch(`${server.url}/api/v1/operator/session`, {
      method: 'PATCH',
      data: { language },
      headers: { 'x-requested-with': 'presale', origin: server.url },
    })
    expect(switched.ok()).toBe(true)
  })

  test.each(language === 'en' ? tabs : [...pages, ...tabs])('%s', async (path) => {
    await open(owner.page, path)
    expect(await owner.page.locator('html').getAttribute('lang')).toBe(language)
    expect(await findingsOf(owner.page, language)).toEqual([])
  })

  test.each(
    dialogs.map(([path, english, russian]) => [path, language === 'en' ? english : russian] as const),
  )('%s: what “%s” opens, and that it fits a phone', async (path, name) => {
    const { page } = owner
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, path)
    await page
      .getByRole('button', { name: named(name), exact: true })
      .first()
      .click()
    const opened = page.getByRole('dialog').or(page.getByRole('alertdialog')).or(page.getByRole('menu'))
    await opened.first().waitFor()
    expect(await findingsOf(page, language)).toEqual([])
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
