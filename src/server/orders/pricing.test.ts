import { expect, test } from 'vitest'
import { actionsOf, operatorActor } from '../../../test/support/actions.ts'
import { addBuyer, addOperator, buy, type Sale, withSale } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { statement } from '../../../test/support/statement.ts'

// Levels of the demo campaign: Bronze 5 %, Silver 7 % from 200 tokens on, Gold 10 % from 500 on.

const preview = (sale: Sale, userId: string, amount = '40') =>
  sale.pricing.preview(userId, { currency: 'USDT', amount, unit: 'token' })
const run = (sale: Sale, name: string, text: string) => sale.db.query(statement(`test_pricing_${name}`, text))

test('the bonus is by the better of the level held and the level that the purchase reaches', () =>
  withSale(async (sale) => {
    const [ann, operatorId] = [await addBuyer(sale.db), await addOperator(sale.db)]
    const levels = (await sale.campaign.current()).settings.levels.map(
      ({ key, threshold, bonusPercent }) => ({
        key,
        threshold,
        bonusPercent,
      }),
    )
    const [bronze, silver, gold] = levels
    expect(await preview(sale, ann)).toMatchObject({
      levelKey: bronze?.key,
      bonusPercent: bronze?.bonusPercent,
    })
    const { number } = await buy(sale, ann, silver?.threshold ?? '')
    // What is not approved yet counts for nothing.
    expect(await preview(sale, ann)).toMatchObject({ levelKey: bronze?.key })
    await sale.ledger.approve(String(number), { operatorId })
    expect(await preview(sale, ann)).toMatchObject({
      levelKey: silver?.key,
      bonusPercent: silver?.bonusPercent,
    })
    await sale.ledger.grant({ userId: ann, amount: gold?.threshold ?? '', operatorId, reason: 'thanks' })
    expect(await preview(sale, ann)).toMatchObject({ levelKey: gold?.key, bonusPercent: gold?.bonusPercent })
    const ben = await addBuyer(sale.db)
    expect(await preview(sale, ben, gold?.threshold)).toMatchObject({ levelKey: gold?.key })
  }))

test('where the sale requires a phone number, a buyer without one gets no order', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    await run(
      sale,
      'required',
      `update campaign set settings = jsonb_set(settings, '{buyers,phone}', '"required"')`,
    )
    await buy(sale, ann, '40')
    await run(sale, 'no_phone', 'update users set phone = null')
    await expect(buy(sale, ann, '40')).rejects.toEqual(refused('phone_required'))
  }))

test('nothing is offered beyond the hard cap, and what goes exactly up to it is', () =>
  withSale(async (sale) => {
    const ann = await addBuyer(sale.db)
    await run(sale, 'cap', `update campaign set settings = jsonb_set(settings, '{hardCapUsd}', '"450.00"')`)
    await run(sale, 'capacity', 'select set_capacity(450, 450000000, 100000000)')
    await expect(preview(sale, ann, '100.000001')).rejects.toMatchObject({
      code: 'cap_reached',
      details: { left: '100.000000' },
    })
    await preview(sale, ann, '100')
  }))

test('once a stage has begun no rate of the one before it is in force [ORDER-7]', () =>
  withSale(async (sale) => {
    const prices = async () =>
      (await sale.pricing.ratesInForce('USDT')).map(({ priceUsd }) => Number(priceUsd))
    expect(await prices()).toEqual([4.5])
    await run(sale, 'price', 'update campaign set price_usd = 4.6')
    await run(sale, 'rate', "select note_rate(id, rate, null, 'price') from currencies where code = 'USDT'")
    expect(await prices()).toEqual([4.6])
    await run(
      sale,
      'next_stage',
      `with over as (update stages set ends_at = clock_timestamp() returning ends_at)
       insert into stages (name, goal_usd, price_usd, starts_at, ends_at)
       select 'Next', 1000, 9, ends_at, ends_at + interval '9 days' from over`,
    )
    expect(await prices()).toEqual([])
    expect(await sale.campaign.applyStagePrice()).toBe(true)
    expect(await prices()).toEqual([9])
    // What an operator changes is over at once.
    await actionsOf(sale.db, sale.campaign.actions).execute(
      sale.campaign.actions['price.change'],
      operatorActor(await addOperator(sale.db)),
      { priceUsd: '10' },
    )
    expect(await prices()).toEqual([10])
  }))

test('the rate before a feed’s change is in force for two minutes more, and one that was corrected never again [ORDER-7]', () =>
  withSale(async (sale) => {
    const rates = async () => (await sale.pricing.ratesInForce('USDT')).map(({ rate }) => Number(rate))
    const note = (rate: number, reason: string, secondsAgo: number) =>
      run(
        sale,
        `rate_${rate}`,
        `with k as (update currencies set rate = ${rate} where code = 'USDT' returning id)
         insert into currency_rates (currency_id, rate, main_usd, reason, from_at)
         select id, ${rate}, 4.5, '${reason}', clock_timestamp() - interval '${secondsAgo} seconds' from k`,
      )
    await note(19, 'feed', 600)
    await note(20, 'feed', 121)
    expect(await rates()).toEqual([20])
    await note(21, 'feed', 119)
    expect(await rates()).toEqual([21, 20])
    await note(22, 'feed', 118)
    expect(await rates()).toEqual([22, 21])
    await note(200, 'edited', 60)
    expect(await rates()).toEqual([200])
    await note(23, 'edited', 30)
    expect(await rates()).toEqual([23])
    await note(24, 'feed', 10)
    expect(await rates()).toEqual([24])
    await note(25, 'feed', 9)
    expect(await rates()).toEqual([25, 24])
  }))
