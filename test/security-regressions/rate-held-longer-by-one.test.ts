import { afterAll, expect, test } from 'vitest'
import { startWhereTwoDecide } from '../support/staff.ts'

const staff = await startWhereTwoDecide()
afterAll(() => staff.close())

async function change(settings: object) {
  const standing = (await staff.ask('owner', 'GET', '/operator/campaign')).body
  const answer = await staff.ask('owner', 'PUT', '/operator/campaign', {
    revision: standing.revision,
    settings: { ...standing.settings, ...settings },
  })
  return answer.status === 200 ? 'done' : answer.code
}
const summaries = async () =>
  (await staff.ask('other', 'GET', '/operator/approval-requests?state=waiting')).body.items.map(
    ({ summary }: { summary: object }) => summary,
  )

test('one owner can’t have a friend’s order keep its rate for days, nor the rate of a feed that fell silent buy on [TWO-15]', async () => {
  expect(await change({ expiryMinutes: 1440 })).toBe('second_operator_required')
  expect(await change({ feedRateMaxMinutes: 1440 })).toBe('second_operator_required')
  expect(await summaries()).toEqual([{ feedRateMaxMinutes: '5 → 1440' }, { expiryMinutes: '60 → 1440' }])
  expect(await change({ expiryMinutes: 61 })).toBe('second_operator_required')
  expect(await change({ expiryMinutes: 30, feedRateMaxMinutes: 3 })).toBe('done')
})
