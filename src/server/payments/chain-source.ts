/** Tokens with more decimals are not followed: an entry of the ledger has no more. */
export const TOKEN_DECIMALS_MAX = 18

/** One transfer to an address that is watched, as a chain shows it. */
export interface Transfer {
  readonly transactionId: string
  /** `0` for an output, `value` for a native EVM transfer, `{contract}#{n}` for the n-th log of a token, `balance`, `paid` into an escrow. */
  readonly outputKey: string
  readonly addressKey: string
  /** `native`, or a token's contract in lower case. */
  readonly asset: string
  /** In coins, as a decimal string. */
  readonly amount: string
  readonly failed: boolean
  /** What the transaction spends: outpoints, or `sender:nonce`. Another transaction that spends the same replaces it. */
  readonly inputs: readonly string[]
  readonly script: Uint8Array | null
  /** EVM: who sent it, in lower case. */
  readonly sender: string | null
}

/** A transfer of a named transaction to an address, and the block that holds it. */
export interface NamedTransfer {
  /** As of any transfer; `named` for the chain's own coin, of which a contract's payment shows none. */
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
  /** Inputs of payments we know (unconfirmed ones, and unspent outputs) with the transaction that spends them. */
  readonly spends: readonly Spend[]
  /** Every order that a followed escrow cancelled or gave the money back of; none where no escrow is followed. */
  readonly returns?: readonly EscrowReturn[] | undefined
  /** EVM: what our addresses for the chain's own coin sent. */
  readonly sent?: readonly Sending[] | undefined
}

/** A transaction that one of our addresses sent. */
export interface Sending {
  readonly transactionId: string
  /** Key of the address. */
  readonly sender: string
  /** Coins that it took from the address: value and fee, as a decimal string. */
  readonly cost: string
}

/** An order that its escrow cancelled or gave the money back of. */
export interface EscrowReturn {
  /** `CHAIN:ESCROW:ORDER` */
  readonly orderKey: string
  readonly transactionId: string
}

export interface Spend {
  readonly input: string
  readonly by: string
}

/** The outside world of a chain, as the watcher applies it: in this order, in one transaction with the cursor. */
export type ChainEvent =
  | { readonly kind: 'reorg'; readonly height: number }
  | ({ readonly kind: 'block' } & Block)
  /** A block that was read before, read again; `assets` are those of which it was read whole. */
  | ({ readonly kind: 'again'; readonly assets: readonly string[] } & Block)
  | { readonly kind: 'finalized'; readonly height: number }
  | {
      readonly kind: 'mempool'
      readonly transfers: readonly Transfer[]
      readonly spends: readonly Spend[]
      /** Of the unconfirmed payments we know, those that the node still holds; null where it can't say. */
      readonly present: ReadonlySet<string> | null
      /** Of the unconfirmed payments we know, those that no block can hold any more: their sender's nonce was used otherwise. */
      readonly gone: readonly string[]
    }
  /** What an address held when it was given out (`address.height`), or at a later `height` where the node has forgotten what was then. */
  | ({ readonly kind: 'base'; readonly address: UnknownBase; readonly height: number } & Held)
  /** What an address for the chain's own coin held in the block where it came to hold more than was known, or in the last one where it holds less, or no longer less. */
  | ({ readonly kind: 'balance'; readonly addressKey: string; readonly block: HeldBlock } & Held)
  /** A transfer to a refund's address of the transaction that an operator named for it. */
  | ({
      readonly kind: 'named'
      readonly transactionId: string
      readonly addressKey: string
      readonly asset: string
    } & NamedTransfer)
  /** The block in which a second node sees a payment of that amount. */
  | ({ readonly kind: 'verified'; readonly paymentId: string; readonly amount: string } & ShownBlock)
  /** A second node that has read past the payment's block shows no such payment. */
  | { readonly kind: 'lacks'; readonly paymentId: string; readonly amount: string }
  /** The second node shows, in a block that both nodes have, or lacks, what sends a refund or gives an escrow's payment back. */
  | ({ readonly kind: 'agrees'; readonly height: number; readonly hash: string } & Pick<
      AskedDeed,
      'subject' | 'id'
    >)
  | ({ readonly kind: 'denies' } & Pick<AskedDeed, 'subject' | 'id'>)
  /** How high the second node is, and up to where its chain is final; null where it did not say. What it failed with; null where it answered. */
  | {
      readonly kind: 'second'
      readonly tip: number | null
      readonly finalized: number | null
      readonly fault: string | null
    }

/** What an address holds after a block, in coins, and how many transactions it had sent by then. */
export interface Held {
  readonly balance: string
  readonly sent: number
}

export type HeldBlock = Pick<Block, 'height' | 'hash' | 'minedAt'>

/** What an address should hold by what is known, after each block that changed it, in order. */
export interface KnownBalances {
  readonly addressKey: string
  /** Up to which block all that the address holds is explained. */
  readonly explainedTo: number
  /** Whether the address held less than is known when it was asked last. */
  readonly isLacking: boolean
  readonly known: readonly ({ readonly height: number } & Held)[]
}

/** An address that was given out and whose balance at that time is not known yet. */
export interface UnknownBase {
  readonly id: string
  readonly address: string
  /** At which it was given out. */
  readonly height: number
}

/** A payment that waits for a second node. */
export interface AskedPayment {
  readonly id: string
  readonly transactionId: string
  readonly outputKey: string
  readonly addressKey: string
  readonly asset: string
  readonly amount: string
  readonly decimals: number
  readonly height: number
  /** What the address has to hold at least, for what a contract sent: in the payment's block, and in the last one read. */
  readonly held: readonly { readonly height: number; readonly balance: string }[]
  /** What the address sent, which those balances are without. */
  readonly sent: readonly Omit<Sending, 'sender'>[]
  /** Whether the first node's last answer lacked it: then it matters whether the second node lacks it, too. */
  readonly isLacking: boolean
}

/** What sends a refund, or gives back what was paid into an escrow (`id` of the payment), and waits for a second node. */
export interface AskedDeed {
  readonly subject: 'refund' | 'return'
  readonly id: string
  readonly transactionId: string
  /** The block in which the first node shows it. */
  readonly height: number
  /** Where a refund goes, or `CHAIN:ESCROW:ORDER`. */
  readonly addressKey: string
  /** Of a refund: its transfer's key, amount and token, null for the chain's own coin. */
  readonly outputKey: string | null
  readonly amount: string
  readonly contract: string | null
  readonly decimals: number
  /** Whether the first node's last answer lacked it: then it matters whether the second node lacks it, too. */
  readonly isLacking: boolean
}

/** A block as a second node shows it. */
type ShownBlock = Pick<Block, 'hash' | 'minedAt'>

/** The block at the payment's height, where a node shows a payment to the same recipient, of the same amount, in it; null where it does not. */
export interface Opinion {
  readonly shown: ShownBlock | null
  /** Whether the node was asked of a payment that is lacking (`isLacking`), has a block of that height, and shows no such payment. */
  readonly lacks?: boolean
  readonly fault: string | null
}

/** What is looked for. Kept by the watcher, read by the source. */
export interface Watched {
  /** Every address, by its key. */
  readonly addresses: ReadonlySet<string>
  /** EVM: those given out for the chain's own coin: what they send is told apart from what they got. */
  readonly senders: ReadonlySet<string>
  /** Bitcoin family: output script in hex → address. */
  readonly scripts: ReadonlyMap<string, string>
  /** EVM: listed tokens by contract in lower case → decimals. */
  readonly tokens: ReadonlyMap<string, number>
  /** EVM: escrows by contract in lower case → `CHAIN:CONTRACT`. */
  readonly escrows: ReadonlyMap<string, string>
  /** Inputs whose spending means something: of payments that are not final, and our unspent outputs. */
  readonly inputs: ReadonlySet<string>
  /** Unconfirmed payments: transaction id → inputs. */
  readonly pending: ReadonlyMap<string, readonly string[]>
  /** Blocks that lacked what they had shown, by height → hash: read again with each new block. */
  readonly lacking: ReadonlyMap<number, string>
}

/** For who asks a node of itself alone. */
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

/** How a chain is read: one adapter a kind of node. Every method throws what a node that is down throws. */
export interface ChainSource {
  readonly family: 'bitcoin' | 'evm'
  /** Blocks above which a payment is final, and how many are kept to find a common ancestor. */
  readonly finalDepth: number
  readonly windowDepth: number
  /** Most blocks fetched and written at once when catching up. */
  readonly batchBlocks: number
  /** How deep a block is when it is read again, because what a node answered of it first may have lacked something. */
  readonly rereadDepths: readonly number[]
  /** Hash of the first block: which network the node is on. */
  identity(): Promise<string>
  tipHeight(): Promise<number>
  hashAt(height: number): Promise<string | null>
  /** Blocks `from`…`to` in order, each the parent of the next; fewer where the chain changed meanwhile. */
  blocks(from: number, to: number, watched: Watched): Promise<Block[]>
  /** What waits, and what of it can't wait any more at a height. */
  mempool(watched: Watched, height: number): Promise<Extract<ChainEvent, { kind: 'mempool' }>>
  finalizedHeight(): Promise<number | null>
  /** EVM: the transfers of a named transaction to an address, in a token or (null) the chain's own coin. */
  namedTransfer?(
    transactionId: string,
    addressKey: string,
    token: { readonly contract: string; readonly decimals: number } | null,
  ): Promise<NamedTransfer[]>
  /** How high another node is, and up to where its chain is final; undefined where there is none to ask. */
  secondHeights?(): Promise<{ readonly height: number; readonly finalized: number }>
  /** What another node says of payments, in their order; undefined where there is none to ask. */
  secondOpinions?(payments: readonly AskedPayment[]): Promise<Opinion[]>
  /** The hash of the block in which another node shows that; null where it does not. */
  secondDeed?(deed: AskedDeed): Promise<string | null>
  /** Hash of the other node's block at a height, null where it has none; undefined where there is no other node. */
  secondHashAt?(height: number): Promise<string | null>
  /** Decimals of a token, as its contract says. Refuses `token_decimals_differ` where two nodes answer differently. */
  tokenDecimals?(contract: string): Promise<number>
}
