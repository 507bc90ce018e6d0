import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Query, sql } from '../../src/server/database/database.ts'
import type { Answer } from '../support/api.ts'
import { queuedBehind } from '../support/race.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

// One operator asks for what would stand by the time at which it is done: whether a second one is needed was found of what stood before.

let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner()
  for (const login of ['other', 'thief', 'puppet']) await staff.join(login, 'owner')
  await staff.forgetLinks()
  await staff.wantTwo()
})
afterAll(() => staff.close())

const queued = (lock: Query, steps: readonly (() => Promise<Answer>)[]) =>
  queuedBehind(staff.server.database.db, lock, steps)
const campaign = async () => (await staff.ask('owner', 'GET', '/operator/campaign')).body
const CAMPAIGN = sql`select from campaign for update`
/** A request by the owner for another one to confirm. */
async function waiting(method: string, path: string, body: object) {
  const asked = await staff.ask('owner', method, path, body)
  expect(asked.code).toBe('second_operator_required')
  const { approvalRequestId } = asked.body.error.details
  return () => staff.ask('other', 'POST', `/operator/approval-requests/${approvalRequestId}/confirm`)
}

test('one owner can’t sell far from the price by a stage that is only just being made [TWO-8]', async () => {
  const { priceUsd, revision, stages } = await campaign()
  const later = { startsAt: '2040-01-01T00:00:00.000Z', endsAt: '2040-02-01T00:00:00.000Z' }
  const stage = { name: 'Later', goalUsd: '10', ...later, priceUsd }
  const id = Math.max(0, ...stages.map((known: { id: number }) => known.id)) + 1
  const cheap = { revision: revision + 1, ...stage, priceUsd: String(Number(priceUsd) / 2) }
  const [added, changed] = await queued(CAMPAIGN, [
    () => staff.ask('thief', 'POST', '/operator/stages', { revision, ...stage }),
    () => staff.ask('thief', 'PUT', `/operator/stages/${id}`, cheap),
  ])
  expect([added?.status, changed?.code]).toEqual([200, 'not_found'])
  expect((await campaign()).stages.at(-1)).toMatchObject({ id, priceUsd })
})

test('nor bring back a price, a stage’s price or a bonus that two have just changed [TWO-8]', async () => {
  const before = await campaign()
  const { priceUsd } = before
  const doubled = String(Number(priceUsd) * 2)
  const confirm = await waiting('PUT', '/operator/price', { priceUsd: doubled, previousUsd: priceUsd })
  const [confirmed, ...undone] = await queued(CAMPAIGN, [
    confirm,
    () => staff.ask('thief', 'PUT', '/operator/price', { priceUsd, previousUsd: doubled }),
    () =>
      staff.ask('thief', 'POST', '/operator/stages', {
        name: 'Cheap',
        goalUsd: '1000',
        priceUsd,
        startsAt: '2041-01-01T00:00:00.000Z',
        endsAt: '2041-02-01T00:00:00.000Z',
      }),
  ])
  expect(confirmed?.status).toBe(200)
  expect(undone.map(({ code }) => code)).toEqual(['conflict', 'conflict'])
  const after = await campaign()
  expect([Number(after.priceUsd), after.stages.length]).toEqual([Number(doubled), before.stages.length])

  const { settings, revision } = after
  const [first, ...rest] = settings.levels
  const lower = { ...settings, levels: [{ ...first, bonusPercent: '0' }, ...rest] }
  const [lowered, raised] = await queued(CAMPAIGN, [
    () => staff.ask('owner', 'PUT', '/operator/campaign', { revision, settings: lower }),
    () => staff.ask('thief', 'PUT', '/operator/campaign', { revision: revision + 1, settings }),
  ])
  expect([lowered?.status, raised?.code]).toEqual([200, 'conflict'])
  expect((await campaign()).settings.levels[0].bonusPercent).toBe('0')
})

test('nor have payments sent again to the address that two have just taken off [TWO-8]', async () => {
  const currency = async () =>
    (await staff.ask('owner', 'GET', '/operator/currencies')).body.items.find(
      (item: { code: string }) => item.code === 'ETH',
    )
  const { address: before, revision } = await currency()
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  const confirm = await waiting('PUT', '/operator/currencies/ETH', { revision, address })
  const [confirmed, undone] = await queued(sql`select from currencies for update`, [
    confirm,
    () => staff.ask('thief', 'PUT', '/operator/currencies/ETH', { revision: revision + 1, address: before }),
  ])
  expect([confirmed?.status, undone?.code]).toEqual([200, 'conflict'])
  expect((await currency()).address).toBe(address)
})

test('nor give an operator the role again that two have just taken [TWO-8]', async () => {
  const operator = async () =>
    (await staff.ask('owner', 'GET', '/operator/operators')).body.items.find(
      (item: { login: string }) => item.login === 'puppet',
    )
  const { id, revision } = await operator()
  const path = `/operator/operators/${id}`
  const confirm = await waiting('PATCH', path, { revision, role: 'support' })
  const [confirmed, undone] = await queued(sql`select from operators where id = ${id} for update`, [
    confirm,
    () => staff.ask('thief', 'PATCH', path, { revision: revision + 1, role: 'owner' }),
  ])
  expect([confirmed?.status, undone?.code]).toEqual([200, 'conflict'])
  expect((await operator()).role).toBe('support')
})
