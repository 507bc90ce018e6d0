import { networkFacts } from '../../shared/networks.ts'
import type { ChainConfig } from '../chain-config.ts'

// Rules: SETTLE-26
/**
 * `identity` is of `ChainSource.identity`: the chain id on EVM, the first block's hash in the Bitcoin family.
 */
export function isOnNetwork(config: ChainConfig, identity: string): boolean {
  if (config.family === 'evm') return Number(identity.split(':')[0]) === config.chainId
  return networkFacts[config.network].nets[config.net].firstBlocks.includes(identity)
}
