import { describe, expect, test } from 'vitest'
import {
  addBuyer,
  addOperator,
  brokenRules,
  buy,
  declared,
  type Sale,
  setGoal,
  withSale,
} from '../../../test/support/campaign.ts'
import { answersOf, refusalsOf, refused } from '../../../test/support/outcomes.ts'
import { queuedBehind, race, raceOf } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import { sql } from '../database/database.ts'

const one = <T>(sale: Sale, name: string, text: string, values: unknown[] = []) =>
  sale.db.one<T>(statement(`test_${name}`, text), values)

describe('a preview', () => {
  test('computes every amount at the demo price [NUM-4, ORDER-2, BONUS-2]', () =>
    withSale(async ({ pricing }) => {
      const quote = await pricing.preview(null, { currency: 'usdt', amount: '40', unit: 'token' })
      expect(quote).toMatchObject({
        baseTokens: '40.000000',
        bonusTokens: '2.000000',
        bonusPercent: '5',
        levelKey: 'bronze',
        cryptoAmount: '180.000000',
        usd: '180.00',
      })
      const swapped = await pricing.preview(null, { currency: 'BTC', amount: '0.05', unit: 'crypto' })
      expect(swapped).toMatchObject({
        baseTokens: '1000.000000',
        levelKey: 'platinum',
        bonusTokens: '120.000000',
        cryptoAmount: '0.050000',
      })
    }))

  test('refuses amounts outside the limits, what is unknown, off or paused, each by its code [ORDER-3]', () =>
    withSale(async (sale) => {
      const preview = (currency: string, amount: string) =>
        sale.pricing.preview(null, { currency, amount, unit: 'token' as const })
      await expect(preview('USDT', '39.999999')).rejects.toEqual(refused('amount_below_minimum'))
      await expect(preview('USDT', '100000.000001')).rejects.toEqual(refused('amount_above_maximum'))
      await expect(preview('NOPE', '40')).rejects.toEqual(refused('currency_unknown'))
      await sale.db.query(
        statement('test_pause_btc', "update currencies set paused_at = now() where code = 'BTC'"),
      )
      await expect(preview('BTC', '40')).rejects.toEqual(refused('currency_paused'))
      await sale.db.query(
        statement('test_off_eth', "update currencies set switched_off_at = now() where code = 'ETH'"),
      )
      await expect(preview('ETH', '40')).rejects.toEqual(refused('currency_off'))
      await sale.db.query(
        statement(
          'test_stale',
          "update currencies set rate_source = 'feed', rate_at = now() - interval '6 minutes' where code = 'SOL'",
        ),
      )
      await expect(preview('SOL', '40')).rejects.toEqual(refused('rate_stale'))
      await sale.db.query(
        statement('test_no_address', "update currencies set address = '' where code = 'XRP'"),
      )
      await expect(preview('XRP', '40')).rejects.toEqual(refused('address_missing'))
      await sale.db.query(statement('test_pause_sale', 'update campaign set paused_at = now()'))
      await expect(preview('USDT', '40')).rejects.toEqual(refused('sale_paused'))
      await sale.db.query(statement('test_resume', 'update campaign set paused_at = null'))
      await sale.db.query(
        statement(
          'test_end',
          "update stages set starts_at = now() - interval '2 days', ends_at = now() - interval '1 second'",
        ),
      )
      await expect(preview('USDT', '40')).rejects.toEqual(refused('stage_closed'))
      await sale.db.query(
        statement(
          'test_not_begun',
          "update stages set ends_at = now() + interval '2 days', starts_at = now() + interval '1 day'",
        ),
      )
      await expect(preview('USDT', '40')).rejects.toEqual(refused('stage_not_started'))
    }))
})

describe('an order', () => {
  test('needs the terms, the age and the same version of the texts [ORDER-5]', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      const order = async (input: object) =>
        sale.orders.place(
          { userId: ann, idempotencyKey: undefined, requestHash: Buffer.alloc(0) },
          { currency: 'USDT', amount: '40', unit: 'token', ...declared, ...input },
        )
      await expect(order({ acceptTerms: false })).rejects.toEqual(refused('terms_not_accepted'))
      await expect(order({ ageConfirmed: false })).rejects.toEqual(refused('declaration_missing'))
      await expect(order({ termsVersion: 2 })).rejects.toEqual(refused('terms_changed'))
      await expect(order({ termsVersion: 1, risksVersion: 1 })).resolves.toMatchObject({ number: 1 })
    }))

  test.each([false, true])('repeats of one key make one order (batching %s) [ORDER-8]', (batching) =>
    withSale(
      async (sale) => {
        const ann = await addBuyer(sale.db)
        const send = (amount = '40') =>
          sale.orders.place(
            { userId: ann, idempotencyKey: 'k1', requestHash: Buffer.from(amount) },
            { currency: 'USDT', amount, unit: 'token', ...declared },
          )
        const answers = answersOf(await raceOf(sale.db, 30, () => send()))
        expect(answers).toHaveLength(30)
        expect(new Set(answers.map((answer) => answer.token)).size).toBe(1)
        expect(await one<{ count: string }>(sale, 'count', 'select count(*) from orders')).toEqual({
          count: '1',
        })
        await expect(send('50')).rejects.toEqual(refused('idempotency_key_reused'))
      },
      { batching },
    ),
  )

  test('a repeat waits for the order that is being written, and gets it [ORDER-8]', () =>
    withSale(
      async (sale) => {
        const ann = await addBuyer(sale.db)
        const send = () =>
          sale.orders.place(
            { userId: ann, idempotencyKey: 'k1', requestHash: Buffer.from('40') },
            { currency: 'USDT', amount: '40', unit: 'token', ...declared },
          )
        await buy(sale, await addBuyer(sale.db), '40')
        // The first one has written its order, and waits to check that these terms are there.
        const terms = sql`select from order_terms for update`
        const [first, repeat] = await queuedBehind(sale.db, terms, [send, send])
        expect(repeat?.token).toBe(first?.token)
      },
      { batching: false },
    ))

  test('is over when its stage is, at the latest [ORDER-4]', () =>
    withSale(async (sale) => {
      const ann = await addBuyer(sale.db)
      await sale.db.query(
        statement('test_ends_soon', "update stages set ends_at = now() + interval '5 minutes'"),
      )
      const { expiresAt } = await buy(sale, ann, '40')
      const { at } = await one<{ at: Date }>(sale, 'end_of_stage', 'select ends_at as at from stages')
      expect(expiresAt).toBe(at.toISOString())
    }))

  test.each([false, true])(
    '200 buyers racing for the last tokens never oversell a stage, and none is stranded (batching %s) [ORDER-4, HOLD-1]',
    (batching) =>
      withSale(
        async (sale) => {
          // Room for exactly 57 orders of 40 tokens, and a rest of 20 tokens.
          await setGoal(sale, '10350.00')
          const operatorId = await addOperator(sale.db)
          const buyers = await Promise.all(Array.from({ length: 200 }, () => addBuyer(sale.db)))
          const outcomes = await race(
            sale.db,
            buyers.map((buyer) => () => buy(sale, buyer, '40')),
          )
          // An order that nobody has paid takes nothing from anybody.
          expect(answersOf(outcomes)).toHaveLength(200)
          expect(
            await one<{ count: string }>(sale, 'count_held', 'select count(*) from orders where held'),
          ).toEqual({ count: '0' })
          expect(await brokenRules(sale.db)).toEqual([])
          // Those that are paid race for the room.
          const paid = await race(
            sale.db,
            answersOf(outcomes).map(
              ({ number }) =>
                () =>
                  sale.ledger.approve(String(number), { operatorId }),
            ),
          )
          expect(answersOf(paid)).toHaveLength(57)
          expect(new Set(refusalsOf(paid))).toEqual(new Set(['cap_reached']))
          expect(await brokenRules(sale.db)).toEqual([])
          // Less than the minimum is left: the last order may be exactly that.
          const last = buyers[0] as string
          await expect(buy(sale, last, '19')).rejects.toEqual(refused('amount_below_minimum'))
          const { number } = await buy(sale, last, '20')
          await sale.ledger.approve(String(number), { operatorId })
          await expect(buy(sale, last, '20')).rejects.toEqual(refused('amount_below_minimum'))
          expect(
            await one<{ usd: string }>(
              sale,
              'held',
              "select sum(usd) as usd from orders where held or status = 'approved'",
            ),
          ).toEqual({ usd: '10350.00' })
        },
        { batching },
      ),
  )

  test('expires; approved after all, it needs room like any other [HOLD-6]', () =>
    withSale(async (sale) => {
      await setGoal(sale, '360.00')
      const ann = await addBuyer(sale.db)
      const orders = []
      for (let count = 0; count < 3; count += 1) orders.push(await buy(sale, ann, '40'))
      const [second, third, fourth] = orders
      await sale.db.query(
        statement('test_pass', "update orders set expires_at = now() - interval '1 second' where id = $1"),
        [second?.number],
      )
      expect(await sale.orders.show(ann, second?.token ?? '')).toMatchObject({
        status: 'pending',
        detail: 'expired',
      })
      const approve = (order: typeof second) =>
        sale.ledger.approve(String(order?.number), { operatorId: null })
      expect([await approve(third), await approve(fourth)]).toEqual([true, true])
      expect(await brokenRules(sale.db)).toEqual([])
      // Nothing is left, so approving the expired one is refused rather than oversold.
      await expect(approve(second)).rejects.toEqual(refused('cap_reached'))
      await sale.ledger.reject(String(third?.number), { operatorId: null, came: '0' })
      expect(await approve(second)).toBe(true)
    }))

  test('one transaction id may be named by several orders, and serves the one that is approved [ORDER-16]', () =>
    withSale(async (sale) => {
      const [ann, ben] = [await addBuyer(sale.db), await addBuyer(sale.db)]
      const [a, b] = [await buy(sale, ann, '40'), await buy(sale, ben, '40')]
      const set = (user: string, token: string) =>
        sale.orders.setTransactionId(user, token, '0xabcdef0123456789')
      await expect(set(ann, b.token)).rejects.toEqual(refused('order_unknown'))
      // A stranger who names it first keeps nobody from naming it.
      await set(ben, b.token)
      await set(ann, a.token)
      const operatorId = await addOperator(sale.db)
      const approve = ({ number }: { number: number }) => sale.ledger.approve(String(number), { operatorId })
      const outcomes = await race(sale.db, [() => approve(a), () => approve(b)])
      expect(answersOf(outcomes)).toHaveLength(1)
      expect(refusalsOf(outcomes)).toEqual(['transaction_id_taken'])
      const late = await buy(sale, ann, '40')
      await expect(set(ann, late.token)).rejects.toEqual(refused('transaction_id_taken'))
      // An approval that is taken back frees it, where nothing had come by it.
      for (const { number } of [a, b]) await sale.ledger.reject(String(number), { operatorId, came: '0' })
      await set(ann, late.token)
      expect(await approve(late)).toBe(true)
    }))

  test('a buyer is told of the own other orders that name the same transaction, and of nobody else’s [ORDER-16]', () =>
    withSale(async (sale) => {
      const [ann, ben] = [await addBuyer(sale.db), await addBuyer(sale.db)]
      const [first, second, other] = [
        await buy(sale, ann, '40'),
        await buy(sale, ann, '40'),
        await buy(sale, ben, '40'),
      ]
      const set = (user: string, token: string, id: string) => sale.orders.setTransactionId(user, token, id)
      const same = '0xabcdef0123456789'
      expect(await set(ann, first.token, same)).toMatchObject({ sameTransaction: [] })
      expect(await set(ben, other.token, same)).toMatchObject({ sameTransaction: [] })
      expect(await set(ann, second.token, same)).toMatchObject({ sameTransaction: [first.number] })
      expect(await sale.orders.show(ann, first.token)).toMatchObject({ sameTransaction: [second.number] })
      await set(ann, second.token, '0x9876543210fedcba')
      expect(await sale.orders.show(ann, first.token)).toMatchObject({ sameTransaction: [] })
    }))
})
