import { expect, test } from 'vitest'
import { addBuyer, addOperator, buy, openSale } from '../../../test/support/campaign.ts'
import { makeTestDatabase } from '../../../test/support/database.ts'
import { statement } from '../../../test/support/statement.ts'
import { operatorOrderQuery } from '../../shared/api/orders-schemas.ts'
import { OperatorOrders, operatorOrderListSql } from './operator-orders.ts'

const RENAME = statement('test_rename', 'update users set email = $2, email_key = $2 where id = $1')

test('a search by the beginning of an e-mail finds the same orders however many buyers share it', async () => {
  const database = await makeTestDatabase({ holds: 'demo' })
  try {
    const { db } = database
    const sale = await openSale(db)
    const operatorId = await addOperator(db)
    const made: { number: number; email: string; approved: boolean }[] = []
    for (const email of ['ann@example.org', 'anna@example.org', 'bob@example.org']) {
      const buyer = await addBuyer(db)
      await db.query(RENAME, [buyer, email])
      for (const approved of [true, false, false]) {
        const { number } = await buy(sale, buyer, '40')
        if (approved) await sale.ledger.approve(String(number), { operatorId })
        made.push({ number, email, approved })
      }
    }
    const orders = new OperatorOrders({ db, payments: { ofOrders: async () => new Map() } })
    for (const search of ['a', 'ann@', 'Anna@example.org', 'bob', 'nobody']) {
      for (const sort of ['created', 'updated', 'status'] as const) {
        // One page cuts through the matches, the other holds them all.
        for (const limit of [2, 20]) {
          const query = operatorOrderQuery.parse({ search, sort, limit })
          const found: number[] = []
          for (let after: string | undefined; ; ) {
            const page = await orders.list({ ...query, after })
            found.push(...page.items.map((item) => item.id))
            for (const buyers of ['few', 'many'] as const) {
              const { text, values } = operatorOrderListSql({ ...query, after }, buyers)
              const { rows } = await db.pool.query<{ id: string }>(text, values)
              expect(rows.slice(0, limit).map((row) => Number(row.id))).toEqual(
                page.items.map(({ id }) => id),
              )
            }
            if (!page.next) break
            after = page.next
          }
          const matching = made.filter(({ email }) => email.startsWith(search.toLowerCase()))
          expect(found).toHaveLength(matching.length)
          expect(new Set(found)).toEqual(new Set(matching.map(({ number }) => number)))
        }
      }
      const pending = await orders.list(operatorOrderQuery.parse({ search, status: 'pending' }))
      expect(pending.items.map((item) => item.id)).toEqual(
        made
          .filter(({ email, approved }) => email.startsWith(search.toLowerCase()) && !approved)
          .map(({ number }) => number)
          .toReversed(),
      )
    }
  } finally {
    await database.close()
  }
})
