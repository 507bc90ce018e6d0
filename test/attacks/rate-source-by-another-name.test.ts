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

test('one operator can’t have the price of another coin read by giving a coin its name', async () => {
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
