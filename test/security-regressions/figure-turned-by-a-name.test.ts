import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Staff, startWithOwner } from '../support/staff.ts'

let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner()
})
afterAll(() => staff.close())

/** They turn what follows, begin a line, are never seen, or can't stand in a picture's XML. */
const turning = ['Stage \u202e1', 'Stage \u20671', 'Stage\u00081', 'Stage\n1', 'Stage\u20281', '\u200b\u2060']

const campaign = async () => (await staff.ask('owner', 'GET', '/operator/campaign')).body

test('no name turns the figure that stands behind it, on a badge as in a table', async () => {
  const { settings, stages, revision } = await campaign()
  const [{ id, name: _, ...stage }] = stages
  const { startsAt, endsAt, goalUsd, priceUsd } = stage
  const [level, ...levels] = settings.levels
  for (const name of turning) {
    const saved = await staff.ask('owner', 'PUT', '/operator/campaign', {
      revision,
      settings: {
        ...settings,
        name,
        seller: { ...settings.seller, name },
        levels: [{ ...level, name }, ...levels],
      },
    })
    const paths = (saved.body.error?.issues ?? []).map((issue: { path: string }) => issue.path)
    expect([name, paths]).toEqual([
      name,
      expect.arrayContaining(['settings.name', 'settings.levels.0.name.en']),
    ])
    const staged = await staff.ask('owner', 'PUT', `/operator/stages/${id}`, {
      revision,
      stage: { name, goalUsd, priceUsd, startsAt, endsAt },
    })
    expect([name, staged.status]).toEqual([name, 422])
    const currency = await staff.ask('owner', 'PUT', '/operator/currencies/BTC', { fullName: name })
    expect([name, currency.status]).toEqual([name, 422])
  }
  const badge = await (await fetch(`${staff.server.url}/badge.svg`)).text()
  expect(badge).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
})

test('a name of any script is kept as it is written', async () => {
  const { settings, revision } = await campaign()
  for (const [nth, name] of ['Ямы и «волны» № 1', 'عملة \u200f1', 'Ñandú & Söhne', '通貨'].entries()) {
    const saved = await staff.ask('owner', 'PUT', '/operator/campaign', {
      revision: revision + nth,
      settings: { ...settings, name },
    })
    expect([saved.status, saved.body.settings?.name]).toEqual([200, name])
  }
})
