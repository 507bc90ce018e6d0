import type { Address, Hex } from 'viem'
import { isHex } from 'viem/utils'
import type { Network } from '../../../shared/networks.ts'
import type { StateRead } from '../../../shared/state-read.ts'
import type { ChainConfig, EvmChainConfig } from '../../chain-config.ts'
import { RetryableError, refuse } from '../../refusal.ts'
import { type JsonRpc, RpcError } from '../json-rpc.ts'
import { EvmChain } from './evm-chain.ts'
import { quantity, type RpcBlock, toHex } from './evm-rpc.ts'
import { firstRpc, secondRpc } from './node-rpc.ts'

export type AccountRead = StateRead | { readonly balance: Address }

export interface StateLook {
  readonly height: number
  readonly hash: string
  readonly minedAt: Date
  /** In the order of the reads; null without an answer, for example after a revert. */
  readonly answers: readonly (Hex | null)[]
  /** A second node agreed. */
  readonly secondNode: boolean
}

/** Reads contracts of followed EVM chains at blocks known by their hash. */
export class EvmLooks {
  readonly #configs: readonly ChainConfig[]

  constructor(configs: readonly ChainConfig[]) {
    this.#configs = configs
  }

  // Rules: DELIVER-31
  /** At the newest final block, which a configured second node must confirm, or at the newest block. */
  async look(
    { network, chainId }: { network: Network; chainId: number },
    reads: readonly AccountRead[],
    which: 'final' | 'latest',
  ): Promise<StateLook> {
    const config = this.#find(network)
    return orSilent(async () => {
      const rpc = firstRpc(config)
      await requireChainId(rpc, chainId)
      const chain = new EvmChain(rpc)
      const tip = await chain.tipHeight()
      const height = which === 'latest' ? tip : ((await chain.finalizedHeight()) ?? tip - chain.finalDepth)
      const look = await lookAt(rpc, Math.max(0, height), reads)
      const second = secondRpc(config)
      if (which === 'latest' || !second) return look
      await requireChainId(second, chainId)
      const other = await lookAt(second, look.height, reads)
      const isSame = other.hash === look.hash && String(other.answers) === String(look.answers)
      return isSame ? { ...look, secondNode: true } : refuse('nodes_disagree')
    })
  }

  /** Errors: `chain_not_followed`, `node_silent`, also if the node lags. */
  async hashAt(network: Network, height: number): Promise<string> {
    const config = this.#find(network)
    const hash = await orSilent(() => new EvmChain(firstRpc(config)).hashAt(height))
    return hash ?? refuse('node_silent', { why: 'the node has no such block' })
  }

  #find(network: Network): EvmChainConfig {
    const found = this.#configs.find((chain) => chain.network === network)
    return found?.family === 'evm' ? found : refuse('chain_not_followed')
  }
}

async function requireChainId(rpc: JsonRpc, chainId: number): Promise<void> {
  if (Number(await rpc.call<string>('eth_chainId')) !== chainId) refuse('node_other_network')
}

async function lookAt(rpc: JsonRpc, height: number, reads: readonly AccountRead[]): Promise<StateLook> {
  const at = toHex(height)
  const calls = reads.map((read) => {
    if ('code' in read) return { method: 'eth_getCode', params: [read.code, at] }
    if ('balance' in read) return { method: 'eth_getBalance', params: [read.balance, at] }
    return { method: 'eth_call', params: [read, at] }
  })
  const ask = { method: 'eth_getBlockByNumber', params: [at, false] }
  // The block before and after shows whether all answers are of one chain.
  const before = await rpc.batch<RpcBlock | null>([ask])
  const answers = await rpc.batchEach<Hex>(calls)
  const after = await rpc.batch<RpcBlock | null>([ask])
  const [block, again] = [...before, ...after]
  if (!block || block.hash !== again?.hash || quantity(block.number) !== height)
    throw new RetryableError(new Error('the chain changed while it was read'))
  return {
    height,
    hash: block.hash,
    minedAt: new Date(quantity(block.timestamp) * 1000),
    answers: answers.map((answer) => (answer instanceof RpcError || !isHex(answer) ? null : answer)),
    secondNode: false,
  }
}

/** Also for a pruned block or an invalid answer. */
async function orSilent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RetryableError || error instanceof RpcError)
      return refuse('node_silent', { why: error.message })
    throw error
  }
}
