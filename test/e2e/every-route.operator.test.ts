import { expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { startFilledServerAndBrowser } from '../support/browser.ts'
import { operatorPages } from '../support/operator-pages.ts'
import { findingsOf, type Look, openWatched } from '../support/page-findings.ts'

const closedToSupport = [
  '/delivery',
  '/pixels',
  '/content',
  '/mail-templates',
  '/integrations',
  '/operators',
  '/audit',
]

const { server, browser } = await startFilledServerAndBrowser()
const owner = await openWatched(browser, server, '/operator/session', { login: 'owner', password })
const support = await openWatched(browser, server, '/operator/session', { login: 'support', password })

test.each(operatorPages)('an owner: /operator/dashboard%s', async (path) => {
  expect(await findingsOf(owner, `${server.url}/operator/dashboard${path}`)).toEqual([])
})

test('a page that does not exist', async () => {
  expect(await findingsOf(owner, `${server.url}/operator/dashboard/no-such-page`, { status: 404 })).toEqual(
    [],
  )
})

// One page says so for all of them: axe looks at it once.
test.each(closedToSupport)('support: /operator/dashboard%s is not for their role', async (path) => {
  const look: Look = path === closedToSupport[0] ? {} : { themes: [] }
  expect(await findingsOf(support, `${server.url}/operator/dashboard${path}`, look)).toEqual([])
  await support.page.getByRole('heading', { name: 'Not for your role' }).waitFor()
})

test.each(operatorPages.filter((path) => !closedToSupport.includes(path)))(
  'support: /operator/dashboard%s',
  async (path) => {
    expect(await findingsOf(support, `${server.url}/operator/dashboard${path}`, { themes: [] })).toEqual([])
    expect(await support.page.getByRole('heading', { name: 'Not for your role' }).count()).toBe(0)
  },
)
