import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { budgets, LocalLimits } from '../../src/server/limits/local-limits.ts'
import { createDrawAlone } from '../../src/server/pages/page-cache.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, { jobs: false })
})
afterAll(() => server.close())

const get = (path: string, from: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { redirect: 'manual', headers: { 'x-forwarded-for': from, ...headers } })

/** Pages rendered for one visitor, because of their query or session. */
const ALONE = [
  '/transparency?prices=1',
  '/ru/transparency?changes=1',
  '/updates?words=a',
  '/updates?after=1',
  '/updates/1?before=9',
  '/terms?version=1',
  '/login?next=/dashboard',
  '/register?x=1',
  '/forgot-password',
  '/updates/leave/aaaaaaaaaaaaaaaaaaaaaaaa',
  '/updates/follow/aaaaaaaaaaaaaaaaaaaaaaaa',
  '/claim?address=0x52908400098527886E0F7030069857D2E4169EE7',
  '/admin?operator=1',
]
const FOR_ALL = [
  '/',
  '/?x=1',
  '/transparency',
  '/updates',
  '/updates/1',
  '/terms',
  '/claim',
  '/login',
  '/ru/register',
  '/operator',
  '/nothing/here',
]

test('each page that is drawn for one visitor alone is counted, and no other [RIGHT-25]', async () => {
  const taken = vi.spyOn(server.context.localLimits, 'spend')
  onTestFinished(() => taken.mockRestore())
  const counted = () => taken.mock.calls.filter(([, cost]) => cost.renders).length
  for (const [paths, count] of [
    [ALONE, 1],
    [FOR_ALL, 0],
  ] as const)
    for (const path of paths) {
      const before = counted()
      const { status } = await get(path, '192.0.2.9')
      expect([path, status < 500, counted() - before]).toEqual([path, true, count])
    }
})

test('a page for everybody is charged to whose request has it drawn anew, and to nobody from the cache [RIGHT-25]', async () => {
  const taken = vi.spyOn(server.context.localLimits, 'spend')
  onTestFinished(() => taken.mockRestore())
  const themes = ['light', 'dark'].map((theme) => ({ cookie: `theme=${theme}` }))
  const kinds = FOR_ALL.filter((path) => path !== '/?x=1' && path !== '/updates/1')
    .flatMap((path) => themes.map((theme) => [path, theme] as const))
    // A cookie makes these pages one visitor's.
    .filter(([path]) => !['/login', '/ru/register', '/operator'].includes(path))
  const drawnOf = () => taken.mock.calls.filter(([, cost]) => cost.requests === 10).length
  for (const [path, theme] of kinds) await get(path, '192.0.2.8', theme)
  expect(drawnOf()).toBe(kinds.length)
  await Promise.all(Array.from({ length: 20 }, () => get('/verify', '192.0.2.8')))
  expect(drawnOf() - kinds.length).toBeLessThanOrEqual(2)
})

test('a network draws so many pages for itself and no more, while pages for everybody stay open to it [RIGHT-25]', async () => {
  const { burst } = budgets.renders.network
  const statuses: number[] = []
  for (let n = 0; n < burst; n += 1)
    statuses.push((await get(`/transparency?prices=${n}`, '192.0.2.1')).status)
  const drawn = statuses.filter((status) => status === 200).length
  expect(drawn).toBeGreaterThanOrEqual(burst / 3)
  // It flows back while they are drawn.
  expect(drawn).toBeLessThan(burst)
  for (let n = 0; n < burst; n += 1) {
    const refused = await get('/updates?words=a', '192.0.2.1', { accept: 'text/html' })
    if (refused.status === 200) continue
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]/)
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await refused.text()).toContain('Too many attempts. Please wait a little.')
    break
  }
  for (const path of FOR_ALL) expect((await get(path, '192.0.2.1')).status).not.toBe(429)
  expect((await get('/transparency?prices=1', '192.0.2.2')).status).toBe(200)
})

test('two are drawn at once, a hundred wait, and one more is refused before it is drawn [RIGHT-25]', async () => {
  let [drawing, atOnce] = [0, 0]
  const drawAlone = createDrawAlone(new LocalLimits({ isOn: false }))
  const draw = () =>
    drawAlone('192.0.2.1', 1, async () => {
      drawing += 1
      atOnce = Math.max(atOnce, drawing)
      await setImmediate()
      drawing -= 1
      return '<p>'
    })
  const outcomes = await Promise.allSettled(Array.from({ length: 103 }, draw))
  expect(atOnce).toBe(2)
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(['unavailable'])
})

test('a page that is drawn for one visitor leaves the thread to others before the next one [RIGHT-25]', async () => {
  const drawAlone = createDrawAlone(new LocalLimits({ isOn: false }))
  const begun: number[] = []
  const draw = () =>
    drawAlone('192.0.2.1', 1, async () => {
      begun.push(performance.now())
      const until = performance.now() + 20
      while (performance.now() < until);
      return '<p>'
    })
  await Promise.all(Array.from({ length: 4 }, draw))
  // Two draw one after the other, and the third begins once the first one has given way for as long as it took.
  expect((begun[2] ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(39)
})
