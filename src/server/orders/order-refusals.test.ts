import { expect, test } from 'vitest'
import {
  addBuyer,
  addOperator,
  buy,
  declared,
  type Sale,
  setGoal,
  withoutBonus,
  withSale,
} from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { untilLocked } from '../../../test/support/race.ts'
import { statement } from '../../../test/support/statement.ts'
import { sql } from '../database/database.ts'

// What an order is refused for, each by its code; and who comes second to an order that another changes.

const HOUR = 3_600_000

const run = (sale: Sale, name: string, text: string, values: unknown[] = []) =>
  sale.db.query<Record<string, unknown>>(statement(`test_refusals_${name}`, text), values)
const place = (sale: Sale, userId: string, more: object = {}) =>
  sale.orders.place(
    { userId, idempotencyKey: undefined, requestHash: Buffer.alloc(0) },
    { currency: 'USDT', amount: '40', unit: 'token', ...declared, ...more },
  )
const set = (sale: Sale, path: string, value: unknown) =>
  run(sale, 'set', 'update campaign set settings = jsonb_set(settings, $1::text[], $2::jsonb)', [
    path,
    JSON.stringify(value),
  ])

/** Puts other limits in force, as a change of the campaign does. */
async function limit(sale: Sale, hardCapUsd: string) {
  await set(sale, '{hardCapUsd}', hardCapUsd)
  await run(sale, 'limit', 'select set_capacity($1, 450000000, 100000000)', [hardCapUsd])
}

test('another version of the risk notice', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    await expect(place(sale, ann, { termsVersion: 1, risksVersion: 2 })).rejects.toEqual(
      refused('terms_changed'),
    )
    await place(sale, ann, { termsVersion: 1, risksVersion: 1 })
  }))

test('another price than the buyer was shown [ORDER-3]', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    const { rate, priceUsd } = await sale.pricing.preview(ann, {
      currency: 'USDT',
      amount: '40',
      unit: 'token',
    })
    const changed = refused('price_changed')
    await expect(place(sale, ann, { shown: { rate: '0.5', priceUsd } })).rejects.toEqual(changed)
    await expect(place(sale, ann, { shown: { rate, priceUsd: '4.6' } })).rejects.toEqual(changed)
    // The same number, however it is written.
    await place(sale, ann, { shown: { rate: `${rate}0`, priceUsd: '4.500' } })
  }))

test('no terms and risks in force', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    await run(
      sale,
      'texts_away',
      "update legal_texts set kind = 'privacy', version = version + 10 where kind = 'risks'",
    )
    await expect(place(sale, ann)).rejects.toEqual(refused('sale_not_ready'))
  }))

test('a stage that starts later', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    await run(sale, 'later', "update stages set starts_at = now() + interval '1 hour'")
    await expect(place(sale, ann)).rejects.toEqual(refused('stage_not_started'))
  }))

test('a country that is refused, or left out where some are', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    await set(sale, '{buyers,countriesRefused}', ['US'])
    await expect(place(sale, ann)).rejects.toMatchObject({
      code: 'declaration_missing',
      details: { field: 'country' },
    })
    await expect(place(sale, ann, { country: 'US' })).rejects.toEqual(refused('country_refused'))
    await place(sale, ann, { country: 'EE' })
  }))

test('a hard cap that is less than the goal', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    await limit(sale, '179.99')
    await expect(place(sale, ann)).rejects.toEqual(refused('cap_reached'))
    await limit(sale, '180.00')
    await place(sale, ann)
  }))

test('a bonus share that was granted away, to the order and to the approval of an expired one', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    const expired = await buy(sale, ann, '40')
    await run(sale, 'run_out', 'update orders set expires_at = now()')
    const grant = (amount: string) =>
      sale.ledger.grant({ userId: ann, amount, operatorId, reason: 'nearly all' })
    await withoutBonus(sale, () => grant('99999999'))
    await expect(place(sale, ann)).rejects.toEqual(refused('supply_reached'))
    await expect(sale.ledger.approve(String(expired.number), { operatorId })).rejects.toEqual(
      refused('supply_reached'),
    )
  }))

test('a purchase that lacks one of the pools takes nothing of the others [HOLD-1]', () =>
  withSale(({ db }) =>
    db.transaction(async (tx) => {
      const left = async () =>
        Object.values(
          await tx.one<Record<string, string>>(
            sql`select s.pool_usd as stage, c.pool_usd, c.pool_sale_tokens, c.pool_bonus_tokens
                  from stage_capacity s, campaign_capacity c`,
          ),
        )
      const put = async ([stage, usd, sale, bonus]: readonly string[]) => {
        await tx.query(sql`update stage_capacity set pool_usd = ${stage}`)
        await tx.query(
          sql`update campaign_capacity set pool_usd = ${usd}, pool_sale_tokens = ${sale}, pool_bonus_tokens = ${bonus}`,
        )
      }
      const take = async (usd: string, sale: string, bonus: string) =>
        (
          await tx.one<{ refusal: string | null }>(
            sql`select take_capacity(id, ${usd}, ${sale}, ${bonus}) as refusal from stages`,
          )
        ).refusal
      const before = await left()
      for (const [stage, usd, sale, bonus, refusal] of [
        ['89.99', '90.00', '20.000000', '2.000000', 'cap_reached'],
        ['90.00', '89.99', '20.000000', '2.000000', 'cap_reached'],
        ['90.00', '90.00', '19.999999', '2.000000', 'supply_reached'],
        ['90.00', '90.00', '20.000000', '1.999999', 'supply_reached'],
      ] as const) {
        await put([stage, usd, sale, bonus])
        expect(await take('90', '20', '2')).toBe(refusal)
        expect(await left()).toEqual([stage, usd, sale, bonus])
      }
      await put(['90', '91', '22', '5'])
      expect(await take('90', '20', '2')).toBeNull()
      expect(await left()).toEqual(['0.00', '1.00', '2.000000', '3.000000'])
      expect(await take('-90', '-20', '-2')).toBeNull()
      expect(await left()).toEqual(['90.00', '91.00', '22.000000', '5.000000'])
      await put(before)
    }),
  ))

test('an order at a fixed address expires when any other does [HOLD-6]', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    const { token } = await buy(sale, ann, '40')
    const { createdAt, expiresAt } = await sale.orders.show(ann, token)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(HOUR)
  }))

test('a transaction id that waits for an approval is entered for no approved order', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    const { number, token } = await buy(sale, ann, '40')
    const name = () => sale.orders.setTransactionId(ann, token, '0xabcdef0123456789')
    let second: Promise<unknown> | undefined
    await sale.db.transaction(async (tx) => {
      await tx.query(
        sql`select * from approve_orders(array[row(${number}, null, ${operatorId}, null, null)::approval], 'operator')`,
      )
      second = name().catch((error: unknown) => error)
      await untilLocked(sale.db)
    })
    expect(await second).toEqual(refused('order_state'))
    await expect(name()).rejects.toEqual(refused('order_state'))
    await run(sale, 'watched', "update orders set watched = true, approved_via = 'chain'")
    await expect(name()).rejects.toEqual(refused('transaction_id_not_needed'))
    await run(sale, 'fixed', "update orders set watched = false, approved_via = 'operator'")
  }))

test('a stage whose goal is reached says so, and takes no more', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    await setGoal(sale, '180.00')
    const { number } = await buy(sale, ann, '40')
    expect((await sale.campaign.refresh()).stages[0]?.state).toBe('open')
    await sale.ledger.approve(String(number), { operatorId })
    expect((await sale.campaign.refresh()).stages[0]?.state).toBe('goal_reached')
    await expect(place(sale, ann)).rejects.toEqual(refused('cap_reached'))
  }))
