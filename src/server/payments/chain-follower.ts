import { setTimeout as delay } from 'node:timers/promises'
import type { ChainConfig } from '../chain-config.ts'
import { isYoungerThan } from '../clock.ts'
import { RetryableError } from '../refusal.ts'
import { BALANCE_MS } from './address-book.ts'
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

// Rules: SETTLE-18, SETTLE-20, SETTLE-23, SETTLE-24
/** The chain changed below what counted as final, or the node is on another network: a person has to look. */
export class ChainStopped extends Error {}

/** The last block that was read and written. */
export interface Cursor {
  readonly height: number
  readonly hash: string
}

/** Where to go on reading. */
export interface FollowFrom {
  /** Null where nothing was read yet. */
  readonly cursor: Cursor | null
  /** An operator said that what the node shows is the chain, however deep it differs. */
  readonly takesNewChain: boolean
}

/** What one look at the node yields, for the store to write in one transaction. */
export interface Reading {
  readonly events: readonly ChainEvent[]
  /** The block at which an empty cursor begins; null where the chain is followed already. */
  readonly first: Cursor | null
  readonly last: Cursor
  /** The height of the node. */
  readonly tip: number
  readonly isBehind: boolean
}

export interface BalanceReading {
  readonly events: readonly ChainEvent[]
  /** The addresses of which all that they hold at `last` was known already. */
  readonly explained: readonly string[]
}

/** A transaction that an operator named for a refund and that the chain has not shown yet. */
export interface NamedRefund {
  readonly transactionId: string
  readonly addressKey: string
  /** Null for the chain's own coin. */
  readonly token: { readonly contract: string; readonly decimals: number } | null
}

const FIRST_BLOCKS = 30
/**
 * So many transfers are written in one transaction, or those of one block: what they settle counts in the same few rows, of which each
 * version is looked through until the transaction ends.
 */
const TRANSFERS_AT_ONCE = 500
const OPINION_WAIT_MS = 1_500

export interface ChainFollowerNeeds {
  readonly config: ChainConfig
  readonly source: ChainSource & Partial<EvmExtras>
}

/**
 * Follows one chain and yields its events: blocks, reorgs, what waits in the mempool, balances. Keeps the hashes of the last blocks to
 * find a common ancestor, and knows nothing of the database.
 */
export class ChainFollower {
  readonly #config: ChainConfig
  readonly #source: ChainSource & Partial<EvmExtras>
  #window = new Map<number, string>()
  /** Blocks that were final already when they were read: no node is that far behind, so they are read once. */
  readonly #deep = new Set<number>()
  #balancesAt = 0
  #opinions: Promise<ChainEvent[]> | undefined

  constructor({ config, source }: ChainFollowerNeeds) {
    this.#config = config
    this.#source = source
  }

  /** Forgets the blocks of another leader's time. */
  begin(window: ReadonlyMap<number, string>): void {
    this.#window = new Map(window)
  }

  /** The height of the node. */
  async tipHeight(): Promise<number> {
    const tip = await this.#source.tipHeight()
    if (!Number.isSafeInteger(tip) || tip < 0)
      throw new RetryableError(new Error('the node does not say how high its chain is'))
    return tip
  }

  /**
   * Reads what is new up to `tip`; what is watched has to be of after that was asked, or an address that was given out and paid meanwhile
   * is passed over. Throws ChainStopped, or what the node's fault was.
   */
  async read(from: FollowFrom, tip: number, watched: Watched): Promise<Reading> {
    const cursor = from.cursor ?? (await this.#blockAt(this.#firstHeight(tip)))
    const first = from.cursor ? null : cursor
    const ancestor = await this.#findAncestor(cursor, tip, from.takesNewChain)
    if (!ancestor) return { events: [], first, last: cursor, tip, isBehind: false }
    const { events, last } = await this.#readEvents(cursor, ancestor, tip, watched)
    // A node that says it is higher than the blocks that it has is asked again in its own time.
    const hasBlocks = events.some(({ kind }) => kind === 'block')
    return { events, first, last, tip, isBehind: hasBlocks && last.height < tip }
  }

  /** Whether balances are to be read now: of an EVM chain that is read to its tip, every few seconds. */
  wantsBalances({ last, tip }: Reading): boolean {
    const isDue = !isYoungerThan(BALANCE_MS.open, this.#balancesAt)
    return saysBalances(this.#source) && last.height === tip && isDue
  }

  /** What addresses held when they were given out, or at `last` where the node has forgotten that. */
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

  // Rules: SETTLE-7, SETTLE-25
  /**
   * The blocks in which `due` addresses came to hold more than is known, where all that is known up to `last` is written; and those addresses of
   * which it explains everything.
   */
  async readRises(last: Cursor, due: readonly string[], knownOf: KnownOf): Promise<BalanceReading> {
    if (!saysBalances(this.#source)) return { events: [], explained: [] }
    this.#balancesAt = Date.now()
    const { rises, explained } = await findRises(this.#source, due, last.height, knownOf)
    if (rises.length === 0) return { events: [], explained }
    const heights = [...new Set([...rises.map(({ height }) => height), last.height])]
    const blocks = await this.#source.blocksAt(heights)
    // Balances of another branch are of a reorg, which the next pass sees.
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

  /** What the transactions that operators named for refunds brought, as far as blocks up to `last` hold them. */
  async readNamed(last: Cursor, named: readonly NamedRefund[]): Promise<ChainEvent[]> {
    const events: ChainEvent[] = []
    for (const { transactionId, addressKey, token } of named) {
      const transfers = (await this.#source.namedTransfer?.(transactionId, addressKey, token)) ?? []
      for (const found of transfers) {
        if (found.height > last.height) continue
        // A block that is not on the chain that was read belongs to a reorg, which the next pass sees.
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

  /** How high the second node is and what it says of these payments, if it answers soon; what it answers later is for the next pass. */
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

  /** Never fails: what the second node can't say of one thing only delays what needs that. */
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

  /** A node that is behind lacks nothing; one whose block is another than ours agrees to nothing. */
  async #askOfDeed(deed: AskedDeed, height: number): Promise<ChainEvent[]> {
    const { subject, id, isLacking } = deed
    const hash = (await this.#source.secondDeed?.(deed)) ?? null
    if (hash === null) return isLacking && height >= deed.height ? [{ kind: 'denies', subject, id }] : []
    const ours = this.#window.get(deed.height) ?? (await this.#source.hashAt(deed.height))
    return hash === ours ? [{ kind: 'agrees', subject, id, height: deed.height, hash }] : []
  }

  /** Remembers the blocks of a reading once the store has written it. */
  keep({ events, first, last }: Reading): void {
    const reorg = events.find((event) => event.kind === 'reorg')
    for (const height of this.#window.keys()) {
      const isUndone = reorg !== undefined && height > reorg.height
      if (isUndone || height < last.height - this.#source.windowDepth) this.#window.delete(height)
    }
    if (first) this.#window.set(first.height, first.hash)
    for (const event of events) if (event.kind === 'block') this.#window.set(event.height, event.hash)
    for (const height of this.#deep) if (!this.#window.has(height)) this.#deep.delete(height)
  }

  /** Begins at the height that the configuration names, else a little below the tip, so that a small reorg is nothing special. */
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

  /** The highest block that the node and we agree on; null where the node is merely behind. */
  async #findAncestor(cursor: Cursor, tip: number, takesNewChain: boolean): Promise<Cursor | null> {
    const top = Math.min(cursor.height, tip)
    if (top < cursor.height && !this.#window.has(top)) {
      // A node that lost its data starts again from far below; a reorg is never that deep at once.
      throw new RetryableError(new Error(`the node is only at block ${tip}, we are at ${cursor.height}`))
    }
    for (let height = top; ; height -= 1) {
      const ours = height === cursor.height ? cursor.hash : this.#window.get(height)
      if (ours === undefined) {
        // Below what we remember there is nothing to compare: as many blocks again are read anew, as the new chain may hold there what was paid.
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
    // What a reorg undid and what took its place count together.
    const blocks = events.length > 0 ? read : upToTransfers(read, TRANSFERS_AT_ONCE)
    if (blocks[0] && blocks[0].parent !== ancestor.hash)
      throw new RetryableError(new Error('the chain changed while it was read'))
    const last: Cursor | Block = blocks.at(-1) ?? ancestor
    for (const { height } of blocks) if (height < tip - this.#source.finalDepth) this.#deep.add(height)
    // In the order of their heights: what an escrow gives back in a new block may be a payment that only the second reading shows.
    events.push(...(await this.#readAgain(cursor, ancestor, last, watched)))
    for (const block of blocks) events.push({ kind: 'block', ...block })
    if (last.height === tip) {
      if (this.#source.family === 'evm' && events.length > 0) {
        // A chain that does not say what is final has it where nothing is recomputed any more.
        const finalized = (await this.#source.finalizedHeight()) ?? last.height - this.#source.finalDepth
        events.push({ kind: 'finalized', height: finalized })
      }
      events.push(await this.#source.mempool(watched, last.height))
    }
    return { events, last: { height: last.height, hash: last.hash } }
  }

  /**
   * Blocks that have become as deep as `rereadDepths` says since the last pass, because what a node answered of them first may have lacked
   * something; with each new block also those that lacked what they had shown. Of these a node may know the old ones no more: then they wait.
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

/** Heights that follow one another, as first and last. */
function runsOf(heights: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const height of heights.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && run[1] === height - 1) run[1] = height
    else runs.push([height, height])
  }
  return runs
}

/** The first of these blocks, until they hold so many transfers. */
function upToTransfers(blocks: readonly Block[], most: number): readonly Block[] {
  let transfers = 0
  const end = blocks.findIndex((block) => (transfers += block.transfers.length) >= most)
  return end === -1 ? blocks : blocks.slice(0, end + 1)
}
