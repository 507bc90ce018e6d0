import type { Address, Hex } from 'viem'
import { encodeFunctionData, hashMessage, isHex, parseAbi } from 'viem/utils'
import { isEvm, type Network, networkFacts } from '../../../shared/networks.ts'
import type { ChainConfig, EvmChainConfig } from '../../chain-config.ts'
import { type JsonRpc, RpcError } from '../json-rpc.ts'
import { firstRpc } from './node-rpc.ts'

const erc1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** A contract accepts a signature by this answer: the selector of `isValidSignature`. */
const ACCEPTED = '0x1626ba7e'
/**
 * Code of a personal account that delegates to a contract (EIP-7702); its key moves its tokens on any
 * network.
 */
const DELEGATED = '0xef0100'

/** An unreachable node throws `RetryableError`. */
export class EvmAccounts {
  readonly #configs: readonly ChainConfig[]

  constructor(configs: readonly ChainConfig[]) {
    this.#configs = configs
  }

  /** EIP-155, of the followed network, perhaps a test network, else of the main one. */
  chainIdOf(network: Network): number | undefined {
    return this.#find(network)?.chainId ?? (isEvm(network) ? networkFacts[network].chainId : undefined)
  }

  isFollowed(network: Network): boolean {
    return this.#find(network) !== undefined
  }

  // Rules: DELIVER-1
  /** EIP-1271, EIP-191. */
  async acceptsSignature(
    network: Network,
    address: Address,
    message: string,
    signature: Hex,
  ): Promise<boolean> {
    const chain = this.#find(network)
    if (!chain) return false
    const data = encodeFunctionData({
      abi: erc1271,
      functionName: 'isValidSignature',
      args: [hashMessage(message), signature],
    })
    const rpc = firstRpc(chain)
    if (!(await hasContract(rpc, address))) return false
    const answer = await orNull(rpc.call<string>('eth_call', { to: address, data }, 'latest'))
    return isHex(answer) && answer.length === 66 && answer.startsWith(ACCEPTED)
  }

  /** False for a network that is not followed. */
  async hasContract(network: Network, address: Address): Promise<boolean> {
    const chain = this.#find(network)
    return chain !== undefined && hasContract(firstRpc(chain), address)
  }

  // Rules: DELIVER-7
  /**
   * True if the address is a contract on another followed network but not on this one: tokens sent here would
   * be stuck until it is deployed here. False if this network is not followed.
   */
  async standsOnlyElsewhere(network: Network, address: Address): Promise<boolean> {
    const here = this.#find(network)
    if (!here || (await hasContract(firstRpc(here), address))) return false
    const others = this.#evm().filter((chain) => chain !== here)
    const found = await Promise.all(others.map((chain) => hasContract(firstRpc(chain), address)))
    return found.includes(true)
  }

  #find(network: Network): EvmChainConfig | undefined {
    return this.#evm().find((chain) => chain.network === network)
  }

  #evm(): readonly EvmChainConfig[] {
    return this.#configs.filter((config) => config.family === 'evm')
  }
}

async function hasContract(rpc: JsonRpc, address: Address): Promise<boolean> {
  const code = await rpc.call<string>('eth_getCode', address, 'latest')
  return code !== '0x' && !code.startsWith(DELEGATED)
}

/** Null for a revert. */
async function orNull(answer: Promise<string>): Promise<string | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RpcError) return null
    throw error
  }
}
