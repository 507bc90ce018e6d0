import { type AddressNet, type Network, nativeDecimals } from '../../shared/networks.ts'
import type { ChainConfig } from '../chain-config.ts'
import { RetryableError, refuse } from '../refusal.ts'
import { BitcoinChain } from './bitcoin/bitcoin-chain.ts'
import { CoreNode, EsploraNode } from './bitcoin/bitcoin-node.ts'
import { type ChainSource, TOKEN_DECIMALS_MAX } from './chain-source.ts'
import { EvmChain, type EvmExtras } from './evm/evm-chain.ts'
import { firstRpc, secondRpc } from './evm/node-rpc.ts'
import { RpcError } from './json-rpc.ts'
import type { ChainFacts } from './wallet-actions.ts'

// Rules: WALLET-8
export function createSource(config: ChainConfig, timeoutMs?: number): ChainSource & Partial<EvmExtras> {
  if (config.family === 'evm')
    return new EvmChain(firstRpc(config, timeoutMs), secondRpc(config, timeoutMs) ?? undefined)
  const reach = { publicOnly: config.publicOnly?.first, timeoutMs }
  const { kind, url } = config.node
  return new BitcoinChain(kind === 'core' ? new CoreNode(url, reach) : new EsploraNode(url, reach))
}

export class ChainAccess implements ChainFacts {
  readonly #configs: readonly ChainConfig[]

  constructor(configs: readonly ChainConfig[]) {
    this.#configs = configs
  }

  netOf(network: Network): AddressNet | undefined {
    return this.#find(network)?.net
  }

  chainIdOf(network: Network): number | undefined {
    const chain = this.#find(network)
    return chain?.family === 'evm' ? chain.chainId : undefined
  }

  /**
   * From the nodes. Errors: chain_not_followed, token_decimals, token_decimals_differ; a failing node is
   * retried.
   */
  async decimalsOf(network: Network, tokenContract: string | null): Promise<number> {
    const chain = this.#find(network) ?? refuse('chain_not_followed')
    if (tokenContract === null) return nativeDecimals(network) ?? refuse('chain_not_followed')
    const source = createSource(chain)
    if (!source.tokenDecimals) refuse('chain_not_followed')
    const decimals = await source.tokenDecimals(tokenContract).catch((error: unknown) => {
      throw error instanceof RpcError ? new RetryableError(error) : error
    })
    return decimals <= TOKEN_DECIMALS_MAX ? decimals : refuse('token_decimals', { decimals })
  }

  /** Null without a configured explorer. */
  explorerUrl(network: Network, transactionId: string): string | null {
    const template = this.#find(network)?.explorerUrl
    const isId = /^(0x)?[0-9a-f]{64}$/i.test(transactionId)
    return template && isId ? template.replace('{tx}', transactionId) : null
  }

  #find(network: Network): ChainConfig | undefined {
    return this.#configs.find((chain) => chain.network === network)
  }
}
