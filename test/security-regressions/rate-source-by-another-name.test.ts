import { expect, test } from 'vitest'
import type { AnyAct } from '../../src/server/acts/acts.ts'
import { currencyActs } from '../../src/server/currencies/currency-acts.ts'
import { sql } from '../../src/server/database/database.ts'
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
const fin = operatorBy(await addOperator(db), 'finance')
const perform = (name: string, input: unknown) => acts.perform(all[name] as AnyAct, fin, input)

test('one operator can’t have the price of another coin read by giving a coin its name [TWO-18]', async () => {
  await db.query(sql`update currencies set price_id = null, full_name = 'Dogecoin' where code = 'DOGE'`)
  await db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  const rate = () => db.one<{ rate: string }>(sql`select rate from currencies where code = 'DOGE'`)
  await perform('currency.refresh-rates', {})
  const before = await rate()
  await expect(perform('currency.update', [{ code: 'DOGE', fullName: 'Bitcoin' }])).rejects.toEqual(
    refused('second_operator_required'),
  )
  await perform('currency.refresh-rates', {})
  expect(await rate()).toEqual(before)

  // A name that changes nothing of the source is anybody's to correct.
  await perform('currency.update', [{ code: 'DOGE', fullName: 'DogeCoin' }])
  await perform('currency.update', [{ code: 'BTC', fullName: 'Bitcoin Core' }])
})

test('nor by giving it the name and taking its price id away, each of which alone changes nothing [TWO-18]', async () => {
  await db.query(sql`update currencies set price_id = 'dogecoin', full_name = 'Dogecoin' where code = 'DOGE'`)
  const halves = [
    { code: 'DOGE', fullName: 'Bitcoin' },
    { code: 'DOGE', priceId: null },
  ]
  // In one request, and in two at once of which the other is performed while this one is asked whether it waits.
  await expect(perform('currency.update', halves)).rejects.toEqual(refused('conflict'))
  const update = all['currency.update'] as AnyAct
  const meanwhile: AnyAct = {
    ...update,
    perform: async (change, input) => {
      await change.query(
        sql`update currencies set full_name = 'Bitcoin', revision = revision + 1 where code = 'DOGE'`,
      )
      return update.perform(change, input)
    },
  }
  await expect(acts.perform(meanwhile, fin, [halves[1]])).rejects.toEqual(refused('conflict'))
  expect(await db.one(sql`select price_id, full_name from currencies where code = 'DOGE'`)).toEqual({
    price_id: 'dogecoin',
    full_name: 'Dogecoin',
  })
})
