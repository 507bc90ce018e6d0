import type { PriceSource } from './price-source.ts'
import {
  chainlinkFeeds,
  createChainlink,
  createCoinbase,
  createCoinGecko,
  createKraken,
} from './price-sources.ts'

/** Base URLs of the services that are asked; null leaves one out. */
export interface PriceServices {
  readonly coinGecko: string | null
  readonly kraken: string | null
  readonly coinbase: string | null
}

interface Rpc {
  call<T>(method: string, ...params: unknown[]): Promise<T>
}

/** The price sources that are asked. Chainlink joins where Ethereum's main network is followed. */
export function configuredSources(
  { coinGecko, kraken, coinbase }: PriceServices,
  ethereum: Rpc | null,
): PriceSource[] {
  return [
    ...(coinGecko ? [createCoinGecko(coinGecko)] : []),
    ...(kraken ? [createKraken(kraken)] : []),
    ...(coinbase ? [createCoinbase(coinbase)] : []),
    ...(ethereum ? [createChainlink(ethereum, chainlinkFeeds)] : []),
  ]
}
