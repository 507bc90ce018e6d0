import type { ChainConfig } from '../chain-config.ts'
import { isYoungerThan } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { RetryableError } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { AddressBook } from './address-book.ts'
import { ChainFollower, ChainStopped, type Reading } from './chain-follower.ts'
import type { ChainSource, Watched } from './chain-source.ts'
import { BALANCES_MAX, ChainStore, type Position, type SettlingInputs } from './chain-store.ts'
import type { EvmExtras } from './evm/evm-chain.ts'
import { isOnNetwork } from './network-identity.ts'

export { LeadershipLost } from './chain-store.ts'

// Rules: SETTLE-20
export interface PassResult {
  readonly height: number
  readonly nodeHeight: number
  /** More blocks can be read at once. */
  readonly isBehind: boolean
  readonly payments: number
  /** Blocks above were replaced; null without a reorg. */
  readonly reorganisedAbove: number | null
}

export interface WatcherNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly config: ChainConfig
  readonly source: ChainSource & Partial<EvmExtras>
  hintOutbox(): void
}

const RELOAD_MS = 60_000

/**
 * Each reading and its cursor are one transaction that checks the leader's epoch, so a crash or a second
 * leader neither loses nor doubles anything.
 */
export class Watcher {
  readonly #config: ChainConfig
  readonly #source: ChainSource
  readonly #hintOutbox: () => void
  readonly #addresses: AddressBook
  readonly #follower: ChainFollower
  readonly #store: ChainStore
  #epoch: string | undefined
  #inputs: { readonly at: number; readonly read: SettlingInputs } | undefined
  #isIdentified = false
  readonly #askedDecimalsAt = new Map<string, number>()

  constructor({ db, secrets, config, source, hintOutbox }: WatcherNeeds) {
    this.#config = config
    this.#source = source
    this.#hintOutbox = hintOutbox
    this.#addresses = new AddressBook(config)
    this.#follower = new ChainFollower({ config, source })
    const secondAboveUsd = config.family === 'evm' && source.secondOpinions ? config.secondAboveUsd : null
    const addresses = this.#addresses
    this.#store = new ChainStore({ db, secrets, config, addresses, depths: source, secondAboveUsd })
  }

  /** Reads and writes new blocks, then unexplained balances, each in one transaction. Throws LeadershipLost, ChainStopped, or the node's error. */
  async pass(epoch: string): Promise<PassResult> {
    const position = await this.#readPosition(epoch)
    const reading = await this.#read(position)
    const payments = (await this.#write(epoch, reading)) + (await this.#look(epoch, reading))
    const hasSeen = reading.events.some(
      (event) => 'transfers' in event && event.transfers.length + event.spends.length > 0,
    )
    if (payments > 0 || hasSeen) this.#inputs = undefined
    // Each block adds a confirmation, which viewers of an order see.
    if (payments > 0 || reading.events.some(({ kind }) => kind === 'block')) this.#hintOutbox()
    const { last, tip, isBehind, events } = reading
    const reorganisedAbove = events.find((event) => event.kind === 'reorg')?.height ?? null
    return { height: last.height, nodeHeight: tip, isBehind, payments, reorganisedAbove }
  }

  async #write(epoch: string, reading: Reading): Promise<number> {
    const reorg = reading.events.find((event) => event.kind === 'reorg')
    if (reorg) this.#addresses.balances.forgetExplained(await this.#store.readMinedAt(reorg.height))
    const payments = await this.#store.write(epoch, reading)
    this.#follower.keep(reading)
    return payments
  }

  /** Searches balances for coins without a transfer, once all transfers are written. */
  async #look(epoch: string, reading: Reading): Promise<number> {
    if (!this.#follower.wantsBalances(reading)) return 0
    const due = this.#addresses.balances.takeDue(BALANCES_MAX)
    const { events, explained } = await this.#follower.readRises(reading.last, due, (inUse, empty) =>
      this.#store.readKnownBalances(inUse, empty),
    )
    if (explained.length > 0) {
      this.#addresses.balances.noteExplained(explained, await this.#store.readMinedAt(reading.last.height))
      await this.#store.noteBalancesRead(epoch, this.#addresses.balances.explainedTo)
    }
    return events.length === 0 ? 0 : this.#store.write(epoch, { ...reading, events, first: null })
  }

  async #readPosition(epoch: string): Promise<Position> {
    const position = await this.#store.readPosition(epoch)
    if (!this.#isIdentified) await this.#identify(epoch, position.identity)
    if (this.#epoch !== epoch) {
      await this.#store.noteSecond(epoch)
      this.#follower.begin(await this.#store.readWindow())
      this.#addresses.balances.forgetExplained(0)
      this.#epoch = epoch
      this.#inputs = undefined
    }
    return position
  }

  async #identify(epoch: string, known: string | null): Promise<void> {
    const identity = await this.#source.identity()
    if (!isOnNetwork(this.#config, identity))
      throw new ChainStopped(`the node is not on the network that is configured: ${identity}`)
    if (known === null) await this.#store.setIdentity(epoch, identity)
    else if (known !== identity)
      throw new ChainStopped(`the node is on another network: ${identity}, not ${known}`)
    this.#isIdentified = true
  }

  async #read(position: Position): Promise<Reading> {
    const tip = await this.#follower.tipHeight()
    let reading = await this.#follower.read(position, tip, await this.#readWatched(position))
    // After a payment near the range's end, further change addresses may have been paid in the same blocks.
    while (this.#addresses.change.use(paidIn(reading)))
      reading = await this.#follower.read(position, tip, await this.#readWatched(position))
    if (!position.takesNewChain) await this.#requireBothToUndo(reading)
    const events = [...reading.events]
    if (this.#follower.wantsBalances(reading)) {
      const unknown = await this.#store.readUnknownBases(reading.last.height)
      events.push(...(await this.#follower.readBases(reading.last, unknown)))
      events.push(...(await this.#follower.readNamed(reading.last, await this.#store.readNamed())))
    }
    if (this.#follower.hasSecondOpinion)
      events.push(
        ...(await this.#follower.readOpinions(
          await this.#store.readUnverified(),
          await this.#store.readDeeds(),
        )),
      )
    return { ...reading, events }
  }

  // Rules: SETTLE-16
  /** Facts confirmed by two nodes are undone only once both show other blocks; until then the chain waits. */
  async #requireBothToUndo({ events, last }: Reading): Promise<void> {
    const reorg = events.find((event) => event.kind === 'reorg')
    if (!reorg || !this.#source.secondHashAt) return
    const hash = await this.#store.readHashCountedByTwo(reorg.height, last.height)
    if (hash === undefined) return
    const shown = await this.#source.secondHashAt(reorg.height + 1)
    if (shown === null || shown === hash)
      throw new RetryableError(
        new Error(
          `the first node shows other blocks from ${reorg.height + 1} on, the second one does not: they hold what counts by the word of both`,
        ),
      )
  }

  async #readWatched({ takesNewChain }: Position): Promise<Watched> {
    await this.#store.readAddresses()
    if (takesNewChain || !this.#inputs || !isYoungerThan(RELOAD_MS, this.#inputs.at))
      this.#inputs = { at: Date.now(), read: await this.#store.readInputs() }
    await this.#learnDecimals()
    const [tokens, escrows] = [await this.#store.readTokens(), await this.#store.readEscrows()]
    const lacking = await this.#store.readLacking()
    return { ...this.#addresses.watched(tokens, escrows, this.#inputs.read), lacking }
  }

  // Rules: WALLET-8
  /**
   * Without decimals transfers don't count. A contract without an answer, or two nodes that disagree, are
   * asked again a minute later; a failing node ends the pass.
   */
  async #learnDecimals(): Promise<void> {
    if (!this.#source.tokenDecimals) return
    for (const contract of await this.#store.readTokensWithoutDecimals()) {
      if (isYoungerThan(RELOAD_MS, this.#askedDecimalsAt.get(contract) ?? 0)) continue
      this.#askedDecimalsAt.set(contract, Date.now())
      try {
        await this.#store.noteDecimals(contract, await this.#source.tokenDecimals(contract))
      } catch (error) {
        if (error instanceof RetryableError) throw error
      }
    }
  }
}

const paidIn = ({ events }: Reading) =>
  events.flatMap((event) => ('transfers' in event ? event.transfers.map(({ addressKey }) => addressKey) : []))
