import { expect, test } from 'vitest'
import { OperatorOrders } from '../../src/server/orders/operator-orders.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { openChainSale } from '../chains/chain-sale.ts'
import { nowhere } from '../chains/paper-chain.ts'
import { withTestDatabase } from '../support/database.ts'
import { statement } from '../support/statement.ts'

// One transaction of 3,000 dust outputs to an own order made each reading of it 1.3 MB long, at the price of any request.

const DUST = statement(
  'test_dust',
  `select count(*) from generate_series(1, 150) n, lateral record_transfer(row('litecoin', repeat('a', 64), n::text, $1::text,
     'native', 0.0001, null::bigint, null, null, false, array['in:1'], null)::chain_transfer, null) r`,
)

test('an order lists at most 100 payments and events, those that matter first, and sums up the rest [ORDER-19]', () =>
  withTestDatabase(
    async (database) => {
      const sale = await openChainSale(database.db, [nowhere])
      await sale.sql('tip', "update chains set height = 1000, hash = 'block 1000' where name = 'litecoin'")
      const key = accountOf(ABANDON, `m/84'/1'/7001'`, 'vpub').publicExtendedKey
      await sale.watch('LTC', 'litecoin', key)
      const order = await sale.order('LTC', '1000')
      await database.db.query(DUST, [order.address])
      const shown = await sale.show(order)
      expect([shown.payments.length, shown.others]).toEqual([
        100,
        { count: 50, amount: '0.0050', tooLittle: '0' },
      ])
      expect(shown.events).toHaveLength(100)
      // The first payment, which was left out, has bought: it is listed, and its event too.
      await sale.sql(
        'bought',
        'update payments set credited = amount where id = (select min(id) from payments)',
      )
      await sale.sql('event', `select note_order_event(min(id), 'settled', 'system') from orders`)
      await sale.sql(
        'more',
        `select note_order_event(o.id, 'payment_seen', 'chain') from orders o, generate_series(1, 120)`,
      )
      const operators = new OperatorOrders({ db: sale.db, payments: sale.payments })
      for (const page of [await sale.show(order), await operators.show(String(order.number))]) {
        expect(page.payments).toHaveLength(100)
        expect(page.payments[0]?.id).toBe('1')
        expect(page.events).toHaveLength(100)
        expect(page.events.map(({ kind }) => kind)).toContain('settled')
      }
    },
    { holds: 'demo' },
  ))
