import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { startWhereTwoDecide } from '../support/staff.ts'

const staff = await startWhereTwoDecide()
afterAll(() => staff.close())

/** How often one operator alone may multiply a value by 1.09, of five tries. */
async function stepsOf(
  first: number,
  step: (value: string, before: string) => Promise<number>,
): Promise<number> {
  let value = first
  for (let steps = 0; steps < 5; steps++) {
    const next = value * 1.09
    if ((await step(next.toFixed(6), value.toFixed(6))) !== 200) return steps
    value = next
  }
  return 5
}

test('one operator can’t walk a rate away in small steps where none stood a day ago [TWO-18]', async () => {
  const { db } = staff.server.database
  const { rate, ago } = await db.one<{ rate: string; ago: number }>(
    sql`select rate, (select count(*)::int from currency_rates r where r.currency_id = k.id and from_at <= now() - interval '1 day') as ago
          from currencies k where code = 'BTC'`,
  )
  expect(ago).toBe(0)
  const steps = await stepsOf(
    Number(rate),
    async (next) => (await staff.ask('fin', 'PUT', '/operator/currencies/BTC', { rate: next })).status,
  )
  expect(steps).toBe(1)
})

test('nor the price [TWO-18]', async () => {
  const { priceUsd } = (await staff.ask('owner', 'GET', '/operator/campaign')).body
  const steps = await stepsOf(
    Number(priceUsd),
    async (next, before) =>
      (await staff.ask('owner', 'PUT', '/operator/price', { priceUsd: next, previousUsd: before })).status,
  )
  expect(steps).toBe(1)
})
