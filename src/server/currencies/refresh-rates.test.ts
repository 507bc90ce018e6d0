import { afterAll, expect, test } from 'vitest'
import { startPriceServices } from '../../../test/chains/price-stand-ins.ts'
import { executorOf } from '../../../test/support/actions.ts'
import { openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator } from '../../../test/support/header-server.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { statement } from '../../../test/support/statement.ts'
import { Refusal } from '../refusal.ts'
import { Currencies } from './currencies.ts'
import { createSimplePrice } from './simple-price.ts'

// The price service answers by full names without spaces, in lower case, or by the id that an operator gave a currency.

const services = await startPriceServices()
afterAll(() => services.stop())
const { db } = await createTestDatabase({ holds: 'demo' })
await openSale(db)
const currencies = new Currencies({ db, fetchPrices: createSimplePrice(services.coingecko) })
const execute = executorOf(db, currencies.actions, await addOperator(db, 'rates', 'finance'), 'finance')
const refresh = () => execute('currency.refresh-rates', {})
const rates = async () => Object.fromEntries((await currencies.list()).map(({ code, rate }) => [code, rate]))
const history = () =>
  db.query<{ code: string; price_usd: string }>(
    statement(
      'test_refreshed_rates',
      `select k.code, r.price_usd from currency_rates r join currencies k on k.id = r.currency_id
        where r.reason = 'refresh' order by r.id`,
    ),
  )

test('a coin’s price by the value of the token is its rate; one that the answer lacks keeps its own and is named [RATE-4]', async () => {
  const before = await rates()
  services.say('coingecko', 'bitcoin', '90000')
  services.say('coingecko', 'tether', '0.9995')
  const { updated, missing } = await refresh()
  expect(updated.toSorted()).toEqual(['BTC', 'USDT'])
  expect(missing.toSorted()).toEqual(
    Object.keys(before)
      .filter((code) => !['BTC', 'USDT'].includes(code))
      .toSorted(),
  )
  // $4.50 a token: 90000 / 4.5 and 0.9995 / 4.5.
  const after = await rates()
  expect(Number(after['BTC'])).toBe(20_000)
  expect(Number(after['USDT'])).toBeCloseTo(0.222111, 6)
  for (const code of missing) expect(after[code]).toBe(before[code])
  expect((await history()).map(({ code, price_usd }) => [code, Number(price_usd)])).toEqual([
    ['BTC', 90_000],
    ['USDT', 0.9995],
  ])
})

test('the id that an operator gave is asked for instead of the name', async () => {
  await db.query(statement('test_price_id', "update currencies set price_id = 'my-coin' where code = 'LINK'"))
  services.say('coingecko', 'my-coin', '9')
  expect((await refresh()).updated).toContain('LINK')
  expect(Number((await rates())['LINK'])).toBe(2)
})

test.each(['0', '-1', '0.000', '1e400'])('a price of %s changes nothing at all', async (usd) => {
  const [before, noted] = [await rates(), await history()]
  services.say('coingecko', 'bitcoin', '45000')
  services.say('coingecko', 'tether', usd)
  await expect(refresh()).rejects.toEqual(refused('rates_unavailable'))
  expect(await rates()).toEqual(before)
  expect(await history()).toEqual(noted)
})

test('a service that nobody has named is told apart from one that does not answer', async () => {
  const unnamed = () => Promise.reject(new Refusal('rates_unavailable', { why: 'service_not_set' }))
  const { actions } = new Currencies({ db, fetchPrices: unnamed })
  const executed = executorOf(db, actions, await addOperator(db, 'unnamed', 'finance'), 'finance')
  await expect(executed('currency.refresh-rates', {})).rejects.toMatchObject({
    code: 'rates_unavailable',
    details: { why: 'service_not_set' },
  })
})

test('a service that is down changes nothing', async () => {
  const before = await rates()
  services.say('coingecko', 'tether', '1')
  services.fail('coingecko', true)
  await expect(refresh()).rejects.toEqual(refused('rates_unavailable'))
  services.fail('coingecko', false)
  expect(await rates()).toEqual(before)
})
