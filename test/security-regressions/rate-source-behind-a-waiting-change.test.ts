import { expect, test } from 'vitest'
import type { AnyAct } from '../../src/server/acts/acts.ts'
import { currencyActs } from '../../src/server/currencies/currency-acts.ts'
import { sql } from '../../src/server/database/database.ts'
import type { Refusal } from '../../src/server/refusal.ts'
import { actsOf, operatorBy } from '../support/acts.ts'
import { addOperator, openSale } from '../support/campaign.ts'
import { createTestDatabase } from '../support/database.ts'
import { refused } from '../support/outcomes.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
await openSale(db)
const prices = new Map([
  ['bitcoin', '100000'],
  ['dogecoin', '0.1'],
])
const all: Record<string, AnyAct> = currencyActs({ fetchPrices: async () => prices })
const acts = actsOf(db, all)
const thief = operatorBy(await addOperator(db), 'finance')
const honest = operatorBy(await addOperator(db), 'owner')
const perform = (input: unknown) => acts.perform(all['currency.update'] as AnyAct, thief, input)
const address = 'D7Y55r6Yoc1G8EECxkQ6SuSjTgGJJ7M6yD'

/** Asks for a change that waits; its id, and what the second operator is shown. */
async function asked(change: object) {
  const refusal = await perform([{ code: 'DOGE', ...change }]).then(
    () => null,
    (error: Refusal) => error,
  )
  expect(refusal).toEqual(refused('second_operator_required'))
  const id = String(refusal?.details?.['approvalRequestId'])
  const items = (await acts.pending.list(honest, 'waiting')).items
  return { id, summary: items.find((item) => item.id === id)?.summary }
}
const confirm = (id: string) => acts.perform(acts.pending.acts['action.confirm'], honest, { id })
const doge = () => db.one(sql`select price_id, full_name, address from currencies where code = 'DOGE'`)

test('what waits beside an address can’t be made another price’s source while it waits [TWO-18]', async () => {
  await db.query(
    sql`update currencies set price_id = 'dogecoin', full_name = 'Dogecoin', watched = false, wallet_id = null where code = 'DOGE'`,
  )
  await db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  // By itself it changes nothing of the source, because the name leads to the same price.
  const { id, summary } = await asked({ address, priceId: null })
  expect(Object.keys(summary ?? {})).not.toContain('source')
  // Nor does this, because the id stands.
  await perform([{ code: 'DOGE', fullName: 'Bitcoin' }])
  const before = await doge()
  await expect(confirm(id)).rejects.toEqual(refused('conflict'))
  expect(await doge()).toEqual(before)
})

test('a rate that waits with an address is shown, however near it was when it was asked for [TWO-18]', async () => {
  const { rate } = await db.one<{ rate: string }>(sql`select rate from currencies where code = 'DOGE'`)
  await db.query(sql`update currencies set address = '' where code = 'DOGE'`)
  const { summary } = await asked({ address, rate: String(Number(rate) * 1.05) })
  expect(summary?.['rate']).toContain(' → ')
})
