import { expect, test } from 'vitest'
import { currenciesOf, performerOf } from '../../../test/support/acts.ts'
import { openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator } from '../../../test/support/header-server.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
await openSale(db)
const currencies = currenciesOf(db)
const perform = performerOf(db, currencies.acts, await addOperator(db, 'editor', 'finance'), 'finance')

test('of several edits made of the same version one stands, and the others are shown it', async () => {
  const { revision } = await currencies.find('LINK')
  const results = await Promise.allSettled(
    ['One', 'Two', 'Three'].map((fullName) =>
      perform('currency.update', [{ code: 'LINK', revision, fullName }]),
    ),
  )
  const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value[0]?.fullName] : []))
  expect(won).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    expect(result.reason.code).toBe('conflict')
    expect(result.reason.details.current.fullName).toBe(won[0])
  }
  expect((await currencies.find('LINK')).fullName).toBe(won[0])
})
