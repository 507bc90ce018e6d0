import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileContracts, createPayer } from '../../../test/chains/evm-accounts.ts'
import { startPriceServices } from '../../../test/chains/price-stand-ins.ts'
import { type Anvil, startAnvil } from '../../../test/chains/processes.ts'
import { addBuyer, buy, openSale, type Sale } from '../../../test/support/campaign.ts'
import { makeTestDatabase } from '../../../test/support/database.ts'
import { statement } from '../database/database.ts'
import { createChainlink, createCoinbase, createCoinGecko, createKraken } from './price-sources.ts'
import { createRates } from './rates.ts'

let services: Awaited<ReturnType<typeof startPriceServices>>
let anvil: Anvil
let feed: string
let setFeed: (usd: string, ageSeconds?: number) => Promise<void>

beforeAll(async () => {
  services = await startPriceServices()
  anvil = await startAnvil()
  const payer = createPayer(anvil)
  const contracts = compileContracts()
  const address = await payer.deploy(contracts.Feed)
  feed = address
  setFeed = async (usd, ageSeconds = 0) => {
    const at = BigInt(Math.floor(Date.now() / 1000) - ageSeconds)
    await payer.call(contracts.Feed, address, 'set', [BigInt(usd) * 100_000_000n, at])
    await anvil.rpc.call('anvil_mine', '0x1')
  }
})
afterAll(async () => {
  await anvil.stop()
  await services.stop()
})

const sources = () => [
  createCoinGecko(services.coingecko),
  createKraken(services.kraken),
  createCoinbase(services.coinbase),
  createChainlink(anvil.rpc, { BTC: feed }),
]

async function withSale(work: (sale: Sale, rates: ReturnType<typeof createRates>) => Promise<void>) {
  const database = await makeTestDatabase()
  try {
    const sale = await openSale(database.db)
    await sale.db.query(
      statement(
        'test_feed',
        "update currencies set rate_source = 'feed', rate_at = now() - interval '1 hour' where code = 'BTC'",
      ),
    )
    await work(sale, createRates(sale.db, sources()))
  } finally {
    await database.close()
  }
}

describe('a feed', () => {
  test('takes the median of four real sources, and the order keeps what each of them said', () =>
    withSale(async (sale, rates) => {
      services.say('coingecko', 'bitcoin', '90000')
      services.say('kraken', 'XBTUSD', '90010.5')
      services.say('coinbase', 'BTC-USD', '90020')
      await setFeed('90100')
      expect(await rates.refresh()).toEqual({ updated: ['BTC'], problems: [] })
      const ann = await addBuyer(sale.db)
      const order = await buy(sale, ann, '400', 'BTC')
      const kept = await rates.ofOrder(ann, order.token)
      // The middle two of 90000, 90010.5, 90020 and 90100, over 4.50.
      expect(kept).toMatchObject({
        currency: 'BTC',
        source: 'feed',
        rate: '20003.3888889',
        reading: { priceUsd: '90015.25' },
      })
      expect(kept.reading?.sources.map((source) => [source.source, source.used])).toEqual([
        ['coingecko', true],
        ['kraken', true],
        ['coinbase', true],
        ['chainlink', true],
      ])
    }))

  test('drops an outlier and a source that is down, and goes on with the other two', () =>
    withSale(async (sale, rates) => {
      services.say('coingecko', 'bitcoin', '45000')
      services.say('kraken', 'XBTUSD', '90000')
      services.fail('coinbase', true)
      await setFeed('90010')
      expect(await rates.refresh()).toEqual({ updated: ['BTC'], problems: [] })
      const { rate } = await sale.db.one<{ rate: string }>(
        statement('test_rate', "select rate from currencies where code = 'BTC'"),
      )
      expect(rate).toBe('20001.1111111')
      services.fail('coinbase', false)
    }))

  test('without two that agree sets nothing, says why, and the currency can’t be bought', () =>
    withSale(async (sale, rates) => {
      for (const service of ['coingecko', 'kraken', 'coinbase']) services.fail(service, true)
      await setFeed('90010', 400)
      expect(await rates.refresh()).toEqual({
        updated: [],
        problems: [{ code: 'BTC', problem: 'no_source' }],
      })
      await expect(
        sale.quotes.preview(null, { currency: 'BTC', amount: '400', unit: 'token' }),
      ).rejects.toMatchObject({ code: 'rate_stale' })
      for (const service of ['coingecko', 'kraken', 'coinbase']) services.fail(service, false)
    }))
})
