import { afterAll, expect, test } from 'vitest'
import { startWhereTwoDecide } from '../support/staff.ts'

const staff = await startWhereTwoDecide()
afterAll(() => staff.close())

test('one owner can’t give a buyer of their own more tokens for the same money by a larger bonus [TWO-14]', async () => {
  const { settings, revision } = (await staff.ask('owner', 'GET', '/operator/campaign')).body
  const levels = settings.levels.map((level: object) => ({ ...level, bonusPercent: '22' }))
  const answer = await staff.ask('owner', 'PUT', '/operator/campaign', {
    revision,
    settings: { ...settings, levels },
  })
  expect([answer.status, answer.code]).toEqual([409, 'second_operator_required'])
  const [waiting] = (await staff.ask('other', 'GET', '/operator/approval-requests?state=waiting')).body.items
  expect(waiting.summary).toMatchObject({ bonus: expect.stringContaining(': 22 %') })
  expect((await staff.ask('owner', 'GET', '/operator/campaign')).body.settings).toEqual(settings)

  // Other settings need no approval; the pending form would undo them, so it is closed.
  const other = { ...settings, expiryMinutes: settings.expiryMinutes - 1 }
  expect((await staff.ask('owner', 'PUT', '/operator/campaign', { revision, settings: other })).status).toBe(
    200,
  )
  await staff.forgetLinks()
  const late = await staff.ask('other', 'POST', `/operator/approval-requests/${waiting.id}/confirm`)
  expect(late.code).toBe('conflict')
})

test('one owner can’t reward a friend of their own by terms for bringing buyers; less needs nobody [REFER-1]', async () => {
  const { settings, revision } = (await staff.ask('owner', 'GET', '/operator/campaign')).body
  const referral = {
    percent: '20',
    mostTokensEach: '100000',
    mostTokens: '100000',
    countriesExcluded: ['GB'],
  }
  const save = (terms: object | null, at: number) =>
    staff.ask('owner', 'PUT', '/operator/campaign', {
      revision: at,
      settings: { ...settings, referral: terms },
    })
  expect((await save(referral, revision)).code).toBe('second_operator_required')
  const wait = async () =>
    (await staff.ask('other', 'GET', '/operator/approval-requests?state=waiting')).body.items.find(
      ({ summary }: { summary: object }) => 'referral' in summary,
    )
  const waiting = await wait()
  expect(waiting.summary).toEqual({ referral: '20 %, ≤ 100000, ≤ 100000, ✕ GB' })
  await staff.forgetLinks()
  expect((await staff.ask('other', 'POST', `/operator/approval-requests/${waiting.id}/confirm`)).status).toBe(
    200,
  )
  const inForce = (await staff.ask('owner', 'GET', '/operator/campaign')).body
  expect(inForce.settings.referral).toEqual(referral)
  expect((await save({ ...referral, countriesExcluded: [] }, inForce.revision)).code).toBe(
    'second_operator_required',
  )
  // The confirming operator sees the change: the terms were shown as the present ones.
  expect((await wait()).summary).toEqual({
    referral: '20 %, ≤ 100000, ≤ 100000, ✕ GB → 20 %, ≤ 100000, ≤ 100000',
  })
  expect((await save({ ...referral, percent: '1' }, inForce.revision)).status).toBe(200)
})
