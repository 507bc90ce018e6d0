import { expect, test } from 'vitest'
import { currenciesOf, executorOf, quietUnits } from '../../../test/support/actions.ts'
import { addBuyer, addOperator, buy, type Sale, withSale } from '../../../test/support/campaign.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { statement } from '../../../test/support/statement.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { changePrice } from './change-price.ts'

const run = <T>(sale: Sale, name: string, sql: string) =>
  sale.db.query<T>(statement(`test_freshness_${name}`, sql))
const preview = (sale: Sale) => sale.pricing.preview(null, { currency: 'BTC', amount: '400', unit: 'token' })
/** The rate by which a late payment that was first seen now would settle. */
const rateNow = async (sale: Sale) =>
  (
    await run<{ rate: string | null }>(
      sale,
      'now',
      "select r.rate from currencies k, rate_at(k.id, clock_timestamp()) r where k.code = 'BTC'",
    )
  )[0]?.rate
/** What a job does that has read the sources. */
const read = (sale: Sale) =>
  run(
    sale,
    'read',
    `with set as (update currencies set rate = 21000, rate_at = clock_timestamp() where code = 'BTC' returning id)
     select note_rate(id, 21000, 94500, 'feed') from set`,
  )

test('a rate set by hand is no fresh one once the currency follows a feed, and is one again afterwards [RATE-8]', () =>
  withSale(async (sale) => {
    const execute = executorOf(sale.db, currenciesOf(sale.db).actions, await addOperator(sale.db))
    const change = (input: object) => execute('currency.update', [{ code: 'BTC', ...input }])
    await change({ rate: '20000' })
    expect([(await preview(sale)).rate, await rateNow(sale)]).toEqual(['20000', '20000'])
    await change({ rateSource: 'feed' })
    await expect(preview(sale)).rejects.toEqual(refused('rate_stale'))
    expect(await rateNow(sale)).toBeNull()
    // Also where both are changed at once, or the rate is typed while a feed sets it.
    await change({ rate: '19000' })
    expect(await rateNow(sale)).toBeNull()
    await read(sale)
    expect([(await preview(sale)).rate, await rateNow(sale)]).toEqual(['21000', '21000'])
    await change({ rateSource: 'manual' })
    await run(
      sale,
      'later',
      "update currency_rates set from_at = from_at - interval '1 day', read_at = read_at - interval '1 day'",
    )
    expect([(await preview(sale)).rate, await rateNow(sale)]).toEqual(['21000', '21000'])
  }))

test('a late payment settles at no rate of another time: by hand, of a feed, and by hand again [RATE-8]', () =>
  withSale(async (sale) => {
    const execute = executorOf(sale.db, currenciesOf(sale.db).actions, await addOperator(sale.db))
    const change = (input: object) => execute('currency.update', [{ code: 'BTC', ...input }])
    // As text: a Date drops the microseconds, within which a change may follow.
    const moment = async () =>
      (await run<{ now: string }>(sale, 'clock', 'select clock_timestamp()::text as now'))[0]?.now ?? ''
    const rateAt = async (at: string) =>
      (
        await sale.db.query<{ rate: string | null }>(
          statement(
            'test_freshness_at',
            "select r.rate from currencies k, rate_at(k.id, $1::timestamptz) r where k.code = 'BTC'",
          ),
          [at],
        )
      )[0]?.rate
    await change({ rate: '20000' })
    const byHand = await moment()
    await change({ rateSource: 'feed' })
    const unread = await moment()
    await read(sale)
    const followed = await moment()
    await change({ rateSource: 'manual', rate: '30000' })
    const byHandAgain = await moment()
    expect([
      await rateAt(byHand),
      await rateAt(unread),
      await rateAt(followed),
      await rateAt(byHandAgain),
    ]).toEqual(['20000', null, '21000', '30000'])
  }))

test('a new main value makes no old price of a feed fresh [RATE-8]', () =>
  withSale(async (sale) => {
    const execute = executorOf(sale.db, currenciesOf(sale.db).actions, await addOperator(sale.db))
    await execute('currency.update', [{ code: 'BTC', rateSource: 'feed' }])
    await read(sale)
    await run(
      sale,
      'old',
      "with r as (update currency_rates set read_at = read_at - interval '6 minutes' returning 1) update currencies set rate_at = rate_at - interval '6 minutes'",
    )
    await quietUnits(sale.db).run(system, (unit) =>
      changePrice(unit, { priceUsd: '9', reason: 'twice as much' }),
    )
    expect(await rateNow(sale)).toBeNull()
    await expect(preview(sale)).rejects.toEqual(refused('rate_stale'))
    await buy(sale, await addBuyer(sale.db), '40')
  }))
