import { nativeDecimals } from '../../shared/wallet-links.ts'
import { RetryableError, refuse } from '../refusal.ts'
import { createBitcoinChain } from './bitcoin/bitcoin-chain.ts'
import { createCoreNode, createEsploraNode } from './bitcoin/bitcoin-node.ts'
import type { ChainConfig } from './chain-config.ts'
import type { ChainSource } from './chain-source.ts'
import { createEvmChain, type EvmExtras } from './evm/evm-chain.ts'
import { createJsonRpc, RpcError } from './json-rpc.ts'
import type { ChainFacts } from './wallets.ts'

/** The adapter that reads a chain, by its configuration. */
export function createSource(config: ChainConfig): ChainSource & Partial<EvmExtras> {
  if (config.family === 'evm') {
    const second = config.secondRpcUrl ? createJsonRpc(config.secondRpcUrl) : undefined
    return createEvmChain(createJsonRpc(config.rpcUrl), { second })
  }
  const node =
    config.node.kind === 'core' ? createCoreNode(config.node.url) : createEsploraNode(config.node.url)
  return createBitcoinChain(node)
}

/** What wallets ask about the configured chains. */
export function createChainFacts(chains: readonly ChainConfig[]): ChainFacts {
  const find = (network: string) => chains.find((chain) => chain.network === network)
  return {
    netOf: (network) => find(network)?.net,
    chainIdOf(network) {
      const chain = find(network)
      return chain?.family === 'evm' ? chain.chainId : undefined
    },
    async decimalsOf(network, tokenContract) {
      const chain = find(network) ?? refuse('chain_not_followed')
      if (tokenContract === null) return nativeDecimals[network] ?? 8
      const source = createSource(chain)
      if (!source.tokenDecimals) refuse('chain_not_followed')
      try {
        return await source.tokenDecimals(tokenContract)
      } catch (error) {
        throw error instanceof RpcError ? new RetryableError(error) : error
      }
    },
  }
}
