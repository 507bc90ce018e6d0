import { expect, it } from 'vitest'
import { actionsOf } from '../../../test/support/actions.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator, headerServer } from '../../../test/support/header-server.ts'
import { statement } from '../../../test/support/statement.ts'
import { Analytics } from '../analytics/analytics.ts'
import { Secrets } from '../secrets/secrets.ts'
import { UnitsOfWork } from '../unit-of-work/unit-of-work.ts'
import { mountAnalytics } from './analytics.ts'

const { db } = await createTestDatabase()
const analytics = new Analytics({
  db,
  secrets: new Secrets({ keys: ['k'.repeat(40)] }),
  operatorPath: 'back-office',
})
const units = new UnitsOfWork({ db, afterCommit: () => analytics.invalidate() })
const actions = actionsOf(db, analytics.actions, units)
const app = headerServer(db, (server) => mountAnalytics({ ...server, actions }, analytics))
const content = { 'x-operator': `${await addOperator(db, 'content', 'content')}:content` }
const finance = { 'x-operator': `${await addOperator(db, 'finance', 'finance')}:finance` }

const call = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  headers: object = content,
) => {
  const response = await app.inject({ method, url: `/api/v1${url}`, headers: { ...headers }, payload })
  return {
    status: response.statusCode,
    body: response.json(),
    code: response.json().error?.code,
    text: response.body,
  }
}
const add = (apiKey: string, location: string, more: object = {}) =>
  call('POST', '/operator/analytics', { apiKey, location, ...more })
const forPath = async (path: string) =>
  (await call('GET', `/analytics?path=${encodeURIComponent(path)}`, undefined, {})).body.items

it('keeps a secondary key sealed and shows the end of it only', async () => {
  const added = await add('G-ABC123DEF4', '/updates/', { apiKeySecondary: 'very-secret-9876' })
  expect(added.body).toMatchObject({ provider: 'ga4', location: '/updates', secondaryMasked: '••••9876' })
  const { sealed } = await db.one<{ sealed: Buffer }>(
    statement('test_sealed', 'select secondary_encrypted as sealed from analytics_keys'),
  )
  expect(sealed.includes('secret')).toBe(false)
  expect(await analytics.secondaryOf(added.body.id)).toBe('very-secret-9876')
  const everything =
    (await call('GET', '/operator/analytics')).text + JSON.stringify(await forPath('/updates'))
  const log = await db.query(statement('test_analytics_log', 'select before, after from audit_log'))
  expect(everything + JSON.stringify(log)).not.toContain('very-secret')

  const kept = await call('PUT', `/operator/analytics/${added.body.id}`, {
    apiKey: 'G-ABC123DEF4',
    location: '/updates',
    revision: 1,
  })
  expect(kept.body.secondaryMasked).toBe('••••9876')
  const cleared = await call('PUT', `/operator/analytics/${added.body.id}`, {
    apiKey: 'G-ABC123DEF4',
    location: '/updates',
    apiKeySecondary: '',
    revision: 2,
  })
  expect(cleared.body.secondaryMasked).toBeNull()
  const late = await call('PUT', `/operator/analytics/${added.body.id}`, {
    apiKey: 'x',
    location: '/updates',
    revision: 1,
  })
  expect([late.code, late.body.error.details.current.revision]).toEqual(['conflict', 3])
})

it('is on a location once', async () => {
  expect((await add('G-ONCE000001', '/faq')).status).toBe(200)
  expect(await add('G-ONCE000001', '/faq')).toMatchObject({ status: 409, code: 'key_exists' })
  const { body } = await add('G-ONCE000002', '/faq')
  expect(
    await call('PUT', `/operator/analytics/${body.id}`, {
      apiKey: 'G-ONCE000001',
      location: '/faq',
      revision: 1,
    }),
  ).toMatchObject({ status: 409, code: 'key_exists' })
  expect((await forPath('/faq')).map(({ key }: { key: string }) => key)).toEqual([
    'G-ONCE000001',
    'G-ONCE000002',
  ])
})

it('is used on its own location only, in every language, and opens the policy there alone [TEXT-21]', async () => {
  await add('sale.example.org', '/')
  await add('123456789012345', '/dashboard')
  await add('nobody-knows-this', '/dashboard')
  expect(await forPath('/')).toEqual([{ provider: 'plausible', key: 'sale.example.org', location: '/' }])
  expect(await forPath('/ru')).toHaveLength(1)
  expect(await forPath('/ru/updates?x=1#y')).toMatchObject([{ provider: 'ga4' }])
  expect(await forPath('/dashboard')).toMatchObject([{ provider: 'meta' }])
  expect(await forPath('/dashboard/profile')).toEqual([])
  expect(await analytics.cspSourcesFor('/')).toEqual(['https://plausible.io'])
  expect(await analytics.cspSourcesFor('/dashboard')).toEqual(['https://www.facebook.com'])
  expect(await analytics.cspSourcesFor('/login')).toEqual([])
  expect(await analytics.areaSourcesFor('/dashboard/profile?x=1')).toEqual(['https://www.facebook.com'])
  expect(await analytics.areaSourcesFor('/dashboard/transaction?order=1')).toEqual([])
})

it.each([
  '/dashboard/transaction',
  '/dashboard/transaction/',
  '/Dashboard/Transaction',
  '/ru/dashboard/transaction',
  '/dashboard//transaction',
  '/dashboard/buy-token',
  '/back-office',
  '/back-office/dashboard/users',
  '/admin',
  '/api/v1/live',
  '/dashboard/%74ransaction',
  '/x/../dashboard/transaction',
  'https://evil.example.org',
  '//evil.example.org',
  'dashboard',
])('is never put on %s', async (location) => {
  expect((await add('G-XYZ999', location)).code).toBe('location_refused')
  await db.query(
    statement(
      'test_force_location',
      `insert into analytics_keys (api_key, location, provider) values ('G-FORCED', $1, 'ga4') on conflict do nothing`,
    ),
    [location.startsWith('/') ? location : '/dashboard/transaction'],
  )
  expect(await forPath(location)).toEqual([])
  expect(await analytics.cspSourcesFor(location)).toEqual([])
})

it('answers the messages of the form, and who may', async () => {
  const empty = await add(' ', '')
  expect(empty.body.error.issues).toEqual([
    { path: 'apiKey', code: 'api_key_missing', message: 'API Key is required' },
    { path: 'location', code: 'location_missing', message: 'Location is required' },
  ])
  expect((await call('GET', '/operator/analytics', undefined, finance)).code).toBe('not_for_your_role')
  const racers = await Promise.all(Array.from({ length: 6 }, () => add('G-RACE01', '/faq')))
  expect(racers.map((racer) => racer.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
  const id = racers.find((racer) => racer.status === 200)?.body.id
  expect((await analytics.findByKey('G-RACE01'))?.id).toBe(id)
  expect((await analytics.findByKey(String(id)))?.id).toBe(id)
  expect((await call('DELETE', `/operator/analytics/${id}`)).status).toBe(200)
  expect((await call('DELETE', `/operator/analytics/${id}`)).code).toBe('not_found')
})
