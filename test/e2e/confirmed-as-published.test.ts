import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { acceptInvitation, bearer, operatorToken, sendJson } from '../support/api.ts'
import { startServerAndBrowser } from '../support/browser.ts'
import { area, openOperator } from '../support/operator-pages.ts'
import { forgetLinks } from '../support/staff.ts'

const THEIRS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const { server, browser } = await startServerAndBrowser({}, { jobs: false })
const api = `${server.url}/api/v1`
const as = async (login: string) => bearer(await operatorToken(server.url, login))

beforeAll(async () => {
  const owner = await as('owner')
  for (const [login, role] of [
    ['olga', 'owner'],
    ['bent', 'content'],
  ]) {
    const invitation = { login, role, email: `${login}@example.org` }
    const { body } = await sendJson('POST', `${api}/operator/operators`, invitation, owner)
    await acceptInvitation(server.url, body.link)
  }
  await forgetLinks(server.database.db)
  const { settings, revision } = (await sendJson('GET', `${api}/operator/campaign`, undefined, owner)).body
  const two = { revision, settings: { ...settings, secondOperator: true } }
  expect((await sendJson('PUT', `${api}/operator/campaign`, two, owner)).status).toBe(200)
})

/** What the eye reads: the letters by where they are drawn, line by line and from left to right. */
const drawnOn = (page: Page, wanted: string) =>
  page.evaluate((part) => {
    const holder = [...document.querySelectorAll('p')].findLast((one) => one.textContent?.includes(part))
    if (!holder) return ''
    // Letters turn round line by line, and the two pages break lines at other widths.
    holder.style.whiteSpace = 'nowrap'
    const letters: { letter: string; x: number; y: number }[] = []
    const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const [at, letter] of [...(node.textContent ?? '')].entries()) {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const { x, y, width } = range.getBoundingClientRect()
        if (width > 0) letters.push({ letter, x, y: Math.round(y / 8) })
      }
    const inOrder = letters.toSorted((a, b) => a.y - b.y || a.x - b.x).map(({ letter }) => letter)
    return inOrder.join('').replaceAll(/\s+/g, ' ').trim()
  }, wanted)

const announce = async (title: string, body: string, image: object | null = null) => {
  const input = { title: { en: title }, body: { en: body }, image, pinned: false }
  const asked = await sendJson(
    'POST',
    `${api}/operator/announcements`,
    { ...input, publishedAt: '2026-01-01T00:00:00.000Z' },
    await as('bent'),
  )
  expect(asked.body.error?.code).toBe('second_operator_required')
  const olga = await openOperator(browser, server, 'olga', {
    viewport: { width: 1600, height: 900 },
    locale: 'en',
    colorScheme: 'dark',
  })
  await olga.page.goto(area(server, '/approvals'))
  await olga.page.getByText(title).first().waitFor()
  const publish = async () => {
    const id = asked.body.error.details.approvalRequestId
    await sendJson('POST', `${api}/operator/approval-requests/${id}/confirm`, {}, await as('olga'))
    const { items } = (await sendJson('GET', `${api}/operator/announcements`, undefined, await as('owner')))
      .body
    const visitor = await browser.newPage({
      viewport: { width: 1600, height: 900 },
      locale: 'en',
      colorScheme: 'light',
    })
    await visitor.goto(`${server.url}/updates/${items[0].id}`)
    return visitor
  }
  return { page: olga.page, publish }
}

test.each([
  [
    'isolates',
    '\u2067\u2066Never use \u2069\u2066the old addresses. \u2069\u2066Send to \u2069\u2069',
    'Never use the old addresses. Send to ',
  ],
  [
    'marks',
    '\u200fNever use \u200fthe old addresses. \u200fSend to ',
    'Never use the old addresses. Send to ',
  ],
  ['letters', 'שלום Never use א the old addresses. ב Send to ', ''],
])('the second operator reads words that %s turn round as buyers do [TWO-21]', async (name, words, plain) => {
  const { page, publish } = await announce(`News of ${name}`, `${words}${THEIRS}`)
  const shown = await drawnOn(page, 'old addresses')
  const published = await drawnOn(await publish(), 'old addresses')
  expect(published).toContain(THEIRS)
  expect(published).toContain(plain)
  expect(shown).toBe(published)
})

test('the second operator sees what is clear in a picture on both grounds, in its own width [TWO-21]', async () => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="2000">
    <text x="10" y="50" font-size="30" fill="#ffffff">Thank you!</text></svg>`
  const bytes = await sharp(Buffer.from(drawing)).png().toBuffer()
  const sent = await fetch(`${api}/operator/uploads`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'image/png', ...(await as('bent')) },
  })
  const { name } = (await sent.json()) as { name: string }
  const { page, publish } = await announce('A card', 'Words', { name, alt: { en: 'A card' } })
  const pictures = page.locator(`article img[src*="${name}"]`)
  await pictures.nth(1).waitFor()
  await page.waitForFunction(() => [...document.images].every((one) => one.naturalWidth > 0))
  const looks = await pictures.evaluateAll((all) =>
    (all as HTMLImageElement[]).map((one) => [one.width, getComputedStyle(one).backgroundColor]),
  )
  expect(looks).toEqual([
    [300, 'rgb(255, 255, 255)'],
    [300, 'rgb(0, 0, 0)'],
  ])
  const visitor = await publish()
  await visitor.locator(`img[src*="${name}"]`).first().waitFor()
})
