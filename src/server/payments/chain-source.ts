/** Ledger entries have no more; tokens with more are not followed. */
export const TOKEN_DECIMALS_MAX = 18

export interface Transfer {
  readonly transactionId: string
  /**
   * `0` for an output, `value` for a native EVM transfer, `{contract}#{n}` for a token's n-th log, `balance`, or `paid` into an
   * escrow.
   */
  readonly outputKey: string
  readonly addressKey: string
  /** `native`, or a token's contract in lower case. */
  readonly asset: string
  /** In coins, a decimal string. */
  readonly amount: string
  readonly failed: boolean
  /** Outpoints, or `sender:nonce`. A transaction with the same inputs replaces this one. */
  readonly inputs: readonly string[]
  readonly script: Uint8Array | null
  /** EVM, lower case. */
  readonly sender: string | null
}

/** A submitted transaction's transfer to an address. */
export interface NamedTransfer {
  /** As in `Transfer`; `named` for native coins sent by a contract, which no block lists. */
  readonly outputKey: string
  readonly height: number
  readonly hash: string
  readonly amount: string
}

export interface Block {
  readonly height: number
  readonly hash: string
  readonly parent: string
  readonly minedAt: Date
  readonly transfers: readonly Transfer[]
  /** Spent inputs of known payments (unconfirmed ones, and unspent outputs), with the spending transaction. */
  readonly spends: readonly Spend[]
  /** Orders cancelled or paid back by followed escrows; undefined without any. */
  readonly returns?: readonly EscrowReturn[] | undefined
  /** EVM: transactions sent by our native-coin addresses. */
  readonly sent?: readonly Sending[] | undefined
}

export interface Sending {
  readonly transactionId: string
  /** An address key. */
  readonly sender: string
  /** Value and fee, a decimal string. */
  readonly cost: string
}

export interface EscrowReturn {
  /** `CHAIN:ESCROW:ORDER` */
  readonly orderKey: string
  readonly transactionId: string
}

export interface Spend {
  readonly input: string
  readonly by: string
}

/** The watcher applies them in this order, in one transaction with the cursor. */
export type ChainEvent =
  | { readonly kind: 'reorg'; readonly height: number }
  | ({ readonly kind: 'block' } & Block)
  /** `assets`: the block was read completely for them. */
  | ({ readonly kind: 'again'; readonly assets: readonly string[] } & Block)
  | { readonly kind: 'finalized'; readonly height: number }
  | {
      readonly kind: 'mempool'
      readonly transfers: readonly Transfer[]
      readonly spends: readonly Spend[]
      /** Known unconfirmed payments still there; null if unknown. */
      readonly present: ReadonlySet<string> | null
      /** Known unconfirmed payments that no block can include any more: the sender's nonce is used. */
      readonly gone: readonly string[]
    }
  /**
   * An address's balance at assignment (`address.height`), or at a later `height` if the node no longer has
   * that state.
   */
  | ({ readonly kind: 'base'; readonly address: UnknownBase; readonly height: number } & Held)
  /**
   * A native-coin address's balance in the block where it gained unexplained coins, or in the last block if it holds less, or
   * no longer less.
   */
  | ({ readonly kind: 'balance'; readonly addressKey: string; readonly block: HeldBlock } & Held)
  /** A submitted transaction's transfer to the refund's address. */
  | ({
      readonly kind: 'named'
      readonly transactionId: string
      readonly addressKey: string
      readonly asset: string
    } & NamedTransfer)
  /** The block in which the second node shows a payment of that amount. */
  | ({ readonly kind: 'verified'; readonly paymentId: string; readonly amount: string } & ShownBlock)
  /** The second node has read past the payment's block and lacks the payment. */
  | { readonly kind: 'lacks'; readonly paymentId: string; readonly amount: string }
  /**
   * The second node shows, in a block of both nodes, or lacks, the transaction of a refund or of an escrow's
   * return.
   */
  | ({ readonly kind: 'agrees'; readonly height: number; readonly hash: string } & Pick<
      AskedDeed,
      'subject' | 'id'
    >)
  | ({ readonly kind: 'denies' } & Pick<AskedDeed, 'subject' | 'id'>)
  /** `tip` and `finalized`: null if unknown; `fault`: null if the second node answered. */
  | {
      readonly kind: 'second'
      readonly tip: number | null
      readonly finalized: number | null
      readonly fault: string | null
    }

/** An address's balance after a block, in coins; `sent`: its transactions until then. */
export interface Held {
  readonly balance: string
  readonly sent: number
}

export type HeldBlock = Pick<Block, 'height' | 'hash' | 'minedAt'>

/** An address's expected balance after each block that changed it, in order. */
export interface KnownBalances {
  readonly addressKey: string
  /** Explained up to this block. */
  readonly explainedTo: number
  /** The address held less than expected at the last poll. */
  readonly isLacking: boolean
  readonly known: readonly ({ readonly height: number } & Held)[]
}

export interface UnknownBase {
  readonly id: string
  readonly address: string
  readonly height: number
}

export interface AskedPayment {
  readonly id: string
  readonly transactionId: string
  readonly outputKey: string
  readonly addressKey: string
  readonly asset: string
  readonly amount: string
  readonly decimals: number
  readonly height: number
  /** Minimum balances for coins sent by a contract: in the payment's block, and in the last one. */
  readonly held: readonly { readonly height: number; readonly balance: string }[]
  /** The address's own transactions, already subtracted there. */
  readonly sent: readonly Omit<Sending, 'sender'>[]
  /** The first node's last answer lacked it; the second node is asked whether it does too. */
  readonly isLacking: boolean
}

/** Waits for the second node: a refund's transaction, or an escrow's return (`id` of the payment). */
export interface AskedDeed {
  readonly subject: 'refund' | 'return'
  readonly id: string
  readonly transactionId: string
  readonly height: number
  /** The refund's address, or `CHAIN:ESCROW:ORDER`. */
  readonly addressKey: string
  /** For a refund: its transfer's key, amount and token; null for the native coin. */
  readonly outputKey: string | null
  readonly amount: string
  readonly contract: string | null
  readonly decimals: number
  /** As in `AskedPayment`. */
  readonly isLacking: boolean
}

/** A block by the second node. */
type ShownBlock = Pick<Block, 'hash' | 'minedAt'>

/** The block at the payment's height, if it has a payment of the same amount to the same recipient. */
export interface Opinion {
  readonly shown: ShownBlock | null
  /** The node has the block but not the payment that is lacking (`isLacking`). */
  readonly lacks?: boolean
  readonly fault: string | null
}

/** Maintained by the watcher, read by the source. */
export interface Watched {
  readonly addresses: Pick<ReadonlySet<string>, 'has' | 'size' | 'keys'>
  /** EVM: for the native coin; outgoing transactions are recorded. */
  readonly senders: Pick<ReadonlySet<string>, 'has'>
  /** Bitcoin family: output script in hex → address. */
  readonly scripts: ReadonlyMap<string, string>
  /** EVM: listed tokens, contract in lower case → decimals. */
  readonly tokens: ReadonlyMap<string, number>
  /** EVM: escrows by contract in lower case → `CHAIN:CONTRACT`. */
  readonly escrows: ReadonlyMap<string, string>
  /** Inputs of payments that are not final, and our unspent outputs. */
  readonly inputs: ReadonlySet<string>
  /** Unconfirmed payments: transaction id → inputs. */
  readonly pending: ReadonlyMap<string, readonly string[]>
  /** Blocks that lacked a known fact, height → hash; reread with each new block. */
  readonly lacking: ReadonlyMap<number, string>
}

/** For requests about the node. */
export const nothingWatched: Watched = {
  addresses: new Set(),
  senders: new Set(),
  scripts: new Map(),
  tokens: new Map(),
  escrows: new Map(),
  inputs: new Set(),
  pending: new Map(),
  lacking: new Map(),
}

/** One adapter for each kind of node. Methods throw the error of an unreachable node. */
export interface ChainSource {
  readonly family: 'bitcoin' | 'evm'
  /** `finalDepth`: blocks until a payment is final; `windowDepth`: kept to find a common ancestor. */
  readonly finalDepth: number
  readonly windowDepth: number
  /** Blocks read and written at once when catching up. */
  readonly batchBlocks: number
  /** Blocks are reread at these depths: the node's first answer may have been incomplete. */
  readonly rereadDepths: readonly number[]
  /** Identifies the network by its first block's hash. */
  identity(): Promise<string>
  tipHeight(): Promise<number>
  hashAt(height: number): Promise<string | null>
  /** Each the parent of the next; fewer if the chain changed meanwhile. */
  blocks(from: number, to: number, watched: Watched): Promise<Block[]>
  /** With those that can't be mined any more at `height`. */
  mempool(watched: Watched, height: number): Promise<Extract<ChainEvent, { kind: 'mempool' }>>
  finalizedHeight(): Promise<number | null>
  /** EVM: transfers to an address, of a token or (null) the native coin. */
  namedTransfer?(
    transactionId: string,
    addressKey: string,
    token: { readonly contract: string; readonly decimals: number } | null,
  ): Promise<NamedTransfer[]>
  /** Undefined without a second node. */
  secondHeights?(): Promise<{ readonly height: number; readonly finalized: number }>
  /** In order; undefined without a second node. */
  secondOpinions?(payments: readonly AskedPayment[]): Promise<Opinion[]>
  /** The hash of the second node's block with it, or null. */
  secondDeed?(deed: AskedDeed): Promise<string | null>
  /** Null if the second node has none; undefined without a second node. */
  secondHashAt?(height: number): Promise<string | null>
  /** Errors: `token_decimals_differ` if two nodes disagree. */
  tokenDecimals?(contract: string): Promise<number>
}
