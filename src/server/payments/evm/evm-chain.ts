import { amountFromUnits } from '../../../shared/wallet-links.ts'
import { RetryableError, refuse } from '../../refusal.ts'
import type {
  AskedDeed,
  AskedPayment,
  Block,
  ChainEvent,
  ChainSource,
  EscrowReturn,
  Held,
  HeldBlock,
  NamedTransfer,
  Opinion,
  Sending,
  Spend,
  Transfer,
  Watched,
} from '../chain-source.ts'
import { type JsonRpc, RpcError } from '../json-rpc.ts'
import { ESCROW_TOPICS, readEscrowLogs } from './escrow-logs.ts'
import {
  costOf,
  NATIVE_DECIMALS,
  quantity,
  type RpcBlock,
  type RpcReceipt,
  type RpcTransaction,
  toHex,
} from './evm-rpc.ts'
import { readNamedTransfers } from './named-transfer.ts'
import { askSecondNode, askSecondOfDeed } from './second-node.ts'
import { type RpcLog, readTransferLogs } from './transfer-logs.ts'
import { TRANSFER_TOPIC } from './transfer-topic.ts'

/** `transfer(address,uint256)` and `decimals()`. */
const TRANSFER_SELECTOR = '0xa9059cbb'
const DECIMALS_SELECTOR = '0x313ce567'
const FINAL_DEPTH = 128
/** Before 12 confirmations, a while later, and before finality. */
const REREAD_DEPTHS = [3, 11, 40, 120]
/** Beyond this, a filter by recipient is too long for public nodes; the listed contracts filter. */
const FILTER_ADDRESSES_MAX = 500

export interface EvmExtras {
  /** In order; null if the node has pruned that state. */
  heldAt(asked: readonly { address: string; height: number }[]): Promise<(Held | null)[]>
  /** In order; null if the node has none. */
  blocksAt(heights: readonly number[]): Promise<(HeldBlock | null)[]>
}

/** Polls blocks (native coin) and Transfer logs (tokens), without filters on the node. */
export class EvmChain implements ChainSource, EvmExtras {
  readonly family = 'evm'
  readonly finalDepth = FINAL_DEPTH
  readonly windowDepth = 2 * FINAL_DEPTH
  readonly batchBlocks = 50
  readonly rereadDepths = REREAD_DEPTHS
  readonly secondHeights?: ChainSource['secondHeights']
  readonly secondOpinions?: (payments: readonly AskedPayment[]) => Promise<Opinion[]>
  readonly secondDeed?: (deed: AskedDeed) => Promise<string | null>
  readonly secondHashAt?: (height: number) => Promise<string | null>
  readonly #rpc: JsonRpc
  readonly #second: JsonRpc | undefined

  /** @param second For second opinions, and facts that are asked once and then trusted. */
  constructor(rpc: JsonRpc, second?: JsonRpc) {
    this.#rpc = rpc
    this.#second = second
    if (!second) return
    this.secondOpinions = (payments) => askSecondNode(second, payments)
    const other = new EvmChain(second)
    this.secondDeed = (deed) => askSecondOfDeed(second, deed)
    this.secondHashAt = (height) => other.hashAt(height)
    this.secondHeights = async () => {
      const height = await other.tipHeight()
      return { height, finalized: (await other.finalizedHeight()) ?? height - FINAL_DEPTH }
    }
  }

  async identity(): Promise<string> {
    const [chainId, first] = await Promise.all([this.#rpc.call<string>('eth_chainId'), this.#block('0x0')])
    if (!first) throw new RetryableError(new Error('the node does not show its first block'))
    return `${Number(chainId)}:${first.hash}`
  }

  async tipHeight(): Promise<number> {
    return quantity(await this.#rpc.call('eth_blockNumber'))
  }

  async hashAt(height: number): Promise<string | null> {
    return (await this.#block(toHex(height)))?.hash ?? null
  }

  async blocks(from: number, to: number, watched: Watched): Promise<Block[]> {
    const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const raws = await this.#rpc.batch<RpcBlock | null>(
      heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [toHex(height), true] })),
    )
    const chain: RpcBlock[] = []
    for (const raw of raws) {
      const previous = chain.at(-1)
      if (!raw || (previous && raw.parentHash !== previous.hash)) break
      chain.push(raw)
    }
    const [native, sent, tokens, escrows] = await Promise.all([
      nativeTransfers(this.#rpc, chain, watched),
      coinsSent(this.#rpc, chain, watched),
      tokenTransfers(this.#rpc, chain, watched),
      escrowEvents(this.#rpc, chain, watched),
    ])
    return chain.map(
      (raw): Block => ({
        ...placeOf(raw),
        parent: raw.parentHash,
        transfers: [
          ...(native.get(raw.hash) ?? []),
          ...(tokens.get(raw.hash) ?? []),
          ...(escrows.get(raw.hash)?.transfers ?? []),
        ],
        spends: spendsOf(raw.transactions, watched),
        returns: escrows.get(raw.hash)?.returns,
        sent: sent.get(raw.hash) ?? [],
      }),
    )
  }

  async mempool(watched: Watched, height: number): Promise<Extract<ChainEvent, { kind: 'mempool' }>> {
    const pending = await orNull(this.#rpc.call<RpcBlock | null>('eth_getBlockByNumber', 'pending', true))
    const transactions = (pending?.transactions ?? []).filter(
      (transaction) => typeof transaction === 'object',
    )
    const transfers = transactions.flatMap((transaction) => pendingTransfers(transaction, watched))
    return {
      kind: 'mempool',
      transfers,
      spends: spendsOf(transactions, watched),
      // The pending block holds only the node's next candidates.
      present: new Set([
        ...transfers.map(({ transactionId }) => transactionId),
        ...(await this.#known(watched)),
      ]),
      gone: await this.#overtaken(watched, height),
    }
  }

  /** Unconfirmed payments that the node still has. */
  async #known({ pending }: Watched): Promise<string[]> {
    const ids = [...pending.keys()]
    const transactions = await this.#rpc.batch<RpcTransaction | null>(
      ids.map((id) => ({ method: 'eth_getTransactionByHash', params: [id] })),
    )
    return ids.filter((_, index) => transactions[index] !== null)
  }

  /** Unconfirmed payments whose sender's nonce is used at `height`. */
  async #overtaken({ pending }: Watched, height: number): Promise<string[]> {
    const waiting = [...pending].flatMap(([id, inputs]) =>
      inputs.map((input) => {
        const [sender = '', nonce] = input.split(':')
        return { id, sender, nonce: Number(nonce) }
      }),
    )
    const counts = await this.#rpc.batch<string>(
      waiting.map(({ sender }) => ({ method: 'eth_getTransactionCount', params: [sender, toHex(height)] })),
    )
    return waiting.filter(({ nonce }, index) => Number(counts[index]) > nonce).map(({ id }) => id)
  }

  async finalizedHeight(): Promise<number | null> {
    const block = await orNull(this.#block('finalized'))
    return block ? quantity(block.number) : null
  }

  async tokenDecimals(contract: string): Promise<number> {
    const nodes = this.#second ? [this.#rpc, this.#second] : [this.#rpc]
    const [decimals = 0, second = decimals] = await Promise.all(
      nodes.map((rpc) => readDecimals(rpc, contract)),
    )
    return decimals === second ? decimals : refuse('token_decimals_differ', { decimals: [decimals, second] })
  }

  namedTransfer(
    transactionId: string,
    addressKey: string,
    token: { readonly contract: string; readonly decimals: number } | null,
  ): Promise<NamedTransfer[]> {
    return readNamedTransfers(this.#rpc, transactionId, addressKey, token)
  }

  async heldAt(asked: readonly { address: string; height: number }[]): Promise<(Held | null)[]> {
    const answers = await this.#rpc.batchEach<string>(
      asked.flatMap(({ address, height }) =>
        ['eth_getBalance', 'eth_getTransactionCount'].map((method) => ({
          method,
          params: [address, toHex(height)],
        })),
      ),
    )
    return asked.map((_, index) => {
      const [units, sent] = answers.slice(2 * index)
      if (units === undefined || sent === undefined) throw new Error('each question has its answer')
      // Nodes keep only the last blocks' states.
      if (units instanceof RpcError || sent instanceof RpcError) return null
      return { balance: amountFromUnits(BigInt(units), NATIVE_DECIMALS), sent: quantity(sent) }
    })
  }

  async blocksAt(heights: readonly number[]): Promise<(HeldBlock | null)[]> {
    const blocks = await this.#rpc.batch<RpcBlock | null>(
      heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [toHex(height), false] })),
    )
    return blocks.map((block) => block && placeOf(block))
  }

  /** Without transactions, by height in hex or a tag. */
  #block(which: string): Promise<RpcBlock | null> {
    return this.#rpc.call<RpcBlock | null>('eth_getBlockByNumber', which, false)
  }
}

const placeOf = (block: RpcBlock): HeldBlock => ({
  height: Number(block.number),
  hash: block.hash,
  minedAt: new Date(Number(block.timestamp) * 1000),
})

const topicOfAddress = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
const inputOf = (transaction: RpcTransaction) =>
  `${transaction.from.toLowerCase()}:${Number(transaction.nonce)}`

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    // Some nodes lack this tag.
    if (error instanceof RpcError) return null
    throw error
  }
}

function isNativeTransfer(transaction: RpcTransaction, watched: Watched): boolean {
  return (
    transaction.to !== null &&
    BigInt(transaction.value) > 0n &&
    watched.addresses.has(transaction.to.toLowerCase())
  )
}

function nativeTransfer(transaction: RpcTransaction, failed: boolean): Transfer {
  return {
    transactionId: transaction.hash,
    outputKey: 'value',
    addressKey: (transaction.to ?? '').toLowerCase(),
    asset: 'native',
    amount: amountFromUnits(BigInt(transaction.value), NATIVE_DECIMALS),
    failed,
    inputs: [inputOf(transaction)],
    script: null,
    sender: transaction.from.toLowerCase(),
  }
}

/** Applies `read` to the wanted transactions and their receipts; returns the results by block hash. */
async function byReceipts<T>(
  rpc: JsonRpc,
  chain: readonly RpcBlock[],
  isWanted: (transaction: RpcTransaction) => boolean,
  read: (transaction: RpcTransaction, receipt: RpcReceipt) => T,
): Promise<Map<string, T[]>> {
  const found = chain.flatMap((block) =>
    block.transactions.filter(isWanted).map((transaction) => ({ block, transaction })),
  )
  const receipts = await rpc.batch<RpcReceipt | null>(
    found.map(({ transaction }) => ({ method: 'eth_getTransactionReceipt', params: [transaction.hash] })),
  )
  const byBlock = new Map<string, T[]>()
  found.forEach(({ block, transaction }, index) => {
    const receipt = receipts[index]
    if (receipt?.blockHash !== block.hash)
      throw new RetryableError(new Error('the chain changed while it was read'))
    append(byBlock, block.hash, read(transaction, receipt))
  })
  return byBlock
}

const nativeTransfers = (rpc: JsonRpc, chain: readonly RpcBlock[], watched: Watched) =>
  byReceipts(
    rpc,
    chain,
    (transaction) => isNativeTransfer(transaction, watched),
    (transaction, receipt) => nativeTransfer(transaction, receipt.status !== '0x1'),
  )

const coinsSent = (rpc: JsonRpc, chain: readonly RpcBlock[], { senders }: Watched) =>
  byReceipts(
    rpc,
    chain,
    ({ from }) => senders.has(from.toLowerCase()),
    (transaction, receipt): Sending => ({
      transactionId: transaction.hash,
      sender: transaction.from.toLowerCase(),
      cost: amountFromUnits(costOf(transaction, receipt), NATIVE_DECIMALS),
    }),
  )

/**
 * For transfers of listed tokens to watched addresses; with many addresses, for all transfers of these
 * tokens.
 */
function filtersFor({ tokens, addresses }: Watched): Record<string, unknown>[] {
  if (tokens.size === 0 || addresses.size === 0) return []
  const address = [...tokens.keys()]
  return addresses.size <= FILTER_ADDRESSES_MAX
    ? [{ address, topics: [TRANSFER_TOPIC, null, [...addresses.keys()].map(topicOfAddress)] }]
    : [{ address, topics: [TRANSFER_TOPIC] }]
}

/** By block hash: a node without the block fails, instead of returning no logs. */
async function tokenTransfers(
  rpc: JsonRpc,
  chain: readonly RpcBlock[],
  watched: Watched,
): Promise<Map<string, Transfer[]>> {
  const filters = filtersFor(watched)
  const answers = await rpc.batch<RpcLog[]>(
    chain.flatMap(({ hash }) =>
      filters.map((filter) => ({ method: 'eth_getLogs', params: [{ blockHash: hash, ...filter }] })),
    ),
  )
  return new Map(
    chain.map((block, at) => {
      const logs = answers.slice(at * filters.length, (at + 1) * filters.length).flat()
      if (logs.some((log) => log.blockHash !== block.hash))
        throw new RetryableError(new Error('the chain changed while it was read'))
      return [block.hash, transfersOf(block, logs, watched)]
    }),
  )
}

async function readDecimals(rpc: JsonRpc, contract: string): Promise<number> {
  const answer = await rpc.call<string>('eth_call', { to: contract, data: DECIMALS_SELECTOR }, 'latest')
  if (!/^0x[0-9a-f]{64}$/i.test(answer) || BigInt(answer) > 36n)
    throw new Error(`${contract} is not an ERC-20 token`)
  return Number(BigInt(answer))
}

function transfersOf(block: RpcBlock, logs: readonly RpcLog[], watched: Watched): Transfer[] {
  const senders = new Map(block.transactions.map((transaction) => [transaction.hash, inputOf(transaction)]))
  const found = readTransferLogs(logs, (key) => watched.addresses.has(key))
  return found.flatMap(({ log, contract, outputKey, addressKey, units }) => {
    const decimals = watched.tokens.get(contract)
    // Anybody can create a token called USDT: an unlisted one, or one with unknown decimals, is no payment.
    if (decimals === undefined) return []
    return [
      {
        transactionId: log.transactionHash,
        outputKey,
        addressKey,
        asset: contract,
        amount: amountFromUnits(units, decimals),
        failed: false,
        inputs: [senders.get(log.transactionHash) ?? []].flat(),
        script: null,
        sender: `0x${(log.topics[1] ?? '').slice(26).toLowerCase()}`,
      },
    ]
  })
}

// Rules: DELIVER-13
/** By block, requested like token logs. */
async function escrowEvents(
  rpc: JsonRpc,
  chain: readonly RpcBlock[],
  watched: Watched,
): Promise<Map<string, { transfers: Transfer[]; returns: EscrowReturn[] }>> {
  if (watched.escrows.size === 0) return new Map()
  const address = [...watched.escrows.keys()]
  const answers = await rpc.batch<RpcLog[]>(
    chain.map(({ hash }) => ({
      method: 'eth_getLogs',
      params: [{ blockHash: hash, address, topics: [ESCROW_TOPICS] }],
    })),
  )
  return new Map(
    chain.map((block, at) => {
      const logs = answers[at] ?? []
      if (logs.some((log) => log.blockHash !== block.hash))
        throw new RetryableError(new Error('the chain changed while it was read'))
      const { payments, returns } = readEscrowLogs(logs, watched.escrows)
      const senders = new Map(
        block.transactions.map((transaction) => [transaction.hash, inputOf(transaction)]),
      )
      const transfers = payments.flatMap(({ place, asset, units, payer, log }): Transfer[] => {
        const decimals = asset === 'native' ? NATIVE_DECIMALS : watched.tokens.get(asset)
        // Signed with a stolen key: no order is paid in an unlisted asset, and its amount is unknown.
        if (decimals === undefined) return []
        return [
          {
            transactionId: log.transactionHash,
            outputKey: 'paid',
            addressKey: place,
            asset,
            amount: amountFromUnits(units, decimals),
            failed: false,
            inputs: [senders.get(log.transactionHash) ?? []].flat(),
            script: null,
            sender: payer,
          },
        ]
      })
      return [block.hash, { transfers, returns }]
    }),
  )
}

/** The native value, or a plain `transfer` of a listed token. */
function pendingTransfers(transaction: RpcTransaction, watched: Watched): Transfer[] {
  if (isNativeTransfer(transaction, watched)) return [nativeTransfer(transaction, false)]
  const contract = transaction.to?.toLowerCase() ?? ''
  const decimals = watched.tokens.get(contract)
  const input = transaction.input.toLowerCase()
  if (decimals === undefined || !input.startsWith(TRANSFER_SELECTOR) || input.length < 138) return []
  const addressKey = `0x${input.slice(34, 74)}`
  const units = BigInt(`0x${input.slice(74, 138)}`)
  if (!watched.addresses.has(addressKey) || units === 0n) return []
  return [
    {
      transactionId: transaction.hash,
      outputKey: `${contract}#0`,
      addressKey,
      asset: contract,
      amount: amountFromUnits(units, decimals),
      failed: false,
      inputs: [inputOf(transaction)],
      script: null,
      sender: transaction.from.toLowerCase(),
    },
  ]
}

function spendsOf(transactions: readonly RpcTransaction[], watched: Watched): Spend[] {
  return transactions
    .map((transaction) => ({ input: inputOf(transaction), by: transaction.hash }))
    .filter((spend) => watched.inputs.has(spend.input))
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
