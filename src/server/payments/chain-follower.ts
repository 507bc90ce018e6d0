import { setTimeout as delay } from 'node:timers/promises'
import type { ChainConfig } from '../chain-config.ts'
import { isYoungerThan } from '../clock.ts'
import { RetryableError } from '../refusal.ts'
import { BALANCE_MS } from './balance-round.ts'
import type {
  AskedDeed,
  AskedPayment,
  Block,
  ChainEvent,
  ChainSource,
  UnknownBase,
  Watched,
} from './chain-source.ts'
import { answered, findRises, type KnownOf } from './evm/balance-rises.ts'
import type { EvmExtras } from './evm/evm-chain.ts'

// Rules: SETTLE-18, SETTLE-20, SETTLE-4
/** The chain changed below finality, or the node is on another network: an operator decides. */
export class ChainStopped extends Error {}

export interface Cursor {
  readonly height: number
  readonly hash: string
}

export interface FollowFrom {
  readonly cursor: Cursor | null
  /** With an operator's consent, however deep the chain differs. */
  readonly takesNewChain: boolean
}

/** The result of one poll; the store writes it in one transaction. */
export interface Reading {
  readonly events: readonly ChainEvent[]
  /** The start block of an empty cursor; null if the chain is followed already. */
  readonly first: Cursor | null
  readonly last: Cursor
  readonly tip: number
  readonly isBehind: boolean
}

export interface BalanceReading {
  readonly events: readonly ChainEvent[]
  /** Their balance at `last` was explained already. */
  readonly explained: readonly string[]
}

/** A refund's submitted transaction, not yet seen on chain. */
export interface NamedRefund {
  readonly transactionId: string
  readonly addressKey: string
  /** Null for the native coin. */
  readonly token: { readonly contract: string; readonly decimals: number } | null
}

const FIRST_BLOCKS = 30
/**
 * Transfers written in one transaction, unless one block has more. Their orders update the same few rows, and
 * every row version is scanned until the transaction ends.
 */
const TRANSFERS_AT_ONCE = 500
const OPINION_WAIT_MS = 1_500

export interface ChainFollowerNeeds {
  readonly config: ChainConfig
  readonly source: ChainSource & Partial<EvmExtras>
}

/**
 * Yields one chain's events: blocks, reorgs, mempool, balances. Keeps the last blocks' hashes to find a
 * common ancestor; does not access the database.
 */
export class ChainFollower {
  readonly #config: ChainConfig
  readonly #source: ChainSource & Partial<EvmExtras>
  #window = new Map<number, string>()
  /** Final when first read. Not reread: no node is that far behind. */
  readonly #deep = new Set<number>()
  #balancesAt = 0
  #opinions: Promise<ChainEvent[]> | undefined

  constructor({ config, source }: ChainFollowerNeeds) {
    this.#config = config
    this.#source = source
  }

  /** Replaces the blocks of a former leader. */
  begin(window: ReadonlyMap<number, string>): void {
    this.#window = new Map(window)
  }

  async tipHeight(): Promise<number> {
    const tip = await this.#source.tipHeight()
    if (!Number.isSafeInteger(tip) || tip < 0)
      throw new RetryableError(new Error('the node does not say how high its chain is'))
    return tip
  }

  /**
   * Up to `tip`. Read `watched` after `tip`, or a payment to a new address is missed. Throws ChainStopped or
   * the node's error.
   */
  async read(from: FollowFrom, tip: number, watched: Watched): Promise<Reading> {
    const cursor = from.cursor ?? (await this.#blockAt(this.#firstHeight(tip)))
    const first = from.cursor ? null : cursor
    const ancestor = await this.#findAncestor(cursor, tip, from.takesNewChain)
    if (!ancestor) return { events: [], first, last: cursor, tip, isBehind: false }
    const { events, last } = await this.#readEvents(cursor, ancestor, tip, watched)
    // A node that claims more blocks than it has is polled normally.
    const hasBlocks = events.some(({ kind }) => kind === 'block')
    return { events, first, last, tip, isBehind: hasBlocks && last.height < tip }
  }

  /** True on an EVM chain read to its tip, every few seconds. */
  wantsBalances({ last, tip }: Reading): boolean {
    const isDue = !isYoungerThan(BALANCE_MS.open, this.#balancesAt)
    return saysBalances(this.#source) && last.height === tip && isDue
  }

  /** When the addresses were assigned, or at `last` if the node no longer has that state. */
  async readBases(last: Cursor, unknown: readonly UnknownBase[]): Promise<ChainEvent[]> {
    if (!saysBalances(this.#source)) return []
    const then = await this.#source.heldAt(unknown)
    const forgotten = unknown.filter((_, index) => then[index] === null)
    const now = await this.#source.heldAt(forgotten.map(({ address }) => ({ address, ...last })))
    return unknown.map((address, index): ChainEvent => {
      const known = then[index]
      if (known) return { kind: 'base', address, height: address.height, ...known }
      return { kind: 'base', address, height: last.height, ...answered(now.shift()) }
    })
  }

  // Rules: SETTLE-7, SETTLE-2
  /**
   * Finds the blocks in which `due` addresses gained unexplained coins, and the addresses without any.
   * Everything up to `last` must be written.
   */
  async readRises(last: Cursor, due: readonly string[], knownOf: KnownOf): Promise<BalanceReading> {
    if (!saysBalances(this.#source)) return { events: [], explained: [] }
    this.#balancesAt = Date.now()
    const { rises, explained } = await findRises(this.#source, due, last.height, knownOf)
    if (rises.length === 0) return { events: [], explained }
    const heights = [...new Set([...rises.map(({ height }) => height), last.height])]
    const blocks = await this.#source.blocksAt(heights)
    // On another branch: the next pass sees the reorg.
    const isSame = heights.every((height, index) => {
      const ours = height === last.height ? last.hash : this.#window.get(height)
      return blocks[index] && (ours === undefined || ours === blocks[index].hash)
    })
    if (!isSame) return { events: [], explained: [] }
    const events = rises.flatMap(({ addressKey, height, balance, sent }): ChainEvent[] => {
      const block = blocks[heights.indexOf(height)]
      return block ? [{ kind: 'balance', addressKey, block, balance, sent }] : []
    })
    return { events, explained }
  }

  /** The transfers of submitted transactions, in blocks up to `last`. */
  async readNamed(last: Cursor, named: readonly NamedRefund[]): Promise<ChainEvent[]> {
    const events: ChainEvent[] = []
    for (const { transactionId, addressKey, token } of named) {
      const transfers = (await this.#source.namedTransfer?.(transactionId, addressKey, token)) ?? []
      for (const found of transfers) {
        if (found.height > last.height) continue
        // On another branch: the next pass sees the reorg.
        const known = found.height === last.height ? last.hash : this.#window.get(found.height)
        if (known !== undefined && known !== found.hash) continue
        events.push({
          kind: 'named',
          transactionId,
          addressKey,
          asset: token?.contract ?? 'native',
          ...found,
        })
      }
    }
    return events
  }

  get hasSecondOpinion(): boolean {
    return this.#source.secondOpinions !== undefined
  }

  /** Height and opinions, if the node answers soon; the next pass uses a later answer. */
  async readOpinions(payments: readonly AskedPayment[], deeds: readonly AskedDeed[]): Promise<ChainEvent[]> {
    this.#opinions ??= this.#askSecond(payments, deeds)
    const late = new AbortController()
    const events = await Promise.race([
      this.#opinions,
      delay(OPINION_WAIT_MS, null, { signal: late.signal }).catch(() => null),
    ])
    late.abort()
    if (events) this.#opinions = undefined
    return events ?? []
  }

  /** Never throws: a failure only delays payments that need the second node. */
  async #askSecond(payments: readonly AskedPayment[], deeds: readonly AskedDeed[]): Promise<ChainEvent[]> {
    const faults: string[] = []
    const answerOr = async <T>(asked: Promise<T> | undefined, otherwise: T): Promise<T> => {
      try {
        return (await asked) ?? otherwise
      } catch (error) {
        faults.push(error instanceof Error ? error.message : String(error))
        return otherwise
      }
    }
    const unknown: { height: number | null; finalized: number | null } = { height: null, finalized: null }
    const { height, finalized } = await answerOr(this.#source.secondHeights?.(), unknown)
    const opinions = payments.length === 0 ? [] : await answerOr(this.#source.secondOpinions?.(payments), [])
    const ofPayments = opinions.flatMap(({ shown, lacks, fault }, index): ChainEvent[] => {
      if (fault) faults.push(fault)
      const payment = payments[index]
      if (!payment) return []
      const of = { paymentId: payment.id, amount: payment.amount }
      if (!shown) return lacks ? [{ kind: 'lacks', ...of }] : []
      return [{ kind: 'verified', ...of, ...shown }]
    })
    const ofDeeds = await Promise.all(deeds.map((deed) => answerOr(this.#askOfDeed(deed, height ?? -1), [])))
    return [
      ...ofPayments,
      ...ofDeeds.flat(),
      { kind: 'second', tip: height, finalized, fault: faults[0] ?? null },
    ]
  }

  /** A node that is behind can't deny; one with a different block can't agree. */
  async #askOfDeed(deed: AskedDeed, height: number): Promise<ChainEvent[]> {
    const { subject, id, isLacking } = deed
    const hash = (await this.#source.secondDeed?.(deed)) ?? null
    if (hash === null) return isLacking && height >= deed.height ? [{ kind: 'denies', subject, id }] : []
    const ours = this.#window.get(deed.height) ?? (await this.#source.hashAt(deed.height))
    return hash === ours ? [{ kind: 'agrees', subject, id, height: deed.height, hash }] : []
  }

  /** Remembers a reading's blocks after the store wrote it. */
  keep({ events, first, last, tip }: Reading): void {
    const reorg = events.find((event) => event.kind === 'reorg')
    for (const height of this.#window.keys()) {
      const isUndone = reorg !== undefined && height > reorg.height
      if (isUndone || height < last.height - this.#source.windowDepth) this.#window.delete(height)
    }
    if (first) this.#window.set(first.height, first.hash)
    for (const event of events) {
      if (event.kind !== 'block') continue
      this.#window.set(event.height, event.hash)
      if (event.height < tip - this.#source.finalDepth) this.#deep.add(event.height)
      else this.#deep.delete(event.height)
    }
    for (const height of this.#deep) if (!this.#window.has(height)) this.#deep.delete(height)
  }

  /** As configured, or a little below the tip, so that a small reorg needs no special case. */
  #firstHeight(tip: number): number {
    const { startHeight } = this.#config
    const first = startHeight === undefined ? tip - FIRST_BLOCKS : startHeight - 1
    return Math.min(tip, Math.max(0, first))
  }

  async #blockAt(height: number): Promise<Cursor> {
    const hash = await this.#source.hashAt(height)
    if (hash === null) throw new RetryableError(new Error(`the node has no block ${height}`))
    return { height, hash }
  }

  /** Null if the node is behind. */
  async #findAncestor(cursor: Cursor, tip: number, takesNewChain: boolean): Promise<Cursor | null> {
    const top = Math.min(cursor.height, tip)
    if (top < cursor.height && !this.#window.has(top)) {
      // The node lost its data: no reorg is that deep at once.
      throw new RetryableError(new Error(`the node is only at block ${tip}, we are at ${cursor.height}`))
    }
    for (let height = top; ; height -= 1) {
      const ours = height === cursor.height ? cursor.hash : this.#window.get(height)
      if (ours === undefined) {
        // Without older hashes to compare, rereads as many blocks again: the new chain may hold payments
        // there.
        if (takesNewChain) return this.#blockAt(Math.max(0, height - this.#source.windowDepth))
        throw new ChainStopped(
          `the chain changed below block ${height + 1}, deeper than ${this.#source.windowDepth} blocks`,
        )
      }
      const { hash } = await this.#blockAt(height)
      if (hash === ours) return height === top && tip < cursor.height ? null : { height, hash }
    }
  }

  async #readEvents(
    cursor: Cursor,
    ancestor: Cursor,
    tip: number,
    watched: Watched,
  ): Promise<{ events: ChainEvent[]; last: Cursor }> {
    const events: ChainEvent[] = []
    if (ancestor.height < cursor.height) events.push({ kind: 'reorg', height: ancestor.height })
    const to = Math.min(tip, ancestor.height + this.#source.batchBlocks)
    const read = to > ancestor.height ? await this.#source.blocks(ancestor.height + 1, to, watched) : []
    // A reorg and its replacement blocks are written together.
    const blocks = events.length > 0 ? read : upToTransfers(read, TRANSFERS_AT_ONCE)
    if (blocks[0] && blocks[0].parent !== ancestor.hash)
      throw new RetryableError(new Error('the chain changed while it was read'))
    const last: Cursor | Block = blocks.at(-1) ?? ancestor
    // By height: an escrow's return in a new block may concern a payment that only the rereading shows.
    events.push(...(await this.#readAgain(cursor, ancestor, last, watched)))
    for (const block of blocks) events.push({ kind: 'block', ...block })
    if (last.height === tip) {
      if (this.#source.family === 'evm' && events.length > 0) {
        // Without a finality tag: the depth where nothing is recomputed.
        const finalized = (await this.#source.finalizedHeight()) ?? last.height - this.#source.finalDepth
        events.push({ kind: 'finalized', height: finalized })
      }
      events.push(await this.#source.mempool(watched, last.height))
    }
    return { events, last: { height: last.height, hash: last.hash } }
  }

  /**
   * Rereads blocks at a depth of `rereadDepths`, because the node's first answer may have been incomplete,
   * and, with each new block, those that lacked a known fact. Blocks that the node no longer has wait.
   */
  async #readAgain(cursor: Cursor, ancestor: Cursor, last: Cursor, watched: Watched): Promise<ChainEvent[]> {
    const { rereadDepths } = this.#source
    const scheduled = [...this.#window.keys()].filter(
      (height) =>
        !this.#deep.has(height) &&
        rereadDepths.some((depth) => height > cursor.height - depth && height <= last.height - depth),
    )
    const lacking = last.height > cursor.height ? watched.lacking.keys() : []
    const due = [...new Set([...scheduled, ...lacking])].filter((height) => height <= ancestor.height)
    const assets = ['native', ...watched.tokens.keys()]
    const events: ChainEvent[] = []
    for (const [from, to] of runsOf(due.filter((height) => this.#window.has(height)))) {
      const blocks = await this.#source.blocks(from, to, watched)
      const isSame = blocks.every(({ height, hash }) => this.#window.get(height) === hash)
      if (!isSame || blocks.length < to - from + 1)
        throw new RetryableError(new Error('the chain changed while it was read'))
      for (const block of blocks) events.push({ kind: 'again', assets, ...block })
    }
    for (const old of due.filter((height) => !this.#window.has(height))) {
      const [block] = await this.#source.blocks(old, old, watched).catch(() => [])
      if (block && block.hash === watched.lacking.get(old)) events.push({ kind: 'again', assets, ...block })
    }
    return events
  }
}

const saysBalances = (source: ChainSource & Partial<EvmExtras>): source is ChainSource & EvmExtras =>
  source.heldAt !== undefined && source.blocksAt !== undefined

function runsOf(heights: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const height of heights.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && run[1] === height - 1) run[1] = height
    else runs.push([height, height])
  }
  return runs
}

/** Up to the block that reaches `most` transfers. */
function upToTransfers(blocks: readonly Block[], most: number): readonly Block[] {
  let transfers = 0
  const end = blocks.findIndex((block) => (transfers += block.transfers.length) >= most)
  return end === -1 ? blocks : blocks.slice(0, end + 1)
}
