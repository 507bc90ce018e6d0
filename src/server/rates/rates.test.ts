import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { letPass, withChainSale } from '../../../test/chains/chain-sale.ts'
import { compileContracts, createPayer } from '../../../test/chains/evm-accounts.ts'
import { startPriceServices } from '../../../test/chains/price-stand-ins.ts'
import { type Anvil, startAnvil } from '../../../test/chains/processes.ts'
import { addBuyer, buy, type Sale, withSale } from '../../../test/support/campaign.ts'
import { fixedSources } from '../../../test/support/rate-sources.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { statement } from '../../../test/support/statement.ts'
import { readChains } from '../chain-config.ts'
import { createChainlink, createCoinbase, createCoinGecko, createKraken } from './price-sources.ts'
import { Rates } from './rates.ts'

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

const withRates = (work: (sale: Sale, rates: Rates) => Promise<void>) =>
  withSale(async (sale) => {
    await sale.db.query(
      statement(
        'test_feed',
        "update currencies set rate_source = 'feed', rate_at = now() - interval '1 hour' where code = 'BTC'",
      ),
    )
    await work(sale, new Rates({ db: sale.db, secrets: testSecrets, sources: fixedSources(sources()) }))
  })

describe('a feed', () => {
  test('takes the median of four real sources, and the order keeps what each of them said [RATE-7]', () =>
    withRates(async (sale, rates) => {
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
    withRates(async (sale, rates) => {
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

  test('without two that agree sets nothing, says why, and the currency can’t be bought [RATE-8]', () =>
    withRates(async (sale, rates) => {
      for (const service of ['coingecko', 'kraken', 'coinbase']) services.fail(service, true)
      await setFeed('90010', 400)
      expect(await rates.refresh()).toEqual({
        updated: [],
        problems: [{ code: 'BTC', problem: 'no_source' }],
      })
      await expect(
        sale.pricing.preview(null, { currency: 'BTC', amount: '400', unit: 'token' }),
      ).rejects.toMatchObject({ code: 'rate_stale' })
      for (const service of ['coingecko', 'kraken', 'coinbase']) services.fail(service, false)
    }))
})

test('an order that settles late keeps what the sources said when its payment was first seen', () =>
  withChainSale(
    readChains({ CHAIN_ETHEREUM_RPC_URL: anvil.url, CHAIN_ETHEREUM_ID: '31337' }),
    async (sale) => {
      const rates = new Rates({ db: sale.db, secrets: testSecrets, sources: fixedSources(sources()) })
      const payer = createPayer(anvil, 2)
      await sale.sql(
        'eth_feed',
        "update currencies set rate_source = 'feed', price_id = 'ethereum' where code = 'ETH'",
      )
      await sale.watch('ETH', 'evm', accountOf(ABANDON, "m/44'/60'/950'", 'xpub').publicExtendedKey)
      const say = async (usd: string) => {
        for (const [service, code] of [
          ['coingecko', 'ethereum'],
          ['kraken', 'ETHUSD'],
          ['coinbase', 'ETH-USD'],
        ] as const)
          services.say(service, code, usd)
        expect(await rates.refresh()).toEqual({ updated: ['ETH'], problems: [] })
      }
      await sale.pass('ethereum')
      await say('3000')
      const order = await sale.order('ETH', '400')
      await letPass(sale, order, '2 hours')
      await say('3150')
      await payer.pay(order.address, order.cryptoAmount)
      await sale.pass('ethereum')
      // The same price again, and another: neither is the reading that counts.
      await say('3150')
      await say('3300')
      // Blocks say whole seconds: this one is not earlier than the showing.
      await anvil.rpc.call('evm_increaseTime', 2)
      await anvil.rpc.call('anvil_mine', '0xc')
      await sale.pass('ethereum')
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        rate: '700',
        baseTokens: '420.000000',
      })

      const readings = await sale.sql<{ read_at: Date }>(
        'readings',
        "select read_at from rate_readings where price_id = 'ethereum' and price_usd = 3150 order by id",
      )
      expect(readings).toHaveLength(2)
      expect(await rates.ofOrder(sale.buyer, order.token)).toMatchObject({
        currency: 'ETH',
        source: 'feed',
        rate: '700',
        reading: { priceUsd: '3150', readAt: readings[0]?.read_at.toISOString() },
      })
    },
  ))
