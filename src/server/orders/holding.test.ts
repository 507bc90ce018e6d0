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
import { race } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'

const run = <T>(sale: Sale, name: string, sql: string, values: unknown[] = []) =>
  sale.db.query<T>(statement(`test_holding_${name}`, sql), values)

/** A buyer who has confirmed the address. */
async function addConfirmed(sale: Sale): Promise<string> {
  const userId = await addBuyer(sale.db)
  await run(sale, 'confirm', 'update users set confirmed_at = now() where id = $1', [userId])
  return userId
}

const bind = (sale: Sale, userId: string, amount: string) =>
  sale.quotes.bind(userId, { currency: 'USDT', amount, unit: 'token' })
const confirm = (sale: Sale, userId: string, quoteId: string) =>
  sale.orders.create({
    userId,
    quoteId,
    declarations: declared,
    idempotencyKey: undefined,
    requestHash: Buffer.alloc(0),
  })
const heldUsd = async (sale: Sale) =>
  (await run<{ usd: string }>(sale, 'held', 'select coalesce(sum(usd), 0) as usd from orders where held'))[0]
    ?.usd
const isHeld = async (sale: Sale, userId: string, token: string) =>
  (await sale.orders.show(userId, token)).held

describe('unpaid orders of one buyer', () => {
  test('hold at most one largest order; what goes beyond is said in the quote and holds nothing [HOLD-2]', () =>
    withSale(
      async (sale) => {
        const ann = await addConfirmed(sale)
        const most = await bind(sale, ann, '100000')
        expect(most.notHeld).toBeNull()
        const first = await confirm(sale, ann, most.id)
        const more = await bind(sale, ann, '40')
        expect(more.notHeld).toBe('buyer')
        const second = await confirm(sale, ann, more.id)
        expect([await isHeld(sale, ann, first.token), await isHeld(sale, ann, second.token)]).toEqual([
          true,
          false,
        ])
        expect(await heldUsd(sale)).toBe('450000.00')
        // What is paid holds nothing unpaid any more.
        await sale.ledger.approve(String(first.number), { operatorId: await addOperator(sale.db) })
        expect((await bind(sale, ann, '100000')).notHeld).toBeNull()
      },
      { limits: true },
    ))

  test('of an unconfirmed address hold a tenth of that [HOLD-2]', () =>
    withSale(
      async (sale) => {
        const ann = await addBuyer(sale.db)
        expect((await bind(sale, ann, '10000.01')).notHeld).toBe('unconfirmed')
        await confirm(sale, ann, (await bind(sale, ann, '10000')).id)
        expect((await bind(sale, ann, '40')).notHeld).toBe('unconfirmed')
        expect(await heldUsd(sale)).toBe('45000.00')
        await run(sale, 'confirm', 'update users set confirmed_at = now() where id = $1', [ann])
        expect((await bind(sale, ann, '40')).notHeld).toBeNull()
      },
      { limits: true },
    ))

  test('never less than one smallest order [HOLD-2]', () =>
    withSale(
      async (sale) => {
        await run(
          sale,
          'limits',
          `update campaign set settings = settings || '{"orderMinimumTokens": "40", "orderMaximumTokens": "50"}'`,
        )
        const ann = await addBuyer(sale.db)
        expect((await bind(sale, ann, '40')).notHeld).toBeNull()
      },
      { limits: true },
    ))

  test('never hold more, however many quotes were asked for before and confirmed at once [HOLD-2]', () =>
    withSale(
      async (sale) => {
        const ann = await addConfirmed(sale)
        const quotes = await Promise.all(Array.from({ length: 10 }, () => bind(sale, ann, '30000')))
        expect(new Set(quotes.map(({ notHeld }) => notHeld))).toEqual(new Set([null]))
        const outcomes = await race(
          sale.db,
          quotes.map(
            ({ id }) =>
              () =>
                confirm(sale, ann, id),
          ),
        )
        // A fourth would be more than one largest order.
        expect(answersOf(outcomes)).toHaveLength(3)
        expect(new Set(refusalsOf(outcomes))).toEqual(new Set(['place_not_held']))
        expect(await heldUsd(sale)).toBe('405000.00')
      },
      { limits: true },
    ))
})

describe('where unpaid orders hold half of what a stage has left', () => {
  test.each([false, true])(
    'new ones hold nothing: no number of accounts takes the stage, and who pays gets the place (batching %s) [HOLD-3]',
    (batching) =>
      withSale(
        async (sale) => {
          const operatorId = await addOperator(sale.db)
          // The stage has room for 14 largest orders.
          const crowd = await Promise.all(Array.from({ length: 15 }, () => addConfirmed(sale)))
          const quotes = await Promise.all(crowd.map((buyer) => bind(sale, buyer, '100000')))
          const outcomes = await race(
            sale.db,
            quotes.map(
              ({ id }, place) =>
                () =>
                  confirm(sale, crowd[place] as string, id),
            ),
          )
          // The eighth goes beyond the half; those after it had been promised a place that is not to be had.
          expect(answersOf(outcomes)).toHaveLength(8)
          expect(new Set(refusalsOf(outcomes))).toEqual(new Set(['place_not_held']))
          expect(await heldUsd(sale)).toBe('3600000.00')

          const ann = await addConfirmed(sale)
          expect(
            (await sale.quotes.preview(null, { currency: 'USDT', amount: '40', unit: 'token' })).notHeld,
          ).toBe('stage')
          const order = await buy(sale, ann, '100000')
          expect(await sale.orders.show(ann, order.token)).toMatchObject({
            held: false,
            detail: 'awaiting_payment',
          })
          expect(await sale.ledger.approve(String(order.number), { operatorId })).toBe(true)
          expect(await brokenRules(sale.db)).toEqual([])

          await sale.orders.cancel(crowd[0] as string, answersOf(outcomes)[0]?.token ?? '').catch(() => null)
        },
        { batching, limits: true },
      ),
  )

  test('an order that holds nothing expires, is cancelled, and counts as open, like any other [HOLD-3]', () =>
    withSale(
      async (sale) => {
        await setGoal(sale, '720.00')
        const [ann, ben] = [await addConfirmed(sale), await addConfirmed(sale)]
        await buy(sale, ann, '81')
        const first = await buy(sale, ben, '40')
        for (let count = 1; count < 20; count += 1) await buy(sale, ben, '40')
        await expect(buy(sale, ben, '40')).rejects.toEqual(refused('too_many_open_orders'))
        expect(await heldUsd(sale)).toBe('364.50')
        await sale.orders.cancel(ben, first.token)
        const second = await buy(sale, ben, '40')
        await run(sale, 'pass', "update orders set expires_at = now() - interval '1 second' where id = $1", [
          second.number,
        ])
        expect(await sale.orders.expire()).toBe(1)
        expect(await sale.orders.show(ben, second.token)).toMatchObject({ detail: 'expired', held: false })
        expect(await heldUsd(sale)).toBe('364.50')
      },
      { limits: true },
    ))
})
