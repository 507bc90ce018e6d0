import { expect, test } from 'vitest'
import { addBuyer, buy, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { sql } from '../database/database.ts'
import { LegalTexts } from './legal-texts.ts'

const { db } = await createTestDatabase({ holds: 'demo' })

test('each version says how many orders accepted it, also once older orders are no longer read', async () => {
  const sale = await openSale(db)
  const buyer = await addBuyer(db)
  const texts = new LegalTexts({ db })
  const accepted = async () =>
    (await texts.versions('terms')).map(({ version, acceptedByOrders }) => [version, acceptedByOrders])
  const before = Number((await accepted()).at(-1)?.[1])
  await buy(sale, buyer, '40')
  expect(await accepted()).toEqual([[1, before + 1]])
  await db.query(sql`update orders set created_at = created_at - interval '1 hour'`)
  expect(await accepted()).toEqual([[1, before + 1]])
  expect(await accepted()).toEqual([[1, before + 1]])
  await buy(sale, buyer, '41')
  expect(await accepted()).toEqual([[1, before + 2]])
  expect(await texts.versions('privacy')).toMatchObject([{ acceptedByOrders: null }])
})
