import type { PriceSource } from '../../src/server/rates/price-source.ts'
import { RateSources, type RateSourcesNeeds } from '../../src/server/rates/rate-sources.ts'
import { testSecrets } from './secrets.ts'

const off = { url: null, isGiven: false }

export const rateSources = (needs: Partial<RateSourcesNeeds> = {}) =>
  new RateSources({
    secrets: testSecrets,
    own: { coingecko: off, kraken: off, coinbase: off },
    hosts: [],
    refreshAsks: null,
    ethereum: () => null,
    ...needs,
  })

export const fixedSources = (sources: readonly PriceSource[]): RateSources =>
  Object.assign(rateSources(), { asked: async () => [...sources] })
