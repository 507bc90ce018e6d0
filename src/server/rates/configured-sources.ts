import { StartError } from '../start-error.ts'
import type { PriceSource } from './price-source.ts'
import {
  chainlinkFeeds,
  createChainlink,
  createCoinbase,
  createCoinGecko,
  createKraken,
} from './price-sources.ts'

const services = [
  { variable: 'PRICE_API_URL', base: 'https://api.coingecko.com/api/v3', create: createCoinGecko },
  { variable: 'PRICE_KRAKEN_URL', base: 'https://api.kraken.com', create: createKraken },
  { variable: 'PRICE_COINBASE_URL', base: 'https://api.coinbase.com', create: createCoinbase },
] as const

interface Rpc {
  call<T>(method: string, ...params: unknown[]): Promise<T>
}

/**
 * The sources that the environment leaves on: `PRICE_API_URL`, `PRICE_KRAKEN_URL` and `PRICE_COINBASE_URL` are each a base URL or
 * `off`; Chainlink joins where Ethereum's main network is followed.
 */
export function configuredSources(
  environment: Record<string, string | undefined>,
  ethereum: Rpc | null,
): PriceSource[] {
  const sources: PriceSource[] = services.flatMap(({ variable, base, create }) => {
    const value = environment[variable]?.trim() || base
    if (value === 'off') return []
    if (!/^https?:\/\//.test(value) || !URL.canParse(value))
      throw new StartError(`${variable} must be an http or https URL, or off`)
    return [create(value.replace(/\/$/, ''))]
  })
  return ethereum ? [...sources, createChainlink(ethereum, chainlinkFeeds)] : sources
}
