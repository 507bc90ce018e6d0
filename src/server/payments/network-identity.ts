import { networkFacts } from '../../shared/networks.ts'
import type { ChainConfig } from '../chain-config.ts'

// Rules: SETTLE-29
/**
 * Whether a node that says `identity` (`ChainSource.identity`) is on the network that is configured: by its chain id on EVM chains, by
 * the hash of its first block in the Bitcoin family.
 */
export function isOnNetwork(config: ChainConfig, identity: string): boolean {
  if (config.family === 'evm') return Number(identity.split(':')[0]) === config.chainId
  return networkFacts[config.network].nets[config.net].firstBlocks.includes(identity)
}
