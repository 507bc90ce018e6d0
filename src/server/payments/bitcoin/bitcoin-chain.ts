import { amountFromUnits } from '../../../shared/wallet-links.ts'
import { RetryableError } from '../../refusal.ts'
import type { Block, ChainEvent, ChainSource, Spend, Transfer, Watched } from '../chain-source.ts'
import type { BitcoinNode } from './bitcoin-node.ts'
import { parseBlock, parseTransaction, type RawTransaction } from './raw-block.ts'

const COIN_DECIMALS = 8
const FINAL_DEPTH = 100
/** Unconfirmed transactions per round; a full mempool takes several. */
const MEMPOOL_ROUND = 2_000
/** Maximum delay until a new address is known here. */
const ADDRESS_DELAY_MS = 60_000

/** Reread once, before a payment has 6 confirmations; blocks may be large. */
const REREAD_DEPTHS = [3]

// Rules: SETTLE-20
/** Follows the chain by raw blocks, without a wallet, and looks up each output's script. */
export class BitcoinChain implements ChainSource {
  readonly family = 'bitcoin'
  readonly finalDepth = FINAL_DEPTH
  readonly windowDepth = 2 * FINAL_DEPTH
  readonly rereadDepths = REREAD_DEPTHS
  readonly batchBlocks = 100
  readonly #node: BitcoinNode
  /** By mempool transaction: when it was read. */
  readonly #known = new Map<string, number>()
  /** At the last poll; if it grows, recent mempool transactions are read again. */
  #knownScripts = 0
  /** Matched anew each round, because the watched addresses change. */
  readonly #relevant = new Map<string, RawTransaction>()

  constructor(node: BitcoinNode) {
    this.#node = node
  }

  async identity(): Promise<string> {
    const hash = await this.#node.hashAt(0)
    if (hash === null) throw new RetryableError(new Error('the node does not show its first block'))
    return hash
  }

  tipHeight(): Promise<number> {
    return this.#node.tipHeight()
  }

  hashAt(height: number): Promise<string | null> {
    return this.#node.hashAt(height)
  }

  async finalizedHeight(): Promise<null> {
    return null
  }

  async blocks(from: number, to: number, watched: Watched): Promise<Block[]> {
    const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const hashes = (await this.#node.hashesOf(heights)).filter((hash) => hash !== null)
    const blocks: Block[] = []
    /** A later one of these blocks may spend outputs of an earlier one. */
    const inputs = new Set(watched.inputs)
    for (const [index, bytes] of (await this.#node.rawBlocks(hashes)).entries()) {
      const raw = parseBlock(bytes)
      if (raw.hash !== hashes[index]) throw new RetryableError(new Error('the node answered another block'))
      const previous = blocks.at(-1)
      // The chain changed meanwhile; the next round reads the rest.
      if (previous && raw.parent !== previous.hash) break
      blocks.push({
        height: from + index,
        hash: raw.hash,
        parent: raw.parent,
        minedAt: raw.minedAt,
        ...movesOf(raw.transactions, watched, inputs),
      })
    }
    return blocks
  }

  async mempool(watched: Watched): Promise<Extract<ChainEvent, { kind: 'mempool' }>> {
    const ids = await this.#node.mempoolIds()
    const present = new Set(ids)
    const now = Date.now()
    this.#forget(present, watched, now)
    await this.#lookAt(ids.filter((id) => !this.#known.has(id)).slice(0, MEMPOOL_ROUND), watched, now)
    const transactions = [...this.#relevant.values()]
    return {
      kind: 'mempool',
      transfers: transactions.flatMap((transaction) => transfersOf(transaction, watched)),
      spends: transactions.flatMap((transaction) => spendsOf(transaction, watched)),
      present: new Set([...watched.pending.keys()].filter((id) => present.has(id))),
      gone: [],
    }
  }

  /** Transactions that left the mempool, and those read before a new address was watched. */
  #forget(present: ReadonlySet<string>, watched: Watched, now: number): void {
    const isGrown = watched.scripts.size !== this.#knownScripts
    this.#knownScripts = watched.scripts.size
    for (const [id, lookedAt] of this.#known) {
      if (!present.has(id) || (isGrown && lookedAt > now - ADDRESS_DELAY_MS)) this.#known.delete(id)
    }
    for (const id of this.#relevant.keys()) if (!present.has(id)) this.#relevant.delete(id)
  }

  async #lookAt(fresh: readonly string[], watched: Watched, now: number): Promise<void> {
    const raws = await this.#node.rawTransactions(fresh)
    fresh.forEach((id, index) => {
      const bytes = raws[index]
      if (!bytes) return
      const transaction = parsedOrNull(bytes)
      // Another transaction proves nothing; the right one may still come.
      if (transaction && transaction.id !== id) return
      this.#known.set(id, now)
      if (!transaction) return
      if (transfersOf(transaction, watched).length > 0 || spendsOf(transaction, watched).length > 0)
        this.#relevant.set(id, transaction)
    })
  }
}

function transfersOf(transaction: RawTransaction, watched: Watched): Transfer[] {
  return transaction.outputs.flatMap((output, index) => {
    const addressKey = watched.scripts.get(output.script.toString('hex'))
    if (addressKey === undefined || output.value === 0n) return []
    return [
      {
        transactionId: transaction.id,
        outputKey: String(index),
        addressKey,
        asset: 'native',
        amount: amountFromUnits(output.value, COIN_DECIMALS),
        failed: false,
        inputs: transaction.inputs,
        script: output.script,
        sender: null,
      },
    ]
  })
}

// Rules: LOG-21
/** Moves of consecutive transactions; adds new outputs to `inputs`. */
function movesOf(transactions: readonly RawTransaction[], watched: Watched, inputs: Set<string>) {
  const transfers: Transfer[] = []
  const spends: Spend[] = []
  for (const transaction of transactions) {
    spends.push(...spendsOf(transaction, { inputs }))
    for (const transfer of transfersOf(transaction, watched)) {
      transfers.push(transfer)
      inputs.add(`${transfer.transactionId}:${transfer.outputKey}`)
    }
  }
  return { transfers, spends }
}

function spendsOf(transaction: RawTransaction, watched: Pick<Watched, 'inputs'>): Spend[] {
  return transaction.inputs
    .filter((input) => watched.inputs.has(input))
    .map((input) => ({ input, by: transaction.id }))
}

/**
 * Null for what only the chain's own software can parse (Litecoin's extension blocks); that pays none of our
 * addresses.
 */
function parsedOrNull(bytes: Buffer): RawTransaction | null {
  try {
    return parseTransaction(bytes)
  } catch {
    return null
  }
}
