import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { quietUnits } from '../../../test/support/actions.ts'
import { type ApiCaller, password } from '../../../test/support/api.ts'
import { operatorApi } from '../../../test/support/every-state.ts'
import { startServer, type TestServer } from '../../../test/support/server.ts'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { Campaign } from '../campaign/campaign.ts'
import { type Database, openDatabase, sql } from '../database/database.ts'
import { Live } from './live.ts'

let server: TestServer
let owner: ApiCaller
/** Another process's cached campaign, and its notifications. */
let other: { db: Database; campaign: Campaign; live: Live }
const faults: unknown[] = []

// With a frozen clock a cache of one second would never expire.
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password })
  owner = await operatorApi(server, 'owner')
  const db = openDatabase({ url: server.database.url })
  const campaign = new Campaign({ db, units: quietUnits(db) })
  const onFault = (error: unknown) => faults.push(error)
  const live = new Live({ db, campaign, forgetSettings: () => campaign.invalidate(), onFault })
  live.start()
  other = { db, campaign, live }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterAll(async () => {
  vi.useRealTimers()
  expect(faults).toEqual([expect.any(SyntaxError)])
  await other.live.stop()
  await other.db.close()
  await server.close()
})

const changes: [
  name: string,
  change: () => Promise<unknown>,
  read: (campaign: PublicCampaign) => unknown,
  after: unknown,
][] = [
  [
    'new terms',
    () => owner('POST', '/operator/legal/terms', { basedOn: 1, body: { en: 'Second.', ru: 'Вторые.' } }),
    ({ legalVersions }) => legalVersions.terms,
    2,
  ],
  [
    'a new price',
    () => owner('PUT', '/operator/price', { priceUsd: '5' }),
    ({ priceUsd }) => Number(priceUsd),
    5,
  ],
  [
    'a pause',
    () =>
      owner('PUT', '/operator/pause', {
        paused: true,
        previousPausedAt: null,
        reason: { en: 'Wait.', ru: 'Ждите.' },
      }),
    ({ pausedAt }) => pausedAt !== null,
    true,
  ],
]

test.each(changes)(
  '%s: the next answer of this process has it, and that of another once it is told',
  async (_name, change, read, after) => {
    const show = async () => read(await owner<PublicCampaign>('GET', '/campaign'))
    const showOther = async () => read(await other.campaign.current())
    expect(await show()).not.toEqual(after)
    expect(await showOther()).not.toEqual(after)
    await change()
    expect(await show()).toEqual(after)
    await expect.poll(showOther).toEqual(after)
  },
)

test('no cache on the way keeps the campaign', async () => {
  const { headers } = await fetch(`${server.url}/api/v1/campaign`)
  expect(headers.get('cache-control')).toBe('no-cache')
})

test('what is no announcement is a fault that is told, and the next one is heard', async () => {
  await other.db.query(sql`select pg_notify('live', 'not an announcement')`)
  await expect.poll(() => faults).toHaveLength(1)
  const told: string[] = []
  const write = (bytes: unknown) => told.push(String(bytes))
  const visitor = { write, on: () => {}, end: () => {}, writableLength: 0 }
  other.live.join(visitor as unknown as ServerResponse, [{ campaign: true }], '198.51.100.8')
  await other.db.query(sql`select pg_notify('live', '{"campaign": true}')`)
  await expect.poll(() => told.join()).toContain('event: campaign')
})

test('one that is stopped while it connects leaves no connection open', async () => {
  const { db, campaign } = other
  const made = vi.spyOn(db, 'client')
  const live = new Live({ db, campaign, forgetSettings: () => {}, onFault: (error) => faults.push(error) })
  live.start()
  const client = made.mock.results[0]?.value as ReturnType<typeof db.client>
  made.mockRestore()
  const ended = new Promise((resolve) => client.once('end', resolve))
  await live.stop()
  await ended
})

test('in a rush visitors are told ten times a second at most, and at last what is', async () => {
  const told: string[] = []
  const visitor = {
    write: (bytes: unknown) => told.push(String(bytes)),
    on: () => {},
    end: () => {},
    writableLength: 0,
  }
  other.live.join(visitor as unknown as ServerResponse, [{ campaign: true }], '198.51.100.7')
  const figures = () => told.filter((text) => text.startsWith('event: campaign')).length
  const startedAt = performance.now()
  let before = 0
  for (let turn = 0; turn < 60; turn += 1) {
    before = figures()
    await other.db.query(sql`select pg_notify('live', '{"campaign": true}')`)
    await delay(5)
  }
  expect(figures()).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 100)
  await expect.poll(figures).toBeGreaterThan(before)
})
