import { describe, expect, test } from 'vitest'
import { addBuyer, addOperator, buy, makeHalfBought, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase, makeTestDatabase } from '../../../test/support/database.ts'
import { statement } from '../../../test/support/statement.ts'
import { operatorOrderQuery } from '../../shared/api/orders-schemas.ts'
import { sql } from '../database/database.ts'
import { ORDERS_LOOKED_THROUGH, operatorOrderListSql } from './operator-order-list.ts'
import { OperatorOrders } from './operator-orders.ts'

const RENAME = statement('test_rename', 'update users set email = $2, email_key = $2 where id = $1')

const DECLARE = statement(
  'test_declare',
  'update orders set transaction_id = $2, declarations = $3::jsonb where id = $1',
)
const PAY = statement(
  'test_pay',
  `with c as (insert into chains (name, family, confirmation_rules) values ('test', 'evm', '[]') on conflict do nothing)
   insert into payments (chain, transaction_id, output_key, address, asset, currency_id, amount, order_id, user_id, seen_at, confirmations_needed,
                         orphaned_at)
   select 'test', id::text, 'paid', place, 'native', currency_id, crypto_amount, id, user_id, now(), 1, $2 from orders where id = $1`,
)
const LOSE = statement('test_lose', 'update orders set approvals = 1 where id = $1')
const END = statement('test_end', 'update orders set expires_at = now() where id = $1')
const HIDE = statement('test_hide', 'update orders set hidden = true where id = $1')
const DATE = statement('test_date', 'update orders set created_at = $2 where id = $1')
/** Orders as an order is, made, changed and rejected later than all others. */
const COPY_ORDERS = statement(
  'test_copy_orders',
  `insert into orders (id, token, user_id, currency_id, currency, stage_id, status, base_tokens, bonus_tokens, bonus_percent,
                       crypto_amount, usd, price_usd, rate, held_percent, level_key, terms_id, place, watched, approved_via, approved_at, approvals,
                       created_at, updated_at, sent_at, expires_at)
   select 1000000 + n, 'copy' || n, user_id, currency_id, currency, stage_id, status, base_tokens, bonus_tokens, bonus_percent,
          crypto_amount, usd, price_usd, rate, held_percent, level_key, terms_id, 'copy' || n, watched, approved_via, approved_at, approvals,
          now(), now() + interval '1 hour', now(), expires_at
     from orders, generate_series(1, $2::integer) n where id = $1`,
)

test('a search by a transaction that a chain showed finds the order that it paid, however it is spelled', async () => {
  const database = await makeTestDatabase({ holds: 'demo' })
  try {
    const { db } = database
    const sale = await openSale(db)
    const buyer = await addBuyer(db)
    const { number } = await buy(sale, buyer, '40')
    await buy(sale, buyer, '40')
    const transaction = `7a77${'95de'.repeat(15)}`
    await db.query(
      sql`with c as (insert into chains (name, family, confirmation_rules) values ('litecoin', 'bitcoin', '[]') on conflict (name) do nothing)
          insert into payments (chain, transaction_id, output_key, address, asset, amount, order_id, user_id, seen_at, confirmations_needed)
          select 'litecoin', ${transaction}, '0', 'addr', 'native', 1, id, user_id, now(), 1 from orders where id = ${String(number)}`,
    )
    const orders = new OperatorOrders({
      db,
      payments: { ofOrder: async () => ({ payments: [], others: null }) },
    })
    for (const search of [transaction, transaction.toUpperCase()])
      for (const buyers of ['few', 'many'] as const) {
        const { text, values } = operatorOrderListSql(operatorOrderQuery.parse({ search }), buyers)
        const { rows } = await db.pool.query<{ id: string }>(text, values)
        expect(rows.map(({ id }) => Number(id))).toEqual([number])
        expect((await orders.list(operatorOrderQuery.parse({ search }))).items.map(({ id }) => id)).toEqual([
          number,
        ])
      }
  } finally {
    await database.close()
  }
})

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
    const orders = new OperatorOrders({
      db,
      payments: { ofOrder: async () => ({ payments: [], others: null }) },
    })
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

test('where many e-mails begin with a search, what it names exactly comes first and once', async () => {
  const database = await makeTestDatabase({ holds: 'demo' })
  try {
    const { db } = database
    const sale = await openSale(db)
    const numbers: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const buyer = await addBuyer(db)
      const { number } = await buy(sale, buyer, '40')
      numbers.push(number)
    }
    const first = String(numbers[0])
    // Everybody's e-mail begins with the number of the oldest order, and so do 2,000 others'.
    await db.query(
      statement('test_rename_all', 'update users set email = $1 || email, email_key = $1 || email_key'),
      [first],
    )
    await db.query(
      statement(
        'test_many_users',
        `insert into users (email, email_key, name)
           select mail, mail, 'Ann' from generate_series(1, 2000) n, lateral (select $1 || n || '@example.org' as mail) m`,
      ),
      [first],
    )
    const orders = new OperatorOrders({
      db,
      payments: { ofOrder: async () => ({ payments: [], others: null }) },
    })
    const found: number[][] = []
    for (let after: string | undefined; ; ) {
      const page = await orders.list({ ...operatorOrderQuery.parse({ search: first, limit: 2 }), after })
      found.push(page.items.map(({ id }) => id))
      if (!page.next) break
      after = page.next
    }
    const [oldest, second, third, fourth, newest] = numbers
    expect(found).toEqual([
      [oldest, newest, fourth],
      [third, second],
    ])
  } finally {
    await database.close()
  }
})

describe('the queue', async () => {
  const { db } = await createTestDatabase({ holds: 'demo' })
  const sale = await openSale(db)
  const operatorId = await addOperator(db)
  const orders = new OperatorOrders({
    db,
    payments: { ofOrder: async () => ({ payments: [], others: null }) },
  })
  const buyer = await addBuyer(db)
  const numberOf = async (tokens: string, currency?: string) =>
    String((await buy(sale, buyer, tokens, currency)).number)
  const small = await numberOf('40')
  const proved = await addBuyer(db)
  await db.query(sql`update users set confirmed_at = now() where id = ${proved}`)
  const large = String((await buy(sale, proved, '1000', 'BTC')).number)
  const [named, seen, late, gone, hidden] = [
    await numberOf('50'),
    await numberOf('60'),
    await numberOf('70'),
    await numberOf('80'),
    await numberOf('90'),
  ]
  await sale.ledger.approve(large, { operatorId })
  // Its rest may still come, which nobody has to look at.
  await makeHalfBought(db, Number(large))
  await db.query(DECLARE, [named, 'ident1234', '{"country":"IS"}'])
  // A block holds nothing of the first, and no longer what the second had bought with.
  await db.query(PAY, [seen, null])
  await db.query(PAY, [late, new Date()])
  await db.query(LOSE, [late])
  await db.query(END, [gone])
  await db.query(HIDE, [hidden])
  await db.query(DATE, [small, '2020-05-01T12:00:00Z'])

  const found = async (query: object) =>
    (await orders.list(operatorOrderQuery.parse({ direction: 'asc', ...query }))).items.map(({ id }) =>
      String(id),
    )

  test.each([
    [{ view: 'waiting' }, [small, named, seen, late]],
    [{ view: 'with_transaction_id' }, [named]],
    [{ view: 'seen' }, [seen]],
    [{ view: 'odd' }, [late]],
    [{ view: 'waiting', sort: 'status' }, [small, named, seen, late]],
    [{ currency: 'BTC' }, [large]],
    [{ usdMin: '4500', usdMax: '4500' }, [large]],
    [{ usdMax: '180.00' }, [small]],
    [{ via: 'operator' }, [large]],
    [{ via: 'chain' }, []],
    [{ mailbox: 'confirmed' }, [large]],
    [{ view: 'waiting', mailbox: 'unconfirmed' }, [small, named, seen, late]],
    [{ level: 'platinum' }, [large]],
    [{ country: 'IS' }, [named]],
    [{ view: 'waiting', country: 'IS', sort: 'updated' }, [named]],
    [{ to: '2020-05-02T00:00:00Z' }, [small]],
    [{ from: '2020-05-01T15:00:00+03:00', to: '2020-05-01T15:00:01+03:00' }, [small]],
    [{ from: '2020-05-01T12:00:00.001Z', currency: 'USDT', status: 'pending' }, [named, seen, late, gone]],
    [{ search: 'ident1234', country: 'IS' }, [named]],
    [{ search: 'ident1234', currency: 'BTC' }, []],
  ] as [object, string[]][])('%j shows its orders alone', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test('a row says by what network, from which country and with which transaction', async () => {
    expect((await orders.list(operatorOrderQuery.parse({ country: 'IS' }))).items[0]).toMatchObject({
      country: 'IS',
      transactionId: 'ident1234',
      paidBy: null,
      network: 'ethereum',
    })
  })

  test('each tab is counted, as far as a thousand; a filter that fits little is looked for in pieces', async () => {
    const exactly = (count: number) => ({ count, isMore: false })
    expect(await orders.counts()).toEqual({
      waiting: exactly(4),
      with_transaction_id: exactly(1),
      seen: exactly(1),
      odd: exactly(1),
      approved: exactly(1),
      all: exactly(6),
    })
    await db.query(COPY_ORDERS, [small, ORDERS_LOOKED_THROUGH])
    expect((await orders.counts()).waiting).toEqual({ count: 1_000, isMore: true })
    for (const sort of ['created', 'updated', 'status'] as const) {
      for (const dates of [{}, { from: '2020-01-01T00:00:00Z' }]) {
        const query = operatorOrderQuery.parse({ country: 'IS', sort, ...dates })
        const first = await orders.list(query)
        expect(first.items).toEqual([])
        const second = await orders.list({ ...query, after: String(first.next) })
        expect(second).toMatchObject({ items: [{ id: Number(named) }], next: null })
      }
    }
  })

  test.each([
    ['created', 'asc'],
    ['created', 'desc'],
    ['status', 'asc'],
    ['status', 'desc'],
  ])('of one status by %s %s no order of another one is gone through', async (sort, direction) => {
    const query = operatorOrderQuery.parse({ status: 'approved', sort, direction })
    const { text, values } = operatorOrderListSql(query, 'few')
    const client = await db.pool.connect()
    const planned = async () => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    try {
      await client.query('begin')
      await client.query('set local enable_seqscan = off')
      expect(await planned()).toContain('orders_by_status')
      // No other index gives this order, whatever PostgreSQL holds for cheap: without this one the orders would have to be sorted.
      await client.query('drop index orders_by_status')
      expect(await planned()).toMatch(/Sort[^]*Scan/)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
