import { createHash } from 'node:crypto'
import type {
  AskedDeed,
  AskedPayment,
  Block,
  ChainSource,
  Held,
  HeldBlock,
  Opinion,
  Spend,
  Transfer,
  Watched,
} from '../src/server/payments/chain-source.ts'
import type { EvmExtras } from '../src/server/payments/evm/evm-chain.ts'
import { RetryableError } from '../src/server/refusal.ts'
import { compare, isZero, multiply, roundDownTo, sum } from '../src/shared/money.ts'
import { type Network, networkFacts } from '../src/shared/networks.ts'
import { Exact } from './model/exact.ts'
import type { Truth } from './model/payments.ts'
import type { Fate } from './steps.ts'

/** A transfer to one address. */
export interface Output {
  readonly addressKey: string
  /** `native`, or a token's contract in lower case. */
  readonly asset: string
  readonly amount: string
}

/** A token may keep a fee, pay double or revert, and another block may differ. */
export type Result = 'as sent' | 'less a fee' | 'twice' | 'reverted'

export interface Transaction {
  readonly id: string
  readonly inputs: readonly string[]
  readonly outputs: readonly Output[]
  readonly result: Result
  readonly call?: EscrowCall
  /** True if the call succeeded in its block. */
  readonly isDone?: boolean
}

/** A payment by a signed quote, a cancellation by the seller, or a refund to the payer. */
export interface EscrowCall {
  readonly what: 'pay' | 'cancel' | 'refund'
  readonly place: string
  readonly orderKey: string
  readonly asset: string
  readonly amount: string
  /** A payment's last accepted second. */
  readonly validUntil: number
}

export type EscrowOrderState = 'none' | 'paid' | 'cancelled' | 'refunded'

/** The lag in blocks. */
const LAG = 5

/** Correct, some blocks behind, an error, or another block. */
export type SecondNode = 'agrees' | 'lags' | 'silence' | 'lies'

interface Mined {
  readonly height: number
  readonly hash: string
  readonly parent: string
  readonly minedAt: number
  readonly transactions: readonly Transaction[]
}

/** No answer, an error page, blocks without logs, or another network. */
export type Trouble = 'silence' | 'html' | 'blind' | 'elsewhere'

/** The main networks' genesis block and chain id. */
const IDENTITIES = {
  bitcoin: networkFacts.litecoin.nets.main.firstBlocks[0] ?? '',
  evm: '1:0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
}

/**
 * Depths at which a block is read again. Bitcoin-family blocks prove that they are complete, but new
 * addresses may be known since.
 */
const REREAD_DEPTHS = { bitcoin: [3], evm: [3, 11] }

/** A block's answers: `times` so often asked. */
interface Shown {
  readonly times: number
  readonly height: number
  readonly firstDepth: number
  readonly hasLogs: boolean
}

const GENESIS_BLOCKS = 40

/** With all real faults. Deterministic: hashes are counted. */
export class SimulatedChain {
  readonly network: Network
  readonly family: 'bitcoin' | 'evm'
  #blocks: Mined[] = []
  #mempool = new Map<string, Transaction>()
  #count = 0
  #trouble: { kind: Trouble; calls: number } | undefined
  second: SecondNode = 'agrees'
  /** True after a reorg below a final block: a watcher may stop for an operator's decision. */
  isDeeplyChanged = false
  /** Runs during a watcher's next call. */
  whileAsked: (() => Promise<unknown>) | undefined
  #isElsewhere = false
  /** Answers by block hash: recorded, and of this poll. */
  #shown = new Map<string, Shown>()
  #answered = new Map<string, Shown>()

  constructor(network: Network, family: 'bitcoin' | 'evm', now: number) {
    this.network = network
    this.family = family
    this.mine(GENESIS_BLOCKS, now)
  }

  get height(): number {
    return this.#blocks.length - 1
  }

  /** The newest block's time, the contracts' clock. */
  get minedAt(): number {
    return this.#blocks.at(-1)?.minedAt ?? 0
  }

  get truth(): Truth {
    const { family } = this
    return {
      blocks: this.#blocks.map(({ height, hash, minedAt, transactions }) => ({
        height,
        hash,
        minedAt,
        hasLogs: this.#shown.get(hash)?.hasLogs ?? true,
        readings: this.#shown.get(hash)?.times ?? 0,
        transactions: transactions.map((transaction) => trueTransaction(family, transaction, true)),
      })),
      waiting: [...this.#mempool.values()].map((transaction) => trueTransaction(family, transaction, false)),
    }
  }

  beginLook(): void {
    this.#answered.clear()
    this.#isElsewhere = false
  }

  /** True if the node named another network in this poll: its data must be rejected. */
  get isElsewhere(): boolean {
    return this.#isElsewhere
  }

  /** True if a watcher may stop for an operator's decision. */
  get mayStop(): boolean {
    return this.isDeeplyChanged || this.#isElsewhere
  }

  endLook(): void {
    for (const [hash, shown] of this.#answered) this.#shown.set(hash, shown)
    this.#answered.clear()
  }

  /** Deep blocks that were read once: what the node left out there is lost. */
  get readOnce(): number[] {
    const depths = REREAD_DEPTHS[this.family]
    const isBuried = ({ times, firstDepth, height }: Shown) =>
      times < 2 && firstDepth < Math.min(...depths) && this.height - height > Math.max(...depths) + 1
    return [...this.#shown]
      .filter(([hash, shown]) => isBuried(shown) && this.#blocks[shown.height]?.hash === hash)
      .map(([, { height }]) => height)
  }

  /** `spends` replaces transactions with the same input. */
  send(
    outputs: readonly Output[],
    result: Result = 'as sent',
    spends?: readonly string[],
    call?: EscrowCall,
  ): Transaction {
    const id = this.#hash('transaction')
    const inputs = spends ?? [`${id.slice(0, 40)}:0`]
    for (const other of this.#mempool.values())
      if (other.inputs.some((input) => inputs.includes(input))) this.#mempool.delete(other.id)
    const transaction = { id, inputs, outputs, result, ...(call && { call }) }
    this.#mempool.set(id, transaction)
    return transaction
  }

  orderInEscrow(orderKey: string): EscrowOrderState {
    return stateInEscrow(
      this.#blocks.flatMap(({ transactions }) => transactions),
      orderKey,
    )
  }

  get newestWaiting(): Transaction | undefined {
    return [...this.#mempool.values()].at(-1)
  }

  /** Into the first of `count` blocks. */
  mine(count: number, now: number): void {
    for (let index = 0; index < count; index += 1) {
      this.#add([...this.#mempool.values()], now)
      this.#mempool.clear()
    }
  }

  /**
   * Replaces blocks by one more. The transactions are mined again at once (`kept`), with another result
   * (`otherwise`), return to the mempool (`waits`), or vanish (`lost`).
   */
  reorganise(depth: number, fate: Fate, now: number): void {
    const undone = this.#blocks.splice(Math.max(1, this.#blocks.length - depth))
    const transactions = undone.flatMap((block) => block.transactions)
    const again = fate === 'otherwise' ? transactions.map(executedOtherwise) : transactions
    const isMined = fate === 'kept' || fate === 'otherwise'
    for (let index = 0; index <= undone.length; index += 1)
      this.#add(index === 0 && isMined ? again : [], now)
    if (fate === 'waits')
      for (const transaction of transactions) this.#mempool.set(transaction.id, transaction)
  }

  trouble(kind: Trouble, calls: number): void {
    this.#trouble = { kind, calls }
  }

  source(finalDepth: number, windowDepth: number): ChainSource & Partial<EvmExtras> {
    const ofEvm: Partial<ChainSource & EvmExtras> = {
      secondHeights: async () => {
        this.#requireSecond()
        return { height: this.secondHeight, finalized: this.secondHeight - finalDepth }
      },
      secondOpinions: async (payments) => this.#opinions(payments),
      secondDeed: async (deed) => this.#secondDeed(deed),
      secondHashAt: async (height) => this.#secondHashAt(height),
      heldAt: async (asked) => this.#answer(asked.map((one) => this.#heldAt(one))),
      blocksAt: async (heights) => this.#answer(heights.map((height) => this.#heldBlock(height))),
    }
    return {
      family: this.family,
      ...(this.family === 'evm' && ofEvm),
      finalDepth,
      windowDepth,
      batchBlocks: 50,
      rereadDepths: REREAD_DEPTHS[this.family],
      identity: async () => this.#identify(),
      tipHeight: async () => {
        const during = this.whileAsked
        this.whileAsked = undefined
        await during?.()
        return this.#answer(this.height)
      },
      hashAt: async (height) => this.#answer(this.#blocks[height]?.hash ?? null),
      blocks: async (from, to, watched) => this.#readBlocks(from, to, watched),
      mempool: async (watched) => this.#answer(this.#mempoolFor(watched)),
      finalizedHeight: async () => this.#answer(this.height - finalDepth),
    }
  }

  get secondHeight(): number {
    return this.second === 'lags' ? Math.max(0, this.height - LAG) : this.height
  }

  #secondHashAt(height: number): string | null {
    this.#requireSecond()
    const hash = (height <= this.secondHeight ? this.#blocks[height]?.hash : null) ?? null
    return this.second === 'lies' && hash ? `${hash.slice(1)}0` : hash
  }

  /** The block of a transaction whose effect was already read. */
  #secondDeed({ transactionId }: AskedDeed): string | null {
    const block = this.#blocks.find(({ transactions }) => transactions.some(({ id }) => id === transactionId))
    return block ? this.#secondHashAt(block.height) : null
  }

  #requireSecond(): void {
    if (this.second === 'silence') throw new RetryableError(new Error('the second node did not answer'))
  }

  #opinions(payments: readonly AskedPayment[]): Opinion[] {
    this.#requireSecond()
    return payments.map(({ transactionId, addressKey, amount }) => {
      const block = this.#blocks.find(({ transactions }) =>
        transactions.some(
          (transaction) =>
            transaction.id === transactionId &&
            executed(this.family, transaction).some(
              (output) =>
                output.addressKey === addressKey && !output.failed && compare(output.amount, amount) === 0,
            ),
        ),
      )
      if (!block || block.height > this.secondHeight) return { shown: null, fault: null }
      const hash = this.second === 'lies' ? `${block.hash.slice(1)}0` : block.hash
      return { shown: { hash, minedAt: new Date(block.minedAt) }, fault: null }
    })
  }

  #heldAt({ address, height }: { address: string; height: number }): Held {
    const paid = this.#blocks
      .slice(0, height + 1)
      .flatMap(({ transactions }) => transactions.flatMap((one) => executed(this.family, one)))
      .filter(({ addressKey, asset, failed }) => addressKey === address && asset === 'native' && !failed)
    return { balance: sum(paid.map(({ amount }) => amount)), sent: 0 }
  }

  #heldBlock(at: number): HeldBlock | null {
    const block = this.#blocks[at]
    return block ? { height: at, hash: block.hash, minedAt: new Date(block.minedAt) } : null
  }

  #mempoolFor(watched: Watched) {
    const waiting = [...this.#mempool.values()]
    return {
      kind: 'mempool' as const,
      transfers: waiting.flatMap(({ outputs, ...transaction }) =>
        transfersOf(this.family, transaction, outputs.map(asSent), watched),
      ),
      spends: waiting.flatMap((transaction) => spendsOf(transaction, watched)),
      present: new Set(this.#mempool.keys()),
      gone: [],
    }
  }

  #identify(): string {
    if (this.#trouble?.kind !== 'elsewhere') return this.#answer(IDENTITIES[this.family])
    this.#trouble = undefined
    this.#isElsewhere = true
    return this.family === 'evm' ? '5:0x00' : '00'
  }

  #readBlocks(from: number, to: number, watched: Watched): Block[] {
    const trouble = this.#trouble
    const isBlind = trouble?.kind === 'blind' && this.family === 'evm'
    if (isBlind && (trouble.calls -= 1) <= 0) this.#trouble = undefined
    const blocks = this.#answer(this.#blocks.slice(from, to + 1))
    for (const { hash, height } of blocks) {
      const before = this.#answered.get(hash) ?? this.#shown.get(hash)
      this.#answered.set(hash, {
        height,
        times: (before?.times ?? 0) + 1,
        hasLogs: !isBlind,
        firstDepth: before?.firstDepth ?? this.height - height,
      })
    }
    return blocks.map((block) => {
      const read = blockOf(this.family, block, watched)
      return isBlind
        ? { ...read, transfers: read.transfers.filter(({ asset }) => asset === 'native'), returns: [] }
        : read
    })
  }

  #answer<T>(answer: T): T {
    const trouble = this.#trouble
    if (!trouble || trouble.kind === 'blind' || trouble.kind === 'elsewhere') return answer
    trouble.calls -= 1
    if (trouble.calls <= 0) this.#trouble = undefined
    if (trouble.kind === 'silence') throw new RetryableError(new Error('the node did not answer'))
    throw new SyntaxError('an error page is not valid JSON')
  }

  #add(transactions: readonly Transaction[], now: number): void {
    const parent = this.#blocks.at(-1)?.hash ?? ''
    const height = this.#blocks.length
    const before = transactions.some(({ call }) => call)
      ? this.#blocks.flatMap((block) => block.transactions)
      : []
    const done: Transaction[] = []
    for (const transaction of transactions)
      done.push(
        transaction.call
          ? { ...transaction, isDone: isTaken(transaction, [...before, ...done], now) }
          : transaction,
      )
    this.#blocks.push({ height, hash: this.#hash('block'), parent, minedAt: now, transactions: done })
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
    transfers: transactions.flatMap((transaction) =>
      transfersOf(family, transaction, executed(family, transaction), watched),
    ),
    spends: transactions.flatMap((transaction) => spendsOf(transaction, watched)),
    ...(family === 'evm' && {
      returns: transactions.flatMap((transaction) =>
        returnsOf(transaction).map((orderKey) => ({ orderKey, transactionId: transaction.id })),
      ),
    }),
  }
}

/** The order's state after these transactions. */
function stateInEscrow(transactions: readonly Transaction[], orderKey: string): EscrowOrderState {
  let state: EscrowOrderState = 'none'
  for (const { call, isDone } of transactions)
    if (isDone && call?.orderKey === orderKey)
      state = call.what === 'pay' ? 'paid' : call.what === 'cancel' ? 'cancelled' : 'refunded'
  return state
}

/** True if the contract accepts the call: an order is paid once, in time, and removed once. */
function isTaken({ call, result }: Transaction, before: readonly Transaction[], now: number): boolean {
  if (!call || result === 'reverted') return false
  const state = stateInEscrow(before, call.orderKey)
  if (call.what === 'pay') return state === 'none' && now / 1000 <= call.validUntil
  return state === (call.what === 'cancel' ? 'paid' : 'cancelled')
}

/** Orders removed by the contract's events. */
const returnsOf = ({ call, isDone }: Transaction): string[] =>
  isDone && call && call.what !== 'pay' ? [call.orderKey] : []

interface Executed extends Output {
  readonly failed: boolean
  /** Index of the sent outputs. */
  readonly index: number
}

const asSent = (output: Output, index: number): Executed => ({ ...output, failed: false, index })

const IN_ESCROW = -1

/** Executed outputs: Bitcoin-family ones are always as sent, an EVM transaction moves all or nothing. */
function executed(family: 'bitcoin' | 'evm', { outputs, result, call, isDone }: Transaction): Executed[] {
  if (call)
    return isDone && call.what === 'pay'
      ? [{ addressKey: call.place, asset: call.asset, amount: call.amount, failed: false, index: IN_ESCROW }]
      : []
  const sent = outputs.map(asSent)
  if (family === 'bitcoin' || result === 'as sent') return sent
  return sent.flatMap((output) => {
    if (output.asset === 'native') return [{ ...output, failed: result === 'reverted' }]
    if (result === 'reverted') return []
    const amount = roundDownTo(multiply(output.amount, result === 'twice' ? '2' : '0.99'), 6)
    return isZero(amount) ? [] : [{ ...output, amount }]
  })
}

const RESULTS: readonly Result[] = ['as sent', 'less a fee', 'twice', 'reverted']

const executedOtherwise = (transaction: Transaction): Transaction => ({
  ...transaction,
  result: RESULTS[(RESULTS.indexOf(transaction.result) + 1) % RESULTS.length] ?? 'as sent',
})

function trueTransaction(family: 'bitcoin' | 'evm', transaction: Transaction, isMined: boolean) {
  const { id, inputs, outputs } = transaction
  const payments = (isMined ? executed(family, transaction) : outputs.map(asSent)).map(
    ({ addressKey, asset, amount, failed, index }) => ({
      key: outputKeyOf(family, asset, index),
      address: addressKey,
      asset,
      amount: Exact.of(amount),
      isFailed: failed,
    }),
  )
  return { id, inputs, payments, returns: isMined ? returnsOf(transaction) : [] }
}

function transfersOf(
  family: 'bitcoin' | 'evm',
  { id, inputs }: Pick<Transaction, 'id' | 'inputs'>,
  outputs: readonly Executed[],
  watched: Watched,
): Transfer[] {
  return outputs
    .filter(({ addressKey, index }) => index === IN_ESCROW || watched.addresses.has(addressKey))
    .map(({ addressKey, asset, amount, failed, index }) => ({
      transactionId: id,
      outputKey: outputKeyOf(family, asset, index),
      addressKey,
      asset,
      amount,
      failed,
      inputs,
      script: null,
      sender: null,
    }))
}

const spendsOf = ({ id, inputs }: Transaction, watched: Watched): Spend[] =>
  inputs.filter((input) => watched.inputs.has(input)).map((input) => ({ input, by: id }))

/** Keys as in the adapters: an output index, `value` for a native EVM transfer, or a log index. */
function outputKeyOf(family: 'bitcoin' | 'evm', asset: string, index: number): string {
  if (index === IN_ESCROW) return 'paid'
  if (family === 'bitcoin') return String(index)
  return asset === 'native' ? 'value' : `${asset}#${index}`
}
