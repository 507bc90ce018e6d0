import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/server/actions/actions.ts'
import { currencyActions } from '../../src/server/currencies/currency-actions.ts'
import { sql } from '../../src/server/database/database.ts'
import type { Refusal } from '../../src/server/refusal.ts'
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
const thief = operatorActor(await addOperator(db), 'finance')
const honest = operatorActor(await addOperator(db), 'owner')
const execute = (input: unknown) => actions.execute(all['currency.update'] as AnyAction, thief, input)
const address = 'D7Y55r6Yoc1G8EECxkQ6SuSjTgGJJ7M6yD'

/** Asks for a change that waits; its id, and what the second operator is shown. */
async function asked(change: object) {
  const refusal = await execute([{ code: 'DOGE', ...change }]).then(
    () => null,
    (error: Refusal) => error,
  )
  expect(refusal).toEqual(refused('second_operator_required'))
  const id = String(refusal?.details?.['approvalRequestId'])
  const items = (await actions.pending.list(honest, 'waiting')).items
  return { id, summary: items.find((item) => item.id === id)?.summary }
}
const confirm = (id: string) => actions.execute(actions.pending.actions['approval.confirm'], honest, { id })
const doge = () => db.one(sql`select price_id, full_name, address from currencies where code = 'DOGE'`)

test('what waits beside an address can’t be made another price’s source while it waits [TWO-18]', async () => {
  await db.query(
    sql`update currencies set price_id = 'dogecoin', full_name = 'Dogecoin', watched = false, wallet_id = null where code = 'DOGE'`,
  )
  await db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
  // By itself it changes nothing of the source, because the name leads to the same price.
  const { id, summary } = await asked({ address, priceId: null })
  expect(Object.keys(summary ?? {})).not.toContain('source')
  // Nor does this, which two others have agreed on meanwhile.
  await db.query(
    sql`update currencies set full_name = 'Bitcoin', revision = revision + 1 where code = 'DOGE'`,
  )
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
