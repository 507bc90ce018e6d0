import { createHash } from 'node:crypto'
import type { Block, ChainSource, Spend, Transfer, Watched } from '../src/server/payments/chain-source.ts'
import { RetryableError } from '../src/server/refusal.ts'
import type { Network } from '../src/shared/api/currencies.ts'

/** What one transaction pays to one address. */
export interface Output {
  readonly addressKey: string
  /** `native`, or a token's contract in lower case. */
  readonly asset: string
  /** In coins. */
  readonly amount: string
}

export interface Transaction {
  readonly id: string
  readonly inputs: readonly string[]
  readonly outputs: readonly Output[]
}

interface Mined {
  readonly height: number
  readonly hash: string
  readonly parent: string
  readonly minedAt: number
  readonly transactions: readonly Transaction[]
}

/** How a node misbehaves for its next calls. */
export type Trouble = 'silence' | 'html'

/** How the main networks of Litecoin and Ethereum are known: by the first block, by the chain id. */
const IDENTITIES = {
  bitcoin: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  evm: '1:0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
}

/** Blocks that are there before anything happens. */
const GENESIS_BLOCKS = 40

/** A chain and its node, with everything that real ones do to a watcher. Deterministic: hashes are counted. */
export class SimulatedChain {
  readonly network: Network
  readonly family: 'bitcoin' | 'evm'
  #blocks: Mined[] = []
  #mempool = new Map<string, Transaction>()
  #count = 0
  #trouble: { kind: Trouble; calls: number } | undefined

  constructor(network: Network, family: 'bitcoin' | 'evm', now: number) {
    this.network = network
    this.family = family
    this.mine(GENESIS_BLOCKS, now)
  }

  get height(): number {
    return this.#blocks.length - 1
  }

  /** Every transaction that lies in a block, with the block's height. */
  *mined(): Generator<{ transaction: Transaction; height: number }> {
    for (const { transactions, height } of this.#blocks)
      for (const transaction of transactions) yield { transaction, height }
  }

  /** A transaction that waits to be mined; `spends` replaces those that spend the same. */
  send(outputs: readonly Output[], spends?: readonly string[]): Transaction {
    const id = this.#hash('transaction')
    const inputs = spends ?? [`${id.slice(0, 40)}:0`]
    for (const other of this.#mempool.values())
      if (other.inputs.some((input) => inputs.includes(input))) this.#mempool.delete(other.id)
    const transaction = { id, inputs, outputs }
    this.#mempool.set(id, transaction)
    return transaction
  }

  /** The transaction that was sent last and still waits. */
  get newestWaiting(): Transaction | undefined {
    return [...this.#mempool.values()].at(-1)
  }

  /** Mines what waits into the first of `count` blocks. */
  mine(count: number, now: number): void {
    for (let index = 0; index < count; index += 1) {
      this.#add([...this.#mempool.values()], now)
      this.#mempool.clear()
    }
  }

  /**
   * Takes `depth` blocks back and mines one more in their place. What they held is mined again at once (`kept`), waits once more (`waits`),
   * or never happened (`lost`).
   */
  reorganise(depth: number, fate: 'kept' | 'waits' | 'lost', now: number): void {
    const undone = this.#blocks.splice(Math.max(1, this.#blocks.length - depth))
    const transactions = undone.flatMap((block) => block.transactions)
    for (let index = 0; index <= undone.length; index += 1)
      this.#add(index === 0 && fate === 'kept' ? transactions : [], now)
    if (fate === 'waits')
      for (const transaction of transactions) this.#mempool.set(transaction.id, transaction)
  }

  /** The node misbehaves for its next `calls`. */
  trouble(kind: Trouble, calls: number): void {
    this.#trouble = { kind, calls }
  }

  /** The way the watcher reads it. */
  source(finalDepth: number, windowDepth: number): ChainSource {
    return {
      family: this.family,
      finalDepth,
      windowDepth,
      batchBlocks: 50,
      rereadDepths: [],
      identity: async () => this.#answer(IDENTITIES[this.family]),
      tipHeight: async () => this.#answer(this.height),
      hashAt: async (height) => this.#answer(this.#blocks[height]?.hash ?? null),
      blocks: async (from, to, watched) =>
        this.#answer(this.#blocks.slice(from, to + 1).map((block) => blockOf(this.family, block, watched))),
      mempool: async (watched) => this.#answer(this.#mempoolFor(watched)),
      finalizedHeight: async () => this.#answer(this.height - finalDepth),
    }
  }

  #mempoolFor(watched: Watched) {
    const waiting = [...this.#mempool.values()]
    return {
      kind: 'mempool' as const,
      transfers: waiting.flatMap((transaction) => transfersOf(this.family, transaction, watched)),
      spends: waiting.flatMap((transaction) => spendsOf(transaction, watched)),
      present: new Set([...watched.pending.keys()].filter((id) => this.#mempool.has(id))),
      gone: [],
    }
  }

  #answer<T>(answer: T): T {
    const trouble = this.#trouble
    if (!trouble) return answer
    trouble.calls -= 1
    if (trouble.calls <= 0) this.#trouble = undefined
    if (trouble.kind === 'silence') throw new RetryableError(new Error('the node did not answer'))
    throw new SyntaxError('an error page is not valid JSON')
  }

  #add(transactions: readonly Transaction[], now: number): void {
    const parent = this.#blocks.at(-1)?.hash ?? ''
    const height = this.#blocks.length
    this.#blocks.push({ height, hash: this.#hash('block'), parent, minedAt: now, transactions })
  }

  #hash(of: string): string {
    this.#count += 1
    return createHash('sha256').update(`${this.network} ${of} ${this.#count}`).digest('hex')
  }
}

function blockOf(
  family: 'bitcoin' | 'evm',
  { height, hash, parent, minedAt, transactions }: Mined,
  watched: Watched,
): Block {
  return {
    height,
    hash,
    parent,
    minedAt: new Date(minedAt),
    transfers: transactions.flatMap((transaction) => transfersOf(family, transaction, watched)),
    spends: transactions.flatMap((transaction) => spendsOf(transaction, watched)),
  }
}

function transfersOf(
  family: 'bitcoin' | 'evm',
  { id, inputs, outputs }: Transaction,
  watched: Watched,
): Transfer[] {
  return outputs.flatMap(({ addressKey, asset, amount }, index) =>
    watched.addresses.has(addressKey)
      ? [
          {
            transactionId: id,
            outputKey: outputKeyOf(family, asset, index),
            addressKey,
            asset,
            amount,
            failed: false,
            inputs,
            script: null,
            sender: null,
          },
        ]
      : [],
  )
}

const spendsOf = ({ id, inputs }: Transaction, watched: Watched): Spend[] =>
  inputs.filter((input) => watched.inputs.has(input)).map((input) => ({ input, by: id }))

/** As the adapters name them: an output's index, `value` of a native EVM transfer, the place of a token's log. */
function outputKeyOf(family: 'bitcoin' | 'evm', asset: string, index: number): string {
  if (family === 'bitcoin') return String(index)
  return asset === 'native' ? 'value' : `${asset}#${index}`
}
