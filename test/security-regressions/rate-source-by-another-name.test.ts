import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/server/actions/actions.ts'
import { currencyActions } from '../../src/server/currencies/currency-actions.ts'
import { sql } from '../../src/server/database/database.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addOperator, openSale } from '../support/campaign.ts'
import { createTestDatabase } from '../support/database.ts'
import { refused } from '../support/outcomes.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
await openSale(db)
const prices = new Map([
  ['bitcoin', '100000'],
  ['dogecoin', '0.1'],
])
const all: Record<string, AnyAction> = currencyActions({ fetchPrices: async () => prices })
const actions = actionsOf(db, all)
const fin = operatorActor(await addOperator(db), 'finance')
const execute = (name: string, input: unknown) => actions.execute(all[name] as AnyAction, fin, input)

test('one operator can’t have the price of another coin read by giving a coin its name [TWO-18]', async () => {
  await db.query(sql`update currencies set price_id = null, full_name = 'Dogecoin' where code = 'DOGE'`)
  await db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  const rate = () => db.one<{ rate: string }>(sql`select rate from currencies where code = 'DOGE'`)
  await execute('currency.refresh-rates', {})
  const before = await rate()
  await expect(execute('currency.update', [{ code: 'DOGE', fullName: 'Bitcoin' }])).rejects.toEqual(
    refused('second_operator_required'),
  )
  await execute('currency.refresh-rates', {})
  expect(await rate()).toEqual(before)

  // A name that changes nothing of the source is what buyers choose a coin by (TWO-22).
  await expect(execute('currency.update', [{ code: 'BTC', fullName: 'Bitcoin Core' }])).rejects.toEqual(
    refused('second_operator_required'),
  )
})

test('nor by giving it the name and taking its price id away, each of which alone changes nothing [TWO-18]', async () => {
  await db.query(sql`update currencies set price_id = 'dogecoin', full_name = 'Dogecoin' where code = 'DOGE'`)
  const halves = [
    { code: 'DOGE', fullName: 'Bitcoin' },
    { code: 'DOGE', priceId: null },
  ]
  // In one request, and in two at once of which the other is executed while this one is asked whether it waits.
  await expect(execute('currency.update', halves)).rejects.toEqual(refused('conflict'))
  const update = all['currency.update'] as AnyAction
  const meanwhile: AnyAction = {
    ...update,
    execute: async (unit, input) => {
      await unit.query(
        sql`update currencies set full_name = 'Bitcoin', revision = revision + 1 where code = 'DOGE'`,
      )
      return update.execute(unit, input)
    },
  }
  await expect(actions.execute(meanwhile, fin, [halves[1]])).rejects.toEqual(refused('conflict'))
  expect(await db.one(sql`select price_id, full_name from currencies where code = 'DOGE'`)).toEqual({
    price_id: 'dogecoin',
    full_name: 'Dogecoin',
  })
})
