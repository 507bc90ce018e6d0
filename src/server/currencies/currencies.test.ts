import { expect, test } from 'vitest'
import { openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator } from '../../../test/support/header-server.ts'
import { createCurrencies } from './currencies.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
await openSale(db)
const currencies = createCurrencies(db, () => {})
const editor = { operatorId: await addOperator(db, 'editor', 'finance'), requestId: 'r1' }

test('of several edits made of the same version one stands, and the others are shown it', async () => {
  const { revision } = await currencies.find('LINK')
  const results = await Promise.allSettled(
    ['One', 'Two', 'Three'].map((fullName) => currencies.update('LINK', { revision, fullName }, editor)),
  )
  const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.fullName] : []))
  expect(won).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    expect(result.reason.code).toBe('conflict')
    expect(result.reason.details.current.fullName).toBe(won[0])
  }
  expect((await currencies.find('LINK')).fullName).toBe(won[0])
})
