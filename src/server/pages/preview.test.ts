import { afterAll, expect, test } from 'vitest'
import { apiOf, fromOwnPage, password } from '../../../test/support/api.ts'
import { addOperators, registerBuyer } from '../../../test/support/every-state.ts'
import { startServer } from '../../../test/support/server.ts'
import { statement } from '../../../test/support/statement.ts'
import type { OperatorCampaign } from '../../shared/api/campaign.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'

const server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
afterAll(() => server.close())
const owner = await addOperators(server)
await registerBuyer(server, 'ann@example.org', 'Ann')
const { settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: server.url, ...headers },
    redirect: 'manual',
  })
const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const logIn = async (login: string) => cookieOf(await post('/operator', { login, password }))
const cookie = await logIn('owner')

const formOf = (draft: object, language = 'en') => ({ draft: JSON.stringify({ settings: draft }), language })
const preview = (
  draft: Partial<CampaignSettings>,
  language = 'en',
  headers: Record<string, string> = { cookie },
) => post('/operator/preview', formOf({ ...settings, ...draft }, language), headers)
const landing = async (path = '/') => (await fetch(server.url + path)).text()

async function standing() {
  await server.context.pageViews.flush()
  return server.database.db.query<Record<string, unknown>>(
    statement(
      'test_preview_standing',
      `select revision, settings, (select count(*)::integer from audit_log) as audited,
              (select count(*)::integer from campaign_changes) as changes,
              (select coalesce(sum(page_views), 0)::integer from day_counts) as views from campaign`,
    ),
  )
}

test('an owner sees the landing of a draft, in each of its languages; visitors see what is saved, and nothing is kept', async () => {
  const before = await standing()
  const answer = await preview({ name: 'Otherwise', languages: ['en', 'ru', 'ar'] })
  expect(answer.status).toBe(200)
  const page = await answer.text()
  expect(page).toContain('<title>Preview: Otherwise | ')
  expect(page).toContain('data-preview')
  expect(page).toMatch(/<aside[^>]*data-preview[^>]*>Preview with the settings as they stand in the form/)
  const arabic = await preview({ name: 'Otherwise', languages: ['en', 'ru', 'ar'] }, 'ar')
  expect(await arabic.text()).toMatch(/<html lang="ar" dir="rtl"/)
  // A language that the draft does not switch on is none of its pages.
  const english = await preview({ languages: ['en'] }, 'ru')
  expect([english.headers.get('content-language'), (await english.text()).slice(0, 40)]).toEqual([
    'en',
    expect.stringContaining('<html lang="en"'),
  ])
  expect(await standing()).toEqual(before)
  const seen = await landing()
  expect(seen).toContain(settings.name)
  expect(seen).not.toMatch(/Otherwise|data-preview/)
})

test('the figures of a preview are those of the sale', async () => {
  const page = await (await preview({ name: 'Otherwise' })).text()
  const figures = (html: string) =>
    [...html.matchAll(/data-figure="(\w+)"[^>]*>(.*?)<\/a>/g)].map(([, name, text]) => [name, text])
  const published = figures(await landing())
  expect(published.length).toBeGreaterThan(2)
  expect(figures(page)).toEqual(published)
})

test('a preview is kept by no cache, found by no search, framed by the site alone and runs nothing', async () => {
  const answer = await preview({})
  const header = (name: string) => answer.headers.get(name)
  expect(header('cache-control')).toBe('no-store')
  expect(header('x-robots-tag')).toBe('noindex, nofollow')
  expect(header('x-frame-options')).toBe('SAMEORIGIN')
  expect(header('set-cookie')).toBeNull()
  const policy = header('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).toContain("form-action 'none'")
  expect(policy).toMatch(/; sandbox allow-same-origin$/)
  expect(policy).not.toContain('script')
  const page = await answer.text()
  expect(page).toContain('<meta name="robots" content="noindex"/>')
  expect(page).not.toMatch(/<script|rel="canonical"|og:title|data-give/)
})

test('what a draft’s texts hold is text', async () => {
  const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>'
  const page = await (
    await preview({
      name: '<b>Bold</b>',
      tagline: { en: evil, ru: evil },
      seller: { ...settings.seller, name: '"><script src=//evil.example></script>' },
    })
  ).text()
  expect(page).not.toMatch(/<script|<img src=x|<b>Bold/)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).toContain('&lt;b&gt;Bold&lt;/b&gt;')
})

test('a draft that could not be saved is refused, each field by its name', async () => {
  const before = await standing()
  const answer = await preview({ name: '', hardCapUsd: 'much' })
  expect(answer.status).toBe(422)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const answered = await fetch(`${server.url}/api/v1/operator/campaign/preview`, {
    method: 'POST',
    headers: { ...fromOwnPage, cookie, origin: server.url, 'content-type': 'application/json' },
    body: formOf({ ...settings, name: '', hardCapUsd: 'much' }).draft,
  })
  const { error } = (await answered.json()) as { error: { code: string; issues: { path: string }[] } }
  expect(error.code).toBe('invalid_input')
  expect(error.issues.map(({ path }) => path).toSorted()).toEqual(['settings.hardCapUsd', 'settings.name'])
  const logo = { ...settings.brand, logoUploadId: `${'ab'.repeat(12)}.png` }
  await expect(
    owner('POST', '/operator/campaign/preview', { settings: { ...settings, brand: logo } }),
  ).rejects.toMatchObject({ code: 'upload_unknown' })
  for (const draft of ['', 'no json', '[]', '{"settings":1}'])
    expect((await post('/operator/preview', { draft }, { cookie })).status, draft).toBeGreaterThanOrEqual(400)
  expect(await standing()).toEqual(before)
})

test('nobody else can have one', async () => {
  for (const login of ['finance', 'content', 'support'])
    expect((await preview({}, 'en', { cookie: await logIn(login) })).status, login).toBe(403)
  const buyer = cookieOf(await post('/login', { email: 'ann@example.org', password }))
  expect((await preview({}, 'en', { cookie: buyer })).status).toBe(401)
  expect((await preview({}, 'en', {})).status).toBe(401)
  await expect(apiOf(server.url)('POST', '/operator/campaign/preview', { settings })).rejects.toMatchObject({
    code: 'not_signed_in',
  })
  // Nor does another site get one drawn in an owner's browser.
  expect((await preview({}, 'en', { cookie, origin: 'https://evil.example' })).status).toBe(403)
  expect((await preview({}, 'en', { cookie, 'sec-fetch-site': 'same-site' })).status).toBe(403)
  // By its address alone there is none.
  expect((await fetch(`${server.url}/operator/preview`)).status).toBe(404)
  expect((await fetch(`${server.url}/operator/preview`, { headers: { cookie } })).status).toBe(404)
})

test('a preview is not the page that visitors are sent, however soon one follows the other', async () => {
  const names = await Promise.all(
    Array.from({ length: 6 }, async (_, place) =>
      place % 2 === 0 ? landing() : (await preview({ name: `Draft${place}` })).text(),
    ),
  )
  names.forEach((page, place) => {
    if (place % 2 === 0) expect(page).not.toContain('Draft')
    else expect(page).toContain(`Draft${place}`)
  })
})
