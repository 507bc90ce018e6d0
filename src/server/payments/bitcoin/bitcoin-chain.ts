import { amountFromUnits } from '../../../shared/wallet-links.ts'
import type { Block, ChainSource, Spend, Transfer, Watched } from '../chain-source.ts'
import type { BitcoinNode } from './bitcoin-node.ts'
import { parseBlock, parseTransaction, type RawTransaction } from './raw-block.ts'

const COIN_DECIMALS = 8
/** Unconfirmed transactions looked at in one round; the rest of a full mempool follows in the next ones. */
const MEMPOOL_ROUND = 2_000
/** An address is known here at most this much after it was given to a buyer. */
const ADDRESS_DELAY_MS = 60_000

export interface BitcoinChainOptions {
  readonly finalDepth?: number
}

/** Follows a Bitcoin-family chain by its raw blocks, without a wallet: each output's script is looked up in what is watched. */
export function createBitcoinChain(node: BitcoinNode, options: BitcoinChainOptions = {}): ChainSource {
  /** Mempool transactions already looked at, and when; those that left it are forgotten. */
  const known = new Map<string, number>()
  /** How many scripts were watched at the last look; with a new one, recent mempool transactions are looked at again. */
  let knownScripts = 0
  /** Mempool transactions that touch something watched; matched anew each round, because what is watched changes. */
  const relevant = new Map<string, RawTransaction>()

  return {
    family: 'bitcoin',
    finalDepth: options.finalDepth ?? 100,
    windowDepth: 2 * (options.finalDepth ?? 100),
    batchBlocks: 100,
    async identity() {
      return (await node.hashAt(0)) ?? ''
    },
    tipHeight: () => node.tipHeight(),
    hashAt: (height) => node.hashAt(height),
    finalizedHeight: async () => null,

    async blocks(from, to, watched) {
      const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index)
      const hashes = (await node.hashesOf(heights)).filter((hash) => hash !== null)
      const blocks: Block[] = []
      for (const [index, bytes] of (await node.rawBlocks(hashes)).entries()) {
        const raw = parseBlock(bytes)
        const previous = blocks.at(-1)
        // The chain changed between the questions; what fits so far is taken, the next round sees the rest.
        if (previous && raw.parent !== previous.hash) break
        blocks.push({
          height: from + index,
          hash: raw.hash,
          parent: raw.parent,
          minedAt: raw.minedAt,
          transfers: raw.transactions.flatMap((transaction) => transfersOf(transaction, watched)),
          spends: raw.transactions.flatMap((transaction) => spendsOf(transaction, watched)),
        })
      }
      return blocks
    },

    async mempool(watched) {
      const ids = await node.mempoolIds()
      const present = new Set(ids)
      const now = Date.now()
      const isGrown = watched.scripts.size !== knownScripts
      knownScripts = watched.scripts.size
      for (const [id, lookedAt] of known) {
        if (!present.has(id) || (isGrown && lookedAt > now - ADDRESS_DELAY_MS)) known.delete(id)
      }
      for (const id of relevant.keys()) if (!present.has(id)) relevant.delete(id)
      const fresh = ids.filter((id) => !known.has(id)).slice(0, MEMPOOL_ROUND)
      const raws = await node.rawTransactions(fresh)
      fresh.forEach((id, index) => {
        const bytes = raws[index]
        if (!bytes) return
        known.set(id, now)
        const transaction = parsedOrNull(bytes)
        if (!transaction) return
        if (transfersOf(transaction, watched).length > 0 || spendsOf(transaction, watched).length > 0)
          relevant.set(id, transaction)
      })
      const transactions = [...relevant.values()]
      return {
        kind: 'mempool',
        transfers: transactions.flatMap((transaction) => transfersOf(transaction, watched)),
        spends: transactions.flatMap((transaction) => spendsOf(transaction, watched)),
        present: new Set([...watched.pending].filter((id) => present.has(id))),
      }
    },
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
      },
    ]
  })
}

function spendsOf(transaction: RawTransaction, watched: Watched): Spend[] {
  return transaction.inputs
    .filter((input) => watched.inputs.has(input))
    .map((input) => ({ input, by: transaction.id }))
}

/** One that only its own chain's software reads (Litecoin's extension blocks) pays none of our addresses. */
function parsedOrNull(bytes: Buffer): RawTransaction | null {
  try {
    return parseTransaction(bytes)
  } catch {
    return null
  }
}
